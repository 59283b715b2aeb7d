#include "ui/window/window_app.h"

#include "ui/window/icons.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QScreen>
#include <QSettings>

namespace attnscope {

Scenario firstScenario()
{
    Scenario scenario;
    scenario.n = 512;
    scenario.nTrain = 64;
    scenario.methods = {{"vanilla", {}, {}}, {"softmax_plus", {{"B", 64}}, {}}, {"infoscale", {}, {}}};
    return scenario;
}

int runWindow(QApplication& application, const QString& fileToOpen)
{
    QCoreApplication::setOrganizationName(QStringLiteral("attnscope"));
    QCoreApplication::setApplicationName(QStringLiteral("attnscope"));
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Attnscope"));
    application.setWindowIcon(QIcon(QStringLiteral(":/icons/logo.svg")));
    applyTheme(application, static_cast<ThemeChoice>(QSettings().value(QStringLiteral("theme"), int(ThemeChoice::System)).toInt()));

    MainWindow window(firstScenario());
    const QSize screen = application.primaryScreen()->availableSize();
    window.resize(QSize(1600, 1000).boundedTo(screen));
    window.resetLayout();
    window.show();
    if (!fileToOpen.isEmpty())
        window.openFile(fileToOpen);
    return application.exec();
}

}  // namespace attnscope
