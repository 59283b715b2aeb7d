// Every head of every layer of a file: whose entropy moves most, and the way to it.

#include "core/attention/normaliser.h"
#include "core/rows/rows.h"
#include "core/tensor/tensor_writer.h"
#include "tests/ui/window_support.h"
#include "ui/workbench/document.h"
#include "ui/window/palette_entries.h"
#include "ui/explore/file_heads_view.h"
#include "ui/explore/head_history.h"
#include "ui/views/chart_view.h"
#include "ui/explore/learn_view.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/figure/counted_rows.h"
#include "ui/views/head_overview.h"
#include "ui/widgets/value_table.h"

#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QHeaderView>
#include <QLineEdit>
#include <QListWidget>
#include <QMainWindow>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>

#include <array>
#include <cmath>
#include <functional>

using namespace attnscope;
using namespace attnscope::testing;
using Change = std::function<void(Scenario&)>;
Q_DECLARE_METATYPE(Change)

class FileHeadsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareApplication(); }
    void init();
    void cleanup() { m_window.reset(); }
    void everyHeadIsACellAndARow();
    void theRowsThatCountAreThoseOfTheSwitch();
    void layersAreNamedByWhatTellsThemApart();
    void cellsHaveTheRoomOfALowWindow();
    void theTableHasWhatCellsLeave();
    void aKindLeadsToItsHeads();
    void aCellSaysWhatItIs();
    void aCellLeadsToItsHead();
    void aRowLeadsToItsHead();
    void whereNothingIsToldALongerLengthIsOffered();
    void inALowWindowTheGridHasRoom();
    void theHeadThatMovesMostIsInSight();
    void theTableKeepsItsPlace();
    void panelsComeBackWithTheirFile_data();
    void panelsComeBackWithTheirFile();
    void panelsOfTheFirstFileComeBackToo();
    void numbersAreNotShownForWhatTheyAreNotOf_data();
    void numbersAreNotShownForWhatTheyAreNotOf();
    void whatIsAFilesOwnStaysWithIt_data();
    void whatIsAFilesOwnStaysWithIt();
    void aFileThatWasWrittenAnewIsReadAnew();
    void writingsBecomeLines();
    void linesAreAgainstTheStep();
    void filesOfARunAreTurnedOver();
    void everyHeadOverTheFilesOfItsRun();
    void aFileThatWasMendedOpens();
    void aBrokenFileDoesNotTakeTheDocumentsPlace();
    void everyMethodCountsWithTheHeadSizeOfTheFile();

private:
    bool write(const QString& path, float factor, const std::string& step = {});
    QString path() const { return m_folder.filePath(QStringLiteral("two.safetensors")); }
    FileHeadsView& view() { return m_window->explore().fileHeads(); }
    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;
};

/// Two layers of three heads over 64 tokens, trained at 16; layer 1 has the sharper rows.
bool FileHeadsTest::write(const QString& to, float factor, const std::string& step)
{
    std::vector<std::vector<float>> values;
    std::vector<TensorView> views;
    values.reserve(4);
    for (const char* name : {"layer0.q", "layer0.k", "layer1.q", "layer1.k"}) {
        std::vector<float> of(3 * 64 * 8);
        const float size = factor * (name[5] == '1' ? 2.0F : 0.7F);
        for (std::size_t i = 0; i < of.size(); ++i)
            of[i] =
                size * std::sin((0.3F + 0.37F * static_cast<float>(values.size())) * static_cast<float>(i * i % 4099));
        values.push_back(std::move(of));
        views.push_back(tensorView(name, {3, 64, 8}, values.back()));
    }
    std::map<std::string, std::string> metadata{{"causal", "true"}, {"n_train", "16"}};
    if (!step.empty())
        metadata["step"] = step;
    return writeSafetensors(to.toStdString(), views, metadata).has_value();
}

void FileHeadsTest::init()
{
    QVERIFY(write(path(), 1));
    m_window = smallWindow({1400, 900});
    QVERIFY(m_window && settle(*m_window));
    m_window->openFile(path());
    QTRY_COMPARE(m_window->document().scenario().source.id, std::string("tensors"));
    m_window->showDock(QStringLiteral("all heads"));
    QTRY_VERIFY(view().heads().isComplete());
}

void FileHeadsTest::everyHeadIsACellAndARow()
{
    QCOMPARE(view().overview()->values().size(), size_t(2));
    QCOMPARE(view().overview()->values()[1].size(), size_t(3));
    QCOMPARE(view().table()->rowCount(), 6);
    double before = INFINITY;  // sorted by the multiplier, the largest first
    for (int row = 0; row < 6; ++row) {
        const double m = view().table()->item(row, 2)->data(Qt::UserRole).toDouble();
        QVERIFY(m <= before);
        before = m;
    }
    view().measure()->setCurrentIndex(view().measure()->findData(QStringLiteral("entropy")));
    emit view().measure()->activated(view().measure()->currentIndex());
    QCOMPARE(m_window->document().look().headsBy, std::string("entropy"));
    QVERIFY2(view().overview()->values()[0][0] > view().overview()->values()[1][0], "smaller logits spread further");
}

/// In a narrow column too: of "layer0, before RoPE" the number is not what is left out.
/// Of all rows and of those that see about n keys: both tables of heads, and what is said beside each.
void FileHeadsTest::theRowsThatCountAreThoseOfTheSwitch()
{
    m_window->document().editOnce(QStringLiteral("n"), [](Scenario& now) { now.n = 64; });
    double before = 0;
    for (const RowSet::Kind rows : {RowSet::Kind::SeeingAboutN, RowSet::Kind::All}) {
        m_window->document().editOnce(QStringLiteral("Rows"), [rows](Scenario& now) { now.view.rows = rows; });
        QVERIFY(settle(*m_window));
        QTRY_VERIFY(view().heads().isComplete());
        const QString words = rows == RowSet::Kind::All ? QStringLiteral("all rows") : QString(lastQuarter);
        QVERIFY2(view().said().contains(words), qPrintable(view().said()));
        const AnalysisPtr& analysis = m_window->analyser().current();
        const double keeps = analysis->heads[0].numbers.keepsEntropy.value();
        QVERIFY(std::abs(keeps - before) > 1e-3);
        before = keeps;
        QCOMPARE(view().heads().layers()[0][0].keepsEntropy.value(), keeps);
    }
}

void FileHeadsTest::layersAreNamedByWhatTellsThemApart()
{
    m_window->resize(1280, 720);
    m_window->openShippedHeads(QStringLiteral("stories"));
    QTRY_COMPARE(view().heads().layers().size(), size_t(3));
    QTRY_VERIFY(view().heads().isComplete());
    QCOMPARE(view().heads().names(), QStringList({"layer 0", "layer 1", "layer 2"}));
}

/// The cells come first: a table that has no room for two rows is not there, and which rows count is said still.
void FileHeadsTest::cellsHaveTheRoomOfALowWindow()
{
    m_window = smallWindow({1280, 720});
    QVERIFY(m_window);
    m_window->openShippedHeads(QStringLiteral("stories"));
    QTRY_COMPARE(view().heads().layers().size(), size_t(3));
    m_window->showDock(QStringLiteral("all heads"));
    QTRY_VERIFY(view().heads().isComplete() && view().overview()->isVisible());
    QTRY_VERIFY2(view().overview()->cell(0, 0).height() >= 24,
                 qPrintable(QString::number(view().overview()->cell(0, 0).height())));
    const ValueTable& table = *view().table();
    QVERIFY(!table.isVisible() || table.viewport()->height() >= 2 * table.rowHeight(0));
    QVERIFY2(view().said().contains(QLatin1String("rows")), qPrintable(view().said()));
}

/// Beside cells of 32 pixels; a layer is a number in a column called so, and what the table is of stands in the title.
void FileHeadsTest::theTableHasWhatCellsLeave()
{
    m_window = smallWindow({1600, 1000});
    QVERIFY(m_window);
    m_window->openShippedHeads(QStringLiteral("stories"));
    QTRY_COMPARE(view().heads().layers().size(), size_t(3));
    m_window->showDock(QStringLiteral("all heads"));
    QTRY_VERIFY(view().heads().isComplete() && view().table()->isVisible());
    const int heads = static_cast<int>(view().heads().layers().front().size());
    QTRY_VERIFY2(std::abs(view().overview()->cell(0, 0).width() - (heads >= 7 ? 32 : 200.0 / heads)) < 2,
                 qPrintable(QString::number(view().overview()->cell(0, 0).width())));
    QStringList layers;
    for (int row = 0; row < view().table()->rowCount(); ++row)
        layers << view().table()->item(row, 0)->text();
    layers.removeDuplicates();
    layers.sort();
    QCOMPARE(layers, QStringList({"0", "1", "2"}));
    QVERIFY(m_window->explore().dock(QStringLiteral("all heads"))->titleBarWidget()->isAncestorOf(view().caption()));
}

/// Typed into Ctrl+K, the kind of a head leads to the heads that are most of it.
void FileHeadsTest::aKindLeadsToItsHeads()
{
    CommandPalette palette(m_window.get(), [this] { return paletteEntries(*m_window); });
    for (const auto& [typed, id] : {std::pair("sinks", "sinks"),
                                    {"previous token", "previous"},
                                    {"induction", "induction"},
                                    {"local", "near"},
                                    {"itself", "itself"}}) {
        m_window->explore().dock(QStringLiteral("all heads"))->hide();
        palette.open();
        palette.field()->setText(QString::fromLatin1(typed));
        QVERIFY2(palette.list()->item(0)->text().startsWith("Heads by"), qPrintable(palette.list()->item(0)->text()));
        QTest::keyClick(palette.field(), Qt::Key_Return);
        QCOMPARE(m_window->document().look().headsBy, std::string(id));
        QVERIFY(!m_window->explore().dock(QStringLiteral("all heads"))->isHidden());
        QTRY_VERIFY(view().heads().isComplete());
        const ValueTable& table = *view().table();
        const int column = table.horizontalHeader()->sortIndicatorSection();
        double before = INFINITY;
        for (int row = 0; row < table.rowCount(); ++row) {
            const double value = table.item(row, column)->data(Qt::UserRole).toDouble();
            QVERIFY(!(value > before));
            before = value;
        }
        const auto layer = static_cast<size_t>(table.item(0, 0)->data(Qt::UserRole).toDouble()),
                   head = static_cast<size_t>(table.item(0, 1)->data(Qt::UserRole).toDouble());
        const double value = table.item(0, column)->data(Qt::UserRole).toDouble(),
                     cell = view().overview()->values()[layer][head];
        QVERIFY(value == cell || (std::isnan(value) && std::isnan(cell)));  // without tokens there is no induction
    }
}

void FileHeadsTest::aCellSaysWhatItIs()
{
    const HeadOverview& overview = *view().overview();
    const QString tip = overview.tip(1, 2);
    const QString m = QStringLiteral("m = %1").arg(overview.values()[1][2], 0, 'g', 3);
    for (const QString& part : {QStringLiteral("Layer 1, head 2"), QStringLiteral("Multiplier for H(N)"),
                                std::isfinite(overview.values()[1][2]) ? m : QStringLiteral("not known")})
        QVERIFY2(tip.contains(part), qPrintable(tip));
}

void FileHeadsTest::aCellLeadsToItsHead()
{
    QTest::mouseClick(view().overview(), Qt::LeftButton, {}, view().overview()->cell(1, 2).center().toPoint());
    QCOMPARE(m_window->document().scenario().tensors.query, std::string("layer1.q"));
    QCOMPARE(m_window->document().scenario().tensors.head, 2);
    m_window->document().undo();
    QCOMPARE(m_window->document().scenario().tensors.query, std::string("layer0.q"));
}

void FileHeadsTest::aRowLeadsToItsHead()
{
    view().table()->setFocus();
    view().table()->selectRow(5);
    const int layer = static_cast<int>(view().table()->item(5, 0)->data(Qt::UserRole).toDouble());
    QCOMPARE(view().table()->item(5, 0)->text(), QString::number(layer));
    const int head = static_cast<int>(view().table()->item(5, 1)->data(Qt::UserRole).toDouble());
    QCOMPARE(m_window->document().scenario().tensors.query, "layer" + std::to_string(layer) + ".q");
    QCOMPARE(m_window->document().scenario().tensors.head, head);
}

void FileHeadsTest::whereNothingIsToldALongerLengthIsOffered()
{
    QVERIFY(!view().longer()->isVisible());
    m_window->document().edit(QStringLiteral("Length n"), [](Scenario& scenario) { scenario.n = 16; });
    QVERIFY(view().longer()->isVisible());
    QVERIFY2(view().said().contains(QStringLiteral("say nothing yet")), qPrintable(view().said()));
    QTest::mouseClick(view().longer(), Qt::LeftButton);
    QCOMPARE(m_window->document().scenario().n, 32);
    QVERIFY(!view().longer()->isVisible());
    m_window->document().edit(QStringLiteral("Trained at N"), [](Scenario& scenario) {
        scenario.n = 64, scenario.nTrain = 64;
    });  // as long as the file
    QCOMPARE(view().longer()->text(), QStringLiteral("Try N = 32"));
    QTest::mouseClick(view().longer(), Qt::LeftButton);
    QCOMPARE(m_window->document().scenario().nTrain, 32.0);
    QCOMPARE(m_window->document().scenario().n, 64);
}

/// The tab that raises it makes it higher than a line of numbers needs to be.
void FileHeadsTest::inALowWindowTheGridHasRoom()
{
    m_window->resize(1280, 720);
    m_window->showDock(QStringLiteral("heads"));
    m_window->explore().resizeDocks({qobject_cast<QDockWidget*>(view().parentWidget()->parentWidget())}, {150},
                                    Qt::Vertical);
    QVERIFY(settle(*m_window));
    m_window->showDock(QStringLiteral("all heads"));
    QVERIFY(settle(*m_window));
    QVERIFY2(view().overview()->cell(0, 0).height() >= 16,
             qPrintable(QString::number(view().overview()->cell(0, 0).height())));
}

void FileHeadsTest::theHeadThatMovesMostIsInSight()
{
    m_window->resize(1280, 640);
    QVERIFY(settle(*m_window));
    const int last =
        static_cast<int>(view().table()->item(view().table()->rowCount() - 1, 1)->data(Qt::UserRole).toDouble());
    const int layer =
        static_cast<int>(view().table()->item(view().table()->rowCount() - 1, 0)->data(Qt::UserRole).toDouble());
    QTest::mouseClick(view().overview(), Qt::LeftButton, {}, view().overview()->cell(layer, last).center().toPoint());
    QSignalSpy changed(&view().heads(), &FileHeads::changed);
    m_window->document().edit(QStringLiteral("Length n"), [](Scenario& scenario) { scenario.n = 48; });
    QTRY_VERIFY(!changed.empty() && view().heads().isComplete());
    QCOMPARE(view().table()->rowAt(1), 0);
}

/// Whatever workspace one comes from: at its top, or where it was scrolled to.
void FileHeadsTest::theTableKeepsItsPlace()
{
    m_window->resize(1280, 640);
    QVERIFY(settle(*m_window));
    ValueTable* table = view().table();
    table->selectRow(table->rowCount() - 1);  // the last one is looked at
    QVERIFY(settle(*m_window));
    QScrollBar* bar = table->verticalScrollBar();
    QVERIFY(bar->maximum() > 0);
    for (const int at : {0, 1}) {
        bar->setValue(at);
        for (const QString& other : {labsWorkspace, learnWorkspace}) {
            m_window->setWorkspace(other);
            QTest::qWait(20);
            m_window->setWorkspace(exploreWorkspace);
            QTest::qWait(50);
            QCOMPARE(bar->value(), at);
        }
    }
}

void FileHeadsTest::panelsComeBackWithTheirFile_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("lesson");
    QTest::addColumn<bool>("stage");
    for (const QSize size : {QSize(1280, 700), QSize(1400, 900)}) {
        QTest::addRow("a lesson, %d high", size.height()) << size << true << false;
        QTest::addRow("a lesson on the stage, %d high", size.height()) << size << true << true;
        QTest::addRow("New and undo, %d high", size.height()) << size << false << false;
    }
}

/// Each in its place again, and the scenario's panel as high as before.
void FileHeadsTest::panelsComeBackWithTheirFile()
{
    QFETCH(QSize, size);
    QFETCH(bool, lesson);
    QFETCH(bool, stage);
    m_window->resize(size);
    m_window->resetLayout();
    m_window->showDock(QStringLiteral("all heads"));
    QVERIFY(settle(*m_window));
    const auto places = [this] {
        std::vector<std::pair<QString, QRect>> all;
        for (const QDockWidget* dock : m_window->explore().docks())
            if (!dock->isHidden()) {  // one behind others in tabs has the size that it was seen in last
                const bool seen = dock->geometry().intersects(m_window->explore().rect());
                all.emplace_back(dock->objectName(), seen ? dock->geometry() : QRect());
            }
        return all;
    };
    constexpr int rounding = 4;  // pixels of a share
    const auto areAlike = [](const auto& some, const auto& others) {
        return std::ranges::equal(some, others, [](const auto& one, const auto& other) {
            const QMargins apart =
                QMargins(one.second.left() - other.second.left(), one.second.top() - other.second.top(),
                         one.second.right() - other.second.right(), one.second.bottom() - other.second.bottom());
            return one.first == other.first &&
                   std::max({std::abs(apart.left()), std::abs(apart.top()), std::abs(apart.right()),
                             std::abs(apart.bottom())}) <= rounding;
        });
    };
    QTest::qWait(200);
    const auto before = places();
    if (lesson) {
        m_window->showDock(QStringLiteral("learn"));
        m_window->explore().learn().openLesson(0);
    } else {
        m_window->session().beginAnew();
    }
    QVERIFY(settle(*m_window));
    QTRY_VERIFY(m_window->explore().dock(QStringLiteral("all heads"))->isHidden());
    QVERIFY(m_window->explore().dock(QStringLiteral("heads"))->isHidden());
    m_window->presentation().setOn(stage);
    QTest::qWait(50);
    m_window->presentation().setOn(false);
    m_window->resize(size);
    QTest::qWait(50);
    if (lesson)
        m_window->explore().learn().close();
    else
        m_window->document().undo();
    QVERIFY(settle(*m_window));
    if (!QTest::qWaitFor([&] { return areAlike(places(), before); }))
        QCOMPARE(places(), before);
}

/// Of a window that began with it.
void FileHeadsTest::panelsOfTheFirstFileComeBackToo()
{
    WholeWindow window(m_window->document().scenario());
    window.resize(1280, 700);
    window.resetLayout();
    window.show();
    QVERIFY(settle(window));
    const QDockWidget* heads = window.explore().dock(QStringLiteral("heads"));
    QVERIFY(!heads->isHidden());
    window.session().beginAnew();
    QVERIFY(settle(window));
    QVERIFY(heads->isHidden());
    window.document().undo();
    QVERIFY(!heads->isHidden());
}

void FileHeadsTest::numbersAreNotShownForWhatTheyAreNotOf_data()
{
    QTest::addColumn<Change>("change");
    QTest::addRow("n") << Change([](Scenario& scenario) { scenario.n = 32; });
    QTest::addRow("N") << Change([](Scenario& scenario) { scenario.nTrain = 8; });
    QTest::addRow("method") << Change([](Scenario& scenario) { scenario.methods = {{"log_n", {}, {}}}; });
    QTest::addRow("temperature") << Change([](Scenario& scenario) { scenario.temperature = 3; });
    QTest::addRow("no file") << Change([](Scenario& scenario) { scenario = withSource(scenario, {"local", {}, {}}); });
}

/// Those of before are gone at once; seen or not, they are of what is asked for once they are complete.
void FileHeadsTest::numbersAreNotShownForWhatTheyAreNotOf()
{
    QFETCH(Change, change);
    const auto before = view().heads().layers();
    m_window->document().editOnce(QStringLiteral("Change"), change);
    QVERIFY(view().heads().layers().empty() && !view().heads().isComplete());
    m_window->setWorkspace(QStringLiteral("learn"));
    m_window->document().undo();
    m_window->setWorkspace(QStringLiteral("explore"));
    QTRY_VERIFY(view().heads().isComplete());
    QCOMPARE(view().heads().layers().size(), before.size());
    for (std::size_t layer = 0; layer < before.size(); ++layer)
        for (std::size_t head = 0; head < before[layer].size(); ++head)
            QCOMPARE(view().heads().layers()[layer][head].entropy, before[layer][head].entropy);
}

void FileHeadsTest::whatIsAFilesOwnStaysWithIt_data()
{
    QTest::addColumn<QString>("normaliser");
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("expected");
    QTest::addRow("finished weights") << "as_given"
                                      << "tensors"
                                      << "softmax";
    QTest::addRow("sinks of the file") << "sink:\"sinks.npy\""
                                       << "tensors"
                                       << "softmax";
    QTest::addRow("chosen") << "entmax:alpha=1.3"
                            << "tensors"
                            << "entmax:alpha=1.3";
    QTest::addRow("chosen without a file") << "sink:\"sinks.npy\""
                                           << "local"
                                           << "sink:\"sinks.npy\"";
}

/// Another source has no finished weights: logits of it that stood for themselves would not be weights.
void FileHeadsTest::whatIsAFilesOwnStaysWithIt()
{
    QFETCH(QString, normaliser);
    QFETCH(QString, from);
    QFETCH(QString, expected);
    const auto parsed = [](const QString& id) { return *parseChoice(id.toStdString(), normalisers(), "normaliser"); };
    Scenario scenario = m_window->document().scenario();
    scenario.source = {from.toStdString(), {}, {}};
    scenario.attention.normaliser = parsed(normaliser);
    QCOMPARE(withSource(scenario, {"gaussian", {}, {}}).attention.normaliser, parsed(expected));
}

/// Opened again: sharper logits, less entropy, in the overview and in the table of methods.
void FileHeadsTest::aFileThatWasWrittenAnewIsReadAnew()
{
    QVERIFY(settle(*m_window));
    const double overview = view().heads().layers()[0][0].entropy;
    const double shown = entropyMean(m_window->analyser().current()->methods.front().rows).mean;
    QVERIFY(write(path(), 3));
    m_window->openFile(path());
    QTRY_VERIFY(view().heads().isComplete() && view().heads().layers()[0][0].entropy < overview - 0.1);
    QTRY_VERIFY(settle(*m_window) &&
                entropyMean(m_window->analyser().current()->methods.front().rows).mean < shown - 0.1);
}

/// A training run writes its heads again, sharper each time, while the table of all heads is open: a line a head.
void FileHeadsTest::writingsBecomeLines()
{
    const auto entropyNow = [this](std::size_t layer, std::size_t head) {
        return view().heads().layers()[layer][head].entropy;
    };
    const auto writings = [this] { return view().heads().writings().size(); };
    QVERIFY(view().overTime()->isHidden());
    m_window->document().editLook([](Look& look) { look.headsBy = "entropy"; });
    std::vector<double> first{entropyNow(0, 0)}, last{entropyNow(1, 2)};
    for (const float factor : {1.5F, 2.5F}) {
        QVERIFY(write(path(), factor));
        const std::size_t before = writings();
        QTRY_COMPARE_WITH_TIMEOUT(writings(), before + 1, patience);
        first.push_back(entropyNow(0, 0));
        last.push_back(entropyNow(1, 2));
        QVERIFY(first.back() < first[first.size() - 2]);  // larger logits: sharper rows
    }
    QVERIFY(!view().overTime()->isHidden());
    QVERIFY(view().table()->isVisible());
    view().overTime()->click();
    QVERIFY(!view().table()->isVisible() && view().lines()->isVisible());
    const ChartSpec chart = view().lines()->spec();
    QCOMPARE(chart.series.size(), std::size_t(6));
    QCOMPARE(chart.x.title, QStringLiteral("Writing of the file"));
    const auto line = [&](const QString& label) {
        return std::ranges::find_if(chart.series, [&](const ChartSeries& one) { return one.label == label; });
    };
    for (const auto& [label, values] : {std::pair(u"layer 0, head 0"_s, first), {u"layer 1, head 2"_s, last}}) {
        QVERIFY2(line(label) != chart.series.end(), qPrintable(label));
        QCOMPARE(line(label)->points.size(), std::size_t(3));
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(line(label)->points[i].x, double(i + 1));
            QVERIFY(std::abs(line(label)->points[i].y - values[i]) < 1e-5);
        }
    }
    QCOMPARE(chart.series.back().label, QStringLiteral("layer 0, head 0"));  // the chosen one, above the others
    m_window->document().editLook(
        [](Look& look) { look.headsBy = "gradient"; });  // a session may say so: files have none
    for (const ChartSeries& one : view().lines()->spec().series)
        QVERIFY(std::ranges::all_of(one.points, [](const ChartPoint& point) { return std::isnan(point.y); }));
    m_window->document().editLook([](Look& look) { look.headsBy = "entropy"; });
    emit view().lines()->clicked({}, ChartHit{3, 0, 0});  // after heads 1 and 2 of layer 0, and 0 of 1
    QCOMPARE(m_window->document().scenario().tensors.head, 1);
    QCOMPARE(m_window->document().scenario().tensors.query, std::string("layer1.q"));
    QTRY_COMPARE(view().lines()->spec().series.back().label, QStringLiteral("layer 1, head 1"));
    m_window->document().edit(u"Temperature"_s, [](Scenario& scenario) { scenario.temperature = 2; });
    QTRY_VERIFY_WITH_TIMEOUT(writings() == 1 && view().heads().isComplete(), patience);  // another question
    QVERIFY(view().lines()->isVisible());  // and that is said; nothing goes from under the pointer
    QTRY_VERIFY_WITH_TIMEOUT(view().said().startsWith(u"Begins anew, at n = 64"_s), patience);
    view().overTime()->click();
    QVERIFY(view().table()->isVisible());
}

void FileHeadsTest::linesAreAgainstTheStep()
{
    const auto writings = [this] { return view().heads().writings().size(); };
    QVERIFY(write(path(), 1, "100"));
    QTRY_COMPARE_WITH_TIMEOUT(writings(), std::size_t(2), patience);
    view().overTime()->click();
    QCOMPARE(view().lines()->spec().x.title, QStringLiteral("Writing of the file"));  // the first has none
    m_window->document().edit(u"Temperature"_s, [](Scenario& scenario) { scenario.temperature = 2; });
    QTRY_VERIFY_WITH_TIMEOUT(writings() == 1 && view().heads().isComplete(), patience);
    for (const char* step : {"200", "400"}) {
        const std::size_t before = writings();
        QVERIFY(write(path(), 2, step));
        QTRY_COMPARE_WITH_TIMEOUT(writings(), before + 1, patience);
    }
    view().overTime()->click();
    const ChartSpec chart = view().lines()->spec();
    QCOMPARE(chart.x.title, QStringLiteral("Step"));
    QCOMPARE(chart.series.front().points.front().x, 100.0);
    QCOMPARE(chart.series.front().points.back().x, 400.0);
}

/// Three checkpoints in folders of their own, sharper each time: the same head of each is a click away.
void FileHeadsTest::filesOfARunAreTurnedOver()
{
    const auto file = [this](int step) {
        QDir(m_folder.path()).mkpath(QStringLiteral("run/checkpoint-%1").arg(step));
        return m_folder.filePath(QStringLiteral("run/checkpoint-%1/heads.safetensors").arg(step));
    };
    for (const int step : {50, 100, 1000})
        QVERIFY(write(file(step), 1 + float(step) / 500));
    const auto named = [this](const QString& name) {
        const auto all = m_window->findChildren<QToolButton*>();
        return *std::ranges::find(all, name, &QWidget::accessibleName);
    };
    QToolButton* const later = named(u"The next file"_s);
    QVERIFY(!later->isVisible());
    m_window->openFile(file(100));
    QTRY_VERIFY(later->isVisible());
    m_window->document().editOnce(u"Head"_s, [](Scenario& scenario) {
        scenario.tensors.head = 2;
        scenario.n = 40;
    });
    later->click();
    const auto path = [this] { return QString::fromStdString(m_window->document().scenario().tensors.path); };
    QCOMPARE(path(), file(1000));  // by number: in the order of letters it is before 50
    QTRY_VERIFY(m_window->offers().current() && !later->isEnabled() && later->isVisible());
    QCOMPARE(m_window->document().scenario().tensors.head, 2);
    QCOMPARE(m_window->document().scenario().n, std::int64_t(40));
    QToolButton* const earlier = named(u"The file before"_s);
    earlier->click();
    QTRY_VERIFY(m_window->offers().current());
    earlier->click();
    QCOMPARE(path(), file(50));
    QTRY_VERIFY(m_window->offers().current() && !earlier->isEnabled());
    m_window->document().undo();
    QCOMPARE(path(), file(100));
}

/// Each file's numbers are those that it has when it is opened itself; a click on the chart opens it there.
void FileHeadsTest::everyHeadOverTheFilesOfItsRun()
{
    const auto file = [this](int step) {
        return m_folder.filePath(QStringLiteral("runs/qk_%1.safetensors").arg(step));
    };
    QDir(m_folder.path()).mkpath(QStringLiteral("runs"));
    for (const int step : {9, 20, 100})
        QVERIFY(write(file(step), 1 + float(step) / 40));
    QFile broken(file(30));
    QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("no tensors"));
    broken.close();
    m_window->document().editLook([](Look& look) { look.headsBy = "entropy"; });
    m_window->openFile(file(9));
    QTRY_VERIFY(view().overTime()->isVisible() && view().heads().isComplete());
    QVERIFY(view().heads().writings().empty());  // none is read before it is asked for
    view().overTime()->click();
    QTRY_COMPARE_WITH_TIMEOUT(view().heads().writings().size(), std::size_t(3), patience);
    QTRY_VERIFY2(view().said().startsWith(u"3 files of its run; 1 without these heads at n = 64"_s),
                 qPrintable(view().said()));
    const ChartSpec chart = view().lines()->spec();
    QCOMPARE(chart.x.title, QStringLiteral("Number of the file"));  // the files say no step
    const auto line = std::ranges::find(chart.series, u"layer 1, head 2"_s, &ChartSeries::label);
    QVERIFY(line != chart.series.end());
    QCOMPARE(line->points.size(), std::size_t(3));
    const std::array steps{9, 20, 100};
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto& now = view().lines()->spec().series;  // the chosen one is the last
        const auto there = std::ranges::find(now, line->label, &ChartSeries::label) - now.begin();
        emit view().lines()->clicked({double(steps[i]) + 1, 0}, ChartHit{static_cast<int>(there), 0, 0});
        QCOMPARE(m_window->document().scenario().tensors.path, file(steps[i]).toStdString());
        QTRY_VERIFY(view().heads().isComplete() && !view().heads().layers().empty());
        QCOMPARE(m_window->document().scenario().tensors.head, 2);
        QCOMPARE(line->points[i].x, double(steps[i]));
        QVERIFY(std::abs(line->points[i].y - view().heads().layers()[1][2].entropy) < 1e-5);
        QTRY_COMPARE(view().lines()->spec().series.back().label, QStringLiteral("layer 1, head 2"));
        QCOMPARE(view().lines()->spec().lines.front().at, double(steps[i]));
    }
    QVERIFY(line->points[2].y < line->points[0].y);  // larger logits: sharper rows
    m_window->openFile(path());                      // of no run
    QTRY_VERIFY(view().heads().isComplete() && !view().heads().isOfRun());
}

/// By a session that is opened again.
void FileHeadsTest::aFileThatWasMendedOpens()
{
    const Session session = m_window->session().current();
    QVERIFY(QFile::resize(path(), 20));
    const auto other = smallWindow();
    QVERIFY(other);
    other->session().restore(session);
    QTRY_VERIFY(!other->offers().fault().isEmpty());
    QVERIFY(!other->offers().current());
    QVERIFY(write(path(), 1));
    other->session().restore(session);
    QTRY_VERIFY(other->offers().current());
    QVERIFY(other->offers().fault().isEmpty());
}

void FileHeadsTest::aBrokenFileDoesNotTakeTheDocumentsPlace()
{
    Document document(m_window->document().scenario());
    FileOffers offers(document);  // which reads the document's file
    QSignalSpy failed(&offers, &FileOffers::failed);
    offers.open(QStringLiteral("/no/such.safetensors"));
    QTRY_VERIFY(!failed.empty());
    QTRY_VERIFY(offers.current());
    QVERIFY(offers.fault().isEmpty());
    QVERIFY(QFile::resize(path(), 20));  // its own, opened anew and broken by now, is not offered as it was
    offers.open(path());
    QTRY_COMPARE(failed.size(), 2);
    QTRY_VERIFY(!offers.current() && !offers.fault().isEmpty());
}

/// Of a scenario from a file or a call that names the tensors, d is whatever it was: the tensors' 8 is what counts, on
/// the cards and in the pictures.
void FileHeadsTest::everyMethodCountsWithTheHeadSizeOfTheFile()
{
    for (std::size_t first = 0; first < scaleMethods().size(); first += MethodsPanel::most) {
        m_window->document().edit(QStringLiteral("Scenario"), [&](Scenario& scenario) {
            scenario.d = 64;
            scenario.methods.clear();
            for (std::size_t m = first; m < std::min(first + MethodsPanel::most, scaleMethods().size()); ++m)
                scenario.methods.push_back({scaleMethods()[m].id, {}, {}});
        });
        QVERIFY(settle(*m_window));
        const AnalysisPtr analysis = m_window->analyser().current();
        QCOMPARE(analysis->scenario.d, 8);
        for (const MethodAnalysis& method : analysis->methods) {
            MethodRow* row = methodRow(*m_window, text(method.label));
            QVERIFY2(row, method.label.c_str());
            if (!method.worked.empty())
                QCOMPARE(row->worked(), numbersIn(text(method.worked)));
        }
    }
    // infoscale's by hand: sqrt((1 - 64^(-2/8)) / (1 - 16^(-2/8))) = 1.137
    m_window->document().edit(QStringLiteral("Scenario"), [](Scenario& scenario) {
        scenario.methods = {{"infoscale", {}, {}}};
    });
    QVERIFY(settle(*m_window));
    QVERIFY2(methodRow(*m_window, QStringLiteral("InfoScale"))->worked().endsWith(u"1.137"),
             qPrintable(methodRow(*m_window, QStringLiteral("InfoScale"))->worked()));
}

QTEST_MAIN(FileHeadsTest)
#include "file_heads_test.moc"
