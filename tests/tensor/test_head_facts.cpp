// What a file says beside its numbers: facts about the model in the metadata, labels of the tokens beside the file.

#include "core/tensor/head_file.h"
#include "core/tensor/tensor_writer.h"
#include "tests/support/file_builder.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace attnscope;

class TestHeadFacts : public QObject {
    Q_OBJECT

private slots:
    void factsComeFromTheMetadata_data();
    void factsComeFromTheMetadata();
    void finishedWeightsSayWhatTheyAre_data();
    void finishedWeightsSayWhatTheyAre();
    void everyElementOfABatchSaysItsOwn_data();
    void everyElementOfABatchSaysItsOwn();
    void labelsComeFromBesideTheFile_data();
    void labelsComeFromBesideTheFile();
    void queriesMayBeAnotherSequence();
};

void TestHeadFacts::factsComeFromTheMetadata_data()
{
    QTest::addColumn<QString>("metadata");
    QTest::addColumn<QString>("query");
    QTest::addColumn<QString>("facts");  // causal rotated base interleaved trained, ? where nothing is said
    QTest::addRow("nothing") << ""
                             << "q"
                             << "? ? ? ? ?";
    QTest::addRow("prose")
        << R"("causal":"true","rope":"base 10000, interleaved pairs; q and k are post-RoPE, *_pre_rope before it","model":"small, trained at 512 tokens")"
        << "layer0.q"
        << "1 1 10000 1 512";
    QTest::addRow("prose, before RoPE")
        << R"("causal":"true","rope":"base 10000, interleaved pairs; q and k are post-RoPE, *_pre_rope before it")"
        << "layer0.q_pre_rope"
        << "1 0 10000 1 ?";
    QTest::addRow("keys")
        << R"("is_causal":"False","rope_theta":"5e5","rope_applied":"no","rope_style":"half-split","max_position_embeddings":"8192")"
        << "q"
        << "0 0 500000 0 8192";
    QTest::addRow("an equation") << R"x("model":"trained at n=100 (8 heads)","rope":"theta=1e6, pre-RoPE")x"
                                 << "q"
                                 << "? 0 1e+06 ? 100";
    QTest::addRow("a hook's name") << ""
                                   << "blocks.0.attn.hook_rot_q"
                                   << "? 1 ? ? ?";
    QTest::addRow("nonsense") << R"("causal":"perhaps","rope_base":"-3","n_train":"many")"
                              << "q"
                              << "? ? ? ? ?";
}

void TestHeadFacts::factsComeFromTheMetadata()
{
    QFETCH(QString, metadata);
    QFETCH(QString, query);
    const auto file = TensorFile::fromBytes(
        build::bytes(build::safetensors("{\"__metadata__\":{" + metadata.toStdString() + "}}")), "model.safetensors");
    const HeadFacts facts = factsOf(*file, query.toStdString());
    const auto text = [](const auto& value) {
        return value ? QString::number(static_cast<double>(*value)) : QString("?");
    };
    QTEST(QStringList({text(facts.causal), text(facts.rotated), text(facts.ropeBase), text(facts.ropeInterleaved),
                       text(facts.trainedLength)})
              .join(' '),
          "facts");
}

void TestHeadFacts::finishedWeightsSayWhatTheyAre_data()
{
    QTest::addColumn<bool>("causal");
    QTest::addColumn<double>("mass");
    QTest::addColumn<QString>("suggested");
    QTest::addRow("a decoder's") << true << 1.0 << "causal softmax";
    QTest::addRow("a decoder's with a sink") << true << 0.6 << "causal as_given";
    QTest::addRow("an encoder's") << false << 1.0 << "full softmax";
    QTest::addRow("an encoder's after dropout") << false << 1.1 << "full as_given";
    QTest::addRow("rounded to float16") << false << 1.002 << "full softmax";
}

/// Equal weights over the keys that each query sees, two heads of them.
void TestHeadFacts::finishedWeightsSayWhatTheyAre()
{
    QFETCH(bool, causal);
    QFETCH(double, mass);
    QFETCH(QString, suggested);
    constexpr std::size_t heads = 2, n = 6;
    std::vector<float> weights;
    for (std::size_t h = 0; h < heads; ++h)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                weights.push_back(static_cast<float>(!causal ? mass / n : j <= i ? mass / double(i + 1) : 0));
    QTemporaryDir folder;
    const std::string path = folder.filePath("weights.safetensors").toStdString();
    QVERIFY(writeSafetensors(path, std::array{tensorView("attention_weights", {heads, n, n}, weights)}));
    const auto file = TensorFile::open(path);
    TensorSelection asked;
    asked.path = path;
    asked.query = "attention_weights";
    asked.holds = "weights";
    const auto selection = resolveSelection(*file, asked);
    QVERIFY2(selection.has_value(), selection ? "" : selection.error().message.c_str());
    const SuggestedView view = suggestedFor(factsOf(*file, *selection), *sizesOf(*file, *selection));
    QCOMPARE(QString::fromStdString(view.mask.id + " " + view.normaliser.id), suggested);
}

void TestHeadFacts::everyElementOfABatchSaysItsOwn_data()
{
    QTest::addColumn<QString>("layout");
    for (const Layout& layout : layouts())
        QTest::addRow("%s", layout.id.c_str()) << QString::fromStdString(layout.id);
}

/// Elements that are a decoder's or an encoder's, and sum to 1 or not, by their number: through one axis or two.
void TestHeadFacts::everyElementOfABatchSaysItsOwn()
{
    QFETCH(QString, layout);
    const Layout& read = **findRow(layouts(), layout.toStdString(), "layout");
    constexpr std::int64_t n = 5, heads = 2;
    std::vector<std::int64_t> shape;
    std::int64_t elements = 1, size = 1;
    for (const Axis axis : read.axes) {
        shape.push_back(axis == Axis::Heads ? heads : axis == Axis::Batch ? 2 + elements : n);
        elements *= axis == Axis::Batch ? shape.back() : 1;
        size *= shape.back();
    }
    const auto isCausal = [](std::int64_t element) { return element % 2 == 1; };
    const auto massOf = [](std::int64_t element) { return element % 3 == 1 ? 0.6 : 1.0; };
    std::vector<float> weights;
    for (std::int64_t at = 0; at < size; ++at) {
        std::int64_t element = 0, query = 0, key = 0, left = size, rest = at;
        for (std::size_t a = 0; a < shape.size(); ++a) {
            left /= shape[a];
            const std::int64_t index = rest / left;
            rest %= left;
            if (read.axes[a] == Axis::Batch)
                element = element * shape[a] + index;
            if (read.axes[a] == Axis::Tokens)
                query = index;
            if (read.axes[a] == Axis::Dim)
                key = index;
        }
        const double equal = massOf(element) / static_cast<double>(isCausal(element) ? query + 1 : n);
        weights.push_back(static_cast<float>(isCausal(element) && key > query ? 0 : equal));
    }
    QTemporaryDir folder;
    const std::string path = folder.filePath("weights.safetensors").toStdString();
    QVERIFY(writeSafetensors(path, std::array{tensorView("attention_weights", shape, weights)}));
    const auto file = TensorFile::open(path);
    for (std::int64_t element = 0; element < elements; ++element) {
        TensorSelection asked;
        asked.path = path;
        asked.query = "attention_weights";
        asked.holds = "weights";
        asked.layout = layout.toStdString();
        asked.batch = element;
        const auto selection = resolveSelection(*file, asked);
        QVERIFY2(selection.has_value(), selection ? "" : selection.error().message.c_str());
        const HeadFacts facts = factsOf(*file, *selection);
        QCOMPARE(facts.causal, std::optional(isCausal(element)));
        QCOMPARE(facts.rowsSumToOne, std::optional(massOf(element) == 1));
    }
}

void TestHeadFacts::labelsComeFromBesideTheFile_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("labels");  // joined by '|', or the error
    QTest::addRow("an array") << "tokens.json" << QByteArray(R"(["a", " b", "\u00e9", "\n"])") << "a| b|é|\n";
    QTest::addRow("an object") << "tokens.json" << QByteArray(R"({"tokens": ["a", "b", "c", "d"]})") << "a|b|c|d";
    QTest::addRow("lines") << "tokens.txt" << QByteArray("a\nb\n\nd\n") << "a|b||d";
    QTest::addRow("lines of another system, the last not ended")
        << "model.tokens.txt" << QByteArray("a\r\nb\r\nc\r\nd") << "a|b|c|d";
    QTest::addRow("of this file") << "model.tokens.json" << QByteArray(R"(["a","b","c","d"])") << "a|b|c|d";
    QTest::addRow("another file's") << "tokens.txt" << QByteArray("a\nb\n") << "";
    QTest::addRow("another file's JSON") << "tokens.json" << QByteArray("{") << "";
    QTest::addRow("too few of this file")
        << "model.tokens.txt" << QByteArray("a\nb\n") << "2 labels, but there are 4 keys";
    QTest::addRow("not strings") << "model.tokens.json" << QByteArray("[1,2,3,4]") << "not an array of strings";
    QTest::addRow("nested") << "model.tokens.json" << QByteArray(1'000'000, '[') << "not an array of strings";
    QTest::addRow("objects in objects") << "model.tokens.json"
                                        << QByteArray(R"({"tokens":{"tokens":["a","b","c","d"]}})")
                                        << "not an array of strings";
    QTest::addRow("no JSON") << "model.tokens.json" << QByteArray("[\"a\",") << "not JSON from byte 5";
}

void TestHeadFacts::labelsComeFromBesideTheFile()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, content);
    QFETCH(QString, labels);
    QTemporaryDir folder;
    const std::vector<float> values(8, 1);
    const std::string path = folder.filePath("model.safetensors").toStdString();
    QVERIFY(writeSafetensors(path, std::array{tensorView("q", {4, 2}, values), tensorView("k", {4, 2}, values)}));
    QFile beside(folder.filePath(name));
    QVERIFY(beside.open(QIODevice::WriteOnly));
    beside.write(content);
    beside.close();
    const auto heads = loadHeads(*TensorFile::open(path), {});
    if (!heads) {
        QVERIFY2(heads.error().message.find(labels.toStdString()) != std::string::npos && !labels.contains('|'),
                 heads.error().message.c_str());
        return;
    }
    QStringList found;
    for (const std::string& token : heads->tokens)
        found << QString::fromStdString(token);
    QCOMPARE(found.join('|'), labels);
}

/// Cross attention has two lists of tokens.
void TestHeadFacts::queriesMayBeAnotherSequence()
{
    QTemporaryDir folder;
    const std::vector<float> queries(6, 1), keys(8, 1);
    const std::string path = folder.filePath("model.safetensors").toStdString();
    QVERIFY(writeSafetensors(path, std::array{tensorView("q", {3, 2}, queries), tensorView("k", {4, 2}, keys)}));
    const auto write = [&](const char* name, const QByteArray& content) {
        QFile beside(folder.filePath(name));
        return beside.open(QIODevice::WriteOnly) && beside.write(content) == content.size();
    };
    QVERIFY(write("model.tokens.json", R"(["a","b","c","d"])") && write("model.query_tokens.txt", "x\ny\nz\n"));
    const auto heads = loadHeads(*TensorFile::open(path), {});
    QVERIFY(heads);
    QCOMPARE(heads->tokens, (std::vector<std::string>{"a", "b", "c", "d"}));
    QCOMPARE(heads->queryTokens, (std::vector<std::string>{"x", "y", "z"}));
    QVERIFY(write("model.query_tokens.txt", "x\n"));
    const auto few = loadHeads(*TensorFile::open(path), {});
    QVERIFY(!few && few.error().message.find("1 labels, but there are 3 queries") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestHeadFacts)
#include "test_head_facts.moc"
