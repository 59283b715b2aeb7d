// A lab on the command line: its findings, and that stopping it loses nothing.

#include "program.h"
#include "tests/support/patience.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

class TestLabCommand : public QObject {
    Q_OBJECT

private slots:
    void isInterruptedAndResumed_data();
    void isInterruptedAndResumed();
    void saysWhatItDoesNotKnow_data();
    void saysWhatItDoesNotKnow();

private:
    QString file(const QString& name) const { return m_folder.filePath(name); }
    QTemporaryDir m_folder;
};

void TestLabCommand::isInterruptedAndResumed_data()
{
    QTest::addColumn<int>("signal");
    QTest::addRow("Ctrl-C") << SIGINT;
    QTest::addRow("what batch systems send") << SIGTERM;
}

/// A signal, then --resume: the findings of a run that was left alone, to the last digit.
void TestLabCommand::isInterruptedAndResumed()
{
    QFETCH(int, signal);
    QTemporaryDir own;
    const auto file = [&](const QString& name) { return own.filePath(name); };
    const QStringList lab{"lab",      "max-retrieval",
                          "--set",    "steps=30000",
                          "--set",    "batch=16",
                          "--set",    "width=16",
                          "--set",    "seeds=2",
                          "--set",    "sets=8",
                          "--set",    "most_items=16",
                          "--set",    "methods=vanilla; vanilla|adaptive",
                          "--format", "csv"};
    const Outcome whole = runProgram(lab);
    QCOMPARE(whole.status, 0);
    QCOMPARE(whole.output.count('\n'), 3);

    const QStringList kept = lab + QStringList{"--out", file("lab")};
    QProcess process;
    process.start(ATTNSCOPE_PROGRAM, kept + QStringList{"--progress"});
    QVERIFY(QTest::qWaitFor(
        [&] { return process.readAllStandardError().contains(" %") || process.state() == QProcess::NotRunning; },
        patience));
    const bool early =
        process.state() == QProcess::Running && ::kill(static_cast<pid_t>(process.processId()), signal) == 0;
    QVERIFY(process.state() == QProcess::NotRunning || process.waitForFinished(patienceWithPrograms));
    QVERIFY2(early && process.exitCode() == 1, "it was over before it could be interrupted");
    QVERIFY(QFile::exists(file("lab/max_retrieval_seed1_checkpoint.safetensors")));

    const Outcome resumed = runProgram(kept + QStringList{"--resume"});
    QCOMPARE(resumed.status, 0);
    QCOMPARE(resumed.output, whole.output);
    for (const char* name :
         {"run.json", "table1.csv", "training.csv", "max_retrieval_seed1.safetensors", "max_retrieval_qk.safetensors"})
        QVERIFY2(QFile::exists(file("lab/") + name), name);
    for (const QString& made : QDir(file("lab")).entryList({"*.csv"})) {  // what a run makes can be asked for
        const Outcome asked = runProgram(lab + QStringList{"--table", made.chopped(4), "--set", "sugar=1"});
        QVERIFY2(asked.status == 2 && asked.errorLines[0].contains("sugar"), qPrintable(asked.errorLines.join(" / ")));
    }
    QFile table(file("lab/table1.csv"));
    QVERIFY(table.open(QIODevice::ReadOnly));
    const QByteArray before = table.readAll();
    table.close();
    const Outcome again = runProgram(kept);
    QCOMPARE(again.status, 2);
    QVERIFY2(again.errorLines.size() == 1 && again.errorLines[0].contains("--resume"),
             qPrintable(again.errorLines.join(" / ")));
    QVERIFY(table.open(QIODevice::ReadOnly));
    QCOMPARE(table.readAll(), before);
    const QJsonArray heads = jsonRows(
        {"stats", file("lab/max_retrieval_qk.safetensors"), "--method", "vanilla", "--mask", "full", "--n", "16"});
    QVERIFY(!heads.isEmpty());
}

void TestLabCommand::saysWhatItDoesNotKnow_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("word");
    QTest::addRow("no such lab") << QStringList{"lab", "tea"} << "tea";
    QTest::addRow("no such parameter") << QStringList{"lab", "eie", "--set", "sugar=2"} << "sugar";
    QTest::addRow("out of range") << QStringList{"lab", "eie", "--set", "epochs=-1"} << "epochs";
    QTest::addRow("no such method") << QStringList{"lab", "max-retrieval", "--set", "methods=tea"} << "tea";
    QTest::addRow("no such table") << QStringList{"lab", "max-retrieval", "--table", "tabel1"} << "tabel1";
    QTest::addRow("nowhere to resume from") << QStringList{"lab", "eie", "--resume"} << "--out";
}

void TestLabCommand::saysWhatItDoesNotKnow()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, word);
    const Outcome outcome = runProgram(arguments);
    QVERIFY(outcome.status == 1 || outcome.status == 2);
    QCOMPARE(outcome.errorLines.size(), 1);
    QVERIFY2(outcome.errorLines[0].contains(word), qPrintable(outcome.errorLines[0]));
}

QTEST_GUILESS_MAIN(TestLabCommand)
#include "test_lab_command.moc"
