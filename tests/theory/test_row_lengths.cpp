// A mean over rows that see first .. last keys, from a few of them: beside the sum over all.

#include "core/theory/row_lengths.h"

#include <QtTest>

#include <cmath>
#include <functional>

using namespace attnscope;

class TestRowLengths : public QObject {
    Q_OBJECT
private slots:
    void powersToTheFifthAreExact_data();
    void powersToTheFifthAreExact();
    void logarithmsAreMet_data();
    void logarithmsAreMet();
    void otherRowsAreOfAnotherKind();
    void stairsAndKinksAreFound_data();
    void stairsAndKinksAreFound();
};

namespace {

double direct(double first, double last, const std::function<double(double)>& value)
{
    double sum = 0;
    for (double keys = first; keys <= last; ++keys)
        sum += value(keys);
    return sum / (last - first + 1);
}

double byRule(const std::vector<RowLength>& lengths, const std::function<double(double)>& value)
{
    double sum = 0;
    for (const RowLength& length : lengths)
        sum += length.share * value(length.keys);
    return sum;
}

void rows(std::initializer_list<std::pair<double, double>> ranges)
{
    QTest::addColumn<double>("first");
    QTest::addColumn<double>("last");
    for (const auto& [first, last] : ranges)
        QTest::addRow("%g to %g", first, last) << first << last;
}

}  // namespace

void TestRowLengths::powersToTheFifthAreExact_data()
{
    rows({{1, 1}, {1, 2}, {4, 6}, {13, 16}, {49, 64}, {1, 100}, {7, 1000}});
}

void TestRowLengths::powersToTheFifthAreExact()
{
    QFETCH(double, first);
    QFETCH(double, last);
    const auto lengths = rowLengths(first, last);
    for (int power = 0; power <= 5; ++power) {
        const auto value = [&](double keys) { return std::pow(keys / last, power); };
        QVERIFY(std::abs(byRule(lengths, value) - direct(first, last, value)) < 1e-12);
    }
    for (const RowLength& length : lengths)
        QVERIFY(length.keys >= first && length.keys <= last && length.share > 0);
}

void TestRowLengths::logarithmsAreMet_data() { rows({{1, 16}, {13, 16}, {1, 100000}, {75001, 100000}, {3, 5000}}); }

void TestRowLengths::logarithmsAreMet()
{
    QFETCH(double, first);
    QFETCH(double, last);
    const auto value = [](double keys) { return std::log(keys); };
    QVERIFY(std::abs(byRule(rowLengths(first, last), value) - direct(first, last, value)) < 1e-5);
}

/// A step where they begin is met exactly: no row stands on both sides.
void TestRowLengths::otherRowsAreOfAnotherKind()
{
    for (const double from : {1.0, 2.0, 41.0, 100.0, 101.0}) {
        const auto value = [&](double keys) { return keys >= from ? 1.0 : 0.0; };
        QVERIFY(std::abs(byRule(rowLengths(1, 100, from), value) - direct(1, 100, value)) < 1e-12);
        QVERIFY(std::abs(byRule(rowLengths(76, 100, from), value) - direct(76, 100, value)) < 1e-12);
    }
}

void TestRowLengths::stairsAndKinksAreFound_data()
{
    QTest::addColumn<double>("block");  // 0: a kink at 700
    for (const double block : {0.0, 64.0, 300.0, 900.0})
        QTest::addRow("%g", block) << block;
}

void TestRowLengths::stairsAndKinksAreFound()
{
    QFETCH(double, block);
    const auto multiplier = [&](double keys) {
        return block == 0 ? std::max(1.0, std::log(keys) / std::log(700))
                          : 1 + 0.1 * std::log1p(std::floor(keys / block));
    };
    for (const double first : {1.0, 751.0})
        QVERIFY(std::abs(byRule(rowLengths(first, 1000, 1, multiplier), multiplier) - direct(first, 1000, multiplier)) <
                5e-4);
}

QTEST_APPLESS_MAIN(TestRowLengths)
#include "test_row_lengths.moc"
