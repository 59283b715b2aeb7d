// Boxes in a bin: the place found for each against a search over every cell of the floor, packings against a bin filled
// cell by cell, and load rates against ones that can be counted.

#include "core/base/random.h"
#include "core/networks/packing_surface.h"
#include "tests/support/check_solutions.h"

#include <QtTest>

#include <algorithm>
#include <numeric>

using namespace attnscope;

namespace {

PackingInstance drawn(const Bin& bin, int count, int least, int most, std::uint64_t seed)
{
    const Random random(seed, Stream::Other);
    PackingInstance instance{bin, {}};
    for (int box = 0; box < count; ++box) {
        Sides sides;
        for (std::size_t k = 0; k < 3; ++k)
            sides[k] =
                least + static_cast<int>(random.uniform(static_cast<std::uint64_t>(box), k) * (most - least + 1));
        instance.boxes.push_back(sides);
    }
    return instance;
}

/// The floor cell by cell.
class Cells {
public:
    explicit Cells(const Bin& bin) : m_bin(bin), m_tops(static_cast<std::size_t>(bin.area()), 0) {}

    int& top(int x, int y) { return m_tops[static_cast<std::size_t>(x * m_bin.width + y)]; }

    std::array<int, 3> lowest(int length, int width)
    {
        std::array<int, 3> best{0, 0, 1 << 30};
        for (int x = 0; x + length <= m_bin.length; ++x)
            for (int y = 0; y + width <= m_bin.width; ++y) {
                int z = 0;
                for (int i = 0; i < length; ++i)
                    for (int k = 0; k < width; ++k)
                        z = std::max(z, top(x + i, y + k));
                if (z < best[2])
                    best = {x, y, z};
            }
        return best;
    }

    std::int64_t emptyBeneath(const std::array<int, 3>& at, int length, int width)
    {
        std::int64_t sum = 0;
        for (int i = 0; i < length; ++i)
            for (int k = 0; k < width; ++k)
                sum += at[2] - top(at[0] + i, at[1] + k);
        return sum;
    }

    void put(const std::array<int, 3>& at, const Sides& sides)
    {
        for (int i = 0; i < sides[0]; ++i)
            for (int k = 0; k < sides[1]; ++k)
                top(at[0] + i, at[1] + k) = at[2] + sides[2];
    }

private:
    Bin m_bin;
    std::vector<int> m_tops;
};

std::vector<int> asGiven(const PackingInstance& instance)
{
    std::vector<int> order(instance.boxes.size());
    std::iota(order.begin(), order.end(), 0);
    return order;
}

}  // namespace

class TestPackingSurface : public QObject {
    Q_OBJECT
private slots:
    void placesAreThoseOfASearchOverEveryCell_data();
    void placesAreThoseOfASearchOverEveryCell();
    void packingsFillABinCellByCell();
    void equalCubesFillTheBin();
    void boxesTurnInSixWays();
    void packingsThatAreNoneAreNamed_data();
    void packingsThatAreNoneAreNamed();
};

void TestPackingSurface::placesAreThoseOfASearchOverEveryCell_data()
{
    QTest::addColumn<int>("length");
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("most");
    QTest::addRow("many small boxes") << 24 << 20 << 9;
    QTest::addRow("boxes as wide as the bin") << 12 << 10 << 10;
    QTest::addRow("a narrow bin") << 30 << 5 << 5;
}

void TestPackingSurface::placesAreThoseOfASearchOverEveryCell()
{
    QFETCH(int, length);
    QFETCH(int, width);
    QFETCH(int, most);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const PackingInstance instance = drawn({length, width}, 40, 1, most, seed);
        PackingSurface surface(instance.bin);
        Cells cells(instance.bin);
        for (const Sides& sides : instance.boxes) {
            const std::array<int, 3> at = surface.lowest(sides[0], sides[1]);
            QCOMPARE(at, cells.lowest(sides[0], sides[1]));
            QCOMPARE(surface.emptyBeneath(at, sides[0], sides[1]), cells.emptyBeneath(at, sides[0], sides[1]));
            surface.put(at, sides);
            cells.put(at, sides);
            int highest = 0;
            std::int64_t area = 0;
            for (int x = 0; x < length; ++x)
                for (int y = 0; y < width; ++y) {
                    QCOMPARE(surface.at(x, y), cells.top(x, y));
                    highest = std::max(highest, cells.top(x, y));
                }
            surface.forEachCell([&](int x, int y, int cellLength, int cellWidth, int top) {
                area += cellLength * cellWidth;
                QCOMPARE(top, cells.top(x, y));
            });
            QCOMPARE(area, instance.bin.area());
            QCOMPARE(surface.height(), highest);
        }
    }
}

void TestPackingSurface::packingsFillABinCellByCell()
{
    const PackingInstance instance = drawn({12, 10}, 30, 1, 5, 7);
    const Packing packing = packInOrder(instance, asGiven(instance));
    QVERIFY(checkPacking(instance, packing));
    const int height = heightOf(packing);
    std::vector<int> owner(static_cast<std::size_t>(instance.bin.area() * height), -1);
    const auto cell = [&](int x, int y, int z) -> int& {
        return owner[static_cast<std::size_t>((x * instance.bin.width + y) * height + z)];
    };
    int full = 0;
    for (const PlacedBox& placed : packing) {
        bool supported = placed.at[2] == 0;
        for (int i = 0; i < placed.sides[0]; ++i)
            for (int k = 0; k < placed.sides[1]; ++k) {
                for (int z = 0; z < placed.sides[2]; ++z) {
                    int& here = cell(placed.at[0] + i, placed.at[1] + k, placed.at[2] + z);
                    QCOMPARE(here, -1);
                    here = placed.box;
                    ++full;
                }
                supported = supported || cell(placed.at[0] + i, placed.at[1] + k, placed.at[2] - 1) >= 0;
            }
        QVERIFY(supported);
    }
    QCOMPARE(std::int64_t{full}, instance.volume());
    QCOMPARE(loadRateOf(instance, packing), full / static_cast<double>(owner.size()));
}

/// 12 cubes of side 50 in a bin of 150 x 100: two full layers.
void TestPackingSurface::equalCubesFillTheBin()
{
    const PackingInstance instance{{150, 100}, std::vector<Sides>(12, Sides{50, 50, 50})};
    const Packing packing = packInOrder(instance, asGiven(instance));
    QVERIFY(checkPacking(instance, packing));
    QCOMPARE(heightOf(packing), 100);
    QCOMPARE(loadRateOf(instance, packing), 1.0);
    QCOMPARE(packing[1].at, (std::array{0, 50, 0}));  // the least x first, then the least y
    QCOMPARE(packing[2].at, (std::array{50, 0, 0}));
    QCOMPARE(loadRateOf(instance, {}), 0.0);
}

void TestPackingSurface::boxesTurnInSixWays()
{
    std::vector<Sides> all;
    for (int turn = 0; turn < std::ssize(boxTurns); ++turn)
        all.push_back(turned({1, 2, 3}, turn));
    QCOMPARE(all.front(), (Sides{1, 2, 3}));
    std::ranges::sort(all);
    QCOMPARE(all, (std::vector<Sides>{{1, 2, 3}, {1, 3, 2}, {2, 1, 3}, {2, 3, 1}, {3, 1, 2}, {3, 2, 1}}));
}

void TestPackingSurface::packingsThatAreNoneAreNamed_data()
{
    QTest::addColumn<int>("box");
    QTest::addColumn<PlacedBox>("instead");
    QTest::addColumn<QString>("message");
    QTest::addRow("twice") << 1 << PlacedBox{0, 0, {0, 0, 4}, {2, 3, 4}} << "box 0 is packed 2 times";
    QTest::addRow("out of the bin") << 1 << PlacedBox{1, 0, {9, 0, 0}, {2, 2, 2}} << "box 1 stands out of the bin";
    QTest::addRow("overlapping") << 1 << PlacedBox{1, 0, {1, 2, 3}, {2, 2, 2}} << "box 1 overlaps box 0";
    QTest::addRow("in the air") << 1 << PlacedBox{1, 0, {0, 0, 5}, {2, 2, 2}} << "box 1 rests on nothing";
    QTest::addRow("beside, not on") << 1 << PlacedBox{1, 0, {2, 0, 4}, {2, 2, 2}} << "box 1 rests on nothing";
    QTest::addRow("other sides") << 0 << PlacedBox{0, 1, {0, 0, 0}, {2, 3, 4}} << "box 0 has other sides";
}

void TestPackingSurface::packingsThatAreNoneAreNamed()
{
    QFETCH(int, box);
    QFETCH(PlacedBox, instead);
    QFETCH(QString, message);
    const PackingInstance instance{{10, 10}, {{2, 3, 4}, {2, 2, 2}}};
    Packing packing{{0, 0, {0, 0, 0}, {2, 3, 4}}, {1, 0, {0, 0, 4}, {2, 2, 2}}};
    QVERIFY(checkPacking(instance, packing));
    packing[static_cast<std::size_t>(box)] = instead;
    const auto checked = checkPacking(instance, packing);
    QVERIFY(!checked);
    QVERIFY2(checked.error().message.find(message.toStdString()) != std::string::npos, checked.error().message.c_str());
}

QTEST_GUILESS_MAIN(TestPackingSurface)
#include "test_packing_surface.moc"
