#include "app/commands/offscreen.h"

#include <QGuiApplication>

namespace attnscope {

void ensureDrawing()
{
    if (QCoreApplication::instance())
        return;
    qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});  // standard error is for our own words
    static char name[] = "attnscope", platform[] = "-platform", offscreen[] = "offscreen";
    static char* arguments[] = {name, platform, offscreen, nullptr};
    static int count = 3;
    // Never destroyed: at the end of the program Qt's cache of fonts is gone before it, and it would ask for that.
    [[maybe_unused]] static const QGuiApplication* const application = new QGuiApplication(count, arguments);
}

}  // namespace attnscope
