// Sweeps as a user starts them: processes of the program, killed and resumed, and ranks under mpirun where that is
// there.

#include "program.h"
#include "tests/support/patience.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

class TestSweepCommand : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void sameOnOneAndTwoWorkers();
    void killedAndResumed();
    void oneBadTask();
    void ranksOfMpi();
    void misuse();

private:
    QString file(const QString& name) const { return m_folder.filePath(name); }
    QByteArray bytes(const QString& name) const
    {
        QFile open(file(name));
        return open.open(QIODevice::ReadOnly) ? open.readAll() : QByteArray("(absent)");
    }
    void write(const QString& name, const QByteArray& text) const
    {
        QFile open(file(name));
        QVERIFY(open.open(QIODevice::WriteOnly) && open.write(text) == text.size());
    }
    QTemporaryDir m_folder;
};

void TestSweepCommand::initTestCase()
{
    write("spec.json", R"({"schema": "attnscope_sweep/1", "command": "entropy",
                           "options": {"estimator": "monte-carlo", "rows": 64, "n": "16:64:x2", "d": [16, 32, 64], "method": ["vanilla", "infoscale"], "seed": {"from": 1, "count": 2}}})");
}

/// 12 tasks of 3 rows; what stands in them is what the command prints alone.
void TestSweepCommand::sameOnOneAndTwoWorkers()
{
    for (const char* jobs : {"1", "2"}) {
        const Outcome outcome = runProgram({"sweep", file("spec.json"), "--out", file(jobs), "--jobs", jobs});
        QVERIFY2(outcome.status == 0, qPrintable(outcome.errorLines.join(" / ")));
    }
    const QByteArray rows = bytes("1/rows.csv");
    QCOMPARE(rows.count('\n'), 37);
    QCOMPARE(bytes("2/rows.csv"), rows);
    const Outcome alone = runProgram({"entropy", "--estimator", "monte-carlo", "--rows", "64", "--n", "16:64:x2", "--d",
                                      "32", "--method", "infoscale", "--seed", "2", "--format", "csv"});
    const QByteArray last = alone.output.trimmed().split('\n').last();
    QVERIFY2(rows.contains(last + "\n"), last.constData());
    QVERIFY(bytes("1/rows.sqlite").startsWith("SQLite format 3"));
}

void TestSweepCommand::killedAndResumed()
{
    QProcess process;
    process.start(ATTNSCOPE_PROGRAM, {"sweep", file("spec.json"), "--out", file("killed"), "--jobs", "1"});
    QVERIFY(QTest::qWaitFor(
        [&] { return bytes("killed/journal.jsonl").count('\n') >= 3 || process.state() == QProcess::NotRunning; },
        patience));
    ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
    QVERIFY(process.waitForFinished(patienceWithPrograms));
    const auto done = bytes("killed/journal.jsonl").count('\n');
    QVERIFY2(done >= 3 && done < 12, "it was over before it could be killed");
    QCOMPARE(bytes("killed/rows.csv"), QByteArray("(absent)"));
    const Outcome resumed =
        runProgram({"sweep", file("spec.json"), "--out", file("killed"), "--resume", "--jobs", "2"});
    QVERIFY2(resumed.status == 0, qPrintable(resumed.errorLines.join(" / ")));
    QCOMPARE(bytes("killed/rows.csv"), bytes("1/rows.csv"));
    QVERIFY(bytes("killed/journal.jsonl").count('\n') == 12);
}

void TestSweepCommand::oneBadTask()
{
    QVERIFY(writeTestTensors(m_folder.path()));
    write("bad.json", QStringLiteral(R"({"schema": "attnscope_sweep/1", "command": "stats", "arguments": ["%1", "%2"],
                                         "options": {"method": "vanilla", "head": 0, "n": [4, 6]}})")
                          .arg(file("uniform.safetensors"), file("absent.safetensors"))
                          .toUtf8());
    const Outcome outcome = runProgram({"sweep", file("bad.json"), "--out", file("bad"), "--jobs", "2"});
    QCOMPARE(outcome.status, 1);
    QVERIFY2(outcome.errorLines.last().contains("2 of 4 tasks failed") &&
                 outcome.errorLines.last().contains("no such file"),
             qPrintable(outcome.errorLines.join(" / ")));
    QCOMPARE(bytes("bad/rows.csv").count('\n'), 3);
    QVERIFY(bytes("bad/tasks.csv").contains("failed"));
}

void TestSweepCommand::ranksOfMpi()
{
    const QString mpirun = QStandardPaths::findExecutable("mpirun");
    if (mpirun.isEmpty() || !QFile::exists(QFileInfo(ATTNSCOPE_PROGRAM).dir().filePath("attnscope_mpi.so")))
        QSKIP("no mpirun, or a build without MPI (apt install openmpi-bin libopenmpi-dev)");
    QProcess process;
    process.start(mpirun, {"--allow-run-as-root", "--oversubscribe", "-n", "4", ATTNSCOPE_PROGRAM, "sweep",
                           file("spec.json"), "--out", file("ranks")});
    QVERIFY(process.waitForFinished(patienceWithPrograms));
    const QByteArray said = process.readAllStandardError();
    if (process.exitCode() != 0 && said.contains("orte_init"))
        QSKIP("mpirun cannot start ranks on this machine");
    QVERIFY2(process.exitCode() == 0, said.constData());
    QCOMPARE(bytes("ranks/rows.csv"), bytes("1/rows.csv"));
}

void TestSweepCommand::misuse()
{
    const QStringList wrong{R"("entropy", "options": {"d": [16, -3], "n": 16})",
                            R"("entropy", "options": {"method": ["vanilla", "tea"], "n": 16})",
                            R"("entropy", "options": {"d": 16})",
                            R"("lab", "arguments": ["eie"], "set": {"epochs": [1, -1]})",
                            R"("lab", "arguments": ["eie"], "set": {"sugar": 1})",
                            R"("lab", "arguments": ["eie", "tea"])"};
    for (const QString& one : wrong) {  // found before anything runs
        write("wrong.json", QStringLiteral("{\"schema\": \"attnscope_sweep/1\", \"command\": %1}").arg(one).toUtf8());
        const Outcome outcome = runProgram({"sweep", file("wrong.json"), "--out", file("never")});
        QVERIFY2(outcome.status == 1 && outcome.errorLines.size() == 1, qPrintable(one));
        QVERIFY2(!QFile::exists(file("never")), qPrintable(one));
    }
    write("hostile.json", R"({"schema": "attnscope_sweep/1", "command": "figure"})");
    for (const QStringList& arguments :
         {QStringList{"sweep"}, QStringList{"sweep", file("hostile.json"), "--out", file("never")},
          QStringList{"sweep", file("absent.json"), "--out", file("never")},
          QStringList{"sweep", file("spec.json"), "--out", file("1")}}) {
        const Outcome outcome = runProgram(arguments);
        QVERIFY2(outcome.status == 1 || outcome.status == 2, qPrintable(arguments.join(' ')));
        QCOMPARE(outcome.errorLines.size(), 1);
    }
    QVERIFY(!QFile::exists(file("never")));
}

QTEST_MAIN(TestSweepCommand)
#include "test_sweep_command.moc"
