// The scoreboard on the command line: the runs that come with the program, and one of the user's own beside them.

#include "program.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

class TestScoreboardCommand : public QObject {
    Q_OBJECT

private slots:
    /// A row a cell; vanilla gains nothing over itself; whatever has a p says over how many pairs.
    void shippedRuns()
    {
        const QJsonArray rows = jsonRows({"scoreboard"});
        QVERIFY(rows.size() > 200);
        for (const QJsonValue& value : rows) {
            const QJsonObject row = value.toObject();
            QVERIFY(row["gain"].isDouble() && row["n_over_train"].toDouble() >= 1);
            QVERIFY(row["method"] != "vanilla" || (row["gain"].toDouble() == 0 && row["p"].isNull()));
            QVERIFY(row["p"].isNull() || (row["pairs"].toInt() > 1 && !row["paired_over"].toString().isEmpty()));
            QVERIFY(row["q"].isNull() || row["p"].isNull() || row["q"].toDouble() >= row["p"].toDouble());
            const QString over = row["paired_over"].toString();  // of the head that finds the largest these are heads
            QVERIFY(row["networks"].toInt() >= 1 &&
                    (row["networks"].toInt() == 1 || row["p"].isNull() || over.startsWith("networks") ||
                     (over.startsWith("heads") && row["task"] == "largest item found")));
        }
        for (const QJsonValue& row : jsonRows({"scoreboard", "--against", "infoscale", "--method", "softmax_plus"}))
            QVERIFY(row.toObject()["p"].isNull() || row.toObject()["networks"].toInt() > 1);
        const QJsonArray two = jsonRows({"scoreboard", "--method", "infoscale", "yarn"});
        QVERIFY(two.size() > 40 && std::ranges::all_of(two, [](const QJsonValue& row) {
                    return row.toObject()["method"] == "infoscale" || row.toObject()["method"] == "yarn";
                }));
        const QJsonArray relations = jsonRows({"scoreboard", "--show", "entropy"});
        QCOMPARE(relations[0].toObject()["scope"].toString(), QString("all methods"));
        QCOMPARE(relations[0].toObject()["over"].toString(), QString("kinds of network"));
        QVERIFY(std::abs(relations[0].toObject()["spearman"].toDouble()) <= 1);
    }

    /// Two heads of one user: pairs are runs, and the table for people has them below the shipped task.
    void ownRunsJoin()
    {
        QTemporaryDir folder;
        for (const char* seed : {"1", "2"})
            QCOMPARE(runProgram({"lab",   "max-retrieval",
                                 "--set", "steps=40",
                                 "--set", "width=8",
                                 "--set", "batch=8",
                                 "--set", "seeds=2",
                                 "--set", "sets=16",
                                 "--set", "most_items=64",
                                 "--set", QString("seed=%1").arg(seed),
                                 "--set", "methods=vanilla; infoscale",
                                 "--out", folder.filePath(seed)})
                         .status,
                     0);
        const Outcome wide =
            runProgram({"scoreboard", "--without-shipped", "--runs", folder.path(), "--format", "table"});
        QCOMPARE(wide.status, 0);
        QVERIFY2(wide.output.contains("largest item found (batch=8, steps=40, width=8)  infoscale"),
                 wide.output.constData());
        QVERIFY(wide.errorLines.join(' ').contains("Missing: hidden tokens found: attnscope lab masked-lm"));
        const QJsonArray rows = jsonRows({"scoreboard", "--without-shipped", "--runs", folder.path()});
        QCOMPARE(rows.size(), 6);  // two methods at 16, 32 and 64
        for (const QJsonValue& row : rows)
            if (row.toObject()["method"] == "infoscale" && row.toObject()["pairs"].toInt() == 2)
                QCOMPARE(row.toObject()["paired_over"].toString(), QString("heads or runs"));
        const QJsonArray runs = jsonRows({"scoreboard", "--show", "runs", "--runs", folder.path()});
        QVERIFY(runs.last().toObject()["made_by"].toString().startsWith("attnscope lab 'max-retrieval:"));
        const QString record = folder.filePath("1/run.json");
        const Outcome over = runProgram({"scoreboard", "--runs", folder.path(), "-o", record});
        QCOMPARE(over.status, 2);
        QVERIFY(over.errorLines.join(' ').contains("one file"));
        QCOMPARE(jsonRows({"scoreboard", "--without-shipped", "--runs", folder.path()}), rows);
    }

    void misuse()
    {
        QTemporaryDir folder;
        QCOMPARE(runProgram({"scoreboard", "--method", "tea"}).status, 2);
        QCOMPARE(runProgram({"scoreboard", "--against", "tea"}).status, 2);
        for (const QStringList& arguments : {QStringList{"scoreboard", "--runs", folder.path()},
                                             QStringList{"scoreboard", "--runs", folder.filePath("absent")},
                                             QStringList{"scoreboard", "--without-shipped"}}) {
            const Outcome outcome = runProgram(arguments);
            QCOMPARE(outcome.status, 1);
            QVERIFY(outcome.errorLines.size() == 1 && outcome.errorLines[0].contains("attnscope lab"));
        }
    }
};

QTEST_MAIN(TestScoreboardCommand)
#include "test_scoreboard_command.moc"
