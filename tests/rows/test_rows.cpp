// Rows of a head together: which rows, their mean, and the multiplier that keeps an entropy, against closed forms.

#include "core/attention/engines.h"
#include "core/base/random.h"
#include "core/rows/entropy_root.h"
#include "core/rows/measured_multiplier.h"
#include "core/rows/row_scales.h"

#include <QTest>

#include <cmath>

using namespace attnscope;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

using Entropy = std::function<Result<double>(double m)>;

HeadSet heads(std::int64_t n, int d)
{
    HeadSet set;
    for (auto* of : {&set.queries, &set.keys}) {
        Matrix& matrix = of->emplace_back(n, d);
        for (std::int64_t row = 0; row < n; ++row)
            Random(3, of == &set.queries ? Stream::Queries : Stream::Keys)
                .normals(static_cast<std::uint64_t>(row), std::span(matrix.row(row).data(), static_cast<size_t>(d)));
    }
    return set;
}

/// The mean entropy of rows i < n under a causal mask, of weights written out: `weightsOf` gives them for the row's
/// logits. Rows without weight are none.
double meanEntropyOf(const HeadSet& set, std::int64_t n, double m,
                     const std::function<std::vector<double>(const std::vector<double>&)>& weightsOf)
{
    double sum = 0, rows = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        std::vector<double> logits;
        for (std::int64_t j = 0; j <= i; ++j)
            logits.push_back(m * set.queries[0].row(i).cast<double>().dot(set.keys[0].row(j).cast<double>()) /
                             std::sqrt(static_cast<double>(set.queries[0].cols())));
        const std::vector<double> weights = weightsOf(logits);
        double mass = 0, entropy = 0;
        for (const double w : weights)
            mass += w;
        if (mass == 0)
            continue;
        for (const double w : weights)
            entropy -= w > 0 ? w / mass * std::log(w / mass) : 0;
        sum += entropy;
        rows += 1;
    }
    return sum / rows;
}

std::vector<double> softpick(const std::vector<double>& logits)
{
    double total = 1e-6;
    std::vector<double> weights;
    for (const double z : logits)
        total += std::abs(std::expm1(z));
    for (const double z : logits)
        weights.push_back(std::max(std::expm1(z), 0.0) / total);
    return weights;
}

std::vector<double> sigmoid(const std::vector<double>& logits)
{
    std::vector<double> weights;
    for (const double z : logits)
        weights.push_back(1 / (1 + std::exp(-z + std::log(static_cast<double>(logits.size())))));
    return weights;
}

}  // namespace

class TestRows : public QObject {
    Q_OBJECT
private slots:
    void rootsOfAnyCurve_data();
    void rootsOfAnyCurve();
    void noRootSaysWhy();
    void whereThereIsNoEntropyThereIsNoRoot();
    void errorsEndTheSearch();
    void meansAreOverRowsWithWeights();
    void setsOfRows();
    void multipliersKeepTheEntropy_data();
    void multipliersKeepTheEntropy();
    void entropyWithoutAMultiplier();
    void keysHiddenByTheirLogitsAreNotCounted();
};

void TestRows::rootsOfAnyCurve_data()
{
    QTest::addColumn<Entropy>("entropy");
    QTest::addColumn<double>("target");
    QTest::addColumn<double>("root");
    const Entropy falls = [](double m) { return 2 / (1 + m); }, rises = [](double m) { return m / (1 + m); };
    QTest::addRow("falls, above 1") << falls << 0.5 << 3.0;
    QTest::addRow("falls, below 1") << falls << 1.6 << 0.25;
    QTest::addRow("falls, far above") << falls << 2 / 70001.0 << 70000.0;
    QTest::addRow("falls, at 1") << falls << 1.0 << 1.0;
    QTest::addRow("rises, above 1") << rises << 0.9 << 9.0;
    QTest::addRow("rises, below 1") << rises << 0.01 << 1 / 99.0;
    // (m - 2)^2 + 1 falls to 1 at m = 2 and rises again: of 1.5 and 2.5 the one nearer to 1.
    QTest::addRow("falls and rises") << Entropy([](double m) { return (m - 2) * (m - 2) + 1; }) << 1.25 << 1.5;
    // Nothing to weigh at 0, as softpick has it, though it falls from there on.
    QTest::addRow("no entropy at 0") << Entropy([](double m) { return m > 1e-3 ? 2 / (1 + m) : none; }) << 1.6 << 0.25;
}

void TestRows::rootsOfAnyCurve()
{
    QFETCH(const Entropy, entropy);
    QFETCH(const double, target);
    QFETCH(const double, root);
    const auto found = entropyRoot(target, entropy);
    QVERIFY(found && found->multiplier);
    QVERIFY2(std::abs(*found->multiplier / root - 1) < 1e-6, qPrintable(QString::number(*found->multiplier)));
}

void TestRows::noRootSaysWhy()
{
    const auto why = [](double target, const Entropy& entropy) {
        const auto found = entropyRoot(target, entropy);
        return found && !found->multiplier ? QString::fromStdString(found->why(target)) : QString("there is one");
    };
    QCOMPARE(why(3, [](double) { return 4.5; }),
             QString("gives 3 nats: every one gives 4.5, the entropy does not depend on it"));
    QVERIFY(why(3, [](double m) { return 2 / (1 + m); }).startsWith("gives 3 nats: they give "));
    QVERIFY(why(0.5, [](double m) { return 1 + 1 / m; }).contains("they give 1 to "));
}

/// Rows that lose all their weights on a side have no entropy there, which is neither above nor below a target: of one
/// that falls where m is from 1/4 to 8 it is 8/5 to 2/9, of one that rises from 1/4 on 5/4 and more.
void TestRows::whereThereIsNoEntropyThereIsNoRoot()
{
    const Entropy falls = [](double m) { return m > 0.2 && m < 9 ? 2 / (1 + m) : none; },
                  rises = [](double m) { return m > 0.2 ? 1 + m : none; };
    const auto outOfReach = [](double target, const Entropy& entropy, double least) {
        const auto found = entropyRoot(target, entropy);
        QVERIFY2(found && !found->multiplier, found ? qPrintable(QString::number(*found->multiplier)) : "an error");
        QVERIFY2(std::abs(found->least - least) < 1e-12, qPrintable(QString::number(found->least)));
    };
    outOfReach(0.1, falls, 2 / 9.0);
    outOfReach(1.9, falls, 2 / 9.0);
    outOfReach(1.1, rises, 1.25);
    outOfReach(
        0.5, [](double) { return none; }, 0);
    const auto beside = entropyRoot(0.4, [](double m) { return m > 1.5 ? 2 / (1 + m) : none; });  // none at 1 itself
    QVERIFY(beside && beside->multiplier && std::abs(*beside->multiplier - 4) < 1e-5);
}

void TestRows::errorsEndTheSearch()
{
    int asked = 0;
    const auto found = entropyRoot(0.3, [&](double m) -> Result<double> {
        if (++asked > 4)
            return failure(ErrorKind::Cancelled, "stopped");
        return 2 / (1 + m);
    });
    QVERIFY(!found && found.error().kind == ErrorKind::Cancelled);
}

void TestRows::meansAreOverRowsWithWeights()
{
    RowSummary seesNone, noWeights, row;
    noWeights.visible = 5;
    row.visible = 4;
    row.mass = 0.5;
    row.entropy = 1.25;
    const std::vector<RowSummary> rows{seesNone, noWeights, row, row, noWeights};
    const RowMean mean = entropyMean(rows);
    QCOMPARE(mean.count, 2);
    QCOMPARE(mean.mean, 1.25);
    QVERIFY(std::isnan(entropyMean(std::vector{noWeights}).mean));
}

void TestRows::setsOfRows()
{
    const AttentionHead head = *prepareHead(heads(100, 4), 0, {});
    const auto of = [&](const RowSet& set, std::int64_t n) {
        const RowSpan span = rowsOf(head, set, n);
        return std::pair(span.first, span.end);
    };
    QCOMPARE(of({}, 80), std::pair(std::int64_t{0}, std::int64_t{80}));
    QCOMPARE(of({.last = 16}, 80), std::pair(std::int64_t{64}, std::int64_t{80}));
    QCOMPARE(of({.kind = RowSet::Kind::SeeingAboutN}, 80), std::pair(std::int64_t{60}, std::int64_t{80}));
    QCOMPARE(of({.kind = RowSet::Kind::SeeingAboutN}, 81), std::pair(std::int64_t{60}, std::int64_t{81}));
    QCOMPARE(of({.kind = RowSet::Kind::SeeingAboutN}, 1), std::pair(std::int64_t{0}, std::int64_t{1}));
    QCOMPARE(labelOf({}), std::string("all rows"));
    QCOMPARE(labelOf({.last = 16}), std::string("last 16 rows"));
}

void TestRows::multipliersKeepTheEntropy_data()
{
    QTest::addColumn<QString>("normaliser");
    QTest::addColumn<int>("trained");
    QTest::addColumn<int>("n");
    QTest::addRow("softpick") << "softpick" << 24 << 96;
    QTest::addRow("sigmoid") << "sigmoid" << 40 << 48;  // a large m gives one weight to every key with a logit above 0
}

/// The entropy of n tokens under the multiplier is that of the first N under 1.
void TestRows::multipliersKeepTheEntropy()
{
    QFETCH(const QString, normaliser);
    QFETCH(const int, trained);
    QFETCH(const int, n);
    const HeadSet set = heads(96, 8);
    const AttentionHead head = *prepareHead(set, 0, {});
    const auto weightsOf = normaliser == "softpick" ? softpick : sigmoid;
    for (const Engine& engine : engines()) {
        if (!engine.unavailable().empty())
            continue;
        const auto m = measuredMultiplier(head, {normaliser.toStdString(), {}, {}}, trained, 1, engine, {})(n);
        QVERIFY2(m.has_value(), m ? "" : m.error().message.c_str());
        const double kept = meanEntropyOf(set, n, *m, weightsOf), target = meanEntropyOf(set, trained, 1, weightsOf);
        QVERIFY2(std::abs(kept - target) < 1e-4, qPrintable(QString("%1, %2").arg(kept).arg(target)));
    }
}

/// (m z)^2 / sum (m z)^2 is the same for every m.
void TestRows::entropyWithoutAMultiplier()
{
    const AttentionHead head = *prepareHead(heads(96, 8), 0, {});
    const auto m = measuredMultiplier(head, {"relu2", {}, {}}, 24, 1, engines().front(), {})(96);
    QVERIFY(!m && m.error().kind == ErrorKind::Undefined);
    QVERIFY2(m.error().message.find("does not depend on it") != std::string::npos, m.error().message.c_str());
}

/// Logits whose mask is written into them as -infinity: ln n / ln N of the keys that a row sees, as under that mask.
void TestRows::keysHiddenByTheirLogitsAreNotCounted()
{
    constexpr std::int64_t n = 8;
    HeadSet set;
    set.kind = HeadSet::Kind::Logits;
    Matrix& logits = set.queries.emplace_back(Matrix::Zero(n, n));
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = i + 1; j < n; ++j)
            logits(i, j) = -std::numeric_limits<float>::infinity();
    for (const char* mask : {"full", "causal"}) {
        const auto head = prepareHead(set, 0, {.mask = {mask, {}, {}}});
        QVERIFY2(head.has_value(), head ? "" : head.error().message.c_str());
        const auto made = rowScales(*head, {"row_log", {}, {}}, {.nTrain = 4, .measured = {}}, n, 0, n);
        QVERIFY2(made.has_value(), made ? "" : made.error().message.c_str());
        for (std::int64_t i = 0; i < n; ++i) {
            QCOMPARE(head->seenKeys(i, n), i + 1);
            QCOMPARE(head->seenKeys(i, 3), std::min<std::int64_t>(i + 1, 3));
            QVERIFY(std::abs(made->scale[static_cast<std::size_t>(i)] - std::log(double(i + 1)) / std::log(4.0)) <
                    1e-12);
        }
    }
}

QTEST_APPLESS_MAIN(TestRows)
#include "test_rows.moc"
