// Every measure against rows worked out by hand, its absence, and its relations to the others; pairs of rows; matrices.
//
// Tolerances: measures are a few operations in double precision; those that read RowSummary::top have its float32,
// 6e-8.

#include "core/attention/summarise_row.h"
#include "core/base/random.h"
#include "core/statistics/matrices.h"
#include "core/theory/bounds.h"
#include "core/statistics/measures.h"
#include "core/statistics/pairs.h"
#include "core/statistics/samples.h"

#include <QtTest>

#include <cmath>
#include <set>

using namespace attnscope;

namespace {

constexpr double inf = HUGE_VAL;

using Logits = std::vector<double>;

BoundMeasure measure(const QString& text)
{
    const Result<Choice> choice = parseChoice(std::string_view(text.toStdString()), measures(), "measure");
    if (!choice)
        qFatal("%s", choice.error().message.c_str());
    return *bindMeasure(*choice);
}

RowSummary summarise(const Logits& logits, const SummaryExtras& extras = {}, const char* id = "softmax")
{
    const Choice choice{id, {}, {}};
    const Normaliser& row = **findRow(normalisers(), id, "normaliser");
    const auto n = static_cast<std::int64_t>(logits.size());
    return summariseRow(logits, {0, 0, n}, n - 1, row, Parameters(row, choice), extras);
}

/// What analysis does: the row summarised with what the measure asks for.
std::optional<double> valueOf(const QString& text, const Logits& logits, const char* normaliser = "softmax")
{
    const BoundMeasure bound = measure(text);
    return bound(summarise(logits, bound.extras, normaliser));
}

/// Logits of a row with those weights; 0 is a key that is seen and gets nothing.
Logits logitsOf(const std::vector<double>& p)
{
    Logits logits;
    for (const double x : p)
        logits.push_back(x > 0 ? std::log(x) : -5000);
    return logits;
}

bool near(double a, double b, double tolerance = 1e-12)
{
    return a == b || std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
}

struct HandRow {
    QString row, measure;
    Logits logits;
    double value;
};

std::vector<HandRow> handTable()
{
    const double ln2 = std::log(2), ln4 = std::log(4);
    std::vector<HandRow> table;
    const auto add = [&](const char* row, const std::vector<double>& p,
                         std::initializer_list<std::pair<const char*, double>> values) {
        for (const auto& [name, value] : values)
            table.push_back({row, name, logitsOf(p), value});
    };
    add("uniform 8", std::vector<double>(8, 0.125),
        {{"shannon", 3 * ln2},
         {"shannon:raw=1", 3 * ln2},
         {"effective_tokens", 8},
         {"normalised_entropy", 1},
         {"renyi:0", 3 * ln2},
         {"renyi:0.5", 3 * ln2},
         {"renyi:1", 3 * ln2},
         {"renyi", 3 * ln2},
         {"renyi:3.5", 3 * ln2},
         {"min_entropy", 3 * ln2},
         {"tsallis", 0.875},
         {"tsallis:1", 3 * ln2},
         {"tsallis:0", 7},
         {"tsallis:3", (1 - 1.0 / 64) / 2},
         {"collision", 0.125},
         {"gradient", 0.875},
         {"participation", 8},
         {"max_weight", 0.125},
         {"top_mass", 0.5},
         {"top_mass:1", 0.125},
         {"top_mass:16", 1},
         {"window_top_mass", 0.5},
         {"window_top_mass:w=3", 0.375},
         {"window_top_mass:k=16,w=8", 1},
         {"kl_uniform", 0},
         {"logit_gap", 0},
         {"lemma21_lower", 0.125},
         {"lemma21_upper", 0.125},
         {"sink_mass", 0.5},
         {"mean_distance", 3.5},
         {"mass", 1},
         {"support", 8}});
    add("one-hot", {0, 0, 1, 0, 0},
        {{"shannon", 0},
         {"effective_tokens", 1},
         {"normalised_entropy", 0},
         {"renyi:0", std::log(5)},
         {"renyi:0.5", 0},
         {"renyi", 0},
         {"renyi:0.7", 0},
         {"min_entropy", 0},
         {"tsallis", 0},
         {"collision", 1},
         {"participation", 1},
         {"max_weight", 1},
         {"top_mass", 1},
         {"window_top_mass:w=2", 0},
         {"window_top_mass:w=3", 1},
         {"kl_uniform", std::log(5)},
         {"logit_gap", 5000},
         {"lemma21_lower", 0},
         {"lemma21_upper", 1},
         {"sink_mass", 1},
         {"mean_distance", 2},
         {"mass", 1},
         {"support", 5}});
    add("two equal", {0, 0, 0, 0, 0.5, 0.5},
        {{"shannon", ln2},
         {"effective_tokens", 2},
         {"normalised_entropy", ln2 / std::log(6)},
         {"renyi:0", std::log(6)},
         {"renyi:0.5", ln2},
         {"renyi", ln2},
         {"min_entropy", ln2},
         {"tsallis", 0.5},
         {"collision", 0.5},
         {"participation", 2},
         {"max_weight", 0.5},
         {"top_mass:1", 0.5},
         {"top_mass", 1},
         {"kl_uniform", std::log(3)},
         {"sink_mass", 0},
         {"mean_distance", 0.5},
         {"support", 6}});
    add("halves", {0.5, 0.125, 0.125, 0.25},
        {{"shannon", 1.75 * ln2},
         {"effective_tokens", std::exp2(1.75)},
         {"normalised_entropy", 0.875},
         {"renyi:0", ln4},
         {"renyi:0.5", 2 * std::log(std::sqrt(0.5) + 2 * std::sqrt(0.125) + 0.5)},
         {"renyi", -std::log(0.34375)},
         {"renyi:3", -0.5 * std::log(0.125 + 2.0 / 512 + 1.0 / 64)},
         {"min_entropy", ln2},
         {"tsallis:1.5", 2 * (1 - std::pow(0.5, 1.5) - 2 * std::pow(0.125, 1.5) - 0.125)},
         {"collision", 0.34375},
         {"gradient", 0.65625},
         {"participation", 1 / 0.34375},
         {"top_mass:2", 0.75},
         {"window_top_mass:k=1,w=2", 0.25},
         {"window_top_mass:k=4,w=2", 0.375},
         {"window_top_mass:k=2,w=4", 0.75},
         {"kl_uniform", 0.25 * ln2},
         {"logit_gap", ln4},
         {"lemma21_lower", 1.0 / 16},
         {"lemma21_upper", 1},
         {"mean_distance", 1.875},
         {"sink_mass", 1}});
    add("n = 1", {1}, {{"shannon", 0},       {"effective_tokens", 1}, {"renyi:0", 0},       {"renyi:0.5", 0},
                       {"renyi", 0},         {"min_entropy", 0},      {"tsallis", 0},       {"collision", 1},
                       {"participation", 1}, {"max_weight", 1},       {"top_mass", 1},      {"window_top_mass", 1},
                       {"kl_uniform", 0},    {"logit_gap", 0},        {"lemma21_lower", 1}, {"lemma21_upper", 1},
                       {"sink_mass", 1},     {"mean_distance", 0},    {"mass", 1},          {"support", 1}});
    return table;
}

}  // namespace

Q_DECLARE_METATYPE(Logits)

class TestStatistics : public QObject {
    Q_OBJECT
private slots:
    void handRows_data();
    void handRows();
    void everyMeasureHasAHandRow();
    void absent_data();
    void absent();
    void measuresAskTogether();
    void hugeAndInfinite_data();
    void hugeAndInfinite();
    void rowsThatDoNotSumToOne();
    void entropiesAreOrdered();
    void weightsStayWithinTheLemma();
    void lemmaIsOfTheGapOfTheLogits_data();
    void lemmaIsOfTheGapOfTheLogits();
    void pairs();
    void matrices();
    void mutualInformationOfRandomRows();
    void gapBoundHolds();
    void singularValues();
    void rowsExplainThemselves();
    void samples();
    void divergences();
    void pairedTTestByHand();
    void othersLieWhereTheyShould();
    void manyTestsAtOnce();
};

/// The 15 p-values of Benjamini & Hochberg 1995, section 3.2, in another order: at 0.05 their procedure calls four of
/// them, and Bonferroni's, as Holm's does here, three. q = min over j of p_j 15 / j; Holm's of the fourth is 0.0095
/// x 12.
void TestStatistics::manyTestsAtOnce()
{
    std::vector<double> p{0.3240, 0.0001, 0.0459, 1.0000, 0.0344, 0.0019, 0.7590, 0.0298,
                          0.0095, 0.6528, 0.0278, 0.0004, 0.4262, 0.0201, 0.5719};
    const auto q = benjaminiHochberg(p), strict = holm(p);
    const auto called = [](const std::vector<double>& adjusted) {
        return std::ranges::count_if(adjusted, [](double value) { return value <= 0.05; });
    };
    QCOMPARE(called(q), 4);
    QCOMPARE(called(strict), 3);
    const auto is = [](double value, double expected) { return std::abs(value - expected) < 1e-12; };
    QVERIFY(is(q[1], 0.0015) && is(q[11], 0.003) && is(q[5], 0.0095) && is(q[8], 0.035625));
    QVERIFY(is(q[10], 0.0298 * 15 / 7) && is(q[7], 0.0298 * 15 / 7));  // below 0.0278 * 15 / 6
    QVERIFY(is(q[3], 1) && is(strict[1], 0.0015) && is(strict[8], 0.114) && is(strict[3], 1));
    QVERIFY(benjaminiHochberg({}).empty() && holm({}).empty());
    for (std::size_t tests = 1; tests < 600; ++tests) {  // of the largest p nothing is corrected, to the last bit
        std::vector<double> many(tests, 0.3);
        many.back() = 0.9999984;
        QCOMPARE(benjaminiHochberg(many).back(), many.back());
    }
}

void TestStatistics::handRows_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<Logits>("logits");
    QTest::addColumn<double>("expected");
    for (const HandRow& hand : handTable())
        QTest::newRow(qPrintable(hand.row + ": " + hand.measure)) << hand.measure << hand.logits << hand.value;
}

void TestStatistics::handRows()
{
    QFETCH(QString, name);
    QFETCH(Logits, logits);
    QFETCH(double, expected);
    const std::optional<double> got = valueOf(name, logits);
    QVERIFY(got.has_value());
    const bool fromTop =
        name.startsWith("max_weight") || name.contains("top_mass") || name == "min_entropy";  // kept as floats
    QVERIFY2(near(*got, expected, fromTop ? 1e-7 : 1e-12), qPrintable(QString::number(*got, 'g', 17)));
}

void TestStatistics::everyMeasureHasAHandRow()
{
    std::set<std::string> tested;
    for (const HandRow& hand : handTable())
        tested.insert(hand.measure.section(':', 0, 0).toStdString());
    for (const Measure& row : measures())
        QVERIFY2(tested.contains(row.id), row.id.c_str());
}

void TestStatistics::absent_data()
{
    QTest::addColumn<QString>("name");
    for (const Measure& row : measures())
        QTest::addRow("%s", row.id.c_str()) << QString::fromStdString(row.id);
}

void TestStatistics::absent()
{
    QFETCH(QString, name);
    QVERIFY(!valueOf(name, {}));
    QVERIFY(!valueOf(name, {-inf, -inf}));
    const bool ofLogits = name == "logit_gap" || name.startsWith("lemma21") || name == "mass";
    QCOMPARE(valueOf(name, {-1, -2}, "relu2").has_value(), ofLogits);  // no key got any weight
    QCOMPARE(valueOf(name, {0.7}).has_value(), name != "normalised_entropy");
}

/// One request serves all measures that ask for the same, or for nothing.
void TestStatistics::measuresAskTogether()
{
    const auto asked = [](std::initializer_list<const char*> names) {
        std::vector<BoundMeasure> bound;
        for (const char* name : names)
            bound.push_back(measure(name));
        return extrasOf(bound);
    };
    QCOMPARE(*asked({}), SummaryExtras{});
    QCOMPARE(*asked({"shannon", "renyi:3", "window_top_mass:k=2,w=9", "tsallis:3"}), (SummaryExtras{3, 9, 2}));
    QCOMPARE(asked({"renyi:3", "tsallis:4"}).error().message, std::string("one order at a time, not both 3 and 4"));
    QVERIFY(asked({"window_top_mass:w=3", "window_top_mass:w=4"}).error().message.find("w = 3") != std::string::npos);
}

void TestStatistics::hugeAndInfinite_data() { absent_data(); }

void TestStatistics::hugeAndInfinite()
{
    QFETCH(QString, name);
    const bool unbounded = name == "logit_gap";
    for (const Logits& logits :
         {Logits{1e4, -1e4, 9999}, Logits{inf, 0, inf}, Logits{inf, inf}, Logits{-inf, 3, 2}, Logits{0, -inf, inf}}) {
        const std::optional<double> value = valueOf(name, logits);
        const bool single = summarise(logits).visible == 1;
        QVERIFY(value.has_value() || (single && name == "normalised_entropy"));
        QVERIFY2(!value || (unbounded ? *value >= 0 : std::isfinite(*value)), qPrintable(QString::number(*value)));
    }
    QVERIFY(near(*valueOf("shannon", {inf, 0, inf}), std::log(2)));
}

void TestStatistics::rowsThatDoNotSumToOne()
{
    // softmax1 of two zeros: 1/3 each
    QVERIFY(near(*valueOf("mass", {0, 0}, "softmax1"), 2.0 / 3));
    QVERIFY(near(*valueOf("shannon", {0, 0}, "softmax1"), std::log(2)));
    QVERIFY(near(*valueOf("shannon:raw=1", {0, 0}, "softmax1"), 2.0 / 3 * std::log(3)));
    // relu2 of 1, 3: 1/2 and 9/2
    QVERIFY(near(*valueOf("shannon:raw=1", {1, 3}, "relu2"), -0.5 * std::log(0.5) - 4.5 * std::log(4.5)));
    QVERIFY(near(*valueOf("shannon", {1, 3}, "relu2"), -0.1 * std::log(0.1) - 0.9 * std::log(0.9)));
}

/// H_a falls as a grows; every entropy lies between 0 and ln n; H_inf >= H_2 / 2.
void TestStatistics::entropiesAreOrdered()
{
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Logits logits(1 + seed * 3);
        Random(seed, Stream::Logits).normals(0, std::span<double>(logits));
        for (double& x : logits)
            x *= 0.05 * static_cast<double>(seed);
        double before = std::log(static_cast<double>(logits.size())) + 1e-9;
        for (const char* order : {"renyi:0", "renyi:0.25", "renyi:0.5", "renyi:0.999", "renyi:1", "renyi:1.001",
                                  "renyi:1.5", "renyi:2", "renyi:5", "renyi:10", "min_entropy"}) {
            const double entropy = *valueOf(order, logits);
            QVERIFY2(entropy <= before + 1e-7 && entropy >= -1e-7, order);
            before = entropy;
        }
        QVERIFY(*valueOf("min_entropy", logits) >= *valueOf("renyi:2", logits) / 2 - 1e-7);
        QVERIFY(near(*valueOf("participation", logits), std::exp(*valueOf("renyi:2", logits)), 1e-9));
        QVERIFY(near(*valueOf("kl_uniform", logits) + *valueOf("shannon", logits),
                     std::log(static_cast<double>(logits.size())), 1e-9));
    }
}

void TestStatistics::weightsStayWithinTheLemma()
{
    for (std::uint64_t seed = 1; seed < 50; ++seed) {
        Logits logits(seed * 5);
        Random(seed, Stream::Logits).normals(0, std::span<double>(logits));
        for (const char* normaliser : {"softmax", "adaptive"}) {
            const RowSummary row = summarise(logits, {}, normaliser);
            const double low = *measure("lemma21_lower")(row), high = *measure("lemma21_upper")(row);
            const double smallest = std::exp(row.state.scale * row.logitMin - row.state.shiftFromZero());
            QVERIFY(low <= smallest * (1 + 1e-12) && static_cast<double>(row.top.front()) <= high * (1 + 1e-6));
        }
    }
}

void TestStatistics::lemmaIsOfTheGapOfTheLogits_data()
{
    QTest::addColumn<Choice>("normaliser");
    const auto add = [](const Choice& choice) { QTest::addRow("%s", formatChoice(choice).c_str()) << choice; };
    for (const Normaliser& row : normalisers()) {
        add({row.id, {}, {}});
        for (const Parameter& parameter : row.parameters)
            for (const double end : {parameter.minimum, parameter.maximum})
                if (!row.softmaxForm || !row.softmaxForm->beta)
                    add({row.id, {{parameter.id, end}}, {}});
    }
}

/// Whatever a normaliser keeps of a row, the bounds are e^-delta / n and e^delta / n, delta the gap of the logits of
/// the softmax: times beta where there is one.
void TestStatistics::lemmaIsOfTheGapOfTheLogits()
{
    QFETCH(Choice, normaliser);
    const Normaliser& row = **findRow(normalisers(), normaliser.id, "normaliser");
    const Parameters parameters(row, normaliser);
    const auto beta = row.softmaxForm ? row.softmaxForm->beta : nullptr;
    int sharper = 0;
    for (const double spread : {0.25, 1.0, 3.0}) {
        Logits logits(9);
        Random(9, Stream::Logits).normals(0, std::span<double>(logits));
        for (double& x : logits)
            x *= spread;
        const RowSummary summary = summariseRow(logits, {0, 0, 9}, 8, row, parameters);
        QVERIFY(beta ? summary.beta >= 1 : summary.beta == 1);
        sharper += summary.beta > 1 ? 1 : 0;
        const double delta = summary.beta * *measure("logit_gap")(summary);
        QCOMPARE(*measure("lemma21_lower")(summary), std::exp(-delta) / 9);
        QCOMPARE(*measure("lemma21_upper")(summary), std::min(1.0, std::exp(delta) / 9));
        if (beta) {
            const double entropy = summarise(logits).entropy;  // but for eps
            QVERIFY(near(summary.beta, beta(entropy, parameters), 1e-6));
        }
    }
    QCOMPARE(sharper > 0, beta != nullptr);
}

void TestStatistics::pairs()
{
    const std::vector<double> p{0.5, 0.5, 0}, q{0.25, 0.5, 0.25};
    QVERIFY(near(*klDivergence(p, q), 0.5 * std::log(2)));
    QCOMPARE(*klDivergence(q, p), inf);
    QVERIFY(near(*totalVariation(p, q), 0.25));
    QVERIFY(near(*totalVariation(q, p), 0.25));
    QVERIFY(*klDivergence(p, p) == 0 && *totalVariation(q, q) == 0);
    const std::vector<double> twiceP{1, 1, 0};  // rows are renormalised first
    QVERIFY(near(*klDivergence(twiceP, q), 0.5 * std::log(2)) && near(*totalVariation(twiceP, q), 0.25));
    const std::vector<double> left{1, 0}, right{0, 1}, none{0, 0};
    QVERIFY(near(*totalVariation(left, right), 1));
    QVERIFY(!klDivergence(left, none) && !klDivergence(none, left) && !totalVariation(p, left) &&
            !klDivergence({}, {}));

    // over the keys of both: (1/2, 1/2, 0) and (0, 1/2, 1/2)
    const RowDetail early{{3, 5}, {0, 0}, {2, 2}}, late{{5, 9}, {0, 0}, {0.5, 0.5}},
        wide{{3, 5, 9}, {0, 0, 0}, {0.5, 0.25, 0.25}};
    QCOMPARE(rowDistance(early, late)->kl, inf);
    QVERIFY(near(rowDistance(early, late)->variation, 0.5));
    QVERIFY(near(rowDistance(early, wide)->kl, 0.5 * std::log(2)) && near(rowDistance(early, wide)->variation, 0.25));
    QVERIFY(rowDistance(wide, wide)->kl == 0 && rowDistance(wide, wide)->variation == 0);
    QVERIFY(!rowDistance(early, {}) && !rowDistance({}, early) && !rowDistance({}, {}));
}

void TestStatistics::matrices()
{
    // two queries that look at one key each: I = ln 2; two that look at both: I = 0
    const std::vector<RowSummary> sharp{summarise({0, -5000}), summarise({-5000, 0})},
        flat{summarise({0, 0}), summarise({0, 0})};
    const std::vector<double> mean{0.5, 0.5};
    QVERIFY(near(matrixStatistics(mean, sharp)->meanRowEntropy, std::log(2)) &&
            near(matrixStatistics(mean, sharp)->mutualInformation, std::log(2)));
    QVERIFY(near(matrixStatistics(mean, flat)->mutualInformation, 0));
    // rows that see nothing are left out
    const std::vector<RowSummary> masked{summarise({0, -5000}), summarise({}), summarise({-5000, 0})};
    QVERIFY(near(matrixStatistics(mean, masked)->mutualInformation, std::log(2)));
    const std::vector<RowSummary> nothing{summarise({})};
    QVERIFY(!matrixStatistics(mean, nothing) && !matrixStatistics(std::vector<double>{0, 0}, sharp));
    QVERIFY(near(*entropyOf(std::vector<double>{2, 2, 0, 4}), 1.5 * std::log(2)) && !entropyOf(std::vector<double>{}));
}

/// I as the mean Kullback-Leibler distance of the rows from their mean: another way to the same number.
void TestStatistics::mutualInformationOfRandomRows()
{
    const size_t m = 20, n = 30;
    std::vector<RowSummary> rows;
    std::vector<std::vector<double>> weights;
    std::vector<double> mean(n, 0);
    for (size_t i = 0; i < m; ++i) {
        Logits logits(n);
        Random(9, Stream::Logits).normals(i, std::span<double>(logits));
        rows.push_back(summarise(logits));
        weights.emplace_back();
        for (size_t j = 0; j < n; ++j) {
            weights.back().push_back(std::exp(logits[j] - rows.back().state.shiftFromZero()));
            mean[j] += weights.back().back() / static_cast<double>(m);
        }
    }
    double distance = 0;
    for (const std::vector<double>& row : weights)
        distance += *klDivergence(row, mean) / static_cast<double>(m);
    QVERIFY(distance > 0.1);
    QVERIFY(near(matrixStatistics(mean, rows)->mutualInformation, distance, 1e-11));
}

/// Scalars: W_Q = 3, W_K = 2, y = -1.5, |x| <= 4; the gap of x = -4 and 4 is exactly the bound.
void TestStatistics::gapBoundHolds()
{
    const double bound = largestGap(3, 2, 1.5, 4, 1 / std::sqrt(4));
    QVERIFY(near(bound, 36));
    const double y = -1.5;
    QVERIFY(near(std::abs(3 * y * 2 * 4 - 3 * y * 2 * -4) / std::sqrt(4), bound));
}

/// A rank-one matrix a b^T has the one singular value |a||b|; a diagonal one, its largest entry.
void TestStatistics::singularValues()
{
    Matrix rankOne(3, 2);
    rankOne << 2, 6, 4, 12, 4, 12;  // (1, 2, 2)(2, 6)
    QVERIFY(near(largestSingularValue(rankOne), 3 * std::sqrt(40)));
    QVERIFY(near(largestSingularValue(rankOne.transpose()), 3 * std::sqrt(40)));
    Matrix diagonal = Matrix::Zero(4, 4);
    diagonal.diagonal() << -7, 3, 0, 1;
    QVERIFY(near(largestSingularValue(diagonal), 7));
    QVERIFY(largestSingularValue(Matrix()) == 0);
}

void TestStatistics::rowsExplainThemselves()
{
    std::set<std::string> ids;
    for (const Measure& row : measures()) {
        QVERIFY(ids.insert(row.id).second);
        QVERIFY2(!row.label.empty() && !row.formula.empty() && !row.source.empty() && row.about.size() > 25,
                 row.id.c_str());
        QVERIFY2(symbolicFormula(row).find('{') == std::string::npos, row.id.c_str());
        for (const Preset& preset : row.presets)
            QVERIFY2(!preset.source.empty() && parseChoice(std::string_view(preset.text), measures(), "measure"),
                     preset.text.c_str());
    }
    QCOMPARE(bindMeasure(Choice{"nosuch", {}, {}}).error().kind, ErrorKind::UnknownName);
    QCOMPARE(bindMeasure(Choice{"top_mass", {{"k", 17}}, {}}).error().kind, ErrorKind::InvalidArgument);
}

/// 1..5: variance 5/2, and a mean of five has a fifth of it.
void TestStatistics::samples()
{
    const SampleMean five = sampleMean(std::vector<double>{1, 2, 3, 4, 5});
    QVERIFY(near(five.mean, 3) && near(five.standardError.value(), std::sqrt(0.5)));
    const SampleMean one = sampleMean(std::vector<double>{7});
    QVERIFY(one.mean == 7 && !one.standardError);
    QVERIFY(std::isnan(sampleMean({}).mean));
    QVERIFY(near(slopeOf({0, 1, 3}, {1, 3, 7}), 2) && near(slopeOf({-1, 0, 1}, {2, 0, 1}), -0.5));
}

/// Differences 1..5: t = 3 sqrt 2 with 4 degrees of freedom, whose distribution has a closed form.
/// By tables: t of 4 degrees of freedom is 2.7764 at 0.975, 2.1318 at 0.95. By trying: of means of m normal values the
/// interval around k others of the same law holds as many as it says, 20 000 times.
void TestStatistics::othersLieWhereTheyShould()
{
    const std::vector<double> values{1, 2, 3, 4, 5};  // s^2 = 2.5
    const SampleMean mean = sampleMean(values);
    QVERIFY(near(*halfInterval(mean), 2.7764451 * std::sqrt(0.5), 1e-7));
    QVERIFY(near(*halfIntervalOfOthers(mean, 5), 2.7764451, 1e-7));  // t s sqrt(2/5)
    QVERIFY(near(*halfIntervalOfOthers(mean, 1, 0.9), 2.1318468 * std::sqrt(2.5 * 1.2), 1e-7));
    QVERIFY(near(*halfIntervalOfOthers(mean, 1'000'000'000), *halfInterval(mean), 1e-8));
    QVERIFY(!halfIntervalOfOthers(mean, 0) && !halfIntervalOfOthers(sampleMean(std::vector<double>{1}), 5));
    const Random random(11, Stream::Other);
    for (const auto& [k, m] : {std::pair{5, 5}, std::pair{3, 3}, std::pair{4, 9}}) {
        int held = 0;
        constexpr int trials = 20'000;
        for (int trial = 0; trial < trials; ++trial) {
            std::vector<double> first, others;
            for (int i = 0; i < k + m; ++i)
                (i < k ? first : others)
                    .push_back(random.normal(static_cast<std::uint64_t>(trial), static_cast<std::uint64_t>(i)));
            const SampleMean of = sampleMean(first);
            held += std::abs(sampleMean(others).mean - of.mean) <= *halfIntervalOfOthers(of, m);
        }
        QVERIFY2(std::abs(held - 0.95 * trials) < 6 * std::sqrt(0.95 * 0.05 * trials),
                 qPrintable(QString::number(held)));
    }
}

void TestStatistics::pairedTTestByHand()
{
    using Values = std::vector<double>;
    const double t = 3 * std::sqrt(2.0), u = 1 + t * t / 4;
    const double cumulative = 0.5 + 0.375 * t / std::sqrt(u) * (1 - t * t / (12 * u));
    QVERIFY(near(pairedTTest(Values{2, 4, 6, 8, 10}, Values{1, 2, 3, 4, 5}).value(), 2 * (1 - cumulative)));
    QVERIFY(near(pairedTTest(Values{1, 2}, Values{2, 1}).value(), 1));  // differences -1 and 1: t = 0
    QVERIFY(!pairedTTest(Values{1, 2}, Values{1, 2}));
    QVERIFY(!pairedTTest(Values{2, 3}, Values{1, 2}));
    QVERIFY(!pairedTTest(Values{0.3, 0.4, 0.7}, Values{0.1, 0.2, 0.5}));  // 0.2 thrice, but for rounding
    QVERIFY(!pairedTTest(Values{2}, Values{1}));
    QVERIFY(!pairedTTest({}, {}));
    QVERIFY(!pairedTTest(Values{1, 2, NAN}, Values{1, 1, 1}) && !pairedTTest(Values{1, 2, -inf}, Values{1, 1, 1}));
    QVERIFY(!pairedTTest(Values{1e200, -1e200, 0}, Values{0, 0, 1}));  // the variance overflows
    QVERIFY(near(tTest(Values{1, 2, 3, 4, 5}).value(), 2 * (1 - cumulative)));
    QVERIFY(near(tTest(Values{-1, -2, -3, -4, -5}).value(), 2 * (1 - cumulative)));
    QVERIFY(near(tTest(Values{-1, 1}).value(), 1));
    QVERIFY(!tTest(Values{3}) && !tTest(Values{}));
    QVERIFY(!tTest(Values{0.1 + 0.2, 0.3, 0.3}));  // the same, but for rounding
}

void TestStatistics::divergences()
{
    const auto near = [](double a, double b, double within) { return std::abs(a - b) < within; };
    const std::vector<double> one{1, 0}, other{0, 1}, half{0.5, 0.5};
    QCOMPARE(jensenShannon(one, one), 0.0);
    QVERIFY(near(jensenShannon(one, other), std::log(2.0), 1e-15));
    QVERIFY(near(jensenShannon(one, half), 0.75 * std::log(4.0 / 3), 1e-15));  // m = (3/4, 1/4)
    QCOMPARE(jensenShannon(half, one), jensenShannon(one, half));

    std::vector<float> uniform,
        normal;  // 6400 places in the middle of equal parts of [-sqrt 3, sqrt 3], whose variance is 1
    for (int i = 0; i < 6400; ++i)
        uniform.push_back(static_cast<float>(std::sqrt(3.0) * (2 * (i + 0.5) / 6400 - 1)));
    QVERIFY(near(divergenceFromNormal(uniform), 0.047239031254770, 1e-6));                 // NumPy, from the definition
    QVERIFY(near(divergenceFromNormal(std::vector<float>(100, 9)), std::log(2.0), 1e-3));  // all in a tail
    for (std::uint64_t i = 0; i < 40000; ++i)
        normal.push_back(static_cast<float>(Random(5, Stream::Other).normal(i, 0)));
    const double floor =
        65.0 /
        (8 * 40000);  // the mean of (bins + 1) / (8 k): a chi-squared number over 8 k, whose spread is a fifth of it
    QVERIFY(near(divergenceFromNormal(normal), floor, floor));
}

QTEST_GUILESS_MAIN(TestStatistics)
#include "test_statistics.moc"
