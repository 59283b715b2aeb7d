#include "ui/window/window_app.h"

#include "core/base/version.h"
#include "core/model/model.h"
#include "ui/plot/qt_text.h"
#include "ui/window/autosave.h"
#include "ui/window/desktop_colours.h"
#include "ui/widgets/message_bar.h"
#include "ui/labs/lab_page.h"
#include "ui/window/main_window.h"
#include "ui/workbench/open_tensors.h"
#include "ui/workbench/run_store.h"
#include "ui/workbench/session_file.h"
#include "ui/explore/heatmap_panel.h"
#include "ui/explore/learn_view.h"
#include "ui/workbench/workbench.h"
#include "ui/window/workspaces.h"

#include <QApplication>
#include <QFileInfo>
#include <QScreen>
#include <QSettings>

namespace attnscope {

static const QString stoppedRun = u"stopped run"_s;  // among the settings: its folder

Scenario firstScenario(const QString& fileToOpen)
{
    Scenario scenario;
    scenario.n = 512;
    scenario.nTrain = 64;
    scenario.view.rows = RowSet::Kind::SeeingAboutN;
    scenario.methods = {{"vanilla", {}, {}}, {"softmax_plus", {}, {}}, {"infoscale", {}, {}}};
    if (fileToOpen.isEmpty())
        return scenario;
    if (fileToOpen.endsWith(u".attnscope"_s, Qt::CaseInsensitive))
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

void welcome(MainWindow& window)
{
    const QString advice = u"Drag n: Vanilla's rows disperse; scales that grow with n hold them together."_s;
    MessageBar* messages = &window.messages();
    QObject::connect(&window.document(), &Document::changed, messages,
                     [messages, advice, &document = window.document(), n = window.document().scenario().n] {
                         if (messages->message() == advice && document.scenario().n != n)
                             messages->hide();  // it was followed
                     });
    window.messages().say(
        MessageBar::Kind::Note, advice,
        {{u"Play n"_s, u"Move n up and down and watch (Ctrl+P)"_s, [&window] { window.play(); }},
         {u"First lesson"_s, u"Eight short lessons set the window step by step; the others stand in Learn (Ctrl+L)"_s,
          [&window] {
              window.showDock(u"learn"_s);
              window.explore().learn().openLesson(0);
          }}});
}

/// This lab trained when a window was to close. Finished, there is nothing to resume.
static void offerToResume(MainWindow& window, const QString& run)
{
    const auto record = readRecord(run.toStdString());
    if (!record || record->finished)
        return;
    window.messages().sayAlso(MessageBar::Kind::Note,
                              u"The run %1 stopped as the window closed; what it has learned is kept."_s.arg(
                                  nameOfRun(record->choice, QFileInfo(run).fileName())),
                              {{u"Resume"_s, u"Go on with it from its checkpoint"_s, [&window, run] {
                                    window.setWorkspace(labsWorkspace);
                                    window.labs().openRun(run);
                                    window.labs().resumeSelected();
                                }}});
}

int runWindow(QApplication& application, const QString& fileToOpen, const std::optional<Scenario>& given)
{
    QCoreApplication::setOrganizationName(u"attnscope"_s);
    QCoreApplication::setApplicationName(u"attnscope"_s);
    QCoreApplication::setApplicationVersion(QString::fromUtf8(version()));
    QGuiApplication::setApplicationDisplayName(u"Attnscope"_s);
    QGuiApplication::setDesktopFileName(u"attnscope"_s);
    application.setWindowIcon(QIcon(u":/icons/logo.svg"_s));
    followDesktopText(QApplication::font());
    const ThemeChoice theme = chosenTheme();
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
    restorePlace(window, settings.value(u"geometry"_s).toByteArray());
    window.explore().arrangement().restore(settings.value(u"explore"_s).toByteArray());
    window.restorePanes(settings.value(u"panes"_s).toMap());
    autosave.watch(window.document(), [&window] { return window.session().toKeep(); });
    QObject::connect(&window, &MainWindow::closing, [&] {
        settings.setValue(u"geometry"_s, window.saveGeometry());
        settings.setValue(u"explore"_s, window.explore().arrangement().state());
        settings.setValue(u"panes"_s, window.paneSizes());
        if (bench.lab.isRunning())
            settings.setValue(stoppedRun, text(bench.lab.run().folder));
        autosave.saveNow();
    });
    QObject::connect(&window, &MainWindow::staysOpen, [&] {
        const QString run = settings.value(stoppedRun).toString();  // it stays there: the window may be closed anyway
        if (!run.isEmpty() && bench.lab.isRunning())                // on its way to the checkpoint
            QObject::connect(
                &bench.lab, &LabRunner::ended, &window, [&window, run] { offerToResume(window, run); },
                Qt::SingleShotConnection);
        else if (!run.isEmpty())
            offerToResume(window, run);
    });
    QObject::connect(&window.session(), &WindowSession::leftUntitled, &autosave, &Autosave::keepAlso);
    QObject::connect(&autosave, &Autosave::failed, &window, &MainWindow::sayNotKept);
    window.show();
    const DesktopColours desktop;
    QObject::connect(&desktop, &DesktopColours::told, &window, &MainWindow::followDesktop);
    if (left)
        window.session().resume(*left);
    if (!autosave.unreadable().isEmpty())
        window.messages().say(MessageBar::Kind::Error,
                              u"The window as it was left cannot be read; it stays in %1"_s.arg(autosave.unreadable()));
    if (left && autosave.wasKilled())
        window.messages().say(
            MessageBar::Kind::Note,
            u"The last window did not close by itself; this is where it was. New (Ctrl+N) begins again."_s);
    else if (const QString run = settings.value(stoppedRun).toString(); !run.isEmpty())
        offerToResume(window, run);
    else if (!left && autosave.unreadable().isEmpty() && !given && fileToOpen.isEmpty() &&
             !settings.contains(u"geometry"_s))
        welcome(window);
    settings.remove(stoppedRun);
    window.explore().heatmaps().setFocus();
    if (!fileToOpen.isEmpty())
        window.openFile(fileToOpen);
    return application.exec();
}

}  // namespace attnscope
