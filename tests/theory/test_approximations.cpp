// Approximations and bounds are their closed forms.

#include "theory_support.h"

#include "core/theory/approximations.h"
#include "core/theory/bounds.h"

using namespace attnscope;

class TestApproximations : public QObject {
    Q_OBJECT
private slots:
    void approximationsAreTheirClosedForms();
    void spheresMeanField();
    void formsOfTheSphereAreHeldAgainstIt();
    void shortFacts();

private:
    const QJsonObject m_closed = readJson(TEST_DATA "/closed_forms.json");
};

void TestApproximations::approximationsAreTheirClosedForms()
{
    const auto value = [](const char* id, const char* law, int d, double n, double lambda) {
        return (*findRow(approximations(), id, "approximation"))->entropy(density(law, d), n, lambda).value_or(NAN);
    };
    // ln 1024 = 6.931471805599453; the rest by hand at d = 64, lambda = 1/2, t = 1/4: sqrt(4t + 1) = sqrt 2
    const double logN = 6.931471805599453;
    QVERIFY(near(value("mean-field", "gaussian", 64, 1024, 0.5), logN - 8, 1e-14));
    QVERIFY(near(value("laplace-short", "sphere", 64, 1024, 0.5), logN + 32 * std::log(0.8284271247461903), 1e-13));
    QVERIFY(near(value("laplace", "sphere", 64, 1024, 0.5),
                 logN + 32 * std::log(0.8284271247461903) - 0.5 * 0.34657359027997264, 1e-13));
    QVERIFY(near(value("taylor", "sphere", 64, 1024, 0.5), logN + 32 * std::log(0.75), 1e-13));
    QVERIFY(near(value("su024", "sphere", 64, 1024, 0.125), logN - 1.92, 1e-14));
    QVERIFY(near(value("laplace-short", "sphere", 64, 1024, 1), logN + 64 * -0.24060591252980173,
                 1e-13));  // (1/2) ln((sqrt 5 - 1)/2)
    QCOMPARE(value("taylor", "sphere", 64, 1024, 1.0), -std::numeric_limits<double>::infinity());
    QVERIFY(std::isnan(value("laplace", "uniform", 64, 1024, 0.5)));
    QVERIFY(std::isnan(value("mean-field", "needle", 64, 1024, 0.5)));
    // where it holds it is close: the row is far from freezing
    QVERIFY(std::abs(value("mean-field", "sphere", 64, 1e9, 0.125) -
                     expected("shannon", density("sphere"), 1e9, 0.125)) < 1e-6);
    QVERIFY(near(freezingSpread(std::exp(8)), 4, 1e-14));
    QVERIFY(near(freezingScale(density("sphere", 64), std::exp(8)), 0.5, 1e-14));
}

void TestApproximations::spheresMeanField()
{
    for (const QJsonValue& v : m_closed["sphere_mean_field"].toArray()) {
        const double value = *approximations().front().entropy(density("sphere", v["d"].toInt()), v["n"].toDouble(),
                                                               v["lambda"].toDouble());
        QVERIFY(near(value, v["entropy"].toDouble(), 1e-9));
    }
}

/// Su and InfoScale derive all but the mean field for vectors of one length. Of n = 2^20 at lambda = 1/8 Laplace is
/// 0.015 from that law, and 0.004 from Gaussian vectors by chance; the short form 0.0003 and 0.011.
void TestApproximations::formsOfTheSphereAreHeldAgainstIt()
{
    constexpr double n = 1 << 20, lambda = 0.125;
    const double gaussian = expected("shannon", density("gaussian"), n, lambda),
                 sphere = expected("shannon", sphereLike(density("gaussian")), n, lambda);
    QVERIFY(std::abs(gaussian - 13.36295) < 2e-5 && std::abs(sphere - 13.37395) < 2e-5);
    QVERIFY(near(sphere, expected("shannon", density("sphere"), n, lambda), 1e-12));
    const auto off = [&](const char* id, double exact) {
        const Approximation* form = *findRow(approximations(), id, "approximation");
        return std::abs(form->entropy(density("gaussian"), n, lambda).value_or(NAN) - exact);
    };
    QVERIFY(std::abs(off("laplace", sphere) - 0.0148) < 1e-4 && std::abs(off("laplace", gaussian) - 0.0038) < 1e-4);
    QVERIFY(off("laplace-short", sphere) < 4e-4 && off("laplace-short", gaussian) > 0.011);
    for (const Approximation& form : approximations())
        QCOMPARE(form.ofSphere, form.id != "mean-field");
    // as many times as long: the logits of a sphere whose radius is twice that
    LogitDensity wide = density("normal");
    wide.meanSquareR = 4;
    QVERIFY(near(expected("shannon", sphereLike(wide), n, lambda),
                 expected("shannon", density("sphere"), n, 2 * lambda), 1e-9));
}

void TestApproximations::shortFacts()
{
    QVERIFY(near(dispersionBounds(100, 2).lower, 0.001353352832366127, 1e-14));
    QVERIFY(near(dispersionBounds(100, 2).upper, 0.0738905609893065, 1e-14));
    QCOMPARE(dispersionBounds(2, 5).upper, 1.0);
    QCOMPARE(largestGap(3, 2, 5, 7, 0.125), 52.5);
    QVERIFY(near(cosinePeak(128, 64), (-61 + std::sqrt(61.0 * 61 + 4 * 128.0 * 128)) / 256, 1e-14));
    QCOMPARE(cosinePeak(5, 3), 1.0);
    QCOMPARE(cosinePeak(5, 2), 1.0);
    QCOMPARE(cosinePeak(0, 64), 0.0);
    QVERIFY(near(headSizeWanted(1024, 32, 64), 128, 1e-14));
    QVERIFY(near(embeddingSizeWanted(100000), 92.10340371976183, 1e-14));
}

QTEST_APPLESS_MAIN(TestApproximations)
#include "test_approximations.moc"
