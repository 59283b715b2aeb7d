// Exact theory beside what is measured: where it holds it meets the points, where it does not it is silent, and no
// picture waits for it.

#include "small_scenario.h"

#include "core/analysis/analysis_cache.h"
#include "core/tensor/synthetic_source.h"
#include "core/theory/expected_row.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace attnscope;

class TestTheoryBeside : public QObject {
    Q_OBJECT
private slots:
    void curveMeetsExactTheory_data();
    void curveMeetsExactTheory();
    void exactIsTheMeanOverTheRowsThatCount_data();
    void exactIsTheMeanOverTheRowsThatCount();
    void anyNHasAWholeNumberOfRows();
    void whatIsKeptIsOfTheEntropy();
    void whatIsKeptIsMeasuredWhereTheoryHasNoLine();
    void needleIsThereOnceItsKeyIs_data();
    void needleIsThereOnceItsKeyIs();
    void sampledNeedleLiesAmongItsRows();
    void theNeedleHasAShareUnderAnyNormaliser();
    void theoryNeedsNoKeys();
    void theoryIsSilentWhereItDoesNotHold();
    void picturesDoNotWaitForTheory();
    void approximationsAreCloseToTheirOwnLaw_data();
    void approximationsAreCloseToTheirOwnLaw();
    void sourcesAndDensitiesSpeakAlike();
};

namespace {

/// Over rows that see n - ceil(n/4) + 1 to n keys.
template <class Value>
double meanOfLastQuarter(double n, Value value)
{
    const double rows = std::ceil(n / 4);
    double sum = 0;
    for (double keys = n - rows + 1; keys <= n; ++keys)
        sum += value(keys) / rows;
    return sum;
}

}  // namespace

void TestTheoryBeside::curveMeetsExactTheory_data()
{
    QTest::addColumn<QString>("source");
    for (const char* source : {"gaussian", "sphere", "uniform", "finite", "power_series", "needle"})
        QTest::addRow("%s", source) << source;
}

// The measured points lie about the exact expectation, near it beside how much their rows differ.
void TestTheoryBeside::curveMeetsExactTheory()
{
    QFETCH(QString, source);
    Scenario scenario = small(source.toUtf8().constData());
    scenario.view.curveRows = 256;
    const Analysis analysis = analysed(scenario);
    for (const MethodAnalysis& method : analysis.methods) {
        QVERIFY(!method.exact.empty());
        for (const CurvePoint& point : method.measured) {
            const auto after = std::find_if(method.exact.begin(), method.exact.end(),
                                            [&](const CurvePoint& p) { return p.n >= point.n * (1 - 1e-9); });
            QVERIFY(after != method.exact.end());
            double expected = after->value;
            if (after != method.exact.begin() && after->n > point.n * (1 + 1e-9)) {
                const CurvePoint& before = *(after - 1);
                expected = before.value +
                           (after->value - before.value) * std::log(point.n / before.n) / std::log(after->n / before.n);
            }
            QVERIFY2(std::abs(point.value - expected) < 0.2 * (point.high - point.low) + 0.06,
                     qPrintable(QString("%1 at n = %2: %3, expected %4")
                                    .arg(method.method.id.c_str())
                                    .arg(point.n)
                                    .arg(point.value)
                                    .arg(expected)));
        }
    }
}

void TestTheoryBeside::exactIsTheMeanOverTheRowsThatCount_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<bool>("all");
    for (const char* source : {"gaussian", "uniform", "needle"})
        for (const bool all : {false, true})
            QTest::addRow("%s, %s", source, all ? "all" : "about n") << source << all;
}

/// The sum over every row of the expectation over the keys that it sees, and under its own multiplier, where a method
/// counts its keys: N = 64 bends ln k / ln N.
void TestTheoryBeside::exactIsTheMeanOverTheRowsThatCount()
{
    QFETCH(QString, source);
    QFETCH(bool, all);
    Scenario scenario = small(source.toUtf8().constData());
    if (source == "needle")
        scenario.source.values = {{"gap", 5}, {"key", 40}};
    scenario.d = 8;
    scenario.nTrain = 64;
    scenario.view.curveFirst = 1;
    scenario.view.curveLast = 300;
    scenario.view.rows = all ? RowSet::Kind::All : RowSet::Kind::SeeingAboutN;
    scenario.methods = {{"vanilla", {}, {}}, {"row_log", {{"clamp_at_one", 1}}, {}}, {"row_log", {{"row", 0}}, {}}};
    const Analysis analysis = analysed(scenario);
    const auto density = logitDensity(
        source == "needle" ? Choice{"needle", {{"gap", 5}}, {}} : Choice{source.toStdString(), {}, {}}, scenario.d);
    QVERIFY(density.has_value());
    for (const MethodAnalysis& method : analysis.methods) {
        const auto scale = bindScale(method.method);
        QVERIFY(scale.has_value() && method.exact.size() > 40);
        for (size_t p = 0; p < method.exact.size(); p += 7) {
            const CurvePoint& point = method.exact[p];
            QCOMPARE(point.n, std::round(point.n));
            const auto entropy = [&](double keys) {
                ScaleContext context = lastRowOf(point.n, scenario.nTrain, scenario.d);
                context.rowKeys = keys;
                const double m = (*scale)(context).value_or(std::nan(""));
                const LogitDensity& law = *density;
                return expectedEntropy(keys <= 40 && law.needle ? law.withoutNeedle() : law, keys,
                                       m / (scenario.temperature * std::sqrt(8)));
            };
            double expected = meanOfLastQuarter(point.n, entropy);
            if (all) {
                expected = 0;
                for (double keys = 1; keys <= point.n; ++keys)
                    expected += entropy(keys) / point.n;
            }
            QVERIFY2(std::abs(point.value - expected) < 2e-4, qPrintable(QString("%1 at n = %2: %3, expected %4")
                                                                             .arg(method.method.id.c_str())
                                                                             .arg(point.n)
                                                                             .arg(point.value, 0, 'g', 10)
                                                                             .arg(expected, 0, 'g', 10)));
        }
    }
}

/// N is what a method divides by, and may be no whole number; its rows are those of the nearest.
void TestTheoryBeside::anyNHasAWholeNumberOfRows()
{
    for (const RowSet::Kind rows : {RowSet::Kind::All, RowSet::Kind::SeeingAboutN})
        for (const double n : {2.6, 3.7, 5.5, 65.3}) {
            Scenario scenario = small("gaussian");
            scenario.view.rows = rows;
            scenario.methods = {{"vanilla", {}, {}}};
            scenario.nTrain = n;
            const auto fraction = analysed(scenario).theoryKeepsEntropy;
            scenario.nTrain = std::round(n);
            const auto whole = analysed(scenario).theoryKeepsEntropy;
            QVERIFY2(fraction && whole && std::abs(*fraction - *whole) < 1e-9, qPrintable(QString::number(n)));
        }
}

/// Whatever the chart against n shows.
void TestTheoryBeside::whatIsKeptIsOfTheEntropy()
{
    Scenario scenario = small("gaussian");
    scenario.nTrain = 32;
    scenario.methods = {{"vanilla", {}, {}}};
    const auto kept = analysed(scenario).methods[0].keeps;
    QVERIFY(kept && kept->n > 32);
    for (const char* measure : {"support", "max_weight", "renyi"}) {
        scenario.view.measure = {measure, {}, {}};
        const auto again = analysed(scenario).methods[0].keeps;
        QVERIFY2(again && std::abs(again->n / kept->n - 1) < 1e-9, measure);
    }
}

/// A scale that is solved on the keys has no exact line of any source, and keeps their entropy at any length.
void TestTheoryBeside::whatIsKeptIsMeasuredWhereTheoryHasNoLine()
{
    for (const char* mask : {"full", "causal"}) {
        Scenario scenario = small("gaussian");
        scenario.attention.mask = {mask, {}, {}};
        scenario.methods = {{"vanilla", {}, {}}, {"entropy_measured", {}, {}}};
        const Analysis analysis = analysed(scenario);
        QVERIFY(!analysis.methods[0].exact.empty() && analysis.methods[1].exact.empty());
        QVERIFY(analysis.methods[0].keeps && !analysis.methods[0].keeps->beyond);
        const auto kept = analysis.methods[1].keeps;
        QVERIFY2(kept && kept->beyond && kept->n == 256, mask);
    }
}

void TestTheoryBeside::needleIsThereOnceItsKeyIs_data()
{
    QTest::addColumn<int>("d");
    QTest::addColumn<double>("key");
    for (const double key : {0.0, 100.0, 5000.0})
        for (const int d : {1, 2, 16})
            QTest::addRow("d = %d, key %g", d, key) << d << key;
}

/// Shorter rows do not have the needle among their keys: there the exact curve is the other keys' alone, and the needle
/// has no weight to show. In one dimension the others have nothing but the needle's component, which is 0.
void TestTheoryBeside::needleIsThereOnceItsKeyIs()
{
    QFETCH(int, d);
    QFETCH(double, key);
    Scenario scenario = small("needle");
    scenario.view.rows = RowSet::Kind::SeeingAboutN;
    scenario.source.values = {{"gap", 8}, {"key", key}};
    scenario.d = d;
    scenario.view.curveRows = 64;
    const Analysis analysis = analysed(scenario);
    for (const MethodAnalysis& method : analysis.methods) {
        QVERIFY(method.exact.size() > 50);
        for (const CurvePoint& point : method.measured) {
            // the exact value at the nearest length on the same side of the needle's arrival
            const auto sameSide = [&](const CurvePoint& p) { return (p.n > key) == (point.n > key); };
            const CurvePoint* nearest = nullptr;
            for (const CurvePoint& p : method.exact)
                if (sameSide(p) &&
                    (!nearest || std::abs(std::log(p.n / point.n)) < std::abs(std::log(nearest->n / point.n))))
                    nearest = &p;
            QVERIFY(nearest);
            // keys are shared by all rows and lengths differ by 2 per cent at most
            QVERIFY2(std::abs(point.value - nearest->value) < 0.2 * (point.high - point.low) + 0.3,
                     qPrintable(QString("n = %1: %2, expected %3").arg(point.n).arg(point.value).arg(nearest->value)));
        }
        for (const Curve* needle : {&method.needle, &method.exactNeedle})
            QVERIFY(std::all_of(needle->begin(), needle->end(), [&](const CurvePoint& p) { return p.n > key; }));
        QCOMPARE(method.needle.empty(), key >= 256);
        QCOMPARE(method.exactNeedle.empty(), key >= 256);
    }
    scenario.view.curveFirst = static_cast<std::int64_t>(key) + 1;  // the first length that has it, to the last bit
    if (key < 256)
        QCOMPARE(analysed(scenario).methods[0].exactNeedle.front().n, key + 1);
    if (d == 1 && key == 0)  // n - 1 keys at 0 and one at 8
        for (const CurvePoint& point : analysis.methods[0].exactNeedle)
            QVERIFY(std::abs(point.value - meanOfLastQuarter(point.n, [](double keys) {
                                 return 1 / (1 + (keys - 1) * std::exp(-8));
                             })) < 1e-6);
}

/// A needle that leads every other key is the largest weight of its row, whatever the weights of a row sum to.
void TestTheoryBeside::theNeedleHasAShareUnderAnyNormaliser()
{
    for (const char* normaliser : {"softmax", "sigmoid", "relu2"}) {
        Scenario scenario = small("needle");
        scenario.source.values = {{"gap", 40}, {"key", 0}};
        scenario.attention.normaliser = {normaliser, {}, {}};
        const Analysis analysis = analysed(scenario);
        const MethodAnalysis& method = analysis.methods[0];
        QVERIFY(!method.needle.empty());
        for (const CurvePoint& point : method.needle) {
            const auto largest = std::ranges::find(method.largest, point.n, &CurvePoint::n);
            QVERIFY(largest != method.largest.end() && std::abs(point.value - largest->value) < 1e-4);
        }
    }
}

void TestTheoryBeside::sampledNeedleLiesAmongItsRows()
{
    Scenario scenario = small("needle");
    scenario.view.rows = RowSet::Kind::SeeingAboutN;
    scenario.view.curveRows = 200;
    const Analysis analysis = analysed(scenario);
    const MethodAnalysis& method = analysis.methods[0];
    QVERIFY(!method.needle.empty());
    for (const CurvePoint& point : method.needle) {
        QVERIFY(point.low >= 0 && point.low < point.high && point.high <= 1);
        const auto exact = std::min_element(method.exactNeedle.begin(), method.exactNeedle.end(),
                                            [&](const CurvePoint& a, const CurvePoint& b) {
                                                return std::abs(a.n - point.n) < std::abs(b.n - point.n);
                                            });
        QVERIFY2(std::abs(point.value - exact->value) < 0.2 * (point.high - point.low) + 0.02,
                 qPrintable(QString("n = %1: %2, expected %3").arg(point.n).arg(point.value).arg(exact->value)));
    }
}

void TestTheoryBeside::theoryNeedsNoKeys()
{
    Scenario scenario = small("theory");
    scenario.n = 1'000'000'000;
    scenario.view.curveLast = 1'000'000'000;
    const Analysis analysis = analysed(scenario);
    QCOMPARE(analysis.keyCount, std::int64_t(0));
    QVERIFY(analysis.methods[0].rows.empty() && analysis.methods[0].measured.empty());
    QVERIFY(std::abs(analysis.methods[0].exact.back().n / 1e9 - 1) < 1e-9);
    // mean field ln n - s^2 / 2 with s = 1 holds at this n: s is far below sqrt(2 ln n) = 6.4
    QVERIFY(std::abs(analysis.methods[0].exact.back().value - (std::log(1e9) - 0.5)) < 0.01);
    QVERIFY(analysis.approximations.size() >= 4);

    scenario.methods.push_back({"entropy_measured", {}, {}});
    QVERIFY(QString::fromStdString(analysed(scenario).methods[2].absent).contains("needs queries and keys"));
}

void TestTheoryBeside::theoryIsSilentWhereItDoesNotHold()
{
    Scenario scenario = small();
    scenario.attention.normaliser.id = "sparsemax";
    QVERIFY(analysed(scenario).methods[0].exact.empty());
    scenario = small();
    scenario.attention.softCap = 5;
    QVERIFY(analysed(scenario).methods[0].exact.empty());
    scenario = small("local");
    QVERIFY(analysed(scenario).theory.empty());
}

// A needle beside few dimensions at a low temperature: hundreds of milliseconds of theory for a picture of 32 x 32.
void TestTheoryBeside::picturesDoNotWaitForTheory()
{
    Scenario scenario = small("needle");
    scenario.n = 32;
    scenario.d = 3;
    scenario.temperature = 0.2;
    scenario.view.curveLast = 64;
    AnalysisCache cache;
    std::vector<Analysis> early;
    const auto last = analyse(scenario, {}, cache, {}, [&](const Analysis& analysis) { early.push_back(analysis); });
    QVERIFY(last.has_value());
    QCOMPARE(early.size(), size_t(1));
    QVERIFY(early[0].theoryComes && early[0].methods[0].exact.empty() && early[0].methods[0].exactNeedle.empty());
    QVERIFY(!early[0].methods[0].measured.empty());
    QCOMPARE(early[0].methods[1].map.values, last->methods[1].map.values);
    QVERIFY(!last->theoryComes && !last->methods[0].exact.empty() && !last->methods[0].exactNeedle.empty());
    // remembered: there is nothing to wait for, and what is shown belongs to its own temperature
    const auto again = analyse(scenario, {}, cache);
    QCOMPARE(again->methods[0].exact.back().value, last->methods[0].exact.back().value);
    scenario.temperature = 0.5;
    QVERIFY(analyse(scenario, {}, cache)->methods[0].exact.back().value != last->methods[0].exact.back().value);
}

void TestTheoryBeside::approximationsAreCloseToTheirOwnLaw_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<bool>("another");  // law than the sphere, which then stands beside it
    QTest::addRow("Gaussian") << "gaussian" << true;
    QTest::addRow("sphere") << "sphere" << false;
}

void TestTheoryBeside::approximationsAreCloseToTheirOwnLaw()
{
    QFETCH(QString, source);
    QFETCH(bool, another);
    Scenario scenario = small(source.toUtf8().constData());
    scenario.d = 8;  // where the two laws differ by more than 0.05 nats
    scenario.attention.mask.id = "full";
    scenario.methods = {{"vanilla", {}, {}}};
    scenario.view.curveFirst = 64;
    scenario.view.curveLast = 1 << 16;
    const Analysis analysis = analysed(scenario);
    QCOMPARE(analysis.exactSphere.empty(), !another);
    QCOMPARE(analysis.approximations.size(), size_t(5));
    const auto sphere = logitDensity("sphere", 8), own = logitDensity(source.toStdString(), 8);
    int apart = 0;
    for (const ApproximationCurve& one : analysis.approximations)
        for (size_t p = 0; p < one.curve.size(); ++p) {
            const CurvePoint& point = one.curve[p];
            const double lambda = 1 / std::sqrt(8),
                         exact = expectedEntropy(one.ofSphere ? *sphere : *own, point.n, lambda);
            QCOMPARE(bool(one.close[p]), std::abs(point.value - exact) <= 0.05);
            apart +=
                one.ofSphere && one.close[p] != (std::abs(point.value - expectedEntropy(*own, point.n, lambda)) <= 0.05)
                    ? 1
                    : 0;
        }
    QCOMPARE(apart > 0, another);
}

// The window's sources and the densities of `attnscope entropy --source`: one id means one thing.
void TestTheoryBeside::sourcesAndDensitiesSpeakAlike()
{
    int shared = 0;
    for (const SyntheticSource& source : syntheticSources())
        for (const LogitDensityRow& density : logitDensities()) {
            if (source.id != density.id)
                continue;
            ++shared;
            for (const Parameter& parameter : density.parameters) {
                const auto same = std::find_if(source.parameters.begin(), source.parameters.end(),
                                               [&](const Parameter& p) { return p.id == parameter.id; });
                QVERIFY2(same != source.parameters.end(), (source.id + ":" + parameter.id).c_str());
                QCOMPARE(same->byDefault, parameter.byDefault);
                QCOMPARE(same->minimum, parameter.minimum);
                QCOMPARE(same->maximum, parameter.maximum);
            }
            QVERIFY2(source.density != nullptr, source.id.c_str());
            QVERIFY(source.textByDefault == density.textByDefault);
        }
    QCOMPARE(shared, 6);  // gaussian, sphere, needle, uniform, finite, power_series
}

QTEST_APPLESS_MAIN(TestTheoryBeside)
#include "test_theory_beside.moc"
