// Products whose factors are held in bfloat16, against products of factors rounded here by arithmetic, in double
// precision.

#include "core/learn/operations.h"

#include <QtTest>

#include <cmath>

using namespace attnscope::learn;

namespace {

/// The nearest number of 8 significant bits, ties to even: std::nearbyint's rule, on the significand.
double eightBits(double x)
{
    int exponent = 0;
    const double significand = std::frexp(x, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(significand, 8)), exponent - 8);
}

Eigen::MatrixXd eightBits(const Eigen::MatrixXd& x)
{
    return x.unaryExpr([](double v) { return eightBits(v); });
}

Matrix sines(Index rows, Index columns, double seed)
{
    Matrix values(rows, columns);
    for (Index i = 0; i < values.size(); ++i)
        values.data()[i] = static_cast<float>(1.3 * std::sin(seed + 1.7 * static_cast<double>(i)));
    return values;
}

Weight weightOf(const Matrix& value)
{
    Weight weight("w", value.rows(), value.cols(), false);
    weight.value = value;
    return weight;
}

bool agree(const Eigen::MatrixXd& expected, const Matrix& got)
{
    return (expected - got.cast<double>()).cwiseAbs().maxCoeff() < 2e-6 * (1 + expected.cwiseAbs().maxCoeff());
}

}  // namespace

class TestRounding : public QObject {
    Q_OBJECT
private slots:
    void toNearestTiesToEven_data();
    void toNearestTiesToEven();
    void float32FactorsAreTheMatrixItself();
    void linearRoundsEveryFactor();
    void attentionRoundsEveryFactor();
};

void TestRounding::toNearestTiesToEven_data()
{
    QTest::addColumn<float>("x");
    QTest::addColumn<float>("rounded");
    const float unit = 1.0f / 128;  // of the last bit, between 1 and 2
    QTest::newRow("held exactly") << 1 + unit << 1 + unit;
    QTest::newRow("below half a unit") << 1 + 0.49f * unit << 1.0f;
    QTest::newRow("above half a unit") << 1 + 0.51f * unit << 1 + unit;
    QTest::newRow("tie, down to even") << 1 + 0.5f * unit << 1.0f;
    QTest::newRow("tie, up to even") << 1 + 1.5f * unit << 1 + 2 * unit;
    QTest::newRow("into the next binade") << 2 - 0.25f * unit << 2.0f;
    QTest::newRow("negative") << -(1 + 1.5f * unit) << -(1 + 2 * unit);
    QTest::newRow("zero") << 0.0f << 0.0f;
    QTest::newRow("two priorities become one: 0.9985") << 0.9985f << 1.0f;
    QTest::newRow("two priorities become one: 0.9999") << 0.9999f << 1.0f;
}

void TestRounding::toNearestTiesToEven()
{
    QFETCH(float, x);
    QFETCH(float, rounded);
    QCOMPARE(toBfloat16(x), rounded);
    QCOMPARE(static_cast<double>(rounded), eightBits(static_cast<double>(x)));
}

void TestRounding::float32FactorsAreTheMatrixItself()
{
    const Matrix x = sines(3, 4, 1);
    const ConstMatrixView view(x.data(), 3, 4);
    QCOMPARE(Factor(Products::Float32, view).view().data(), x.data());
    QCOMPARE(Factor(Products::Bfloat16, view).view()(2, 3),
             static_cast<float>(eightBits(static_cast<double>(x(2, 3)))));
    QVERIFY(Factor(Products::Bfloat16, view).view()(2, 3) != x(2, 3));
}

/// y = x W^T + b with L = mean((y s)): dL/dy = s / size enters the products of the way back, rounded too; b's gradient
/// is no product.
void TestRounding::linearRoundsEveryFactor()
{
    Weight x = weightOf(sines(5, 7, 1)), w = weightOf(sines(3, 7, 2)), b = weightOf(sines(1, 3, 3));
    const Matrix s = sines(5, 3, 4);
    Tape tape(Products::Bfloat16);
    const Var y = linear(tape, tape.weight(x), tape.weight(w), tape.weight(b));
    const Eigen::MatrixXd X = eightBits(x.value.cast<double>()), W = eightBits(w.value.cast<double>()),
                          B = b.value.cast<double>();
    QVERIFY(agree((X * W.transpose()).rowwise() + B.row(0), tape.value(y)));
    QVERIFY(!agree((x.value.cast<double>() * w.value.cast<double>().transpose()).rowwise() + B.row(0), tape.value(y)));

    tape.backward(mean(tape, multiply(tape, y, tape.constant(s))));
    const Eigen::MatrixXd dy = (s / 15.0f).cast<double>();
    QVERIFY(agree(eightBits(dy) * W, x.gradient));
    QVERIFY(agree(eightBits(dy).transpose() * X, w.gradient));
    QVERIFY(agree(dy.colwise().sum(), b.gradient));
}

void TestRounding::attentionRoundsEveryFactor()
{
    Weight q = weightOf(sines(2, 4, 1)), k = weightOf(sines(6, 4, 2)), v = weightOf(sines(6, 3, 3));
    const Matrix s = sines(2, 3, 4);
    Tape tape(Products::Bfloat16);
    const Attended attended = attention(tape, tape.weight(q), tape.weight(k), tape.weight(v), {.scale = 0.5f});
    const Eigen::MatrixXd Q = eightBits(q.value.cast<double>()), K = eightBits(k.value.cast<double>()),
                          V = eightBits(v.value.cast<double>());
    Eigen::MatrixXd p = (0.5 * Q * K.transpose()).array().exp();
    p.array().colwise() /= p.rowwise().sum().array().eval();
    QVERIFY(agree(p, tape.value(attended.weights)));
    // a weight that float32 puts on the other side of a tie moves the sum by a unit of 8 bits: none lies that near here
    QVERIFY(agree(eightBits(p) * V, tape.value(attended.output)));

    tape.backward(mean(tape, multiply(tape, attended.output, tape.constant(s))));
    const Eigen::MatrixXd dO = eightBits((s / 6.0f).cast<double>()), dP = dO * V.transpose();
    const Eigen::MatrixXd dZ = 0.5 * (p.array() * (dP.array().colwise() - (dP.array() * p.array()).rowwise().sum()));
    QVERIFY(agree(eightBits(p).transpose() * dO, v.gradient));
    QVERIFY(agree(eightBits(dZ) * K, q.gradient));
    QVERIFY(agree(eightBits(dZ).transpose() * Q, k.gradient));
}

QTEST_APPLESS_MAIN(TestRounding)
#include "test_rounding.moc"
