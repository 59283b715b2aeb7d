// scale, entropy and solve: multipliers and expectations, as numbers of the command line.

#include "program.h"

#include <QFile>
#include <QJsonDocument>
#include <QTest>

#include <cmath>

class TestTheoryCommands : public QObject {
    Q_OBJECT

private slots:
    void everyMethodHasAValueOrAReason();
    void multiplierMatchesItsClosedForm_data();
    void multiplierMatchesItsClosedForm();
    void entropyMatchesTheReference();
    void meanFieldIsItsClosedForm();
    void divergingApproximationSaysSo();
    void impossibleEntropiesSaySo();
    void aMeanOfFewRowsSaysSo();
    void samplingAgreesWithTheExactExpectation();
    void solveGivesTheEntropyInvariantScale();
    void theScaleOfNIsOne();
    void solveSaysWhereThereIsNone();
    void theExactScaleKeepsTheEntropyAtEveryTemperature();
    void aScaleForAnotherLawSaysSo();
    void anApproximationOfAnotherLawSaysSo();
};

void TestTheoryCommands::everyMethodHasAValueOrAReason()
{
    const QJsonArray rows = jsonRows({"scale", "--method", "all", "--n", "1,2,64,511,512,513,4096,1048576"});
    QCOMPARE(rows.size(), 8 * jsonRows({"methods"}).size());
    for (const QJsonValue& row : rows) {
        const QByteArray who = QJsonDocument(row.toObject()).toJson(QJsonDocument::Compact);
        QVERIFY2(row["multiplier"].isDouble() != row["note"].isString(), who);
        QVERIFY2(row["multiplier"].isDouble() == row["lambda"].isDouble(), who);
    }
}

void TestTheoryCommands::multiplierMatchesItsClosedForm_data()
{
    QTest::addColumn<QString>("method");
    QTest::addColumn<double>("n");
    QTest::addColumn<double>("expected");
    QTest::addRow("softmax_plus") << "softmax_plus" << 1024.0 << 10.0 / 9;
    QTest::addRow("softmax_plus B=64") << "softmax_plus:B=64" << 4096.0 << 2.0;
    QTest::addRow("infoscale at N") << "infoscale" << 512.0 << 1.0;
    QTest::addRow("infoscale of one token") << "infoscale" << 1.0 << 0.0;
    QTest::addRow("log_n of one token") << "log_n" << 1.0 << 0.0;
    QTest::addRow("mean field below N") << "entropy_mean_field" << 2.0 << 0.0;
    QTest::addRow("mean field at 4 N") << "entropy_mean_field" << 2048.0 << std::sqrt(1 + 2 * std::log(4.0));
    QTest::addRow("custom") << "custom:log(n)/log(N)" << 1024.0 << 10.0 / 9;
}

void TestTheoryCommands::multiplierMatchesItsClosedForm()
{
    QFETCH(QString, method);
    QFETCH(double, n);
    QFETCH(double, expected);
    const QJsonArray rows = jsonRows({"scale", "--method", method, "--n", QString::number(n), "--d", "16"});
    QCOMPARE(rows.size(), 1);
    QVERIFY(std::abs(rows[0]["multiplier"].toDouble(NAN) - expected) < 1e-12);
    QVERIFY(std::abs(rows[0]["lambda"].toDouble(NAN) - expected / 4) < 1e-12);
}

void TestTheoryCommands::entropyMatchesTheReference()
{
    QFile reference(TEST_DATA "/../theory/expected_entropy.json");
    QVERIFY(reference.open(QIODevice::ReadOnly));
    const QJsonArray expected = QJsonDocument::fromJson(reference.readAll())["expected"].toArray();
    QVERIFY(expected.size() >= 10);
    for (qsizetype i = 0; i < expected.size(); i += expected.size() / 10) {
        const QJsonValue row = expected[i];
        const QStringList call{"entropy",
                               "--source",
                               row["source"].toString(),
                               "--n",
                               QString::number(row["n"].toDouble(), 'g', 15),
                               "--d",
                               QString::number(row["d"].toInt()),
                               "--lambda",
                               QString::number(row["lam"].toDouble(), 'g', 17)};
        for (const auto& [measure, field] : {std::pair{"shannon", "entropy"}, std::pair{"collision", "sum_p2"}}) {
            const double value = jsonRows(call + QStringList{"--measure", measure}).at(0)["value"].toDouble(NAN);
            const double wanted = row[field].toDouble();
            QVERIFY2(std::abs(value - wanted) < 1e-6 * std::max(1.0, wanted),
                     qPrintable(call.join(' ') + ' ' + measure));
        }
    }
}

void TestTheoryCommands::meanFieldIsItsClosedForm()  // ln n - lambda^2 d / 2
{
    const QJsonArray rows =
        jsonRows({"entropy", "--estimator", "mean-field", "--n", "1024,1e9", "--d", "64", "--lambda", "0.125"});
    QVERIFY(std::abs(rows[0]["value"].toDouble() - (std::log(1024.0) - 0.5)) < 1e-12);
    QVERIFY(std::abs(rows[1]["value"].toDouble() - (std::log(1e9) - 0.5)) < 1e-12);
    QVERIFY(rows[0]["stderr"].isNull());
}

/// An entropy lies from 0 to ln n: ln 16 - 64 / 2 does not, ln 16 - 1 / 2 does.
void TestTheoryCommands::impossibleEntropiesSaySo()
{
    const auto row = [](const char* lambda) {
        return jsonRows({"entropy", "--estimator", "mean-field", "--n", "16", "--d", "64", "--lambda", lambda}).at(0);
    };
    QVERIFY(std::abs(row("1")["value"].toDouble() - (std::log(16.0) - 32)) < 1e-12);
    QVERIFY2(row("1")["note"].toString().startsWith(
                 u"an entropy lies from 0 to ln n = 2.77; outside its range: s < \u221A(2 ln n)"),
             qPrintable(row("1")["note"].toString()));
    QVERIFY(row("0.125")["note"].isNull());
    const QJsonArray none =
        jsonRows({"entropy", "--estimator", "laplace-short", "--n", "16", "--source", "needle:gap=6"});
    QCOMPARE(none[0]["note"].toString(),
             QStringLiteral("the form 'Laplace, last term dropped' says nothing about this source"));
}

/// At this temperature two keys have an entropy where their logits are all but equal, one row in hundreds; the exact
/// mean is 9.39e-4. Rows that are all alike are no few: at lambda = 0 each has ln n.
void TestTheoryCommands::aMeanOfFewRowsSaysSo()
{
    const QStringList drawn{"--estimator", "monte-carlo", "--rows", "1000", "--seed", "94"};
    const QJsonValue rare = jsonRows(QStringList{"entropy", "--temperature", "1e-3", "--n", "2"} + drawn).at(0);
    const double exact = jsonRows({"entropy", "--temperature", "1e-3", "--n", "2"}).at(0)["value"].toDouble();
    QVERIFY(rare["value"].toDouble() + 10 * rare["stderr"].toDouble() < exact);
    QVERIFY2(rare["note"].toString().contains("of 1000 rows carry this mean"), qPrintable(rare["note"].toString()));
    for (const char* lambda : {"0", "0.125"})
        QVERIFY(jsonRows(QStringList{"entropy", "--lambda", lambda, "--n", "16"} + drawn).at(0)["note"].isNull());
}

void TestTheoryCommands::divergingApproximationSaysSo()  // Taylor's form is -infinity where lambda^2 d >= 1 and beyond
{
    const QJsonArray rows = jsonRows({"entropy", "--estimator", "taylor", "--n", "1024", "--d", "16", "--lambda", "5"});
    QVERIFY(rows[0]["value"].isNull());
    QVERIFY(!rows[0]["note"].toString().isEmpty());
}

void TestTheoryCommands::samplingAgreesWithTheExactExpectation()
{
    const QStringList call{"entropy", "--method", "vanilla", "ssmax", "--n", "8,300", "--d", "16"};
    const QJsonArray exact = jsonRows(call);
    const QJsonArray sampled =
        jsonRows(call + QStringList{"--estimator", "monte-carlo", "--rows", "2000", "--seed", "7"});
    QCOMPARE(sampled.size(), exact.size());
    for (qsizetype i = 0; i < exact.size(); ++i) {
        const double error = sampled[i]["stderr"].toDouble(NAN);
        QVERIFY(error > 0 && error < 0.1);
        QVERIFY(std::abs(sampled[i]["value"].toDouble() - exact[i]["value"].toDouble()) < 4.5 * error);
    }
    const QJsonArray sparse =
        jsonRows(call + QStringList{"--estimator", "monte-carlo", "--rows", "200", "--normaliser", "sparsemax"});
    QVERIFY(sparse[1]["value"].toDouble() < exact[1]["value"].toDouble());
}

void TestTheoryCommands::solveGivesTheEntropyInvariantScale()
{
    const QList<double> expected{0.400022, 0.516129, 0.616835, 0.707903};
    const QJsonArray rows = jsonRows({"solve", "--n", "200,400,800,1600", "--d", "16", "--n-train", "100"});
    QCOMPARE(rows.size(), expected.size());
    for (qsizetype i = 0; i < rows.size(); ++i) {
        QVERIFY(std::abs(rows[i]["lambda"].toDouble() - expected[i]) < 1e-6);
        QVERIFY(std::abs(rows[i]["multiplier"].toDouble() - 4 * expected[i]) < 4e-6);
        QVERIFY(std::abs(rows[i]["entropy"].toDouble() - rows[i]["target"].toDouble()) < 1e-8);
    }
}

/// At n = N nothing is to be kept but what there is, whatever N: of one key its entropy, 0.
void TestTheoryCommands::theScaleOfNIsOne()
{
    for (const char* n : {"1", "2", "512"})
        for (const char* command : {"entropy", "scale", "solve"}) {
            QStringList call{command, "--n", n, "--n-train", n, "--d", "16"};
            if (call[0] != "solve")
                call << "--method"
                     << "entropy_exact";
            const QJsonArray rows = jsonRows(call);
            QCOMPARE(rows.size(), 1);
            QVERIFY2(std::abs(rows[0]["lambda"].toDouble() - 0.25) < 1e-12 && rows[0]["note"].isNull(), command);
        }
}

void TestTheoryCommands::solveSaysWhereThereIsNone()
{
    const QJsonArray rows = jsonRows({"solve", "--n", "64,1024", "--d", "64", "--n-train", "512"});
    QVERIFY(rows[0]["lambda"].isNull() && rows[0]["multiplier"].isNull());
    QVERIFY2(rows[0]["note"].toString().contains("no scale reaches"), qPrintable(rows[0]["note"].toString()));
    QVERIFY(rows[1]["lambda"].isDouble() && rows[1]["note"].isNull());
    // at its own limit, 10^4 / sqrt d, which it names: sharper rows are not worked out, but there are some
    const QString atLimit = jsonRows({"solve", "--n", "200", "--d", "16", "--n-train", "100", "--temperature", "1e-4"})
                                .at(0)["note"]
                                .toString();
    QVERIFY2(atLimit.startsWith("no scale up to the largest worked out, lambda = 2500, reaches 0.00043324"),
             qPrintable(atLimit));
}

/// What it keeps is what vanilla has at N, whatever tau is.
void TestTheoryCommands::theExactScaleKeepsTheEntropyAtEveryTemperature()
{
    for (const char* const law : {"gaussian", "sphere", "uniform:-2,2"})
        for (const char* const temperature : {"0.5", "1", "2"}) {
            const QStringList call{"entropy", "--source", law,         "--temperature", temperature,
                                   "--d",     "16",       "--n-train", "100",           "--n"};
            const QJsonArray trained = jsonRows(call + QStringList{"100"});
            const QString method = QStringLiteral("entropy_exact:\"%1\"").arg(QLatin1String(law));
            for (const QJsonValue& row : jsonRows(call + QStringList{"100,400,6400", "--method", method}))
                QVERIFY2(std::abs(row["value"].toDouble(NAN) - trained[0]["value"].toDouble()) < 1e-6,
                         QJsonDocument(row.toObject()).toJson(QJsonDocument::Compact));
        }
}

void TestTheoryCommands::anApproximationOfAnotherLawSaysSo()
{
    const auto said = [](const char* estimator, const char* source) {
        return runProgram({"entropy", "--n", "400", "--estimator", estimator, "--source", source}).errorLines.join(' ');
    };
    for (const char* estimator : {"laplace", "laplace-short", "taylor", "su024"}) {
        QVERIFY2(said(estimator, "gaussian").contains("is of Unit directions, d = 64, and these are Gaussian q and k"),
                 qPrintable(said(estimator, "gaussian")));
        QVERIFY2(said(estimator, "sphere").isEmpty(), qPrintable(said(estimator, "sphere")));
    }
    for (const char* source : {"gaussian", "sphere"})
        QVERIFY2(said("mean-field", source).isEmpty(), qPrintable(said("mean-field", source)));
}

void TestTheoryCommands::aScaleForAnotherLawSaysSo()
{
    const QStringList call{"entropy", "--n", "400", "--method"};
    const QString said = runProgram(call + QStringList{"entropy_exact", "--source", "sphere"}).errorLines.join(' ');
    QVERIFY2(said.contains("Entropy, exact: solved for softmax over logits of the law Gaussian q and k, so with Unit "
                           "directions the entropy need not be kept; entropy_exact:\"sphere\" is solved for these"),
             qPrintable(said));
    for (const QStringList& same :
         {QStringList{"entropy_exact:sphere", "--source", "sphere"}, QStringList{"entropy_exact"}, QStringList{"eie"},
          QStringList{"entropy_exact:\"uniform:-2,2\"", "--source", "uniform:lo=-2,hi=2"}}) {
        const Outcome outcome = runProgram(call + same);
        QVERIFY2(outcome.status == 0 && outcome.errorLines.isEmpty(), qPrintable(outcome.errorLines.join(' ')));
    }
    QVERIFY(!runProgram(call + QStringList{"eie", "--source", "uniform:-2,2"}).errorLines.isEmpty());
}

QTEST_GUILESS_MAIN(TestTheoryCommands)
#include "test_theory_commands.moc"
