#include "app/commands/offscreen.h"

#include <QGuiApplication>

#include <cstdio>

#include <unistd.h>

namespace attnscope {

namespace {

/// Standard error is for our own words. What Qt calls fatal, as where there is no memory to load what it draws with,
/// would end in an abort.
void onlyOurWords(QtMsgType kind, const QMessageLogContext&, const QString& message)
{
    if (kind != QtFatalMsg)
        return;
    const QByteArray why = message.section(QLatin1Char('\n'), 0, 0).toLocal8Bit();
    std::fprintf(stderr, "attnscope: Qt cannot draw here; mostly there is not enough memory for it: %s\n",
                 why.constData());
    ::_exit(1);
}

}  // namespace

void ensureDrawing()
{
    if (QCoreApplication::instance())
        return;
    qInstallMessageHandler(onlyOurWords);
    static char name[] = "attnscope", platform[] = "-platform", offscreen[] = "offscreen";
    static char* arguments[] = {name, platform, offscreen, nullptr};
    static int count = 3;
    // Never destroyed: at the end of the program Qt's cache of fonts is gone before it, and it would ask for that.
    [[maybe_unused]] static const QGuiApplication* const application = new QGuiApplication(count, arguments);
}

}  // namespace attnscope
