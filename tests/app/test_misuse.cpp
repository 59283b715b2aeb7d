// What the command line says to people who hold it wrong: one line, the right status, nothing on standard output.

#include "program.h"

#include "core/tensor/tensor_writer.h"
#include "tests/support/patience.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include <sys/resource.h>

class TestMisuse : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY(writeTestTensors(m_folder.path()) && QFile::link(file("uniform.safetensors"), file("link.npy")));
        const auto tensor = [&](const char* name, std::vector<std::int64_t> shape, std::span<const float> values) {
            return bool(attnscope::writeNpy(file(name).toStdString(), attnscope::tensorView("", shape, values)));
        };
        std::vector<float> factors(18, 1.0f);  // of stories: 3 layers, 6 heads
        factors[7] = std::numeric_limits<float>::quiet_NaN();
        QVERIFY(tensor("scalar.npy", {}, std::span(factors).first(1)) && tensor("none.npy", {0}, {}) &&
                tensor("factors.npy", {3, 6}, factors) && tensor("low.npy", {3, 3}, std::vector<float>(9, -1.0f)) &&
                tensor("f16.npy", {3, 3}, std::vector<float>(9, 0.5f)));
        write("latin.txt", "caf\xe9 au lait");
        write("empty.txt", "");
        write("words.txt", "1 2 three");
        write("gap.txt", "5,,6 7");
        write("field.json", R"({"schema": "attnscope_sweep/1", "command": "scale", "speed": 3})");
        write("zero.json", R"({"schema": "attnscope_sweep/1", "command": "scale",
                               "options": {"n": [0], "method": "vanilla"}})");
        write("taken/sweep.json", "{}");
        write("good.json", R"({"schema": "attnscope_sweep/1", "command": "scale",
                               "options": {"n": [64], "method": "vanilla"}})");
    }
    void whatTheFileDoesNotSayIsAsked();
    void nothingIsLostInSilence_data();
    void nothingIsLostInSilence();
    void aFileAtItsLimitIsAFullDisk();
    void wrongUseIsOneClearLine_data();
    void wrongUseIsOneClearLine();

private:
    QString file(const QString& name) const { return m_folder.filePath(name); }
    void write(const QString& name, const QByteArray& text) const
    {
        QDir().mkpath(QFileInfo(file(name)).path());
        QFile open(file(name));
        QVERIFY(open.open(QIODevice::WriteOnly) && open.write(text) == text.size());
    }
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
    QTest::addRow("a mistyped option that is required")
        << QStringList{"scale", "--methods", "vanilla", "--n", "5"} << 2 << "unknown option --methods; --method is";
    QTest::addRow("a measure without an exact expectation")
        << QStringList{"entropy", "--method", "vanilla", "--n", "64", "--measure", "max_weight"} << 2
        << "take --estimator monte-carlo";
    QTest::addRow("lengths beyond the heads") << QStringList{"figure", "head_entropy",
                                                             "-o",     file("beyond.svg"),
                                                             "--set",  "scenario.tensors.path=" + tensors,
                                                             "--set",  "parameters.lengths=4096:8192:x2"}
                                              << 2 << "parameters.lengths begins at 4096";
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
    QTest::addRow("a training length of a given scale")
        << QStringList{"entropy", "--n", "64", "--lambda", "1", "--n-train", "9"} << 2
        << "--n-train changes nothing here: --lambda is the whole factor on q.k";
    QTest::addRow("a temperature below the exact expectation's")
        << QStringList{"entropy", "--n", "64", "--d", "64", "--temperature", "1e-6"} << 2
        << "--temperature 1e-06 makes the scale lambda 125000 at n = 64, and the exact expectation is known up to 1250";
    QTest::addRow("a temperature below solve's")
        << QStringList{"solve", "--n", "200", "--n-train", "100", "--d", "16", "--temperature", "1e-6"} << 2
        << "--temperature: expected a number from 1e-04";
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
    for (const char* command : {"stats", "heatmap", "heads"})
        QTest::addRow("%s: a temperature that would be cut", command)
            << QStringList{command, tensors, "--temperature", "1e-300"} << 2 << "1e-06";
    QTest::addRow("a temperature of theory that would be cut")
        << QStringList{"entropy", "--n", "64", "--temperature", "1e-300"} << 2 << "1e-06";
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
        << QStringList{"figure", "method_grid", "-o", file("x.docx")} << 2 << ".pdf";
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
    QTest::addRow("a figure over its recipe")
        << QStringList{"figure", file("x.svg"), "-o", file("./x.svg")} << 2 << "one file";
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
    // sizes that would be computed for ever
    for (const char* command : {"model", "probe"})
        for (const char* n : {"4194305", "1e9", "64,1e7", "1e12"})
            QTest::addRow("%s --n %s", command, n) << QStringList{command, "--n", n} << 2 << "at most 4194304 tokens";
    QTest::addRow("windows so far out that their text would not end")
        << QStringList{"model", "--n", "64", "--windows", "100000000"} << 2 << "smaller --n, --windows or --stride";
    QTest::addRow("repeated tokens without an end")
        << QStringList{"model", "--n", "64", "--text", "repeated", "--windows", "0,1", "--stride", "1e9"} << 2
        << "smaller --n, --windows or --stride";
    QTest::addRow("a text without an end") << QStringList{"model", "--generate", "1e9"} << 2 << "to 4194304";
    // options that would change nothing, and what is there twice
    QTest::addRow("an encoder has no --last")
        << QStringList{"model", "masked", "--n", "64", "--last", "5"} << 2 << "leave it out";
    for (const QStringList& unread : {QStringList{"--method", "infoscale"}, QStringList{"--against", "log_n"}})
        QTest::addRow("runs have no %s", qPrintable(unread[0]))
            << QStringList{"scoreboard", "--show", "runs"} + unread << 2 << unread[0] + " changes nothing here";
    QTest::addRow("a model has no --values")
        << QStringList{"inspect", "masked", "--values", "all"} << 2 << "--values changes nothing here";
    QTest::addRow("the likeliest token has no seed")
        << QStringList{"model", "--generate", "3", "--sample", "0", "--seed", "5"} << 2
        << "--seed changes nothing here";
    for (const QStringList& unread :
         {QStringList{"--depth", "0.5"}, QStringList{"--depth", "0.4"}, QStringList{"--keys", "1"}})
        QTest::addRow("repeated tokens have no %s", qPrintable(unread.join(' ')))
            << QStringList{"probe", "--n", "64", "--task", "repeat"} + unread << 2
            << unread[0] + " is of --task needle";
    QTest::addRow("a length twice") << QStringList{"entropy", "--n", "64,16:64:x2"} << 2
                                    << "--n: 64 is there twice; name each once";
    QTest::addRow("a depth twice") << QStringList{"probe", "--n", "64", "--task", "needle", "--depth", "0.2,0.4,0.2"}
                                   << 2 << "--depth: 0.2 is there twice; name each once";
    QTest::addRow("a layer twice") << QStringList{"model", "--n", "64", "--in-layers", "1,1"} << 2
                                   << "--in-layers: 1 is there twice";
    QTest::addRow("a measure twice") << QStringList{"stats", tensors, "--measure", "collision", "collision"} << 2
                                     << "collision is there twice";
    QTest::addRow("a rule twice") << QStringList{"tune", "--rule", "constant", "constant"} << 2
                                  << "constant is there twice";
    QTest::addRow("a lab's parameter twice") << QStringList{"lab", "eie", "--set", "epochs=1", "--set", "epochs=2"} << 2
                                             << "--set: 'epochs' is there twice; name each once";
    QTest::addRow("a figure's field twice")
        << QStringList{"figure", "method_grid", "-o", file("x.svg"), "--set", "scenario.n=8", "--set", "scenario.n=9"}
        << 2 << "--set: 'scenario.n' is there twice";
    QTest::addRow("a method twice") << QStringList{"stats", tensors, "--method", "infoscale", "vanilla", "infoscale"}
                                    << 2 << "infoscale is there twice";
    QTest::addRow("positions twice") << QStringList{"model", "--n", "64", "--positions", "rope", "none", "rope"} << 2
                                     << "rope is there twice";
    for (const char* estimator : {"exact", "monte-carlo"})
        QTest::addRow("no needle, %s", estimator)
            << QStringList{"entropy", "--n", "64", "--measure", "needle", "--estimator", estimator} << 2 << "source";
    // what does not suit the shapes is wrong use, what is wrong in a file is not
    QTest::addRow("a layout of other axes")
        << QStringList{"stats", tensors, "--layout", "tokens_dim"} << 2 << "choose another layout";
    QTest::addRow("heads that do not divide")
        << QStringList{"stats", tensors, "--head-count", "3"} << 2 << "choose another --head-count";
    QTest::addRow("a number") << QStringList{"stats", file("scalar.npy")} << 1 << "two axes";
    QTest::addRow("no numbers") << QStringList{"stats", file("none.npy")} << 1 << "two axes";
    QTest::addRow("logits that are taken as weights") << QStringList{"stats", file("low.npy")} << 1 << "as logits";
    QTest::addRow("no logits among several") << QStringList{"stats", tensors, "--holds", "logits"} << 2 << "--q";
    QTest::addRow("a text in another encoding")
        << QStringList{"model", "--n", "4", "--text", file("latin.txt")} << 1 << "UTF-8";
    QTest::addRow("a text without a letter")
        << QStringList{"model", "--n", "4", "--text", file("empty.txt")} << 1 << "empty";
    QTest::addRow("ids in words") << QStringList{"model", "--n", "4", "--ids", file("words.txt")} << 1 << "byte 4";
    QTest::addRow("ids with a gap") << QStringList{"model", "--n", "4", "--ids", file("gap.txt")} << 1 << "byte 2";
    QTest::addRow("NaN among factors") << QStringList{"model", "--n", "64", "--head-factors", file("factors.npy")} << 1
                                       << "layer 1, head 1";
    QTest::addRow("factors in two tensors")
        << QStringList{"model", "--n", "64", "--head-factors", tensors} << 1 << "holds 2 tensors";
    QTest::addRow("a sweep of an unknown field")
        << QStringList{"sweep", file("field.json"), "--out", file("never")} << 1 << "speed";
    QTest::addRow("a sweep of a bad value")
        << QStringList{"sweep", file("zero.json"), "--out", file("never")} << 1 << "the sweep's n: --n: ";
    QTest::addRow("a sweep over another")
        << QStringList{"sweep", file("good.json"), "--out", file("taken")} << 1 << "holds a sweep already";
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

/// Of a file with one tensor nothing else can be meant; a layer is what its name says.
void TestMisuse::whatTheFileDoesNotSayIsAsked()
{
    const QJsonArray rows = jsonRows({"stats", file("low.npy"), "--holds", "logits"});
    QCOMPARE(rows.size(), 1);
    QVERIFY(std::abs(rows[0]["entropy_mean"].toDouble() - std::log(6.0) / 3) < 1e-6);  // causal: 1, 2, 3 keys
    QVERIFY(jsonRows({"stats", file("f16.npy")}).at(0)["layer"].isNull());
    QCOMPARE(jsonRows({"stats", file("uniform.safetensors"), "--head", "1,0,1"}).size(), 2);
    const Outcome heads = runProgram({"heads", file("uniform.safetensors"), "--by", "induction", "--top", "1"});
    QCOMPARE(heads.status, 0);
    QVERIFY2(heads.errorLines.join('\n').contains("no head here has a value of induction"),
             qPrintable(heads.errorLines.join(" / ")));
}

void TestMisuse::nothingIsLostInSilence_data()
{
    QTest::addColumn<QStringList>("arguments");
    for (const QStringList& arguments :
         {QStringList{"--help"}, QStringList{"--version"}, QStringList{"scale", "--help"}, QStringList{"help", "scale"},
          QStringList{"methods"}, QStringList{"scale", "--method", "all", "--n", "64"}})
        QTest::addRow("%s", qPrintable(arguments.join(' '))) << arguments;
}

void TestMisuse::nothingIsLostInSilence()
{
    QFETCH(QStringList, arguments);
    QProcess process;
    process.setStandardOutputFile("/dev/full");
    process.start(ATTNSCOPE_PROGRAM, arguments);
    QVERIFY(process.waitForFinished(patienceWithPrograms));
    QCOMPARE(process.exitCode(), 1);
    QVERIFY(process.readAllStandardError().contains("could not be written to standard output"));
}

/// ulimit -f: an error of the command, not a signal that ends it.
void TestMisuse::aFileAtItsLimitIsAFullDisk()
{
    QTemporaryDir folder;
    QProcess process;
    process.setChildProcessModifier([] {
        const rlimit limit{4096, 4096};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    });
    process.start(ATTNSCOPE_PROGRAM, {"heatmap", "--source", "local", "--n", "64", "-o", folder.filePath("x.npy")});
    QVERIFY(process.waitForFinished(patienceWithPrograms));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 1);
    const QByteArray said = process.readAllStandardError();
    QVERIFY2(said.contains("x.npy") && said.contains("File too large"), said.constData());
    QVERIFY(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).isEmpty());
}

QTEST_GUILESS_MAIN(TestMisuse)
#include "test_misuse.moc"
