// tune on the command line, on a small model made here: rows, exports, a search that is stopped and goes on, and
// misuse.

#include "program.h"

#include "tests/model/small_models.h"
#include "tests/support/patience.h"

#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <QJsonValue>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <fstream>

class TestTuneCommand : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void rowsSayWhatWasFound();
    void layersAreCountedAsLayers();
    void theTableBeginsWithTheAnswer();
    void lossesAreThoseOfModel();
    void exportsComeInPlaceOfRows();
    void aStoppedSearchGoesOnToTheSameBytes();
    void timeCanBeUp();
    void lossesOfOtherWeightsAreNotTaken();
    void whatCannotBeExportedIsSaidAtOnce();
    void mistakesSayWhatToDo_data();
    void mistakesSayWhatToDo();

private:
    QString file(const QString& name) const { return m_folder.filePath(name); }
    QStringList call(const QStringList& more = {}) const
    {
        return QStringList{"tune", file("llama"), "--ids", file("ids.txt"), "--n", "64", "--windows", "3,5"} + more;
    }
    static QJsonArray ofKind(const QJsonArray& rows, const char* kind)
    {
        QJsonArray all;
        for (const QJsonValue& row : rows)
            if (row["kind"].toString() == kind)
                all.append(row);
        return all;
    }
    static QByteArray contentOf(const QString& path)
    {
        QFile opened(path);
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
    }

    QTemporaryDir m_folder;
};

void TestTuneCommand::initTestCase()
{
    QCOMPARE(writeModel(smallModel("llama"), file("llama").toStdString()), std::string());
    QCOMPARE(writeModel(smallModel("gpt2"), file("gpt2").toStdString()), std::string());
    std::ofstream ids(file("ids.txt").toStdString());
    for (int i = 0; i < 700; ++i)
        ids << (i * i * 7 + i * 13 + i / 17 + 5) % 61 << (i % 10 == 9 ? "\n" : " ");
}

void TestTuneCommand::rowsSayWhatWasFound()
{
    const QJsonArray rows = jsonRows(call({"--gradients"}));
    QCOMPARE(ofKind(rows, "answer").size(), 1);
    QVERIFY(ofKind(rows, "answer").at(0)["note"].toString().contains("n = 64"));
    for (const char* setting : {"multiplier", "rule", "positions"})  // of random weights: nothing is recommended
        QVERIFY(ofKind(rows, "answer").at(0)[setting].isNull());
    const QJsonArray verdicts = ofKind(rows, "verdict");
    QVERIFY(verdicts.size() >= 3);  // n, against both, and N = 32 and below
    for (const QJsonValue& row : verdicts) {
        QCOMPARE(row["windows"].toInt(), 5);
        QVERIFY(row["low"].toDouble() <= row["difference"].toDouble());
        QVERIFY(row["p_holm"].isNull() || row["p_holm"].toDouble() >= row["p"].toDouble());
    }
    QVERIFY(ofKind(rows, "place").size() >= 4);
    QVERIFY(ofKind(rows, "tried").size() >= 12);
    QVERIFY(ofKind(rows, "published").size() >= 12);
    const QStringList byRow{"row_log", "ssmax", "llama4", "log_power"};  // these count the keys of a row
    QStringList found;
    for (const QJsonValue& row : ofKind(rows, "published")) {  // none goes on to other lengths by a rule of ours
        const QString method = row["method"].toString();
        QVERIFY2(!method.isEmpty() && row["rule"].toString() == (byRow.contains(method) ? "by row" : ""),
                 qPrintable(method));
        if (byRow.contains(method) && !found.contains(method))
            found << method;
    }
    QCOMPARE(found.size(), byRow.size());
    QCOMPARE(ofKind(rows, "head").size(), 18);
    QCOMPARE(ofKind(rows, "correlation").size(), 2);
    for (const QJsonValue& row : ofKind(rows, "correlation")) {
        QCOMPARE(row["what"].toString(), QStringLiteral("gain of a head"));
        QVERIFY(row["heads"].toInt() == 18 && row["layers"].isNull());
    }
    bool known = false;
    for (const QJsonValue& row : ofKind(rows, "theory"))  // ln 64 / ln 32
        known =
            known || (row["what"].toString() == "softmax_plus" && std::abs(row["multiplier"].toDouble() - 1.2) < 1e-12);
    QVERIFY(known);
}

/// A row a layer, and what is said over them counts layers: three orders at most would be as far from chance as 2 / 3!.
void TestTuneCommand::layersAreCountedAsLayers()
{
    const QJsonArray rows = jsonRows(call({"--over", "layers"}));
    const auto layers = ofKind(rows, "head").size();
    QVERIFY(layers == 3 && ofKind(rows, "correlation").size() == 2);
    for (const QJsonValue& row : ofKind(rows, "correlation")) {
        QCOMPARE(row["what"].toString(), QStringLiteral("gain of a layer"));
        QVERIFY(row["layers"].toInt() == layers && row["heads"].isNull());
        QVERIFY(row["p"].toDouble() > 0.33);
    }
}

void TestTuneCommand::theTableBeginsWithTheAnswer()
{
    const QByteArray table = runProgram(call({"--format", "table"})).output;
    QVERIFY(table.startsWith("At n = 64 this model predicts this text worse than chance ("));   // of random weights
    QVERIFY(table.contains("equal odds of its 61 tokens are 4.11): no scale is recommended"));  // ln 61
    for (const char* kind : {"\nverdict\n", "\nplace\n", "\ntried\n", "\npublished\n", "\ntheory\n"})
        QVERIFY2(table.contains(kind), kind);
}

/// The model as it is, on the windows that are fitted on: the third, sixth and eighth of eight.
void TestTuneCommand::lossesAreThoseOfModel()
{
    double asItIs = NAN;
    for (const QJsonValue& row : ofKind(jsonRows(call()), "tried"))
        if (row["multiplier"].toDouble() == 1)
            asItIs = row["nll"].toDouble();
    double sum = 0;
    int fitting = 0;
    for (int i = 0; i < 8; ++i)
        if ((i + 1) * 3 / 8 > i * 3 / 8) {
            const int start = i * (700 - 64) / 7;
            sum += jsonRows({"model", file("llama"), "--ids", file("ids.txt"), "--n", "64", "--windows", "1",
                             "--stride", QString::number(std::max(1, start))})
                       .at(0)["nll"]
                       .toDouble();
            ++fitting;
        }
    QCOMPARE(fitting, 3);
    QVERIFY2(std::abs(sum / 3 - asItIs) < 1e-5, qPrintable(QString::number(sum / 3 - asItIs)));
}

void TestTuneCommand::exportsComeInPlaceOfRows()
{
    const QString state = file("exports.search"), report = file("report.json");
    const Outcome flags = runProgram(call({"--resume", state, "--export", "llama.cpp", "-o", report}));
    QCOMPARE(flags.status, 0);
    QVERIFY(flags.output.startsWith("-c 64"));
    QVERIFY(flags.errorLines.join('\n').contains("n = 64"));
    QVERIFY(flags.errorLines.join('\n').contains("No scale is recommended: what is exported is the best"));
    const QJsonArray rows = QJsonDocument::fromJson(contentOf(report))["rows"].toArray();
    QCOMPARE(ofKind(rows, "export").size(), 1);
    const Outcome fields = runProgram(call({"--resume", state, "--export", "hf"}));
    QVERIFY(QJsonDocument::fromJson(fields.output).object().contains("rope_scaling"));
    const Outcome all = runProgram(call({"--resume", state, "--export", "vllm", "pytorch"}));
    QVERIFY(all.output.startsWith("--max-model-len 64 --hf-overrides '{") &&
            all.output.contains("register_forward_hook"));
    // what --head-factors takes has the loss of the best on the verdict's windows
    const QString factors = file("factors.npy");
    const Outcome command = runProgram(call({"--resume", state, "--export", "factors", "--export-to", factors}));
    QCOMPARE(command.status, 0);
    QVERIFY(QString::fromUtf8(command.output).contains("--head-factors " + factors));
    QVERIFY(contentOf(factors).startsWith("\x93NUMPY"));
}

/// Stopped by the signal of batch systems as soon as its file is there, as often as it takes.
void TestTuneCommand::aStoppedSearchGoesOnToTheSameBytes()
{
    const QStringList over = call({"--over", "both", "--positions", "pi", "ntk", "yarn_rope"});
    QCOMPARE(runProgram(over + QStringList{"-o", file("whole.json")}).status, 0);
    const QString state = file("stopped.search");
    const QStringList part = over + QStringList{"--resume", state, "-o", file("part.json")};
    int stopped = 0;
    for (int leg = 0; leg < 200; ++leg) {
        QProcess process;
        process.start(ATTNSCOPE_PROGRAM, part);
        const bool ended = process.waitForFinished(leg < 3 ? 700 * (leg + 1) : patienceWithPrograms);
        if (!ended) {
            process.terminate();
            QVERIFY(process.waitForFinished(patienceWithPrograms));
        }
        if (process.exitCode() == 0 && process.exitStatus() == QProcess::NormalExit)
            break;
        ++stopped;
        const QString says = QString::fromUtf8(process.readAllStandardError());
        QVERIFY2(says.contains("stopped; the same command goes on") || !QFile::exists(state), qPrintable(says));
    }
    qInfo("stopped %d times", stopped);
    QVERIFY(!contentOf(file("whole.json")).isEmpty());
    QCOMPARE(contentOf(file("part.json")), contentOf(file("whole.json")));
    const Outcome other = runProgram(call({"--resume", state, "--last", "8"}));
    QCOMPARE(other.status, 2);
    QVERIFY(other.errorLines.join(' ').contains("is of another search"));
}

/// A network that is trained further under its old name is another one.
void TestTuneCommand::lossesOfOtherWeightsAreNotTaken()
{
    const QString state = file("weights.search"), weights = file("llama/model.safetensors");
    const QStringList run = call({"--resume", state});
    QCOMPARE(runProgram(run).status, 0);
    QCOMPARE(runProgram(run).status, 0);
    QByteArray bytes = contentOf(weights);
    bytes[bytes.size() - 2] = static_cast<char>(bytes[bytes.size() - 2] ^ 1);
    QFile opened(weights);
    QVERIFY(opened.open(QIODevice::WriteOnly) && opened.write(bytes) == bytes.size());
    opened.close();
    const Outcome other = runProgram(run);
    QCOMPARE(other.status, 2);
    QVERIFY2(other.errorLines.join(' ').contains("is of another search"), qPrintable(other.errorLines.join(' ')));
}

void TestTuneCommand::timeCanBeUp()
{
    const Outcome short1 = runProgram(call({"--over", "heads", "--budget", "0.001s"}));
    QCOMPARE(short1.status, 0);
    QVERIFY(short1.errorLines.join(' ').contains("the time of --budget was up"));
    const QString answer = ofKind(jsonRows(call({"--budget", "0.001s"})), "answer").at(0)["note"].toString();
    QVERIFY2(answer.contains("time was up") && !answer.contains("Nothing is shown to help"), qPrintable(answer));
}

/// Before the search, which would write its losses.
void TestTuneCommand::whatCannotBeExportedIsSaidAtOnce()
{
    const QString state = file("none.search");
    const Outcome refused = runProgram({"tune", file("gpt2"), "--ids", file("ids.txt"), "--n", "24", "--export",
                                        "factors", "--export-to", file("g.npy"), "--resume", state});
    QCOMPARE(refused.status, 0);
    QVERIFY(QFile::remove(state));
    const Outcome none =
        runProgram({"tune", file("gpt2"), "--ids", file("ids.txt"), "--n", "24", "--export", "hf", "--resume", state});
    QVERIFY(none.status != 0 && none.output.isEmpty());
    QVERIFY2(none.errorLines.join(' ').contains("--export hf: "), qPrintable(none.errorLines.join(' ')));
    QVERIFY(!QFile::exists(state));
    const Outcome masked = runProgram({"tune", "masked", "--n", "64", "--last", "5"});
    QCOMPARE(masked.status, 2);
    QVERIFY(masked.errorLines.join(' ').contains("--last changes nothing here"));
}

void TestTuneCommand::mistakesSayWhatToDo_data()
{
    QTest::addColumn<QStringList>("more");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("says");
    const auto add = [](const QStringList& more, int status, const char* says) {
        QTest::addRow("%s", qPrintable(more.join(' '))) << more << status << says;
    };
    add({"--over", "everything"}, 2, "scale, positions, both, layers, heads");
    add({"--rule", "root"}, 2, "constant, log_ratio, log");
    add({"--rule", "log_ratio", "--n-train", "64"}, 2, "changes nothing up to N = 64");
    add({"--positions", "alibi"}, 2, "rope, pi, ntk");
    add({"--positions", "pi"}, 2, "not over scale");
    add({"--over", "positions", "--rule", "log"}, 2, "no multiplier is searched");
    add({"--rule", "constant", "log"}, 2, "the same multiplier at n");
    add({"--budget", "10 minutes"}, 2, "as 90s, 10m or 2h");
    add({"--budget", "0"}, 2, "as 90s, 10m or 2h");
    add({"--windows", "8"}, 2, "as 8,16");
    add({"--windows", "8,1"}, 2, "from 2");
    add({"--export", "onnx"}, 2, "hf, llama.cpp, vllm, pytorch, factors");
    add({"--export", "factors"}, 2, "--export-to FILE.npy");
    add({"--export-to", file("x")}, 2, "--export with one target");
    add({"--export", "factors", "--export-to", file("x.txt")}, 2, "writes .npy");
    add({"--resume", file("llama/config.json")}, 2, "config.json");
    add({"-o", file("x.txt")}, 2, ".csv, .json or .npy");
    add({"-o", file("nowhere/x.csv")}, 1, "there is no folder");
    add({"-o", file("x.csv"), "--resume", file("x.csv")}, 2, "one file");
    add({"--resume", file("ids.txt")}, 2, "one file");
}

void TestTuneCommand::mistakesSayWhatToDo()
{
    QFETCH(QStringList, more);
    QFETCH(int, status);
    QFETCH(QString, says);
    QStringList arguments = call();
    if (more.contains("--windows"))
        arguments.resize(arguments.size() - 2);
    const Outcome outcome = runProgram(arguments + more);
    QCOMPARE(outcome.status, status);
    QCOMPARE(outcome.errorLines.size(), 1);
    QVERIFY2(outcome.errorLines.front().contains(says), qPrintable(outcome.errorLines.front()));
    QVERIFY(outcome.output.isEmpty());
}

QTEST_GUILESS_MAIN(TestTuneCommand)
#include "test_tune_command.moc"
