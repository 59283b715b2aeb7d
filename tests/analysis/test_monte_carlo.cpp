// Monte Carlo against exact numbers within its own standard errors, and its promises about streams and threads.

#include "core/analysis/monte_carlo.h"
#include "core/theory/expected_row.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <cmath>

using namespace attnscope;

namespace {

LogitDensity density(const QString& text, int d)
{
    const auto made = logitDensity(std::string_view(text.toStdString()), d);
    if (!made)
        qFatal("%s", made.error().message.c_str());
    return *made;
}

MonteCarloRequest request(const QString& source, int d, std::vector<std::int64_t> n, double lambda, int rows)
{
    MonteCarloRequest made{.density = density(source, d), .n = std::move(n), .lambda = {}, .rows = rows};
    made.lambda = {std::vector<double>(made.n.size(), lambda)};
    return made;
}

SampleMean first(const MonteCarloRequest& made)
{
    const auto means = monteCarlo(made, {});
    if (!means)
        qFatal("%s", means.error().message.c_str());
    return means->front().front();
}

/// Within 4 standard errors: a correct sampler fails once in 16 000, and the seed is fixed.
bool agrees(const SampleMean& sampled, double exact)
{
    const bool close = std::abs(sampled.mean - exact) <= 4 * sampled.standardError.value_or(0);
    if (!close)
        qWarning("%.6f +- %.6f, exactly %.6f", sampled.mean, sampled.standardError.value_or(0), exact);
    return close;
}

}  // namespace

class TestMonteCarlo : public QObject {
    Q_OBJECT
private slots:
    void reference_data();
    void reference();
    void everyLaw_data();
    void everyLaw();
    void needleKeepsItsShare();
    void sameNumbersOnAnyThreads();
    void longerRowsBeginWithShorterOnes();
    void methodsShareTheirRows();
    void otherNormalisersAndMeasures();
    void errors();
};

void TestMonteCarlo::reference_data()
{
    QTest::addColumn<QJsonObject>("row");
    QFile file(TEST_DATA "/../theory/expected_entropy.json");
    QVERIFY(file.open(QIODevice::ReadOnly));
    for (const QJsonValue& value : QJsonDocument::fromJson(file.readAll())["expected"].toArray()) {
        const QJsonObject row = value.toObject();
        if (row["n"].toDouble() <= 4096)
            QTest::addRow("%s n=%d lambda=%g d=%d", qPrintable(row["source"].toString()), row["n"].toInt(),
                          row["lam"].toDouble(), row["d"].toInt())
                << row;
    }
}

void TestMonteCarlo::reference()
{
    QFETCH(QJsonObject, row);
    const int rows = row["n"].toInt() <= 100 ? 4000 : 400;
    MonteCarloRequest made =
        request(row["source"].toString(), row["d"].toInt(), {row["n"].toInt()}, row["lam"].toDouble(), rows);
    QVERIFY(agrees(first(made), row["entropy"].toDouble()));
    made.measure = {"collision", {}, {}};
    QVERIFY(agrees(first(made), row["sum_p2"].toDouble()));
    made.measure = {"renyi", {}, {}};
    QVERIFY(agrees(first(made), row["renyi2"].toDouble()));
}

void TestMonteCarlo::everyLaw_data()
{
    QTest::addColumn<QString>("law");
    QTest::addColumn<int>("d");
    for (const char* law : {"normal:norm=2", "uniform:lo=-1,hi=4", "finite:0,2*0.5,5*0.1",
                            "power_series:ratio=0.7,amplitude=5", "needle:gap=3"})
        QTest::addRow("%s", law) << QString(law) << 8;
    for (const int d : {1, 2, 3, 4, 9})
        QTest::addRow("sphere d=%d", d) << QString("sphere") << d;
    for (const int d : {1, 2, 5})
        QTest::addRow("gaussian d=%d", d) << QString("gaussian") << d;
}

void TestMonteCarlo::everyLaw()
{
    QFETCH(QString, law);
    QFETCH(int, d);
    const MonteCarloRequest made = request(law, d, {20}, 0.8, 8000);
    QVERIFY(agrees(first(made), expectedEntropy(made.density, 20, 0.8)));
}

void TestMonteCarlo::needleKeepsItsShare()
{
    MonteCarloRequest made = request("needle:gap=4", 16, {2, 64, 500}, 0.25, 3000);
    made.measure = {"needle", {}, {}};
    const auto sampled = monteCarlo(made, {});
    const auto exact = expectedCurve({"needle", {}, {}}, made.density, std::vector<double>{2, 64, 500}, 0.25);
    QVERIFY(sampled && exact);
    for (size_t k = 0; k < 3; ++k)
        QVERIFY(agrees(sampled->front()[k], (*exact)[k]));
}

void TestMonteCarlo::sameNumbersOnAnyThreads()
{
    MonteCarloRequest made = request("gaussian", 16, {50, 333}, 0.3, 300);
    const auto many = monteCarlo(made, {});
    made.parallel = false;
    const auto one = monteCarlo(made, {});
    for (size_t k = 0; k < 2; ++k) {
        QCOMPARE(many->front()[k].mean, one->front()[k].mean);
        QCOMPARE(many->front()[k].standardError, one->front()[k].standardError);
    }
    made.seed = 2;
    QVERIFY(monteCarlo(made, {})->front()[0].mean != one->front()[0].mean);
}

void TestMonteCarlo::longerRowsBeginWithShorterOnes()
{
    for (const char* law : {"gaussian", "sphere", "uniform", "finite"}) {
        const double alone = first(request(law, 16, {50}, 0.3, 100)).mean;
        QCOMPARE(first(request(law, 16, {50, 999}, 0.3, 100)).mean, alone);
    }
}

void TestMonteCarlo::methodsShareTheirRows()
{
    MonteCarloRequest made = request("gaussian", 16, {200}, 0.25, 200);
    made.lambda = {{0.25}, {0.25}, {0.26}};
    const auto means = monteCarlo(made, {});
    QCOMPARE((*means)[0][0].mean, (*means)[1][0].mean);
    // 0.01 in lambda changes the entropy by less than a standard error, and yet its sign is certain: every row falls
    QVERIFY((*means)[2][0].mean < (*means)[0][0].mean);
}

void TestMonteCarlo::otherNormalisersAndMeasures()
{
    MonteCarloRequest made = request("gaussian", 16, {100}, 0.25, 500);
    const double softmax = first(made).mean;
    const auto error = first(made).standardError;
    made.normaliser = {"sparsemax", {}, {}};
    QVERIFY(first(made).mean < softmax);
    made.normaliser = {"softmax", {}, {}};
    made.measure = {"effective_tokens", {}, {}};
    const SampleMean keys = first(made);  // e to the mean entropy
    QVERIFY(std::abs(keys.mean / std::exp(softmax) - 1) < 1e-12);
    QVERIFY(std::abs(*keys.standardError / keys.mean - *error) < 1e-12);
    made = request("gaussian", 16, {1}, 0.25, 50);
    made.measure = {"normalised_entropy", {}, {}};
    QCOMPARE(first(made).count, std::int64_t{0});  // a row of one key has none
}

void TestMonteCarlo::errors()
{
    MonteCarloRequest made = request("gaussian", 16, {100}, 0.25, 10);
    std::stop_source stopped;
    stopped.request_stop();
    QCOMPARE(monteCarlo(made, stopped.get_token()).error().kind, ErrorKind::Cancelled);
    made.n = {100000000000};
    QVERIFY(
        monteCarlo(made, {}).error().message.starts_with("Monte Carlo draws every key: n must be from 1 to 67108864"));
    made.n = {100, 200};
    QCOMPARE(monteCarlo(made, {}).error().kind, ErrorKind::InvalidArgument);
    made = request("gaussian", 16, {100}, 0.25, 0);
    QCOMPARE(monteCarlo(made, {}).error().message, std::string("rows must be at least 1, not 0"));
    made.rows = 10;
    made.measure = {"needle", {}, {}};
    QCOMPARE(monteCarlo(made, {}).error().kind, ErrorKind::InvalidArgument);
    made.measure = {"beauty", {}, {}};
    QCOMPARE(monteCarlo(made, {}).error().kind, ErrorKind::UnknownName);
}

QTEST_APPLESS_MAIN(TestMonteCarlo)
#include "test_monte_carlo.moc"
