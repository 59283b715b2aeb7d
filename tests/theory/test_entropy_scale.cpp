// The entropy-invariant scale: reference roots, its definition, where there is none, and its smooth form.

#include "theory_support.h"

#include "core/theory/entropy_scale.h"

using namespace attnscope;

class TestEntropyScale : public QObject {
    Q_OBJECT
private slots:
    void reference_data();
    void reference();
    void keepsEntropy_data();
    void keepsEntropy();
    void saysWhereThereIsNone();
    void otherMeasuresAreKept();
    void smoothForm_data();
    void smoothForm();
};

void TestEntropyScale::reference_data()
{
    QTest::addColumn<QJsonObject>("row");
    for (const QJsonValue& v : readJson(TEST_DATA "/expected_entropy.json")["solved"].toArray())
        QTest::addRow("%s n=%d d=%d", qPrintable(v["source"].toString()), v["n"].toInt(), v["d"].toInt())
            << v.toObject();
}

void TestEntropyScale::reference()
{
    QFETCH(QJsonObject, row);
    const LogitDensity from = density(row["source"].toString(), row["d"].toInt());
    const auto lambda = entropyInvariantScale(from, row["n"].toDouble(), row["n_train"].toDouble());
    QVERIFY(lambda.has_value());
    QVERIFY(std::abs(*lambda - row["lam"].toDouble()) < 6e-7);  // printed with six decimals
}

void TestEntropyScale::keepsEntropy_data()
{
    QTest::addColumn<QString>("law");
    QTest::addColumn<double>("tau");
    for (const std::string law : {"gaussian", "normal", "sphere", "uniform", "needle"})
        for (const double tau : {0.5, 1.0, 2.0})
            QTest::addRow("%s tau=%g", law.c_str(), tau) << QString::fromStdString(law) << tau;
}

void TestEntropyScale::keepsEntropy()
{
    QFETCH(QString, law);
    QFETCH(double, tau);
    const LogitDensity from = density(law, 16);
    const double target = expectedEntropy(from, 512, 1 / (tau * 4));
    for (const double n : {512.0, 700.0, 4096.0}) {
        const auto lambda = entropyInvariantScale(from, n, 512, tau);
        if (!lambda)
            QFAIL(lambda.error().message.c_str());
        QVERIFY(near(expectedEntropy(from, n, *lambda), target, 1e-9));
        if (n == 512)
            QVERIFY(near(*lambda, 1 / (tau * 4), 1e-8));
    }
}

void TestEntropyScale::saysWhereThereIsNone()
{
    const LogitDensity from = density("gaussian", 64);
    const auto none = entropyInvariantScale(from, 64, 512);
    QVERIFY(!none);
    QCOMPARE(none.error().kind, ErrorKind::Undefined);
    QVERIFY(none.error().message.starts_with("no scale reaches that entropy: 5.74208 nats are more than ln 64"));
    QCOMPARE(entropyInvariantScale(from, 0.5, 512).error().kind, ErrorKind::InvalidArgument);
    QCOMPARE(entropyInvariantScale(from, 64, 512, 0).error().kind, ErrorKind::InvalidArgument);
    // a row over two values keeps more than ln(its repeats) however large the scale
    QCOMPARE(scaleOfEntropy(density("finite:0,1", 1), 1e6, 0.5).error().kind, ErrorKind::Undefined);
    QCOMPARE(entropyInvariantScale(from, 100, 1).error().kind, ErrorKind::Undefined);  // N = 1 has no entropy to keep
    // and of one token nothing else is asked for
    for (const char* law : {"gaussian", "sphere", "uniform", "needle"})
        for (const double length : {1.0, 2.0, 512.0}) {
            const LogitDensity of = density(law, 16);
            QVERIFY2(*entropyInvariantScale(of, length, length, 0.5) == 0.5, law);
            QVERIFY2(*entropyInvariantScales(of, std::vector{length}, length, 0.5).front() == 0.5, law);
        }
    const auto some = entropyInvariantScales(from, std::vector<double>{64, 600}, 512);
    QVERIFY(!some[0] && some[1]);
}

/// Each has the value of N at the scale found, at N itself the usual one. Collision, 1 - collision and Tsallis of order
/// 2 are one quantity in three dresses, so one scale keeps all three; Shannon's is the scale of the entropy.
void TestEntropyScale::otherMeasuresAreKept()
{
    const LogitDensity from = density("gaussian", 16);
    const double n[] = {100, 400, 1600};
    const auto of = [&](const char* text) {
        return *scalesKeeping(*parseChoice(std::string_view(text), expectedMeasures(), "measure"), from, n, 100);
    };
    for (const char* text : {"shannon", "normalised_entropy", "kl_uniform", "renyi:a=2", "renyi:a=0.5", "tsallis:q=1.5",
                             "collision", "gradient"}) {
        const KeptMeasure kept = of(text);
        for (std::size_t i = 0; i < 3; ++i) {
            QVERIFY2(kept.scales[i], text);
            QVERIFY2(near(*kept.values[i], kept.target, 1e-8), text);
        }
        QVERIFY2(near(*kept.scales[0], 0.25, 1e-8), text);
    }
    for (std::size_t i = 0; i < 3; ++i) {
        QVERIFY(near(*of("collision").scales[i], *of("gradient").scales[i], 1e-7));
        QVERIFY(near(*of("collision").scales[i], *of("tsallis:q=2").scales[i], 1e-7));
        QVERIFY(near(*of("shannon").scales[i], *entropyInvariantScale(from, n[i], 100), 1e-8));
    }
    const double few[] = {20};
    const auto none = scalesKeeping({"shannon", {}, {}}, from, few, 512);  // ln 20 is 2.996
    QVERIFY(none && !none->scales[0] && none->scales[0].error().message.find("at most 2.9957") != std::string::npos);
    QVERIFY(!scalesKeeping({"needle", {}, {}}, from, n, 100));
}

void TestEntropyScale::smoothForm_data()
{
    QTest::addColumn<int>("d");
    QTest::addColumn<double>("nTrain");
    QTest::addRow("d=64 N=512") << 64 << 512.0;
    QTest::addRow("d=16 N=100") << 16 << 100.0;
    QTest::addRow("d=128 N=2048") << 128 << 2048.0;
}

void TestEntropyScale::smoothForm()
{
    QFETCH(int, d);
    QFETCH(double, nTrain);
    const LogitDensity from = density("gaussian", d);
    const auto smooth = EntropyScale::make(from, nTrain, 131072);
    QVERIFY(smooth.has_value());
    QVERIFY(smooth->error() < 1e-7);
    for (const double n : {std::ceil(std::exp(smooth->target())) + 1, nTrain, 1.3 * nTrain, 20000.0, 131072.0})
        QVERIFY(near(*(*smooth)(n), *entropyInvariantScale(from, n, nTrain), 1e-7));
    QCOMPARE((*smooth)(10).error().kind, ErrorKind::Undefined);
    QCOMPARE((*smooth)(200000).error().kind, ErrorKind::InvalidArgument);
}

QTEST_APPLESS_MAIN(TestEntropyScale)
#include "test_entropy_scale.moc"
