// Boxes in isometry: where points come to lie, and that the face drawn last at a place is the one that a ray from the
// eye meets first.

#include "core/base/random.h"
#include "ui/figure/isometry.h"
#include "core/labs/packing/packing_instances.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace attnscope;

namespace {

/// 1: within; -1: without; 0: so near to an edge that rounding could say either.
int sideOf(const std::array<std::array<double, 2>, 4>& corners, double right, double up)
{
    double least = 1e9, most = -1e9;
    for (std::size_t i = 0; i < 4; ++i) {
        const auto& [x0, y0] = corners[i];
        const auto& [x1, y1] = corners[(i + 1) % 4];
        const double side = (x1 - x0) * (up - y0) - (y1 - y0) * (right - x0);
        least = std::min(least, side);
        most = std::max(most, side);
    }
    if (least > 1e-6 || most < -1e-6)
        return 1;
    return least > -1e-6 || most < 1e-6 ? 0 : -1;
}

/// The box that the ray onto (right, up) meets first. Its points are p + t (1, 1, 1) with p_z = 0; the largest t within
/// a box is where it comes in.
int firstMet(const std::vector<LabPackings::Box>& boxes, double right, double up)
{
    const double difference = right * 2 / std::sqrt(3.0), sum = -2 * up;  // x - y, x + y at z = 0
    const std::array<double, 3> p{(sum + difference) / 2, (sum - difference) / 2, 0};
    int met = -1;
    double nearest = -1e9;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        double low = -1e9, high = 1e9;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            low = std::max(low, boxes[i].at[axis] - p[axis]);
            high = std::min(high, boxes[i].at[axis] + boxes[i].sides[axis] - p[axis]);
        }
        if (low < high && high > nearest) {
            nearest = high;
            met = static_cast<int>(i);
        }
    }
    return met;
}

}  // namespace

class TestIsometry : public QObject {
    Q_OBJECT
private slots:
    void axesAreEquallyLong();
    void facesInFrontAreDrawnLast_data();
    void facesInFrontAreDrawnLast();
};

void TestIsometry::axesAreEquallyLong()
{
    for (const auto& [right, up] : {isometric(1, 0, 0), isometric(0, 1, 0), isometric(0, 0, 1)})
        QVERIFY(std::abs(std::hypot(right, up) - 1) < 1e-12);
    QVERIFY(isometric(1, 0, 0)[0] > 0 && isometric(1, 0, 0)[1] < 0 && isometric(0, 1, 0)[0] < 0 &&
            isometric(0, 0, 1)[1] > 0);
    const auto [right, up] = isometric(5, 5, 5);  // along the ray
    QVERIFY(std::abs(right) < 1e-12 && std::abs(up) < 1e-12);
}

void TestIsometry::facesInFrontAreDrawnLast_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<bool>("circle");
    QTest::addRow("few boxes") << 10 << false;
    QTest::addRow("many boxes") << 60 << false;
    QTest::addRow("three boxes that hide one another in a circle") << 3 << true;
}

void TestIsometry::facesInFrontAreDrawnLast()
{
    QFETCH(int, count);
    QFETCH(bool, circle);
    std::vector<LabPackings::Box> boxes{
        {0, {0, 0, 20}, {20, 40, 20}}, {1, {20, 0, 0}, {20, 20, 40}}, {2, {0, 20, 0}, {40, 20, 20}}};
    if (!circle) {
        boxes.clear();
        const PackingInstance instance = drawBoxes({count, 3}, {120, 100}, 0);
        for (const PlacedBox& placed : packInOrder(instance, volumeOrder(instance)))
            boxes.push_back({placed.box, placed.at, placed.sides});
    }
    const std::vector<IsometricFace> faces = isometricFaces(boxes);
    QVERIFY(circle ? faces.size() > 9 : faces.size() >= 3 * boxes.size());
    const Random random(1, Stream::Other);
    int covered = 0;
    for (std::uint64_t i = 0; i < 4000; ++i) {
        const double right = 200 * random.uniform(i, 0) - 95, up = 380 * random.uniform(i, 1) - 110;
        int drawn = -1;
        bool onAnEdge = false;
        for (const IsometricFace& face : faces) {
            const int side = sideOf(face.corners, right, up);
            onAnEdge = onAnEdge || side == 0;
            if (side > 0)
                drawn = static_cast<int>(face.step);
        }
        if (onAnEdge)
            continue;
        QCOMPARE(drawn, firstMet(boxes, right, up));
        covered += drawn >= 0;
    }
    QVERIFY(covered > 100);
}

QTEST_GUILESS_MAIN(TestIsometry)
#include "test_isometry.moc"
