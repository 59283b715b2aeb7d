// Logits that are spread far wider than the kernels of the theory: closed forms, another law that is the same one, and
// sums over a vocabulary. By the law's own nodes each of these rows would take minutes.

#include "theory_support.h"

#include "core/theory/entropy_scale.h"

#include <numbers>
#include <thread>

using namespace attnscope;

namespace {

/// Entropy of two keys whose logits differ by t.
double pairEntropy(double t)
{
    const double gap = std::abs(t);
    return std::log1p(std::exp(-gap)) + gap / (1 + std::exp(gap));
}

}  // namespace

class TestWideLaws : public QObject {
    Q_OBJECT
private slots:
    void twoUniformKeys_data();
    void twoUniformKeys();
    void manyUniformKeys_data();
    void manyUniformKeys();
    void sphereInThreeDimensionsIsUniform_data();
    void sphereInThreeDimensionsIsUniform();
    void twoWords();
    void needleBesideOneKey();
    void doublingEveryRuleChangesNothing_data();
    void doublingEveryRuleChangesNothing();
    void scaleKeepsEntropy();
    void threadsShareARow();
};

void TestWideLaws::twoUniformKeys_data()
{
    QTest::addColumn<double>("lambda");
    for (const double lambda : {0.5, -3.0, 100.0, 1250.0})
        QTest::addRow("lambda %g", lambda) << lambda;
}

/// The difference t of two logits that are uniform over W nats has the density (2 / W) (1 - t / W), and over all t > 0
/// H(t) integrates to pi^2 / 6, t H(t) to (9/4) zeta(3), p (1 - p) to 1/2 and t p (1 - p) to ln 2; what lies beyond W
/// is e^-W.
void TestWideLaws::twoUniformKeys()
{
    QFETCH(double, lambda);
    const LogitDensity from = density("uniform:lo=-100,hi=100", 64);
    const double width = 200 * 8 * std::abs(lambda), zeta3 = 1.2020569031595943;
    const double entropy = 2 / width * (std::numbers::pi * std::numbers::pi / 6 - 2.25 * zeta3 / width);
    const double collision = 1 - 2 / width * (1 - 2 * std::numbers::ln2 / width);
    // entropies are differences of numbers of order 1, each known to 1e-13 or so
    QVERIFY2(std::abs(expected("shannon", from, 2, lambda) - entropy) < 1e-12,
             qPrintable(QString::number(expected("shannon", from, 2, lambda), 'g', 15)));
    QVERIFY(std::abs(expected("collision", from, 2, lambda) - collision) < 1e-12);
    QVERIFY(std::abs(expected("tsallis:q=2", from, 2, lambda) - (1 - collision)) < 1e-12);
    QVERIFY(near(expected("free_energy", from, 2, lambda),
                 width / 6 + 2 / width * std::numbers::pi * std::numbers::pi / 12,
                 1e-7));  // mean of the larger, plus ln(1 + e^-t)
}

void TestWideLaws::manyUniformKeys_data()
{
    QTest::addColumn<double>("lambda");
    QTest::addColumn<double>("entropy");
    // -gamma - n int phi^(n-1) E[y g(y)] du by adaptive quadrature with 30 digits, phi by exponential integrals
    // (mpmath)
    QTest::addRow("W = 160") << 0.1 << 2.835428750083226;
    QTest::addRow("W = 16000") << 10.0 << 0.09995429754785513;
    QTest::addRow("W = 160000") << 100.0 << 0.01025159955070357;
}

void TestWideLaws::manyUniformKeys()
{
    QFETCH(double, lambda);
    QFETCH(double, entropy);
    QVERIFY(std::abs(expected("shannon", density("uniform:lo=-100,hi=100", 64), 1000, lambda) - entropy) < 1e-12);
}

void TestWideLaws::sphereInThreeDimensionsIsUniform_data()
{
    QTest::addColumn<double>("lambda");
    QTest::addColumn<double>("n");
    for (const double lambda : {70.0, 1000.0, 3000.0})
        for (const double n : {2.0, 1000.0, 1e12})
            QTest::addRow("lambda %g, n %g", lambda, n) << lambda << n;
}

/// The cosine of a direction in space is uniform on (-1, 1) (Archimedes): one law, by nodes in the angle and in closed
/// form.
void TestWideLaws::sphereInThreeDimensionsIsUniform()
{
    QFETCH(double, lambda);
    QFETCH(double, n);
    const LogitDensity sphere = density("sphere", 3), interval = density("uniform:lo=-1,hi=1", 3);
    const double same = lambda * std::sqrt(3.0);
    for (const char* measure : {"shannon", "collision", "renyi:a=0.5", "tsallis:q=0.5"}) {
        const double a = expected(measure, sphere, n, lambda), b = expected(measure, interval, n, same);
        QVERIFY2(std::abs(a - b) < 1e-9 * std::max(1.0, std::abs(b)),
                 qPrintable(QString("%1: %2 and %3").arg(measure).arg(a, 0, 'g', 15).arg(b, 0, 'g', 15)));
    }
    QVERIFY(near(expected("free_energy", sphere, n, lambda), expected("free_energy", interval, n, same), 1e-12));
}

/// Two words a thousand nats apart or more: a row is uniform over its heavier words, k of n with the binomial's
/// probability.
void TestWideLaws::twoWords()
{
    constexpr int n = 12;
    double entropy = 0, collision = 0;
    for (int k = 0; k <= n; ++k) {
        const double probability =
            std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1)) / std::exp2(n);
        entropy += probability * std::log(k == 0 ? n : k);
        collision += probability / (k == 0 ? n : k);
    }
    for (const char* words : {"finite:0,1", "finite:-1000000,1000000"}) {
        // at logits of 1e6 the scale keeps them a thousand nats apart, at 1 the same
        const LogitDensity from = density(words, 1);
        for (const double lambda : {1000.0, -5000.0}) {
            QVERIFY(std::abs(expected("shannon", from, n, lambda) - entropy) < 1e-11);
            QVERIFY(std::abs(expected("collision", from, n, lambda) - collision) < 1e-11);
        }
    }
}

/// A needle at 6 and one normal key, at scale m: t is normal with mean 6 m and deviation m; the midpoint rule over |t|
/// < 60.
void TestWideLaws::needleBesideOneKey()
{
    const LogitDensity from = density("normal", 1).withNeedle(6);
    for (const double m : {100.0, 1000.0}) {
        double entropy = 0;
        constexpr int steps = 24000;
        for (int k = 0; k < steps; ++k) {
            const double t = -60 + 120 * (k + 0.5) / steps, x = (t - 6 * m) / m;
            entropy += pairEntropy(t) * std::exp(-x * x / 2) / (m * std::sqrt(2 * std::numbers::pi)) * 120 / steps;
        }
        QVERIFY(std::abs(expected("shannon", from, 2, m) - entropy) < 1e-12);
        QVERIFY(std::abs(expected("needle", from, 2, m) - std::erfc(-6 / std::numbers::sqrt2) / 2) <
                1e-9);  // P(x < 6), but for the last nats
    }
}

void TestWideLaws::doublingEveryRuleChangesNothing_data()
{
    QTest::addColumn<QString>("law");
    QTest::addColumn<int>("d");
    for (const std::string law : {"normal", "uniform:lo=-100,hi=100", "uniform:lo=3,hi=100", "finite:-3,0*5,2.5",
                                  "power_series:terms=300,ratio=0.98", "needle", "gaussian"})
        QTest::addRow("%s", law.c_str()) << QString::fromStdString(law) << 64;
    for (const int d : {1, 2, 3, 8, 9, 128})
        QTest::addRow("sphere d=%d", d) << "sphere" << d;
}

void TestWideLaws::doublingEveryRuleChangesNothing()
{
    QFETCH(QString, law);
    QFETCH(int, d);
    const LogitDensity from = density(law, d);
    for (const double multiplier : {70.0, -400.0, 3000.0})
        for (const double n : {1.0, 2.0, 1e4, 1e12}) {
            const double lambda = multiplier / std::sqrt(d);
            const ExpectedRow usual(from, lambda, n, n), fine(from, lambda, n, n, {2});
            QVERIFY2(
                std::abs(usual.entropy(n) - fine.entropy(n)) < 1e-8,
                qPrintable(QString("m=%1 n=%2: %3").arg(multiplier).arg(n).arg(usual.entropy(n) - fine.entropy(n))));
            // a free energy is as large as a logit, and its error a share of that
            const double size =
                std::abs(multiplier) * std::max({1.0, std::abs(from.law.lower), std::abs(from.law.upper)});
            QVERIFY2(std::abs(usual.freeEnergy(n) - fine.freeEnergy(n)) < 1e-12 * size,
                     qPrintable(QString("m=%1 n=%2").arg(multiplier).arg(n)));
        }
}

void TestWideLaws::scaleKeepsEntropy()
{
    const LogitDensity from = density("uniform:lo=-100,hi=100", 16);
    const auto lambda = entropyInvariantScale(from, 4096, 512);
    QVERIFY(lambda.has_value());
    QVERIFY(near(expectedEntropy(from, 4096, *lambda), expectedEntropy(from, 512, 0.25), 1e-9));
    QVERIFY(EntropyScale::make(from, 512, 65536).has_value());
}

/// What several threads ask of one row at once is what one alone is told, bit by bit.
void TestWideLaws::threadsShareARow()
{
    const ExpectedRow row(density("sphere", 5), 400, 2, 4096);
    const std::vector<double> n{2, 64, 4096}, orders{0.5, 2, 3};
    std::vector<std::vector<double>> alone, together(4);
    for (const double order : orders)
        alone.push_back(row.powerSum(n, order));
    {
        std::vector<std::jthread> threads;
        for (std::size_t t = 0; t < together.size(); ++t)
            threads.emplace_back([&, t] { together[t] = row.powerSum(n, orders[t % orders.size()]); });
    }
    for (std::size_t t = 0; t < together.size(); ++t)
        QCOMPARE(together[t], alone[t % orders.size()]);
}

QTEST_APPLESS_MAIN(TestWideLaws)
#include "test_wide_laws.moc"
