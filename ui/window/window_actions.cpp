#include "ui/window/window_actions.h"

#include "core/analysis/scenario_json.h"
#include "core/attention/engines.h"
#include "core/base/version.h"
#include "ui/figure/explore_charts.h"
#include "ui/plot/qt_text.h"
#include "ui/window/autosave.h"
#include "ui/widgets/model_menus.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/when_seen.h"
#include "ui/views/player.h"
#include "ui/views/player_bar.h"
#include "ui/widgets/icons.h"
#include "ui/window/file_follower.h"
#include "ui/window/main_window.h"
#include "ui/window/palette_entries.h"
#include "ui/widgets/theme.h"
#include "ui/views/chart_view.h"
#include "ui/widgets/copy_data.h"
#include "ui/explore/entropy_view.h"
#include "ui/explore/heads_view.h"
#include "ui/explore/heatmap_panel.h"
#include "ui/window/view_recorder.h"
#include "ui/window/window_session.h"
#include "ui/window/shortcuts_overlay.h"
#include "ui/explore/statistics_view.h"
#include "ui/window/window_app.h"
#include "ui/window/workspaces.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QMenuBar>
#include <QMimeData>
#include <QSettings>
#include <QStatusBar>
#include <QToolBar>

#include <algorithm>
#include <iterator>
#include <utility>

namespace attnscope {

namespace {

constexpr int shortMilliseconds = 4000;  // of a word in the status line
constexpr int withWords = 1180;          // pixels of the tool bar at text scale 1

}  // namespace

WindowActions::WindowActions(MainWindow& window)
    : QObject(&window), m_window(window), m_bar(new QToolBar(u"Tools"_s)),
      m_player(new Player(window.document(), window.analyser(), this)), m_recorder(new ViewRecorder(window, *m_player)),
      m_shortcuts(new ShortcutsOverlay(&window)),
      m_palette(new CommandPalette(&window, [&window] { return paletteEntries(window); }))
{
    m_player->setFile([&window, last = PlayableFile()]() mutable {
        if (!window.document().scenario().ofFile())
            last = {};
        else if (const OfferedFilePtr& file = window.offers().current()) {  // else it is being read
            last = {.longest = window.explore().lengthScale().maximum};
            std::ranges::transform(file->run, std::back_inserter(last.run), &NumberedFile::path);
        }
        return last;
    });
    connect(&window.offers(), &FileOffers::changed, m_player, &Player::chosen);
    m_bar->setObjectName(u"tools"_s);
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
    QMenu* menu = m_window.menuBar()->addMenu(u"&File"_s);
    add(menu, u"&New"_s, QKeySequence::New, {}, [this] {
        m_window.session().beginAnew();
    })->setToolTip(u"Begin again with the first scenario (Ctrl+N)"_s);
    m_bar->addAction(add(menu, u"&Open\u2026"_s, QKeySequence::Open, u"open"_s, [this] { m_window.chooseFile(); }));
    add(menu, u"Open a &model's folder\u2026"_s, QKeySequence(u"Ctrl+Shift+O"_s), {},
        [this] { m_window.chooseModelFolder(); });
    addFoundModels(*menu->addMenu(u"Open from another &program"_s),
                   [this](const QString& path) { m_window.openFile(path); });
    fillShippedModels(*menu->addMenu(u"Open an e&xample model"_s),
                      [this](const QString& id) { m_window.openModel(id); });
    fillShippedModels(*menu->addMenu(u"Open the &heads of an example model"_s),
                      [this](const QString& id) { m_window.openShippedHeads(id); });
    fillRecent(menu->addMenu(u"Open &recent"_s));
    QAction* follows = add(menu, u"&Follow files"_s, {}, {}, [] {});
    follows->setCheckable(true);
    follows->setChecked(FileFollower::isOn());
    follows->setToolTip(u"Read the open tensors again whenever their file is written again, by a training run or a "
                        "notebook; of a model, offer it"_s);
    connect(follows, &QAction::toggled, &m_window.follower(), &FileFollower::setOn);
    add(menu, u"&Save session"_s, QKeySequence::Save, u"save"_s, [this] { m_window.session().save(); });
    add(menu, u"Save session &as\u2026"_s, QKeySequence(u"Ctrl+Shift+S"_s), {},
        [this] { m_window.session().saveAs(); });
    menu->addSeparator();
    QAction* exports =
        add(menu, u"&Export a figure"_s, QKeySequence(u"Ctrl+E"_s), u"figure"_s, [this] { m_window.exportFigure(); });
    exports->setToolTip(u"Save what is shown as a page in mm: PDF, SVG or PNG (Ctrl+E)"_s);
    m_bar->addAction(exports);
    add(menu, u"&Gallery of figures"_s, QKeySequence(u"Ctrl+G"_s), u"gallery"_s,
        [this] { m_window.showDock(u"gallery"_s); });
    menu->addSeparator();
    add(menu, u"&Quit"_s, QKeySequence::Quit, {}, [this] { m_window.close(); });
}

/// The last files opened, newest first.
void WindowActions::fillRecent(QMenu* menu)
{
    constexpr int most = 8;
    const auto refresh = [this, menu] {
        menu->clear();
        for (const QString& path : QSettings().value(u"recent"_s).toStringList())
            menu->addAction(QDir::toNativeSeparators(path).replace(QLatin1Char('&'), u"&&"_s), this,
                            [this, path] { m_window.openFile(path); });
        for (const QString& previous : Autosave::previousPaths(stateFolder()))
            menu->addAction(u"The window as it was left, %1"_s.arg(
                                QLocale().toString(QFileInfo(previous).lastModified(), QLocale::ShortFormat)),
                            this, [this, previous] { m_window.session().openKept(previous); });
        menu->setEnabled(!menu->isEmpty());
    };
    connect(menu, &QMenu::aboutToShow, this, refresh);
    connect(&m_window, &MainWindow::fileOpened, this, [refresh](const QString& path) {
        QStringList paths = QSettings().value(u"recent"_s).toStringList();
        const QString whole = QFileInfo(path).absoluteFilePath();
        paths.removeAll(whole);
        paths.prepend(whole);
        QSettings().setValue(u"recent"_s, paths.mid(0, most));
        refresh();
    });
    refresh();
}

void WindowActions::fillPlay()
{
    QMenu* menu = m_window.menuBar()->addMenu(u"&Play"_s);
    QAction* play = add(menu, u"&Play"_s, QKeySequence(u"Ctrl+P"_s), u"play"_s,
                        [this] { m_player->isPlaying() ? m_player->pause() : m_player->play(); });
    play->setToolTip(u"Move a number up and down and watch (Ctrl+P); beside it which, and how fast"_s);
    connect(&m_window, &MainWindow::playAsked, m_player, &Player::play);
    connect(m_player, &Player::playingChanged, play, [play](bool playing) {
        play->setIcon(icon(playing ? u"pause"_s : u"play"_s));
        play->setText(playing ? u"&Pause"_s : u"&Play"_s);
    });
    menu->addSeparator();
    fillChoices(menu->addMenu(u"&What"_s), [this](QMenu* list, QActionGroup* group) {
        for (const Playable& one : m_player->playablesNow())
            addChoice(list, group, one.label, one.id == m_player->playable(),
                      [this, id = one.id] { m_player->setPlayable(id); });
    });
    fillChoices(menu->addMenu(u"&Speed"_s), [this](QMenu* list, QActionGroup* group) {
        for (const double speed : {0.25, 0.5, 1.0, 2.0, 4.0})
            addChoice(list, group, u"\u00D7 %1"_s.arg(speed), speed == m_player->speed(),
                      [this, speed] { m_player->setSpeed(speed); });
    });
    menu->addSeparator();
    add(menu, u"&Record\u2026"_s, QKeySequence(u"Ctrl+R"_s), {}, [this] {
        m_recorder->open();
    })->setToolTip(u"One sweep of a view as a GIF, or as numbered PNG files (Ctrl+R)"_s);
    const QList<QAction*> ofExplore{m_bar->addSeparator(), play,
                                    m_bar->addWidget(new PlayerBar(m_window.document(), *m_player))};
    m_bar->insertAction(ofExplore.back(), play);
    QWidget* button = m_bar->widgetForAction(play);
    auto* styled = new WhenSeen(button, [button, play] {  // before that it has no style sheet, and other widths
        play->setText(u"&Pause"_s);
        button->setMinimumWidth(button->sizeHint().width());  // the wider of its words: what follows it stays
        play->setText(u"&Play"_s);
    });
    (*styled)();
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

QAction* WindowActions::addChoice(QMenu* menu, QActionGroup* group, const QString& text, bool chosen,
                                  std::function<void()> run)
{
    QAction* action = add(menu, text, {}, {}, std::move(run));
    action->setCheckable(true);
    action->setChecked(chosen);
    group->addAction(action);
    return action;
}

void WindowActions::fillEdit()
{
    QMenu* menu = m_window.menuBar()->addMenu(u"&Edit"_s);
    Document& document = m_window.document();
    m_undo = add(menu, u"&Undo"_s, QKeySequence::Undo, u"undo"_s, [&document] { document.undo(); });
    m_redo = add(menu, u"&Redo"_s, QKeySequence::Redo, u"redo"_s, [&document] { document.redo(); });
    m_redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z),
                          QKeySequence(Qt::CTRL | Qt::Key_Y)});  // hands know one or the other
    const auto refresh = [this, &document] {
        m_undo->setEnabled(document.canUndo());
        m_redo->setEnabled(document.canRedo());
        m_undo->setText(document.canUndo() ? u"&Undo %1"_s.arg(document.undoName()) : u"&Undo"_s);
        m_redo->setText(document.canRedo() ? u"&Redo %1"_s.arg(document.redoName()) : u"&Redo"_s);
    };
    m_undo->setIconText(u"Undo"_s);
    m_redo->setIconText(u"Redo"_s);
    connect(&document, &Document::historyChanged, this, refresh);
    refresh();
    menu->addSeparator();
    add(menu, u"&Find what to do\u2026"_s, QKeySequence(u"Ctrl+K"_s), {}, [this] {
        m_palette->open();
    })->setToolTip(u"Every command, method, source, lesson, figure and head, by a few letters of its name (Ctrl+K)"_s);
    fillPins(menu);
    add(menu, u"&Write a note"_s, {}, {}, [this] { m_window.writeNote(); })
        ->setToolTip(u"A text with an arrow, on the chart or the map that was pointed at last; with the pointer on "
                     "it, T does that there"_s);
    add(menu, u"&Copy the picture"_s, QKeySequence(u"Ctrl+Shift+C"_s), u"copy"_s,
        [this] { QApplication::clipboard()->setPixmap(m_window.picture()); });
    fillCopyData(menu->addMenu(icon(u"table"_s), u"Copy &data"_s));
    menu->addSeparator();
    add(menu, u"Copy the scena&rio"_s, QKeySequence(u"Ctrl+Alt+C"_s), {}, [&document] {
        QApplication::clipboard()->setText(text(scenarioLine(document.scenario())));
    })->setToolTip(u"As one line of text, to pass on: attnscope --scenario '...' opens the window with it"_s);
    add(menu, u"Copy as a co&mmand"_s, {}, {}, [&document] {
        const QString line = text(scenarioLine(document.scenario()));
        QApplication::clipboard()->setText(
            u"attnscope --scenario '%1'"_s.arg(QString(line).replace(QLatin1Char('\''), u"'\\''"_s)));
    })->setToolTip(u"A line for the shell that opens the window with this scenario"_s);
    connect(QGuiApplication::clipboard(), &QClipboard::dataChanged, this, &WindowActions::sayCopied);
    add(menu, u"Pas&te a scenario"_s, QKeySequence(u"Ctrl+Alt+V"_s), {}, [this] { pasteScenario(); });
    m_bar->addSeparator();
    m_bar->addActions({m_undo, m_redo, m_pin});
}

void WindowActions::fillPins(QMenu* menu)
{
    menu->addSeparator();
    Document& document = m_window.document();
    Pins& pins = m_window.pins();
    m_pin = add(menu, u"&Pin this scenario"_s, QKeySequence(Qt::Key_P), u"pin"_s, [&pins] { pins.pin(); });
    m_pin->setIconText(u"Pin"_s);
    m_pin->setToolTip(
        u"Keep this scenario to compare with: behind the charts, and in the maps while its digit is held (P)"_s);
    QAction* none = add(menu, u"Remove all pi&ns"_s, {}, {}, [&pins] { pins.removeAll(); });
    connect(&pins, &Pins::removed, this, [this, &pins, &document](const std::vector<Scenario>& before) {
        m_window.messages().say(
            MessageBar::Kind::Note,
            before.size() - document.look().pins.size() == 1 ? u"A pin was removed"_s : u"All pins were removed"_s,
            {{u"Put back"_s, u"The pins as they were"_s, [&pins, before] { pins.putBack(before); }}});
        untilNextStep(m_window.messages(), document);
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
    if (!scenario) {
        m_window.messages().say(MessageBar::Kind::Error,
                                u"The clipboard holds no scenario: %1"_s.arg(text(scenario.error().message)));
        m_refusedPaste = m_window.messages().message();
        return;
    }
    forgetRefusedPaste();
    m_window.session().whenSaved([&document = m_window.document(), pasted = *scenario] {
        document.replaceSession(u"Paste"_s, {pasted, document.look()});
    });
}

/// What the clipboard held then, it holds no more.
void WindowActions::forgetRefusedPaste()
{
    if (!m_refusedPaste.isEmpty() && m_window.messages().message() == std::exchange(m_refusedPaste, {}))
        m_window.messages().hide();
}

/// Whatever was copied, in the status line; on stage, where there is none, as what is done.
void WindowActions::sayCopied()
{
    if (!m_window.isActiveWindow() && !QGuiApplication::clipboard()->ownsClipboard())
        return;  // another program's
    forgetRefusedPaste();
    constexpr int mostLetters = 60;
    const QMimeData* data = QGuiApplication::clipboard()->mimeData();
    if (!data)
        return;  // it was emptied
    const QString text = data->text().trimmed();
    const auto lines = text.count(QLatin1Char('\n')) + 1;
    const bool picture = data->hasImage() || data->hasFormat(u"image/svg+xml"_s);
    const QString said = picture                      ? u"Copied: a picture"_s
                         : lines > 1                  ? u"Copied: %1 lines"_s.arg(lines)
                         : text.size() <= mostLetters ? u"Copied: %1"_s.arg(text)
                                                      : u"Copied: %1\u2026"_s.arg(text.first(mostLetters));
    if (m_window.statusBar()->isVisible())
        m_window.statusBar()->showMessage(said, shortMilliseconds);
    else
        m_window.messages().say(MessageBar::Kind::Done, said);
}

/// Every view's numbers; the views' context menus have the same.
void WindowActions::fillCopyData(QMenu* menu)
{
    const auto copy = [this, menu](const QString& name, const QKeySequence& key, std::function<QString()> text) {
        add(menu, name, key, {}, [text = std::move(text)] { QApplication::clipboard()->setText(text()); });
    };
    copy(u"&Compare"_s, QKeySequence(u"Ctrl+Shift+D"_s), [this] { return m_window.explore().statistics().asText(); });
    copy(u"&Map: cells of the map pointed at last"_s, {}, [this] { return m_window.explore().heatmaps().cells(); });
    copy(u"&Rows: statistics of its rows"_s, {}, [this] { return m_window.explore().heatmaps().rows(); });
    for (std::size_t i = 0; i < exploreCharts().size(); ++i)
        copy(text(exploreCharts()[i].title), {},
             [view = m_window.explore().charts()[i]] { return chartData(view->chart()->spec()); });
    copy(u"&Heads"_s, {}, [this] { return m_window.explore().heads().asText(); });
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
        m_window.document().replace(u"Layer"_s, scenarioFor(m_window.document().scenario(), *file, offer));
    } else if (const auto sizes = sizesOf(file->file, now); sizes && heads != 0) {
        m_window.document().edit(u"Head"_s, [&](Scenario& scenario) {
            scenario.tensors.head = static_cast<int>(around(now.head + heads, sizes->heads));
            scenario.tensors.mean.clear();
        });
    }
    m_window.document().endGesture();
}

/// To the file before or after it of a training run.
void WindowActions::stepFile(int by)
{
    if (const OfferedFilePtr& file = m_window.offers().current())
        m_window.document().replace(u"File of a run"_s, inRun(m_window.document().scenario(), *file, by));
    m_window.document().endGesture();
}

void WindowActions::fillView()
{
    QMenu* menu = m_window.menuBar()->addMenu(u"&View"_s);
    auto* themes = menu->addMenu(icon(u"theme"_s), u"&Theme"_s);
    auto* group = new QActionGroup(this);
    const std::pair<ThemeChoice, QString> choices[] = {
        {ThemeChoice::System, u"&System"_s}, {ThemeChoice::Light, u"&Light"_s}, {ThemeChoice::Dark, u"&Dark"_s}};
    const ThemeChoice current = chosenTheme();
    for (const auto& [choice, text] : choices)
        addChoice(themes, group, text, choice == current, [this, choice = choice] {
            keepChosenTheme(choice);
            m_window.setTheme(choice);
        });
    fillEngines(menu->addMenu(u"&Engine"_s));
    Presentation& presentation = m_window.presentation();
    QAction* present = add(menu, u"&Present"_s, QKeySequence(Qt::Key_F11), {},
                           [&presentation] { presentation.setOn(!presentation.isOn()); });
    present->setToolTip(u"One view alone on the whole screen, in large type (F11)"_s);
    present->setCheckable(true);
    connect(&presentation, &Presentation::turned, present, &QAction::setChecked);
    menu->addSeparator();
    add(menu, u"Zoom &in"_s, QKeySequence::ZoomIn, {}, [this] { m_window.explore().heatmaps().zoom(1.5); });
    add(menu, u"Zoom &out"_s, QKeySequence::ZoomOut, {}, [this] { m_window.explore().heatmaps().zoom(1 / 1.5); });
    add(menu, u"&Whole matrix"_s, QKeySequence(u"Ctrl+0"_s), u"fit"_s, [this] { m_window.explore().heatmaps().fit(); });
    QAction* loupe = add(menu, u"&Loupe"_s, QKeySequence(Qt::Key_L), u"loupe"_s, [this] {
        m_window.document().editLook([](Look& look) { look.maps.loupe = !look.maps.loupe; });
    });
    loupe->setToolTip(u"Beside the pointer over a map: the cells around it with their weights (L)"_s);
    loupe->setCheckable(true);
    connect(&m_window.document(), &Document::lookChanged, loupe,
            [this, loupe] { loupe->setChecked(m_window.document().look().maps.loupe); });
    QMenu* heads = menu->addMenu(u"&Head"_s);
    add(heads, u"&Next head"_s, QKeySequence(u"Alt+Shift+Right"_s), {}, [this] { stepTensors(1, 0); });
    add(heads, u"&Previous head"_s, QKeySequence(u"Alt+Shift+Left"_s), {}, [this] { stepTensors(-1, 0); });
    add(heads, u"Next la&yer"_s, QKeySequence(u"Alt+Shift+Down"_s), {}, [this] { stepTensors(0, 1); });
    add(heads, u"Previous lay&er"_s, QKeySequence(u"Alt+Shift+Up"_s), {}, [this] { stepTensors(0, -1); });
    add(heads, u"Next &file of its run"_s, QKeySequence(u"Alt+Shift+PgDown"_s), {}, [this] { stepFile(1); });
    add(heads, u"Pre&vious file of its run"_s, QKeySequence(u"Alt+Shift+PgUp"_s), {}, [this] { stepFile(-1); });
    menu->addSeparator();
    QMenu* rooms = menu->addMenu(u"Wor&kspace"_s);
    auto* places = new QActionGroup(this);
    for (const Workspace& one : workspaces()) {
        const QString id = text(one.id);
        QAction* action = add(rooms, text(one.title),
                              QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + places->actions().size())), {},
                              [this, id] { m_window.setWorkspace(id); });
        action->setCheckable(true);
        places->addAction(action);
        connect(&m_window, &MainWindow::workspaceShown, action,
                [action, id](const QString& shown) { action->setChecked(shown == id); });
    }
    QMenu* parts = menu->addMenu(u"P&arts of Explore"_s);
    for (QDockWidget* dock : m_window.explore().docks())
        parts->addAction(dock->toggleViewAction());
    parts->setToolTipsVisible(true);
    const auto offerHeads = [this](bool isOpen) {  // the cards themselves close by the same actions
        const AnalysisPtr& answer = m_window.analyser().current();
        for (const char* name : {"heads", "all heads"}) {
            QAction* shows = m_window.explore().dock(QLatin1StringView(name))->toggleViewAction();
            const bool any = !isOpen || shows->isChecked() || (answer && !answer->heads.empty());
            shows->setEnabled(m_window.workspace() == exploreWorkspace && any);
            shows->setToolTip(any ? shows->text() : u"This source has no heads: open a file of tensors (Ctrl+O)"_s);
        }
    };
    connect(parts, &QMenu::aboutToShow, this, [offerHeads] { offerHeads(true); });
    connect(parts, &QMenu::aboutToHide, this, [offerHeads] { offerHeads(false); });
    menu->addSeparator();
    add(menu, u"&Next part of the window"_s, QKeySequence(Qt::Key_F6), {}, [this] { m_window.focusNextPart(1); });
    add(menu, u"Pre&vious part of the window"_s, QKeySequence(u"Shift+F6"_s), {},
        [this] { m_window.focusNextPart(-1); });
    add(menu, u"&Reset layout"_s, {}, u"reset"_s, [this] { m_window.resetLayout(); });
}

/// Filled as it opens: whether an engine can run is only looked into when somebody wants to know.
void WindowActions::fillEngines(QMenu* menu)
{
    menu->setToolTipsVisible(true);
    fillChoices(menu, [this](QMenu* list, QActionGroup* group) {
        const std::string chosen = m_window.document().scenario().engine;
        const auto addEngine = [&](const std::string& id, const QString& text, const QString& about) {
            QAction* action = addChoice(list, group, text, id == chosen, [this, id] {
                m_window.document().edit(u"Engine"_s, [&](Scenario& s) { s.engine = id; });
            });
            action->setToolTip(about);
            return action;
        };
        addEngine(automaticEngineId, u"&Automatic"_s,
                  u"The fastest that the processor can run, or a graphics device that a short trial finds faster."_s);
        for (const Engine& engine : engines()) {
            const std::string why = engine.unavailable();
            const std::string device = engine.runsOn ? engine.runsOn() : "";
            QString about = text(engine.about);
            for (const std::string& line : {device, why})
                if (!line.empty())
                    about += QLatin1Char('\n') + text(line);
            addEngine(engine.id, text(engine.label), about)->setEnabled(why.empty());
        }
    });
}

void WindowActions::fillHelp()
{
    QMenu* menu = m_window.menuBar()->addMenu(u"&Help"_s);
    add(menu, u"&Lessons"_s, QKeySequence(u"Ctrl+L"_s), u"learn"_s, [this] { m_window.setWorkspace(learnWorkspace); });
    add(menu, u"La&bs"_s, QKeySequence(u"Ctrl+B"_s), u"labs"_s, [this] { m_window.setWorkspace(labsWorkspace); });
    add(menu, u"M&anual"_s, QKeySequence(u"Ctrl+Shift+M"_s), u"help"_s, [this] { m_window.showDock(u"manual"_s); });
    add(menu, u"&Methods reference"_s, QKeySequence(u"Ctrl+M"_s), u"table"_s,
        [this] { m_window.showDock(u"reference"_s); });
    add(menu, u"&Keyboard"_s, QKeySequence(Qt::Key_F1), u"keyboard"_s, [this] { m_shortcuts->toggle(); });
    menu->addSeparator();
    add(menu, u"&About Attnscope"_s, {}, u"info"_s, [this] {
        m_window.messages().say(
            MessageBar::Kind::Note,
            u"Attnscope %1, an oscilloscope for attention. Free software "
            "under the GNU General Public License, version 3 or later."_s.arg(QString::fromUtf8(version())));
    });
    auto* spring = new QWidget;
    spring->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_bar->addWidget(spring);
    m_bar->addWidget(new WorkspaceTabs(m_window.document(), m_window.bench().lab));
}

}  // namespace attnscope

#include "moc_window_actions.cpp"
