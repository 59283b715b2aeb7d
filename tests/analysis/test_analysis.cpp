// Scenario -> Analysis: what the window, the figures and the command line all stand on.

#include "core/analysis/analysis.h"
#include "core/analysis/analysis_cache.h"
#include "core/analysis/length_statistics.h"
#include "core/analysis/source.h"
#include "core/attention/kernels.h"
#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/attention/positions.h"
#include "core/tensor/synthetic_source.h"
#include "core/tensor/tensor_writer.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

#include <sys/resource.h>

using namespace attnscope;

namespace {

Scenario small(const char* source = "gaussian")
{
    Scenario scenario;
    scenario.source.id = source;
    scenario.n = 96;
    scenario.d = 16;
    scenario.nTrain = 64;
    scenario.methods = {{"vanilla", {}, {}}, {"softmax_plus", {{"B", 64}}, {}}};
    scenario.view.curveLast = 256;
    scenario.view.curvePoints = 5;
    scenario.view.pixels = 32;
    return scenario;
}

Analysis analysed(const Scenario& scenario)
{
    Result<Analysis> result = analyse(scenario, {});
    if (!result)
        qFatal("%s", result.error().message.c_str());
    return std::move(*result);
}

const Curve& curve(const Analysis& analysis, size_t method) { return analysis.methods[method].measured; }

}  // namespace

class TestAnalysis : public QObject {
    Q_OBJECT
private slots:
    void everySourceGivesAPicture_data();
    void everySourceGivesAPicture();
    void rowsOfUniformAttention();
    void theMethodsMultiplierIsApplied();
    void openglSaysWhatItHandsOver();
    void heatmapCellsAreMeansOfTheirBlocks();
    void curveMeetsExactTheory_data();
    void curveMeetsExactTheory();
    void theoryNeedsNoKeys();
    void theoryIsSilentWhereItDoesNotHold();
    void picturesDoNotWaitForTheory();
    void sourcesAndDensitiesSpeakAlike();
    void measuredMultiplierOfAPreviewIsClose();
    void previewLooksAtSampledRows();
    void cacheGivesTheSameAnswer();
    void keepsEntropyIsTheScaleThatDoes();
    void sourcesAreNested();
    void draggedLengthsGiveTheSamePicture_data();
    void draggedLengthsGiveTheSamePicture();
    void methodWithoutAValueSaysWhy();
    void rowsWithoutAValueAreLeftOut_data();
    void rowsWithoutAValueAreLeftOut();
    void distancesAndMatricesByHand();
    void rowsCountWhatTheySee_data();
    void rowsCountWhatTheySee();
    void everyChoiceIsSeen_data();
    void everyChoiceIsSeen();
    void notesExplainCombinations_data();
    void notesExplainCombinations();
    void paddingIsNotCounted();
    void methodsAreComparedWithTheFirst();
    void projectionsBoundTheLogits();
    void fileWrittenAgainIsReadAgain();
    void theMeanOfHeadsIsTheMeanOfEach();
    void tooLargeForMemoryIsAnError();
    void wrongScenariosAreRefused_data();
    void wrongScenariosAreRefused();
    void stops();
};

void TestAnalysis::everySourceGivesAPicture_data()
{
    QTest::addColumn<QString>("source");
    for (const SyntheticSource& source : syntheticSources())
        QTest::addRow("%s", source.id.c_str()) << QString::fromStdString(source.id);
}

void TestAnalysis::everySourceGivesAPicture()
{
    QFETCH(QString, source);
    const Analysis analysis = analysed(small(source.toUtf8().constData()));
    QCOMPARE(analysis.methods.size(), size_t(2));
    for (const MethodAnalysis& method : analysis.methods) {
        QVERIFY2(method.absent.empty(), method.absent.c_str());
        QCOMPARE(method.rows.size(), size_t(96));
        QCOMPARE(method.map.rows, 32);
        QVERIFY(!method.measured.empty());
        for (const RowSummary& row : method.rows) {
            QVERIFY(std::abs(row.mass - 1) < 1e-5);
            QVERIFY(row.entropy >= -1e-6 && row.entropy <= std::log(static_cast<double>(row.visible)) + 1e-5);
        }
        QCOMPARE(method.chosen.keys.size(), size_t(96));  // the last row of a causal mask sees all
    }
}

// With all logits equal, row i of a causal mask is uniform over i + 1 keys: H = ln(i + 1), the largest weight 1 / (i + 1).
void TestAnalysis::rowsOfUniformAttention()
{
    Scenario scenario = small("power_series");
    scenario.source.values = {{"amplitude", 0}};
    const Analysis analysis = analysed(scenario);
    for (size_t i = 0; i < 96; ++i) {
        const RowSummary& row = analysis.methods[1].rows[i];
        const double n = static_cast<double>(i + 1);
        QCOMPARE(row.visible, std::int64_t(i + 1));
        QVERIFY(std::abs(row.entropy - std::log(n)) < 1e-5);
        QVERIFY(std::abs(row.top[0] - 1 / n) < 1e-6);
    }
    QVERIFY(std::abs(analysis.methods[0].entropy.mean - std::lgamma(97.0) / 96) < 1e-5);  // (1/n) ln n!
}

// softmax_plus with B = 64 at n = 96: m = ln 96 / ln 64, so two keys' log-weights differ by m times their logits' difference.
void TestAnalysis::theMethodsMultiplierIsApplied()
{
    const Analysis analysis = analysed(small());
    const RowDetail &plain = analysis.methods[0].chosen, &scaled = analysis.methods[1].chosen;
    const double m = std::log(96.0) / std::log(64.0);
    QVERIFY(std::abs(analysis.methods[1].scale.back() - m) < 1e-6);
    for (size_t j = 1; j < 96; ++j) {
        const double expected = m * (plain.logits[j] - plain.logits[0]);
        QVERIFY(std::abs(std::log(scaled.weights[j] / scaled.weights[0]) - expected) < 1e-5);
    }
    QVERIFY2(QString::fromStdString(analysis.methods[1].worked).contains("ln 96 / ln 64"), analysis.methods[1].worked.c_str());
}

void TestAnalysis::openglSaysWhatItHandsOver()
{
    // With or without a graphics device the numbers are the processor's within the engine's tolerance; what the device did not
    // compute is noted, and then the engine that is named is the one that did.
    const std::string processor = (*chooseEngine("auto"))->id;
    const bool hasDevice = (*findRow(engines(), "opengl", "engine"))->unavailable().empty();
    for (const char* normaliser : {"softmax", "sparsemax"}) {
        Scenario scenario = small();
        scenario.attention.normaliser.id = normaliser;
        const Analysis plain = analysed(scenario);
        scenario.engine = "opengl";
        const Analysis given = analysed(scenario);
        const bool onDevice = hasDevice && scenario.attention.normaliser.id == "softmax";
        QCOMPARE(given.engine, onDevice ? "opengl" : processor);
        QCOMPARE(given.notes.size(), plain.notes.size() + (onDevice ? 0 : 1));
        if (!onDevice)
            QVERIFY(given.notes.back().find("OpenGL") != std::string::npos);
        QVERIFY(std::abs(given.methods[0].entropy.mean - plain.methods[0].entropy.mean) < 1e-4);
        for (size_t pixel = 0; pixel < plain.methods[0].map.values.size(); ++pixel)
            QVERIFY(std::abs(given.methods[0].map.values[pixel] - plain.methods[0].map.values[pixel]) < 1e-4f);
    }
}

void TestAnalysis::heatmapCellsAreMeansOfTheirBlocks()
{
    Scenario scenario = small("local");
    const Analysis pooled = analysed(scenario);
    scenario.view.pixels = 96;
    const Analysis whole = analysed(scenario);
    const PooledMap &coarse = pooled.methods[0].map, &fine = whole.methods[0].map;
    QVERIFY(coarse.exact && fine.exact);
    for (int r = 0; r < 32; ++r)
        for (int c = 0; c < 32; ++c) {
            double sum = 0;
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                    sum += fine.at(3 * r + i, 3 * c + j);
            QVERIFY(std::abs(coarse.at(r, c) - sum / 9) < 1e-6);
        }
}

void TestAnalysis::curveMeetsExactTheory_data()
{
    QTest::addColumn<QString>("source");
    for (const char* source : {"gaussian", "sphere", "uniform", "finite", "power_series", "needle"})
        QTest::addRow("%s", source) << source;
}

// The measured points scatter about the exact expectation by their standard errors.
void TestAnalysis::curveMeetsExactTheory()
{
    QFETCH(QString, source);
    Scenario scenario = small(source.toUtf8().constData());
    scenario.view.curveRows = 256;
    const Analysis analysis = analysed(scenario);
    for (const MethodAnalysis& method : analysis.methods) {
        QVERIFY(!method.exact.empty());
        for (const CurvePoint& point : method.measured) {
            const auto after = std::find_if(method.exact.begin(), method.exact.end(), [&](const CurvePoint& p) { return p.n >= point.n * (1 - 1e-9); });
            QVERIFY(after != method.exact.end());
            double expected = after->value;
            if (after != method.exact.begin() && after->n > point.n * (1 + 1e-9)) {
                const CurvePoint& before = *(after - 1);
                expected = before.value + (after->value - before.value) * std::log(point.n / before.n) / std::log(after->n / before.n);
            }
            // the keys are shared by all rows, which the standard error does not know: allow for it
            QVERIFY2(std::abs(point.value - expected) < 6 * point.standardError + 0.06,
                     qPrintable(QString("%1 at n = %2: %3, expected %4").arg(method.method.id.c_str()).arg(point.n).arg(point.value).arg(expected)));
        }
    }
}

void TestAnalysis::theoryNeedsNoKeys()
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

void TestAnalysis::theoryIsSilentWhereItDoesNotHold()
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
void TestAnalysis::picturesDoNotWaitForTheory()
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

// The window's sources and the densities of `attnscope entropy --source`: one id means one thing.
void TestAnalysis::sourcesAndDensitiesSpeakAlike()
{
    int shared = 0;
    for (const SyntheticSource& source : syntheticSources())
        for (const LogitDensityRow& density : logitDensities()) {
            if (source.id != density.id)
                continue;
            ++shared;
            for (const Parameter& parameter : density.parameters) {
                const auto same = std::find_if(source.parameters.begin(), source.parameters.end(), [&](const Parameter& p) { return p.id == parameter.id; });
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

void TestAnalysis::measuredMultiplierOfAPreviewIsClose()
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

void TestAnalysis::previewLooksAtSampledRows()
{
    Scenario scenario = small("local");
    const Analysis exact = analysed(scenario);
    scenario.view.preview = true;
    const Analysis preview = analysed(scenario);
    QCOMPARE(preview.sampledRows.size(), size_t(32));
    QVERIFY(!preview.methods[0].map.exact);
    QCOMPARE(preview.methods[0].map.rows, 32);
    for (size_t r = 0; r < 32; ++r) {
        const auto row = static_cast<size_t>(preview.sampledRows[r]);
        QVERIFY(std::abs(preview.methods[0].rows[r].entropy - exact.methods[0].rows[row].entropy) < 1e-5);
    }
}

void TestAnalysis::cacheGivesTheSameAnswer()
{
    AnalysisCache cache;
    Scenario scenario = small("local");
    QVERIFY(analyse(scenario, {}, cache));
    for (int step = 0; step < 4; ++step) {
        switch (step) {
        case 0: scenario.view.row = 10; break;
        case 1: scenario.temperature = 2; break;
        case 2: scenario.view.region = {0, 48, 0, 48}; break;
        case 3: scenario.view.measure.id = "max_weight"; break;
        }
        const auto warm = analyse(scenario, {}, cache);
        const Analysis cold = analysed(scenario);
        QVERIFY(warm.has_value());
        for (size_t m = 0; m < 2; ++m) {
            QCOMPARE(warm->methods[m].entropy.mean, cold.methods[m].entropy.mean);
            QCOMPARE(warm->methods[m].map.values, cold.methods[m].map.values);
            QCOMPARE(warm->methods[m].chosen.weights, cold.methods[m].chosen.weights);
            QCOMPARE(curve(*warm, m).size(), curve(cold, m).size());
            for (size_t p = 0; p < curve(cold, m).size(); ++p)
                QCOMPARE(curve(*warm, m)[p].value, curve(cold, m)[p].value);
        }
    }
}

// Put back as a custom multiplier, it brings the mean entropy at n = 96 to that of the first 64 tokens.
void TestAnalysis::keepsEntropyIsTheScaleThatDoes()
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

// A cache that has seen other lengths takes the first tokens of what it has; the picture is that of a fresh start, bit for bit.
void TestAnalysis::draggedLengthsGiveTheSamePicture_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("position");
    for (const SyntheticSource& source : syntheticSources())
        QTest::addRow("%s", source.id.c_str()) << QString::fromStdString(source.id) << QStringLiteral("none");
    QTest::addRow("turned") << QStringLiteral("local") << QStringLiteral("rope");
}

void TestAnalysis::draggedLengthsGiveTheSamePicture()
{
    QFETCH(QString, source);
    QFETCH(QString, position);
    AnalysisCache cache;
    for (const std::int64_t n : {200, 203, 96, 190, 211}) {  // upwards, down, and among what is there
        for (const bool preview : {true, false}) {
            Scenario scenario = small(source.toUtf8().constData());
            scenario.attention.position.id = position.toStdString();
            scenario.n = n;
            scenario.view.preview = preview;
            const auto dragged = analyse(scenario, {}, cache);
            const Analysis fresh = analysed(scenario);
            QVERIFY2(dragged.has_value(), dragged ? "" : dragged.error().message.c_str());
            QCOMPARE(dragged->queryCount, fresh.queryCount);
            QCOMPARE(dragged->keyCount, n);
            QCOMPARE(dragged->needleKey, fresh.needleKey);
            QCOMPARE(dragged->notes, fresh.notes);
            for (size_t m = 0; m < 2; ++m) {
                QCOMPARE(dragged->methods[m].map.values, fresh.methods[m].map.values);
                QCOMPARE(dragged->methods[m].chosen.logits, fresh.methods[m].chosen.logits);
                QCOMPARE(dragged->methods[m].chosen.weights, fresh.methods[m].chosen.weights);
                QCOMPARE(dragged->methods[m].rows.size(), fresh.methods[m].rows.size());
                for (size_t r = 0; r < fresh.methods[m].rows.size(); ++r)
                    QCOMPARE(dragged->methods[m].rows[r].entropy, fresh.methods[m].rows[r].entropy);
            }
        }
    }
}

void TestAnalysis::sourcesAreNested()
{
    for (const SyntheticSource& source : syntheticSources()) {
        const auto shorter = generate({source.id, {}, {}}, {.queries = 20, .keys = 20, .d = 8, .seed = 5});
        const auto longer = generate({source.id, {}, {}}, {.queries = 33, .keys = 33, .d = 8, .seed = 5});
        const auto later = generate({source.id, {}, {}}, {.queries = 5, .keys = 20, .d = 8, .seed = 5, .firstQuery = 15});
        QVERIFY(shorter && longer && later);
        const auto columns = shorter->queries[0].cols();
        QVERIFY2(shorter->queries[0] == longer->queries[0].topLeftCorner(20, columns), source.id.c_str());
        QVERIFY2(later->queries[0] == shorter->queries[0].bottomRows(5), source.id.c_str());
        if (!shorter->keys.empty())
            QVERIFY2(shorter->keys[0] == longer->keys[0].topRows(20), source.id.c_str());
    }
}

void TestAnalysis::methodWithoutAValueSaysWhy()
{
    Scenario scenario = small("local");
    scenario.nTrain = 500;
    scenario.methods = {{"vanilla", {}, {}}, {"entropy_measured", {}, {}}};
    const Analysis analysis = analysed(scenario);
    QVERIFY(analysis.methods[0].absent.empty() && !analysis.methods[0].rows.empty());
    QVERIFY(!analysis.methods[1].absent.empty() && analysis.methods[1].rows.empty());

    scenario.nTrain = 48;  // solved, there is no formula to put numbers into: the number itself is said
    const MethodAnalysis solved = analysed(scenario).methods[1];
    QCOMPARE(QString::fromStdString(solved.worked), "m = " + QString::fromStdString(formatNumber(double(solved.scale.back()), 4)));
}

void TestAnalysis::rowsWithoutAValueAreLeftOut_data()
{
    QTest::addColumn<QString>("method");
    QTest::addColumn<int>("firstRow");   // the first row that has a value
    QTest::addColumn<QString>("why");
    QTest::addRow("below e^eps") << "infoscale:eps=1,row=1" << 2 << "2 of 96 rows have no value: infoscale: undefined below n = e^ε = 2.718 (n = 1)";
    QTest::addRow("a pole at ln 1") << "log_power:gamma=-1" << 1 << "1 of 96 rows has no value: log_power: infinite at n = 1";
    QTest::addRow("of the position") << "custom:\"log(i - 4)\"" << 5 << "5 of 96 rows have no value: custom: undefined at n = 96, i = 0";
    QTest::addRow("more entropy than ln n") << "entropy_exact:row=1" << -1 << "no scale";
}

/// The rows from there on are those that a method with the same multipliers gives; the others count in no mean.
void TestAnalysis::rowsWithoutAValueAreLeftOut()
{
    QFETCH(QString, method);
    QFETCH(int, firstRow);
    QFETCH(QString, why);
    Scenario scenario = small();
    scenario.methods = {*parseChoice(std::string_view(method.toStdString()), scaleMethods(), "scale method"), {"vanilla", {}, {}}};
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
    QVERIFY(first.methods[0].chosen.keys.empty() && !first.methods[0].fromFirst && first.methods[1].chosen.keys.size() == 1);
}

/// Logits (0, ln 3), (ln 3, 0): under m = 1 the rows are (1/4, 3/4), (3/4, 1/4), under m = 0 uniform.
void TestAnalysis::distancesAndMatricesByHand()
{
    HeadSet heads;
    heads.kind = HeadSet::Kind::Logits;
    heads.queries.push_back(Matrix{{0.0f, std::log(3.0f)}, {std::log(3.0f), 0.0f}});
    LengthRequest request{.attention = {}, .methods = {{"vanilla", {{"alpha", 0}}, {}}, {"vanilla", {}, {}}}, .lengths = {1, 2}, .engine = {}};
    request.attention.mask = {"full", {}, {}};
    request.distances = request.matrices = true;
    const auto all = lengthStatistics(heads, 0, request, {});
    QVERIFY(all.has_value());
    QCOMPARE(all->size(), size_t(4));
    const LengthStatistics &flat = (*all)[1], &sharp = (*all)[3], &one = (*all)[2];
    const double quarter = 0.25 * std::log(4.0) + 0.75 * std::log(4.0 / 3);  // H of (1/4, 3/4)
    for (size_t row = 0; row < 2; ++row) {
        QVERIFY(flat.fromFirst[row]->kl == 0 && flat.fromFirst[row]->variation == 0);
        QVERIFY(std::abs(sharp.fromFirst[row]->kl - (std::log(2.0) - quarter)) < 1e-7);
        QVERIFY(std::abs(sharp.fromFirst[row]->variation - 0.25) < 1e-7);
    }
    QVERIFY(std::abs(flat.matrix->mutualInformation) < 1e-6 && std::abs(flat.matrix->meanRowEntropy - std::log(2.0)) < 1e-6);
    QVERIFY(std::abs(sharp.matrix->meanRowEntropy - std::log(2.0)) < 1e-6);
    QVERIFY(std::abs(sharp.matrix->mutualInformation - (std::log(2.0) - quarter)) < 1e-6);
    QVERIFY(one.rows.size() == 1 && one.matrix->meanRowEntropy == 0 && one.fromFirst[0]->variation == 0);  // one token: nothing to tell apart
}

void TestAnalysis::rowsCountWhatTheySee_data()
{
    QTest::addColumn<QString>("mask");
    QTest::addColumn<int>("most");    // keys that a row sees at most; 0: all of them, before and after it
    QTest::addRow("causal") << "causal" << 96;
    QTest::addRow("full") << "full" << 0;
    QTest::addRow("window") << "window:w=10" << 10;
    QTest::addRow("causal padding") << "padding:length=50,causal=1" << 50;
}

/// ssmax takes the row's count, log_n the sequence's: ln of what row i sees, of what all see.
void TestAnalysis::rowsCountWhatTheySee()
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

void TestAnalysis::everyChoiceIsSeen_data()
{
    QTest::addColumn<QString>("of");
    QTest::addColumn<QString>("choice");
    const auto add = [](const char* of, const auto& rows, const std::string& usual) {
        for (const Entry& row : rows)
            if (row.id != usual)
                QTest::addRow("%s %s", of, row.id.c_str()) << of << QString::fromStdString(row.id == "llama4" ? "llama4:floor_scale=32" : row.id == "padding" ? "padding:50" : row.id);
    };
    add("method", scaleMethods(), "vanilla");
    add("kernel", kernels(), "dot");
    add("position", positions(), "none");
    add("mask", masks(), "causal");
    add("normaliser", normalisers(), "softmax");
}

/// Three times as long as in training, every choice changes the weights of the last row, or what rows sum to, or other rows.
void TestAnalysis::everyChoiceIsSeen()
{
    QFETCH(QString, of);
    QFETCH(QString, choice);
    const std::string text = choice.toStdString();
    Scenario scenario = small("local");
    scenario.n = 192;
    scenario.methods = {{"vanilla", {}, {}}};
    const Analysis plain = analysed(scenario);
    if (of == "method")
        scenario.methods.push_back(*parseChoice(std::string_view(text), scaleMethods(), "scale method"));
    else if (of == "kernel")
        scenario.attention.kernel = *parseChoice(std::string_view(text), kernels(), "kernel");
    else if (of == "position")
        scenario.attention.position = *parseChoice(std::string_view(text), positions(), "position");
    else if (of == "mask")
        scenario.attention.mask = *parseChoice(std::string_view(text), masks(), "mask");
    else
        scenario.attention.normaliser = *parseChoice(std::string_view(text), normalisers(), "normaliser");
    const Analysis other = analysed(scenario);
    const MethodAnalysis& method = other.methods.back();
    QVERIFY2(method.absent.empty(), method.absent.c_str());
    const std::optional<RowDistance> distance = rowDistance(method.chosen, plain.methods[0].chosen);
    const bool ofMass = std::ranges::any_of(method.rows, [](const RowSummary& row) { return row.visible > 0 && std::abs(row.mass - 1) > 1e-3; });
    const bool ofOtherRows = std::abs(method.entropy.mean - plain.methods[0].entropy.mean) > 1e-3;
    QVERIFY(distance && (distance->variation > 1e-3 || ofMass || ofOtherRows));
}

void TestAnalysis::notesExplainCombinations_data()
{
    QTest::addColumn<QString>("method");
    QTest::addColumn<QString>("mask");
    QTest::addColumn<QString>("normaliser");
    QTest::addColumn<QString>("about");   // empty: nothing to say
    QTest::addRow("plain") << "log_n" << "causal" << "softmax" << "";
    QTest::addRow("a window's keys") << "log_n" << "window" << "softmax" << "the last row sees 64 of them under Sliding window";
    QTest::addRow("a window's rows") << "ssmax" << "window" << "softmax" << "";
    QTest::addRow("padding does not count") << "log_n" << "padding" << "softmax" << "";
    QTest::addRow("solved for softmax") << "entropy_mean_field" << "causal" << "sparsemax" << "with Sparsemax the entropy need not be kept";
    QTest::addRow("adaptive") << "vanilla" << "causal" << "adaptive" << "of 96 rows of Vanilla as they are";
    QTest::addRow("mass") << "vanilla" << "causal" << "softmax1" << "total mass under Vanilla is 0.";
}

void TestAnalysis::notesExplainCombinations()
{
    QFETCH(QString, method);
    QFETCH(QString, mask);
    QFETCH(QString, normaliser);
    QFETCH(QString, about);
    Scenario scenario = small();
    scenario.methods = {{method.toStdString(), {}, {}}};
    scenario.attention.mask.id = mask.toStdString();
    scenario.attention.normaliser.id = normaliser.toStdString();
    QStringList notes;
    for (const std::string& note : analysed(scenario).notes) {
        QVERIFY2(!note.ends_with('.'), note.c_str());  // they are joined
        notes << QString::fromStdString(note);
    }
    QCOMPARE(notes.isEmpty(), about.isEmpty());
    QVERIFY2(notes.join('|').contains(about), qPrintable(notes.join('|')));
}

void TestAnalysis::paddingIsNotCounted()
{
    Scenario scenario = small();
    scenario.attention.mask = {"padding", {{"length", 50}}, {}};
    scenario.methods = {{"log_n", {}, {}}};
    const Analysis analysis = analysed(scenario);
    QVERIFY(std::abs(analysis.methods[0].scale.back() - std::log(50.0)) < 1e-6);
    QVERIFY2(QString::fromStdString(analysis.methods[0].worked).contains("ln 50"), analysis.methods[0].worked.c_str());
}

void TestAnalysis::methodsAreComparedWithTheFirst()
{
    const Analysis analysis = analysed(small());
    QCOMPARE(analysis.methods[0].fromFirst->kl, 0.0);
    const std::vector<double> &p = analysis.methods[1].chosen.weights, &q = analysis.methods[0].chosen.weights;
    double kl = 0, variation = 0;
    for (size_t j = 0; j < p.size(); ++j) {
        kl += p[j] * std::log(p[j] / q[j]);
        variation += std::abs(p[j] - q[j]) / 2;
    }
    QVERIFY(std::abs(analysis.methods[1].fromFirst->kl - kl) < 1e-9);
    QVERIFY(std::abs(analysis.methods[1].fromFirst->variation - variation) < 1e-9);
}

// Prop. 3.1: no row's logits differ by more than 2 sigma_Q sigma_K max |x|^2 / sqrt d.
void TestAnalysis::projectionsBoundTheLogits()
{
    const Scenario scenario = small("dependent");
    const Result<Source> source = openSource(scenario, 96, 96);
    QVERIFY(source && source->projections);
    const Projections& known = *source->projections;
    const double bound = 2 * known.queryNorm * known.keyNorm * known.largestToken * known.largestToken / std::sqrt(16.0);
    const Analysis analysis = analysed(scenario);
    double widest = 0;
    for (const RowSummary& row : analysis.methods[0].rows)
        widest = std::max(widest, row.logitMax - row.logitMin);
    QVERIFY(widest > 0 && widest <= bound);
    const QString note = QString::fromStdString(analysis.notes.back());
    QVERIFY2(note.contains("Proposition 3.1") && note.contains(QString::fromStdString(formatNumber(bound, 4))), qPrintable(note));
}

void TestAnalysis::fileWrittenAgainIsReadAgain()
{
    QTemporaryDir folder;
    const std::string path = folder.filePath("heads.safetensors").toStdString();
    const auto write = [&](float factor, std::int64_t tokens) {
        const std::vector<float> values(static_cast<size_t>(tokens * 4), factor);
        const auto saved = writeSafetensors(path, std::vector<TensorView>{tensorView("q", {tokens, 4}, values), tensorView("k", {tokens, 4}, values)});
        QVERIFY2(saved.has_value(), saved ? "" : saved.error().message.c_str());
    };
    Scenario scenario = small("tensors");
    scenario.tensors.path = path;
    AnalysisCache cache;
    write(1, 8);
    QCOMPARE(analyse(scenario, {}, cache)->keyCount, std::int64_t(8));
    write(2, 12);
    QCOMPARE(analyse(scenario, {}, cache)->keyCount, std::int64_t(12));
}

// What is shown of several heads against what is shown of each alone.
void TestAnalysis::theMeanOfHeadsIsTheMeanOfEach()
{
    QTemporaryDir folder;
    const std::string path = folder.filePath("heads.safetensors").toStdString();
    std::vector<float> q(4 * 24 * 5), k(2 * 24 * 5);  // 4 query heads share 2 key heads
    for (size_t i = 0; i < q.size(); ++i)
        q[i] = static_cast<float>(1 + i / 120) * std::sin(0.37F * static_cast<float>(i * i % 1009));
    for (size_t i = 0; i < k.size(); ++i)
        k[i] = 2 * std::cos(0.91F * static_cast<float>(i * i % 997));
    QVERIFY(writeSafetensors(path, std::vector<TensorView>{tensorView("q", {4, 24, 5}, q), tensorView("k", {2, 24, 5}, k)}));
    Scenario scenario = small("tensors");
    scenario.tensors.path = path;
    scenario.n = 24;
    scenario.view.curveFirst = 4;
    scenario.view.curveLast = 24;

    std::vector<Analysis> each;
    for (const int head : {0, 3}) {
        scenario.tensors.head = head;
        each.push_back(analysed(scenario));
    }
    scenario.tensors.mean = {3, 0, 3, 99};
    const Analysis mean = analysed(scenario);
    QCOMPARE(mean.scenario.tensors.mean, (std::vector<int>{0, 3}));
    QCOMPARE(mean.heads.size(), size_t(4));
    const auto close = [](double a, double b, double c) { return std::abs(a - (b + c) / 2) < 1e-6; };
    for (size_t m = 0; m < mean.methods.size(); ++m) {
        const MethodAnalysis &both = mean.methods[m], &a = each[0].methods[m], &b = each[1].methods[m];
        QVERIFY(std::abs(a.entropy.mean - b.entropy.mean) > 1e-3);
        QVERIFY(close(both.entropy.mean, a.entropy.mean, b.entropy.mean));
        QVERIFY(close(both.largestWeight.mean, a.largestWeight.mean, b.largestWeight.mean));
        QCOMPARE(both.entropy.count, a.entropy.count + b.entropy.count);
        for (size_t i = 0; i < both.map.values.size(); ++i)
            QVERIFY(close(both.map.values[i], a.map.values[i], b.map.values[i]));
        for (size_t i = 0; i < both.rows.size(); ++i)
            QVERIFY(close(both.rows[i].entropy, a.rows[i].entropy, b.rows[i].entropy));
        for (size_t i = 0; i < both.chosen.weights.size(); ++i)
            QVERIFY(close(both.chosen.weights[i], a.chosen.weights[i], b.chosen.weights[i]));
        QCOMPARE(both.measured.size(), a.measured.size());
        for (size_t i = 0; i < both.measured.size(); ++i)
            QVERIFY(close(both.measured[i].value, a.measured[i].value, b.measured[i].value));
        QVERIFY(close(both.matrix->mutualInformation, a.matrix->mutualInformation, b.matrix->mutualInformation));
        QVERIFY(!both.keepsEntropy);
    }
    QCOMPARE(describeHeads(mean.scenario.tensors), std::string("mean of heads 0, 3"));
    scenario.tensors.mean = {2};
    QCOMPARE(analysed(scenario).scenario.tensors.head, 2);
    scenario.tensors.mean = {0, 1, 2, 3, 5, 6, 8};
    QCOMPARE(describeHeads(scenario.tensors), std::string("mean of heads 0-3, 5, 6, 8"));
}

void TestAnalysis::tooLargeForMemoryIsAnError()
{
    rlimit before{};
    getrlimit(RLIMIT_AS, &before);
    const rlimit less{std::min<rlim_t>(before.rlim_max, rlim_t(6) << 30), before.rlim_max};
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    QSKIP("a sanitiser needs all of the address space, so it cannot be limited here");
#endif
    setrlimit(RLIMIT_AS, &less);
    Scenario scenario = small();
    scenario.n = std::int64_t(1) << 22;
    scenario.d = 4096;
    const Result<Analysis> result = analyse(scenario, {});
    setrlimit(RLIMIT_AS, &before);
    QVERIFY(!result);
    QVERIFY2(QString::fromStdString(result.error().message).contains("not enough memory"), result.error().message.c_str());
}

void TestAnalysis::wrongScenariosAreRefused_data()
{
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("says");
    QTest::addRow("n = 0") << 0 << "n must be at least 1";
    QTest::addRow("n too long for memory") << 1 << "choose the source 'theory'";
    QTest::addRow("temperature 0") << 2 << "temperature must be above 0";
    QTest::addRow("unknown source") << 3 << "unknown source";
    QTest::addRow("unknown engine") << 4 << "unknown engine";
    QTest::addRow("unknown method") << 5 << "unknown scale method";
    QTest::addRow("no method") << 6 << "tick one";
    QTest::addRow("no file") << 7 << "open one";
    QTest::addRow("a matrix of single logits too large") << 8 << "choose n up to 4096";
    QTest::addRow("unknown measure") << 9 << "unknown measure";
}

void TestAnalysis::wrongScenariosAreRefused()
{
    QFETCH(int, which);
    QFETCH(QString, says);
    Scenario scenario = small();
    switch (which) {
    case 0: scenario.n = 0; break;
    case 1: scenario.n = std::int64_t(1) << 40; break;
    case 2: scenario.temperature = 0; break;
    case 3: scenario.source.id = "nosuch"; break;
    case 4: scenario.engine = "nosuch"; break;
    case 5: scenario.methods = {{"nosuch", {}, {}}}; break;
    case 6: scenario.methods.clear(); break;
    case 7: scenario.source.id = "tensors"; break;
    case 8: scenario.source.id = "uniform"; scenario.n = 5000; break;
    case 9: scenario.view.measure.id = "nosuch"; break;
    }
    const Result<Analysis> result = analyse(scenario, {});
    QVERIFY(!result);
    QVERIFY2(QString::fromStdString(result.error().message).contains(says), result.error().message.c_str());
}

void TestAnalysis::stops()
{
    Scenario scenario = small();
    scenario.n = 4096;
    std::stop_source stop;
    stop.request_stop();
    const Result<Analysis> result = analyse(scenario, stop.get_token());
    QVERIFY(!result);
    QVERIFY(result.error().kind == ErrorKind::Cancelled);
}

QTEST_APPLESS_MAIN(TestAnalysis)
#include "test_analysis.moc"
