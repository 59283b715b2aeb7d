// What holds of every expected row: its limits, its slopes, its mirror image, and that finer rules change nothing.

#include "theory_support.h"

using namespace attnscope;

class TestLawsOfRows : public QObject {
    Q_OBJECT
private slots:
    void limits_data();
    void limits();
    void entropyFallsAndFreeEnergyIsConvex_data();
    void entropyFallsAndFreeEnergyIsConvex();
    void negativeScaleMirrors();
    void doublingEveryRuleChangesNothing_data();
    void doublingEveryRuleChangesNothing();
};

void TestLawsOfRows::limits_data()
{
    QTest::addColumn<QString>("law");
    for (const std::string law : {"gaussian", "normal", "sphere", "uniform", "finite", "power_series:amplitude=1"})
        QTest::addRow("%s", law.c_str()) << QString::fromStdString(law);
}

void TestLawsOfRows::limits()
{
    QFETCH(QString, law);
    const LogitDensity from = density(law, 16);
    for (const double n : {1.0, 2.0, 1e3, 1e12}) {
        QVERIFY(std::abs(expected("shannon", from, n, 0) - std::log(n)) < 1e-11);
        const double s = 1e-3,
                     wanted = std::log(n) - (1 - 1 / n) * from.variance() * s * s / 2;  // to second order in s
        QVERIFY(std::abs(expected("shannon", from, n, s / 4) - wanted) < 3e-9);
        QVERIFY(std::abs(expected("renyi:a=1", from, n, 0.1) - expected("shannon", from, n, 0.1)) < 1e-12);
        QVERIFY(std::abs(expected("renyi:a=0", from, n, 0.1) - std::log(n)) < 1e-11);
    }
    for (const double lambda : {0.0, 0.25, 3.0}) {
        QVERIFY(std::abs(expected("shannon", from, 1, lambda)) < 1e-12);
        QVERIFY(std::abs(expected("collision", from, 1, lambda) - 1) < 1e-11);
    }
}

void TestLawsOfRows::entropyFallsAndFreeEnergyIsConvex_data() { limits_data(); }

/// From s = 1e-3, below which ln n - H is not far above rounding, to 50; of a finite law to 5, where it is frozen.
void TestLawsOfRows::entropyFallsAndFreeEnergyIsConvex()
{
    QFETCH(QString, law);
    const LogitDensity from = density(law, 16);
    const double last = law.startsWith("finite") || law.startsWith("power_series") ? 5 : 50;
    constexpr int steps = 60;
    for (const double n : {2.0, 100.0, 1e9, 1e12}) {
        double entropyBefore = std::log(n), slopeBefore = -1e300, energyBefore = expected("free_energy", from, n, 0),
               scaleBefore = 0;
        for (int k = 0; k <= steps; ++k) {
            const double s = 1e-3 * std::pow(last / 1e-3, double(k) / steps), lambda = s / 4;
            const double entropy = expected("shannon", from, n, lambda),
                         energy = expected("free_energy", from, n, lambda);
            QVERIFY2(entropy < entropyBefore, qPrintable(QString("n=%1 s=%2").arg(n).arg(s)));
            const double slope = (energy - energyBefore) / (s - scaleBefore);
            QVERIFY2(slope > slopeBefore - 1e-8, qPrintable(QString("n=%1 s=%2").arg(n).arg(s)));
            slopeBefore = slope;
            entropyBefore = entropy;
            energyBefore = energy;
            scaleBefore = s;
        }
        QVERIFY(std::abs(expected("shannon", from, n, 1e-6 / 4) - std::log(n)) < 1e-10);
    }
}

void TestLawsOfRows::negativeScaleMirrors()
{
    const double sharp = expected("shannon", density("gaussian", 16), 100, 0.5);
    QVERIFY(near(expected("shannon", density("gaussian", 16), 100, -0.5), sharp, 1e-14));
    QVERIFY(near(expected("shannon", density("uniform:lo=-1,hi=3", 1), 50, -2),
                 expected("shannon", density("uniform:lo=-3,hi=1", 1), 50, 2), 1e-12));
}

void TestLawsOfRows::doublingEveryRuleChangesNothing_data()
{
    QTest::addColumn<QString>("law");
    QTest::addColumn<int>("d");
    for (const std::string law : {"normal", "uniform", "finite", "power_series", "needle"})
        QTest::addRow("%s", law.c_str()) << QString::fromStdString(law) << 64;
    for (const std::string law : {"gaussian", "sphere"})
        for (const int d : {1, 3, 16, 64, 128})
            QTest::addRow("%s d=%d", law.c_str(), d) << QString::fromStdString(law) << d;
}

void TestLawsOfRows::doublingEveryRuleChangesNothing()
{
    QFETCH(QString, law);
    QFETCH(int, d);
    const LogitDensity from = density(law, d);
    for (const double multiplier : {0.0, 1e-6, 0.3, 0.49, 0.51, 1.0, 4.0, d < 16 ? 7.0 : 50.0})
        for (const double n : {1.0, 2.0, 1e4, 1e12}) {
            const double lambda = multiplier / std::sqrt(d);
            const ExpectedRow usual(from, lambda, n, n), fine(from, lambda, n, n, {2});
            QVERIFY2(std::abs(usual.entropy(n) - fine.entropy(n)) < 1e-8,
                     qPrintable(QString("s=%1 n=%2").arg(multiplier).arg(n)));
            QVERIFY2(std::abs(usual.freeEnergy(n) - fine.freeEnergy(n)) < 1e-8,
                     qPrintable(QString("s=%1 n=%2").arg(multiplier).arg(n)));
        }
}

QTEST_APPLESS_MAIN(TestLawsOfRows)
#include "test_laws_of_rows.moc"
