// Every normaliser against golden.json (golden.py: definitions in extended precision, sparse ones by bisection), the
// sparse ones against their own conditions, and adaptive temperature at the entropies where it changes its mind.

#include "core/attention/normaliser.h"
#include "core/attention/summarise_row.h"
#include "core/base/random.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace attnscope;

namespace {

struct Chosen {
    const Normaliser* row;
    Choice choice;
    Parameters parameters() const { return {*row, choice}; }
};

Chosen choose(const QString& text)
{
    const Result<Choice> choice = parseChoice(std::string_view(text.toStdString()), normalisers(), "normaliser");
    if (!choice)
        qFatal("%s", choice.error().message.c_str());
    return {*findRow(normalisers(), choice->id, "normaliser"), *choice};
}

std::vector<double> weightsOf(const Chosen& chosen, const std::vector<double>& logits, NormaliserState* found = nullptr)
{
    const NormaliserState state = chosen.row->solve(logits, chosen.parameters());
    if (found)
        *found = state;
    std::vector<double> weights;
    for (const double x : logits)
        weights.push_back(chosen.row->weight(x, state, chosen.parameters()));
    return weights;
}

RowSummary summarise(const Chosen& chosen, const std::vector<double>& logits)
{
    const auto n = static_cast<std::int64_t>(logits.size());
    return summariseRow(logits, {0, 0, n}, n - 1, *chosen.row, chosen.parameters());
}

std::vector<double> numbers(const QJsonValue& array)
{
    std::vector<double> values;
    for (const QJsonValue& value : array.toArray())
        values.push_back(value.toDouble());
    return values;
}

QJsonObject golden()
{
    QFile file(TEST_DATA "/golden.json");
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no golden.json");
    return QJsonDocument::fromJson(file.readAll()).object();
}

std::vector<double> gaussianRow(std::uint64_t seed, size_t n, double spread)
{
    std::vector<double> row(n);
    Random(seed, Stream::Logits).normals(0, std::span<double>(row));
    for (double& x : row)
        x *= spread;
    return row;
}

}  // namespace

Q_DECLARE_METATYPE(std::vector<double>)

class TestNormalisers : public QObject {
    Q_OBJECT
private slots:
    void goldenWeights_data();
    void goldenWeights();
    void everyRowHasGoldenNumbers();
    void sparseConditions_data();
    void sparseConditions();
    void entmaxMeetsTheExactOnes();
    void largeLogitsKeepTheirDigits_data();
    void largeLogitsKeepTheirDigits();
    void adaptiveBeta_data();
    void adaptiveBeta();
    void adaptiveNeverFlattens();
    void infiniteLogits_data();
    void infiniteLogits();
    void gradientsAreThoseOfTheWeights_data();
    void gradientsAreThoseOfTheWeights();
    void rowsExplainThemselves();
};

void TestNormalisers::goldenWeights_data()
{
    QTest::addColumn<QString>("normaliser");
    QTest::addColumn<std::vector<double>>("logits");
    QTest::addColumn<std::vector<double>>("expected");
    for (const QJsonValue& value : golden()["weights"].toArray()) {
        const QJsonObject row = value.toObject();
        QTest::addRow("%s, %s", qPrintable(row["normaliser"].toString()), qPrintable(row["row"].toString()))
            << row["normaliser"].toString() << numbers(row["logits"]) << numbers(row["weights"]);
    }
}

void TestNormalisers::goldenWeights()
{
    QFETCH(QString, normaliser);
    QFETCH(std::vector<double>, logits);
    QFETCH(std::vector<double>, expected);
    const std::vector<double> weights = weightsOf(choose(normaliser), logits);
    QCOMPARE(weights.size(), expected.size());
    // logits of 1e4 have 1e-12 to spare, and a threshold's error is raised to the power 1/(alpha - 1)
    const double tolerance = std::abs(logits.front()) > 1000 ? 2e-11 : 1e-13;
    for (size_t j = 0; j < weights.size(); ++j)
        QVERIFY2(
            std::abs(weights[j] - expected[j]) <= tolerance * std::max(1.0, expected[j]),
            qPrintable(
                QString("key %1: %2 instead of %3").arg(j).arg(weights[j], 0, 'g', 17).arg(expected[j], 0, 'g', 17)));
}

void TestNormalisers::everyRowHasGoldenNumbers()
{
    std::set<std::string> tested;
    for (const QJsonValue& value : golden()["weights"].toArray())
        tested.insert(value.toObject()["normaliser"].toString().section(':', 0, 0).toStdString());
    for (const Normaliser& row : normalisers())
        QVERIFY2(tested.contains(row.id), row.id.c_str());
}

void TestNormalisers::sparseConditions_data()
{
    QTest::addColumn<QString>("normaliser");
    QTest::addColumn<double>("alpha");
    QTest::addColumn<double>("spread");
    for (const double spread : {0.1, 1.0, 10.0}) {
        QTest::addRow("sparsemax %g", spread) << "sparsemax" << 2.0 << spread;
        QTest::addRow("entmax15 %g", spread) << "entmax15" << 1.5 << spread;
        QTest::addRow("entmax 1.2 %g", spread) << "entmax:alpha=1.2" << 1.2 << spread;
        QTest::addRow("entmax 4 %g", spread) << "entmax:alpha=4" << 4.0 << spread;
    }
}

/// The definition: sum 1; on the support w^(a-1) is (a-1) z - t for one t; off it (a-1) z <= t.
void TestNormalisers::sparseConditions()
{
    QFETCH(QString, normaliser);
    QFETCH(double, alpha);
    QFETCH(double, spread);
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const std::vector<double> logits = gaussianRow(seed, 200, spread);
        NormaliserState state;
        const std::vector<double> w = weightsOf(choose(normaliser), logits, &state);
        // above a = 2 the weights rise from the threshold with infinite slope, and so does the error in it
        QVERIFY(std::abs(std::accumulate(w.begin(), w.end(), 0.0) - 1) < (alpha > 2 ? 1e-8 : 1e-12));
        const size_t best = static_cast<size_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
        const double t = (alpha - 1) * logits[best] - std::pow(w[best], alpha - 1);
        QVERIFY(std::abs(t - state.shiftFromZero()) < 1e-12 * std::max(1.0, spread * alpha * 4));
        for (size_t j = 0; j < w.size(); ++j) {
            const double above = (alpha - 1) * logits[j] - t;
            QVERIFY(std::abs(std::pow(w[j], alpha - 1) - std::max(above, 0.0)) < 1e-11);
            QVERIFY(w[j] > 0 || above <= 1e-12 * spread * 10);
        }
    }
}

void TestNormalisers::entmaxMeetsTheExactOnes()
{
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const std::vector<double> logits = gaussianRow(seed, 300, 2);
        for (const auto& [bisected, exact] :
             {std::pair("entmax:alpha=2", "sparsemax"), std::pair("entmax:alpha=1.5", "entmax15")}) {
            const std::vector<double> a = weightsOf(choose(bisected), logits), b = weightsOf(choose(exact), logits);
            for (size_t j = 0; j < a.size(); ++j)
                QVERIFY(std::abs(a[j] - b[j]) < 1e-13);
        }
    }
}

void TestNormalisers::largeLogitsKeepTheirDigits_data()
{
    QTest::addColumn<QString>("normaliser");
    for (const char* id :
         {"softmax", "adaptive", "softmax1", "sink", "softpick", "sparsemax", "entmax15", "entmax", "entmax:alpha=4"})
        QTest::addRow("%s", id) << id;
}

/// Around 1e13, and around 3e16, where neighbouring numbers are 4 apart: weights of the row below, moved there. A sink
/// of small logit has nothing left to say there, nor has the 1 that softpick takes off.
void TestNormalisers::largeLogitsKeepTheirDigits()
{
    QFETCH(QString, normaliser);
    const bool besideOthers = normaliser == "softmax1" || normaliser == "sink" || normaliser == "softpick";
    for (const std::vector<double>& row : {std::vector<double>{4, 4, -8, 0}, std::vector<double>{0, -4, -1000}}) {
        const std::vector<double> expected =
            weightsOf(choose(besideOthers ? QStringLiteral("softmax") : normaliser), row);
        for (const double at : {1e13, 3e16}) {
            std::vector<double> moved = row;
            for (double& x : moved)
                x += at;
            const std::vector<double> is = weightsOf(choose(normaliser), moved);
            for (size_t j = 0; j < row.size(); ++j)
                QVERIFY2(
                    std::abs(is[j] - expected[j]) < 1e-13,
                    qPrintable(QString("%1, key %2: %3 instead of %4").arg(at).arg(j).arg(is[j]).arg(expected[j])));
        }
    }
}

void TestNormalisers::adaptiveBeta_data()
{
    QTest::addColumn<double>("entropy");
    QTest::addColumn<double>("gap");
    QTest::addColumn<int>("count");
    QTest::addColumn<double>("beta");
    for (const QJsonValue& value : golden()["adaptive"].toArray()) {
        const QJsonObject row = value.toObject();
        QTest::addRow("H = %g", row["entropy"].toDouble())
            << row["entropy"].toDouble() << row["gap"].toDouble() << row["count"].toInt() << row["beta"].toDouble();
    }
}

/// One key raised by `gap` over count - 1 others has exactly that entropy.
void TestNormalisers::adaptiveBeta()
{
    QFETCH(double, entropy);
    QFETCH(double, gap);
    QFETCH(int, count);
    QFETCH(double, beta);
    std::vector<double> logits(static_cast<size_t>(count), 0.0);
    logits.front() = gap;
    QVERIFY(std::abs(summarise(choose("softmax"), logits).entropy - entropy) < 1e-12);
    NormaliserState state;
    weightsOf(choose("adaptive"), logits, &state);
    QVERIFY2(std::abs(state.scale - beta) < 2e-5,
             qPrintable(QString::number(state.scale, 'g', 17)));  // the eps in its logarithm: up to 1e-9 n
    weightsOf(choose("adaptive:eps=0"), logits, &state);
    QVERIFY2(std::abs(state.scale - beta) < 1e-11, qPrintable(QString::number(state.scale, 'g', 17)));
}

void TestNormalisers::adaptiveNeverFlattens()
{
    int sharpened = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const size_t n = 1 + seed * 7 % 900;
        const std::vector<double> logits = gaussianRow(seed, n, 0.05 * static_cast<double>(seed % 100));
        const RowSummary before = summarise(choose("softmax"), logits), after = summarise(choose("adaptive"), logits);
        QVERIFY(after.state.scale >= 1);
        QVERIFY(after.entropy <= before.entropy + 1e-12);
        sharpened += after.entropy < before.entropy - 1e-6 ? 1 : 0;
    }
    QVERIFY(sharpened > 100);
}

void TestNormalisers::infiniteLogits_data()
{
    QTest::addColumn<QString>("normaliser");
    for (const Normaliser& row : normalisers())
        QTest::addRow("%s", row.id.c_str()) << QString::fromStdString(row.id);
}

void TestNormalisers::infiniteLogits()
{
    QFETCH(QString, normaliser);
    const Chosen chosen = choose(normaliser);
    constexpr double inf = HUGE_VAL;
    const auto renormalised = [&](const std::vector<double>& logits) {
        std::vector<double> w = weightsOf(chosen, logits);
        const double mass = std::accumulate(w.begin(), w.end(), 0.0);
        for (double& x : w)
            x /= mass;
        return w;
    };
    // -inf and what is no number are masked keys: the others do not notice them
    const std::vector<double> bare = weightsOf(chosen, {1.0, 2.0}), masked = weightsOf(chosen, {1.0, -inf, 2.0, NAN});
    QCOMPARE(masked[0], bare[0]);
    QCOMPARE(masked[2], bare[1]);
    QCOMPARE(masked[1], 0.0);
    // +inf takes all, and shares it
    const std::vector<double> shared = renormalised({1.0, inf, -inf, inf});
    if (normaliser != "sigmoid")
        QVERIFY(shared[0] == 0 && std::abs(shared[1] - 0.5) < 1e-15 && shared[2] == 0 &&
                std::abs(shared[3] - 0.5) < 1e-15);
    QVERIFY(shared[1] == shared[3] && shared[1] > shared[0]);
    for (const double w : weightsOf(chosen, {-inf, -inf}))
        QCOMPARE(w, 0.0);
}

void TestNormalisers::gradientsAreThoseOfTheWeights_data()
{
    QTest::addColumn<QString>("normaliser");
    for (const Normaliser& row : normalisers())
        QTest::addRow("%s", row.id.c_str()) << QString::fromStdString(row.id);
    for (const char* other : {"adaptive:threshold=0,eps=0.001", "sink:s=-2", "entmax:alpha=1.8", "entmax:alpha=3",
                              "sigmoid:b=2", "softpick:eps=1"})
        QTest::addRow("%s", other) << other;
}

/// Against central differences of L = sum g_j w_j with a step of 1e-6: its square times third derivatives, which stay
/// below 1e5 here, and the rounding of weights over the step, 1e-10. Large logits overflow nothing.
void TestNormalisers::gradientsAreThoseOfTheWeights()
{
    QFETCH(QString, normaliser);
    const Chosen chosen = choose(normaliser);
    constexpr double step = 1e-6;
    for (const std::uint64_t seed : {1, 2, 3}) {
        std::vector<double> logits = gaussianRow(seed, 12, 1);
        const std::vector<double> g = gaussianRow(seed + 10, 12, 1);
        const auto loss = [&] {
            const std::vector<double> w = weightsOf(chosen, logits);
            return std::inner_product(g.begin(), g.end(), w.begin(), 0.0);
        };
        std::vector<double> gradient = g;
        chosen.row->gradient(logits, weightsOf(chosen, logits), gradient, chosen.parameters());
        for (std::size_t j = 0; j < logits.size(); ++j) {
            const double x = logits[j];
            logits[j] = x + step;
            const double above = loss();
            logits[j] = x - step;
            const double slope = (above - loss()) / (2 * step);
            logits[j] = x;
            QVERIFY2(
                std::abs(gradient[j] - slope) < 1e-6,
                qPrintable(QStringLiteral("seed %1, key %2: %3, not %4").arg(seed).arg(j).arg(gradient[j]).arg(slope)));
        }
    }
    const std::vector<double> large{800, -800, 0, 790};
    std::vector<double> gradient{1, 2, 3, 4};
    chosen.row->gradient(large, weightsOf(chosen, large), gradient, chosen.parameters());
    QVERIFY(std::ranges::all_of(gradient, [](double value) { return std::isfinite(value); }));
}

void TestNormalisers::rowsExplainThemselves()
{
    for (const Normaliser& row : normalisers()) {
        QVERIFY2(!row.label.empty() && !row.formula.empty() && !row.source.empty() && row.about.size() > 40,
                 row.id.c_str());
        for (const Parameter& p : row.parameters)
            QVERIFY2(p.help.size() > 10 && p.minimum <= p.byDefault && p.byDefault <= p.maximum,
                     (row.id + " " + p.id).c_str());
        for (const Preset& preset : row.presets)
            QVERIFY2(parseChoice(std::string_view(preset.text), normalisers(), "normaliser"), preset.text.c_str());
        QVERIFY2(symbolicFormula(row).find('{') == std::string::npos, row.id.c_str());
        const std::vector<double> logits = gaussianRow(3, 64, 3);
        const std::vector<double> w = weightsOf(choose(QString::fromStdString(row.id)), logits);
        QCOMPARE(std::abs(std::accumulate(w.begin(), w.end(), 0.0) - 1) < 1e-12, row.sumsToOne);
    }
}

QTEST_GUILESS_MAIN(TestNormalisers)
#include "test_normalisers.moc"
