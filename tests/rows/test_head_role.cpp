// What a head is for, on rows whose weights are known by hand: heads that look at one key each, and uniform rows.
//
// A key that is 40 above all others leaves them e^-40 each: 1e-15 of float32 sums that are right to 1e-6.

#include "core/attention/engines.h"
#include "core/base/random.h"
#include "core/rows/head_role.h"
#include "core/rows/rows.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <limits>

using namespace attnscope;

namespace {

constexpr int n = 32, block = 16;
constexpr double close = 1e-5;

/// Row t looks at key `target(t)` alone, or at all alike where that is negative.
AttentionHead lookingAt(const std::function<int(int)>& target, const Choice& mask = {"causal", {}, {}})
{
    HeadSet set;
    Matrix queries = Matrix::Zero(n, n);
    for (int t = 0; t < n; ++t)
        if (target(t) >= 0)
            queries(t, target(t)) = 40 * std::sqrt(static_cast<float>(n));
    set.queries = {queries};
    set.keys = {Matrix::Identity(n, n)};
    AttentionSpec spec;
    spec.mask = mask;
    return prepareHead(set, 0, spec).value();
}

/// The block of different tokens, twice.
std::vector<int> twice()
{
    std::vector<int> tokens;
    for (int t = 0; t < n; ++t)
        tokens.push_back(100 + t % block);
    return tokens;
}

HeadRoles rolesOf(const AttentionHead& head, const std::vector<int>& tokens, int first = 0,
                  const Choice& normaliser = {"softmax", {}, {}})
{
    const std::vector<double> scale(static_cast<std::size_t>(n - first), 1);
    const auto rows = summariesOf(head, normaliser, **chooseEngine("reference"), n, first, scale, {}).value();
    return attnscope::rolesOf(head, normaliser, rows, scale, first, tokens).value();
}

bool is(double value, double expected) { return std::abs(value - expected) < close; }

}  // namespace

class TestHeadRole : public QObject {
    Q_OBJECT
private slots:
    /// Row 0 has itself alone; every other one the token before it.
    void previousToken()
    {
        const HeadRoles roles = rolesOf(lookingAt([](int t) { return t - 1; }), twice());
        QVERIFY(is(roles[HeadRole::Previous], 1));
        QVERIFY(is(roles[HeadRole::Itself], 1.0 / n));
        QVERIFY(is(roles[HeadRole::Near], 1));
        QVERIFY(is(roles[HeadRole::First], 2.0 / n));  // rows 0 and 1
        QVERIFY(is(roles[HeadRole::Sinks], 5.0 / n));  // rows 0 to 4
        QVERIFY(is(roles[HeadRole::Reach], (n - 1.0) / n));
        QVERIFY(is(roles[HeadRole::Induction], 0));
    }

    void sink()
    {
        const HeadRoles roles = rolesOf(lookingAt([](int) { return 0; }), twice());
        QVERIFY(is(roles[HeadRole::First], 1) && is(roles[HeadRole::Sinks], 1));
        QVERIFY(is(roles[HeadRole::Previous], 1.0 / (n - 1)));  // of row 1
        QVERIFY(is(roles[HeadRole::Near], 8.0 / n));            // rows 0 to 7
        QVERIFY(is(roles[HeadRole::Reach], (n - 1) / 2.0));
        double logarithms = 0;  // of 1/n!: one key of 1, 2, .. n
        for (int t = 0; t < n; ++t)
            logarithms -= std::log(t + 1);
        QVERIFY(is(roles[HeadRole::Spread], std::exp(logarithms / n)));
        QVERIFY(is(roles[HeadRole::Gap], 40.0 * (n - 1) / n));  // row 0 sees one key
    }

    /// Near has all of a short row, whose float32 weights may add up to a little more than its mass.
    void sharesAreAtMostOne()
    {
        const Random random(1, Stream::Other);
        for (std::uint64_t draw = 0; draw < 200; ++draw) {
            HeadSet set;
            Matrix queries(8, 4), keys(8, 4);
            for (int i = 0; i < 32; ++i) {
                queries(i / 4, i % 4) = static_cast<float>(4 * random.uniform(draw, static_cast<std::uint64_t>(i)) - 2);
                keys(i / 4, i % 4) =
                    static_cast<float>(4 * random.uniform(draw, static_cast<std::uint64_t>(i) + 32) - 2);
            }
            set.queries = {queries};
            set.keys = {keys};
            const AttentionHead head = prepareHead(set, 0, AttentionSpec{}).value();
            const Choice softmax{"softmax", {}, {}};
            const std::vector<double> scale(8, 1);
            const auto summaries = summariesOf(head, softmax, **chooseEngine("auto"), 8, 0, scale, {}).value();
            const HeadRoles roles = attnscope::rolesOf(head, softmax, summaries, scale, 0, {}).value();
            QVERIFY2(is(roles[HeadRole::Near], 1) && roles[HeadRole::Near] <= 1,
                     qPrintable(QString::number(roles[HeadRole::Near], 'g', 17)));
        }
    }

    /// Row t gives each of its t + 1 keys 1 / (t + 1).
    void uniform()
    {
        const HeadRoles roles = rolesOf(lookingAt([](int) { return -1; }), twice());
        double itself = 0, sinks = 0, near = 0, previous = 0, induction = 0;
        for (int t = 0; t < n; ++t) {
            const double each = 1.0 / (t + 1);
            itself += each / n;
            sinks += std::min(4.0 * each, 1.0) / n;
            near += std::min(8.0 * each, 1.0) / n;
            previous += t > 0 ? each / (n - 1) : 0;
            induction += t >= block ? each / block : 0;
        }
        QVERIFY(is(roles[HeadRole::Itself], itself) && is(roles[HeadRole::First], itself));
        QVERIFY(is(roles[HeadRole::Sinks], sinks));
        QVERIFY(is(roles[HeadRole::Near], near));
        QVERIFY(is(roles[HeadRole::Previous], previous));
        QVERIFY(is(roles[HeadRole::Induction], induction));
        QVERIFY(is(roles[HeadRole::Spread], 1));
    }

    /// Of the second time, what followed the first time: at t - block + 1.
    void induction()
    {
        const AttentionHead head = lookingAt([](int t) { return t < block ? 0 : t - block + 1; });
        const HeadRoles roles = rolesOf(head, twice());
        QVERIFY(is(roles[HeadRole::Induction], 1));  // rows of the first time do not count
        QVERIFY(std::isnan(rolesOf(head, {})[HeadRole::Induction]));
        std::vector<int> different;
        for (int t = 0; t < n; ++t)
            different.push_back(t);
        QVERIFY(std::isnan(rolesOf(head, different)[HeadRole::Induction]));
    }

    /// Tokens a a b a ...: the last `a` before the second one is its neighbour, which does not count; the fourth one's
    /// is at 1, so that what followed is at 2.
    void theLastPlaceOfATokenIsMeant()
    {
        std::vector<int> tokens(n);
        for (int t = 0; t < n; ++t)
            tokens[static_cast<std::size_t>(t)] = t == 2 ? 1 : t < 4 ? 0 : 10 + t;
        QVERIFY(is(rolesOf(lookingAt([](int t) { return t == 3 ? 2 : 0; }), tokens)[HeadRole::Induction], 1));
        QVERIFY(is(rolesOf(lookingAt([](int t) { return t == 3 ? 1 : 0; }), tokens)[HeadRole::Induction], 0));
    }

    /// The last eight rows alone; what the mask hides has no weight.
    void rowsAndMasks()
    {
        const AttentionHead previous = lookingAt([](int t) { return t - 1; });
        const HeadRoles last = rolesOf(previous, twice(), n - 8);
        QVERIFY(is(last[HeadRole::Previous], 1) && is(last[HeadRole::First], 0) && is(last[HeadRole::Itself], 0));
        const HeadRoles alone = rolesOf(lookingAt([](int) { return -1; }, {"window", {{"w", 1}}, {}}), twice());
        QVERIFY(is(alone[HeadRole::Itself], 1) && is(alone[HeadRole::Previous], 0) &&
                is(alone[HeadRole::Induction], 0));
    }

    /// Weights that do not sum to 1 are renormalised: sigmoid gives each key of a uniform row the same.
    void weightsAreRenormalised()
    {
        const HeadRoles roles = rolesOf(lookingAt([](int) { return -1; }), twice(), n - 1, {"sigmoid", {}, {}});
        QVERIFY(is(roles[HeadRole::First], 1.0 / n) && is(roles[HeadRole::Near], 8.0 / n));
    }

    void meansLeaveOutWhatIsNotKnown()
    {
        HeadRoles one, other;
        one.values = {0.2, 0.4, 0.6, 0, 0, std::nan(""), 3, 1};
        other.values = {0.4, 0.4, std::nan(""), 0, 0, std::nan(""), 5, 0};
        const HeadRoles each[] = {one, other};
        const HeadRoles mean = meanRoles(each);
        QVERIFY(is(mean[HeadRole::First], 0.3) && is(mean[HeadRole::Previous], 0.6) && is(mean[HeadRole::Reach], 4));
        QVERIFY(std::isnan(mean[HeadRole::Induction]));
        const std::string labels[] = {"a", "b", "a"};
        QCOMPARE(idsOfLabels(labels), (std::vector<int>{0, 1, 0}));
    }
};

QTEST_APPLESS_MAIN(TestHeadRole)
#include "test_head_role.moc"
