// Keys that heads share: their first rows are no copy; and whether all of them are numbers.

#include "core/attention/shared_matrix.h"

#include <QtTest>

#include <limits>

using namespace attnscope;

class TestSharedMatrix : public QObject {
    Q_OBJECT
private slots:
    void firstRowsAreNoCopy();
    void finiteUnlessOneIsNot_data();
    void finiteUnlessOneIsNot();
};

/// And what stands behind them, infinite here, is none of theirs.
void TestSharedMatrix::firstRowsAreNoCopy()
{
    Matrix values = Matrix::Constant(3, 2, 1.0f);
    values(2, 1) = std::numeric_limits<float>::infinity();
    const SharedMatrix all(std::move(values)), first = all.firstRows(2);
    QCOMPARE((*first).data(), (*all).data());
    QCOMPARE(first.rows(), 2);
    QCOMPARE(first.size(), 4);
    QVERIFY(first.allFinite() && !all.allFinite());
}

void TestSharedMatrix::finiteUnlessOneIsNot_data()
{
    constexpr float infinity = std::numeric_limits<float>::infinity();
    QTest::addColumn<float>("value");
    QTest::addColumn<bool>("finite");
    QTest::addRow("largest") << std::numeric_limits<float>::max() << true;
    QTest::addRow("smallest") << std::numeric_limits<float>::denorm_min() << true;
    QTest::addRow("minus zero") << -0.0f << true;
    QTest::addRow("infinity") << infinity << false;
    QTest::addRow("minus infinity") << -infinity << false;
    QTest::addRow("not a number") << std::numeric_limits<float>::quiet_NaN() << false;
}

/// Wherever it stands in a matrix of several chunks of work.
void TestSharedMatrix::finiteUnlessOneIsNot()
{
    QFETCH(float, value);
    QFETCH(bool, finite);
    for (const Eigen::Index place : {0, 65535, 65536, 199'998}) {
        Matrix values = Matrix::Constant(66'667, 3, 0.5f);
        values.data()[place] = value;
        QCOMPARE(SharedMatrix(std::move(values)).allFinite(), finite);
    }
    QVERIFY(SharedMatrix().allFinite());
}

QTEST_APPLESS_MAIN(TestSharedMatrix)
#include "test_shared_matrix.moc"
