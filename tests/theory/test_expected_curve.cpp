// Many lengths and scales at once, and means over the rows of a causal mask, against one row at a time.

#include "theory_support.h"

#include "core/theory/approximations.h"

using namespace attnscope;

namespace {

/// Scales from 1e-6 to 50, each at lengths of every size.
struct Pairs {
    std::vector<double> n, lambda;
    Pairs(int scales, int d)
    {
        for (int k = 0; k < scales; ++k)
            for (const double length : {1.0, 2.0, 3.0, 20.0, 500.0, 1e5, 3e9, 1e12}) {
                n.push_back(length);
                lambda.push_back((k == 0 ? 1e-6 : 50.0 * k * k / (scales * scales)) / std::sqrt(d));
            }
    }
};

}  // namespace

class TestExpectedCurve : public QObject {
    Q_OBJECT
private slots:
    void batchesAgreeWithSingles();
    void manyPairsAgreeWithSingles_data();
    void manyPairsAgreeWithSingles();
    void measuresOfEntropyAreItsFunctions_data();
    void measuresOfEntropyAreItsFunctions();
    void manyPairsStopWhenAsked();
    void everyMeasureIsExplained();
};

void TestExpectedCurve::batchesAgreeWithSingles()
{
    const std::vector<double> n{1, 2, 17, 400, 1e4, 1e7, 1e12};
    const std::vector<double> lambda(n.size(), 0.3);
    for (const ExpectedMeasure& measure : expectedMeasures()) {
        const Choice choice{measure.id, {}, {}};
        const auto shared = expectedCurve(choice, density("needle", 16), n, 0.3);
        const auto single = expectedCurve(choice, density("needle", 16), n, lambda);
        QVERIFY(shared && single);
        for (size_t k = 0; k < n.size(); ++k)
            QVERIFY2(std::abs((*shared)[k] - (*single)[k]) < 1e-10 ||
                         (n[k] == 1 && std::isnan((*shared)[k]) && std::isnan((*single)[k])),
                     measure.id.c_str());
    }
}

void TestExpectedCurve::manyPairsAgreeWithSingles_data()
{
    QTest::addColumn<QString>("law");
    QTest::addColumn<int>("d");
    for (const std::string law :
         {"normal", "uniform:lo=-1,hi=5", "finite:-3,0*5,2.5", "power_series:amplitude=-20", "needle"})
        QTest::addRow("%s", law.c_str()) << QString::fromStdString(law) << 16;
    for (const std::string law : {"gaussian", "sphere"})
        for (const int d : {1, 16, 64})
            QTest::addRow("%s d=%d", law.c_str(), d) << QString::fromStdString(law) << d;
}

/// Three hundred scales: far more pairs than tables, so panels serve most of them.
void TestExpectedCurve::manyPairsAgreeWithSingles()
{
    QFETCH(QString, law);
    QFETCH(int, d);
    const LogitDensity from = density(law, d);
    const bool oneByOne = law == "needle";  // no panels: few pairs are as good as many
    const auto [n, lambda] = Pairs(oneByOne ? 12 : d == 1 ? 40 : 300, d);
    const auto together = expectedCurve({"shannon", {}, {}}, from, n, lambda);
    QVERIFY(together.has_value());
    for (size_t k = 0; k < n.size(); k += oneByOne ? 7 : 37) {
        const double alone = expectedEntropy(from, n[k], lambda[k]);
        QVERIFY2(std::abs((*together)[k] - alone) <= 1e-9 * std::max(alone, 1e-3),
                 qPrintable(QString("n=%1 m=%2: %3 for %4")
                                .arg(n[k])
                                .arg(lambda[k] * std::sqrt(d))
                                .arg((*together)[k], 0, 'g', 15)
                                .arg(alone, 0, 'g', 15)));
    }
}

void TestExpectedCurve::measuresOfEntropyAreItsFunctions_data()
{
    QTest::addColumn<QString>("law");
    QTest::addColumn<int>("scales");
    QTest::addRow("panels") << "gaussian" << 300;
    QTest::addRow("finite") << "finite:-3,0*5,2.5" << 300;
    QTest::addRow("one by one") << "needle" << 6;
}

void TestExpectedCurve::measuresOfEntropyAreItsFunctions()
{
    QFETCH(QString, law);
    QFETCH(int, scales);
    const LogitDensity from = density(law, 16);
    const auto [n, lambda] = Pairs(scales, 16);
    const auto entropy = expectedCurve({"shannon", {}, {}}, from, n, lambda);
    const auto ratio = expectedCurve({"normalised_entropy", {}, {}}, from, n, lambda);
    const auto ofOneKey = expectedCurve({"normalised_entropy", {}, {}}, from, std::vector<double>{1, 2}, 0.5);
    QVERIFY(ofOneKey && std::isnan(ofOneKey->front()) && std::isfinite(ofOneKey->back()));
    const auto lost = expectedCurve({"kl_uniform", {}, {}}, from, n, lambda);
    QVERIFY(entropy && ratio && lost);
    for (size_t k = 0; k < n.size(); ++k) {
        QVERIFY(n[k] == 1 ? std::isnan((*ratio)[k]) : std::abs((*ratio)[k] * std::log(n[k]) - (*entropy)[k]) < 1e-12);
        QVERIFY(std::abs((*lost)[k] + (*entropy)[k] - std::log(n[k])) < 1e-12);
    }
}

void TestExpectedCurve::manyPairsStopWhenAsked()
{
    std::stop_source source;
    source.request_stop();
    const std::vector<double> n{10, 20}, lambda{0.1, 0.2};
    for (const char* measure : {"shannon", "collision"})
        QCOMPARE(expectedCurve({measure, {}, {}}, density("gaussian"), n, lambda, source.get_token()).error().kind,
                 ErrorKind::Cancelled);
}

void TestExpectedCurve::everyMeasureIsExplained()
{
    for (const ExpectedMeasure& measure : expectedMeasures())
        QVERIFY2(!measure.label.empty() && !measure.formula.empty() && !measure.source.empty() &&
                     !measure.about.empty(),
                 measure.id.c_str());
    for (const Approximation& form : approximations())
        QVERIFY2(!form.source.empty() && !form.range.empty() && !form.formula.empty(), form.id.c_str());
    for (const LogitDensityRow& row : logitDensities())
        QVERIFY2(!row.formula.empty() && !row.about.empty(), row.id.c_str());
}

QTEST_APPLESS_MAIN(TestExpectedCurve)
#include "test_expected_curve.moc"
