// Expected rows against reference numbers and direct integrals over small n (closed_forms.py); what is no density or no
// row.

#include "theory_support.h"

using namespace attnscope;

class TestExpectedRow : public QObject {
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
    void badInputIsExplained_data();
    void badInputIsExplained();

private:
    const QJsonObject m_closed = readJson(TEST_DATA "/closed_forms.json");
};

void TestExpectedRow::reference_data()
{
    QTest::addColumn<QJsonObject>("row");
    for (const QJsonValue& value : readJson(TEST_DATA "/expected_entropy.json")["expected"].toArray()) {
        const QJsonObject row = value.toObject();
        QTest::addRow("%s n=%g lambda=%g d=%d", qPrintable(row["source"].toString()), row["n"].toDouble(),
                      row["lam"].toDouble(), row["d"].toInt())
            << row;
    }
}

void TestExpectedRow::reference()
{
    QFETCH(QJsonObject, row);
    const LogitDensity from = density(row["source"].toString(), row["d"].toInt());
    const double n = row["n"].toDouble(), lambda = row["lam"].toDouble();
    QVERIFY(near(expected("free_energy", from, n, lambda), row["log_z"].toDouble(), 1e-7));
    QVERIFY(near(expected("shannon", from, n, lambda), row["entropy"].toDouble(), 1e-7));
    QVERIFY(near(expected("collision", from, n, lambda), row["sum_p2"].toDouble(), 1e-7));
    QVERIFY(near(expected("renyi:a=2", from, n, lambda), row["renyi2"].toDouble(), 1e-7));
}

void TestExpectedRow::twoNormalKeys_data()
{
    QTest::addColumn<QJsonObject>("row");
    for (const QJsonValue& value : m_closed["pairs"].toArray())
        QTest::addRow("s=%g", value["s"].toDouble()) << value.toObject();
}

void TestExpectedRow::twoNormalKeys()
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
    QVERIFY(std::abs(expected("mean_logit", from, 2, s) - (row["free_energy"].toDouble() - row["entropy"].toDouble())) <
            1e-11);
}

void TestExpectedRow::twoGaussianKeys_data()
{
    QTest::addColumn<QJsonObject>("row");
    for (const QJsonValue& value : m_closed["gaussian_pairs"].toArray())
        QTest::addRow("d=%d m=%g", value["d"].toInt(), value["m"].toDouble()) << value.toObject();
}

void TestExpectedRow::twoGaussianKeys()
{
    QFETCH(QJsonObject, row);
    const int d = row["d"].toInt();
    QVERIFY(near(expected("shannon", density("gaussian", d), 2, row["m"].toDouble() / std::sqrt(d)),
                 row["entropy"].toDouble(), 1e-8));
}

void TestExpectedRow::everyRowOfAVocabulary_data()
{
    QTest::addColumn<QJsonObject>("row");
    for (const char* list : {"vocabularies", "needles"})
        for (const QJsonValue& value : m_closed[list].toArray())
            QTest::addRow("%s n=%d scale=%g gap=%g", list, value["n"].toInt(), value["scale"].toDouble(),
                          value["gap"].toDouble())
                << value.toObject();
}

void TestExpectedRow::everyRowOfAVocabulary()
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

void TestExpectedRow::twoKeysOfOtherLaws_data()
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
        QTest::addRow("sphere d=%d s=%g", d, v["s"].toDouble())
            << "sphere" << d << v["s"].toDouble() / d << v["entropy"].toDouble();
    }
}

void TestExpectedRow::twoKeysOfOtherLaws()
{
    QFETCH(QString, law);
    QFETCH(int, d);
    QFETCH(double, lambda);
    QFETCH(double, entropy);
    QVERIFY(near(expected("shannon", density(law, d), 2, lambda), entropy, 2e-6));  // the midpoint rule's own error
}

void TestExpectedRow::badInputIsExplained_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::addRow("unknown") << "cauchy"
                             << "unknown logit density 'cauchy'; known: gaussian, normal, sphere";
    QTest::addRow("order") << "uniform:lo=2,hi=-2"
                           << "uniform: lo must be less than hi, not 2 and -2";
    QTest::addRow("list") << "finite:1,,2"
                          << "finite, column 3: expected a logit";
    QTest::addRow("weight") << "finite:1*0"
                            << "a weight above 0";
    QTest::addRow("not a number") << "finite:1,nan"
                                  << "column 3";
}

void TestExpectedRow::badInputIsExplained()
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

QTEST_APPLESS_MAIN(TestExpectedRow)
#include "test_expected_row.moc"
