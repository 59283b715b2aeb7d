// The command line as a process: what it says of itself, and the formats of all its results.

#include "program.h"

#include "app/commands/command.h"

#include <QSet>
#include <QTest>

class TestListings : public QObject {
    Q_OBJECT

private slots:
    void helpOfEveryCommandHasAnExample();
    void registryIsListed_data();
    void registryIsListed();
    void formatsAgree();
    void wholeNumbersHaveNoPoint();
};

void TestListings::helpOfEveryCommandHasAnExample()
{
    const Outcome overview = runProgram({"--help"});
    QCOMPARE(overview.status, 0);
    for (const attnscope::Command& command : attnscope::commands()) {
        const QByteArray name = QByteArray::fromStdString(command.name);
        QVERIFY2(overview.output.contains("\n  " + name + " "), name);
        const Outcome help = runProgram({command.name.c_str(), "--help"});
        QCOMPARE(help.status, 0);
        QVERIFY2(help.output.contains("Example") && help.output.contains("attnscope " + name), name);
        QVERIFY2(help.errorLines.isEmpty(), name);
        for (const std::string& example : command.examples)
            QVERIFY2(example.starts_with(command.name), example.c_str());
    }
}

void TestListings::registryIsListed_data()
{
    QTest::addColumn<QStringList>("expected");
    QTest::addRow("methods") << QStringList{
        "vanilla",  "log_n", "su_kappa", "softmax_plus", "row_log",       "infoscale",          "yarn",
        "longrope", "ssmax", "llama4",   "log_power",    "entropy_exact", "entropy_mean_field", "entropy_measured",
        "custom"};
    QTest::addRow("normalisers") << QStringList{"softmax", "adaptive", "softmax1", "sink",     "sparsemax", "entmax15",
                                                "entmax",  "hardmax",  "sigmoid",  "softpick", "relu2",     "as_given"};
    QTest::addRow("positions") << QStringList{"none",   "rope",  "pi", "ntk",        "yarn_rope",    "long_rope",
                                              "rerope", "alibi", "t5", "kerple_log", "kerple_power", "fire"};
    QTest::addRow("masks") << QStringList{"full", "causal", "window", "lambda", "padding"};
    QTest::addRow("kernels") << QStringList{"dot", "cosine"};
    QTest::addRow("measures") << QStringList{"shannon",   "effective_tokens", "renyi",
                                             "collision", "max_weight",       "top_mass"};
    QTest::addRow("sources") << QStringList{"gaussian", "needle", "sphere", "tensors"};
    QTest::addRow("engines") << QStringList{"reference"};
}

void TestListings::registryIsListed()
{
    QFETCH(QStringList, expected);
    const QJsonArray rows = jsonRows({QTest::currentDataTag()});
    QSet<QString> ids;
    for (const QJsonValue& row : rows) {
        for (const char* field : {"id", "label", "formula"})
            QVERIFY2(!row[field].toString().isEmpty(), qPrintable(row["id"].toString() + " has no " + field));
        QVERIFY2(!ids.contains(row["id"].toString()), qPrintable("twice: " + row["id"].toString()));
        ids << row["id"].toString();
    }
    for (const QString& id : expected)
        QVERIFY2(ids.contains(id), qPrintable(id));
}

/// In a pipe the default is CSV; it has the columns and, digit for digit, the numbers of the JSON. The table is for
/// people.
void TestListings::formatsAgree()
{
    const QStringList call{"scale", "--method", "infoscale", "custom:1e-300*n", "--n", "7,1e6"};
    const QJsonArray rows = jsonRows(call);
    const QList<QByteArray> csv = runProgram(call).output.trimmed().split('\n');
    QCOMPARE(csv.size(), rows.size() + 1);
    const QList<QByteArray> header = csv[0].split(',');
    const qsizetype multiplier = header.indexOf("multiplier");
    QVERIFY(multiplier >= 0);
    for (qsizetype i = 0; i < rows.size(); ++i) {
        QCOMPARE(csv[i + 1].split(',')[multiplier].toDouble(), rows[i]["multiplier"].toDouble());
        QCOMPARE(rows[i].toObject().size(), header.size());
    }
    const QByteArray table = runProgram(call + QStringList{"--format", "table"}).output;
    QCOMPARE(table.trimmed().split('\n').size(), rows.size() + 1);
    QVERIFY(table.startsWith("method"));
}

/// What is whole is written without a point.
void TestListings::wholeNumbersHaveNoPoint()
{
    const QByteArray parameters = runProgram({"labs", "--parameters", "--format", "csv"}).output;
    QVERIFY2(parameters.contains("\neie,epochs,500,1,100000,"), parameters.left(300).constData());
    QVERIFY(!parameters.contains("e+15"));
    const QList<QByteArray> lines =
        runProgram({"model", "--n", "8", "--windows", "0", "--format", "csv"}).output.trimmed().split('\n');
    QCOMPARE(lines.size(), 2);
    const qsizetype fromEnd = lines[0].split(',').size() - lines[0].split(',').indexOf("n_train");
    QCOMPARE(lines[1].split(',').at(lines[1].split(',').size() - fromEnd), QByteArray("256"));
}

QTEST_GUILESS_MAIN(TestListings)
#include "test_listings.moc"
