// One choice of rows for pictures and curves: with it the curve at n says what the means of the picture say.

#include "small_scenario.h"

#include "core/analysis/curve_sample.h"
#include "core/analysis/scenario_json.h"
#include "core/analysis/curve.h"
#include "core/tensor/synthetic_source.h"

#include <QtTest>

#include <cmath>
#include <numeric>

using namespace attnscope;

class TestCountedRows : public QObject {
    Q_OBJECT
private slots:
    void theCurveAtNIsThePicture_data();
    void theCurveAtNIsThePicture();
    void aSampleOfAllRowsIsOfAllOfThem_data();
    void aSampleOfAllRowsIsOfAllOfThem();
    void thePreviewCountsTheSame();
    void entropyAtTrainedIsThatOfTheSameRows();
    void theyAreKept();
    void theoryFitsOrMisses();
    void whereACurveLeaves();
    void rowsOfADrawSayHowMuchTheyDiffer();
    void anotherDrawLiesOutsideOfItsRows();
    void howFarTheEntropyIsKept();
};

namespace {

Scenario counting(RowSet::Kind rows, const char* source = "local")
{
    Scenario scenario = small(source);
    scenario.attention.mask = {"causal", {}, {}};
    scenario.view.rows = rows;
    scenario.view.curveLast = scenario.n;
    scenario.view.curveRows = 200;
    return scenario;
}

double meanOf(const std::vector<RowSummary>& rows, std::size_t first)
{
    double sum = 0;
    for (std::size_t i = first; i < rows.size(); ++i)
        sum += rows[i].entropy;
    return sum / double(rows.size() - first);
}

}  // namespace

void TestCountedRows::theCurveAtNIsThePicture_data()
{
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("first");
    QTest::addRow("about n") << int(RowSet::Kind::SeeingAboutN) << 96 - 96 / 4;
    QTest::addRow("all") << int(RowSet::Kind::All) << 0;
}

void TestCountedRows::theCurveAtNIsThePicture()
{
    QFETCH(int, rows);
    QFETCH(int, first);
    const Scenario scenario = counting(static_cast<RowSet::Kind>(rows));
    const Analysis analysis = analysed(scenario);
    Scenario shorter = scenario;  // whose picture is of other tokens than its curve's last point
    shorter.n = 70;
    const Analysis alone = analysed(shorter);
    for (std::size_t m = 0; m < analysis.methods.size(); ++m) {
        const MethodAnalysis& method = analysis.methods[m];
        QVERIFY2(std::abs(alone.methods[m].measured.back().value - method.entropy.mean) < 1e-5,
                 qPrintable(QString::number(alone.methods[m].measured.back().value)));
        QVERIFY(std::abs(method.entropy.mean - meanOf(method.rows, static_cast<std::size_t>(first))) < 1e-9);
        QVERIFY2(std::abs(method.measured.back().value - method.entropy.mean) < 1e-5,
                 qPrintable(QStringLiteral("%1, %2").arg(method.measured.back().value).arg(method.entropy.mean)));
        QCOMPARE(method.measured.back().n, 96.0);
    }
}

void TestCountedRows::aSampleOfAllRowsIsOfAllOfThem_data()
{
    QTest::addColumn<QString>("source");
    for (const SyntheticSource& source : syntheticSources())
        if (!source.finishedLogits)
            QTest::addRow("%s", source.id.c_str()) << QString::fromStdString(source.id);
}

/// A few of each length's rows, whatever was looked at for other lengths: those of shorter ones see less.
void TestCountedRows::aSampleOfAllRowsIsOfAllOfThem()
{
    QFETCH(QString, source);
    Scenario scenario = counting(RowSet::Kind::All, source.toUtf8().constData());
    scenario.n = scenario.view.curveLast = 2048;
    scenario.view.curveFirst = 16;
    scenario.view.curvePoints = 12;
    scenario.view.curveRows = 48;
    const Analysis all = analysed(scenario);
    scenario.n = 1500;
    const Analysis some = analysed(scenario);
    for (std::size_t m = 0; m < all.methods.size(); ++m) {
        const CurvePoint& last = some.methods[m].measured.back();
        const double mean = all.methods[m].entropy.mean;
        QCOMPARE(last.n, 2048.0);
        QVERIFY(isOfSomeRows(scenario, 2048) && !isOfSomeRows(scenario, 1500));
        QVERIFY2(std::abs(last.value - mean) < 3 * last.sampling,
                 qPrintable(QStringLiteral("%1 ± %2, all rows: %3").arg(last.value).arg(last.sampling).arg(mean)));
        const auto at = std::ranges::find(some.methods[m].measured, 1500.0, &CurvePoint::n);  // no length of the curve
        QVERIFY(at != some.methods[m].measured.end());
        QCOMPARE(at->value, some.methods[m].entropy.mean);
        QCOMPARE(at->sampling, 0.0);  // of all
        QVERIFY(std::ranges::all_of(some.methods[m].measured, [](const CurvePoint& point) {
            return (point.sampling > 0) == (point.n > curveCountsAllRowsUpTo && point.n != 1500);
        }));
    }
}

void TestCountedRows::thePreviewCountsTheSame()
{
    Scenario scenario = counting(RowSet::Kind::SeeingAboutN);
    const double exact = analysed(scenario).methods[0].entropy.mean;
    scenario.view.preview = true;
    const Analysis preview = analysed(scenario);
    const MethodAnalysis& method = preview.methods[0];
    QVERIFY(method.counted.count() > 0 && method.counted.end == std::ssize(preview.sampledRows));
    QVERIFY(preview.sampledRows[static_cast<std::size_t>(method.counted.first)] >= 72);
    QVERIFY2(std::abs(method.entropy.mean - exact) < 0.3, qPrintable(QString::number(method.entropy.mean)));
    scenario.view.region = {0, 20, 0, 20};  // none of them is in sight
    QCOMPARE(analysed(scenario).methods[0].entropy.count, 0);
}

void TestCountedRows::entropyAtTrainedIsThatOfTheSameRows()
{
    for (const RowSet::Kind rows : {RowSet::Kind::SeeingAboutN, RowSet::Kind::All}) {
        Scenario scenario = counting(rows);
        const auto trained = analysed(scenario).methods[0].entropyAtTrained;
        scenario.n = 64;
        QVERIFY(trained && std::abs(*trained - analysed(scenario).methods[0].entropy.mean) < 1e-5);
        scenario.nTrain = 1000;
        QVERIFY(!analysed(scenario).methods[0].entropyAtTrained);  // there are no such tokens
    }
}

void TestCountedRows::theyAreKept()
{
    for (const RowSet::Kind rows : {RowSet::Kind::SeeingAboutN, RowSet::Kind::All})
        QCOMPARE(scenarioFromLine(scenarioLine(counting(rows)))->view.rows, rows);
    QCOMPARE(scenarioFromLine(R"({"view": {"rows": "unsaid"}})")->view.rows, RowSet::Kind::All);  // once written
    QVERIFY(!scenarioFromLine(R"({"view": {"rows": "some"}})"));
}

void TestCountedRows::theoryFitsOrMisses()
{
    const Curve exact{{10, 1}, {1000, 3}};                                                              // 2 at 100
    const auto near = theoryFit({{10, 1.1, 0.9, 1.3}, {100, 2.1, 1.9, 2.3}, {5000, 9, 8, 10}}, exact);  // not the last
    QVERIFY(near && !near->misses() && near->lengths == 2 && near->outside == 0);
    QVERIFY(std::abs(near->miss - 0.1) < 1e-12);
    const auto far = theoryFit({{10, 1.5, 1.3, 1.7}, {100, 2.5, 2.3, 2.7}}, exact);
    QVERIFY(far && far->misses() && far->outside == 2 && std::abs(far->miss - 0.5) < 1e-12);
    const auto half = theoryFit({{10, 1.1, 0.9, 1.3}, {100, 2.5, 2.3, 2.7}}, exact);  // no more lengths than not
    QVERIFY(half && !half->misses() && half->outside == 1);
    const auto one = theoryFit({{10, 1.5}}, exact);  // a row by itself does not say how much rows differ
    QVERIFY(one && !one->misses() && one->lengths == 0);
    QVERIFY(!theoryFit({{5, 1, 0, 2}}, exact) && !theoryFit({}, exact) && !theoryFit({{10, 1, 0, 2}}, {}));
}

void TestCountedRows::whereACurveLeaves()
{
    const Curve curve{{32, 1.7}, {64, 2}, {128, 2.1}, {256, 2.5}, {512, 2}};
    const auto near = [](const std::optional<Reach>& reach, double n, bool beyond) {
        return reach && std::abs(reach->n / n - 1) < 1e-9 && reach->beyond == beyond;
    };
    QVERIFY(near(reachOf(curve, 64, 2, 0.1), 128 * std::pow(2, 0.25), false));  // 2.2, a fourth of the way in ln n
    QVERIFY(near(reachOf(curve, 100, 2, 0.1), 128 * std::pow(2, 0.25), false));
    QVERIFY(near(reachOf(curve, 64, 2, 0.3), 512, true));
    QVERIFY(near(reachOf(curve, 256, 2.5, 0.1), 512 * std::pow(2, -0.5), false));  // it falls by a half: 2.25
    Curve unsure = curve;
    unsure[3].sampling = 0.2;  // 2.5 may be 2.1
    QVERIFY(near(reachOf(unsure, 64, 2, 0.1), 512, true));
    unsure.push_back({1024, 3});  // from 2 at 512: 2.2 is a fifth of the way
    QVERIFY(near(reachOf(unsure, 64, 2, 0.1), 512 * std::pow(2, 0.2), false));
    unsure[4].value = 2.6;  // it does not come back: 256 was outside too
    QVERIFY(near(reachOf(unsure, 64, 2, 0.1), 128 * std::pow(2, 0.25), false));
    unsure.resize(4);  // nobody knows whether it comes back: it was kept to 128 at least
    QVERIFY(near(reachOf(unsure, 64, 2, 0.1), 128, true));
    QVERIFY(!reachOf(curve, 64, 3, 0.1));  // not there at N
    QVERIFY(!reachOf(curve, 16, 1.7, 0.1) && !reachOf(curve, 512, 2, 0.1) && !reachOf({}, 64, 2, 0.1));
}

/// So hot that a row over k keys has ln k nats: their deviation and quantiles are those of ln 1 .. ln 96, on the table
/// as on the curve.
void TestCountedRows::rowsOfADrawSayHowMuchTheyDiffer()
{
    Scenario scenario = counting(RowSet::Kind::All, "gaussian");
    scenario.temperature = 1e4;
    const Analysis analysis = analysed(scenario);
    const auto n = static_cast<int>(scenario.n);
    double mean = 0, squares = 0;
    for (int keys = 1; keys <= n; ++keys)
        mean += std::log(keys) / n;
    for (int keys = 1; keys <= n; ++keys)
        squares += std::pow(std::log(keys) - mean, 2);
    const auto quantile = [&](double share) {  // of ln 1 .. ln n, which rise
        const double place = share * (n - 1);
        const int below = static_cast<int>(place);
        return std::log(below + 1) + (place - below) * (std::log(below + 2) - std::log(below + 1));
    };
    const auto is = [](double value, double expected) { return std::abs(value - expected) < 1e-5; };
    for (const MethodAnalysis& method : analysis.methods) {
        QVERIFY(is(method.entropy.mean, mean) && is(*method.entropy.deviation, std::sqrt(squares / (n - 1))));
        QVERIFY(is(method.entropy.low, quantile(0.1)) && is(method.entropy.high, quantile(0.9)));
        const auto at = std::ranges::find(method.measured, double(n), &CurvePoint::n);
        QVERIFY(at != method.measured.end() && is(at->low, quantile(0.1)) && is(at->high, quantile(0.9)));
    }
    scenario.view.measure = {"effective_tokens", {}, {}};  // one number with the H beside it, on the curve too
    for (const MethodAnalysis& method : analysed(scenario).methods) {
        QVERIFY(is(method.measure.mean / std::exp(method.entropy.mean), 1));
        const auto at = std::ranges::find(method.measured, double(n), &CurvePoint::n);
        QVERIFY(at != method.measured.end() && is(at->value / std::exp(mean), 1));
        QVERIFY(is(at->low / (1 + 0.1 * (n - 1)), 1) && is(at->high / (1 + 0.9 * (n - 1)), 1));  // of 1, 2, .. n
    }
}

/// Why no deviation of rows over the root of their number is given: draws of one law differ by several times that.
void TestCountedRows::anotherDrawLiesOutsideOfItsRows()
{
    std::vector<double> means;
    double error = 0;
    constexpr int draws = 12;
    for (int seed = 1; seed <= draws; ++seed) {
        Scenario scenario = counting(RowSet::Kind::All, "local");
        scenario.n = 256;
        scenario.seed = static_cast<std::uint64_t>(seed);
        scenario.methods = {{"vanilla", {}, {}}};
        scenario.view.curvePoints = 0;
        const RowMean entropy = analysed(scenario).methods[0].entropy;
        means.push_back(entropy.mean);
        error += *entropy.deviation / std::sqrt(static_cast<double>(entropy.count)) / draws;
    }
    const double between = *rowMean(means).deviation;
    QVERIFY2(between > 2 * error, qPrintable(QStringLiteral("%1, %2").arg(between).arg(error)));
}

/// So hot that a row over k keys has ln k nats: they are a tenth more than at N = 64 where the sum over the rows says
/// so.
void TestCountedRows::howFarTheEntropyIsKept()
{
    for (const RowSet::Kind rows : {RowSet::Kind::SeeingAboutN, RowSet::Kind::All}) {
        Scenario scenario = counting(rows, "gaussian");
        scenario.temperature = 1e4;
        scenario.view.curveLast = 256;
        scenario.view.curvePoints = 33;
        const auto mean = [&](int n) {
            double sum = 0;
            const int first = rows == RowSet::Kind::All ? 1 : n - (n + 3) / 4 + 1;
            for (int keys = first; keys <= n; ++keys)
                sum += std::log(keys) / (n - first + 1);
            return sum;
        };
        int n = 64;
        while (mean(n) < 1.1 * mean(64))
            ++n;
        const auto exact = analysed(scenario).methods[0].keeps;
        QVERIFY(exact && !exact->beyond);
        QVERIFY2(std::abs(exact->n / n - 1) < 0.02, qPrintable(QStringLiteral("%1, not %2").arg(exact->n).arg(n)));
        scenario.attention.softCap = 1000;  // changes nothing, and theory has none: of points, that surely lie beyond
        const auto measured = analysed(scenario).methods[0].keeps;
        QVERIFY(measured && !measured->beyond && measured->n > 0.97 * n);
        while (mean(n) < 1.2 * mean(64))
            ++n;
        QVERIFY2(measured->n < n, qPrintable(QStringLiteral("%1, %2").arg(measured->n).arg(n)));
    }
}

QTEST_APPLESS_MAIN(TestCountedRows)
#include "test_counted_rows.moc"
