// The multiplier that each row gets: the method's formula on the keys that count, the measured scale, and rows where a
// method has no value.
//
// Tolerances: a scale is kept as float32, 6e-8 of itself; a solved multiplier ends where two brackets are 1e-7 apart,
// and the entropies that decide it are float32 sums, 1e-5.

#include "small_scenario.h"

#include "core/analysis/analysis_cache.h"
#include "core/attention/masks.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace attnscope;

class TestMultipliers : public QObject {
    Q_OBJECT
private slots:
    void theMethodsMultiplierIsApplied();
    void rowsCountWhatTheySee_data();
    void rowsCountWhatTheySee();
    void paddingIsNotCounted();
    void keepsEntropyIsTheScaleThatDoes();
    void measuredMultiplierOfAPreviewIsClose();
    void measuredMultiplierKeepsTheRowsThatCount();
    void methodWithoutAValueSaysWhy();
    void rowsWithoutAValueAreLeftOut_data();
    void rowsWithoutAValueAreLeftOut();
};

// softmax_plus with B = 64 at n = 96: m = ln 96 / ln 64, so two keys' log-weights differ by m times their logits'
// difference.
void TestMultipliers::theMethodsMultiplierIsApplied()
{
    const Analysis analysis = analysed(small());
    const RowDetail &plain = analysis.methods[0].chosen, &scaled = analysis.methods[1].chosen;
    const double m = std::log(96.0) / std::log(64.0);
    QVERIFY(std::abs(analysis.methods[1].scale.back() - m) < 1e-6);
    for (size_t j = 1; j < 96; ++j) {
        const double expected = m * (plain.logits[j] - plain.logits[0]);
        QVERIFY(std::abs(std::log(scaled.weights[j] / scaled.weights[0]) - expected) < 1e-5);
    }
    QVERIFY2(QString::fromStdString(analysis.methods[1].worked).contains("ln 96 / ln 64"),
             analysis.methods[1].worked.c_str());
}

void TestMultipliers::rowsCountWhatTheySee_data()
{
    QTest::addColumn<QString>("mask");
    QTest::addColumn<int>("most");  // keys that a row sees at most; 0: all of them, before and after it
    QTest::addRow("causal") << "causal" << 96;
    QTest::addRow("full") << "full" << 0;
    QTest::addRow("window") << "window:w=10" << 10;
    QTest::addRow("causal padding") << "padding:length=50,causal=1" << 50;
}

/// ssmax takes the row's count, log_n the sequence's: ln of what row i sees, of what all see.
void TestMultipliers::rowsCountWhatTheySee()
{
    QFETCH(QString, mask);
    QFETCH(int, most);
    Scenario scenario = small();
    scenario.attention.mask = *parseChoice(std::string_view(mask.toStdString()), masks(), "mask");
    scenario.methods = {{"ssmax", {{"s", 1}}, {}}, {"log_n", {}, {}}};
    const Analysis analysis = analysed(scenario);
    const double keys = mask.startsWith("padding") ? 50 : 96;
    for (int i = 0; i < 96; ++i) {
        const double seen = most == 0 ? 96 : std::min(i + 1, most);
        QVERIFY(std::abs(double(analysis.methods[0].scale[size_t(i)]) - std::log(seen)) < 1e-6);
        QVERIFY(std::abs(double(analysis.methods[1].scale[size_t(i)]) - std::log(keys)) < 1e-6);
    }
}

void TestMultipliers::paddingIsNotCounted()
{
    Scenario scenario = small();
    scenario.attention.mask = {"padding", {{"length", 50}}, {}};
    scenario.methods = {{"log_n", {}, {}}};
    const Analysis analysis = analysed(scenario);
    QVERIFY(std::abs(analysis.methods[0].scale.back() - std::log(50.0)) < 1e-6);
    QVERIFY2(QString::fromStdString(analysis.methods[0].worked).contains("ln 50"), analysis.methods[0].worked.c_str());
}

// Put back as a custom multiplier, it brings the mean entropy at n = 96 to that of the first 64 tokens.
void TestMultipliers::keepsEntropyIsTheScaleThatDoes()
{
    Scenario scenario = small("local");
    const Analysis analysis = analysed(scenario);
    QVERIFY(analysis.methods[0].keepsEntropy.has_value());
    QVERIFY(*analysis.methods[0].keepsEntropy > 1);
    Scenario shorter = scenario;
    shorter.n = 64;
    shorter.methods = {{"vanilla", {}, {}}};
    Scenario kept = scenario;
    kept.methods = {{"custom", {}, formatNumber(*analysis.methods[0].keepsEntropy)}};
    QVERIFY(std::abs(analysed(kept).methods[0].entropy.mean - analysed(shorter).methods[0].entropy.mean) < 1e-4);
}

void TestMultipliers::measuredMultiplierOfAPreviewIsClose()
{
    Scenario scenario = small("local");
    scenario.n = 700;
    scenario.view.pixels = 200;
    scenario.methods = {{"entropy_measured", {}, {}}};
    const double exact = analysed(scenario).methods[0].scale.back();
    QVERIFY(exact > 1);  // more keys, more entropy: the scale must grow
    QVERIFY(std::abs(*analysed(scenario).methods[0].keepsEntropy - exact) < 1e-4 * exact);
    scenario.view.preview = true;
    QVERIFY(std::abs(analysed(scenario).methods[0].scale.back() - exact) < 0.05 * exact);
}

/// Whichever they are, in the pictures as in the table of heads; and one analysis after another, from one cache.
void TestMultipliers::measuredMultiplierKeepsTheRowsThatCount()
{
    AnalysisCache cache;
    std::set<double> multipliers;
    for (const RowSet::Kind rows : {RowSet::Kind::All, RowSet::Kind::SeeingAboutN, RowSet::Kind::All}) {
        Scenario scenario = small("local");
        scenario.n = 300;
        scenario.view.rows = rows;
        scenario.methods = {{"entropy_measured", {}, {}}, {"vanilla", {}, {}}};
        const auto analysis = analyse(scenario, {}, cache);
        QVERIFY2(analysis.has_value(), analysis ? "" : analysis.error().message.c_str());
        const MethodAnalysis& kept = analysis->methods[0];
        QVERIFY2(kept.entropyAtTrained && std::abs(kept.entropy.mean - *kept.entropyAtTrained) < 1e-4,
                 qPrintable(QString::number(kept.entropy.mean - kept.entropyAtTrained.value_or(0))));
        QVERIFY(std::abs(*analysis->methods[1].keepsEntropy - double(kept.scale.back())) < 1e-4);
        multipliers.insert(kept.scale.back());
    }
    QCOMPARE(multipliers.size(), size_t(2));  // of all rows, and of the last quarter
}

void TestMultipliers::methodWithoutAValueSaysWhy()
{
    Scenario scenario = small("local");
    scenario.nTrain = 500;
    scenario.methods = {{"vanilla", {}, {}}, {"entropy_measured", {}, {}}};
    const Analysis analysis = analysed(scenario);
    QVERIFY(analysis.methods[0].absent.empty() && !analysis.methods[0].rows.empty());
    QVERIFY(!analysis.methods[1].absent.empty() && analysis.methods[1].rows.empty());

    scenario.nTrain = 48;  // solved, there is no formula to put numbers into: the number itself is said
    const MethodAnalysis solved = analysed(scenario).methods[1];
    QCOMPARE(QString::fromStdString(solved.worked),
             "m = " + QString::fromStdString(formatNumber(double(solved.scale.back()), 4)));
}

void TestMultipliers::rowsWithoutAValueAreLeftOut_data()
{
    QTest::addColumn<QString>("method");
    QTest::addColumn<int>("firstRow");  // the first row that has a value
    QTest::addColumn<QString>("why");
    QTest::addRow("below e^eps") << "infoscale:eps=1,row=1" << 2
                                 << "2 of 96 rows have no value: infoscale: undefined below n = e^ε = 2.718 (n = 1)";
    QTest::addRow("a pole at ln 1") << "log_power:gamma=-1" << 1
                                    << "1 of 96 rows has no value: log_power: infinite at n = 1";
    QTest::addRow("of the position") << "custom:\"log(i - 4)\"" << 5
                                     << "5 of 96 rows have no value: custom: undefined at n = 96, i = 0";
    QTest::addRow("more entropy than ln n") << "entropy_exact:row=1" << -1 << "no scale";
}

/// The rows from there on are those that a method with the same multipliers gives; the others count in no mean.
void TestMultipliers::rowsWithoutAValueAreLeftOut()
{
    QFETCH(QString, method);
    QFETCH(int, firstRow);
    QFETCH(QString, why);
    Scenario scenario = small();
    scenario.methods = {*parseChoice(std::string_view(method.toStdString()), scaleMethods(), "scale method"),
                        {"vanilla", {}, {}}};
    const Analysis analysis = analysed(scenario);
    const MethodAnalysis& partial = analysis.methods[0];
    QVERIFY2(partial.absent.empty(), partial.absent.c_str());
    QVERIFY2(QString::fromStdString(partial.partly).contains(why), partial.partly.c_str());
    if (firstRow < 0)  // from the first row whose keys can hold the entropy of N = 64
        firstRow = static_cast<int>(std::ranges::find_if(partial.scale, hasScale) - partial.scale.begin());
    QVERIFY(firstRow > 0 && firstRow < 90);
    double sum = 0;
    for (int i = 0; i < 96; ++i) {
        const RowSummary& row = partial.rows[static_cast<size_t>(i)];
        QCOMPARE(hasScale(partial.scale[static_cast<size_t>(i)]), i >= firstRow);
        QCOMPARE(row.visible, std::int64_t(i < firstRow ? 0 : i + 1));
        sum += row.entropy;
    }
    QCOMPARE(partial.entropy.count, std::int64_t(96 - firstRow));
    QVERIFY(std::abs(partial.entropy.mean - sum / (96 - firstRow)) < 1e-12);
    QVERIFY(partial.matrix.has_value() && std::isfinite(partial.matrix->mutualInformation));
    QCOMPARE(analysis.methods[1].entropy.count, std::int64_t(96));

    scenario.view.row = 0;
    const Analysis first = analysed(scenario);
    QVERIFY(first.methods[0].chosen.keys.empty() && !first.methods[0].fromFirst &&
            first.methods[1].chosen.keys.size() == 1);
}

QTEST_APPLESS_MAIN(TestMultipliers)
#include "test_multipliers.moc"
