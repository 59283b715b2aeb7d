#include "ui/window/window_app.h"

#include "core/base/version.h"
#include "core/model/model.h"
#include "ui/window/autosave.h"
#include "ui/window/controls/message_bar.h"
#include "ui/window/labs/lab_page.h"
#include "ui/window/main_window.h"
#include "ui/window/open_tensors.h"
#include "ui/window/session_file.h"
#include "ui/window/views/heatmap_panel.h"
#include "ui/window/views/learn_view.h"
#include "ui/window/workbench.h"
#include "ui/window/workspaces.h"

#include <QApplication>
#include <QFileInfo>
#include <QScreen>
#include <QSettings>
#include <QStandardPaths>

#include <optional>

namespace attnscope {

static const QString stoppedRun = QStringLiteral("stopped run");  // among the settings: its folder

Scenario firstScenario(const QString& fileToOpen)
{
    Scenario scenario;
    scenario.n = 512;
    scenario.nTrain = 64;
    scenario.view.rows = CountedRows::AboutN;
    scenario.methods = {{"vanilla", {}, {}}, {"softmax_plus", {}, {}}, {"infoscale", {}, {}}};
    if (fileToOpen.isEmpty())
        return scenario;
    if (fileToOpen.endsWith(QStringLiteral(".attnscope"), Qt::CaseInsensitive))
        return loadSession(fileToOpen).map([](const Session& session) { return session.scenario; }).value_or(scenario);
    if (isModel(fileToOpen.toStdString()))
        return scenario;
    const auto file = offersOf(fileToOpen.toStdString());
    return file && !file->offers.empty() ? scenarioFor(scenario, *file) : scenario;
}

QSize firstSize(const QSize& available)
{
    constexpr QSize frame(
        16, 56);  // borders and title bar, which are the window manager's and not known before it has made them
    return QSize(1600, 1000).boundedTo(available - frame);
}

QString stateFolder() { return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation); }

/// The first start says what to do first.
static void welcome(MainWindow& window)
{
    window.messages().say(
        MessageBar::Kind::Note,
        QObject::tr("Drag n: Vanilla's rows spread over ever more keys, the scaled methods hold on."),
        {{QObject::tr("Play n"), QObject::tr("Move n up and down and watch (Ctrl+P)"), [&window] { window.play(); }},
         {QObject::tr("First lesson"),
          QObject::tr("Eight short lessons set the window step by step; the others stand in Learn (Ctrl+L)"),
          [&window] {
              window.showDock(QStringLiteral("learn"));
              window.explore().learn().openLesson(0);
          }}});
}

/// The last window closed while this lab trained.
static void offerToResume(MainWindow& window, const QString& run)
{
    window.messages().say(MessageBar::Kind::Note,
                          QObject::tr("The run %1 stopped as the window closed; what it has learned is kept.")
                              .arg(QFileInfo(run).fileName()),
                          {{QObject::tr("Resume"), QObject::tr("Go on with it from its checkpoint"), [&window, run] {
                                window.setWorkspace(labsWorkspace);
                                window.labs().openRun(run);
                                window.labs().resumeSelected();
                            }}});
}

int runWindow(QApplication& application, const QString& fileToOpen, const std::optional<Scenario>& given)
{
    QCoreApplication::setOrganizationName(QStringLiteral("attnscope"));
    QCoreApplication::setApplicationName(QStringLiteral("attnscope"));
    QCoreApplication::setApplicationVersion(QString::fromUtf8(version()));
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Attnscope"));
    QGuiApplication::setDesktopFileName(QStringLiteral("attnscope"));
    application.setWindowIcon(QIcon(QStringLiteral(":/icons/logo.svg")));
    followDesktopText(QApplication::font());
    const auto theme =
        static_cast<ThemeChoice>(QSettings().value(QStringLiteral("theme"), int(ThemeChoice::System)).toInt());
    applyColours(application, theme);

    Workbench bench;
    Autosave autosave(stateFolder(), bench.saves);
    if (!fileToOpen.isEmpty() || given)
        autosave.setAside();
    const std::optional<Session> left = autosave.left();
    bench.document.reset(left ? left->scenario : given.value_or(firstScenario(fileToOpen)));
    MainWindow window(bench);
    applyTheme(application, theme);
    window.resize(firstSize(application.primaryScreen()->availableSize()));
    window.resetLayout();
    QSettings settings;
    window.restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
    window.explore().restoreLayout(settings.value(QStringLiteral("explore")).toByteArray());
    window.restorePanes(settings.value(QStringLiteral("panes")).toMap());
    autosave.watch(window.document(), [&window] { return window.session().toKeep(); });
    QObject::connect(&window, &MainWindow::closing, [&] {
        settings.setValue(QStringLiteral("geometry"), window.saveGeometry());
        settings.setValue(QStringLiteral("explore"), window.explore().layoutState());
        settings.setValue(QStringLiteral("panes"), window.paneSizes());
        if (bench.lab.isRunning())
            settings.setValue(stoppedRun, QString::fromStdString(bench.lab.run().folder));
        autosave.saveNow();
    });
    QObject::connect(&autosave, &Autosave::failed, &window, &MainWindow::sayNotKept);
    window.show();
    if (left)
        window.session().resume(*left);
    if (left && autosave.wasKilled())
        window.messages().say(
            MessageBar::Kind::Note,
            QObject::tr("The last window did not close by itself; this is where it was. New (Ctrl+N) begins again."));
    else if (const QString run = settings.value(stoppedRun).toString(); readRecord(run.toStdString()))
        offerToResume(window, run);
    else if (!left && !given && fileToOpen.isEmpty() && !settings.contains(QStringLiteral("geometry")))
        welcome(window);
    settings.remove(stoppedRun);
    window.explore().heatmaps().setFocus();
    if (!fileToOpen.isEmpty())
        window.openFile(fileToOpen);
    return application.exec();
}

}  // namespace attnscope
