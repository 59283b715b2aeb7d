// The summary of a row against rows worked out by hand, and at its edges.
//
// Tolerances: double precision throughout, a few hundred operations on numbers about 1; 1e-7 where a weight is kept as
// float32.

#include "core/attention/summarise_row.h"
#include "core/base/random.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace attnscope;

namespace {

constexpr double inf = HUGE_VAL;

RowSummary summarise(const std::vector<double>& logits, VisibleKeys visible, std::int64_t position,
                     const char* id = "softmax", double order = 2)
{
    const Choice choice{id, {}, {}};
    const Normaliser& row = **findRow(normalisers(), id, "normaliser");
    return summariseRow(logits, visible, position, row, Parameters(row, choice), {.order = order});
}

RowSummary summarise(const std::vector<double>& logits, const char* id = "softmax", double order = 2)
{
    const auto n = static_cast<std::int64_t>(logits.size());
    return summarise(logits, {0, 0, n}, n - 1, id, order);
}

bool near(double a, double b, double tolerance = 1e-13)
{
    return std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
}

}  // namespace

class TestRowSummary : public QObject {
    Q_OBJECT
private slots:
    void uniform();
    void byHand();
    void oneHot();
    void sinksAndWindowKeepTheirKeys();
    void powers();
    void hugeLogits();
    void infiniteLogits();
    void masked();
    void massless();
    void massNotOne();
    void topIsSorted();
};

void TestRowSummary::uniform()
{
    const RowSummary row = summarise(std::vector<double>(10, 3.5));
    QCOMPARE(row.visible, 10);
    QVERIFY(near(row.mass, 1) && near(row.entropy, std::log(10)) && near(row.sumSquares, 0.1) &&
            near(row.sumRoots, std::sqrt(10)));
    QVERIFY(near(row.sinkMass, 0.4) && near(row.meanDistance, 4.5));
    QCOMPARE(row.support, 10);
    QCOMPARE(row.argmax, 0);
    QVERIFY(row.logitMax == 3.5 && row.logitMin == 3.5);
    QVERIFY(row.top[9] == 0.1F && row.top[10] == 0);
}

/// p = 1/2, 1/8, 1/8, 1/4.
void TestRowSummary::byHand()
{
    const RowSummary row = summarise({std::log(4), 0, 0, std::log(2)});
    QVERIFY(near(row.entropy, 1.75 * std::log(2)));
    QVERIFY(near(row.sumSquares, 0.25 + 2.0 / 64 + 1.0 / 16));
    QVERIFY(near(row.sumRoots, std::sqrt(0.5) + 2 * std::sqrt(0.125) + 0.5));
    QVERIFY(near(row.meanDistance, 3 * 0.5 + 2 * 0.125 + 0.125));
    QVERIFY(near(row.state.shiftFromZero(), std::log(8)));
    QCOMPARE(row.argmax, 0);
    QVERIFY(row.top[0] == 0.5F && row.top[1] == 0.25F && row.top[2] == 0.125F && row.top[3] == 0.125F &&
            row.top[4] == 0);
    QVERIFY(near(row.logitMax - row.logitMin, std::log(4)));
}

void TestRowSummary::oneHot()
{
    const RowSummary row = summarise({-2000, 0, -2000, -3000});
    QVERIFY(row.entropy == 0 && row.sumSquares == 1 && row.top[0] == 1 && row.top[1] == 0);
    QCOMPARE(row.support, 4);  // e^-2000 is no 0
    QCOMPARE(row.argmax, 1);
    QVERIFY(near(row.meanDistance, 2));
    const RowSummary alone = summarise({0.3});
    QVERIFY(alone.entropy == 0 && alone.sumSquares == 1 && alone.meanDistance == 0 && alone.visible == 1);
}

void TestRowSummary::sinksAndWindowKeepTheirKeys()
{
    // keys 0, 1 and 7, 8, 9 seen from position 9
    const RowSummary row = summarise({0, 0, 0, 0, std::log(6)}, {2, 7, 10}, 9);
    QCOMPARE(row.visible, 5);
    QCOMPARE(row.argmax, 9);
    QVERIFY(near(row.sinkMass, 0.2) && near(row.meanDistance, (9 + 8 + 2 + 1) / 10.0));
}

void TestRowSummary::powers()
{
    const std::vector<double> logits{std::log(4), 0, 0, std::log(2)};
    const auto sumPower = [&](double order) { return summarise(logits, "softmax", order).sumPower; };
    QVERIFY(near(sumPower(0), 4) && near(sumPower(1), 1) && near(sumPower(3), 0.125 + 2.0 / 512 + 1.0 / 64));
    QVERIFY(near(sumPower(0.5), std::sqrt(0.5) + 2 * std::sqrt(0.125) + 0.5));
    QVERIFY(near(sumPower(inf), 0.5));
}

void TestRowSummary::hugeLogits()
{
    const RowSummary row = summarise({1e4, 1e4, -1e4, 1e4 - std::log(2)});
    QVERIFY(near(row.entropy, 0.8 * std::log(2.5) + 0.2 * std::log(5), 1e-11));
    QVERIFY(near(row.mass, 1, 1e-11));
    QCOMPARE(row.support, 4);
    const RowSummary low = summarise({-1e4, -1e4});
    QVERIFY(near(low.entropy, std::log(2), 1e-11));
    for (const Normaliser& normaliser : normalisers()) {
        const RowSummary each = summarise({1e4, -1e4, 1e4}, normaliser.id.c_str());
        QVERIFY2(std::isfinite(each.mass) && near(each.entropy, std::log(2), 1e-10), normaliser.id.c_str());
    }
}

void TestRowSummary::infiniteLogits()
{
    for (const Normaliser& normaliser : normalisers()) {
        const RowSummary row = summarise({1, inf, -inf, inf, 2}, normaliser.id.c_str());
        QCOMPARE(row.visible, 4);
        QVERIFY2(std::isfinite(row.mass) && std::isfinite(row.entropy), normaliser.id.c_str());
        QCOMPARE(row.argmax, 1);
        if (normaliser.id != "sigmoid")
            QVERIFY2(near(row.entropy, std::log(2)) && row.support == 2, normaliser.id.c_str());
    }
}

void TestRowSummary::masked()
{
    for (const std::vector<double>& logits :
         {std::vector<double>{}, std::vector<double>{-inf, -inf}, std::vector<double>{NAN}}) {
        const RowSummary row = summarise(logits);
        QCOMPARE(row.visible, 0);
        QVERIFY(row.mass == 0 && row.entropy == 0 && row.argmax == -1 && row.logitMax == 0);
    }
    const RowSummary some = summarise({-inf, 0, NAN, 0});
    QCOMPARE(some.visible, 2);
    QVERIFY(near(some.entropy, std::log(2)) && near(some.meanDistance, 1));
}

void TestRowSummary::massless()
{
    for (const char* id : {"relu2", "softpick"}) {
        const RowSummary row = summarise({-1, -2, 0}, id);
        QCOMPARE(row.visible, 3);
        QVERIFY(row.mass == 0 && row.entropy == 0 && row.argmax == -1 && row.support == 0);
        QVERIFY(row.logitMax == 0 && row.logitMin == -2);
    }
}

void TestRowSummary::massNotOne()
{
    // softmax1 on two zeros: 1/3 each; renormalised, two equal
    const RowSummary row = summarise({0, 0}, "softmax1");
    QVERIFY(near(row.mass, 2.0 / 3) && near(row.entropy, std::log(2)) && row.top[0] == 0.5F);
    // relu2 on 1, 3: 1/2 and 9/2
    const RowSummary squares = summarise({1, 3}, "relu2");
    QVERIFY(near(squares.mass, 5) && near(squares.sumSquares, 0.82));
}

void TestRowSummary::topIsSorted()
{
    std::vector<double> logits(200);
    Random(2, Stream::Logits).normals(0, std::span<double>(logits));
    const RowSummary row = summarise(logits);
    std::vector<double> sorted = logits;
    std::ranges::sort(sorted, std::greater());
    for (size_t rank = 0; rank < row.top.size(); ++rank)
        QVERIFY(near(static_cast<double>(row.top[rank]), std::exp(sorted[rank] - row.state.shiftFromZero()), 1e-7));
}

QTEST_GUILESS_MAIN(TestRowSummary)
#include "test_row_summary.moc"
