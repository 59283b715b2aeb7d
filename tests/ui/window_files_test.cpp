// What is opened in the window: tensors, sessions whose tensors have moved, lessons, and files that are none of these.
#include "core/tensor/tensor_file.h"
#include "core/tensor/tensor_writer.h"
#include "tests/support/large_file.h"
#include "tests/support/model_tensors.h"
#include "tests/ui/window_support.h"

#include "ui/widgets/file_to_save.h"
#include "ui/widgets/message_bar.h"
#include "ui/workbench/lesson.h"
#include "ui/workbench/session_file.h"
#include "ui/explore/difference_tile.h"
#include "ui/explore/empty_maps.h"
#include "ui/explore/heads_view.h"
#include "ui/explore/learn_view.h"
#include "ui/explore/map_tools.h"
#include "ui/explore/statistics_view.h"
#include "ui/views/answer_line.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>

#include <cmath>
#include <tuple>

using namespace attnscope;
using namespace attnscope::testing;

class WindowFilesTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareApplication(); }
    void init()
    {
        m_window = smallWindow();
        QVERIFY(m_window);
    }
    void cleanup() { m_window.reset(); }
    void missingTensorsAreAskedFor();
    void everyStepOfEveryLessonOpensInTheWindow();
    void aSessionComesBackWhole();
    void whatFailsShowsNothingOfBefore_data();
    void whatFailsShowsNothingOfBefore();
    void tensorsShowTheirHeads();
    void aHeadHasOneNumberOfKeys();
    void theTitleSaysWhichIsOpen();
    void theWindowBeginsWithTheFileThatItIsToOpen();
    void aFileOfGigabytesCostsWhatItsLayerCosts();
    void movedTensorsAreFoundAgain();
    void namesAreNoMarkup();
    void oneFileCanBeDropped_data();
    void oneFileCanBeDropped();
    void aBrokenFileIsAnErrorInTheBar();
    void whatIsSaidOfAFileGoesWithTheNext();
    void aFailureIsSaidWhereItIsSeen();
    void theWayOutOfAFailureStays();
    void theDialogOpensAFolderToo();
    void cellsAreThoseThatWereAskedFor();
    void largeHeadsAreShownAndKept();

private:
    std::unique_ptr<MainWindow> m_window;
};

void WindowFilesTest::missingTensorsAreAskedFor()
{
    QTemporaryDir folder;
    Session session = m_window->session().current();
    session.scenario.source = {"tensors", {}, {}};
    session.scenario.tensors.path = folder.filePath("gone.safetensors").toStdString();
    session.scenario.tensors.query = "layer0.q";
    m_window->session().restore(session);
    QVERIFY(settle(*m_window));
    QTRY_COMPARE(m_window->messages().buttons().size(), size_t(2));
    QVERIFY(m_window->messages().message().contains("gone.safetensors"));
    QCOMPARE(m_window->messages().buttons()[0]->accessibleName(), QStringLiteral("Locate"));

    m_window->pins().pin();  // a look at what is pinned mends nothing
    const int pins = static_cast<int>(m_window->document().look().pins.size());
    if (pins > 0) {
        m_window->pins().flipTo(pins - 1);
        m_window->pins().flipBack();
    }
    QVERIFY(m_window->messages().showsError() || m_window->messages().buttons().size() == 2);
    QCOMPARE(m_window->messages().buttons().size(), size_t(2));

    QTest::mouseClick(m_window->messages().buttons()[1], Qt::LeftButton);  // Use without
    QVERIFY(settle(*m_window));
    QCOMPARE(m_window->document().scenario().source.id, std::string("local"));
    QVERIFY(!m_window->messages().isVisible());

    const QString there = folder.filePath("model.safetensors");
    QCOMPARE(build::writeLanguageModel(there.toStdString()), std::string());
    session.scenario.tensors.head = 3;
    m_window->session().restore(session);
    QVERIFY(settle(*m_window));
    m_window->tensors().relocate(there);
    QTRY_COMPARE(m_window->document().scenario().tensors.path, there.toStdString());
    QVERIFY(settle(*m_window));
    QVERIFY(!m_window->analyser().current()->heads.empty());
}

/// Each step sets the window, and what it sets can be computed.
void WindowFilesTest::everyStepOfEveryLessonOpensInTheWindow()
{
    for (int lesson = 0; lesson < std::ssize(lessons()); ++lesson) {
        m_window->showDock("learn");
        m_window->explore().learn().openLesson(lesson);
        const auto& steps = lessons()[static_cast<size_t>(lesson)].steps;
        for (int step = 0; step < std::ssize(steps); ++step) {
            m_window->explore().learn().goToStep(step);
            QCOMPARE(m_window->explore().learn().step(), step);
            const auto& wanted = steps[static_cast<size_t>(step)];
            QVERIFY2(settle(*m_window), qPrintable(wanted.title));
            QVERIFY2(m_window->messages().message().isEmpty(),
                     qPrintable(wanted.title + ": " + m_window->messages().message()));
            if (!wanted.scenario)
                continue;
            QVERIFY(m_window->document().scenario() == *wanted.scenario);
            QCOMPARE(m_window->explore().heatmaps().tiles().size(), wanted.scenario->methods.size());
            for (const QString& part : wanted.parts)
                QVERIFY2(m_window->isPartShown(part), qPrintable(wanted.title + ": " + part));
            QCOMPARE(m_window->explore().dispersion().kinds()->currentData().toString(), wanted.dispersion);
            QVERIFY2(m_window->explore().dispersion().nothing().isEmpty() == (wanted.scenario->source.id != "theory"),
                     qPrintable(wanted.title));  // which has no rows
        }
    }
}

void WindowFilesTest::aSessionComesBackWhole()
{
    m_window->document().edit("Everything", [](Scenario& scenario) {
        scenario.n = 80;
        scenario.temperature = 0.7;
        scenario.methods.push_back({"infoscale", {{"eps", 0.5}}, {}});
        scenario.view.row = 12;
    });
    m_window->document().setLook(
        {{"cividis", false, std::pair<double, double>{0.0, 0.5}, std::pair<double, double>{-2.0, 2.0}, true,
          MethodPair("infoscale", "softmax_plus"), "map:infoscale"},
         {{"entropy:shannon", 100, 2.5, 1, -1, "a note"}},
         {{"dispersion:top16", {{2, 64}, {0.01, 1}}}},
         {{"vanilla", "#123456"}},
         {Scenario()},
         "top16",
         true,
         true,
         true,
         "slope",
         "explore",
         {},
         {}});
    QVERIFY(settle(*m_window));
    const std::string bytes = writeSession(m_window->session().current());
    const auto read = readSession(bytes);
    QVERIFY(read);
    auto other = smallWindow();
    QVERIFY(other);
    other->session().restore(*read);
    QVERIFY(settle(*other));
    Session again = other->session().current();
    again.geometry = read->geometry;  // of another window on the screen
    again.docks = read->docks;
    QCOMPARE(QString::fromStdString(writeSession(again)), QString::fromStdString(bytes));
    QCOMPARE(other->explore().heatmaps().difference()->side(0)->currentIndex(), 2);
}

void WindowFilesTest::whatFailsShowsNothingOfBefore_data()
{
    QTest::addColumn<QString>("engine");
    QTest::addColumn<QString>("file");
    QTest::addRow("a file that is gone") << ""
                                         << "gone.safetensors";
    QTest::addRow("an engine that there is not") << "nosuch"
                                                 << "";
}
/// Under the name of what failed stands why, not the pictures of what was looked at before.
void WindowFilesTest::whatFailsShowsNothingOfBefore()
{
    QFETCH(const QString, engine);
    QFETCH(const QString, file);
    QVERIFY(settle(*m_window));
    ExplorePage& explore = m_window->explore();
    QVERIFY(!explore.answer().text().isEmpty() && explore.heatmaps().tiles()[0]->isVisible());
    m_window->document().editOnce("Source", [&](Scenario& scenario) {
        if (!engine.isEmpty())
            scenario.engine = engine.toStdString();
        if (!file.isEmpty()) {
            scenario.source = {"tensors", {}, {}};
            scenario.tensors.path = QDir(QDir::tempPath()).filePath(file).toStdString();
            scenario.tensors.query = "q";
        }
    });
    QVERIFY(settle(*m_window));
    QTRY_VERIFY(explore.heatmaps().nothing()->isVisible());
    const Analysis& shown = *m_window->analyser().current();
    QVERIFY(shown.methods.empty() && shown.scenario == m_window->document().scenario());
    QVERIFY2(explore.heatmaps().nothing()->message().contains(engine + file),
             qPrintable(explore.heatmaps().nothing()->message()));
    QVERIFY(explore.answer().text().isEmpty() && explore.heatmaps().tiles().empty());
    QVERIFY(explore.entropy().chart()->spec().series.empty());
    m_window->document().undo();
    QVERIFY(settle(*m_window));
    QTRY_VERIFY(!explore.answer().text().isEmpty() && !explore.heatmaps().nothing()->isVisible());
}

/// In the heading of its map, the tables and the chart; and how much its rows differ is called no error of their mean.
void WindowFilesTest::aHeadHasOneNumberOfKeys()
{
    QTemporaryDir folder;
    const QString path = folder.filePath("model.safetensors");
    QCOMPARE(build::writeLanguageModel(path.toStdString()), std::string());
    m_window->openFile(path);
    QTRY_COMPARE(m_window->document().scenario().source.id, std::string("tensors"));
    m_window->document().edit("Measure", [](Scenario& scenario) {
        scenario.view.measure = {"effective_tokens", {}, {}};
        scenario.methods = {{"vanilla", {}, {}}};
        scenario.view.rows = RowSet::Kind::All;
    });
    QVERIFY(settle(*m_window));
    ExplorePage& explore = m_window->explore();
    const AnalysisPtr analysis = m_window->analyser().current();
    double logarithms = 0;
    for (const RowSummary& row : analysis->methods[0].rows)
        logarithms += row.entropy / double(analysis->methods[0].rows.size());
    const double keys = std::exp(logarithms), n = double(analysis->scenario.n);
    const auto is = [&](double said, double close) {
        const bool same = std::abs(said / keys - 1) < close;
        if (!same)
            qWarning("%g, not %g", said, keys);
        return same;
    };
    QVERIFY(is(explore.heatmaps().tiles().front()->caption().section(' ', 0, 0).toDouble(), 0.01));
    for (int row = 0; row < explore.heads().rowCount(); ++row)
        if (explore.heads().headAt(row) == analysis->scenario.tensors.head)
            QVERIFY(is(explore.heads().item(row, 2)->text().toDouble(), 0.01));
    bool drawn = false;
    for (const ChartSeries& series : explore.entropy().chart()->spec().series)
        for (const ChartPoint& point : series.points)
            if (series.style == 0 && point.x == n) {
                drawn = true;
                QVERIFY(is(point.y, 1e-6) && series.band && point.low < point.high);
            }
    QVERIFY(drawn);
    const StatisticsView& table = explore.statistics();
    for (int column = 0; column < table.columnCount(); ++column) {
        const QTableWidgetItem* heading = table.horizontalHeaderItem(column);
        const QString said = heading->text() + heading->toolTip();
        QVERIFY2(!said.contains("standard error", Qt::CaseInsensitive) && !said.contains(u'\u00B1'), qPrintable(said));
    }
}

void WindowFilesTest::tensorsShowTheirHeads()
{
    QTemporaryDir folder;
    const QString path = folder.filePath("model.safetensors");
    QCOMPARE(build::writeLanguageModel(path.toStdString()), std::string());
    m_window->openFile(path);
    QTRY_COMPARE(m_window->document().scenario().source.id, std::string("tensors"));
    QVERIFY(settle(*m_window));
    QCOMPARE(m_window->explore().heads().rowCount(), 8);
    const Shown first = shown(*m_window);
    for (int row = 0; row < 8; ++row)
        if (m_window->explore().heads().headAt(row) == 5)
            m_window->explore().heads().setCurrentCell(row, 0);
    QVERIFY(settle(*m_window));
    QCOMPARE(m_window->document().scenario().tensors.head, 5);
    const Shown sixth = shown(*m_window);
    QVERIFY(first.map != sixth.map);
    QVERIFY(first.curve != sixth.curve);
    QVERIFY(first.dispersion != sixth.dispersion);
}

/// Looked at, it is no work; with something done to it, it is.
void WindowFilesTest::theTitleSaysWhichIsOpen()
{
    QTemporaryDir folder;
    const QString path = folder.filePath("model.safetensors");
    QCOMPARE(build::writeLanguageModel(path.toStdString()), std::string());
    m_window->openFile(path);
    QTRY_COMPARE(m_window->windowTitle(), QStringLiteral("model.safetensors[*]"));
    QVERIFY(!m_window->isWindowModified());
    const auto isWorkNextTime = [&] {
        const auto kept = readSession(writeSession(m_window->session().toKeep()));
        attnscope::testing::WholeWindow next(firstScenario());
        next.session().resume(kept.value());
        return next.isWindowModified();
    };
    QVERIFY(!isWorkNextTime());
    m_window->document().editOnce(QStringLiteral("Temperature"), [](Scenario& s) { s.temperature = 3; });
    QVERIFY(m_window->isWindowModified());
    QVERIFY(isWorkNextTime());
    m_window->document().undo();
    QVERIFY(!m_window->isWindowModified());
    m_window->document().undo();
    QCOMPARE(m_window->windowTitle(), QStringLiteral("Untitled[*]"));
    QVERIFY(!m_window->isWindowModified());
}

/// Nothing else is computed before it, and opening it changes no more than what is said about it.
void WindowFilesTest::theWindowBeginsWithTheFileThatItIsToOpen()
{
    QTemporaryDir folder;
    const QString path = folder.filePath("layer.safetensors");
    QCOMPARE(build::writeLayerBehind(path.toStdString(), 4), std::string());
    const Scenario first = firstScenario(path);
    QCOMPARE(first.source.id, std::string("tensors"));
    QCOMPARE(first.tensors.query, std::string("layer0.q"));
    QCOMPARE(first.n, 64);
    attnscope::testing::WholeWindow window(first);
    QSignalSpy opened(&window, &MainWindow::fileOpened);
    window.openFile(path);
    QVERIFY(opened.wait(patience));
    QVERIFY(window.document().scenario() == first);
    QVERIFY(!window.document().canUndo());

    Session session;
    session.scenario.n = 77;
    QVERIFY(saveSession(session, folder.filePath("a.attnscope")));
    QCOMPARE(firstScenario(folder.filePath("a.attnscope")).n, 77);
    for (const char* wrong : {"absent.safetensors", "absent.attnscope"})
        QVERIFY(firstScenario(folder.filePath(wrong)) == firstScenario());
}

void WindowFilesTest::aFileOfGigabytesCostsWhatItsLayerCosts()
{
    QTemporaryDir folder;
    const std::string small = folder.filePath("small.safetensors").toStdString(),
                      large = folder.filePath("large.safetensors").toStdString();
    QCOMPARE(build::writeLayerBehind(small, 4), std::string());
    if (const std::string why = build::writeLayerBehind(large, std::uint64_t{4} << 30); !why.empty())
        QSKIP(why.c_str());
    if (!build::forgetPeak())
        QSKIP("this kernel does not let a process begin to count its memory anew");
    long growth[2] = {};  // KiB
    for (const std::string& path : {small, large}) {
        const long before = build::memoryOf("VmRSS");
        QVERIFY(build::forgetPeak());
        m_window->openFile(QString::fromStdString(path));
        QTRY_COMPARE(m_window->document().scenario().tensors.path, path);
        QVERIFY(settle(*m_window));
        QCOMPARE(m_window->explore().heads().rowCount(), 2);
        growth[path == large] = build::memoryOf("VmHWM") - before;
    }
    QVERIFY2(growth[1] - growth[0] < 16 * 1024, qPrintable(QString("%1 KiB and %2 KiB").arg(growth[0]).arg(growth[1])));
}

void WindowFilesTest::movedTensorsAreFoundAgain()
{
    QTemporaryDir folder;
    const QString there = folder.filePath("moved.safetensors");
    QCOMPARE(build::writeLayerBehind(there.toStdString(), 4), std::string());
    Session session = m_window->session().current();
    session.scenario = firstScenario(there);
    session.scenario.tensors.head = 1;
    session.scenario.tensors.path = folder.filePath("gone.safetensors").toStdString();
    m_window->session().restore(session);
    QVERIFY(m_window->messages().showsError());
    m_window->tensors().relocate(there);
    QVERIFY2(m_window->document().scenario() == session.scenario, "files are read on another thread");
    QTRY_COMPARE(m_window->document().scenario().tensors.path, there.toStdString());
    QCOMPARE(m_window->document().scenario().tensors.head, 1);
    QVERIFY(!m_window->messages().showsError());
    m_window->tensors().relocate(QStringLiteral(TEST_DATA "/CMakeLists.txt"));
    QTRY_VERIFY(m_window->messages().showsError());
    QCOMPARE(m_window->document().scenario().tensors.path, there.toStdString());
}

/// A name is a name, whatever it looks like: nowhere in the window is it taken for markup.
void WindowFilesTest::namesAreNoMarkup()
{
    QTemporaryDir folder;
    const QString name = QStringLiteral("<h1>big<b>&amp;<img src=x>.safetensors"), path = folder.filePath(name);
    QCOMPARE(build::writeLayerBehind(path.toStdString(), 4), std::string());
    const auto check = [&](int least) {
        int seen = 0;
        QStringList wrong;
        const auto isMarkup = [](const QString& text) {
            return text.contains(QLatin1String("<h1>")) && Qt::mightBeRichText(text);
        };
        for (QWidget* widget : m_window->findChildren<QWidget*>()) {
            if (isMarkup(widget->toolTip()))
                wrong << widget->toolTip();
            if (const auto* label = qobject_cast<QLabel*>(widget)) {
                seen += label->text().contains(QLatin1String("<h1>"));
                if (label->textFormat() != Qt::PlainText && isMarkup(label->text()))
                    wrong << label->text();
            }
            if (const auto* view = qobject_cast<QAbstractItemView*>(widget); view && view->model())
                for (int row = 0; row < view->model()->rowCount(); ++row)
                    for (int column = 0; column < view->model()->columnCount(); ++column)
                        if (const QString tip = view->model()->index(row, column).data(Qt::ToolTipRole).toString();
                            isMarkup(tip))
                            wrong << tip;
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(" | ")));
        QVERIFY2(seen >= least, "the name is shown somewhere");
    };
    m_window->openFile(path);
    QTRY_COMPARE(m_window->document().scenario().tensors.path, path.toStdString());
    m_window->showDock("tensors");
    QVERIFY(settle(*m_window));
    check(0);                         // labels that elide keep their text themselves
    m_window->session().beginAnew();  // and nothing speaks of a file that is looked at no more
    QVERIFY(m_window->explore().dock(QStringLiteral("tensors"))->isHidden());
    m_window->openFile(path);
    QTRY_COMPARE(m_window->document().scenario().tensors.path, path.toStdString());
    QFile::remove(path);
    m_window->openFile(path);
    QTRY_VERIFY(m_window->messages().showsError());
    QVERIFY(m_window->messages().message().contains(name));
    check(1);
    m_window->session().restore(m_window->session().current());
    QVERIFY(m_window->messages().message().contains(name));
    check(1);
}

void WindowFilesTest::oneFileCanBeDropped_data()
{
    QTest::addColumn<QStringList>("dropped");
    QTest::addColumn<bool>("taken");
    QTest::addColumn<QString>("said");
    QTest::addRow("an address") << QStringList{"https://example.org/a.npz"} << false << "";
    QTest::addRow("one file") << QStringList{"file:" TEST_DATA "/CMakeLists.txt"} << true << "CMakeLists.txt";
    QTest::addRow("two files") << QStringList{"file:/tmp/a.npz", "file:/tmp/b.npz"} << true << "drop one of them";
    QTest::addRow("a file and an address")
        << QStringList{"https://example.org/a.npz", "file:" TEST_DATA "/CMakeLists.txt"} << true << "CMakeLists.txt";
}

void WindowFilesTest::oneFileCanBeDropped()
{
    QFETCH(QStringList, dropped);
    QFETCH(bool, taken);
    QFETCH(QString, said);
    QList<QUrl> urls;
    for (const QString& one : dropped)
        urls << QUrl(one);
    QCOMPARE(drop(m_window.get(), urls), taken);
    if (!taken)
        return;
    QTRY_VERIFY2(m_window->messages().message().contains(said), qPrintable(m_window->messages().message()));
}

void WindowFilesTest::aBrokenFileIsAnErrorInTheBar()
{
    const Scenario before = m_window->document().scenario();
    m_window->openFile(QStringLiteral(TEST_DATA "/CMakeLists.txt"));
    QTRY_VERIFY(m_window->messages().isVisible());
    QVERIFY(m_window->messages().message().contains("CMakeLists.txt"));
    QVERIFY(m_window->document().scenario() == before);
}

/// Whatever the next one is, and whatever workspace one is in.
void WindowFilesTest::whatIsSaidOfAFileGoesWithTheNext()
{
    QTemporaryDir folder;
    const QString good = folder.filePath("good.safetensors"), bad = folder.filePath("bad.safetensors");
    QCOMPARE(build::writeLayerBehind(good.toStdString(), 4), std::string());
    QFile garbage(bad);
    QVERIFY(garbage.open(QIODevice::WriteOnly) && garbage.write("no tensors at all") > 0);
    garbage.close();
    const QString session = folder.filePath("a.attnscope");
    QVERIFY(saveSession(m_window->session().current(), session));
    const auto saysBad = [&] { return m_window->messages().message().contains(QStringLiteral("bad.safetensors")); };
    for (const QString& next : {good, session, QStringLiteral("masked"), QStringLiteral("heads of masked")}) {
        m_window->setWorkspace(modelWorkspace);
        m_window->openFile(bad);
        QTRY_VERIFY2(saysBad() && m_window->messages().showsError(), qPrintable(next));
        if (next == QLatin1String("masked"))
            m_window->openModel(next);
        else if (next.startsWith(QLatin1String("heads")))
            m_window->openShippedHeads(QStringLiteral("masked"));
        else
            m_window->openFile(next);
        QVERIFY2(!saysBad(), qPrintable(m_window->messages().message()));
        QVERIFY(settle(*m_window));
    }
    m_window->setWorkspace(modelWorkspace);
    m_window->messages().say(MessageBar::Kind::Error, QStringLiteral("The disk is full"));
    m_window->openModel(QStringLiteral("masked"));
    QCOMPARE(m_window->messages().message(), QStringLiteral("The disk is full"));  // which no file mends
}

/// That nothing was computed stands over Explore alone, and again when one is back there, until it is closed.
void WindowFilesTest::aFailureIsSaidWhereItIsSeen()
{
    m_window->document().editOnce("Source", [](Scenario& scenario) { scenario.engine = "nosuch"; });
    QTRY_VERIFY(m_window->messages().showsError());
    const QString said = m_window->messages().message();
    QVERIFY2(said.contains("nosuch"), qPrintable(said));
    for (const QString& elsewhere : {modelWorkspace, figuresWorkspace, learnWorkspace}) {
        m_window->setWorkspace(elsewhere);
        QVERIFY2(m_window->messages().message().isEmpty(), qPrintable(m_window->messages().message()));
        m_window->setWorkspace(exploreWorkspace);
        QCOMPARE(m_window->messages().message(), said);
    }
    m_window->messages().hide();  // as its button does
    m_window->setWorkspace(modelWorkspace);
    m_window->setWorkspace(exploreWorkspace);
    QVERIFY(m_window->messages().message().isEmpty());
}

/// A message goes when another comes, or when it is closed; the buttons in place of the maps stay. What stands around
/// them keeps its place.
void WindowFilesTest::theWayOutOfAFailureStays()
{
    ExplorePage& explore = m_window->explore();
    const EmptyMaps& nothing = *explore.heatmaps().nothing();
    const auto* title = explore.heatmaps().findChild<MapTools*>()->parentWidget();
    const auto place = [&] {
        return std::tuple(title->height(), title->y(), explore.dispersion().kinds()->geometry(),
                          explore.entropy().measure()->geometry());
    };
    const auto before = place();
    QTemporaryDir folder;
    Session session = m_window->session().current();
    session.scenario.source = {"tensors", {}, {}};
    session.scenario.tensors.path = folder.filePath("gone.safetensors").toStdString();
    session.scenario.tensors.query = "layer0.q";
    m_window->session().restore(session);
    QVERIFY(settle(*m_window));
    QTRY_VERIFY(nothing.isVisible());
    m_window->messages().sayOfFile(MessageBar::Kind::Error, "another file is broken");
    m_window->messages().hide();
    QVERIFY(nothing.locate()->isVisible() && nothing.without()->isVisible() && !nothing.open()->isVisible());
    QVERIFY2(nothing.message().contains("gone.safetensors"), qPrintable(nothing.message()));
    for (const LengthChart* view :
         {static_cast<LengthChart*>(&explore.entropy()), static_cast<LengthChart*>(&explore.dispersion())})
        QCOMPARE(view->nothing(), QStringLiteral("Nothing was computed; the maps say why"));
    QTRY_COMPARE(place(), before);

    const QString there = folder.filePath("model.safetensors");
    QCOMPARE(build::writeLanguageModel(there.toStdString()), std::string());
    answerDialog(there.toStdString());
    nothing.locate()->click();
    QTRY_COMPARE(m_window->document().scenario().tensors.path, there.toStdString());
    QVERIFY(settle(*m_window));
    QTRY_VERIFY(!nothing.isVisible());
    m_window->session().restore(session);
    QVERIFY(settle(*m_window));
    QTRY_VERIFY(nothing.isVisible());
    nothing.without()->click();
    QVERIFY(settle(*m_window));
    QCOMPARE(m_window->document().scenario().source.id, std::string("local"));

    session.scenario.tensors.path.clear();
    m_window->session().restore(session);
    QVERIFY(settle(*m_window));
    QTRY_VERIFY(nothing.isVisible());
    QVERIFY(nothing.open()->isVisible() && !nothing.locate()->isVisible() && !nothing.without()->isVisible());
}

/// One that is a model's, typed, or chosen in the list; another one is gone into.
void WindowFilesTest::theDialogOpensAFolderToo()
{
    QTemporaryDir folder;
    const QString model = folder.filePath("model"), other = folder.filePath("other");
    QVERIFY(QDir().mkpath(model) && QDir().mkpath(other));
    QFile config(model + "/config.json");
    QVERIFY(config.open(QIODevice::WriteOnly) && config.write("{}") > 0);
    config.close();
    const auto isModelFolder = [](const QString& path) { return QFile::exists(path + "/config.json"); };
    QString wentInto;
    const auto answer = [&](const std::function<void(QFileDialog&)>& act) {
        QTimer::singleShot(200, m_window.get(), [&] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            act(*dialog);
            if (QApplication::activeModalWidget() == dialog) {
                wentInto = dialog->directory().absolutePath();
                dialog->reject();
            }
        });
        return fileOrFolderToOpen(*m_window, QStringLiteral("Open"), folder.path(), QStringLiteral("Tensors (*.npy)"),
                                  isModelFolder);
    };
    const auto typing = [](const QString& text) {
        return [text](QFileDialog& dialog) {
            auto* field = dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
            QVERIFY(field);
            field->setText(text);
            QTest::keyClick(field, Qt::Key_Return);
        };
    };
    QCOMPARE(answer(typing(model)), model);
    QCOMPARE(answer(typing(model + QLatin1Char('/'))), model);
    QCOMPARE(answer(typing(QStringLiteral("model"))), model);
    QCOMPARE(answer(typing(other)), QString());
    QCOMPARE(wentInto, other);
    QVERIFY(QFile::copy(config.fileName(), folder.filePath("a.npy")));
    QCOMPARE(answer(typing(folder.filePath("a.npy"))), folder.filePath("a.npy"));
    QCOMPARE(answer([&](QFileDialog& dialog) {
                 dialog.setDirectory(model);
                 QMetaObject::invokeMethod(&dialog, "accept");
             }),
             model);
    QCOMPARE(answer([&](QFileDialog& dialog) {
                 auto* list = dialog.findChild<QAbstractItemView*>(QStringLiteral("treeView"));
                 QVERIFY(list && list->isVisible());
                 QModelIndex at;
                 QTRY_VERIFY(([&] {
                     for (int row = 0; row < list->model()->rowCount(list->rootIndex()); ++row)
                         if (const auto one = list->model()->index(row, 0, list->rootIndex());
                             one.data().toString() == QLatin1String("model"))
                             at = one;
                     return at.isValid();
                 })());
                 list->setCurrentIndex(at);
                 QMetaObject::invokeMethod(&dialog, "accept");
             }),
             model);
}

/// While the dialog is open an answer with fewer maps comes.
void WindowFilesTest::cellsAreThoseThatWereAskedFor()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("cells.npy"));
    HeatmapPlot* plot = m_window->explore().heatmaps().tiles().back()->plot();
    const PooledMap asked = plot->map();
    emit plot->customContextMenuRequested(QPoint(20, 20));
    QAction* save = nullptr;
    for (QAction* action : plot->findChildren<QAction*>())
        if (action->text().startsWith(QStringLiteral("Save the cells")))
            save = action;
    QVERIFY(save);
    if (QWidget* menu = QApplication::activePopupWidget())
        menu->close();
    const QPointer<HeatmapPlot> gone = plot;
    QTimer::singleShot(0, m_window.get(), [&] {
        m_window->document().edit(QStringLiteral("Methods"), [](Scenario& scenario) {
            scenario.methods.resize(1);
            scenario.n = 32;
        });
        QVERIFY(QTest::qWaitFor([&] { return settle(*m_window) && !gone; }, patience));
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog);
        dialog->findChild<QLineEdit*>()->setText(path);
        static_cast<QDialog*>(dialog)->done(QDialog::Accepted);
    });
    save->trigger();
    QVERIFY(!gone);
    const auto file = TensorFile::open(path.toStdString());
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    QCOMPARE(*file->read<float>(file->tensors().front()), asked.values);
}

/// A tensor of (tokens, width of a model) is one head of that size.
void WindowFilesTest::largeHeadsAreShownAndKept()
{
    QTemporaryDir folder;
    const QString tensors = folder.filePath(QStringLiteral("wide.safetensors")),
                  kept = folder.filePath(QStringLiteral("wide.attnscope"));
    std::vector<float> values(8 * 5120);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = std::sin(static_cast<float>(i));
    QVERIFY(writeSafetensors(tensors.toStdString(),
                             std::vector{tensorView("q", {8, 5120}, values), tensorView("k", {8, 5120}, values)}));
    m_window->openFile(tensors);
    QTRY_COMPARE(m_window->document().scenario().d, 5120);
    QVERIFY(settle(*m_window));
    QVERIFY2(!m_window->messages().showsError(), qPrintable(m_window->messages().message()));
    QCOMPARE(m_window->analyser().current()->keyCount, std::int64_t{8});
    const auto saved = saveSession(m_window->session().current(), kept);
    QVERIFY2(saved, saved ? "" : saved.error().message.c_str());
    QCOMPARE(loadSession(kept)->scenario.d, 5120);
}

QTEST_MAIN(WindowFilesTest)
#include "window_files_test.moc"
