// Results as files: the NumPy table against NumPy and against the same rows as CSV.

#include "app/commands/result_writer.h"
#include "core/base/csv.h"
#include "program.h"
#include "tests/support/patience.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace attnscope;

class TestResultFiles : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(writeTestTensors(m_folder.path())); }
    void numpyReadsEveryKindOfColumn();
    void theFormatsHoldTheSameRows();
    void everyRowHasTheFieldsOfTheHead_data();
    void everyRowHasTheFieldsOfTheHead();
    void anEndingSaysTheFormat_data();
    void anEndingSaysTheFormat();

private:
    QString file(const char* name) const { return m_folder.filePath(name); }

    /// What Python prints, or what went wrong.
    QByteArray python(const QString& code, const QStringList& arguments)
    {
        QProcess process;
        process.start(pythonWithNumpy(), QStringList{"-c", "import numpy as np, sys\n" + code} + arguments);
        process.waitForFinished(patienceWithPrograms);
        return process.readAllStandardOutput() + process.readAllStandardError();
    }
    QTemporaryDir m_folder;
};

void TestResultFiles::numpyReadsEveryKindOfColumn()
{
    if (pythonWithNumpy().isEmpty())
        QSKIP("python3-numpy is not installed, so nothing independent reads the table");
    const std::vector<std::vector<Cell>> rows{
        {std::int64_t{-3}, 0.1, Cell{}, true, std::string("κ and 𝛿"), Cell{}},
        {std::int64_t{1} << 62, Cell{}, std::int64_t{7}, false, std::string("b"), std::string("a note")}};
    const std::string bytes = npyTable({"whole", "real", "some", "flag", "text", "note"}, rows);
    QFile out(file("kinds.npy"));
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(bytes.data(), static_cast<qint64>(bytes.size()));
    out.close();
    QCOMPARE(
        python("t = np.load(sys.argv[1], allow_pickle=False)\n"
               "print(t.dtype.names, [t.dtype[n].str for n in t.dtype.names])\n"
               "print([t[n].tolist() for n in t.dtype.names])",
               {out.fileName()}),
        QByteArray(
            "('whole', 'real', 'some', 'flag', 'text', 'note') ['<i8', '<f8', '<f8', '|b1', '<U7', '<U6']\n"
            "[[-3, 4611686018427387904], [0.1, nan], [nan, 7.0], [True, False], ['κ and 𝛿', 'b'], ['', 'a note']]\n"));
    QCOMPARE((bytes.size() - 2 * (8 + 8 + 8 + 1 + 7 * 4 + 6 * 4)) % 64, std::size_t(0));  // where the data begins
}

void TestResultFiles::theFormatsHoldTheSameRows()
{
    if (pythonWithNumpy().isEmpty())
        QSKIP("python3-numpy is not installed, so nothing independent reads the table");
    for (const char* name : {"rows.csv", "rows.json", "rows.npy"}) {
        const Outcome made = runProgram({"stats", file("uniform.safetensors"), "--per-row", "-o", file(name)});
        QCOMPARE(made.status, 0);
        QVERIFY(made.output.isEmpty());
    }
    QCOMPARE(python("import csv, json\n"
                    "t = np.load(sys.argv[1])\n"
                    "c = list(csv.DictReader(open(sys.argv[2])))\n"
                    "j = json.load(open(sys.argv[3]))['rows']\n"
                    "assert len(t) == len(c) == len(j) == 12 and list(t.dtype.names) == list(c[0]) == list(j[0])\n"
                    "for a, b, d in zip(t, c, j):\n"
                    "    for n in t.dtype.names:\n"
                    "        if t.dtype[n].kind == 'U': assert str(a[n]) == b[n] == d[n], n\n"
                    "        elif d[n] is None: assert np.isnan(a[n]) and b[n] == '', n\n"
                    "        else: assert float(a[n]) == float(b[n]) == d[n], n\n"
                    "print(np.abs(t['entropy'] - np.log(t['keys'])).max() < 1e-6, t['layer'][0], t['tensor'][0])",
                    {file("rows.npy"), file("rows.csv"), file("rows.json")}),
             QByteArray("True 7 layer7.q\n"));
}

/// A measure with two parameters has a comma in its name, and where measures have columns the name is in the head.
void TestResultFiles::everyRowHasTheFieldsOfTheHead_data()
{
    QTest::addColumn<QStringList>("arguments");
    const QString tensors = file("uniform.safetensors"), comma = "window_top_mass:k=3,w=7";
    const QStringList measures{"--measure", comma, "shannon"};
    QTest::addRow("stats") << QStringList{"stats", tensors, "--method", "ssmax:s=0.4,row=0"} + measures;
    QTest::addRow("stats, rows") << QStringList{"stats", tensors, "--per-row"} + measures;
    QTest::addRow("heads") << QStringList{"heads", tensors, "--method", "ssmax:s=0.4,row=0"};
    QTest::addRow("scale") << QStringList{"scale", "--method", "ssmax:s=0.4,row=0", "--n", "64,128"};
    QTest::addRow("entropy") << QStringList{"entropy",     "--n",         "64",     "--measure", comma,
                                            "--estimator", "monte-carlo", "--rows", "16"};
}

void TestResultFiles::everyRowHasTheFieldsOfTheHead()
{
    QFETCH(QStringList, arguments);
    const Outcome outcome = runProgram(arguments + QStringList{"--format", "csv"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.errorLines.join('\n')));
    const auto records = csvRecords(std::string_view(outcome.output.constData(), size_t(outcome.output.size())));
    QVERIFY(records.size() > 1);
    for (const auto& record : records)
        QCOMPARE(record.size(), records.front().size());
    QVERIFY(outcome.output.contains(','));
    for (const std::string& column : records.front())
        QVERIFY2(column.find_first_of("\"\n") == column.npos && !column.empty(), column.c_str());
}

void TestResultFiles::anEndingSaysTheFormat_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("says");
    QTest::addRow("another ending") << QStringList{"-o", "rows.xls"} << "ends in .csv, .json or .npy";
    QTest::addRow("no ending") << QStringList{"-o", "rows"} << "ends in .csv, .json or .npy";
    QTest::addRow("a format that contradicts") << QStringList{"-o", "rows.csv", "--format", "json"} << "contradicts";
    QTest::addRow("a folder that is not there") << QStringList{"-o", "/nowhere/at/all.csv"} << "/nowhere/at/all.csv";
}

void TestResultFiles::anEndingSaysTheFormat()
{
    QFETCH(QStringList, options);
    QFETCH(QString, says);
    const Outcome run = runProgram(QStringList{"stats", file("uniform.safetensors")} + options);
    QVERIFY(run.status > 0);
    QVERIFY2(run.errorLines.join(' ').contains(says), qPrintable(run.errorLines.join(' ')));
}

QTEST_GUILESS_MAIN(TestResultFiles)
#include "test_result_files.moc"
