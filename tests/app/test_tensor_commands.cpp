// stats and inspect: the heads of a file, as numbers of the command line.

#include "program.h"

#include "core/tensor/tensor_writer.h"
#include "tests/support/file_builder.h"
#include "tests/support/large_file.h"
#include "tests/support/model_tensors.h"
#include "tests/support/patience.h"

#include <QFile>
#include <QJsonDocument>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

#include <sys/resource.h>

class TestTensorCommands : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY(writeTestTensors(m_folder.path()));
        QCOMPARE(build::writeLanguageModel(file("model.safetensors").toStdString()), std::string());
    }
    void aFileOfGigabytesCostsWhatItsLayerCosts();
    void statsOfUniformRowsAreLogarithms();
    void statsMatchNumpy();
    void statsLeaveOutRowsWithoutAValue();
    void statsPerRowAverageToTheMean();
    void measuredScaleKeepsTheEntropy();
    void statsReadStandardInput();
    void notesSayWhatLooksLikeAMistake_data();
    void notesSayWhatLooksLikeAMistake();
    void sinksOfAFileStandForSoftmaxOne();
    void headsAreThoseOfTheNamedTensors();
    void headsOfARun();
    void theHeadThatMovesMostIsFirst();
    void everyRowSaysItsOwnReason();
    void inspectTellsWhatIsThere();
    void inspectTellsWhatCannotBeRead();

private:
    QString file(const QString& name) const { return m_folder.filePath(name); }
    QTemporaryDir m_folder;
};

/// The first of the tests: the peak of child processes only grows, and NumPy's is a large one.
void TestTensorCommands::aFileOfGigabytesCostsWhatItsLayerCosts()
{
    const QString small = file("small.safetensors"), large = file("large.safetensors");
    const auto peakOfCommands = [&](const QString& tensors) {
        for (const QStringList& call : {QStringList{"inspect", tensors}, QStringList{"stats", tensors},
                                        QStringList{"heatmap", tensors, "-o", file("map.npy")}})
            if (const Outcome outcome = runProgram(call); outcome.status != 0)
                QTest::qFail(qPrintable(outcome.errorLines.join(' ')), __FILE__, __LINE__);
        rusage usage{};
        ::getrusage(RUSAGE_CHILDREN, &usage);
        return usage.ru_maxrss;  // KiB
    };
    QCOMPARE(build::writeLayerBehind(small.toStdString(), 4), std::string());
    if (const std::string why = build::writeLayerBehind(large.toStdString(), std::uint64_t{4} << 30); !why.empty())
        QSKIP(why.c_str());
    const long ofSmall = peakOfCommands(small), ofLarge = peakOfCommands(large);
    QVERIFY2(ofLarge - ofSmall < 16 * 1024, qPrintable(QString("%1 KiB and %2 KiB").arg(ofSmall).arg(ofLarge)));
    QCOMPARE(runProgram({"stats", large}).output, runProgram({"stats", small}).output);
    QVERIFY(QFile::remove(large));
}

void TestTensorCommands::statsOfUniformRowsAreLogarithms()
{
    const QJsonArray rows =
        jsonRows({"stats", file("uniform.safetensors"), "--n", "1,2,6", "--method", "vanilla", "ssmax"});
    QCOMPARE(rows.size(), 2 * 2 * 3);
    for (const QJsonValue& row : rows) {
        const int n = row["n"].toInt();
        double entropy = 0, weight = 0;
        for (int visible = 1; visible <= n; ++visible) {
            entropy += std::log(visible) / n;
            weight += 1.0 / visible / n;
        }
        QVERIFY(std::abs(row["entropy_mean"].toDouble(NAN) - entropy) < 1e-6);
        QVERIFY(std::abs(row["max_weight"].toDouble(NAN) - weight) < 1e-6);
        QVERIFY(std::abs(row["collision"].toDouble(NAN) - weight) < 1e-6);
        QVERIFY(std::abs(row["effective_tokens"].toDouble(NAN) - std::exp(entropy)) < 1e-5);
        QCOMPARE(row["tensor"].toString(), "layer7.q");
        QCOMPARE(row["layer"].toInt(), 7);
        QCOMPARE(row["entropy_sd"].isNull(), n == 1);
        double squares = 0;  // of ln 1 .. ln n: how much rows differ, whatever their number
        for (int visible = 1; visible <= n; ++visible)
            squares += std::pow(std::log(visible) - entropy, 2);
        QVERIFY(n == 1 || std::abs(row["entropy_sd"].toDouble(NAN) - std::sqrt(squares / (n - 1))) < 1e-6);
        for (const QString& column : row.toObject().keys())
            QVERIFY2(!column.contains("stderr"), qPrintable(column));  // rows share their keys
    }
}

void TestTensorCommands::statsMatchNumpy()
{
    const QString model = file("model.safetensors");
    const QString python = pythonWithNumpy();
    if (python.isEmpty())
        QSKIP("python3-numpy is not installed, so nothing independent computes the entropies");
    const QString lengths = "64,128,256,512";
    QProcess direct;
    direct.start(python, {TEST_DATA "/direct_entropy.py", model, "layer2.q", "layer2.k", lengths, "512"});
    QVERIFY(direct.waitForFinished(patienceWithPrograms));
    QCOMPARE(direct.exitCode(), 0);
    const QJsonArray expected = QJsonDocument::fromJson(direct.readAllStandardOutput()).array();

    const QJsonArray rows =
        jsonRows({"stats", model, "--q", "layer2.q", "--k", "layer2.k", "--mask", "causal", "--method", "vanilla",
                  "infoscale", "softmax_plus", "--n", lengths, "--compare", "--matrix"});
    QCOMPARE(rows.size(), 8 * 3 * 4);
    QCOMPARE(rows.size(), expected.size());
    for (qsizetype i = 0; i < rows.size(); ++i) {
        const QJsonArray wanted = expected[i].toArray();
        QCOMPARE(rows[i]["head"], wanted[0]);
        QCOMPARE(rows[i]["method"], wanted[1]);
        QCOMPARE(rows[i]["n"], wanted[2]);
        int column = 3;
        for (const char* name : {"entropy_mean", "kl", "total_variation", "mean_row_entropy", "mutual_information"})
            QVERIFY2(std::abs(rows[i][name].toDouble(NAN) - wanted[column++].toDouble()) < 1e-4,
                     QJsonDocument(rows[i].toObject()).toJson());
    }
}

/// All logits are equal; with a pole at ln 1 the first row has no value.
void TestTensorCommands::statsLeaveOutRowsWithoutAValue()
{
    const QStringList call{"stats",   file("uniform.safetensors"), "--head",   "1", "--mask", "causal", "--method",
                           "vanilla", "log_power:gamma=-1",        "--compare"};
    const QJsonArray means = jsonRows(call);
    QCOMPARE(means[0]["rows"].toInt(), 6);
    QCOMPARE(means[1]["rows"].toInt(), 5);
    QCOMPARE(means[1]["queries"].toInt(), 6);
    QVERIFY(means[0]["note"].isNull() &&
            means[1]["note"].toString().startsWith("1 of 6 rows has no value: log_power: infinite at n = 1"));
    QVERIFY(std::abs(means[1]["entropy_mean"].toDouble(NAN) - std::lgamma(7.0) / 5) < 1e-6);  // ln 2 + ... + ln 6
    QCOMPARE(means[1]["kl"].toDouble(NAN), 0.0);
    const QJsonArray each = jsonRows(call + QStringList{"--per-row"});
    QVERIFY(each[6]["entropy"].isNull() && each[6]["multiplier"].isNull() && each[6]["kl"].isNull() &&
            !each[6]["note"].isNull());
    QVERIFY(each[7]["note"].isNull() &&
            std::abs(each[7]["multiplier"].toDouble(NAN) - (1 + 0.5 / std::log(2.0))) < 1e-6);

    // of whole matrices, not of a row
    QVERIFY(runProgram({"stats", file("uniform.safetensors"), "--matrix", "--per-row"}).status == 2);
}

void TestTensorCommands::statsPerRowAverageToTheMean()
{
    const QStringList call{"stats", file("uniform.safetensors"), "--head", "1", "--mask", "window:w=3"};
    const QJsonArray each = jsonRows(call + QStringList{"--per-row"});
    QCOMPARE(each.size(), 6);
    double sum = 0;
    for (int i = 0; i < 6; ++i) {
        const int visible = std::min(i + 1, 3);
        QCOMPARE(each[i]["query"].toInt(), i);
        QCOMPARE(each[i]["keys"].toInt(), visible);
        QVERIFY(std::abs(each[i]["entropy"].toDouble(NAN) - std::log(visible)) < 1e-6);
        sum += each[i]["entropy"].toDouble();
    }
    QVERIFY(std::abs(jsonRows(call).at(0)["entropy_mean"].toDouble(NAN) - sum / 6) < 1e-12);
}

void TestTensorCommands::measuredScaleKeepsTheEntropy()
{
    const QString model = file("model.safetensors");
    const QStringList call{"stats",    model, "--q",        "layer4.q",  "--k",
                           "layer4.k", "--n", "64,200,512", "--n-train", "64"};
    const QJsonArray rows = jsonRows(call + QStringList{"--method", "vanilla", "entropy_measured"});
    for (int head = 0; head < 8; ++head) {
        const double target = rows[head * 6]["entropy_mean"].toDouble();
        for (int length = 0; length < 3; ++length)
            QVERIFY(std::abs(rows[head * 6 + 3 + length]["entropy_mean"].toDouble(NAN) - target) < 1e-5);
    }
    const QJsonArray tooLong =
        jsonRows({"stats", model, "--head", "0", "--n", "512", "--n-train", "4096", "--method", "entropy_measured"});
    QVERIFY(tooLong[0]["entropy_mean"].isNull() && tooLong[0]["note"].toString().contains("4096 tokens"));
}

void TestTensorCommands::statsReadStandardInput()
{
    QFile tensors(file("uniform.safetensors"));
    QVERIFY(tensors.open(QIODevice::ReadOnly));
    const Outcome piped = runProgram({"stats", "-"}, tensors.readAll());
    QCOMPARE(piped.status, 0);
    QCOMPARE(piped.output, runProgram({"stats", file("uniform.safetensors")}).output);
}

void TestTensorCommands::notesSayWhatLooksLikeAMistake_data()
{
    QTest::addColumn<QString>("query");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("rope");
    QTest::addColumn<QString>("says");
    QTest::addRow("weights of a layer") << "h.0.q_proj.weight"
                                        << "h.0.k_proj.weight"
                                        << ""
                                        << "a row is a dimension of the model";
    QTest::addRow("before positions") << "q"
                                      << "k"
                                      << "pre-RoPE, base 500000, half-split pairs"
                                      << "taking --positions rope:base=500000,interleaved=0 ";
    QTest::addRow("before positions as usual") << "q"
                                               << "k"
                                               << "pre-RoPE, base 10000, interleaved pairs"
                                               << "taking --positions rope ";
}

void TestTensorCommands::notesSayWhatLooksLikeAMistake()
{
    QFETCH(QString, query);
    QFETCH(QString, key);
    QFETCH(QString, rope);
    QFETCH(QString, says);
    const std::vector<float> values(48, 0.5F);
    const std::string path = file("noted.safetensors").toStdString();
    const std::string names[] = {query.toStdString(), key.toStdString()};
    QVERIFY(attnscope::writeSafetensors(path,
                                        std::vector{attnscope::tensorView(names[0], {2, 6, 4}, values),
                                                    attnscope::tensorView(names[1], {2, 6, 4}, values)},
                                        {{"causal", "true"}, {"rope", rope.toStdString()}}));
    const Outcome outcome = runProgram({"stats", path.c_str()});
    QCOMPARE(outcome.status, 0);
    QVERIFY2(outcome.errorLines.join(' ').contains(says), qPrintable(outcome.errorLines.join(" / ")));
    QVERIFY(!runProgram({"stats", path.c_str(), "--positions", "none"}).errorLines.join(' ').contains("rotary"));
    QVERIFY(runProgram({"stats", file("uniform.safetensors")}).errorLines.isEmpty());
}

/// All logits are 0, so that row i has the mass (i + 1) / (i + 1 + e^s), the mean of six of which is worked out here;
/// the file's sinks are ln 3 and ln 5.
void TestTensorCommands::sinksOfAFileStandForSoftmaxOne()
{
    const std::vector<float> zeros(48, 0.0F), keys(48, 0.5F);
    const std::string path = file("sinks.safetensors").toStdString();
    QVERIFY(attnscope::writeSafetensors(path,
                                        std::vector{attnscope::tensorView("layer0.q", {2, 6, 4}, zeros),
                                                    attnscope::tensorView("layer0.k", {2, 6, 4}, keys)},
                                        {{"causal", "true"},
                                         {"layout", "heads, tokens, head_dim"},
                                         {"layer0.sinks", "1.0986122886681098, 1.6094379"}}));
    const auto mass = [&](int head, const QStringList& more) {
        return jsonRows(QStringList{"stats", path.c_str(), "--head", QString::number(head)} + more)
            .at(0)["mass"]
            .toDouble();
    };
    const auto expected = [](double silent) {
        double sum = 0;
        for (int seen = 1; seen <= 6; ++seen)
            sum += seen / (seen + silent) / 6;
        return sum;
    };
    for (int head = 0; head < 2; ++head) {
        const double own = head == 0 ? 3 : 5;
        QVERIFY(std::abs(mass(head, {}) - expected(own)) < 1e-6);
        QVERIFY(std::abs(mass(head, {"--positions", "kerple_log:r1=0"}) - expected(own)) < 1e-6);
        QVERIFY(std::abs(mass(head, {"--normaliser", "softmax1"}) - expected(own)) < 1e-6);
        QVERIFY(std::abs(mass(head, {"--normaliser", "sink:s=0"}) - expected(1)) < 1e-6);
        QVERIFY(std::abs(mass(head, {"--normaliser", "sink:s=1.0986122886681098"}) - expected(3)) < 1e-6);
        QVERIFY(std::abs(mass(head, {"--normaliser", "softmax"}) - 1) < 1e-6);
    }
    QVERIFY(runProgram({"stats", path.c_str(), "--normaliser", "softmax1"})
                .errorLines.join(' ')
                .contains("the file has a sink a head, which --normaliser softmax1 stands for"));
}

void TestTensorCommands::inspectTellsWhatIsThere()
{
    const QJsonArray rows = jsonRows({"inspect", file("uniform.safetensors")});
    QCOMPARE(rows.size(), 2);
    const QJsonValue keys = rows[rows[0]["name"] == "layer7.k" ? 0 : 1];
    QCOMPARE(keys["dtype"].toString(), "F32");
    QCOMPARE(keys["shape"].toString(), "[2, 6, 4]");
    QCOMPARE(keys["layout"].toString(), "heads_tokens_dim");
    QVERIFY(keys["role"].toString().contains("layer7"));
    QCOMPARE(keys["min"].toDouble(), -10.0);
    QCOMPARE(keys["max"].toDouble(), 37.0);
    QCOMPARE(keys["finite"].toBool(), true);
    QCOMPARE(jsonRows({"inspect", file("nan.safetensors")}).at(0)["finite"].toBool(true), false);
    QVERIFY(jsonRows({"inspect", file("uniform.safetensors"), "--values", "none"}).at(0)["min"].isNull());
}

/// --q and --k name a pair, one of it, or two tensors that are none by their names; what is not there is an error.
void TestTensorCommands::headsAreThoseOfTheNamedTensors()
{
    std::vector<float> values(48);
    for (size_t i = 0; i < values.size(); ++i)
        values[i] = std::sin(static_cast<float>(i));
    const std::vector<float> zeros(48, 0.0F);
    const std::vector tensors{
        attnscope::tensorView("layer0.q", {2, 6, 4}, values), attnscope::tensorView("layer0.k", {2, 6, 4}, values),
        attnscope::tensorView("layer1.q", {2, 6, 4}, values), attnscope::tensorView("layer1.k", {2, 6, 4}, values),
        attnscope::tensorView("zeros", {2, 6, 4}, zeros)};
    const QString pairs = file("pairs.safetensors");
    QVERIFY(attnscope::writeSafetensors(pairs.toStdString(), tensors));
    const auto queries = [&](const QStringList& named) {
        QStringList tensorsOfRows;
        for (const QJsonValue& row : jsonRows(QStringList{"heads", pairs, "--mask", "causal"} + named))
            tensorsOfRows << row["tensor"].toString();
        tensorsOfRows.sort();
        return tensorsOfRows;
    };
    QCOMPARE(queries({}), QStringList({"layer0.q", "layer0.q", "layer1.q", "layer1.q"}));
    QCOMPARE(queries({"--k", "layer1.k"}), QStringList({"layer1.q", "layer1.q"}));
    QCOMPARE(queries({"--q", "layer0.q", "--k", "layer1.k"}), QStringList({"layer0.q", "layer0.q"}));
    double uniform = 0;  // logits of 0: of row i the entropy is ln i
    for (int visible = 1; visible <= 6; ++visible)
        uniform += std::log(visible) / 6;
    for (const QJsonValue& row : jsonRows({"heads", pairs, "--mask", "causal", "--q", "layer0.q", "--k", "zeros"}))
        QVERIFY(std::abs(row["entropy"].toDouble(NAN) - uniform) < 1e-6);
    for (const QStringList& named :
         {QStringList{"--k", "nobody.k"}, QStringList{"--q", "layer0.q", "--k", "nobody.k"}}) {
        const Outcome outcome = runProgram(QStringList{"heads", pairs} + named);
        QVERIFY(outcome.status > 0);
        QVERIFY2(outcome.errorLines.join(' ').contains("nobody.k"), qPrintable(outcome.errorLines.join(' ')));
    }
}

/// File by file as each says alone, with the number of its name; --top is of each, and a broken one is named.
void TestTensorCommands::headsOfARun()
{
    QStringList files;
    const std::vector<double> steps{2, 10, 100};
    for (const double step : steps) {
        std::vector<float> values(48);
        for (size_t i = 0; i < values.size(); ++i)
            values[i] = std::sin(static_cast<float>(i)) * (0.5F + static_cast<float>(step) / 20);
        files << file(QStringLiteral("run-%1.safetensors").arg(step));
        const std::vector tensors{attnscope::tensorView("q", {2, 6, 4}, values),
                                  attnscope::tensorView("k", {2, 6, 4}, values)};
        QVERIFY(attnscope::writeSafetensors(files.back().toStdString(), tensors));
    }
    const QStringList how{"--mask", "causal", "--by", "entropy"};
    const QJsonArray all = jsonRows(QStringList{"heads", files[1], "--run"} + how);
    QCOMPARE(all.size(), 6);
    for (int at = 0; at < 3; ++at) {
        const QJsonArray alone = jsonRows(QStringList{"heads", files[at]} + how);
        QVERIFY(!alone[0].toObject().contains("number"));
        for (int head = 0; head < 2; ++head) {
            QJsonObject row = all[2 * at + head].toObject();
            QCOMPARE(row.take("number").toDouble(), steps[static_cast<size_t>(at)]);
            QCOMPARE(row, alone[head].toObject());
        }
    }
    QCOMPARE(jsonRows(QStringList{"heads", files[0], "--run", "--top", "1"} + how).size(), 3);
    QFile broken(file("run-30.safetensors"));
    QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("none") == 4);
    broken.close();
    const Outcome three = runProgram(QStringList{"heads", files[0], "--run"} + how);
    QVERIFY2(three.status == 0 && three.errorLines.join(' ').contains("left out: " + broken.fileName()),
             qPrintable(three.errorLines.join(' ')));
    const Outcome none = runProgram(QStringList{"heads", file("uniform.safetensors"), "--run"});
    QVERIFY2(none.status > 0 && none.errorLines.join(' ').contains("leave --run out"),
             qPrintable(none.errorLines.join(' ')));
}

/// Sixteen tokens, N = 8, every row sees all. Head 0: every query's logit is 2 at its own key and 0 elsewhere, so its
/// entropy grows a little. Head 1: every query's logit is 6 at the last key, so its entropy falls from ln 8 to
/// ln(e^6 + 15) - 6 e^6 / (e^6 + 15). Head 2: no logit differs, so its entropy grows by ln 2 and no multiplier keeps
/// it.
void TestTensorCommands::theHeadThatMovesMostIsFirst()
{
    constexpr size_t n = 16;
    std::vector<float> queries(3 * n * n), keys(3 * n * n);
    for (size_t i = 0; i < n; ++i) {
        queries[i * n + i] = 8;  // over the root of n, 2
        keys[i * n + i] = 1;
        queries[(n + i) * n] = 24;
    }
    keys[(2 * n - 1) * n] = 1;
    const QString moving = file("moving.safetensors");
    const std::vector tensors{attnscope::tensorView("q", {3, n, n}, queries),
                              attnscope::tensorView("k", {3, n, n}, keys)};
    QVERIFY(attnscope::writeSafetensors(moving.toStdString(), tensors));
    const QStringList call{"heads", moving, "--mask", "full", "--n-train", "8"};
    const auto order = [&](const QStringList& by) {
        QStringList heads;
        for (const QJsonValue& row : jsonRows(call + by))
            heads << QString::number(row["head"].toInt());
        return heads.join(' ');
    };
    QCOMPARE(order({}), QString("1 0 2"));
    QCOMPARE(order({"--top", "1"}), QString("1"));
    QCOMPARE(order({"--by", "slope"}), QString("1 0 2"));
    QCOMPARE(order({"--by", "entropy"}), QString("2 0 1"));
    const QJsonArray rows = jsonRows(call);
    QVERIFY(rows[0]["keeps_entropy"].toDouble() < 1 && rows[0]["slope"].toDouble() < -1);
    QVERIFY(rows[2]["keeps_entropy"].isNull());
    QVERIFY2(rows[2]["note"].toString().contains("no scale keeps the entropy"), qPrintable(rows[2]["note"].toString()));
    for (const QJsonValue& row : jsonRows(call + QStringList{"--n", "7"}))
        QVERIFY(row["keeps_entropy"].isNull() && row["note"].toString().contains("n is below N") &&
                row["slope"].isNull() && row["note"].toString().contains("a slope needs 16 tokens"));
}

/// Row i of uniform.safetensors sees i + 1 keys; InfoScale with eps = 1 has a value from n = e on, where N has one.
void TestTensorCommands::everyRowSaysItsOwnReason()
{
    const QJsonArray rows = jsonRows({"stats", file("uniform.safetensors"), "--head", "0", "--per-row", "--mask",
                                      "causal", "--n-train", "6", "--method", "infoscale:eps=1,row=1"});
    QCOMPARE(rows.size(), 6);
    for (int i = 0; i < 6; ++i) {
        QCOMPARE(rows[i]["keys"].toInt(), i + 1);
        QCOMPARE(rows[i]["note"].toString().contains(QStringLiteral("(n = %1)").arg(i + 1)), i + 1 < std::exp(1.0));
    }
    const QJsonArray hidden = jsonRows({"stats", file("uniform.safetensors"), "--head", "0", "--mask", "padding:0"});
    QVERIFY(hidden[0]["entropy_mean"].isNull() && hidden[0]["note"].toString().contains("no row sees a key"));
}

/// A text, and an array whose check sum is wrong, beside queries and keys that are right.
void TestTensorCommands::inspectTellsWhatCannotBeRead()
{
    const std::string array = build::npy(build::npyDict("<f4", "(3, 2)"), build::floats({1, 2, 3, 4, 5, 6}));
    const std::string text = build::npy(build::npyDict("<U7", "()"), std::string(28, 'x'));
    QFile archive(file("mixed.npz"));
    QVERIFY(archive.open(QIODevice::WriteOnly));
    archive.write(QByteArray::fromStdString(build::zip(
        {{"name.npy", text}, {.name = "x.npy", .content = array, .crc = 1}, {"q.npy", array}, {"k.npy", array}})));
    archive.close();
    const QJsonArray rows = jsonRows({"inspect", archive.fileName()});
    QCOMPARE(rows.size(), 4);
    QCOMPARE(rows[0]["dtype"].toString(), "<U7");
    QVERIFY2(rows[0]["note"].toString().contains("text cannot be read"), qPrintable(rows[0]["note"].toString()));
    QVERIFY(rows[0]["min"].isNull() && rows[1]["min"].isNull());
    QVERIFY2(rows[1]["note"].toString().contains("CRC"), qPrintable(rows[1]["note"].toString()));
    QCOMPARE(rows[2]["max"].toDouble(), 6.0);
    QCOMPARE(runProgram({"stats", archive.fileName()}).status, 0);
    const Outcome asked = runProgram({"stats", archive.fileName(), "--q", "name", "--k", "k"});
    QCOMPARE(asked.status, 1);
    QVERIFY2(asked.errorLines.size() == 1 && asked.errorLines[0].contains("text cannot be read"),
             qPrintable(asked.errorLines.join(" / ")));
}

QTEST_GUILESS_MAIN(TestTensorCommands)
#include "test_tensor_commands.moc"
