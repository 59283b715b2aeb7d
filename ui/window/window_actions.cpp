#include "ui/window/window_actions.h"

#include "core/analysis/scenario_json.h"
#include "core/attention/engines.h"
#include "core/base/version.h"
#include "ui/window/autosave.h"
#include "ui/window/controls/found_menu.h"
#include "ui/window/controls/message_bar.h"
#include "ui/window/controls/player.h"
#include "ui/window/controls/player_bar.h"
#include "ui/window/controls/shipped_menu.h"
#include "ui/window/icons.h"
#include "ui/window/main_window.h"
#include "ui/window/palette_entries.h"
#include "ui/window/theme.h"
#include "ui/window/views/chart_view.h"
#include "ui/window/views/copy_data.h"
#include "ui/window/views/dispersion_view.h"
#include "ui/window/views/entropy_view.h"
#include "ui/window/views/heads_view.h"
#include "ui/window/views/heatmap_panel.h"
#include "ui/window/view_recorder.h"
#include "ui/window/views/shortcuts_overlay.h"
#include "ui/window/views/statistics_view.h"
#include "ui/window/window_app.h"
#include "ui/window/workspaces.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QMimeData>
#include <QSettings>
#include <QStatusBar>
#include <QToolBar>
#include <QToolTip>

namespace attnscope {

namespace {

constexpr int shortMilliseconds = 4000;  // of a word in the status line
constexpr int withWords = 1180;          // pixels of the tool bar at text scale 1

}  // namespace

WindowActions::WindowActions(MainWindow& window)
    : QObject(&window), m_window(window), m_bar(new QToolBar(tr("Tools"))),
      m_player(new Player(window.document(), window.analyser(), this)), m_recorder(new ViewRecorder(window, *m_player)),
      m_shortcuts(new ShortcutsOverlay(&window)),
      m_palette(new CommandPalette(&window, [&window] { return paletteEntries(window); }))
{
    m_bar->setObjectName(QStringLiteral("tools"));
    m_bar->setMovable(false);
    m_bar->setIconSize({18, 18});
    m_bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_window.addToolBar(m_bar);
    m_bar->installEventFilter(this);
    fillFile();
    fillEdit();
    fillPlay();
    fillView();
    fillHelp();
}

/// In a narrow window the icons stand alone, so that the way to the other workspaces is in sight.
bool WindowActions::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        m_bar->setToolButtonStyle(m_bar->width() < withText(withWords) ? Qt::ToolButtonIconOnly
                                                                       : Qt::ToolButtonTextBesideIcon);
    return QObject::eventFilter(watched, event);
}

QAction* WindowActions::add(QMenu* menu, const QString& text, const QKeySequence& key, const QString& iconName,
                            std::function<void()> run)
{
    auto* action = menu->addAction(text);
    action->setShortcut(key);
    if (!iconName.isEmpty())
        action->setIcon(icon(iconName));
    if (!key.isEmpty())
        m_window.addAction(action);  // so that its key works without the menu bar too
    connect(action, &QAction::triggered, this, std::move(run));
    return action;
}

void WindowActions::fillFile()
{
    QMenu* menu = m_window.menuBar()->addMenu(tr("&File"));
    add(menu, tr("&New"), QKeySequence::New, {}, [this] {
        m_window.session().beginAnew();
    })->setToolTip(tr("Begin again with the first scenario (Ctrl+N)"));
    m_bar->addAction(
        add(menu, tr("&Open\u2026"), QKeySequence::Open, QStringLiteral("open"), [this] { m_window.chooseFile(); }));
    add(menu, tr("Open a &model's folder\u2026"), QKeySequence(tr("Ctrl+Shift+O")), {},
        [this] { m_window.chooseModelFolder(); });
    addFoundModels(*menu->addMenu(tr("Open a model of another &program")),
                   [this](const QString& path) { m_window.openFile(path); });
    fillShippedModels(*menu->addMenu(tr("Open a model that &comes along")),
                      [this](const QString& id) { m_window.openModel(id); });
    fillShippedModels(*menu->addMenu(tr("Open the &heads of one that comes along")),
                      [this](const QString& id) { m_window.openShippedHeads(id); });
    fillRecent(menu->addMenu(tr("Open &recent")));
    add(menu, tr("&Save session"), QKeySequence::Save, QStringLiteral("save"), [this] { m_window.session().save(); });
    add(menu, tr("Save session &as\u2026"), QKeySequence(tr("Ctrl+Shift+S")), {},
        [this] { m_window.session().saveAs(); });
    menu->addSeparator();
    m_bar->addAction(add(menu, tr("&Export a figure\u2026"), QKeySequence(tr("Ctrl+E")), QStringLiteral("figure"),
                         [this] { m_window.showDock(QStringLiteral("export")); }));
    add(menu, tr("&Gallery of figures"), QKeySequence(tr("Ctrl+G")), QStringLiteral("gallery"),
        [this] { m_window.showDock(QStringLiteral("gallery")); });
    menu->addSeparator();
    add(menu, tr("&Quit"), QKeySequence::Quit, {}, [this] { m_window.close(); });
}

/// The last files opened, newest first.
void WindowActions::fillRecent(QMenu* menu)
{
    constexpr int most = 8;
    const auto refresh = [this, menu] {
        menu->clear();
        for (const QString& path : QSettings().value(QStringLiteral("recent")).toStringList())
            connect(menu->addAction(QDir::toNativeSeparators(path).replace(QLatin1Char('&'), QStringLiteral("&&"))),
                    &QAction::triggered, this, [this, path] { m_window.openFile(path); });
        if (const QString previous = Autosave::previousPath(stateFolder()); QFile::exists(previous))
            connect(menu->addAction(tr("The window as it was left before")), &QAction::triggered, this,
                    [this, previous] {
                        if (const auto left = loadSession(previous))
                            m_window.session().restore(*left);
                    });
        menu->setEnabled(!menu->isEmpty());
    };
    connect(&m_window, &MainWindow::fileOpened, this, [refresh](const QString& path) {
        QStringList paths = QSettings().value(QStringLiteral("recent")).toStringList();
        const QString whole = QFileInfo(path).absoluteFilePath();
        paths.removeAll(whole);
        paths.prepend(whole);
        QSettings().setValue(QStringLiteral("recent"), paths.mid(0, most));
        refresh();
    });
    refresh();
}

void WindowActions::fillPlay()
{
    QMenu* menu = m_window.menuBar()->addMenu(tr("&Play"));
    QAction* play = add(menu, tr("&Play"), QKeySequence(tr("Ctrl+P")), QStringLiteral("play"),
                        [this] { m_player->isPlaying() ? m_player->pause() : m_player->play(); });
    play->setToolTip(tr("Move a number up and down and watch (Ctrl+P); beside it which, and how fast"));
    connect(&m_window, &MainWindow::playAsked, m_player, &Player::play);
    connect(m_player, &Player::playingChanged, play, [play](bool playing) {
        play->setIcon(icon(playing ? QStringLiteral("pause") : QStringLiteral("play")));
        play->setText(playing ? tr("&Pause") : tr("&Play"));
    });
    menu->addSeparator();
    fillChoices(menu->addMenu(tr("&What")), [this](QMenu* list, QActionGroup* group) {
        for (const Playable& one : playables(m_window.document().scenario()))
            addChoice(list, group, one.label, one.id == m_player->playable(),
                      [this, id = one.id] { m_player->setPlayable(id); });
    });
    fillChoices(menu->addMenu(tr("&Speed")), [this](QMenu* list, QActionGroup* group) {
        for (const double speed : {0.25, 0.5, 1.0, 2.0, 4.0})
            addChoice(list, group, tr("\u00D7 %1").arg(speed), speed == m_player->speed(),
                      [this, speed] { m_player->setSpeed(speed); });
    });
    menu->addSeparator();
    add(menu, tr("&Record\u2026"), QKeySequence(tr("Ctrl+R")), {}, [this] {
        m_recorder->open();
    })->setToolTip(tr("One sweep of a view as a GIF, or as numbered PNG files (Ctrl+R)"));
    const QList<QAction*> ofExplore{m_bar->addSeparator(), play,
                                    m_bar->addWidget(new PlayerBar(m_window.document(), *m_player))};
    m_bar->insertAction(ofExplore.back(), play);
    connect(&m_window, &MainWindow::workspaceShown, this, [this, ofExplore](const QString& id) {
        const bool shown = id == exploreWorkspace;
        if (!shown)
            m_player->pause();
        for (QAction* action : ofExplore)
            action->setVisible(shown);
    });
}

/// A menu of which one is chosen, filled as it opens.
void WindowActions::fillChoices(QMenu* menu, std::function<void(QMenu*, QActionGroup*)> fill)
{
    connect(menu, &QMenu::aboutToShow, this, [menu, group = new QActionGroup(menu), fill = std::move(fill)] {
        menu->clear();  // deletes its actions, which leave the group by that
        fill(menu, group);
    });
    menu->addAction(QString());  // an empty menu would not open
}

void WindowActions::addChoice(QMenu* menu, QActionGroup* group, const QString& text, bool chosen,
                              std::function<void()> run)
{
    QAction* action = add(menu, text, {}, {}, std::move(run));
    action->setCheckable(true);
    action->setChecked(chosen);
    group->addAction(action);
}

void WindowActions::fillEdit()
{
    QMenu* menu = m_window.menuBar()->addMenu(tr("&Edit"));
    Document& document = m_window.document();
    m_undo = add(menu, tr("&Undo"), QKeySequence::Undo, QStringLiteral("undo"), [&document] { document.undo(); });
    m_redo = add(menu, tr("&Redo"), QKeySequence::Redo, QStringLiteral("redo"), [&document] { document.redo(); });
    m_redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z),
                          QKeySequence(Qt::CTRL | Qt::Key_Y)});  // hands know one or the other
    const auto refresh = [this, &document] {
        m_undo->setEnabled(document.canUndo());
        m_redo->setEnabled(document.canRedo());
        m_undo->setText(document.canUndo() ? tr("&Undo %1").arg(document.undoName()) : tr("&Undo"));
        m_redo->setText(document.canRedo() ? tr("&Redo %1").arg(document.redoName()) : tr("&Redo"));
    };
    m_undo->setIconText(tr("Undo"));
    m_redo->setIconText(tr("Redo"));
    connect(&document, &Document::historyChanged, this, refresh);
    refresh();
    menu->addSeparator();
    add(menu, tr("&Find what to do\u2026"), QKeySequence(tr("Ctrl+K")), {}, [this] {
        m_palette->open();
    })->setToolTip(tr("Every command, method, source, lesson, figure and head, by a few letters of its name (Ctrl+K)"));
    fillPins(menu);
    add(menu, tr("&Write a note"), {}, {}, [this] { m_window.writeNote(); })
        ->setToolTip(tr("A text with an arrow, on the chart or the map that was pointed at last; with the pointer on "
                        "it, T does that there"));
    add(menu, tr("&Copy the picture"), QKeySequence(tr("Ctrl+Shift+C")), QStringLiteral("copy"),
        [this] { QApplication::clipboard()->setPixmap(m_window.picture()); });
    fillCopyData(menu->addMenu(icon(QStringLiteral("table")), tr("Copy &data")));
    menu->addSeparator();
    add(menu, tr("Copy the scena&rio"), QKeySequence(tr("Ctrl+Alt+C")), {}, [&document] {
        QApplication::clipboard()->setText(QString::fromStdString(scenarioLine(document.scenario())));
    })->setToolTip(tr("As one line of text, to pass on: attnscope --scenario '...' opens the window with it"));
    add(menu, tr("Copy as a co&mmand"), {}, {}, [&document] {
        const QString line = QString::fromStdString(scenarioLine(document.scenario()));
        QApplication::clipboard()->setText(QStringLiteral("attnscope --scenario '%1'")
                                               .arg(QString(line).replace(QLatin1Char('\''), QStringLiteral("'\\''"))));
    })->setToolTip(tr("A line for the shell that opens the window with this scenario"));
    connect(QGuiApplication::clipboard(), &QClipboard::dataChanged, this, &WindowActions::sayCopied);
    add(menu, tr("Pas&te a scenario"), QKeySequence(tr("Ctrl+Alt+V")), {}, [this] { pasteScenario(); });
    m_bar->addSeparator();
    m_bar->addActions({m_undo, m_redo, m_pin});
}

void WindowActions::fillPins(QMenu* menu)
{
    menu->addSeparator();
    Document& document = m_window.document();
    Pins& pins = m_window.pins();
    m_pin =
        add(menu, tr("&Pin this scenario"), QKeySequence(Qt::Key_P), QStringLiteral("pin"), [&pins] { pins.pin(); });
    m_pin->setIconText(tr("Pin"));
    m_pin->setToolTip(
        tr("Keep this scenario to compare with: behind the charts, and in the maps while its digit is held (P)"));
    QAction* none = add(menu, tr("Remove all pi&ns"), {}, {}, [&pins] { pins.removeAll(); });
    connect(&pins, &Pins::removed, this, [this, &pins, &document](const std::vector<Scenario>& before) {
        m_window.messages().say(
            MessageBar::Kind::Note,
            before.size() - document.look().pins.size() == 1 ? tr("A pin was removed") : tr("All pins were removed"),
            {{tr("Put back"), tr("The pins as they were"), [&pins, before] { pins.putBack(before); }}});
    });
    const auto refresh = [this, none, &pins, &document] {
        m_pin->setEnabled(m_window.workspace() == exploreWorkspace && !pins.isFull() && pins.current() < 0 &&
                          !document.scenario().methods.empty());
        none->setEnabled(!document.look().pins.empty());
    };
    connect(&document, &Document::changed, this, refresh);
    connect(&document, &Document::lookChanged, this, refresh);
    refresh();
    menu->addSeparator();
}

void WindowActions::pasteScenario()
{
    const auto scenario = scenarioFromLine(QApplication::clipboard()->text().trimmed().toStdString());
    if (!scenario)
        return m_window.messages().say(
            MessageBar::Kind::Error,
            tr("The clipboard holds no scenario: %1").arg(QString::fromStdString(scenario.error().message)));
    m_window.document().replaceOnce(tr("Paste"), *scenario);
}

/// Whatever was copied, in the status line, and at the pointer where there is none.
void WindowActions::sayCopied()
{
    if (!m_window.isActiveWindow())
        return;  // another program's
    constexpr int mostLetters = 60;
    const QMimeData* data = QGuiApplication::clipboard()->mimeData();
    if (!data)
        return;  // it was emptied
    const QString text = data->text().trimmed();
    const auto lines = text.count(QLatin1Char('\n')) + 1;
    const QString said = data->hasImage()             ? tr("Copied: a picture")
                         : lines > 1                  ? tr("Copied: %1 lines").arg(lines)
                         : text.size() <= mostLetters ? tr("Copied: %1").arg(text)
                                                      : tr("Copied: %1\u2026").arg(text.first(mostLetters));
    if (m_window.statusBar()->isVisible())
        m_window.statusBar()->showMessage(said, shortMilliseconds);
    else
        QToolTip::showText(QCursor::pos(), said, &m_window);
}

/// Every view's numbers; the views' context menus have the same.
void WindowActions::fillCopyData(QMenu* menu)
{
    const auto copy = [this, menu](const QString& name, const QKeySequence& key, std::function<QString()> text) {
        add(menu, name, key, {}, [text = std::move(text)] { QApplication::clipboard()->setText(text()); });
    };
    copy(tr("&Compare"), QKeySequence(tr("Ctrl+Shift+D")), [this] { return m_window.explore().statistics().asText(); });
    copy(tr("&Map: cells of the map pointed at last"), {}, [this] { return m_window.explore().heatmaps().cells(); });
    copy(tr("&Rows: statistics of its rows"), {}, [this] { return m_window.explore().heatmaps().rows(); });
    copy(tr("&Entropy against n"), {}, [this] { return chartData(m_window.explore().entropy().chart()->spec()); });
    copy(tr("&Dispersion"), {}, [this] { return chartData(m_window.explore().dispersion().chart()->spec()); });
    copy(tr("&Heads"), {}, [this] { return m_window.explore().heads().asText(); });
}

/// To another head or layer of the file, round and round.
void WindowActions::stepTensors(int heads, int layers)
{
    const OfferedFilePtr& file = m_window.offers().current();
    if (!file)
        return;
    const TensorSelection& now = m_window.document().scenario().tensors;
    const auto around = [](std::int64_t value, std::int64_t count) { return (value % count + count) % count; };
    if (layers != 0 && !file->offers.empty()) {
        const auto offer = static_cast<std::size_t>(around(offerOf(*file, now) + layers, std::ssize(file->offers)));
        m_window.document().replace(tr("Layer"), scenarioFor(m_window.document().scenario(), *file, offer));
    } else if (const auto sizes = sizesOf(file->file, now); sizes && heads != 0) {
        m_window.document().edit(tr("Head"), [&](Scenario& scenario) {
            scenario.tensors.head = static_cast<int>(around(now.head + heads, sizes->heads));
            scenario.tensors.mean.clear();
        });
    }
    m_window.document().endGesture();
}

void WindowActions::fillView()
{
    QMenu* menu = m_window.menuBar()->addMenu(tr("&View"));
    auto* themes = menu->addMenu(icon(QStringLiteral("theme")), tr("&Theme"));
    auto* group = new QActionGroup(this);
    const std::pair<ThemeChoice, QString> choices[] = {
        {ThemeChoice::System, tr("&System")}, {ThemeChoice::Light, tr("&Light")}, {ThemeChoice::Dark, tr("&Dark")}};
    const auto current =
        static_cast<ThemeChoice>(QSettings().value(QStringLiteral("theme"), int(ThemeChoice::System)).toInt());
    for (const auto& [choice, text] : choices) {
        QAction* action = add(themes, text, {}, {}, [this, choice = choice] {
            QSettings().setValue(QStringLiteral("theme"), int(choice));
            m_window.setTheme(choice);
        });
        action->setCheckable(true);
        action->setChecked(choice == current);
        group->addAction(action);
    }
    fillEngines(menu->addMenu(tr("&Engine")));
    Presentation& presentation = m_window.presentation();
    QAction* present = add(menu, tr("&Present"), QKeySequence(Qt::Key_F11), {},
                           [&presentation] { presentation.setOn(!presentation.isOn()); });
    present->setToolTip(tr("One view alone on the whole screen, in large type (F11)"));
    present->setCheckable(true);
    connect(&presentation, &Presentation::turned, present, &QAction::setChecked);
    menu->addSeparator();
    add(menu, tr("Zoom &in"), QKeySequence::ZoomIn, {}, [this] { m_window.explore().heatmaps().zoom(1.5); });
    add(menu, tr("Zoom &out"), QKeySequence::ZoomOut, {}, [this] { m_window.explore().heatmaps().zoom(1 / 1.5); });
    add(menu, tr("&Whole matrix"), QKeySequence(tr("Ctrl+0")), QStringLiteral("fit"),
        [this] { m_window.explore().heatmaps().fit(); });
    QAction* loupe = add(menu, tr("&Loupe"), QKeySequence(Qt::Key_L), QStringLiteral("loupe"), [this] {
        m_window.document().editLook([](Look& look) { look.maps.loupe = !look.maps.loupe; });
    });
    loupe->setToolTip(tr("Beside the pointer over a map: the cells around it with their weights (L)"));
    loupe->setCheckable(true);
    connect(&m_window.document(), &Document::lookChanged, loupe,
            [this, loupe] { loupe->setChecked(m_window.document().look().maps.loupe); });
    QMenu* heads = menu->addMenu(tr("&Head"));
    add(heads, tr("&Next head"), QKeySequence(tr("Alt+Shift+Right")), {}, [this] { stepTensors(1, 0); });
    add(heads, tr("&Previous head"), QKeySequence(tr("Alt+Shift+Left")), {}, [this] { stepTensors(-1, 0); });
    add(heads, tr("Next la&yer"), QKeySequence(tr("Alt+Shift+Down")), {}, [this] { stepTensors(0, 1); });
    add(heads, tr("Previous lay&er"), QKeySequence(tr("Alt+Shift+Up")), {}, [this] { stepTensors(0, -1); });
    menu->addSeparator();
    QMenu* rooms = menu->addMenu(tr("Wor&kspace"));
    auto* places = new QActionGroup(this);
    for (const Workspace& one : workspaces()) {
        const QString id = QString::fromStdString(one.id);
        QAction* action = add(rooms, WorkspaceTabs::tr(one.title),
                              QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + places->actions().size())), {},
                              [this, id] { m_window.setWorkspace(id); });
        action->setCheckable(true);
        places->addAction(action);
        connect(&m_window, &MainWindow::workspaceShown, action,
                [action, id](const QString& shown) { action->setChecked(shown == id); });
    }
    QMenu* parts = menu->addMenu(tr("P&arts of Explore"));
    for (QDockWidget* dock : m_window.explore().docks())
        parts->addAction(dock->toggleViewAction());
    menu->addSeparator();
    add(menu, tr("&Next part of the window"), QKeySequence(Qt::Key_F6), {}, [this] { m_window.focusNextPart(1); });
    add(menu, tr("Pre&vious part of the window"), QKeySequence(tr("Shift+F6")), {},
        [this] { m_window.focusNextPart(-1); });
    add(menu, tr("&Reset layout"), {}, QStringLiteral("reset"), [this] { m_window.resetLayout(); });
}

/// Filled as it opens: whether an engine can run is only looked into when somebody wants to know.
void WindowActions::fillEngines(QMenu* menu)
{
    menu->setToolTipsVisible(true);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        const std::string chosen = m_window.document().scenario().engine;
        const auto addEngine = [&](const std::string& id, const QString& text, const QString& about) {
            QAction* action = add(menu, text, {}, {}, [this, id] {
                m_window.document().edit(tr("Engine"), [&](Scenario& s) { s.engine = id; });
            });
            action->setCheckable(true);
            action->setChecked(id == chosen);
            action->setToolTip(about);
            return action;
        };
        addEngine(automaticEngineId, tr("&Automatic"),
                  tr("The fastest that the processor can run, or a graphics device that a short trial finds faster."));
        for (const Engine& engine : engines()) {
            const std::string why = engine.unavailable();
            const std::string device = engine.runsOn ? engine.runsOn() : "";
            QString about = QString::fromStdString(engine.about);
            for (const std::string& line : {device, why})
                if (!line.empty())
                    about += QLatin1Char('\n') + QString::fromStdString(line);
            addEngine(engine.id, QString::fromStdString(engine.label), about)->setEnabled(why.empty());
        }
    });
}

void WindowActions::fillHelp()
{
    QMenu* menu = m_window.menuBar()->addMenu(tr("&Help"));
    add(menu, tr("&Lessons"), QKeySequence(tr("Ctrl+L")), QStringLiteral("learn"),
        [this] { m_window.setWorkspace(learnWorkspace); });
    add(menu, tr("La&bs"), QKeySequence(tr("Ctrl+B")), QStringLiteral("labs"),
        [this] { m_window.setWorkspace(labsWorkspace); });
    add(menu, tr("M&anual"), QKeySequence(tr("Ctrl+Shift+M")), QStringLiteral("help"),
        [this] { m_window.showDock(QStringLiteral("manual")); });
    add(menu, tr("&Methods reference"), QKeySequence(tr("Ctrl+M")), QStringLiteral("table"),
        [this] { m_window.showDock(QStringLiteral("reference")); });
    add(menu, tr("&Keyboard"), QKeySequence(Qt::Key_F1), QStringLiteral("keyboard"), [this] { m_shortcuts->toggle(); });
    menu->addSeparator();
    add(menu, tr("&About Attnscope"), {}, QStringLiteral("info"), [this] {
        m_window.messages().say(MessageBar::Kind::Note, tr("Attnscope %1, an oscilloscope for attention. Free software "
                                                           "under the GNU General Public License, version 3 or later.")
                                                            .arg(QString::fromUtf8(version())));
    });
    auto* spring = new QWidget;
    spring->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_bar->addWidget(spring);
    m_bar->addWidget(new WorkspaceTabs(m_window.document()));
}

}  // namespace attnscope

#include "moc_window_actions.cpp"
