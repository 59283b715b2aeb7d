// What a picture holds: rows, heatmaps and the chosen row of each source, mask, kernel and normaliser, against values
// by hand and each other.
//
// Tolerances: fields of rows are float32 sums of at most 256 terms of about equal size, 256 u = 1.5e-5 at worst and
// 1e-6 for the few dozen terms here; means over rows and heads are double.

#include "small_scenario.h"

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

using namespace attnscope;

class TestPictures : public QObject {
    Q_OBJECT
private slots:
    void everySourceGivesAPicture_data();
    void everySourceGivesAPicture();
    void rowsOfUniformAttention();
    void everyChoiceIsSeen_data();
    void everyChoiceIsSeen();
    void heatmapCellsAreMeansOfTheirBlocks();
    void previewLooksAtSampledRows();
    void theChosenRowIsSummarisedInPreviewsToo();
    void previewsHaveTheCurvesThatAreKnown();
    void methodsAreComparedWithTheFirst();
    void distancesAndMatricesByHand();
    void projectionsBoundTheLogits();
    void theMeanOfHeadsIsTheMeanOfEach();
};

void TestPictures::everySourceGivesAPicture_data()
{
    QTest::addColumn<QString>("source");
    for (const SyntheticSource& source : syntheticSources())
        QTest::addRow("%s", source.id.c_str()) << QString::fromStdString(source.id);
}

void TestPictures::everySourceGivesAPicture()
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

// With all logits equal, row i of a causal mask is uniform over i + 1 keys: H = ln(i + 1), the largest weight 1 / (i +
// 1).
void TestPictures::rowsOfUniformAttention()
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

void TestPictures::everyChoiceIsSeen_data()
{
    QTest::addColumn<QString>("of");
    QTest::addColumn<QString>("choice");
    const auto add = [](const char* of, const auto& rows, const std::string& usual) {
        for (const Entry& row : rows)
            if (row.id != usual)
                QTest::addRow("%s %s", of, row.id.c_str())
                    << of
                    << QString::fromStdString(row.id == "llama4"      ? "llama4:floor_scale=32"
                                              : row.id == "padding"   ? "padding:50"
                                              : row.id == "documents" ? "documents:length=48"
                                                                      : row.id);
    };
    add("method", scaleMethods(), "vanilla");
    add("kernel", kernels(), "dot");
    add("position", positions(), "none");
    add("mask", masks(), "causal");
    add("normaliser", normalisers(), "softmax");
}

/// Three times as long as in training, every choice changes the weights of the last row, or what rows sum to, or other
/// rows.
void TestPictures::everyChoiceIsSeen()
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
    const bool ofMass = std::ranges::any_of(
        method.rows, [](const RowSummary& row) { return row.visible > 0 && std::abs(row.mass - 1) > 1e-3; });
    const bool ofOtherRows = std::abs(method.entropy.mean - plain.methods[0].entropy.mean) > 1e-3;
    QVERIFY(distance && (distance->variation > 1e-3 || ofMass || ofOtherRows));
}

void TestPictures::heatmapCellsAreMeansOfTheirBlocks()
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

void TestPictures::previewLooksAtSampledRows()
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

// Every row can be the chosen one, sampled or not: its summary is its own.
void TestPictures::theChosenRowIsSummarisedInPreviewsToo()
{
    Scenario scenario = small("local");
    const Analysis exact = analysed(scenario);
    for (const bool preview : {false, true})
        for (const std::int64_t row : {0, 1, 33, 94, 95}) {
            scenario.view.preview = preview;
            scenario.view.row = row;
            const Analysis analysis = analysed(scenario);
            for (size_t m = 0; m < 2; ++m) {
                const RowSummary &own = analysis.methods[m].chosenSummary,
                                 &known = exact.methods[m].rows[static_cast<size_t>(row)];
                QCOMPARE(own.visible, known.visible);
                QVERIFY(std::abs(own.entropy - known.entropy) < 1e-5);
                QVERIFY(std::abs(own.top[0] - known.top[0]) < 1e-6);
            }
        }
}

// A curve does not depend on n: a preview has those that are known, and says where they are still to come.
void TestPictures::previewsHaveTheCurvesThatAreKnown()
{
    AnalysisCache cache;
    Scenario scenario = small("local");
    const auto look = [&](bool preview) {
        scenario.view.preview = preview;
        return analyse(scenario, {}, cache);
    };
    const auto first = look(true);
    QVERIFY(first && first->curvesCome && first->methods[0].measured.empty());
    const auto exact = look(false);
    QVERIFY(exact && !exact->curvesCome && !exact->methods[0].measured.empty());
    scenario.n = 80;
    const auto known = look(true);
    QVERIFY(known && !known->curvesCome);
    Curve expected = exact->methods[1].measured;
    QCOMPARE(std::erase_if(expected, [](const CurvePoint& point) { return point.n == 96; }),
             size_t(1));  // the picture's
    QCOMPARE(known->methods[1].measured.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i)
        QCOMPARE(known->methods[1].measured[i].value, expected[i].value);
    scenario.temperature = 2;
    const auto other = look(true);
    QVERIFY(other && other->curvesCome && other->methods[0].measured.empty());
}

void TestPictures::methodsAreComparedWithTheFirst()
{
    const Analysis analysis = analysed(small());
    QCOMPARE(analysis.methods[0].fromFirst->kl, 0.0);
    const std::vector<double>&p = analysis.methods[1].chosen.weights, &q = analysis.methods[0].chosen.weights;
    double kl = 0, variation = 0;
    for (size_t j = 0; j < p.size(); ++j) {
        kl += p[j] * std::log(p[j] / q[j]);
        variation += std::abs(p[j] - q[j]) / 2;
    }
    QVERIFY(std::abs(analysis.methods[1].fromFirst->kl - kl) < 1e-9);
    QVERIFY(std::abs(analysis.methods[1].fromFirst->variation - variation) < 1e-9);
}

/// Logits (0, ln 3), (ln 3, 0): under m = 1 the rows are (1/4, 3/4), (3/4, 1/4), under m = 0 uniform.
void TestPictures::distancesAndMatricesByHand()
{
    HeadSet heads;
    heads.kind = HeadSet::Kind::Logits;
    heads.queries.push_back(Matrix{{0.0f, std::log(3.0f)}, {std::log(3.0f), 0.0f}});
    LengthRequest request{.attention = {},
                          .methods = {{"vanilla", {{"alpha", 0}}, {}}, {"vanilla", {}, {}}},
                          .lengths = {1, 2},
                          .engine = "auto"};
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
    QVERIFY(std::abs(flat.matrix->mutualInformation) < 1e-6 &&
            std::abs(flat.matrix->meanRowEntropy - std::log(2.0)) < 1e-6);
    QVERIFY(std::abs(sharp.matrix->meanRowEntropy - std::log(2.0)) < 1e-6);
    QVERIFY(std::abs(sharp.matrix->mutualInformation - (std::log(2.0) - quarter)) < 1e-6);
    QVERIFY(one.rows.size() == 1 && one.matrix->meanRowEntropy == 0 &&
            one.fromFirst[0]->variation == 0);  // one token: nothing to tell apart
}

// Prop. 3.1: no row's logits differ by more than 2 sigma_Q sigma_K max |x|^2 / sqrt d.
void TestPictures::projectionsBoundTheLogits()
{
    const Scenario scenario = small("dependent");
    const Result<Source> source = openSource(scenario, 96, 96);
    QVERIFY(source && source->projections);
    const Projections& known = *source->projections;
    const double bound =
        2 * known.queryNorm * known.keyNorm * known.largestToken * known.largestToken / std::sqrt(16.0);
    const Analysis analysis = analysed(scenario);
    double widest = 0;
    for (const RowSummary& row : analysis.methods[0].rows)
        widest = std::max(widest, row.logitMax - row.logitMin);
    QVERIFY(widest > 0 && widest <= bound);
    const QString note = QString::fromStdString(analysis.notes.back());
    QVERIFY2(note.contains("Proposition 3.1") && note.contains(QString::fromStdString(formatNumber(bound, 4))),
             qPrintable(note));
}

// What is shown of several heads against what is shown of each alone.
void TestPictures::theMeanOfHeadsIsTheMeanOfEach()
{
    QTemporaryDir folder;
    const std::string path = folder.filePath("heads.safetensors").toStdString();
    std::vector<float> q(4 * 24 * 5), k(2 * 24 * 5);  // 4 query heads share 2 key heads
    for (size_t i = 0; i < q.size(); ++i)
        q[i] = static_cast<float>(1 + i / 120) * std::sin(0.37F * static_cast<float>(i * i % 1009));
    for (size_t i = 0; i < k.size(); ++i)
        k[i] = 2 * std::cos(0.91F * static_cast<float>(i * i % 997));
    QVERIFY(writeSafetensors(path,
                             std::vector<TensorView>{tensorView("q", {4, 24, 5}, q), tensorView("k", {2, 24, 5}, k)}));
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

QTEST_APPLESS_MAIN(TestPictures)
#include "test_pictures.moc"
