// What the views show, as values: charts, regions, differences, readings.
#include "core/analysis/analysis.h"
#include "ui/figure/analysis_charts.h"
#include "ui/plot/mask_edges.h"
#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"
#include "ui/views/cell_reading.h"
#include "ui/views/heatmap_plot.h"
#include "ui/views/head_overview.h"
#include "ui/figure/difference_map.h"
#include "ui/widgets/throttle.h"
#include "ui/widgets/headings.h"
#include "ui/widgets/value_table.h"
#include "ui/views/region_motion.h"
#include "tests/support/patience.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <random>

using namespace attnscope;

namespace {

/// Two methods on a row of four keys, with curves of three points.
Analysis smallAnalysis()
{
    Analysis analysis;
    analysis.scenario.n = 4;
    analysis.scenario.nTrain = 2;
    analysis.scenario.view.row = 3;
    analysis.queryCount = analysis.keyCount = 4;
    for (const double sharpness : {1.0, 2.0}) {
        MethodAnalysis method;
        method.label = sharpness == 1 ? "one" : "two";
        method.worked = "m = 1";
        method.chosen.keys = {0, 1, 2, 3};
        method.chosen.logits = {0, sharpness, 2 * sharpness, -sharpness};
        method.chosen.weights = {0.1, 0.3, 0.55, 0.05};
        method.chosenSummary.logitMax = 2 * sharpness;
        method.chosenSummary.logitMin = -sharpness;
        method.ranked = rankedWeights(method.chosen.weights);
        for (const double n : {4.0, 8.0, 16.0}) {
            const double mean = n == 4 ? 1 : n == 8 ? 1.5 : 2;
            method.measured.push_back({n, mean / sharpness, (mean - 0.1) / sharpness, (mean + 0.3) / sharpness});
        }
        method.exact = {{4, 1.1 / sharpness}, {16, 2.1 / sharpness}};
        method.rows.resize(4);
        method.rows[3].visible = 4;
        method.rows[3].entropy = std::log(2.0);
        analysis.methods.push_back(method);
    }
    return analysis;
}

PooledMap mapOf(std::vector<float> values)
{
    PooledMap map;
    map.rows = map.columns = 2;
    map.region = {0, 2, 0, 2};
    map.values = std::move(values);
    return map;
}

}  // namespace

class ViewsTest : public QObject {
    Q_OBJECT
private slots:
    void changesAreCopiedWithTheirSign();
    void theSortArrowIsAtItsWord();
    void aSortCanBeForgotten();
    void columnsHaveTheirDecimals_data();
    void coloursOfNatsHaveALeastSpan();
    void columnsOfWordsReadFromTheLeft();
    void columnsHaveTheirDecimals();
    void aNumberThatIsCutIsNotShown();
    void boundsAreSortedAsNumbers();
    void rangesAreNeverCut();
    void errorsHaveTheDecimalsOfTheirValues();
    void whatIsReadIsThrottled();
    void entropyChartHasALineAndPointsAMethod();
    void dataOfAFileAreTheLines();
    void linesOnEachOtherAreBothSeen();
    void entropyChartMarksLengths();
    void entropyChartShowsTheLargestPossible();
    void sortedWeightsFall();
    void boundsAreOfASoftmax();
    void ranksKnowTheirKeys();
    void everyHeadHasALine();
    void tokensAreRead();
    void boundsHoldTheWeights();
    void zoomKeepsThePointUnderTheCursor_data();
    void zoomKeepsThePointUnderTheCursor();
    void regionsStayInsideTheMatrix();
    void differenceIsCellByCell();
    void differenceNeedsEqualRegions();
    void readingNamesTheCell();
    void readingOfADifferenceIsOfBoth();
    void aRowIsReadFromItself();
    void readingOfAMaskedKey();
    void cellKindSaysHowMuchWasPooled();
    void maskedCellsAreParted();
};

void ViewsTest::entropyChartHasALineAndPointsAMethod()
{
    const ChartSpec chart = entropyChart(smallAnalysis());
    int lines = 0, points = 0;
    for (const ChartSeries& series : chart.series)
        if (series.style >= 0)
            (series.shape == ChartSeries::Shape::Line ? lines : points)++;
    QCOMPARE(lines, 2);
    QCOMPARE(points, 2);
    QVERIFY(chart.x.log);
    const ChartSeries& measured = chart.series[1];
    QCOMPARE(measured.points.size(), size_t(3));
    QCOMPARE(measured.points[1].x, 8.0);
    QCOMPARE(measured.points[1].y, 1.5);
    QCOMPARE(measured.points[1].low, 1.4);  // what the rows have
    QCOMPARE(measured.points[1].high, 1.8);
}

/// Theory beside them is thin and grey, and is left out where it misses them, until it is asked for.
void ViewsTest::dataOfAFileAreTheLines()
{
    Analysis analysis = smallAnalysis();
    analysis.scenario.source.id = sourceOfFiles;
    analysis.theory = "Gaussian q and k";
    const auto seriesOf = [](const ChartSpec& chart, int style) {
        std::vector<ChartSeries> found;
        for (const ChartSeries& series : chart.series)
            if (series.style == style)
                found.push_back(series);
        return found;
    };
    ChartSpec chart = entropyChart(analysis);
    QCOMPARE(seriesOf(chart, 0).size(), size_t(1));
    QVERIFY(seriesOf(chart, 0)[0].shape == ChartSeries::Shape::LinePoints && seriesOf(chart, 0)[0].band);
    QCOMPARE(seriesOf(chart, ChartSeries::reference).size(), size_t(3));  // of both methods, and ln n
    QVERIFY(seriesOf(chart, ChartSeries::reference)[0].emphasis < 1);
    for (MethodAnalysis& method : analysis.methods)
        for (CurvePoint& point : method.exact)
            point.value += 3;
    chart = entropyChart(analysis);
    QCOMPARE(seriesOf(chart, ChartSeries::reference).size(), size_t(1));
    QCOMPARE(seriesOf(entropyChart(analysis, false, true), ChartSeries::reference).size(), size_t(3));
    const auto fit = theoryOfFile(analysis);
    QVERIFY(fit && fit->misses());
    analysis.scenario.source.id = "gaussian";  // there theory is what is shown, and the points are measured
    QCOMPARE(seriesOf(entropyChart(analysis), 0).size(), size_t(2));
    QVERIFY(!theoryOfFile(analysis));
}

/// Two methods with the same values: a whole line and dashes over it, filled markers and open ones.
void ViewsTest::linesOnEachOtherAreBothSeen()
{
    Analysis analysis = smallAnalysis();
    for (MethodAnalysis& method : analysis.methods)
        method.exact.clear();
    analysis.scenario.methods = {{"softmax_plus", {}, {}}, {"vanilla", {}, {}}, {"infoscale", {}, {}}};
    analysis.methods.push_back(analysis.methods.front());
    analysis.methods.back().measured[0].value *= 1 + 1e-9;
    const auto lineOf = [](const ChartSpec& chart, int style) {
        return *std::ranges::find(chart.series, style, &ChartSeries::style);
    };
    const std::vector<int> styles = methodStyles(analysis.scenario.methods);
    const auto isOver = [](const ChartSeries& series, int others) {
        return series.dashes == others && series.open == (others > 0) && !series.solid;
    };
    const ChartSpec curves = entropyChart(analysis);
    QVERIFY(lineOf(curves, styles[0]).solid && lineOf(curves, styles[0]).dashes == 0);
    QVERIFY(isOver(lineOf(curves, styles[1]), 0) && isOver(lineOf(curves, styles[2]), 1));
    const ChartSpec weights = dispersionChart(analysis, u"sorted"_s);  // there all have the same
    QVERIFY(lineOf(weights, styles[0]).solid);
    QVERIFY(isOver(lineOf(weights, styles[1]), 1) && isOver(lineOf(weights, styles[2]), 2));
}

void ViewsTest::entropyChartMarksLengths()
{
    const ChartSpec chart = entropyChart(smallAnalysis());
    QCOMPARE(chart.lines[lineAtN].at, 4.0);
    QCOMPARE(chart.lines[lineAtTrained].at, 2.0);
    QVERIFY(chart.lines[lineAtN].strong && chart.lines[lineAtTrained].strong);
}

void ViewsTest::entropyChartShowsTheLargestPossible()
{
    const ChartSpec chart = entropyChart(smallAnalysis());
    const ChartSeries& uniform = chart.series.back();
    QCOMPARE(uniform.style, ChartSeries::reference);
    for (const ChartPoint& point : uniform.points)
        QCOMPARE(point.y, std::log(point.x));
}

void ViewsTest::sortedWeightsFall()
{
    const ChartSpec chart = dispersionChart(smallAnalysis(), "sorted");
    const auto& points = chart.series.front().points;
    const std::vector<double> expected{0.55, 0.3, 0.1, 0.05};
    QCOMPARE(points.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
        QCOMPARE(points[i].x, double(i + 1));
        QCOMPARE(points[i].y, expected[i]);
    }
}

/// Lemma 2.1 of a softmax: e^(beta delta) / n above and below 1/n, with delta = 3 and beta = 1/3. Of other normalisers
/// 1/n alone.
void ViewsTest::boundsAreOfASoftmax()
{
    Analysis analysis = smallAnalysis();
    analysis.methods[0].chosenSummary.beta = 1.0 / 3;
    const auto lines = [&] {
        std::vector<double> values;
        for (const ReferenceLine& line : dispersionChart(analysis, "sorted").lines)
            values.push_back(line.at);
        return values;
    };
    const std::vector<double> three = lines();
    QCOMPARE(three.size(), size_t{3});
    QVERIFY(std::abs(three[0] - std::exp(1) / 4) < 1e-12 && three[1] == 0.25 &&
            std::abs(three[2] - std::exp(-1) / 4) < 1e-12);
    analysis.scenario.attention.normaliser = {"softmax1", {}, {}};
    QCOMPARE(lines().size(), size_t{3});
    analysis.scenario.attention.normaliser = {"sigmoid", {}, {}};
    QCOMPARE(lines(), std::vector<double>{0.25});
}

void ViewsTest::ranksKnowTheirKeys()
{
    const Analysis analysis = smallAnalysis();  // weights 0.1, 0.3, 0.55, 0.05
    QCOMPARE(keyAtRank(analysis, 0, 0), 2);
    QCOMPARE(keyAtRank(analysis, 0, 1), 1);
    QCOMPARE(keyAtRank(analysis, 0, 3), 3);
    QCOMPARE(keyAtRank(analysis, 0, 4), -1);
    QCOMPARE(keyAtRank(analysis, 7, 0), -1);
}

void ViewsTest::everyHeadHasALine()
{
    Analysis analysis = smallAnalysis();
    analysis.scenario.tensors.head = 0;
    for (int head = 0; head < 3; ++head) {
        HeadAnalysis row;
        row.head = head;
        row.numbers.curve = {{4, 0.5 + head, 0}, {16, 1.0 + head, 0}};
        analysis.heads.push_back(row);
    }
    const ChartSpec spec = headsChart(analysis);
    QCOMPARE(spec.series.size(), size_t(5));                   // three heads, theory, ln n
    QCOMPARE(spec.series[2].label, QStringLiteral("Head 0"));  // the chosen one lies on top
    QVERIFY(spec.series[2].emphasis > spec.series[0].emphasis);
    QCOMPARE(spec.series[0].points[1].y, 2.0);
    QCOMPARE(spec.series[4].points[1].y, std::log(16.0));
    QCOMPARE(spec.lines[lineAtN].at, 4.0);
}

/// The first comes at once, the last of those that follow in the pause comes at its end, and what must not wait drops
/// what waits.
void ViewsTest::whatIsReadIsThrottled()
{
    QObject owner;
    std::vector<int> seen;
    const auto show = [&](int i) { return [&seen, i] { seen.push_back(i); }; };
    Throttle patient(&owner, std::chrono::hours(1));  // longer than any machine takes for this
    patient.run(show(1), true);
    for (int i = 2; i <= 6; ++i)
        patient.run(show(i), false);
    QCOMPARE(seen, (std::vector<int>{1}));
    patient.run(show(7), true);
    QCOMPARE(seen, (std::vector<int>{1, 7}));

    seen.clear();
    Throttle shows(&owner, std::chrono::milliseconds(1));
    shows.run(show(1), true);
    for (int i = 2; i <= 6; ++i)
        shows.run(show(i), false);
    QTRY_VERIFY(seen.back() == 6);  // those between may have come where a millisecond had gone by
    shows.run(show(7), false);
    QTRY_VERIFY(seen.back() == 7);
}

void ViewsTest::tokensAreRead()
{
    Analysis analysis = smallAnalysis();
    analysis.tokens = analysis.queryTokens = {"The", "<s>", "sat", "down"};
    const QString reading = cellReading(analysis, 0, {-1, 1}).join(' ');
    QVERIFY2(reading.contains(QStringLiteral("\u201C&lt;s&gt;\u201D")) && reading.contains(QStringLiteral("down")),
             qPrintable(reading));
    QVERIFY2(reading.contains(QStringLiteral("0.3")), qPrintable(reading));
}

void ViewsTest::boundsHoldTheWeights()
{
    const ChartSpec chart = dispersionChart(smallAnalysis(), "sorted");
    QCOMPARE(chart.lines.size(), size_t(2));  // the upper bound, e^3 / 4, is above 1 and says nothing
    QCOMPARE(chart.lines[0].at, 0.25);
    QVERIFY(qAbs(chart.lines[1].at - std::exp(-3.0) / 4) < 1e-15);
    Analysis narrow = smallAnalysis();
    narrow.methods[0].chosenSummary.logitMax = 0.5;
    narrow.methods[0].chosenSummary.logitMin = 0;
    const ChartSpec bounded = dispersionChart(narrow, "sorted");
    QCOMPARE(bounded.lines.size(), size_t(3));
    QVERIFY(qAbs(bounded.lines[0].at - std::exp(0.5) / 4) < 1e-15);
    QVERIFY(bounded.y.range && bounded.y.range->first < bounded.lines[2].at &&
            bounded.y.range->second > bounded.lines[0].at);  // both in sight
}

void ViewsTest::zoomKeepsThePointUnderTheCursor_data()
{
    QTest::addColumn<QPointF>("about");
    QTest::addColumn<double>("factor");
    QTest::addRow("middle") << QPointF(500, 500) << 2.0;
    QTest::addRow("corner") << QPointF(0, 1000) << 4.0;
    QTest::addRow("off centre") << QPointF(120, 770) << 1.5;
}

void ViewsTest::zoomKeepsThePointUnderTheCursor()
{
    QFETCH(QPointF, about);
    QFETCH(double, factor);
    const Region whole = wholeRegion(1000, 1000);
    const Region zoomed = zoomedRegion(whole, whole, factor, about);
    const double width = double(zoomed.columnEnd - zoomed.columnBegin),
                 height = double(zoomed.rowEnd - zoomed.rowBegin);
    QVERIFY(qAbs(width - 1000 / factor) <= 1);
    QVERIFY(qAbs((about.x() - double(zoomed.columnBegin)) / width - about.x() / 1000) < 2 / width);
    QVERIFY(qAbs((about.y() - double(zoomed.rowBegin)) / height - about.y() / 1000) < 2 / height);
}

void ViewsTest::regionsStayInsideTheMatrix()
{
    std::mt19937 random(5);
    std::uniform_real_distribution<double> any(-300, 1300), factor(0.2, 5);
    const Region whole = wholeRegion(700, 1000);
    Region region = whole;
    for (int i = 0; i < 2000; ++i) {
        const QPointF point(any(random), any(random));
        region = i % 2 ? zoomedRegion(region, whole, factor(random), point)
                       : pannedRegion(region, whole, point - QPointF(500, 500));
        QVERIFY(region.rowBegin >= 0 && region.rowEnd <= 700 && region.columnBegin >= 0 && region.columnEnd <= 1000);
        QVERIFY(region.rowEnd - region.rowBegin >= closestCells &&
                region.columnEnd - region.columnBegin >= closestCells);
    }
    const Region tiny = wholeRegion(3, 3);
    QVERIFY(zoomedRegion(tiny, tiny, 4, {1, 1}) == tiny);
}

void ViewsTest::differenceIsCellByCell()
{
    const auto linear = differenceMap(mapOf({0.5F, 0, 0.25F, 1}), mapOf({0.25F, 0, 0.5F, 0}), Difference::Linear);
    QVERIFY(linear);
    QCOMPARE(linear->values, (std::vector<float>{0.25F, 0, -0.25F, 1}));
    const auto ratio = differenceMap(mapOf({0.1F, 0, 0.001F, 1}), mapOf({0.01F, 0, 0.1F, 0}), Difference::LogRatio);
    QVERIFY(ratio);
    QVERIFY(qAbs(ratio->values[0] - 1) < 1e-6F);
    QCOMPARE(ratio->values[1], 0.0F);
    QVERIFY(qAbs(ratio->values[2] + 2) < 1e-6F);
    QCOMPARE(ratio->values[3], 3.0F);
    const ColourScale scale = differenceScale(*linear, nullptr);
    QCOMPARE(scale.low, -scale.high);
}

void ViewsTest::differenceNeedsEqualRegions()
{
    PooledMap other = mapOf({1, 1, 1, 1});
    other.region.rowEnd = 9;
    QVERIFY(!differenceMap(mapOf({1, 1, 1, 1}), other, Difference::Linear));
}

void ViewsTest::readingNamesTheCell()
{
    const QString reading = cellReading(smallAnalysis(), 0, {3, 2}).join(' ');
    for (const char* part : {"<b>3</b>", "<b>2</b>", "<b>0.55</b>", "0.6931", "2 of 4"})
        QVERIFY2(reading.contains(part), qPrintable(reading));
    // whose it is, then what no edge cuts: over a cell and beside them
    for (const Pointed at : {Pointed{3, 2}, Pointed{1, 0}, Pointed{}})
        QCOMPARE(cellReading(smallAnalysis(), 0, at).front(), QString::fromStdString(smallAnalysis().methods[0].label));
    QVERIFY(cellReading(smallAnalysis(), 0, {3, 2})[1].startsWith(u"<span>weight&nbsp;"));
    QVERIFY(cellReading(smallAnalysis(), 0, {1, 0})[1].contains(u"weight&nbsp;<b>\u2026"));  // of another row it comes
}

/// 0.55 of the one where the other has 0.11: five times as much.
void ViewsTest::readingOfADifferenceIsOfBoth()
{
    Analysis analysis = smallAnalysis();
    analysis.methods.resize(1);
    analysis.methods.push_back(analysis.methods.front());
    RowDetail& other = analysis.methods.back().chosen;
    for (double& weight : other.weights)
        weight /= 5;
    const QString reading = differenceReading(analysis, {0, 1}, {3, 2}).join(' ');
    for (const char* part : {"<b>3</b>", "<b>2</b>", "<b>0.55 against 0.11</b>", "ratio&nbsp;<b>5</b>"})
        QVERIFY2(reading.contains(part), qPrintable(reading));
    QVERIFY(differenceReading(analysis, {0, 1}, {3, 2})[1].startsWith(u"<span>weight&nbsp;"));
    other.keys.pop_back();
    QVERIFY(differenceReading(analysis, {0, 1}, {3, 3}).join(' ').contains("masked"));
}

/// In a preview too the numbers are of the row that they stand beside, or there are none yet.
void ViewsTest::aRowIsReadFromItself()
{
    Analysis analysis = smallAnalysis();
    analysis.sampledRows = {1, 3};
    analysis.scenario.view.row = 2;
    MethodAnalysis& method = analysis.methods.front();
    method.rows.assign(2, {});
    for (std::size_t i : {0, 1}) {
        method.rows[i].visible = 2 + 2 * static_cast<std::int64_t>(i);
        method.rows[i].entropy = 1 + double(i);
    }
    method.chosenSummary.visible = 3;
    method.chosenSummary.entropy = 0.75;
    const QString chosen = cellReading(analysis, 0, {2, -1}).join(' '),
                  sampled = cellReading(analysis, 0, {3, -1}).join(' '),
                  unknown = cellReading(analysis, 0, {0, -1}).join(' ');
    QVERIFY2(chosen.contains("<b>2</b>") && chosen.contains("0.75 nats") && chosen.contains("of 3"),
             qPrintable(chosen));
    QVERIFY2(sampled.contains("<b>3</b>") && sampled.contains("2 nats") && sampled.contains("of 4"),
             qPrintable(sampled));
    QVERIFY2(unknown.contains("<b>0</b>") && unknown.contains("computing") && !unknown.contains("nats"),
             qPrintable(unknown));
}

void ViewsTest::readingOfAMaskedKey()
{
    Analysis analysis = smallAnalysis();
    analysis.methods[0].chosen.keys.pop_back();
    QVERIFY(cellReading(analysis, 0, {3, 3}).join(' ').contains("masked"));
}

void ViewsTest::cellKindSaysHowMuchWasPooled()
{
    PooledMap map = mapOf({1, 1, 1, 1});
    QCOMPARE(cellKind(map), "a weight a cell");
    map.region = {0, 64, 0, 64};
    QCOMPARE(cellKind(map), QStringLiteral("a pixel is the mean of 32 \u00D7 32 weights"));
    QCOMPARE(cellKindInShort(map), QStringLiteral("means of 32 \u00D7 32"));
    map.region = {0, 65, 0, 65};  // 32 or 33 of them
    QCOMPARE(cellKind(map), QStringLiteral("a pixel is the mean of up to 33 \u00D7 33 weights"));
    QCOMPARE(cellKindInShort(map), QStringLiteral("means of up to 33 \u00D7 33"));
    map.region = {0, 64, 0, 64};
    map.pool = Pool::Max;
    QVERIFY(cellKind(map).contains("largest"));
    map.exact = false;
    QCOMPARE(cellKind(map), QStringLiteral("preview: a pixel is the middle of 32 \u00D7 32 weights"));
    QCOMPARE(cellKindInShort(map), QStringLiteral("preview"));
}

/// Of two queries the first sees one of two keys: the other is parted from it, and from the second query below it.
void ViewsTest::maskedCellsAreParted()
{
    PooledMap map = mapOf({1, std::numeric_limits<float>::quiet_NaN(), 1, 1});
    map.region = {10, 14, 20, 24};  // two rows and two columns a cell
    const std::vector<QLineF> edges = edgesOfMask(map);
    QCOMPARE(edges.size(), 2U);
    QCOMPARE(edges[0], QLineF(22, 12, 24, 12));
    QCOMPARE(edges[1], QLineF(22, 10, 22, 12));
    QVERIFY(edgesOfMask(mapOf({1, 1, 1, 1})).empty());
}

/// Sorted by their size, and copied as they are.
void ViewsTest::changesAreCopiedWithTheirSign()
{
    ValueTable table(QStringLiteral("Changes"), {{QStringLiteral("H - H(N)"), {}}});
    table.setRowCount(4);
    const double changes[] = {0.5, -1.25, noValue, 0.75};
    for (int row = 0; row < 4; ++row)
        table.setChange(row, 0, changes[row], 0.01);
    table.sortItems(0);
    QCOMPARE(table.asText(), QStringLiteral("H - H(N)\n0.5\n0.75\n-1.25\nnan\n"));
    table.setNumber(0, 0, -3);  // no change any more
    table.sortItems(0);
    QCOMPARE(table.asText(), QStringLiteral("H - H(N)\n-3\n0.75\n-1.25\nnan\n"));
}

/// However wide the column is; where there is no room it stands above the word.
void ViewsTest::theSortArrowIsAtItsWord()
{
    ValueTable table(QStringLiteral("Numbers"), {{QStringLiteral("Method"), {}}, {QStringLiteral("H"), {}}});
    const auto* headings = static_cast<Headings*>(table.horizontalHeader());
    const QRect wide(0, 0, 300, 24);
    const int word = QFontMetrics(table.font()).horizontalAdvance(QStringLiteral("Method"));
    QVERIFY(headings->arrow(wide, 0).isNull());
    table.sortItems(0);
    QVERIFY2(headings->arrow(wide, 0).left() > word / 2 && headings->arrow(wide, 0).right() < 2 * word + 20,
             qPrintable(QString::number(headings->arrow(wide, 0).left())));
    table.sortItems(1, Qt::DescendingOrder);
    QVERIFY(headings->arrow(wide, 0).isNull());
    QVERIFY2(headings->arrow(wide, 1).left() > 250 && headings->arrow(wide, 1).right() < 300,
             qPrintable(QString::number(headings->arrow(wide, 1).left())));
    QVERIFY(headings->arrow({0, 0, 12, 24}, 1).top() < 4);
}

/// What was clicked is forgotten, and the rows' own order asked for.
void ViewsTest::aSortCanBeForgotten()
{
    ValueTable table(QStringLiteral("Numbers"), {{QStringLiteral("Method"), {}}, {QStringLiteral("H"), {}}});
    table.setRowCount(3);
    for (int row = 0; row < 3; ++row)
        table.setNumber(row, 1, (row + 1) % 3);
    QSignalSpy forgotten(&table, &ValueTable::sortForgotten);
    table.sortItems(1);
    table.forgetSort();
    QCOMPARE(forgotten.count(), 1);
    QCOMPARE(table.horizontalHeader()->sortIndicatorSection(), -1);
    table.sortAgain(1, Qt::DescendingOrder);
    emit table.horizontalHeader()->sectionClicked(1);
    table.sortItems(1, Qt::AscendingOrder);
    table.forgetSort();  // its usual one
    QCOMPARE(table.horizontalHeader()->sortIndicatorOrder(), Qt::DescendingOrder);
    QCOMPARE(table.item(0, 1)->text(), QStringLiteral("2"));
}

/// As many decimals in every cell of a column as its largest number has, or as leave the middle one three digits.
void ViewsTest::columnsHaveTheirDecimals_data()
{
    QTest::addColumn<std::vector<double>>("numbers");
    QTest::addColumn<int>("digits");
    QTest::addColumn<QStringList>("texts");
    const auto row = [](const char* name, std::vector<double> numbers, int digits, const QStringList& texts) {
        QTest::addRow("%s", name) << std::move(numbers) << digits << texts;
    };
    row("alike", {0.5, 1.25, 3}, 4, {"0.50", "1.25", "3.00"});
    row("shares", {0.0177, 1, 0.5}, 3, {"0.018", "1.000", "0.500"});
    row("a small one", {-0.0182, 0.000479, -2.78e-5}, 3, {"\u22120.018200", "0.000479", "\u22120.000028"});
    row("whole", {64, 1024, 0}, 4, {"64", "1\u202F024", "0"});
    row("of two sizes", {0.06307, 0.0229, 0.2471}, 4, {"0.0631", "0.0229", "0.2471"});
    row("a round one", {0.9713, 0.9842, 0.897}, 4, {"0.9713", "0.9842", "0.8970"});
    row("one without", {2.5, noValue}, 4, {"2.5", "\u2013"});
    row("too small for the column", {100.5, -0.001}, 4, {"100.500", "\u22120.001"});
    row("a share that is not 0", {0.953, 4.78e-7}, 3, {"0.95300", "<0.00001"});
    row("all of them tiny", {2.5e-12, 1e-11}, 3, {"2.5\u00D710\u207B\u00B9\u00B2", "1.0\u00D710\u207B\u00B9\u00B9"});
}

/// Half a nat at least has all colours: heads that hardly differ look alike. Of shares and signs nothing changes.
void ViewsTest::coloursOfNatsHaveALeastSpan()
{
    HeadOverview heads;
    const auto coloursOf = [&](double low, double high, const char* measure) {
        heads.setValues({{low, high}}, nullptr, headMeasure(measure));
        return std::pair(heads.scale().low, heads.scale().high);
    };
    const auto [low, high] = coloursOf(6.36, 6.48, "entropy");
    QVERIFY(std::abs(low - 6.17) < 1e-9 && std::abs(high - 6.67) < 1e-9);
    QCOMPARE(coloursOf(0.01, 0.02, "entropy"), std::pair(0.0, 0.5));
    QCOMPARE(coloursOf(1, 3, "entropy"), std::pair(1.0, 3.0));
    QCOMPARE(coloursOf(0.25, 0.5, "share"), std::pair(0.25, 0.5));
    QCOMPARE(coloursOf(0.125, 0.25, "slope"), std::pair(-0.25, 0.25));
}

void ViewsTest::columnsOfWordsReadFromTheLeft()
{
    ValueTable table(
        QStringLiteral("Words"),
        {{QStringLiteral("What"), {}}, {QStringLiteral("Against"), {}, true}, {QStringLiteral("Interval"), {}}});
    table.setRowCount(1);
    table.setWords(0, 0, QStringLiteral("one"));
    table.setWords(0, 1, QStringLiteral("other"));
    table.setRange(0, 2, -1, 1);
    const Qt::Alignment sides[] = {Qt::AlignLeft, Qt::AlignLeft, Qt::AlignRight};
    for (int column = 0; column < 3; ++column)
        for (const QTableWidgetItem* one : {table.horizontalHeaderItem(column), table.item(0, column)})
            QCOMPARE(Qt::Alignment::fromInt(one->textAlignment()), sides[column] | Qt::AlignVCenter);
}

/// The first digits of a number are another number: where the edge of the table cuts it there are none.
void ViewsTest::aNumberThatIsCutIsNotShown()
{
    constexpr int numbers = 5;
    std::vector<ValueTable::Column> columns(numbers + 1, {QStringLiteral("x"), {}});
    ValueTable table(QStringLiteral("Cut"), columns);
    table.setRowCount(1);
    table.setWords(0, 0, QStringLiteral("one"));
    for (int column = 1; column <= numbers; ++column)
        table.setNumber(0, column, 1111);
    const auto pictureOf = [&](int column, double value) {
        table.setNumber(0, column, value);
        return table.grab().toImage();
    };
    int cut = 0;
    for (int width = 100; width <= 200; width += 7) {
        table.resize(width, 120);
        table.fitColumns();
        for (int column = 1; column <= numbers; ++column) {
            const int left = table.columnViewportPosition(column), right = left + table.columnWidth(column);
            const int end = table.viewport()->width();
            constexpr int air = 10;
            if (left + 20 > end || (right - air <= end && end < right))  // hardly begun, or all but its air
                continue;
            const bool whole = right <= end;
            QCOMPARE(pictureOf(column, 3901) != pictureOf(column, 5807), whole);
            cut += whole ? 0 : 1;
            table.setNumber(0, column, 1111);
        }
    }
    QVERIFY(cut > 3);
}

void ViewsTest::columnsHaveTheirDecimals()
{
    QFETCH(std::vector<double>, numbers);
    QFETCH(int, digits);
    QFETCH(QStringList, texts);
    ValueTable table(QStringLiteral("Numbers"), {{QStringLiteral("What"), {}}, {QStringLiteral("x"), {}}});
    const auto fill = [&](const std::vector<double>& of) {
        table.setRowCount(int(of.size()));
        for (int row = 0; row < table.rowCount(); ++row)
            table.setNumber(row, 1, of[std::size_t(row)], digits);
    };
    fill({0.123456});  // what was there before leaves nothing
    fill(numbers);
    QStringList shown;
    for (int row = 0; row < table.rowCount(); ++row)
        shown << table.item(row, 1)->text();
    QCOMPARE(shown, texts);
}

/// Whatever their sizes: one number of decimals down a column, the same in that of its errors and in its intervals, and
/// the smallest error has two digits of it.
void ViewsTest::errorsHaveTheDecimalsOfTheirValues()
{
    ValueTable table(QStringLiteral("Measured"), {{QStringLiteral("What"), {}},
                                                  {QStringLiteral("x"), {}},
                                                  {QStringLiteral("\u00B1"), {}, false, 1},
                                                  {QStringLiteral("95 %"), {}, false, 1},
                                                  {QStringLiteral("both"), {}},
                                                  {QStringLiteral("p"), {}}});
    table.setRowCount(3);
    static const QRegularExpression numbers(QStringLiteral("\\d[\\d\u202F]*(?:\\.(\\d+))?"));
    const QStringList probabilities{QStringLiteral("0.012"), QStringLiteral("<0.001"), QStringLiteral("1.000")};
    for (int place = -5; place <= 3; ++place) {
        const double unit = std::pow(10, place);
        const double values[] = {14.33 * unit, -0.0002 * unit, 0}, errors[] = {0.178 * unit, 0.449 * unit, 1.31 * unit},
                     ps[] = {0.0123, 4.78e-7, 1};
        for (int row = 0; row < 3; ++row) {
            table.setMeasured(row, 1, values[row], errors[row]);
            table.setNumber(row, 2, errors[row], 2);
            table.setRange(row, 3, values[row] - 2 * errors[row], values[row] + 2 * errors[row]);
            table.setWithError(row, 4, values[row], errors[row]);
            table.setProbability(row, 5, ps[row]);
            QCOMPARE(table.item(row, 5)->text(), probabilities[row]);
        }
        for (int row = 0; row < 3; ++row)
            for (int column = 1; column < 5; ++column) {
                const QString said = table.item(row, column)->text();
                int found = 0;
                for (auto each = numbers.globalMatch(said); each.hasNext(); ++found)
                    QVERIFY2(each.next().capturedLength(1) == std::max(0, 2 - place),
                             qPrintable(QStringLiteral("10^%1: %2").arg(place).arg(said)));
                QCOMPARE(found, column < 3 ? 1 : 2);
            }
    }
    table.setWithError(0, 4, -0.0022, 0.0046);
    table.setWithError(1, 4, -0.002, 0.013);
    table.setWithError(2, 4, noValue, noValue);
    QCOMPARE(table.item(0, 4)->text(), QStringLiteral("\u22120.0022 \u00B1 0.0046"));
    QCOMPARE(table.item(1, 4)->text(), QStringLiteral("\u22120.0020 \u00B1 0.0130"));
    QCOMPARE(table.item(2, 4)->text(), QStringLiteral("\u2013"));
}

/// Among numbers a bound is sorted by its own, and copied as it stands.
void ViewsTest::boundsAreSortedAsNumbers()
{
    ValueTable table(QStringLiteral("Reaches"), {{QStringLiteral("Method"), {}}, {QStringLiteral("Kept to"), {}}});
    table.setSortingEnabled(false);
    table.setRowCount(4);
    for (int row = 0; row < 4; ++row)
        table.setWords(row, 0, QString(QChar(u'a' + row)));
    table.setNumber(0, 1, 1400, 2);
    table.setBound(1, 1, 16384);
    table.setNumber(2, 1, 90, 2);
    table.setNumber(3, 1, noValue, 2);
    table.setSortingEnabled(true);
    table.sortItems(1);
    QStringList said;
    for (int row = 0; row < 4; ++row)
        said << table.item(row, 1)->text();
    QCOMPARE(said, QStringList({QStringLiteral("90"), QStringLiteral("1\u202F400"), QStringLiteral("> 16\u202F384"),
                                QStringLiteral("\u2013")}));
    QVERIFY(table.asText().contains(QStringLiteral("b\t> 16\u202F384\n")));
}

/// A bound that is cut would be read as another; in no width is a number cut, the name and whole columns give the room.
void ViewsTest::rangesAreNeverCut()
{
    ValueTable table(QStringLiteral("Compared"), {{QStringLiteral("What"), {}},
                                                  {QStringLiteral("Verdict"), {}, true},
                                                  {QStringLiteral("n"), {}},
                                                  {QStringLiteral("95 %"), {}},
                                                  {QStringLiteral("p"), {}}});
    table.letColumnsLeave(3);
    table.setRowCount(3);
    for (int row = 0; row < 3; ++row) {
        table.setWords(row, 0, QStringLiteral("m = 0.8737"));
        table.setWords(row, 1, QStringLiteral("no change seen"));
        table.setNumber(row, 2, 1024, 7);
        table.setNumber(row, 4, 0.25, 2);
    }
    table.setRange(0, 3, -0.01256, 0.00124);
    table.setRange(1, 3, -0.02390, -0.00425);
    table.setRange(2, 3, -0.00029, 0.00018);
    QCOMPARE(table.item(1, 3)->text(), QStringLiteral("\u22120.02390 to \u22120.00425"));
    table.show();
    const QFontMetrics letters(table.font());
    int shown = 0;
    for (int width = 250; width < 700; ++width) {
        table.resize(width, 150);
        if (table.isColumnHidden(3))
            continue;
        ++shown;
        for (int row = 0; row < 3; ++row)
            for (int column = 1; column < 4; ++column) {
                const QString words = table.item(row, column)->text();
                const int room = table.columnWidth(column) - (column == 1 ? 13 : 9);  // without its air
                QVERIFY2(letters.elidedText(words, Qt::ElideRight, room) == words,
                         qPrintable(QStringLiteral("%1 at %2: %3 of %4")
                                        .arg(words)
                                        .arg(width)
                                        .arg(letters.horizontalAdvance(words))
                                        .arg(room)));
            }
    }
    QVERIFY(shown > 250);
}

QTEST_MAIN(ViewsTest)
#include "views_test.moc"
