// Expected rows against reference numbers, direct integrals over small n (closed_forms.py), and their own laws.

#include "theory_support.h"

#include "core/theory/approximations.h"
#include "core/theory/bounds.h"
#include "core/theory/row_mean.h"

using namespace attnscope;

class TestTheory : public QObject {
    Q_OBJECT
private slots:
    void reference_data();
    void reference();
    void twoNormalKeys_data();
    void twoNormalKeys();
    void twoGaussianKeys_data();
    void twoGaussianKeys();
    void everyRowOfAVocabulary_data();
    void everyRowOfAVocabulary();
    void twoKeysOfOtherLaws_data();
    void twoKeysOfOtherLaws();
    void doublingEveryRuleChangesNothing_data();
    void doublingEveryRuleChangesNothing();
    void limits_data();
    void limits();
    void entropyFallsAndFreeEnergyIsConvex_data();
    void entropyFallsAndFreeEnergyIsConvex();
    void negativeScaleMirrors();
    void batchesAgreeWithSingles();
    void manyPairsAgreeWithSingles_data();
    void manyPairsAgreeWithSingles();
    void manyPairsStopWhenAsked();
    void everyMeasureIsExplained();
    void approximationsAreTheirClosedForms();
    void spheresMeanField();
    void shortFacts();
    void meanOverRowsIsTheSum_data();
    void meanOverRowsIsTheSum();
    void badInputIsExplained_data();
    void badInputIsExplained();

private:
    const QJsonObject m_closed = readJson(TEST_DATA "/closed_forms.json");
};

void TestTheory::reference_data()
{
    QTest::addColumn<QJsonObject>("row");
    for (const QJsonValue& value : readJson(SHARED "/reference/expected_entropy.json")["expected"].toArray()) {
        const QJsonObject row = value.toObject();
        QTest::addRow("%s n=%g lambda=%g d=%d", qPrintable(row["source"].toString()), row["n"].toDouble(), row["lam"].toDouble(), row["d"].toInt()) << row;
    }
    if (!QFile::exists(SHARED "/reference/expected_entropy.json"))
        QTest::addRow("absent") << QJsonObject{};
}

void TestTheory::reference()
{
    QFETCH(QJsonObject, row);
    if (row.isEmpty())
        QSKIP("shared/reference/expected_entropy.json does not lie beside the checkout");
    const LogitDensity from = density(row["source"].toString(), row["d"].toInt());
    const double n = row["n"].toDouble(), lambda = row["lam"].toDouble();
    QVERIFY(near(expected("free_energy", from, n, lambda), row["log_z"].toDouble(), 1e-7));
    QVERIFY(near(expected("shannon", from, n, lambda), row["entropy"].toDouble(), 1e-7));
    QVERIFY(near(expected("collision", from, n, lambda), row["sum_p2"].toDouble(), 1e-7));
    QVERIFY(near(expected("renyi:a=2", from, n, lambda), row["renyi2"].toDouble(), 1e-7));
}

void TestTheory::twoNormalKeys_data()
{
    QTest::addColumn<QJsonObject>("row");
    for (const QJsonValue& value : m_closed["pairs"].toArray())
        QTest::addRow("s=%g", value["s"].toDouble()) << value.toObject();
}

void TestTheory::twoNormalKeys()
{
    QFETCH(QJsonObject, row);
    const LogitDensity from = density("normal", 1);
    const double s = row["s"].toDouble();
    QVERIFY(near(expected("free_energy", from, 2, s), row["free_energy"].toDouble(), 1e-11));
    QVERIFY(near(expected("shannon", from, 2, s), row["entropy"].toDouble(), 1e-10));
    QVERIFY(near(expected("collision", from, 2, s), row["collision"].toDouble(), 1e-11));
    QVERIFY(near(expected("renyi:a=0.5", from, 2, s), row["renyi_half"].toDouble(), 1e-11));
    QVERIFY(near(expected("tsallis:q=0.5", from, 2, s), (row["sum_roots"].toDouble() - 1) / 0.5, 1e-10));
    QVERIFY(std::abs(expected("tsallis:q=3", from, 2, s) - (1 - row["sum_cubes"].toDouble()) / 2) < 3e-11);
    QVERIFY(std::abs(expected("mean_logit", from, 2, s) - (row["free_energy"].toDouble() - row["entropy"].toDouble())) < 1e-11);
}

void TestTheory::twoGaussianKeys_data()
{
    QTest::addColumn<QJsonObject>("row");
    for (const QJsonValue& value : m_closed["gaussian_pairs"].toArray())
        QTest::addRow("d=%d m=%g", value["d"].toInt(), value["m"].toDouble()) << value.toObject();
}

void TestTheory::twoGaussianKeys()
{
    QFETCH(QJsonObject, row);
    const int d = row["d"].toInt();
    QVERIFY(near(expected("shannon", density("gaussian", d), 2, row["m"].toDouble() / std::sqrt(d)), row["entropy"].toDouble(), 1e-8));
}

void TestTheory::everyRowOfAVocabulary_data()
{
    QTest::addColumn<QJsonObject>("row");
    for (const char* list : {"vocabularies", "needles"})
        for (const QJsonValue& value : m_closed[list].toArray())
            QTest::addRow("%s n=%d scale=%g gap=%g", list, value["n"].toInt(), value["scale"].toDouble(), value["gap"].toDouble()) << value.toObject();
}

void TestTheory::everyRowOfAVocabulary()
{
    QFETCH(QJsonObject, row);
    LogitDensity from = density("finite:-1, 0.5*2, 2*0.5", 1);
    if (row.contains("gap"))
        from = from.withNeedle(row["gap"].toDouble());
    const double n = row["n"].toDouble(), scale = row["scale"].toDouble();
    QVERIFY(std::abs(expected("shannon", from, n, scale) - row["entropy"].toDouble()) < 1e-12);
    QVERIFY(near(expected("collision", from, n, scale), row["collision"].toDouble(), 1e-11));
    QVERIFY(std::abs(expected("free_energy", from, n, scale) - row["free_energy"].toDouble()) < 1e-12);
    QVERIFY(near(expected("needle", from, n, scale), row["needle"].toDouble(), 1e-11));
}

void TestTheory::twoKeysOfOtherLaws_data()
{
    QTest::addColumn<QString>("law");
    QTest::addColumn<int>("d");
    QTest::addColumn<double>("lambda");
    QTest::addColumn<double>("entropy");
    for (const QJsonValue& v : m_closed["uniform_pairs"].toArray()) {
        const QString law = QString("uniform:lo=%1,hi=%2").arg(v["lo"].toDouble()).arg(v["hi"].toDouble());
        QTest::addRow("%s", qPrintable(law)) << law << 1 << v["scale"].toDouble() << v["entropy"].toDouble();
    }
    for (const QJsonValue& v : m_closed["sphere_pairs"].toArray()) {
        const int d = v["d"].toInt();
        QTest::addRow("sphere d=%d s=%g", d, v["s"].toDouble()) << "sphere" << d << v["s"].toDouble() / d << v["entropy"].toDouble();
    }
}

void TestTheory::twoKeysOfOtherLaws()
{
    QFETCH(QString, law);
    QFETCH(int, d);
    QFETCH(double, lambda);
    QFETCH(double, entropy);
    QVERIFY(near(expected("shannon", density(law, d), 2, lambda), entropy, 2e-6));  // the midpoint rule's own error
}

void TestTheory::doublingEveryRuleChangesNothing_data()
{
    QTest::addColumn<QString>("law");
    QTest::addColumn<int>("d");
    for (const std::string law : {"normal", "uniform", "finite", "power_series", "needle"})
        QTest::addRow("%s", law.c_str()) << QString::fromStdString(law) << 64;
    for (const std::string law : {"gaussian", "sphere"})
        for (const int d : {1, 3, 16, 64, 128})
            QTest::addRow("%s d=%d", law.c_str(), d) << QString::fromStdString(law) << d;
}

void TestTheory::doublingEveryRuleChangesNothing()
{
    QFETCH(QString, law);
    QFETCH(int, d);
    const LogitDensity from = density(law, d);
    for (const double multiplier : {0.0, 1e-6, 0.3, 0.49, 0.51, 1.0, 4.0, d < 16 ? 7.0 : 50.0})
        for (const double n : {1.0, 2.0, 1e4, 1e12}) {
            const double lambda = multiplier / std::sqrt(d);
            const ExpectedRow usual(from, lambda, n, n), fine(from, lambda, n, n, {2});
            QVERIFY2(std::abs(usual.entropy(n) - fine.entropy(n)) < 1e-8, qPrintable(QString("s=%1 n=%2").arg(multiplier).arg(n)));
            QVERIFY2(std::abs(usual.freeEnergy(n) - fine.freeEnergy(n)) < 1e-8, qPrintable(QString("s=%1 n=%2").arg(multiplier).arg(n)));
        }
}

void TestTheory::limits_data()
{
    QTest::addColumn<QString>("law");
    for (const std::string law : {"gaussian", "normal", "sphere", "uniform", "finite", "power_series:amplitude=1"})
        QTest::addRow("%s", law.c_str()) << QString::fromStdString(law);
}

void TestTheory::limits()
{
    QFETCH(QString, law);
    const LogitDensity from = density(law, 16);
    for (const double n : {1.0, 2.0, 1e3, 1e12}) {
        QVERIFY(std::abs(expected("shannon", from, n, 0) - std::log(n)) < 1e-11);
        const double s = 1e-3, wanted = std::log(n) - (1 - 1 / n) * from.variance() * s * s / 2;  // to second order in s
        QVERIFY(std::abs(expected("shannon", from, n, s / 4) - wanted) < 3e-9);
        QVERIFY(std::abs(expected("renyi:a=1", from, n, 0.1) - expected("shannon", from, n, 0.1)) < 1e-12);
        QVERIFY(std::abs(expected("renyi:a=0", from, n, 0.1) - std::log(n)) < 1e-11);
    }
    for (const double lambda : {0.0, 0.25, 3.0}) {
        QVERIFY(std::abs(expected("shannon", from, 1, lambda)) < 1e-12);
        QVERIFY(std::abs(expected("collision", from, 1, lambda) - 1) < 1e-11);
    }
}

void TestTheory::entropyFallsAndFreeEnergyIsConvex_data() { limits_data(); }

/// From s = 1e-3, below which ln n - H is not far above rounding, to 50; of a finite law to 5, where it is frozen.
void TestTheory::entropyFallsAndFreeEnergyIsConvex()
{
    QFETCH(QString, law);
    const LogitDensity from = density(law, 16);
    const double last = law.startsWith("finite") || law.startsWith("power_series") ? 5 : 50;
    constexpr int steps = 60;
    for (const double n : {2.0, 100.0, 1e9, 1e12}) {
        double entropyBefore = std::log(n), slopeBefore = -1e300, energyBefore = expected("free_energy", from, n, 0), scaleBefore = 0;
        for (int k = 0; k <= steps; ++k) {
            const double s = 1e-3 * std::pow(last / 1e-3, double(k) / steps), lambda = s / 4;
            const double entropy = expected("shannon", from, n, lambda), energy = expected("free_energy", from, n, lambda);
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

void TestTheory::negativeScaleMirrors()
{
    const double sharp = expected("shannon", density("gaussian", 16), 100, 0.5);
    QVERIFY(near(expected("shannon", density("gaussian", 16), 100, -0.5), sharp, 1e-14));
    QVERIFY(near(expected("shannon", density("uniform:lo=-1,hi=3", 1), 50, -2), expected("shannon", density("uniform:lo=-3,hi=1", 1), 50, 2), 1e-12));
}

void TestTheory::batchesAgreeWithSingles()
{
    const std::vector<double> n{1, 2, 17, 400, 1e4, 1e7, 1e12};
    const std::vector<double> lambda(n.size(), 0.3);
    for (const ExpectedMeasure& measure : expectedMeasures()) {
        const Choice choice{measure.id, {}, {}};
        const auto shared = expectedCurve(choice, density("needle", 16), n, 0.3);
        const auto single = expectedCurve(choice, density("needle", 16), n, lambda);
        QVERIFY(shared && single);
        for (size_t k = 0; k < n.size(); ++k)
            QVERIFY2(std::abs((*shared)[k] - (*single)[k]) < 1e-10, measure.id.c_str());
    }
}

void TestTheory::manyPairsAgreeWithSingles_data()
{
    QTest::addColumn<QString>("law");
    QTest::addColumn<int>("d");
    for (const std::string law : {"normal", "uniform:lo=-1,hi=5", "finite:-3,0*5,2.5", "power_series:amplitude=-20", "needle"})
        QTest::addRow("%s", law.c_str()) << QString::fromStdString(law) << 16;
    for (const std::string law : {"gaussian", "sphere"})
        for (const int d : {1, 16, 64})
            QTest::addRow("%s d=%d", law.c_str(), d) << QString::fromStdString(law) << d;
}

/// Three hundred scales from 1e-6 to 50, at lengths of every size: far more pairs than tables, so panels serve most of them.
void TestTheory::manyPairsAgreeWithSingles()
{
    QFETCH(QString, law);
    QFETCH(int, d);
    const LogitDensity from = density(law, d);
    const int count = law == "needle" || d == 1 ? 40 : 300;  // a needle's pairs are made one by one anyhow
    const std::vector<double> lengths{1, 2, 3, 20, 500, 1e5, 3e9, 1e12};
    std::vector<double> n, lambda;
    for (int k = 0; k < count; ++k)
        for (const double length : lengths) {
            n.push_back(length);
            lambda.push_back((k == 0 ? 1e-6 : 50.0 * k * k / (count * count)) / std::sqrt(d));
        }
    const auto together = expectedCurve({"shannon", {}, {}}, from, n, lambda);
    QVERIFY(together.has_value());
    for (size_t k = 0; k < n.size(); k += 37) {
        const double alone = expectedEntropy(from, n[k], lambda[k]);
        QVERIFY2(std::abs((*together)[k] - alone) <= 1e-9 * std::max(alone, 1e-3),
                 qPrintable(QString("n=%1 m=%2: %3 for %4").arg(n[k]).arg(lambda[k] * std::sqrt(d)).arg((*together)[k], 0, 'g', 15).arg(alone, 0, 'g', 15)));
    }
    const auto ratio = expectedCurve({"normalised_entropy", {}, {}}, from, n, lambda);
    const auto lost = expectedCurve({"kl_uniform", {}, {}}, from, n, lambda);
    for (size_t k = 0; k < n.size(); ++k) {
        QVERIFY(std::abs((*ratio)[k] * std::log(n[k]) - (*together)[k]) < 1e-12);
        QVERIFY(std::abs((*lost)[k] + (*together)[k] - std::log(n[k])) < 1e-12);
    }
}

void TestTheory::manyPairsStopWhenAsked()
{
    std::stop_source source;
    source.request_stop();
    const std::vector<double> n{10, 20}, lambda{0.1, 0.2};
    for (const char* measure : {"shannon", "collision"})
        QCOMPARE(expectedCurve({measure, {}, {}}, density("gaussian"), n, lambda, source.get_token()).error().kind, ErrorKind::Cancelled);
}

void TestTheory::everyMeasureIsExplained()
{
    for (const ExpectedMeasure& measure : expectedMeasures())
        QVERIFY2(!measure.label.empty() && !measure.formula.empty() && !measure.source.empty() && !measure.about.empty(), measure.id.c_str());
    for (const Approximation& form : approximations())
        QVERIFY2(!form.source.empty() && !form.range.empty() && !form.formula.empty(), form.id.c_str());
    for (const LogitDensityRow& row : logitDensities())
        QVERIFY2(!row.formula.empty() && !row.about.empty(), row.id.c_str());
}

void TestTheory::approximationsAreTheirClosedForms()
{
    const auto value = [](const char* id, const char* law, int d, double n, double lambda) {
        return (*findRow(approximations(), id, "approximation"))->entropy(density(law, d), n, lambda).value_or(NAN);
    };
    // ln 1024 = 6.931471805599453; the rest by hand at d = 64, lambda = 1/2, t = 1/4: sqrt(4t + 1) = sqrt 2
    const double logN = 6.931471805599453;
    QVERIFY(near(value("mean-field", "gaussian", 64, 1024, 0.5), logN - 8, 1e-14));
    QVERIFY(near(value("laplace-short", "sphere", 64, 1024, 0.5), logN + 32 * std::log(0.8284271247461903), 1e-13));
    QVERIFY(near(value("laplace", "sphere", 64, 1024, 0.5), logN + 32 * std::log(0.8284271247461903) - 0.5 * 0.34657359027997264, 1e-13));
    QVERIFY(near(value("taylor", "sphere", 64, 1024, 0.5), logN + 32 * std::log(0.75), 1e-13));
    QVERIFY(near(value("su024", "sphere", 64, 1024, 0.125), logN - 1.92, 1e-14));
    QVERIFY(near(value("laplace-short", "sphere", 64, 1024, 1), logN + 64 * -0.24060591252980173, 1e-13));  // (1/2) ln((sqrt 5 - 1)/2)
    QCOMPARE(value("taylor", "sphere", 64, 1024, 1.0), -std::numeric_limits<double>::infinity());
    QVERIFY(std::isnan(value("laplace", "uniform", 64, 1024, 0.5)));
    QVERIFY(std::isnan(value("mean-field", "needle", 64, 1024, 0.5)));
    // where it holds it is close: the row is far from freezing
    QVERIFY(std::abs(value("mean-field", "sphere", 64, 1e9, 0.125) - expected("shannon", density("sphere"), 1e9, 0.125)) < 1e-6);
    QVERIFY(near(freezingSpread(std::exp(8)), 4, 1e-14));
    QVERIFY(near(freezingScale(density("sphere", 64), std::exp(8)), 0.5, 1e-14));
}

void TestTheory::spheresMeanField()
{
    for (const QJsonValue& v : m_closed["sphere_mean_field"].toArray()) {
        const double value = *approximations().front().entropy(density("sphere", v["d"].toInt()), v["n"].toDouble(), v["lambda"].toDouble());
        QVERIFY(near(value, v["entropy"].toDouble(), 1e-9));
    }
}

void TestTheory::shortFacts()
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

void TestTheory::meanOverRowsIsTheSum_data()
{
    QTest::addColumn<int>("n");
    for (const int n : {1, 2, 32, 33, 34, 100, 3000})
        QTest::addRow("n=%d", n) << n;
}

void TestTheory::meanOverRowsIsTheSum()
{
    QFETCH(int, n);
    const LogitDensity from = density("gaussian", 64);
    const ExpectedRow row(from, 0.125, 1, n);
    const auto growing = [](double i) -> Result<double> { return 0.02 * std::log(i + 1); };
    double fixed = 0, own = 0, logarithms = 0;
    for (int i = 1; i <= n; ++i) {
        fixed += row.entropy(i) / n;
        own += i <= 100 ? expectedEntropy(from, i, *growing(i)) / n : 0;
        logarithms += std::log(i) / n;
    }
    QVERIFY(std::abs(meanCausalEntropy(from, n, 0.125)->value - fixed) < 1e-7);
    QVERIFY(meanCausalEntropy(from, n, 0.125)->error < 1e-6);
    if (n <= 100)
        QVERIFY(std::abs(meanCausalEntropy(from, n, growing)->value - own) < 1e-7);
    const auto mean = meanOverCausalRows(n, [](double i) -> Result<double> { return std::log(i); });
    QVERIFY(std::abs(mean->value - logarithms) < 1e-7);
}

void TestTheory::badInputIsExplained_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::addRow("unknown") << "cauchy" << "unknown logit density 'cauchy'; known: gaussian, normal, sphere";
    QTest::addRow("order") << "uniform:lo=2,hi=-2" << "uniform: lo must be less than hi, not 2 and -2";
    QTest::addRow("list") << "finite:1,,2" << "finite, column 3: expected a logit";
    QTest::addRow("weight") << "finite:1*0" << "a weight above 0";
    QTest::addRow("not a number") << "finite:1,nan" << "column 3";
}

void TestTheory::badInputIsExplained()
{
    QFETCH(QString, text);
    QFETCH(QString, says);
    const auto made = logitDensity(std::string_view(text.toStdString()), 64);
    QVERIFY(!made);
    QVERIFY2(made.error().message.find(says.toStdString()) != std::string::npos, made.error().message.c_str());

    const std::vector<double> zero{0.5};
    QVERIFY(!expectedCurve({"shannon", {}, {}}, density("normal"), zero, 1.0));
    QVERIFY(!expectedCurve({"shannon", {}, {}}, density("normal"), std::vector<double>{2}, NAN));
    QVERIFY(!expectedCurve({"sink_mass", {}, {}}, density("normal"), std::vector<double>{2}, 1.0));
    QVERIFY(!logitDensity("gaussian", 0));
}

QTEST_APPLESS_MAIN(TestTheory)
#include "test_theory.moc"
