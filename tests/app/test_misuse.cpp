// What the command line says to people who hold it wrong: one line, the right status, nothing on standard output.

#include "program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

class TestMisuse : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY(writeTestTensors(m_folder.path()) && QFile::link(file("uniform.safetensors"), file("link.npy")));
    }
    void wrongUseIsOneClearLine_data();
    void wrongUseIsOneClearLine();

private:
    QString file(const QString& name) const { return m_folder.filePath(name); }
    QTemporaryDir m_folder;
};

void TestMisuse::wrongUseIsOneClearLine_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("says");
    const QString tensors = file("uniform.safetensors");
    QTest::addRow("unknown command") << QStringList{"frobnicate"} << 2 << "frobnicate";
    QTest::addRow("unknown option") << QStringList{"methods", "--bogus"} << 2 << "--bogus";
    QTest::addRow("unknown format") << QStringList{"methods", "--format", "xml"} << 2 << "table, csv or json";
    QTest::addRow("unknown method") << QStringList{"scale", "--method", "nosuch", "--n", "64"} << 2 << "infoscale";
    QTest::addRow("unknown parameter") << QStringList{"scale", "--method", "softmax_plus:C=1", "--n", "64"} << 2
                                       << "its parameters are B";
    QTest::addRow("parameter out of range")
        << QStringList{"scale", "--method", "softmax_plus:B=-1", "--n", "64"} << 2 << "must be";
    QTest::addRow("broken expression") << QStringList{"scale", "--method", "custom:log(n", "--n", "64"} << 2
                                       << "column";
    for (const QStringList& command : {QStringList{"lab", "eie", "--out"}, QStringList{"sweep", "spec.json", "--out"},
                                       QStringList{"stats", tensors, "--output"},
                                       QStringList{"figure", "su_table", "--output"}, QStringList{"figure", "--all"}})
        QTest::addRow("an empty name after %s", qPrintable(command.join(' ')))
            << command + QStringList{""} << 2 << command.last() + " needs a name";
    for (const QStringList& command : {QStringList{"figure", "infoscale_table10_here", "-o", file("text.txt/a.pdf")},
                                       QStringList{"figure", "--all", file("text.txt/all")},
                                       QStringList{"lab", "eie", "--out", file("text.txt/run")},
                                       QStringList{"stats", tensors, "-o", file("text.txt/a.csv")}})
        QTest::addRow("below a file: %s", qPrintable(command.mid(0, 2).join(' ')))
            << command << 1 << "cannot be written";
    QTest::addRow("no methods") << QStringList{"scale", "--n", "64"} << 2 << "--method is required";
    QTest::addRow("an option where a method should be")
        << QStringList{"scale", "--method", "--n", "64"} << 2 << "expected a METHOD";
    QTest::addRow("no length") << QStringList{"scale", "--method", "vanilla", "--n", "0"} << 2 << "whole number from 1";
    QTest::addRow("empty list") << QStringList{"scale", "--method", "vanilla", "--n", ""} << 2 << "whole number from 1";
    QTest::addRow("list that runs backwards")
        << QStringList{"scale", "--method", "vanilla", "--n", "64:16:x2"} << 2 << "not below the first";
    QTest::addRow("head size that is a word")
        << QStringList{"scale", "--method", "vanilla", "--n", "64", "--d", "wide"} << 2 << "--d";
    QTest::addRow("unknown estimator") << QStringList{"entropy", "--n", "64", "--estimator", "guess"} << 2
                                       << "mean-field";
    QTest::addRow("a temperature of a given scale")
        << QStringList{"entropy", "--n", "64", "--lambda", "1", "--temperature", "2"} << 2
        << "--lambda is the whole factor on q.k, so --temperature has no part in it";
    QTest::addRow("scale given twice") << QStringList{"entropy", "--n", "64", "--lambda", "1", "--method", "vanilla"}
                                       << 2 << "--lambda";
    QTest::addRow("measure that an approximation lacks")
        << QStringList{"entropy", "--n", "64", "--estimator", "laplace", "--measure", "collision"} << 2 << "exact";
    QTest::addRow("solve without N") << QStringList{"solve", "--n", "64", "--d", "64"} << 2 << "--n-train is required";
    QTest::addRow("no file") << QStringList{"stats"} << 2 << "FILE is required";
    QTest::addRow("no such file") << QStringList{"stats", file("nosuch.safetensors")} << 1 << "no such file";
    QTest::addRow("a folder") << QStringList{"stats", m_folder.path()} << 1 << "directory";
    QTest::addRow("a text file") << QStringList{"stats", file("text.txt")} << 1 << "no .safetensors";
    QTest::addRow("a text file, inspected") << QStringList{"inspect", file("text.txt")} << 1 << "no .safetensors";
    QTest::addRow("NaN in the queries") << QStringList{"stats", file("nan.safetensors")} << 1 << "[0, 1, 1]";
    QTest::addRow("no such tensor") << QStringList{"stats", tensors, "--q", "nosuch", "--k", "layer7.k"} << 2
                                    << "layer7.q";
    QTest::addRow("no such head") << QStringList{"stats", tensors, "--head", "2"} << 2 << "0 to 1";
    QTest::addRow("more tokens than there are") << QStringList{"stats", tensors, "--n", "7"} << 2 << "6 tokens";
    QTest::addRow("temperature zero") << QStringList{"stats", tensors, "--temperature", "0"} << 2 << "--temperature";
    QTest::addRow("unknown mask") << QStringList{"stats", tensors, "--mask", "keyhole"} << 2 << "causal";
    QTest::addRow("unknown engine") << QStringList{"stats", tensors, "--engine", "steam"} << 2 << "reference";
    QTest::addRow("two files") << QStringList{"stats", tensors, tensors} << 2 << "not expected";
    QTest::addRow("the window without a display") << QStringList{} << 1 << "no display";
    QTest::addRow("the window with a file, without a display") << QStringList{tensors} << 1 << "no display";
    QTest::addRow("the window with the heads that come along, without a display")
        << QStringList{"stories"} << 1 << "no display";
    QTest::addRow("a scenario without a display") << QStringList{"--scenario", R"({"n":64})"} << 1 << "no display";
    QTest::addRow("a scenario that is none") << QStringList{"--scenario", R"({"n":"many"})"} << 2 << "scenario.n";
    QTest::addRow("heatmap of nothing") << QStringList{"heatmap", "-o", file("x.png")} << 2 << "--source";
    QTest::addRow("heatmap into a text file")
        << QStringList{"heatmap", tensors, "-o", file("x.txt")} << 2 << ".npy, .png, .pdf or .svg";
    QTest::addRow("heatmap into no folder")
        << QStringList{"heatmap", tensors, "-o", file("no/such/folder.npy")} << 1 << "folder.npy";
    QTest::addRow("picture into no folder")
        << QStringList{"heatmap", tensors, "-o", file("no/such/folder.png")} << 1 << "folder.png";
    QTest::addRow("heatmap of no such head")
        << QStringList{"heatmap", tensors, "--head", "5", "-o", file("x.npy")} << 2 << "0 to 1";
    QTest::addRow("figure without a name") << QStringList{"figure"} << 2 << "attnscope figures";
    QTest::addRow("figure without an output") << QStringList{"figure", "method_grid"} << 2 << "--output";
    QTest::addRow("no such figure") << QStringList{"figure", "nosuch", "-o", file("x.pdf")} << 2 << "nosuch";
    QTest::addRow("figure of an unknown kind of file")
        << QStringList{"figure", "method_grid", "-o", file("x.docx")} << 1 << ".pdf";
    QTest::addRow("figure into no folder")
        << QStringList{"figure", "method_grid", "-o", file("no/such/folder.pdf")} << 1 << "folder.pdf";
    QTest::addRow("width of nothing") << QStringList{"figure", "method_grid", "-o", file("x.pdf"), "--width", "wide"}
                                      << 2 << "--width";
    QTest::addRow("setting that no recipe has")
        << QStringList{"figure", "method_grid", "-o", file("x.pdf"), "--set", "scenario.colour=7"} << 2 << "colour";
    QTest::addRow("a picture that is too large")
        << QStringList{"figure", "adaptive_fit", "-o", file("x.png"), "--width", "2000mm", "--set", "dpi=2400"} << 1
        << "more than 32767 a side";
    QTest::addRow("a figure and its data in one file")
        << QStringList{"figure", "adaptive_fit", "-o", file("x.svg"), "--data", file("./x.svg")} << 2 << "one file";
    QTest::addRow("data over the recipe")
        << QStringList{"figure", file("uniform.safetensors"), "-o", file("x.svg"), "--data", tensors} << 2
        << "one file";
    QTest::addRow("rows over their tensors")
        << QStringList{"stats", tensors, "-o", file("link.npy")} << 2 << "one file";
    QTest::addRow("a heatmap over its tensors")
        << QStringList{"heatmap", tensors, "-o", file("link.npy")} << 2 << "one file";
    for (const QStringList& unread :
         {QStringList{"--q", "x"}, QStringList{"--k", "x"}, QStringList{"--layout", "tokens_dim"},
          QStringList{"--holds", "logits"}, QStringList{"--head-count", "2"}, QStringList{"--batch", "1"}})
        QTest::addRow("a source has no %s", qPrintable(unread[0]))
            << QStringList{"heatmap", "--source", "local", "-o", file("x.npy")} + unread << 2 << "excludes";
    for (const QStringList& unread : {QStringList{"--d", "8"}, QStringList{"--seed", "2"}})
        QTest::addRow("tensors have no %s", qPrintable(unread[0]))
            << QStringList{"heatmap", tensors, "-o", file("x.npy")} + unread << 2 << "excludes";
    for (const QStringList& unread : {QStringList{"--colours", "magma"}, QStringList{"--linear"}})
        QTest::addRow("numbers have no %s", qPrintable(unread[0]))
            << QStringList{"heatmap", tensors, "-o", file("x.npy")} + unread << 2
            << unread[0] + " changes nothing here";
    for (const QStringList& unread : {QStringList{"--rows", "8"}, QStringList{"--seed", "2"}})
        QTest::addRow("theory has no %s", qPrintable(unread[0]))
            << QStringList{"entropy", "--n", "64"} + unread << 2 << unread[0] + " changes nothing here";
    QTest::addRow("two orders at once") << QStringList{"stats", tensors, "--measure", "renyi:0.5", "renyi:3"} << 2
                                        << "one order";
}

void TestMisuse::wrongUseIsOneClearLine()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, status);
    QFETCH(QString, says);
    const Outcome outcome = runProgram(arguments);
    QCOMPARE(outcome.status, status);
    QVERIFY2(outcome.errorLines.size() == 1, qPrintable(outcome.errorLines.join(" / ")));
    QVERIFY2(outcome.errorLines[0].startsWith("attnscope") && outcome.errorLines[0].contains(says),
             qPrintable(outcome.errorLines[0]));
    QVERIFY(outcome.output.isEmpty());
}

QTEST_GUILESS_MAIN(TestMisuse)
#include "test_misuse.moc"
