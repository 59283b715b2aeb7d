// A sweep without the program: its product, hostile specifications, its journal, and the tables whoever did the tasks.

#include "core/sweep/sweep.h"
#include "core/sweep/sweep_rows.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace attnscope;

namespace {

const std::vector<SweptCommand> known{
    {"entropy", {{"d", false, false}, {"method", false, true}, {"n", false, false}, {"log", true, false}}, false},
    {"lab", {{"table", false, false}}, true}};

Result<SweepSpec> specOf(const std::string& body)
{
    return parseSweepSpec("{\"schema\": \"attnscope_sweep/1\", " + body + "}", "spec.json", known);
}

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(absent)");
}

/// Does tasks at once, `atOnce` of them in reverse order, in place of processes; every fifth fails where that is
/// wanted. Stops by itself after some.
class FakePool final : public WorkerPool {
public:
    explicit FakePool(int atOnce, bool failing = false) : m_atOnce(atOnce), m_failing(failing) {}
    bool free() const override { return std::ssize(m_given) < m_atOnce; }
    void give(const SweepTask& task) override { m_given.push_back(task); }
    std::vector<SweepOutcome> collect() override
    {
        std::vector<SweepOutcome> ended;
        for (auto task = m_given.rbegin(); task != m_given.rend(); ++task) {
            ++done;
            std::string line;
            for (const std::string& argument : task->arguments)
                line += argument + " ";
            const bool fails = m_failing && task->number % 5 == 0;
            ended.push_back(
                {task->number,
                 fails ? "" : "n,line\n" + std::to_string(task->number * task->number) + ",\"" + line + "\"\n",
                 fails ? "it fails" : "", 0.5, task->number == 3 ? "it did not learn; nor is it tested" : ""});
        }
        m_given.clear();
        if (m_stopAt > 0 && done >= m_stopAt)
            stopping.request_stop();
        return ended;
    }
    void stop() override {}
    void stopAt(int tasks) { m_stopAt = tasks; }
    int done = 0;
    std::stop_source stopping;

private:
    int m_atOnce, m_stopAt = 0;
    bool m_failing;
    std::vector<SweepTask> m_given;
};

}  // namespace

class TestSweep : public QObject {
    Q_OBJECT
private slots:
    void productInOrder();
    void flagsAndSeveralWords();
    void hostileSpecs_data();
    void hostileSpecs();
    void sameTableWhoeverDidIt();
    void stoppedAndResumed();
    void failuresAreTheirOwn();
    void columnsOfOneName();
    void halfALineIsIgnored();
    void changedLinesAreNotBelieved();
    void foreignFolders();
};

void TestSweep::productInOrder()
{
    const auto spec = specOf(
        R"("command": "lab", "arguments": ["eie", "routing"], "options": {"table": "curve"}, "set": {"alpha": [0, 0.5], "seed": {"from": 3, "count": 3, "step": 2}})");
    QVERIFY2(spec, spec ? "" : spec.error().message.c_str());
    QCOMPARE(spec->tasks(), 12);
    QCOMPARE(spec->argumentsOf(0),
             (std::vector<std::string>{"lab", "eie", "--table=curve", "--set", "alpha=0", "--set", "seed=3"}));
    QCOMPARE(spec->argumentsOf(4),
             (std::vector<std::string>{"lab", "eie", "--table=curve", "--set", "alpha=0.5", "--set", "seed=5"}));
    QCOMPARE(spec->argumentsOf(11),
             (std::vector<std::string>{"lab", "routing", "--table=curve", "--set", "alpha=0.5", "--set", "seed=7"}));
}

void TestSweep::flagsAndSeveralWords()
{
    const auto spec = specOf(
        R"("command": "entropy", "options": {"--log": [true, false], "method": [["vanilla", "infoscale"], "yarn"], "n": "16:64:x2"})");
    QVERIFY2(spec, spec ? "" : spec.error().message.c_str());
    QCOMPARE(spec->argumentsOf(0),
             (std::vector<std::string>{"entropy", "--log", "--method", "vanilla", "infoscale", "--n=16:64:x2"}));
    QCOMPARE(spec->argumentsOf(3), (std::vector<std::string>{"entropy", "--method=yarn", "--n=16:64:x2"}));
    QCOMPARE(spec->valuesOf(0), (std::vector<std::string>{"true", "vanilla infoscale", "16:64:x2"}));
}

void TestSweep::hostileSpecs_data()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("word");
    const auto row = [](const char* name, const char* body, const char* word) {
        QTest::addRow("%s", name) << QString(body) << QString(word);
    };
    row("no JSON", "[", "JSON");
    row("no object", "7", "object");
    row("no schema", R"({"command": "entropy"})", "schema");
    const std::string head = R"({"schema": "attnscope_sweep/1", )";
    const auto more = [&](const char* name, const char* body, const char* word) {
        row(name, (head + body + "}").c_str(), word);
    };
    more("no command", R"("options": {})", "command is missing");
    more("another command", R"("command": "rm")", "known: entropy, lab");
    more("unknown field", R"("command": "entropy", "jobs": 3)", "jobs");
    more("unknown option", R"("command": "entropy", "options": {"output": "x"})", "output");
    more("twice", R"("command": "entropy", "command": "lab")", "twice");
    more("empty list", R"("command": "entropy", "options": {"d": []})", "options.d");
    more("the same value twice", R"("command": "entropy", "options": {"d": [1, 2, 1]})", "options.d[2]");
    more("an object", R"("command": "entropy", "options": {"d": [{}]})", "options.d[0]");
    more("a list for one", R"("command": "entropy", "options": {"d": [[1, 2]]})", "options.d[0]");
    more("a flag's value", R"("command": "entropy", "options": {"log": 3})", "flag");
    more("options as a list", R"("command": "entropy", "options": [1])", "options");
    more("parameters of no lab", R"("command": "entropy", "set": {"a": 1})", "set");
    more("a hidden option", R"("command": "lab", "arguments": ["--out=/"])", "arguments");
    more("an argument without a place", R"("command": "entropy", "arguments": ["x"])", "arguments");
    more("a counter without end", R"("command": "entropy", "options": {"d": {"from": 1}})", "count");
    more("a counter too long", R"("command": "entropy", "options": {"d": {"count": 2000000}})", "count");
    more(
        "too many",
        R"("command": "lab", "arguments": "eie", "set": {"a": {"count": 2000}, "b": {"count": 2000}, "c": {"count": 1000000}, "d": {"count": 1000000}})",
        "million");
    more("a zero byte", "\"command\": \"entropy\", \"options\": {\"d\": \"1\\u0000\"}", "zero byte");
    row("deep", (std::string(5000, '[')).c_str(), "nested");
}

void TestSweep::hostileSpecs()
{
    QFETCH(QString, body);
    QFETCH(QString, word);
    const auto spec = parseSweepSpec(body.toStdString(), "spec.json", known);
    QVERIFY(!spec);
    QVERIFY2(QString::fromStdString(spec.error().message).contains(word) &&
                 spec.error().message.starts_with("spec.json"),
             spec.error().message.c_str());
}

/// 1, 2 and 8 at once, which end in other orders: the same bytes, in the tasks' order.
void TestSweep::sameTableWhoeverDidIt()
{
    const auto spec = specOf(R"("command": "entropy", "options": {"d": {"from": 1, "count": 5}, "n": [16, 32]})");
    QByteArray first;
    for (const int atOnce : {1, 2, 8}) {
        QTemporaryDir folder;
        FakePool pool(atOnce);
        const auto result = runSweep(*spec, {"{}", folder.filePath("out").toStdString(), false}, pool, {}, {});
        QVERIFY(result && result->progress.done == 10 && result->progress.failed == 0 && result->firstError.empty());
        const QByteArray rows = bytesOf(folder.filePath("out/rows.csv"));
        if (first.isEmpty())
            first = rows;
        QCOMPARE(rows, first);
        QVERIFY(bytesOf(folder.filePath("out/rows.sqlite")).startsWith("SQLite format 3"));
    }
    QCOMPARE(first.split('\n').value(0), QByteArray("task,d,sweep_n,n,line"));  // the command has an n of its own
    QCOMPARE(first.split('\n').value(4), QByteArray("3,2,32,9,entropy --d=2 --n=32 --format=csv "));
}

void TestSweep::stoppedAndResumed()
{
    const auto spec = specOf(R"("command": "entropy", "options": {"d": {"from": 1, "count": 20}})");
    QTemporaryDir folder;
    const SweepRun run{"{}", folder.filePath("out").toStdString(), true};
    FakePool whole(3), first(3), second(2);
    QVERIFY(runSweep(*spec, {"{}", folder.filePath("whole").toStdString(), false}, whole, {}, {}));
    first.stopAt(7);
    const auto stopped = runSweep(*spec, run, first, first.stopping.get_token(), {});
    QVERIFY(!stopped && stopped.error().kind == ErrorKind::Cancelled);
    QCOMPARE(first.done, 9);
    QCOMPARE(bytesOf(folder.filePath("out/rows.csv")).count('\n'), 10);
    QVERIFY(runSweep(*spec, run, second, {}, {}));
    QCOMPARE(second.done, 11);
    for (const char* name : {"rows.csv", "tasks.csv"})
        QCOMPARE(bytesOf(folder.filePath(QString("out/") + name)), bytesOf(folder.filePath(QString("whole/") + name)));
}

/// Four of twenty fail: the others are done, and --resume tries these four alone.
void TestSweep::failuresAreTheirOwn()
{
    const auto spec = specOf(R"("command": "entropy", "options": {"d": {"from": 1, "count": 20}})");
    QTemporaryDir folder;
    FakePool failing(4, true), mended(4);
    const auto result = runSweep(*spec, {"{}", folder.filePath("out").toStdString(), false}, failing, {}, {});
    QVERIFY(result && result->progress.failed == 4 && result->progress.done == 16);
    QCOMPARE(result->firstError, std::string("task 0: it fails"));
    QVERIFY(bytesOf(folder.filePath("out/tasks.csv")).contains("\n5,6,failed,it fails,\n"));
    QCOMPARE(bytesOf(folder.filePath("out/rows.csv")).count('\n'), 17);
    const QByteArray noted("\n3,4,done,,it did not learn; nor is it tested\n");
    QVERIFY(bytesOf(folder.filePath("out/tasks.csv")).contains(noted));
    const auto again = runSweep(*spec, {"{}", folder.filePath("out").toStdString(), true}, mended, {}, {});
    QVERIFY(again && again->progress.failed == 0 && again->progress.done == 20);
    QCOMPARE(mended.done, 4);
    QVERIFY(bytesOf(folder.filePath("out/tasks.csv")).contains(noted));  // the journal has kept it
}

/// A command whose rows have a task, as routing's have, and axes that differ in case alone.
void TestSweep::columnsOfOneName()
{
    const auto spec = specOf(R"("command": "lab", "arguments": "eie", "set": {"x": [1, 2], "X": [3, 4]})");
    QTemporaryDir folder;
    const SweepOutcomes outcomes{{0, {0, "task,y\ntsp,5\n", {}, 1}}};
    const auto written = writeSweepTables(folder.path().toStdString(), *spec, outcomes);
    QVERIFY2(written, written ? "" : written.error().message.c_str());
    QCOMPARE(bytesOf(folder.filePath("rows.csv")), QByteArray("sweep_task,X,x,task,y\n0,3,1,tsp,5\n"));
}

void TestSweep::halfALineIsIgnored()
{
    QTemporaryDir folder;
    QFile file(folder.filePath("journal.jsonl"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"task\": 1, \"seconds\": 2, \"error\": \"\", \"rows\": \"a\\n1\\n\"}\nnonsense\n{\"task\": "
               "-4}\n{\"task\": 2, \"rows\": \"a\\n");
    file.close();
    {
        auto journal = SweepJournal::open(file.fileName().toStdString());
        QVERIFY(journal && journal->found().size() == 1 && journal->found().at(1).rows == "a\n1\n");
        QVERIFY(journal->add({2, "b\n", {}, 1}));
    }
    const auto journal = SweepJournal::open(file.fileName().toStdString());
    QVERIFY(journal && journal->found().size() == 2 && journal->found().at(2).rows == "b\n");
}

/// A line whose numbers were changed is not believed: its task is done again.
void TestSweep::changedLinesAreNotBelieved()
{
    QTemporaryDir folder;
    const std::string path = folder.filePath("journal.jsonl").toStdString();
    {
        auto journal = SweepJournal::open(path);
        QVERIFY(journal && journal->add({0, "a\n25\n", {}, 1}) && journal->add({1, "a\n26\n", {}, 1}));
    }
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray whole = file.readAll();
    file.close();
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray(whole).replace("25", "35")) == whole.size());
    file.close();
    const auto journal = SweepJournal::open(path);
    QVERIFY(journal && journal->found().size() == 1 && journal->found().contains(1));
}

void TestSweep::foreignFolders()
{
    const auto spec = specOf(R"("command": "entropy")");
    QTemporaryDir folder;
    QFile file(folder.filePath("letter.txt"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("dear") == 4);
    file.close();
    FakePool pool(1);
    QVERIFY(!runSweep(*spec, {"{}", folder.path().toStdString(), true}, pool, {}, {}));
    QVERIFY(file.remove());
    QVERIFY(runSweep(*spec, {"{}", folder.path().toStdString(), false}, pool, {}, {}));
    QVERIFY(!runSweep(*spec, {"{}", folder.path().toStdString(), false}, pool, {}, {}));  // needs resume
    QVERIFY(!runSweep(*spec, {"{ }", folder.path().toStdString(), true}, pool, {}, {}));  // another sweep
    QVERIFY(runSweep(*spec, {"{}", folder.path().toStdString(), true}, pool, {}, {}));
}

QTEST_APPLESS_MAIN(TestSweep)
#include "test_sweep.moc"
