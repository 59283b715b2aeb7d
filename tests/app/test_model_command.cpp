// model and inspect: a published layout on the command line, on a small model made here.

#include "program.h"

#include "core/model/families/families.h"
#include "core/tensor/tensor_writer.h"
#include "tests/model/every_family.h"
#include "tests/model/small_gguf.h"

#include <QFile>
#include <QJsonValue>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>

class TestModelCommand : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void lossesAreThoseOfThePlainForwardPass();
    void aFactorOnVanillaIsOne();
    void positionsAreThoseInForce();
    void whatTheMethodAndTheMaskDoIsNoted();
    void capturedRowsShareTheLoss();
    void rowsOfPlacesLayersAndHeads();
    void continuationsAreTheLikeliest();
    void savedHeadsAreRead_data();
    void savedHeadsAreRead();
    void headsHaveFactorsOfTheirOwn();
    void inspectSaysWhatTheModelIs();
    void aFileIsAModelToo();
    void productsOfIntegersAreOffByLittle();
    void withoutAnythingThereAreTheStories();
    void overlappingWindowsHaveNoStandardError();
    void nothingThatIsReadIsWrittenOver_data();
    void nothingThatIsReadIsWrittenOver();
    void mistakesSayWhatToDo_data();
    void mistakesSayWhatToDo();

private:
    QString file(const QString& name) const { return m_folder.filePath(name); }
    /// The mean loss of window `start` over its last `counted` predictions.
    double plainLossOf(int start, int n, int counted, const PlainPolicy& policy) const;

    QTemporaryDir m_folder;
    SmallModel m_model = smallModel("llama");
    std::vector<int> m_ids;
};

void TestModelCommand::initTestCase()
{
    QCOMPARE(writeModel(m_model, file("llama").toStdString()), std::string());
    std::ofstream ids(file("ids.txt").toStdString());
    for (int i = 0; i < 200; ++i) {
        m_ids.push_back((i * i * 7 + i * 13 + 5) % 61);
        ids << m_ids.back() << (i % 10 == 9 ? "\n" : " ");
    }
}

double TestModelCommand::plainLossOf(int start, int n, int counted, const PlainPolicy& policy) const
{
    std::vector<int> inputs{1};
    inputs.insert(inputs.end(), m_ids.begin() + start, m_ids.begin() + start + n - 1);
    const auto logits = plainLogits(m_model, inputs, policy);
    double sum = 0;
    for (int t = n - counted; t < n; ++t)
        sum += plainLoss(logits[static_cast<std::size_t>(t)], m_ids[static_cast<std::size_t>(start + t)]);
    return sum / counted;
}

void TestModelCommand::lossesAreThoseOfThePlainForwardPass()
{
    const QJsonArray rows =
        jsonRows({"model", file("llama"), "--ids", file("ids.txt"), "--n", "24,48", "--method", "vanilla", "row_log",
                  "--positions", "own", "rope", "pi", "--windows", "0,2", "--stride", "50", "--last", "12"});
    QCOMPARE(rows.size(), 3 * 2 * 2);
    for (const QJsonValue& row : rows) {
        const int n = row["n"].toInt(), counted = std::min(12, n / 2);
        PlainPolicy policy;
        if (row["method"] == "row_log")
            policy.multiplier = [](int i) { return std::log(i + 1.0) / std::log(32.0); };
        if (row["positions"] == "pi")
            policy.stretch = std::max(1.0, n / 32.0);
        const double first = plainLossOf(0, n, counted, policy), second = plainLossOf(100, n, counted, policy);
        QVERIFY(std::abs(row["nll"].toDouble(NAN) - (first + second) / 2) < 1e-4);
        QVERIFY(std::abs(row["perplexity"].toDouble(NAN) / std::exp((first + second) / 2) - 1) < 1e-4);
        QVERIFY(std::abs(row["stderr"].toDouble(NAN) - std::abs(first - second) / 2) < 1e-4);
        QVERIFY(row["entropy_mean"].toDouble(NAN) > 0 && row["entropy_mean"].toDouble(NAN) < std::log(n));
        QCOMPARE(row["n_train"].toInt(), 32);
    }
}

void TestModelCommand::aFactorOnVanillaIsOne()
{
    const QJsonArray rows = jsonRows({"model", file("llama"), "--ids", file("ids.txt"), "--n", "40", "--windows", "0",
                                      "--method", "vanilla:alpha=1.3", "custom:\"1.3\"", "vanilla"});
    QCOMPARE(rows.size(), 3);
    const double plain = plainLossOf(0, 40, 40, {.multiplier = [](int) { return 1.3; }});
    QVERIFY(std::abs(rows[0]["nll"].toDouble() - plain) < 1e-4);
    QCOMPARE(rows[0]["nll"].toDouble(), rows[1]["nll"].toDouble());
    QVERIFY(std::abs(rows[0]["nll"].toDouble() - rows[2]["nll"].toDouble()) > 1e-3);
    const QJsonArray probes = jsonRows({"probe", file("llama"), "--n", "40", "--samples", "2", "--method",
                                        "vanilla:alpha=1.3", "custom:\"1.3\"", "vanilla"});
    QCOMPARE(probes.size(), 3);
    QCOMPARE(probes[0]["loss"].toDouble(), probes[1]["loss"].toDouble());
    QVERIFY(probes[0]["loss"].toDouble() != probes[2]["loss"].toDouble());
}

/// Beyond N a LongRoPE model has other factors, and one with dynamic NTK another base; the row says which.
void TestModelCommand::positionsAreThoseInForce()
{
    const auto opened = [&](const char* type, const nlohmann::json& changes) {
        const auto small = writeFamily(type, file(type).toStdString(), changes);
        QVERIFY2(small, small ? "" : small.error().c_str());
    };
    opened("phi3", nlohmann::json::object());
    opened("qwen2", {{"max_position_embeddings", 32}, {"rope_scaling", {{"rope_type", "dynamic"}, {"factor", 2.0}}}});
    struct Place {
        const char* type;
        QString within, beyond;
    };
    const Place places[] = {{"phi3", "1,1.05,1.1", "1,2.5,4.4"}, {"qwen2", "rope", "s=3"}};
    for (const auto& [type, within, beyond] : places)
        for (const char* command : {"model", "probe"}) {
            QStringList call{command, file(type), "--n", "32,64"};
            if (call[0] == "model")
                call << "--ids" << file("ids.txt") << "--windows"
                     << "0";
            else
                call << "--samples"
                     << "2";
            const QJsonArray rows = jsonRows(call);
            QCOMPARE(rows.size(), 2);
            QVERIFY2(rows[0]["positions"].toString().contains(within), qPrintable(rows[0]["positions"].toString()));
            QVERIFY2(rows[1]["positions"].toString().contains(beyond), qPrintable(rows[1]["positions"].toString()));
            QVERIFY(!rows[1]["positions"].toString().contains(within + QLatin1Char(',')));
        }
}

void TestModelCommand::whatTheMethodAndTheMaskDoIsNoted()
{
    const auto noteOf = [&](const QStringList& more) {
        return jsonRows(QStringList{"model", file("llama"), "--ids", file("ids.txt"), "--n", "24", "--windows", "0"} +
                        more)
            .at(0)["note"]
            .toString();
    };
    QCOMPARE(noteOf({}), QString());
    QCOMPARE(noteOf({"--mask", "padding:length=12"}), QString("rows see the tokens that they predict"));
    QCOMPARE(noteOf({"--mask", "padding:length=12,causal=1"}), QString());
    QVERIFY(noteOf({"--mask", "padding:length=0"}).contains("24 of 24 rows see no key, and attention adds nothing"));
    QCOMPARE(noteOf({"--method", "entropy_measured"}), QString("entropy_measured is m = 1 up to N"));
    QCOMPARE(noteOf({"--method", "entropy_measured:alpha=2"}), QString("entropy_measured:alpha=2 is m = 2 up to N"));
}

void TestModelCommand::capturedRowsShareTheLoss()
{
    const QJsonArray rows = jsonRows({"model", file("llama"), "--ids", file("ids.txt"), "--n", "48", "--method",
                                      "vanilla", "custom:\"3\"", "--policy", "captured", "--windows", "0"});
    QCOMPARE(rows.size(), 2);
    QCOMPARE(rows[0]["nll"], rows[1]["nll"]);
    QVERIFY(rows[0]["stderr"].isNull());
    QVERIFY(rows[1]["entropy_mean"].toDouble() < rows[0]["entropy_mean"].toDouble() - 0.1);
    QVERIFY(std::abs(rows[0]["nll"].toDouble() - plainLossOf(0, 48, 48, {})) < 1e-4);
}

void TestModelCommand::rowsOfPlacesLayersAndHeads()
{
    const QStringList call{"model", file("llama"), "--ids", file("ids.txt"), "--n", "48"};
    const QJsonArray whole = jsonRows(call);
    const double loss = whole[0]["nll"].toDouble(NAN), entropy = whole[0]["entropy_mean"].toDouble(NAN);
    const QJsonArray places = jsonRows(call + QStringList{"--by-position"});
    QCOMPARE(places.size(), 32);
    double sum = 0;
    int next = 0;
    for (const QJsonValue& row : places) {
        QCOMPARE(row["first"].toInt(), next);
        next = row["last"].toInt() + 1;
        sum += row["nll"].toDouble(NAN) * (next - row["first"].toInt());
    }
    QCOMPARE(next, 48);
    // another run each: float32 sums may be grouped otherwise
    QVERIFY(std::abs(sum / 48 - loss) < 1e-5);
    const auto mean = [&](const QStringList& more, int count) {
        const QJsonArray rows = jsonRows(call + more);
        double total = 0;
        for (const QJsonValue& row : rows)
            total += row["entropy_mean"].toDouble(NAN) / count;
        return rows.size() == count ? total : NAN;
    };
    QVERIFY(std::abs(mean({"--layers"}, 3) - entropy) < 1e-5);
    QVERIFY(std::abs(mean({"--heads"}, 18) - entropy) < 1e-5);
}

void TestModelCommand::continuationsAreTheLikeliest()
{
    const QJsonArray rows = jsonRows({"model", file("llama"), "--generate", "6"});
    QCOMPARE(rows.size(), 1);
    std::vector<int> tokens{1};
    QStringList expected;
    for (int i = 0; i < 6; ++i) {
        const std::vector<double> last = plainLogits(m_model, tokens).back();
        tokens.push_back(static_cast<int>(std::max_element(last.begin(), last.end()) - last.begin()));
        expected.append(QString::number(tokens.back()));
    }
    QCOMPARE(rows[0]["tokens"].toString(), expected.join(' '));
}

/// Every family that is run, a .gguf file, and one whose name is its checksum.
void TestModelCommand::savedHeadsAreRead_data()
{
    QTest::addColumn<QString>("path");
    for (const attnscope::Family& family : attnscope::families()) {
        const QString type = QString::fromUtf8(family.id.data(), std::ssize(family.id));
        const auto written = writeFamily(type.toStdString(), file(type).toStdString());
        QVERIFY2(written, written ? "" : written.error().c_str());
        QTest::addRow("%s", qPrintable(type)) << file(type);
    }
    for (const auto& [type, name] :
         {std::pair{"llama3", "llama3.gguf"}, std::pair{"gemma2", "sha256-0d0e647c7cc61c03"}}) {
        std::ofstream(file(name).toStdString(), std::ios::binary) << build::gguf(converted(smallModel(type)).file);
        QTest::addRow("%s", name) << file(name);
    }
}

/// What the file says is enough: nothing is given by hand.
void TestModelCommand::savedHeadsAreRead()
{
    QFETCH(QString, path);
    const QString saved = file("heads.safetensors");
    const QJsonArray rows = jsonRows(
        {"model", path, "--ids", file("ids.txt"), "--n", "32", "--windows", "0", "--heads", "--save-qk", saved});
    const QJsonArray read = jsonRows({"heads", saved});
    QVERIFY(!rows.isEmpty());
    QCOMPARE(read.size(), rows.size());
    int compared = 0;
    for (const QJsonValue& one : read)
        for (const QJsonValue& row : rows)
            if (one["layer"] == row["layer"] && one["head"] == row["head"]) {
                QVERIFY(std::abs(one["entropy"].toDouble(NAN) - row["entropy_mean"].toDouble(NAN)) < 1e-5);
                for (const char* role : {"share", "first", "sinks", "previous", "itself", "near", "spread"})
                    QVERIFY2(std::abs(one[role].toDouble(NAN) - row[role].toDouble(NAN)) < 1e-4, role);
                ++compared;
            }
    QCOMPARE(compared, rows.size());
}

/// A factor of 0 leaves a head no choice: rows 1 to 32 have entropies ln 1 to ln 32. The same factor everywhere is a
/// temperature.
void TestModelCommand::headsHaveFactorsOfTheirOwn()
{
    const QString path = file("factors.npy");
    std::vector<double> factors(18, 2.0);
    const auto write = [&] {
        return attnscope::writeNpy(path.toStdString(),
                                   attnscope::tensorView({}, {3, 6}, std::span<const double>(factors)))
            .has_value();
    };
    QVERIFY(write());
    const QStringList call{"model", file("llama"), "--ids", file("ids.txt"), "--n", "32", "--windows", "0"};
    const double hotter = jsonRows(call + QStringList{"--temperature", "0.5"}).at(0)["nll"].toDouble(NAN);
    QVERIFY(std::abs(jsonRows(call + QStringList{"--head-factors", path}).at(0)["nll"].toDouble(NAN) - hotter) < 1e-5);
    factors[7] = 0;
    QVERIFY(write());
    double uniform = 0;
    for (int keys = 1; keys <= 32; ++keys)
        uniform += std::log(keys) / 32;
    const QJsonArray heads = jsonRows(call + QStringList{"--head-factors", path, "--heads"});
    QCOMPARE(heads.size(), 18);
    QVERIFY(std::abs(heads[7]["entropy_mean"].toDouble(NAN) - uniform) < 1e-5);
    QVERIFY(heads[8]["entropy_mean"].toDouble(NAN) < uniform - 1e-3);
}

void TestModelCommand::inspectSaysWhatTheModelIs()
{
    const QJsonArray rows = jsonRows({"inspect", file("llama")});
    QHash<QString, QJsonValue> values;
    for (const QJsonValue& row : rows)
        values[row["name"].toString()] = row["value"];
    QCOMPARE(
        values["architecture"].toString(),
        QString("Llama: 3 layers, width 24, 6 query heads on 2 key heads of size 6, vocabulary 61, trained at 32"));
    QCOMPARE(values["weights"].toString(), QString("F32"));
    QCOMPARE(values["positions"].toString(), QString("rope:interleaved=0"));
}

/// The same numbers from the .gguf file as from the folder, whatever the file is called.
void TestModelCommand::aFileIsAModelToo()
{
    const QString blob = file("sha256-c0ffee");
    std::ofstream(blob.toStdString(), std::ios::binary) << build::gguf(converted(m_model).file);
    const QStringList rest{"--ids", file("ids.txt"), "--n", "24", "--windows", "0"};
    const double folder = jsonRows(QStringList{"model", file("llama")} + rest).at(0)["nll"].toDouble(NAN);
    QVERIFY(std::abs(jsonRows(QStringList{"model", blob} + rest).at(0)["nll"].toDouble(NAN) - folder) < 1e-5);
    QHash<QString, QString> values;
    for (const QJsonValue& row : jsonRows({"inspect", blob}))
        values[row["name"].toString()] = row["value"].toVariant().toString();
    QVERIFY(values["architecture"].startsWith("Llama: 3 layers, width 24, 6 query heads on 2 key heads of size 6"));
    QCOMPARE(values["trained_length"], QString("32"));
    QCOMPARE(values["positions"], QString("rope"));
    QCOMPARE(jsonRows({"inspect", blob, "--tensors"}).size(), qsizetype(m_model.tensors.size()));
}

/// Q8_0: a scale in half precision, here 2^-6, and 32 numbers of eight bits.
void TestModelCommand::productsOfIntegersAreOffByLittle()
{
    const auto small =
        writeFamily("glm4", file("quantised").toStdString(),
                    {{"hidden_size", 64}, {"head_dim", 16}, {"intermediate_size", 64}, {"num_attention_heads", 4}});
    QVERIFY2(small, small ? "" : small.error().c_str());
    SmallModel rounded = *small;
    for (auto& [name, tensor] : rounded.tensors)
        for (float& value : tensor.values)
            value = tensor.shape.size() == 2 ? std::clamp(std::round(value * 64), -127.0f, 127.0f) / 64 : value;
    const GgufMaker floats = converted(rounded);
    GgufMaker eights;
    eights.file.values = floats.file.values;
    for (const build::GgufTensor& tensor : floats.file.tensors) {
        std::size_t count = 1;
        for (const std::uint64_t extent : tensor.extents)
            count *= extent;
        std::string bytes = floats.file.data.substr(tensor.offset, 4 * count);
        const bool matrix = tensor.extents.size() == 2;
        if (matrix) {
            std::vector<float> values(count);
            std::memcpy(values.data(), bytes.data(), bytes.size());
            bytes.clear();
            for (std::size_t i = 0; i < count; ++i) {
                if (i % 32 == 0)
                    bytes += build::little(0x2400, 2);
                bytes += static_cast<char>(static_cast<int>(std::lround(values[i] * 64)));
            }
        }
        eights.tensor(tensor.name, {tensor.extents.rbegin(), tensor.extents.rend()}, bytes, matrix ? 8 : 0);
    }
    for (const auto& [name, made] :
         {std::pair{"floats.gguf", &floats}, std::pair{"eights.gguf", &std::as_const(eights)}})
        std::ofstream(file(name).toStdString(), std::ios::binary) << build::gguf(made->file);
    const QStringList rest{"--ids", file("ids.txt"), "--n", "24", "--windows", "0"};
    const auto lossOf = [&](const QString& model, const QStringList& more = {}) {
        return jsonRows(QStringList{"model", file(model)} + rest + more).at(0)["nll"].toDouble(NAN);
    };
    const double exact = lossOf("floats.gguf");
    QVERIFY(std::abs(lossOf("eights.gguf") - exact) < 1e-5);
    const QStringList integers{"--products", "integers"};
    const Outcome asked = runProgram(QStringList{"model", file("eights.gguf")} + rest + integers);
    if (asked.status != 0) {
        QVERIFY2(asked.errorLines.join(' ').contains("leave --products away"), qPrintable(asked.errorLines.join(' ')));
        QSKIP("this processor has no products of eight-bit integers");
    }
    QVERIFY(asked.errorLines.join(' ').contains("off by about half a percent"));
    const Outcome inVain = runProgram(QStringList{"model", file("floats.gguf")} + rest + integers);
    QCOMPARE(inVain.status, 0);
    QVERIFY2(inVain.errorLines.join(' ').contains("changes nothing: of this model's weights, F32, none are"),
             qPrintable(inVain.errorLines.join(' ')));
    const double off = lossOf("eights.gguf", integers) - exact;
    QVERIFY2(off != 0 && std::abs(off) < 0.05, qPrintable(QString::number(off)));
    QCOMPARE(lossOf("floats.gguf", integers), exact);
    const Outcome wrong =
        runProgram(QStringList{"model", file("floats.gguf")} + rest + QStringList{"--products", "few"});
    QCOMPARE(wrong.status, 2);
    QVERIFY(wrong.errorLines.join(' ').contains("expected exact or integers"));
}

/// The first command that anybody types. Chance would be ln 843 = 6.7 nats.
void TestModelCommand::withoutAnythingThereAreTheStories()
{
    const QJsonArray rows = jsonRows({"model", "--windows", "0,1", "--stride", "300", "--last", "64"});
    QCOMPARE(rows.size(), 4);
    QVERIFY(rows[0]["nll"].toDouble() < 1.6);
    QCOMPARE(rows[3]["n"].toInt(), 8 * rows[0]["n"].toInt());
    QCOMPARE(jsonRows({"model", "stories", "--text", "generated", "--n", "256", "--windows", "0,1", "--stride", "300",
                       "--last", "64"})
                 .at(0)["nll"],
             rows.at(0)["nll"]);
    QVERIFY(jsonRows({"model", "stories", "--generate", "12"}).at(0)["text"].toString().size() > 20);
    bool described = false;
    for (const QJsonValue& row : jsonRows({"inspect", "stories"}))
        described = described || row["value"].toString().contains("Llama");
    QVERIFY(described);
}

/// Windows a token closer than n share one.
void TestModelCommand::overlappingWindowsHaveNoStandardError()
{
    for (const QStringList& rowsOf :
         {QStringList{}, QStringList{"--by-position"}, QStringList{"--layers"}, QStringList{"--heads"}})
        for (const int stride : {10, 39, 40, 60}) {
            const QJsonArray rows = jsonRows(QStringList{"model", file("llama"), "--ids", file("ids.txt"), "--n", "40",
                                                         "--windows", "0,2,1", "--stride", QString::number(stride)} +
                                             rowsOf);
            QVERIFY(!rows.isEmpty());
            for (const QJsonValue& row : rows) {
                QCOMPARE(row["windows"].toInt(), 3);
                QCOMPARE(row["stderr"].toDouble() > 0, stride >= 40);
                QCOMPARE(row["note"].toString().contains("the windows overlap"), stride < 40);
            }
        }
}

void TestModelCommand::nothingThatIsReadIsWrittenOver_data()
{
    QTest::addColumn<QStringList>("call");
    QTest::addColumn<QString>("kept");
    QTest::addColumn<QString>("says");
    const auto row = [](const QStringList& call, const QString& kept, const QString& says) {
        QTest::addRow("%s of %s, %s", qPrintable(says), qPrintable(call.first()), qPrintable(kept.section('/', -1)))
            << call << kept << says;
    };
    // names that every option takes; a link to the file is the file
    const QString folder = file("llama"), ids = file("ids.csv"), factors = file("factors.npy"), link = file("link.csv"),
                  gguf = file("model.csv"), config = folder + "/config.json", weights = folder + "/model.safetensors";
    for (const QString& written : {ids, link}) {
        row({"model", folder, "--ids", ids, "--n", "8", "-o", written}, ids, "--ids and --output");
        row({"model", folder, "--text", ids, "--n", "8", "-o", written}, ids, "--text and --output");
        row({"model", folder, "--ids", ids, "--n", "8", "--save-qk", written}, ids, "--ids and --save-qk");
        row({"probe", folder, "--task", "needle", "--ids", ids, "-o", written}, ids, "--ids and --output");
        row({"probe", folder, "--task", "needle", "--text", ids, "-o", written}, ids, "--text and --output");
        for (const char* option : {"--output", "--resume", "--export-to"})
            row({"tune", folder, "--ids", ids, "--n", "8", option, written, "--export", "hf"}, ids,
                QString("--ids and ") + option);
    }
    row({"model", folder, "--ids", ids, "--n", "8", "--head-factors", factors, "-o", factors}, factors,
        "--head-factors and --output");
    row({"model", folder, "--ids", ids, "--n", "8", "--head-factors", factors, "--save-qk", factors}, factors,
        "--head-factors and --save-qk");
    row({"model", folder, "--ids", ids, "--n", "8", "-o", factors, "--save-qk", factors}, factors,
        "--output and --save-qk");
    row({"model", folder, "--ids", ids, "--n", "8", "-o", config}, config, "MODEL and --output");
    row({"model", folder, "--ids", ids, "--n", "8", "--save-qk", weights}, weights, "MODEL and --save-qk");
    row({"model", gguf, "--ids", ids, "--n", "8", "-o", gguf}, gguf, "MODEL and --output");
    row({"model", gguf, "--generate", "3", "-o", gguf}, gguf, "MODEL and --output");
    row({"probe", folder, "-o", config}, config, "MODEL and --output");
    row({"probe", gguf, "-o", gguf}, gguf, "MODEL and --output");
    for (const char* option : {"--output", "--resume", "--export-to"}) {
        row({"tune", folder, "--ids", ids, "--n", "8", option, config, "--export", "hf"}, config,
            QString("MODEL and ") + option);
        row({"tune", gguf, "--ids", ids, "--n", "8", option, gguf, "--export", "hf"}, gguf,
            QString("MODEL and ") + option);
    }
}

/// By the commands that run a model; those on tensors and figures are in test_misuse.
void TestModelCommand::nothingThatIsReadIsWrittenOver()
{
    QFETCH(QStringList, call);
    QFETCH(QString, kept);
    QFETCH(QString, says);
    const auto content = [](const QString& path) {
        QFile opened(path);
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
    };
    QFile::remove(file("ids.csv"));
    QFile::remove(file("link.csv"));
    QVERIFY(QFile::copy(file("ids.txt"), file("ids.csv")) && QFile::link(file("ids.csv"), file("link.csv")));
    std::ofstream(file("factors.npy").toStdString(), std::ios::binary) << "factors";
    std::ofstream(file("model.csv").toStdString(), std::ios::binary) << build::gguf(converted(m_model).file);
    const QByteArray before = content(kept);
    QVERIFY(!before.isEmpty());
    const Outcome outcome = runProgram(call);
    QCOMPARE(outcome.status, 2);
    const QString said = outcome.errorLines.join(' ');
    QVERIFY2(said.contains("one file") && said.contains(says), qPrintable(said));
    QCOMPARE(content(kept), before);
}

void TestModelCommand::mistakesSayWhatToDo_data()
{
    QTest::addColumn<QStringList>("call");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("says");
    const QString model = file("llama"), ids = file("ids.txt");
    QTest::addRow("a window twice") << QStringList{"model", model, "--ids", ids, "--n", "8", "--windows", "0,1,0"} << 2
                                    << "0 is there twice";
    QTest::addRow("no token") << QStringList{"model", model, "--generate", "0"} << 2 << "from 1";
    const QStringList continues{"model", model, "--generate", "3"};
    for (const QStringList& nothing :
         {QStringList{"--text", file("nowhere")}, QStringList{"--ids", ids}, QStringList{"--n", "8"},
          QStringList{"--windows", "0"}, QStringList{"--last", "4"}, QStringList{"--by-position"},
          QStringList{"--layers"}, QStringList{"--heads"}, QStringList{"--heads", "--gradients"},
          QStringList{"--heads", "--bounds"}, QStringList{"--policy", "captured"},
          QStringList{"--save-qk", file("x.safetensors")}, QStringList{"--engine", "reference"}})
        QTest::addRow("a continuation with %s", qPrintable(nothing.join(' ')))
            << continues + nothing << 2
            << (nothing.first() == "--save-qk" || nothing.first() == "--engine"
                    ? "--generate excludes " + nothing.first()
                    : nothing.first() + " excludes --generate");
    for (const QStringList& ofNeedles :
         {QStringList{"--text", ids}, QStringList{"--ids", ids}, QStringList{"--told", "x"},
          QStringList{"--asked", "x"}, QStringList{"--depth", "0,1"}, QStringList{"--keys", "2"}})
        QTest::addRow("repeated tokens with %s", qPrintable(ofNeedles.join(' ')))
            << QStringList{"probe", model} + ofNeedles << 2 << ofNeedles.first() + " is of --task needle";
    const QStringList predicts{"model", model, "--ids", ids, "--n", "8"};
    for (const auto& [nothing, needed] :
         {std::pair{QStringList{"--prompt", "x"}, "--generate"}, std::pair{QStringList{"--sample", "1"}, "--generate"},
          std::pair{QStringList{"--seed", "2"}, "--sample"}, std::pair{QStringList{"--stride", "9"}, "--windows"},
          std::pair{QStringList{"--gradients"}, "--heads"}, std::pair{QStringList{"--bounds"}, "--heads"}})
        QTest::addRow("a prediction with %s", qPrintable(nothing.join(' ')))
            << predicts + nothing << 2 << nothing.first() + " requires " + needed;
    QTest::addRow("bounds of a cosine") << predicts + QStringList{"--heads", "--bounds", "--kernel", "cosine"} << 2
                                        << "--bounds is of the kernel dot";
    QTest::addRow("no folder") << QStringList{"model", file("nowhere"), "--ids", ids, "--n", "8"} << 1
                               << "no such folder";
    QTest::addRow("no text") << QStringList{"model", model, "--n", "8"} << 2 << "--text FILE";
    QTest::addRow("no lengths") << QStringList{"model", model, "--ids", ids} << 2 << "--n is needed";
    QTest::addRow("no tokeniser") << QStringList{"model", model, "--text", ids, "--n", "8"} << 1 << "give token ids";
    QTest::addRow("a short text") << QStringList{"model", model, "--ids", ids, "--n", "201"} << 2 << "the text has 200";
    QTest::addRow("windows beyond it") << QStringList{"model", model,       "--ids", ids,        "--n",
                                                      "50",    "--windows", "4",     "--stride", "50"}
                                       << 2 << "the text has 200";
    QTest::addRow("another method") << QStringList{"model", model, "--ids", ids, "--n", "8", "--method", "nosuch"} << 2
                                    << "unknown scale method";
    QTest::addRow("other positions") << QStringList{"model", model, "--ids", ids, "--n", "8", "--positions", "nosuch"}
                                     << 2 << "or own, the model's";
    QTest::addRow("another policy") << QStringList{"model", model, "--ids", ids, "--n", "8", "--policy", "nosuch"} << 2
                                    << "in-force or captured";
    QTest::addRow("no such layer") << QStringList{"model", model, "--ids", ids, "--n", "8", "--in-layers", "3"} << 2
                                   << "the layers are 0 to 2";
}

void TestModelCommand::mistakesSayWhatToDo()
{
    QFETCH(QStringList, call);
    QFETCH(int, status);
    QFETCH(QString, says);
    const Outcome outcome = runProgram(call);
    QCOMPARE(outcome.status, status);
    QVERIFY2(outcome.errorLines.join(' ').contains(says), qPrintable(outcome.errorLines.join(' ')));
}

QTEST_GUILESS_MAIN(TestModelCommand)
#include "test_model_command.moc"
