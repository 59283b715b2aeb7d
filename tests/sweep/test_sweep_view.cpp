// A sweep's folder as it is looked at, and what is averaged of it: every expected number is worked out by hand.

#include "core/sweep/sweep_view.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

using namespace attnscope;

namespace {

bool write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

const QByteArray spec =
    R"({"schema": "attnscope_sweep/1", "command": "entropy", "options": {"d": [16, 32], "seed": {"from": 1, "count": 2}, "--plain": true}})";

SweepFolder folderOf(const char* csv, std::vector<std::string> axes = {})
{
    SweepFolder folder;
    folder.table = parseSweepTable(csv, "rows.csv").value();
    folder.axes = std::move(axes);
    return folder;
}

}  // namespace

class TestSweepView : public QObject {
    Q_OBJECT
private slots:
    void journalGrows();
    void finishedTableAlone();
    void hostileTables_data();
    void hostileTables();
    void tablesOfOtherPrograms();
    void hostileFolders();
    void meansAndErrors();
    void whatIsAveragedIsSaid();
    void facetsAndTextsAcross();
    void firstChoices();
    void wrongChoices();
};

/// The specification and the journal, whose last line is being written: three of four tasks, one of them failed.
void TestSweepView::journalGrows()
{
    QTemporaryDir made;
    const std::string path = made.path().toStdString();
    QVERIFY(!isSweepFolder(path));
    QVERIFY(write(made.filePath("sweep.json"), spec) && isSweepFolder(path));
    auto folder = readSweepFolder(path);
    QVERIFY2(folder, folder ? "" : folder.error().message.c_str());
    QVERIFY(folder->tasks == 4 && folder->done == 0 && folder->table.rows.empty());
    QByteArray journal = "{\"task\": 3, \"seconds\": 1, \"error\": \"\", \"rows\": \"n,value\\n8,2.5\\n\"}\n{\"task\": "
                         "1, \"seconds\": 1, \"error\": \"no\", \"rows\": \"\"}\n";
    QVERIFY(write(made.filePath("journal.jsonl"), journal + "{\"task\": 0, \"seconds\": 1, \"err"));
    folder = readSweepFolder(path);
    QVERIFY(folder && folder->done == 1 && folder->failed == 1);
    QCOMPARE(folder->firstError, std::string("task 1: no"));
    QCOMPARE(folder->command, std::string("entropy"));
    journal += "{\"task\": 0, \"seconds\": 1, \"error\": \"\", \"rows\": \"n,value\\n8,1.5\\n\"}\n{\"task\": 77, "
               "\"seconds\": 1, \"error\": \"\", \"rows\": \"n,value\\n8,9\\n\"}\n";
    QVERIFY(write(made.filePath("journal.jsonl"), journal));
    folder = readSweepFolder(path);
    QVERIFY(folder && folder->done == 2);  // there is no task 77
    QCOMPARE(folder->table.columns, (std::vector<std::string>{"task", "d", "seed", "n", "value"}));
    QCOMPARE(folder->table.rows,
             (std::vector<std::vector<std::string>>{{"0", "16", "1", "8", "1.5"}, {"3", "32", "2", "8", "2.5"}}));
    QCOMPARE(folder->axes, (std::vector<std::string>{"d", "seed"}));
    QCOMPARE(folder->name, made.path().section('/', -1).toStdString());
}

void TestSweepView::finishedTableAlone()
{
    QTemporaryDir made;
    QVERIFY(write(made.filePath("rows.csv"), "\xEF\xBB\xBFtask,method,n,value\r\n0,\"a, b\",8,1\r\n\r\n1,c,16,2\r\n"));
    const auto folder = readSweepFolder(made.path().toStdString() + "/");
    QVERIFY2(folder, folder ? "" : folder.error().message.c_str());
    QCOMPARE(folder->table.columns.front(), std::string("task"));
    QCOMPARE(folder->table.rows,
             (std::vector<std::vector<std::string>>{{"0", "a, b", "8", "1"}, {"1", "c", "16", "2"}}));
    QVERIFY(folder->tasks == 0 && folder->axes.empty() && folder->command.empty());
    QCOMPARE(folder->name, made.path().section('/', -1).toStdString());
}

void TestSweepView::hostileTables_data()
{
    QTest::addColumn<QByteArray>("csv");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("empty") << QByteArray() << QByteArray("is empty");
    QTest::newRow("blank") << QByteArray("\n\n\n") << QByteArray("is empty");
    QTest::newRow("ragged") << QByteArray("a,b\n1,2\n3\n") << QByteArray("1 cells in row 2 and 2 columns");
    QTest::newRow("too wide") << QByteArray("a,b\n1,2,3\n") << QByteArray("3 cells in row 1 and 2 columns");
    QTest::newRow("one name twice") << QByteArray("a,b,a\n1,2,3\n") << QByteArray("two columns 'a'");
    QTest::newRow("a nameless column") << QByteArray("a,,c\n1,2,3\n") << QByteArray("nameless column, number 2");
    QTest::newRow("open quotes") << QByteArray("a,b\n\"1,2\n3,4\n") << QByteArray("columns");
}

void TestSweepView::hostileTables()
{
    QFETCH(QByteArray, csv);
    QFETCH(QByteArray, says);
    const auto table = parseSweepTable({csv.constData(), static_cast<std::size_t>(csv.size())}, "here/rows.csv");
    QVERIFY(!table && table.error().kind == ErrorKind::DataError);
    QVERIFY2(table.error().message.starts_with("here/rows.csv") &&
                 QByteArray::fromStdString(table.error().message).contains(says),
             table.error().message.c_str());
}

/// Of semicolons and decimal commas, of tabs, of lone carriage returns, of spaces around cells.
void TestSweepView::tablesOfOtherPrograms()
{
    const std::vector<std::string> columns{"n", "value", "what"};
    const std::vector<std::vector<std::string>> rows{{"8", "0.5", "a b"}, {"16", "-1.25", "c"}};
    for (const char* csv : {"n,value,what\n8,0.5,a b\n16,-1.25,c\n", "n;value;what\r\n8;0,5;a b\r\n16;-1,25;c\r\n",
                            "n\tvalue\twhat\n8\t0.5\ta b\n16\t-1.25\tc", "n,value,what\r8,0.5,a b\r16,-1.25,c\r",
                            "n, value, what\n 8, 0.5 , a b\n16 ,-1.25,c \n"}) {
        const auto table = parseSweepTable(csv, "rows.csv");
        QVERIFY2(table, csv);
        QCOMPARE(table->columns, columns);
        QCOMPARE(table->rows, rows);
    }
    const auto text = parseSweepTable("what;n\n\"1,2;3\";4\n", "rows.csv");
    QVERIFY(text);
    QCOMPARE(text->rows, (std::vector<std::vector<std::string>>{{"1,2;3", "4"}}));
}

void TestSweepView::hostileFolders()
{
    QTemporaryDir made;
    const std::string path = made.path().toStdString();
    QVERIFY(!readSweepFolder(path) &&
            readSweepFolder(path).error().message.find("attnscope sweep") != std::string::npos);
    for (const QByteArray& wrong :
         {QByteArray("["), QByteArray("{}"), QByteArray(R"({"schema": "attnscope_sweep/1"})"),
          QByteArray(R"({"schema": "attnscope_sweep/1", "command": "entropy", "options": {"d": []}})")}) {
        QVERIFY(write(made.filePath("sweep.json"), wrong));
        const auto folder = readSweepFolder(path);
        QVERIFY(!folder && folder.error().message.find("sweep.json") != std::string::npos);
    }
    QVERIFY(QFile::remove(made.filePath("sweep.json")));
    QFile large(made.filePath("rows.csv"));
    QVERIFY(large.open(QIODevice::WriteOnly) && large.resize((qint64{64} << 20) + 1));
    const auto folder = readSweepFolder(path);
    QVERIFY(!folder && folder.error().kind == ErrorKind::HeaderTooLarge &&
            folder.error().message.find("rows.sqlite") != std::string::npos);
}

/// 1, 2 and 6: mean 3, variance 7, standard error sqrt(7 / 3). Numbers are ordered as numbers, whatever their texts'
/// order.
void TestSweepView::meansAndErrors()
{
    const SweepFolder folder =
        folderOf("task,seed,n,value\n0,1,16,1\n1,2,16,2\n2,3,16,6\n3,1,8,5\n4,2,128,\n5,3,128,nan\n", {"seed"});
    const auto view = viewOf(folder, {"n", "value", "", ""});
    QVERIFY2(view, view ? "" : view.error().message.c_str());
    QCOMPARE(view->facets.size(), std::size_t{1});
    const auto& points = view->facets[0].lines[0].points;
    QCOMPARE(points.size(), std::size_t{2});
    QVERIFY(points[0].x == 8 && points[0].mean == 5 && !points[0].standardError && points[0].rows == 1);
    QVERIFY(points[1].x == 16 && points[1].mean == 3 && points[1].rows == 3);
    QVERIFY(std::abs(*points[1].standardError - std::sqrt(7.0 / 3)) < 1e-12);
    QCOMPARE(view->rowsWithoutValue, std::size_t{2});
    QVERIFY(view->averaged.size() == 1 && view->averaged[0].column == "seed" && view->averaged[0].values == 3 &&
            !view->repeats);
}

/// Methods that are mixed are named; what follows from the seed is not; rows that agree in all are said.
void TestSweepView::whatIsAveragedIsSaid()
{
    const SweepFolder folder = folderOf(
        "task,seed,method,n,asked,value\n0,1,a,8,10,1.5\n0,1,b,8,10,2.5\n1,2,a,8,20,3.5\n1,2,b,8,20,4.5\n", {"seed"});
    const auto names = [](const SweepView& view) {
        std::string all;
        for (const SweepView::Averaged& one : view.averaged)
            all += one.column + "*" + std::to_string(one.values) + " ";
        return all;
    };
    const auto mixed = viewOf(folder, {"n", "value", "", ""});
    QVERIFY(mixed && !mixed->repeats);
    QCOMPARE(names(*mixed), std::string("seed*2 method*2 "));
    QCOMPARE(mixed->facets[0].lines[0].points[0].mean, 3.0);
    QCOMPARE(names(*viewOf(folder, {"n", "value", "method", ""})), std::string("seed*2 "));
    QVERIFY(viewOf(folder, {"n", "value", "method", "seed"})->averaged.empty());
    const auto repeated = viewOf(folderOf("task,n,value\n0,8,1.5\n0,8,2.5\n"), {"n", "value", "", ""});
    QVERIFY(repeated->averaged.empty() && repeated->repeats);
}

void TestSweepView::facetsAndTextsAcross()
{
    std::string csv = "task,k,method,value\n";
    for (int k = 0; k < 12; ++k)
        for (const char* method : {"vanilla", "log_n"})
            csv += std::to_string(k) + "," + std::to_string(k) + "," + method + "," + std::to_string(k) + ".5\n";
    const auto view = viewOf(folderOf(csv.c_str()), {"method", "value", "", "k"});
    QVERIFY(view && view->facets.size() == mostFacets && view->facetsLeftOut == 3);
    QCOMPARE(view->facets[8].value, std::string("8"));  // after 2, as a number
    QCOMPARE(view->xNames, (std::vector<std::string>{"log_n", "vanilla"}));
    QCOMPARE(view->facets[2].lines[0].points.size(), std::size_t{2});
    QVERIFY(view->facets[2].lines[0].points[1].x == 1 && view->facets[2].lines[0].points[1].mean == 2.5);
}

void TestSweepView::firstChoices()
{
    const auto choice = [](const char* csv, std::vector<std::string> axes = {}) {
        return firstChoice(sweepColumns(folderOf(csv, std::move(axes))));
    };
    QVERIFY(choice("task,d,seed,n,method,value,stderr\n0,16,1,8,a,1.5,0.1\n1,32,2,16,b,2.5,0.2\n", {"d", "seed"}) ==
            (SweepChoice{"n", "value", "method", "d"}));
    QVERIFY(choice("task,rate,nll\n0,0.1,1.5\n1,0.2,2.5\n", {"rate"}) ==
            (SweepChoice{"rate", "nll", "", ""}));  // an axis is no measure
    QVERIFY(choice("task,a\n0,x\n1,y\n") == (SweepChoice{"a", "", "", ""}));
    QVERIFY(choice("task,sweep_d,seed,d,n,value\n0,16,1,16,8,1.5\n1,32,1,32,16,2.5\n", {"sweep_d", "seed"}) ==
            (SweepChoice{"n", "value", "d", ""}));  // sweep_d is d
    // a cell that is no number has no value; the others are still what was found
    const char* const unlucky = "task,n,value\n0,8,1.5\n1,16,failed\n2,32,2.5\n";
    QVERIFY(choice(unlucky) == (SweepChoice{"n", "value", "", ""}));
    const auto view = viewOf(folderOf(unlucky), {"n", "value", "", ""});
    QVERIFY(view);
    QCOMPARE(view->facets[0].lines[0].points.size(), std::size_t{2});
    QCOMPARE(view->rowsWithoutValue, std::size_t{1});
    // and whatever is chosen can be looked at, also where most of what was found is words, or none of it a number
    const char* const words = "task,n,value\n0,8,failed\n1,16,failed again\n2,32,2.5\n";
    QCOMPARE(choice(words).y, std::string("value"));
    QCOMPARE(viewOf(folderOf(words), choice(words))->rowsWithoutValue, std::size_t{2});
    const char* const noNumbers = "task,n,value\n0,8,failed\n1,16,failed again\n";
    QCOMPARE(choice(noNumbers).y, std::string("n"));
    for (const char* csv : {words, unlucky, noNumbers, "task,n,value\n0,8,).5\n1,16,nan\n"}) {
        const SweepChoice chosen = choice(csv);
        QCOMPARE(viewOf(folderOf(csv), chosen).has_value(), !chosen.x.empty() && !chosen.y.empty());
    }
    QVERIFY(choice("a\n") == (SweepChoice{}) || choice("a\n").y.empty());
}

void TestSweepView::wrongChoices()
{
    const SweepFolder folder = folderOf("task,n,method\n0,8,a\n");
    for (const SweepChoice& choice :
         {SweepChoice{"n", "method", "", ""}, SweepChoice{"n", "gone", "", ""}, SweepChoice{"n", "n", "gone", ""},
          SweepChoice{"", "n", "", ""}, SweepChoice{"n", "n", "", "gone"}})
        QVERIFY(!viewOf(folder, choice) && !viewOf(folder, choice).error().message.empty());
}

QTEST_APPLESS_MAIN(TestSweepView)
#include "test_sweep_view.moc"
