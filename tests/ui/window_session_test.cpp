// What the window is called, what it asks before it closes, and how it comes back.
#include "core/analysis/scenario_json.h"
#include "tests/ui/window_support.h"

#include "ui/figure/figure.h"
#include "ui/figures/export_panel.h"
#include "ui/figures/gallery_browser.h"
#include "ui/widgets/message_bar.h"
#include "ui/model/model_controls.h"
#include "ui/model/model_page.h"
#include "ui/window/workspaces.h"

#include "ui/explore/learn_view.h"
#include "ui/explore/statistics_view.h"
#include "ui/plot/qt_text.h"
#include "ui/views/player.h"
#include "ui/window/autosave.h"
#include "ui/window/frame_recorder.h"
#include "ui/window/record_sheet.h"

#include <QAction>
#include <QClipboard>
#include <QLabel>
#include <QDockWidget>
#include <QHeaderView>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStatusBar>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>

using namespace attnscope;
using namespace attnscope::testing;

class WindowSessionTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareApplication(); }
    void init();
    void cleanup() { m_window.reset(); }
    void theTitleSaysWhatIsSaved();
    void theTitleSaysWhichFigureIsInFront();
    void saveGoesToTheKnownFile();
    void closingAsks_data();
    void closingAsks();
    void whatHasNoNameClosesWithoutAQuestion();
    void newBeginsAgain();
    void newSaysWhereTheLastOneIs();
    void newIsAsAtFirst();
    void aScenarioGoesThroughTheClipboard();
    void undoBringsTheFileBack();
    void whatComesFromElsewhereIsNoSession_data();
    void whatComesFromElsewhereIsNoSession();
    void theNextWindowIsWhereTheLastWas();
    void whatHasNoFileIsKeptWhenAnotherComes();
    void aKeptWindowComesWithItsFile();
    void whatIsSavedIsWhatWasOpened();
    void aRecordingEndsWithItsSession_data();
    void aRecordingEndsWithItsSession();
    void aLessonSaysThatAnotherSourceIsShown();
    void aLessonIsSeenAsAtFirst();
    void aNamedLessonIsAskedAbout();
    void anOldErrorKeepsNothingOpen();
    void theStageIsNotKept();

private:
    void warm(double temperature)
    {
        m_window->document().edit(QStringLiteral("Temperature"),
                                  [temperature](Scenario& edited) { edited.temperature = temperature; });
        m_window->document().endGesture();
    }
    double temperature() const { return m_window->document().scenario().temperature; }
    double inFile() const { return loadSession(m_path)->scenario.temperature; }
    QMessageBox* question() const { return m_window->findChild<QMessageBox*>(); }

    std::unique_ptr<MainWindow> m_window;
    QTemporaryDir m_folder;
    QString m_path;
};

/// A session with a name, as it was saved.
void WindowSessionTest::init()
{
    m_window = smallWindow();
    QVERIFY(m_window);
    m_path = m_folder.filePath(QStringLiteral("study.attnscope"));
    Session session = m_window->session().current();
    session.scenario.temperature = 3;
    QVERIFY(saveSession(session, m_path));
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void WindowSessionTest::theTitleSaysWhatIsSaved()
{
    QCOMPARE(m_window->windowTitle(), QStringLiteral("Untitled[*]"));
    QVERIFY(!m_window->isWindowModified());
    warm(2);
    QVERIFY(m_window->isWindowModified());
    m_window->document().undo();
    QVERIFY(!m_window->isWindowModified());
    m_window->openFile(m_path);
    QCOMPARE(m_window->windowTitle(), QStringLiteral("study[*]"));
    QCOMPARE(temperature(), 3.0);
    QVERIFY(!m_window->isWindowModified());
    warm(4);
    QVERIFY(m_window->isWindowModified());
    warm(3);
    QVERIFY(!m_window->isWindowModified());
}

/// A figure that has a page of its own is in front there, and the session everywhere else.
void WindowSessionTest::theTitleSaysWhichFigureIsInFront()
{
    m_window->openFile(m_path);
    QCOMPARE(m_window->windowTitle(), QStringLiteral("study[*]"));
    const std::vector<Recipe>& all = m_window->gallery().recipes();
    const auto facts = std::ranges::find_if(all, [](const Recipe& one) { return one.name == "published_facts"; });
    QVERIFY(facts != all.end() && !liveFigure(*facts));
    const QString figure = m_folder.filePath(QStringLiteral("facts.svg"));
    QSignalSpy previewed(&m_window->exportPanel(), &ExportPanel::previewed);
    m_window->showDock(QStringLiteral("export"));
    m_window->exportPanel().setRecipe(*facts);
    QTRY_VERIFY(!previewed.isEmpty());
    QCOMPARE(m_window->windowTitle(), QStringLiteral("study[*]"));
    m_window->exportPanel().saveAs(figure);
    QTRY_VERIFY(!m_window->bench().saves.isBusy() && QFile::exists(figure));
    m_window->setWorkspace(exploreWorkspace);
    m_window->openFile(figure);
    QTRY_COMPARE(m_window->workspace(), figuresWorkspace);
    QCOMPARE(m_window->windowTitle(), QStringLiteral("facts.svg[*]"));
    m_window->setWorkspace(exploreWorkspace);
    QCOMPARE(m_window->windowTitle(), QStringLiteral("study[*]"));
    m_window->setWorkspace(figuresWorkspace);
    QCOMPARE(m_window->windowTitle(), QStringLiteral("facts.svg[*]"));
    m_window->setWorkspace(exploreWorkspace);
    m_window->exportFigure();  // of Explore
    QCOMPARE(m_window->windowTitle(), QStringLiteral("study[*]"));
    QCOMPARE(temperature(), 3.0);
}

void WindowSessionTest::saveGoesToTheKnownFile()
{
    m_window->openFile(m_path);
    warm(5);
    QTest::keyClick(m_window.get(), Qt::Key_S, Qt::ControlModifier);
    QTRY_COMPARE(inFile(), 5.0);
    QTRY_VERIFY(!m_window->isWindowModified());
    m_window->document().undo();
    QVERIFY(m_window->isWindowModified());
}

void WindowSessionTest::closingAsks_data()
{
    QTest::addColumn<int>("answer");
    QTest::addColumn<bool>("closes");
    QTest::addColumn<double>("saved");
    QTest::addColumn<double>("kept");
    QTest::addRow("save") << int(QMessageBox::Save) << true << 6.0 << 6.0;
    QTest::addRow("discard") << int(QMessageBox::Discard) << true << 3.0 << 3.0;
    QTest::addRow("cancel") << int(QMessageBox::Cancel) << false << 3.0 << 6.0;
}

void WindowSessionTest::closingAsks()
{
    QFETCH(int, answer);
    QFETCH(bool, closes);
    QFETCH(double, saved);
    QFETCH(double, kept);
    m_window->openFile(m_path);
    warm(6);
    m_window->close();
    QVERIFY(m_window->isVisible());
    QVERIFY(question() && question()->isVisible() && question()->text().contains(QStringLiteral("study.attnscope")));
    QTest::mouseClick(question()->button(static_cast<QMessageBox::StandardButton>(answer)), Qt::LeftButton);
    QTRY_COMPARE(m_window->isVisible(), !closes);
    QCOMPARE(inFile(), saved);
    QCOMPARE(m_window->session().toKeep().scenario.temperature, kept);
    QCOMPARE(m_window->session().toKeep().file, m_path.toStdString());
}

void WindowSessionTest::whatHasNoNameClosesWithoutAQuestion()
{
    warm(6);
    m_window->close();
    QVERIFY(!m_window->isVisible() && !question());
}

void WindowSessionTest::newBeginsAgain()
{
    m_window->openFile(m_path);
    warm(6);
    QTest::keyClick(m_window.get(), Qt::Key_N, Qt::ControlModifier);
    QVERIFY(question());
    QTest::mouseClick(question()->button(QMessageBox::Discard), Qt::LeftButton);
    QVERIFY(m_window->document().scenario() == firstScenario());
    QCOMPARE(m_window->windowTitle(), QStringLiteral("Untitled[*]"));
    QVERIFY(!m_window->isWindowModified());
    QCOMPARE(inFile(), 3.0);
}

/// Of a session without a file nothing is asked: undo has it, and a notice says so, unless it was never touched.
void WindowSessionTest::newSaysWhereTheLastOneIs()
{
    QTest::keyClick(m_window.get(), Qt::Key_N, Qt::ControlModifier);
    QVERIFY(!m_window->messages().isVisible());
    warm(6);
    QTest::keyClick(m_window.get(), Qt::Key_N, Qt::ControlModifier);
    QVERIFY(!question() && m_window->document().scenario() == firstScenario());
    QCOMPARE(m_window->messages().message(), u"A new session. Undo brings the last one back."_s);
    m_window->messages().buttons().front()->click();
    QCOMPARE(m_window->document().scenario().temperature, 6.0);
    QTest::keyClick(m_window.get(), Qt::Key_N, Qt::ControlModifier);
    QVERIFY(m_window->messages().isVisible());
    warm(7);  // of which undo is one step, and not of the session before
    QVERIFY(!m_window->messages().isVisible());
}

/// All that is work or is looked at: colours of maps and methods, charts, the order of tables, labs and models, the
/// panels from their tops, and no wrong entry that nobody types any more. Where the panels stand stays.
void WindowSessionTest::newIsAsAtFirst()
{
    const Look first = m_window->document().look();
    m_window->document().editLook([](Look& look) {
        look.maps.sides = MethodPair("infoscale", "vanilla");
        look.maps.large = "map:infoscale";
        look.zooms["entropy:shannon"] = {{64, 128}, {0, 1}};
        look.maps.log = false;
        look.maps.colourMap = "magma";
        look.maps.pinned = {0.001, 0.1};
        look.maps.loupe = true;
        look.colours["vanilla"] = "#8a3ffc";
        look.dispersion = "top4";
        look.approximations = true;
        look.model.windows = 7;
        look.labs.tours.size = 33;
    });
    StatisticsView& table = m_window->explore().statistics();
    QVERIFY(settle(*m_window));
    QTRY_VERIFY(table.rowCount() == 3);
    const auto names = [&] {
        QStringList all;
        for (int row = 0; row < table.rowCount(); ++row)
            all << table.item(row, 0)->text();
        return all;
    };
    const QStringList order = names();
    table.sortItems(0, Qt::DescendingOrder);
    table.sortItems(1, order == names() ? Qt::AscendingOrder : Qt::DescendingOrder);
    m_window->explore().resizeDocks({m_window->explore().dock(QStringLiteral("scenario"))}, {400}, Qt::Horizontal);
    QTRY_VERIFY(m_window->explore().dock(QStringLiteral("scenario"))->width() > 350);
    const int scenarioWide = m_window->explore().dock(QStringLiteral("scenario"))->width();
    int scrolled = 0;
    for (QScrollArea* area : m_window->explore().findChildren<QScrollArea*>()) {
        area->verticalScrollBar()->setValue(area->verticalScrollBar()->maximum());
        scrolled += area->verticalScrollBar()->value() > 0;
    }
    QVERIFY(scrolled > 0);
    m_window->setWorkspace(modelWorkspace);
    QLineEdit* lengths = m_window->model().controls()->lengths();
    lengths->setFocus();
    lengths->selectAll();
    QTest::keyClicks(lengths, "16:x");
    QTest::keyClick(lengths, Qt::Key_Return);
    QVERIFY(lengths->property("wrong").toBool() && lengths->hasFocus());
    QCOMPARE(lengths->text(), QStringLiteral("16:x"));
    QTest::keyClick(m_window.get(), Qt::Key_N, Qt::ControlModifier);
    QVERIFY(!lengths->property("wrong").toBool());
    QCOMPARE(lengths->text(), QString());
    QVERIFY(m_window->messages().isVisible() && !m_window->messages().showsError());  // undo brings it back
    Look now = m_window->document().look();
    now.workspace = first.workspace;
    QVERIFY(now == first);
    m_window->setWorkspace(exploreWorkspace);
    QVERIFY(settle(*m_window));
    for (QScrollArea* area : m_window->explore().findChildren<QScrollArea*>())
        QCOMPARE(area->verticalScrollBar()->value(), 0);
    QCOMPARE(table.horizontalHeader()->sortIndicatorSection(), -1);
    QTRY_COMPARE(names(), order);
    QCOMPARE(m_window->explore().dock(QStringLiteral("scenario"))->width(), scenarioWide);
}

void WindowSessionTest::aScenarioGoesThroughTheClipboard()
{
    const auto action = [this](const QString& text) {
        for (QAction* one : m_window->findChildren<QAction*>())
            if (one->text().remove(QLatin1Char('&')) == text)
                return one;
        return static_cast<QAction*>(nullptr);
    };
    const Scenario before = m_window->document().scenario();
    action(QStringLiteral("Copy the scenario"))->trigger();
    m_window->document().edit(QStringLiteral("Temperature"), [](Scenario& edited) { edited.temperature = 3; });
    m_window->document().endGesture();
    action(QStringLiteral("Paste a scenario"))->trigger();
    QVERIFY(m_window->document().scenario() == before);
    m_window->document().undo();
    QCOMPARE(m_window->document().scenario().temperature, 3.0);
    m_window->document().edit(QStringLiteral("Methods"), [](Scenario& edited) {
        edited.methods = {{"custom", {}, "log(n)/log(N)*1"}};
    });
    action(QStringLiteral("Copy as a command"))->trigger();
    const QString command = QGuiApplication::clipboard()->text(), start = QStringLiteral("attnscope --scenario '");
    QVERIFY2(m_window->statusBar()->currentMessage().startsWith(QStringLiteral("Copied: ") + start),
             qPrintable(m_window->statusBar()->currentMessage()));
    QVERIFY(command.startsWith(start) && command.endsWith(QLatin1Char('\'')));
    const auto again = scenarioFromLine(command.mid(start.size(), command.size() - start.size() - 1).toStdString());
    QVERIFY(again && *again == m_window->document().scenario());
    m_window->document().undo();
    QGuiApplication::clipboard()->setText(QStringLiteral("{\"n\": \"many\"}"));
    action(QStringLiteral("Paste a scenario"))->trigger();
    QVERIFY(m_window->messages().showsError() && m_window->messages().message().contains(QStringLiteral("scenario.n")));
    QCOMPARE(m_window->document().scenario().temperature, 3.0);
    action(QStringLiteral("Copy the scenario"))->trigger();
    QVERIFY2(!m_window->messages().isVisible(), "what it said is of what the clipboard held before");
    m_window->messages().say(MessageBar::Kind::Error, QStringLiteral("The disk is full"));
    action(QStringLiteral("Copy as a command"))->trigger();
    QVERIFY(m_window->messages().showsError());  // which a copy says nothing of
}

/// A step back past the opening of a file is a step into the session before, and saving never mixes them.
void WindowSessionTest::undoBringsTheFileBack()
{
    warm(2);
    m_window->openFile(m_path);
    m_window->document().undo();
    QCOMPARE(temperature(), 2.0);
    QCOMPARE(m_window->windowTitle(), QStringLiteral("Untitled[*]"));
    QVERIFY(m_window->isWindowModified());
    m_window->document().redo();
    QCOMPARE(m_window->windowTitle(), QStringLiteral("study[*]"));
    QVERIFY(!m_window->isWindowModified());
}

void WindowSessionTest::whatComesFromElsewhereIsNoSession_data()
{
    QTest::addColumn<QString>("from");
    for (const char* from : {"figure of the window", "figure of the gallery", "clipboard"})
        QTest::addRow("%s", from) << QString::fromLatin1(from);
}

/// A figure or a scenario takes the session's place: saving asks for a name, and undo brings back both.
void WindowSessionTest::whatComesFromElsewhereIsNoSession()
{
    QFETCH(QString, from);
    warm(8);
    QVERIFY(settle(*m_window));
    const QString figure = m_folder.filePath(QStringLiteral("chart.svg"));
    m_window->exportPanel().saveViewAs("entropy", figure);
    QTRY_VERIFY(!m_window->bench().saves.isBusy() && QFile::exists(figure));
    const std::string warmScenario = toJson(m_window->document().scenario()).dump();
    m_window->openFile(m_path);
    const auto bring = [&] {
        if (from == QStringLiteral("clipboard")) {
            QGuiApplication::clipboard()->setText(QString::fromStdString(warmScenario));
            for (QAction* one : m_window->findChildren<QAction*>())
                if (one->text().remove(QLatin1Char('&')) == QStringLiteral("Paste a scenario"))
                    one->trigger();
        } else if (from == QStringLiteral("figure of the window")) {
            m_window->openFile(figure);
        } else {
            const auto recipe = std::ranges::find_if(m_window->gallery().recipes(),
                                                     [](const Recipe& one) { return liveFigure(one).has_value(); });
            m_window->openFigure(*recipe);
        }
    };
    bring();
    QTRY_COMPARE(m_window->windowTitle(), QStringLiteral("Untitled[*]"));
    QVERIFY(m_window->document().path().isEmpty() && m_window->document().scenario().temperature != 3.0);
    m_window->document().undo();
    QCOMPARE(m_window->windowTitle(), QStringLiteral("study[*]"));
    QCOMPARE(temperature(), 3.0);

    warm(6);  // which is in no file yet
    bring();
    QTRY_VERIFY(question() && question()->isVisible());
    QCOMPARE(temperature(), 6.0);
    QTest::mouseClick(question()->button(QMessageBox::Save), Qt::LeftButton);
    QTRY_COMPARE(m_window->windowTitle(), QStringLiteral("Untitled[*]"));
    QCOMPARE(inFile(), 6.0);
}

void WindowSessionTest::theNextWindowIsWhereTheLastWas()
{
    QTemporaryDir state;
    m_window->openFile(m_path);
    warm(7);
    {
        SaveQueue saves;
        Autosave autosave(state.path(), saves);
        autosave.watch(m_window->document(), [this] { return m_window->session().toKeep(); });
        autosave.saveNow();
    }
    SaveQueue saves;
    const Autosave autosave(state.path(), saves);
    QVERIFY(autosave.left());
    m_window = smallWindow();
    m_window->session().resume(*autosave.left());
    QCOMPARE(temperature(), 7.0);
    QVERIFY(!m_window->document().canUndo());
    QCOMPARE(m_window->windowTitle(), QStringLiteral("study[*]"));
    QVERIFY2(m_window->isWindowModified(), "it is not as the file has it");
    QVERIFY(QFile::remove(m_path));
    m_window->session().resume(*autosave.left());
    QVERIFY2(m_window->isWindowModified(), "it is in no file at all");
}

/// Pins and notes of an untitled session are among the previous states once another one is opened; of what is in its
/// file, and of a window as it begins, nothing is.
void WindowSessionTest::whatHasNoFileIsKeptWhenAnotherComes()
{
    QTemporaryDir state;
    SaveQueue saves;
    Autosave autosave(state.path(), saves);
    connect(&m_window->session(), &WindowSession::leftUntitled, &autosave, &Autosave::keepAlso);
    m_window->openFile(m_path);
    m_window->session().beginAnew();
    QTRY_VERIFY(!saves.isBusy());
    QVERIFY(Autosave::previousPaths(state.path()).isEmpty());
    warm(9);
    m_window->pins().pin();
    m_window->openFile(m_path);
    QCOMPARE(temperature(), 3.0);
    QTRY_COMPARE(Autosave::previousPaths(state.path()).size(), 1);
    QTRY_VERIFY(!saves.isBusy());
    const auto kept = loadSession(Autosave::previousPaths(state.path()).front());
    QVERIFY2(kept, kept ? "" : kept.error().message.c_str());
    QCOMPARE(kept->scenario.temperature, 9.0);
    QCOMPARE(kept->look.pins.size(), std::size_t{1});
}

/// Its changes are not in that file, changes of the present session are asked about, and a file that does not read is
/// said.
void WindowSessionTest::aKeptWindowComesWithItsFile()
{
    const QString kept = m_folder.filePath(QStringLiteral("previous-1.attnscope")),
                  other = m_folder.filePath(QStringLiteral("other.attnscope"));
    Session session = m_window->session().current();
    QVERIFY(saveSession(session, other));
    session.scenario.temperature = 7;
    session.file = m_path.toStdString();
    QVERIFY(saveSession(session, kept));
    m_window->openFile(other);
    warm(5);
    m_window->session().openKept(kept);
    QVERIFY(question());
    QCOMPARE(temperature(), 5.0);
    question()->button(QMessageBox::Discard)->click();
    QTRY_COMPARE(temperature(), 7.0);
    QCOMPARE(m_window->document().path(), m_path);
    QVERIFY2(m_window->isWindowModified(), "it is not as the file has it");
    m_window->session().save();
    QTRY_VERIFY(!m_window->isWindowModified());
    QCOMPARE(inFile(), 7.0);
    QFile broken(kept);
    QVERIFY(broken.open(QIODevice::WriteOnly | QIODevice::Truncate));
    broken.close();
    m_window->session().openKept(kept);
    QVERIFY(m_window->messages().showsError() && m_window->messages().message().contains(kept));
}

/// Controls that are asleep hold what the session before had: none of it goes into this one's file.
void WindowSessionTest::whatIsSavedIsWhatWasOpened()
{
    Session other = *loadSession(m_path);
    other.look.model.text = ModelText::Typed;
    other.look.model.typed = "the words of this session";
    other.look.model.lengths = {24};
    other.look.workspace = exploreWorkspace.toStdString();
    QVERIFY(saveSession(other, m_path));
    m_window->document().editLook([](Look& look) {
        look.model.text = ModelText::Typed;
        look.model.typed = "words of another one";
        look.model.lengths = {48};
    });
    for (const QString& each : {modelWorkspace, labsWorkspace, figuresWorkspace, learnWorkspace, exploreWorkspace}) {
        m_window->setWorkspace(each);
        QTest::qWait(20);
    }
    m_window->openFile(m_path);
    QCOMPARE(temperature(), 3.0);
    m_window->session().save();
    QTRY_VERIFY(!m_window->bench().saves.isBusy());
    QVERIFY(!m_window->isWindowModified());
    const Session saved = *loadSession(m_path);
    QCOMPARE(saved.look.model.typed, other.look.model.typed);
    QVERIFY(saved.look.model == other.look.model);
    QVERIFY(saved.scenario == m_window->document().scenario());
}

void WindowSessionTest::aRecordingEndsWithItsSession_data()
{
    QTest::addColumn<QString>("what");
    for (const char* what : {"open", "new", "lesson", "end of a lesson", "close"})
        QTest::addRow("%s", what) << QString::fromLatin1(what);
}

/// What a recording moves is back before another session comes, and nothing of it is in the other.
void WindowSessionTest::aRecordingEndsWithItsSession()
{
    QFETCH(QString, what);
    warm(2);
    const Scenario own = m_window->document().scenario();
    if (what == u"end of a lesson"_s)
        m_window->explore().learn().openLesson(0);
    auto* player = m_window->findChild<Player*>();
    player->setPlayable(u"temperature"_s);
    player->setSpeed(100);
    answerDialog(m_folder.filePath(u"film.gif"_s).toStdString());
    emit m_window->findChild<RecordSheet*>()->asked(
        {.path = {}, .gif = true, .framesPerSecond = 10, .sweep = {0.5, 0.75, 400}});
    QTRY_VERIFY(player->isPlaying());
    QTRY_VERIFY(m_window->document().scenario() != own);
    if (what == u"open"_s)
        m_window->openFile(m_path);
    else if (what == u"new"_s)
        m_window->session().beginAnew();
    else if (what == u"lesson"_s)
        m_window->explore().learn().openLesson(1);
    else if (what == u"end of a lesson"_s)
        m_window->explore().learn().close();
    else
        m_window->close();
    QVERIFY(!player->isPlaying());
    if (what == u"open"_s)
        QCOMPARE(temperature(), 3.0);
    if (what == u"open"_s || what == u"new"_s)
        m_window->document().undo();
    if (what == u"lesson"_s)
        m_window->explore().learn().close();
    QVERIFY(m_window->document().scenario() == own);
    QVERIFY(m_window->session().toKeep().scenario == own);
    QCOMPARE(m_window->document().undoName(), u"Temperature"_s);
}

/// What its text says is of the source that its step sets; numbers of that are changed as the step asks.
void WindowSessionTest::aLessonSaysThatAnotherSourceIsShown()
{
    m_window->showDock(u"learn"_s);
    LearnView& learn = m_window->explore().learn();
    learn.openLesson(0, 1);
    QVERIFY(!learn.isStale() && !learn.againButton()->isVisible());
    const Scenario set = m_window->document().scenario();
    m_window->document().editOnce(u"Seed"_s, [](Scenario& scenario) {
        scenario.seed = 7;
        scenario.n = 300;
    });
    QVERIFY(!learn.isStale());
    m_window->document().editOnce(u"Source"_s, [](Scenario& scenario) { scenario.source = {"local", {}, {}}; });
    QVERIFY(learn.isStale() && learn.againButton()->isVisible());
    const auto says = [&] {
        return std::ranges::any_of(learn.findChildren<QLabel*>(), [](const QLabel* label) {
            return label->isVisible() && label->text().startsWith(u"The source is another than"_s);
        });
    };
    QVERIFY(says());
    learn.againButton()->click();
    QCOMPARE(learn.step(), 1);
    QVERIFY(m_window->document().scenario() == set && !learn.isStale() && !says());
    QVERIFY(!learn.againButton()->isVisible());
    learn.close();
    QVERIFY(!learn.isStale());
}

/// Neither the second cursor of a chart, nor locked colours, nor which map is large come along; they are back after it.
void WindowSessionTest::aLessonIsSeenAsAtFirst()
{
    m_window->document().editLook([](Look& look) {
        look.maps.colourMap = "cividis";
        look.maps.pinned = {0.001, 0.5};
        look.maps.large = "map:vanilla";
        look.maps.log = false;
    });
    const MapLook own = m_window->document().look().maps;
    std::vector<ChartView*> charts;
    for (LengthChart* view : m_window->explore().charts())
        charts.push_back(view->chart());
    for (ChartView* chart : charts)
        chart->setSince(32);
    m_window->showDock(u"learn"_s);
    m_window->explore().learn().openLesson(0);
    const MapLook& here = m_window->document().look().maps;
    QVERIFY(!here.pinned && here.large.empty() && here.log);
    QCOMPARE(here.colourMap, std::string("cividis"));  // of taste, not of work
    for (ChartView* chart : charts) {
        QVERIFY(!chart->since());
        chart->setSince(16);
    }
    m_window->explore().learn().close();
    QVERIFY(m_window->document().look().maps == own);
    for (ChartView* chart : charts)
        QVERIFY(!chart->since());
    for (ChartView* chart : charts)
        chart->setSince(16);
    m_window->document().editOnce(u"Source"_s, [](Scenario& scenario) { scenario.source = {"needle", {}, {}}; });
    for (ChartView* chart : charts)
        QTRY_VERIFY(!chart->since());
}

/// A lesson that was saved under a name is a session like others: its changes are asked about.
void WindowSessionTest::aNamedLessonIsAskedAbout()
{
    LearnView& lessons = m_window->explore().learn();
    lessons.openLesson(0);
    m_window->document().markSaved(m_path);
    warm(7);
    for (const bool another : {false, true}) {
        another ? lessons.openLesson(1) : lessons.close();
        QVERIFY(question());
        question()->button(QMessageBox::Cancel)->click();
        QTRY_VERIFY(!question());
        QVERIFY(m_window->document().isVisiting() && lessons.lesson() == 0);
        QCOMPARE(temperature(), 7.0);
    }
    lessons.close();
    QVERIFY(question());
    question()->button(QMessageBox::Save)->click();
    QTRY_VERIFY(!m_window->document().isVisiting());
    QCOMPARE(inFile(), 7.0);
    QCOMPARE(lessons.lesson(), -1);
}

void WindowSessionTest::anOldErrorKeepsNothingOpen()
{
    m_window->messages().say(MessageBar::Kind::Error, u"It was not there"_s);
    m_window->close();
    QTRY_VERIFY(!m_window->isVisible());
}

/// Neither its panels nor the whole screen are what comes back, in the next window or in who opens the session.
void WindowSessionTest::theStageIsNotKept()
{
    const std::string docks = m_window->session().current().docks;
    m_window->presentation().setOn(true);
    QTRY_VERIFY(m_window->isFullScreen());
    const Session kept = m_window->session().toKeep();
    QCOMPARE(kept.docks, docks);
    m_window->session().restore(*loadSession(m_path));
    QVERIFY(m_window->isFullScreen() && m_window->presentation().isOn());
    const auto other = smallWindow();
    other->session().restore(kept);
    QVERIFY(!other->isFullScreen());
    m_window->close();
    QVERIFY(!m_window->presentation().isOn());
}

QTEST_MAIN(WindowSessionTest)
#include "window_session_test.moc"
