#include "app/commands/offscreen.h"

#include <QGuiApplication>

#include <memory>

namespace attnscope {

void ensureDrawing()
{
    if (QCoreApplication::instance())
        return;
    qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});  // standard error is for our own words
    static char name[] = "attnscope", platform[] = "-platform", offscreen[] = "offscreen";
    static char* arguments[] = {name, platform, offscreen, nullptr};
    static int count = 3;
    static const std::unique_ptr<QGuiApplication> application = std::make_unique<QGuiApplication>(count, arguments);
}

}  // namespace attnscope
