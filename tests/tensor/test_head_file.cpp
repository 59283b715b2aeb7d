// Queries and keys are found by name, laid out by metadata or shape, and come out head by head.

#include "core/tensor/head_file.h"
#include "core/tensor/head_names.h"
#include "core/tensor/tensor_writer.h"
#include "tests/support/file_builder.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace attnscope;

namespace {

struct Named {
    std::string name;
    std::vector<std::int64_t> shape;
};

/// A .safetensors file whose elements count up from 0, tensor after tensor.
TensorFile fileOf(const std::vector<Named>& tensors, const std::string& metadata = {},
                  const std::string& path = "model.safetensors")
{
    std::string header = "{" + (metadata.empty() ? "" : "\"__metadata__\":{" + metadata + "}");
    std::size_t end = 0;
    for (const Named& tensor : tensors) {
        const std::size_t begin = end;
        end += 4 * TensorInfo{.shape = tensor.shape}.elementCount();
        header += (header.size() > 1 ? "," : "") +
                  build::field(tensor.name, "F32", describeShape(tensor.shape),
                               "[" + std::to_string(begin) + "," + std::to_string(end) + "]");
    }
    return *TensorFile::fromBytes(build::bytes(build::safetensors(header + "}", build::counting(end / 4))), path);
}

TensorSelection select(const std::string& query, const std::string& key, const std::string& layout = {},
                       const std::string& holds = {}, std::int64_t batch = 0)
{
    return {.path = {}, .query = query, .key = key, .layout = layout, .holds = holds, .head = 0, .batch = batch};
}

void write(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

}  // namespace

class TestHeadFile : public QObject {
    Q_OBJECT

private slots:
    void pairsAreFoundByName_data();
    void pairsAreFoundByName();
    void thePlainPairComesBeforeTheOthers();
    void capturesOfProjectionsAreNoWeights_data();
    void capturesOfProjectionsAreNoWeights();
    void aHundredThousandTensorsArePaired();
    void matricesOfAttentionAreFoundByName();
    void layoutsAreGuessedOrSaid_data();
    void layoutsAreGuessedOrSaid();
    void layersAreNamed();
    void aGuessIsSaid_data();
    void aGuessIsSaid();
    void theConfigBesideDecides_data();
    void theConfigBesideDecides();
    void headsSideBySideAreSplit();
    void layersAreStacked();
    void elementsLandInTheirHead_data();
    void elementsLandInTheirHead();
    void queryHeadsShareKeyHeads();
    void queriesAndKeysMayDifferInNumber();
    void aBatchIsChosen();
    void logitsAndWeightsStandInForQueriesAndKeys();
    void lowestNumbersAreMaskedKeys_data();
    void lowestNumbersAreMaskedKeys();
    void selectionsAreCompleted();
    void wrongSelectionsSayWhatToDo_data();
    void wrongSelectionsSayWhatToDo();
    void twoNpyFilesSideBySideMakeAPair();
};

void TestHeadFile::pairsAreFoundByName_data()
{
    QTest::addColumn<QString>("query");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("label");
    QTest::addColumn<bool>("preRope");
    QTest::addColumn<bool>("projection");
    const auto row = [](const char* query, const char* key, const char* label, bool preRope = false,
                        bool projection = false) {
        QTest::addRow("%s", query) << query << key << label << preRope << projection;
    };
    row("q", "k", "model");
    row("Q", "K", "model");
    row("query", "key", "model");
    row("layer3.q", "layer3.k", "layer3");
    row("layer3/queries", "layer3/keys", "layer3");
    row("q_proj", "k_proj", "model");
    row("layers.7.self_attn.q_proj", "layers.7.self_attn.k_proj", "layers.7.self_attn");
    row("layer0.q_pre_rope", "layer0.k_pre_rope", "layer0, before RoPE", true);
    row("blocks.0.attn.hook_rot_q", "blocks.0.attn.hook_rot_k", "blocks.0.attn");
    row("query_states_12", "key_states_12", "model");
    row("q12", "k12", "model");
    row("q.quick", "k.quick", "model");
    row("layers.0.module.W_query", "layers.0.module.W_key", "layers.0.module, projections", false, true);
    row("layers.0.attention.wq.weight", "layers.0.attention.wk.weight", "layers.0.attention, projections", false, true);
    row("h.0.q_proj.weight", "h.0.k_proj.weight", "h.0, projections", false, true);
}

void TestHeadFile::pairsAreFoundByName()
{
    QFETCH(QString, query);
    QFETCH(QString, key);
    const auto file = fileOf({{key.toStdString(), {2, 5, 3}},
                              {"value", {2, 5, 3}},
                              {"seq", {4, 4}},
                              {query.toStdString(), {2, 5, 3}},
                              {"quick", {2, 5, 3}},
                              {"kuick", {2, 5, 3}}});
    const auto candidates = findCandidates(file);
    QCOMPARE(candidates.size(), size_t{1});
    QCOMPARE(candidates[0].query, query.toStdString());
    QCOMPARE(candidates[0].key, key.toStdString());
    QTEST(QString::fromStdString(candidates[0].label), "label");
    QTEST(candidates[0].preRope, "preRope");
    QTEST(candidates[0].projection, "projection");
}

void TestHeadFile::thePlainPairComesBeforeTheOthers()
{
    const std::vector<std::int64_t> shape{2, 5, 3};
    const auto file = fileOf({{"w_q", shape},
                              {"w_k", shape},
                              {"attn_weights", {2, 5, 5}},
                              {"a.q_pre_rope", shape},
                              {"a.k_pre_rope", shape},
                              {"b.q", shape},
                              {"b.k", shape},
                              {"a.q", shape},
                              {"a.k", shape},
                              {"t.hook_q", shape},
                              {"t.hook_k", shape},
                              {"t.hook_rot_q", shape},
                              {"t.hook_rot_k", shape}});
    std::vector<std::string> queries;
    for (const HeadCandidate& candidate : findCandidates(file))
        queries.push_back(candidate.query);
    QCOMPARE(queries, (std::vector<std::string>{"b.q", "a.q", "t.hook_rot_q", "a.q_pre_rope", "t.hook_q",
                                                "attn_weights", "w_q"}));
}

/// A layer's matrix is named as its parameter; what the layer gives for tokens is named as the layer.
void TestHeadFile::capturesOfProjectionsAreNoWeights_data()
{
    QTest::addColumn<std::vector<Named>>("tensors");
    QTest::addColumn<bool>("opens");
    using Tensors = std::vector<Named>;
    const std::string q = "model.layers.0.self_attn.q_proj", k = "model.layers.0.self_attn.k_proj";
    QTest::addRow("weights") << Tensors{{q + ".weight", {64, 64}}, {k + ".weight", {32, 64}}} << false;
    QTest::addRow("weights and biases") << Tensors{{q + ".weight", {64, 64}},
                                                   {k + ".weight", {32, 64}},
                                                   {q + ".bias", {64}},
                                                   {k + ".bias", {32}}}
                                        << false;
    QTest::addRow("Meta's names") << Tensors{{"layers.0.attention.wq.weight", {64, 64}},
                                             {"layers.0.attention.wk.weight", {32, 64}}}
                                  << false;
    QTest::addRow("BERT's names") << Tensors{{"layer.0.attention.self.query.weight", {64, 64}},
                                             {"layer.0.attention.self.key.weight", {64, 64}}}
                                  << false;
    QTest::addRow("one matrix for all") << Tensors{{"h.0.attn.c_attn.weight", {64, 192}}, {"wte.weight", {99, 64}}}
                                        << false;
    QTest::addRow("PyTorch's own layer") << Tensors{{"self_attn.in_proj_weight", {192, 64}}, {"norm.weight", {64}}}
                                         << false;
    QTest::addRow("what they give") << Tensors{{q, {9, 64}}, {k, {9, 32}}} << true;
    QTest::addRow("what they give a batch") << Tensors{{q, {1, 9, 64}}, {k, {1, 9, 32}}} << true;
    QTest::addRow("as a hook calls it") << Tensors{{q + ".output", {9, 64}}, {k + ".output", {9, 32}}} << true;
    QTest::addRow("both in one file")
        << Tensors{{q + ".weight", {64, 64}}, {k + ".weight", {32, 64}}, {q, {9, 64}}, {k, {9, 32}}} << true;
    QTest::addRow("of a head each, which may be either")
        << Tensors{{"h.0.q_proj.weight", {2, 6, 4}}, {"h.0.k_proj.weight", {2, 6, 4}}} << true;
}

void TestHeadFile::capturesOfProjectionsAreNoWeights()
{
    QFETCH(std::vector<Named>, tensors);
    QFETCH(bool, opens);
    const auto file = fileOf(tensors);
    QCOMPARE(weightsOfModel(file).has_value(), !opens);
    const auto selection = resolveSelection(file, {});
    QCOMPARE(selection.has_value(), opens);
    if (opens) {
        QCOMPARE(selection->query, tensors[tensors.size() - 2].name);
        return;
    }
    const QString said = QString::fromStdString(selection.error().message);
    QVERIFY2(said.contains("the weights of a model") && said.contains("with its config.json beside this file"),
             qPrintable(said));
    const auto whole = resolveSelection(fileOf(tensors, {}, "a.gguf"), {});
    QVERIFY(!whole &&
            QString::fromStdString(whole.error().message).contains("Open it as a model; attnscope model a.gguf "));
    if (tensors[1].shape.size() == 2)  // by hand they are taken as they are
        QVERIFY(resolveSelection(file, select(tensors[0].name, tensors[1].name)));
}

void TestHeadFile::aHundredThousandTensorsArePaired()
{
    std::vector<Named> tensors;
    for (int layer = 0; layer < 50'000; ++layer)
        for (const char* name : {".q", ".k"})
            tensors.push_back({"l" + std::to_string(layer) + name, {1, 1}});
    const auto candidates = findCandidates(fileOf(tensors));
    QCOMPARE(candidates.size(), size_t{50'000});
    QCOMPARE(candidates.back().key, "l49999.k");
}

void TestHeadFile::matricesOfAttentionAreFoundByName()
{
    const auto file = fileOf({{"layer0.attn_scores", {2, 4, 4}},
                              {"blocks.0.attn.hook_pattern", {1, 2, 4, 4}},
                              {"attentions_3", {4, 4}},
                              {"self_attn.out_proj.weight", {4, 4}},
                              {"attn.bias", {4}}});
    const auto candidates = findCandidates(file);
    QCOMPARE(candidates.size(), size_t{3});
    QCOMPARE(candidates[0].holds, "logits");
    QCOMPARE(candidates[1].holds, "weights");
    QCOMPARE(candidates[1].layout, "batch_heads_tokens_dim");
    QCOMPARE(candidates[2].holds, "weights");
    QCOMPARE(findCandidates(fileOf({{"anything", {4, 4}}})).at(0).holds, "weights");
}

void TestHeadFile::layoutsAreGuessedOrSaid_data()
{
    using Shape = std::vector<qint64>;
    QTest::addColumn<QString>("name");
    QTest::addColumn<Shape>("query");
    QTest::addColumn<Shape>("key");
    QTest::addColumn<QString>("metadata");
    QTest::addColumn<QString>("layout");
    QTest::addRow("two axes") << "q" << Shape{9, 4} << Shape{9, 4} << ""
                              << "tokens_dim";
    QTest::addRow("few before many") << "q" << Shape{4, 9, 8} << Shape{4, 9, 8} << ""
                                     << "heads_tokens_dim";
    QTest::addRow("many before few") << "q" << Shape{9, 4, 8} << Shape{9, 4, 8} << ""
                                     << "tokens_heads_dim";
    QTest::addRow("as many of each") << "q" << Shape{4, 4, 8} << Shape{4, 4, 8} << ""
                                     << "heads_tokens_dim";
    QTest::addRow("grouped") << "q" << Shape{4, 9, 8} << Shape{2, 9, 8} << ""
                             << "heads_tokens_dim";
    QTest::addRow("grouped, a short prompt") << "q" << Shape{32, 10, 8} << Shape{8, 10, 8} << ""
                                             << "heads_tokens_dim";
    QTest::addRow("grouped, a short prompt, tokens first") << "q" << Shape{10, 32, 8} << Shape{10, 8, 8} << ""
                                                           << "tokens_heads_dim";
    QTest::addRow("grouped, a short prompt, a batch") << "q" << Shape{1, 24, 5, 8} << Shape{1, 8, 5, 8} << ""
                                                      << "batch_heads_tokens_dim";
    QTest::addRow("grouped, a short prompt, a batch, tokens first")
        << "q" << Shape{2, 5, 24, 8} << Shape{2, 5, 8, 8} << ""
        << "batch_tokens_heads_dim";
    QTest::addRow("one query, many keys, tokens first") << "q" << Shape{1, 12, 8} << Shape{7, 12, 8} << ""
                                                        << "tokens_heads_dim";
    QTest::addRow("one query, many keys, heads first") << "q" << Shape{12, 1, 8} << Shape{12, 7, 8} << ""
                                                       << "heads_tokens_dim";
    QTest::addRow("few queries, many keys") << "q" << Shape{4, 2, 8} << Shape{4, 9, 8} << ""
                                            << "heads_tokens_dim";
    QTest::addRow("a batch") << "q" << Shape{3, 4, 9, 8} << Shape{3, 4, 9, 8} << ""
                             << "batch_heads_tokens_dim";
    QTest::addRow("a batch, many before few") << "q" << Shape{3, 9, 4, 8} << Shape{3, 9, 4, 8} << ""
                                              << "batch_tokens_heads_dim";
    QTest::addRow("TransformerLens, a short prompt") << "hook_q" << Shape{1, 4, 12, 8} << Shape{1, 4, 12, 8} << ""
                                                     << "batch_tokens_heads_dim";
    QTest::addRow("said") << "q" << Shape{4, 9, 8} << Shape{4, 9, 8} << "tokens, heads, head_dim"
                          << "tokens_heads_dim";
    QTest::addRow("said in brackets") << "q" << Shape{9, 4, 8} << Shape{9, 4, 8} << "(n_heads, seq_len, d_head)"
                                      << "heads_tokens_dim";
    QTest::addRow("said as an id") << "q" << Shape{9, 4, 8} << Shape{9, 4, 8} << "heads_tokens_dim"
                                   << "tokens_heads_dim";
    QTest::addRow("said of another rank") << "q" << Shape{9, 4} << Shape{9, 4} << "heads, tokens, dim"
                                          << "tokens_dim";
    QTest::addRow("said in other words") << "q" << Shape{9, 4, 8} << Shape{9, 4, 8} << "apples, pears, plums"
                                         << "tokens_heads_dim";
}

void TestHeadFile::layoutsAreGuessedOrSaid()
{
    QFETCH(QString, name);
    QFETCH(std::vector<qint64>, query);
    QFETCH(std::vector<qint64>, key);
    QFETCH(QString, metadata);
    const std::string q = name.toStdString(), k = name.replace("q", "k").toStdString();
    const auto file = fileOf({{q, {query.begin(), query.end()}}, {k, {key.begin(), key.end()}}},
                             metadata.isEmpty() ? "" : "\"layout\":\"" + metadata.toStdString() + "\"");
    const auto layout = layoutOf(file, select(q, k));
    QVERIFY2(layout, layout ? "" : layout.error().message.c_str());
    QTEST(QString::fromStdString((*layout)->id), "layout");
    QCOMPARE(findCandidates(file).at(0).layout, (*layout)->id);
}

/// Digits are a layer's where the name says so.
void TestHeadFile::layersAreNamed()
{
    for (const auto& [name, layer] : {std::pair{"layer7.q", 7},
                                      {"model.layers.12.self_attn.q_proj", 12},
                                      {"blocks.0.attn.hook_q", 0},
                                      {"blk.3.attn_q", 3},
                                      {"transformer.h.5.q", 5},
                                      {"Layer_2/q", 2},
                                      {"l4_q", 4},
                                      {"run20_L3.q", 3},
                                      {"block[6].q", 6}})
        QVERIFY2(layerNamed(name) == layer, name);
    for (const char* none : {"f16", "w64", "llama3_run20", "q", "h3.q", "h2o.q", "layers.q", "sublayer3", "player1",
                             "layer99999999999999999999.q", ""})
        QVERIFY2(!layerNamed(none), none);
}

/// What shapes or names decide is certain; what only lengths suggest is said, with the layout that it may be instead.
void TestHeadFile::aGuessIsSaid_data()
{
    using Shape = std::vector<qint64>;
    QTest::addColumn<QString>("name");
    QTest::addColumn<Shape>("query");
    QTest::addColumn<Shape>("key");
    QTest::addColumn<QString>("other");  // empty: certain
    QTest::addRow("equal lengths") << "q" << Shape{1, 12, 5, 8} << Shape{1, 12, 5, 8} << "batch_heads_tokens_dim";
    QTest::addRow("as many of each") << "q" << Shape{4, 4, 8} << Shape{4, 4, 8} << "tokens_heads_dim";
    QTest::addRow("many tokens") << "q" << Shape{4, 900, 8} << Shape{4, 900, 8} << "tokens_heads_dim";
    QTest::addRow("both differ") << "q" << Shape{8, 6, 8} << Shape{4, 3, 8} << "heads_tokens_dim";
    QTest::addRow("one token, or one head")
        << "q" << Shape{3, 1, 16} << Shape{3, 1, 16} << "3 heads of 1 tokens (layout heads_tokens_dim)";
    QTest::addRow("one token of a batch")
        << "q" << Shape{1, 8, 1, 16} << Shape{1, 8, 1, 16} << "8 heads of 1 tokens (layout batch_heads_tokens_dim)";
    QTest::addRow("one head, its axis second") << "q" << Shape{900, 1, 8} << Shape{900, 1, 8} << "";
    QTest::addRow("one head") << "q" << Shape{1, 9, 8} << Shape{1, 9, 8} << "";
    QTest::addRow("grouped, or more queries than keys")
        << "q" << Shape{32, 6, 8} << Shape{8, 6, 8} << "6 heads of 32 queries and 8 keys (layout tokens_heads_dim)";
    QTest::addRow("grouped, a short prompt") << "q" << Shape{32, 10, 8} << Shape{8, 10, 8} << "";
    QTest::addRow("more queries than keys, or grouped")
        << "q" << Shape{2, 16, 4} << Shape{2, 8, 4} << "2 heads of 16 queries and 8 keys (layout heads_tokens_dim)";
    QTest::addRow("grouped, in a batch") << "q" << Shape{1, 24, 5, 8} << Shape{1, 8, 5, 8} << "batch_tokens_heads_dim";
    QTest::addRow("grouped, more tokens than heads") << "q" << Shape{32, 1000, 8} << Shape{8, 1000, 8} << "";
    QTest::addRow("one key head") << "q" << Shape{8, 16, 4} << Shape{1, 16, 4} << "";
    QTest::addRow("more queries, no multiple") << "q" << Shape{4, 9, 8} << Shape{4, 2, 8} << "";
    QTest::addRow("grouped, a hook") << "hook_q" << Shape{1, 12, 32, 8} << Shape{1, 12, 8, 8} << "";
    QTest::addRow("other keys") << "q" << Shape{4, 2, 8} << Shape{4, 9, 8} << "";
    QTest::addRow("a hook") << "hook_q" << Shape{1, 4, 12, 8} << Shape{1, 4, 12, 8} << "";
    QTest::addRow("two axes") << "q" << Shape{9, 4} << Shape{9, 4} << "";
    QTest::addRow("a projection") << "q_proj" << Shape{1, 16, 32} << Shape{1, 16, 32} << "--head-count";
}

void TestHeadFile::aGuessIsSaid()
{
    QFETCH(QString, name);
    QFETCH(std::vector<qint64>, query);
    QFETCH(std::vector<qint64>, key);
    QFETCH(QString, other);
    const std::string q = name.toStdString(), k = name.replace("q", "k").toStdString();
    const auto file = fileOf({{q, {query.begin(), query.end()}}, {k, {key.begin(), key.end()}}});
    const auto reading = readLayout(file, select(q, k));
    QVERIFY2(reading, reading ? "" : reading.error().message.c_str());
    QCOMPARE(reading->doubts.empty(), other.isEmpty());
    QVERIFY2(QString::fromStdString(reading->doubts).contains(other), reading->doubts.c_str());
    // what is said by hand is no guess
    for (const Layout& layout : layouts())
        if (layout.axes.size() == query.size()) {
            const auto said = readLayout(file, select(q, k, layout.id));
            QVERIFY(said && said->layout->id == layout.id && said->doubts.empty());
        }
}

void TestHeadFile::theConfigBesideDecides_data()
{
    using Shape = std::vector<qint64>;
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<QString>("name");
    QTest::addColumn<Shape>("shape");
    QTest::addColumn<QString>("layout");
    QTest::addColumn<int>("heads");
    const QByteArray llama = R"({"num_attention_heads": 12, "hidden_size": 96})",
                     grouped = R"({"num_attention_heads": 4, "num_key_value_heads": 4, "head_dim": 8})",
                     nested = R"({"text_config": {"num_attention_heads": 12}})",
                     gpt2 = R"({"n_head": 5, "n_embd": 40})";
    QTest::addRow("heads first") << llama << "q" << Shape{1, 12, 5, 8} << "batch_heads_tokens_dim" << 12;
    QTest::addRow("tokens first") << gpt2 << "q" << Shape{1, 12, 5, 8} << "batch_tokens_heads_dim" << 5;
    QTest::addRow("nested") << nested << "q" << Shape{12, 5, 8} << "heads_tokens_dim" << 12;
    QTest::addRow("another model's") << gpt2 << "q" << Shape{12, 7, 8} << "tokens_heads_dim" << 7;
    QTest::addRow("side by side") << grouped << "q_proj" << Shape{1, 16, 32} << "batch_tokens_dim" << 4;
    QTest::addRow("side by side, two axes") << grouped << "q_proj" << Shape{16, 32} << "tokens_dim" << 4;
    QTest::addRow("no JSON") << QByteArray("{") << "q" << Shape{12, 5, 8} << "tokens_heads_dim" << 5;
    QTest::addRow("no numbers") << QByteArray(R"({"num_attention_heads": "12", "text_config": 3})") << "q"
                                << Shape{12, 5, 8} << "tokens_heads_dim" << 5;
}

void TestHeadFile::theConfigBesideDecides()
{
    QFETCH(QByteArray, config);
    QFETCH(QString, name);
    QFETCH(std::vector<qint64>, shape);
    QFETCH(QString, layout);
    QFETCH(int, heads);
    QTemporaryDir folder;
    const QString path = folder.filePath("heads.safetensors");
    write(path, "not read");
    write(folder.filePath("config.json"), config);
    const std::string q = name.toStdString(), k = name.replace("q", "k").toStdString();
    const std::vector<std::int64_t> extents(shape.begin(), shape.end());
    const auto file = fileOf({{q, extents}, {k, extents}}, {}, path.toStdString());
    const auto selection = resolveSelection(file, select(q, k));
    QVERIFY2(selection, selection ? "" : selection.error().message.c_str());
    QCOMPARE(QString::fromStdString(selection->layout), layout);
    QCOMPARE(sizesOf(file, select(q, k))->heads, heads);
}

/// Element (token, head * size + i) of the file is element (token, i) of the head; the keys have fewer heads.
void TestHeadFile::headsSideBySideAreSplit()
{
    for (const std::vector<std::int64_t>& front : {std::vector<std::int64_t>{}, std::vector<std::int64_t>{2}}) {
        std::vector<std::int64_t> query = front, key = front;
        query.insert(query.end(), {5, 12});
        key.insert(key.end(), {5, 6});
        const auto file = fileOf({{"q", query}, {"k", key}});
        TensorSelection selection = select("q", "k");
        selection.headCount = 4;
        selection.batch = static_cast<std::int64_t>(front.size());
        const auto heads = loadHeads(file, selection);
        QVERIFY2(heads, heads ? "" : heads.error().message.c_str());
        QCOMPARE(heads->queries.size(), 4U);
        QCOMPARE(heads->keys.size(), 2U);
        const int batch = static_cast<int>(front.size()), all = (front.empty() ? 1 : 2) * 60;
        for (int head = 0; head < 4; ++head)
            for (int token = 0; token < 5; ++token)
                for (int i = 0; i < 3; ++i) {
                    QCOMPARE(heads->query(head)(token, i), static_cast<float>(batch * 60 + token * 12 + head * 3 + i));
                    QCOMPARE(heads->key(head)(token, i),
                             static_cast<float>(all + batch * 30 + token * 6 + head / 2 * 3 + i));
                }
        selection.headCount = 5;
        QVERIFY(loadHeads(file, selection).error().message.find("5 heads do not divide") != std::string::npos);
        selection.headCount = 2;
        selection.layout = "heads_tokens_dim";
        QVERIFY(!loadHeads(file, selection));
    }
    const auto odd = fileOf({{"q", {5, 12}}, {"k", {5, 7}}});
    TensorSelection selection = select("q", "k");
    selection.headCount = 4;
    QVERIFY(loadHeads(odd, selection).error().message.find("heads of size 3") != std::string::npos);
}

/// (layers, batch, heads, n, n): a candidate a layer, and the batch counted through both.
void TestHeadFile::layersAreStacked()
{
    const auto file = fileOf({{"attentions", {3, 2, 4, 5, 5}}});
    const auto candidates = findCandidates(file);
    QCOMPARE(candidates.size(), 3U);
    QCOMPARE(candidates[2].label, "attentions, layer 2");
    QCOMPARE(candidates[2].holds, "weights");
    for (std::int64_t layer = 0; layer < 3; ++layer) {
        QCOMPARE(candidates[static_cast<std::size_t>(layer)].batch, 2 * layer);
        const auto heads = loadHeads(file, select("attentions", {}, {}, "weights", 2 * layer + 1));
        QVERIFY2(heads, heads ? "" : heads.error().message.c_str());
        QCOMPARE(heads->queries.size(), 4U);
        QCOMPARE(heads->query(3)(4, 2), static_cast<float>((2 * layer + 1) * 100 + 3 * 25 + 4 * 5 + 2));
    }
    QVERIFY(!loadHeads(file, select("attentions", {}, {}, "weights", 6)));
    QVERIFY(!loadHeads(fileOf({{"q", {1, 1, 2, 3, 4}}, {"k", {1, 1, 2, 3, 4}}}), select("q", "k")));  // not of queries
}

void TestHeadFile::elementsLandInTheirHead_data()
{
    using Shape = std::vector<qint64>;
    QTest::addColumn<QString>("layout");
    QTest::addColumn<Shape>("shape");
    QTest::addColumn<Shape>("steps");  // of batch, head, token, dim in the file
    QTest::addRow("tokens, dim") << "tokens_dim" << Shape{5, 3} << Shape{0, 0, 3, 1};
    QTest::addRow("heads, tokens, dim") << "heads_tokens_dim" << Shape{2, 5, 3} << Shape{0, 15, 3, 1};
    QTest::addRow("tokens, heads, dim") << "tokens_heads_dim" << Shape{5, 2, 3} << Shape{0, 3, 6, 1};
    QTest::addRow("batch, heads, tokens, dim") << "batch_heads_tokens_dim" << Shape{4, 2, 5, 3} << Shape{30, 15, 3, 1};
    QTest::addRow("batch, tokens, heads, dim") << "batch_tokens_heads_dim" << Shape{4, 5, 2, 3} << Shape{30, 3, 6, 1};
}

void TestHeadFile::elementsLandInTheirHead()
{
    QFETCH(QString, layout);
    QFETCH(std::vector<qint64>, shape);
    QFETCH(std::vector<qint64>, steps);
    const std::vector<std::int64_t> extents(shape.begin(), shape.end());
    const auto file = fileOf({{"q", extents}, {"k", extents}});
    const qint64 batch = shape.size() == 4 ? 2 : 0,
                 size = static_cast<qint64>(TensorInfo{.shape = extents}.elementCount());
    const auto heads = loadHeads(file, select("q", "k", layout.toStdString(), {}, batch));
    QVERIFY2(heads, heads ? "" : heads.error().message.c_str());
    QCOMPARE(heads->headCount(), shape.size() == 2 ? 1 : 2);
    for (int head = 0; head < heads->headCount(); ++head)
        for (qint64 token = 0; token < 5; ++token)
            for (qint64 dim = 0; dim < 3; ++dim) {
                const qint64 element = batch * steps[0] + head * steps[1] + token * steps[2] + dim * steps[3];
                QCOMPARE(heads->query(head)(token, dim), static_cast<float>(element));
                QCOMPARE(heads->key(head)(token, dim), static_cast<float>(size + element));
            }
}

void TestHeadFile::queryHeadsShareKeyHeads()
{
    const auto heads = loadHeads(fileOf({{"q", {6, 7, 3}}, {"k", {2, 7, 3}}}), {});
    QVERIFY2(heads, heads ? "" : heads.error().message.c_str());
    QCOMPARE(heads->headCount(), 6);
    QCOMPARE(heads->headSize(), 3);
    for (int head = 0; head < 6; ++head)
        QCOMPARE(heads->key(head)(0, 0), head < 3 ? 126.0F : 147.0F);
}

void TestHeadFile::queriesAndKeysMayDifferInNumber()
{
    const auto heads = loadHeads(fileOf({{"q", {2, 3, 4}}, {"k", {2, 9, 4}}}), {});
    QVERIFY2(heads, heads ? "" : heads.error().message.c_str());
    QCOMPARE(heads->queryCount(), 3);
    QCOMPARE(heads->keyCount(), 9);
}

void TestHeadFile::aBatchIsChosen()
{
    const auto file = fileOf({{"q", {3, 2, 5, 4}}, {"k", {3, 1, 5, 4}}});
    const auto read = file.bytesRead();
    const auto heads = loadHeads(file, select("", "", "", "", 2));
    QVERIFY2(heads, heads ? "" : heads.error().message.c_str());
    QCOMPARE(heads->query(0)(0, 0), 80.0F);
    QCOMPARE(heads->key(1)(4, 3), 179.0F);
    QCOMPARE(file.bytesRead() - read, 4U * (40 + 20));  // and nothing of the others
}

void TestHeadFile::logitsAndWeightsStandInForQueriesAndKeys()
{
    const auto file = fileOf({{"logits", {2, 3, 3}}, {"attn", {4, 6}}});
    const auto logits = loadHeads(file, {});
    QVERIFY2(logits, logits ? "" : logits.error().message.c_str());
    QCOMPARE(logits->kind, HeadSet::Kind::Logits);
    QCOMPARE(logits->headCount(), 2);
    QCOMPARE(logits->keyCount(), 3);
    QVERIFY(logits->keys.empty());
    const auto weights = loadHeads(file, select("", "", "", "weights"));
    QVERIFY2(weights, weights ? "" : weights.error().message.c_str());
    QCOMPARE(weights->kind, HeadSet::Kind::Weights);
    QCOMPARE(weights->queryCount(), 4);
    QCOMPARE(weights->keyCount(), 6);
    // masked logits are minus infinity
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const auto masked = TensorFile::fromBytes(
        build::bytes(build::safetensors("{" + build::field("scores", "F32", "[2,2]", "[0,16]") + "}",
                                        build::floats({1, -infinity, 2, 3}))),
        "m");
    QCOMPARE(loadHeads(*masked, {})->query(0)(0, 1), -infinity);
}

void TestHeadFile::lowestNumbersAreMaskedKeys_data()
{
    QTest::addColumn<QString>("dtype");
    QTest::addColumn<QByteArray>(
        "bytes");  // of the last two of a row of four; the first two are 0 and the lowest score there could be
    QTest::addColumn<int>("masked");
    const auto bytesOf = [](auto... values) {
        return QByteArray() + (QByteArray(reinterpret_cast<const char*>(&values), sizeof values) + ...);
    };
    constexpr float lowest = std::numeric_limits<float>::lowest();
    // float16: 0xfbff is -65504, 0xfbf7 -65248; 0xf000 is -8192. bfloat16: 0xff7f is the lowest, 0xff7e the next;
    // 0xc77f is -65280
    QTest::addRow("float16") << "F16"
                             << bytesOf(std::uint16_t{0}, std::uint16_t{0xf000}, std::uint16_t{0xfbff},
                                        std::uint16_t{0xfbf7})
                             << 2;
    QTest::addRow("bfloat16") << "BF16"
                              << bytesOf(std::uint16_t{0}, std::uint16_t{0xc77f}, std::uint16_t{0xff7f},
                                         std::uint16_t{0xff7e})
                              << 2;
    QTest::addRow("float32") << "F32" << bytesOf(0.0f, -1e9f, lowest, std::nextafter(lowest, 0.0f)) << 2;
    QTest::addRow("bfloat16, widened") << "F32" << bytesOf(0.0f, -65503.0f, -3.3895314e38f, 1.0f) << 1;
    QTest::addRow("float16, widened") << "F32" << bytesOf(0.0f, -65505.0f, -65504.0f, 1.0f) << 1;
    QTest::addRow("float64") << "F64" << bytesOf(0.0, -1e30, static_cast<double>(lowest), -65504.0) << 2;
    QTest::addRow("whole numbers") << "I32"
                                   << bytesOf(std::int32_t{0}, std::int32_t{-7}, std::int32_t{-65505},
                                              std::numeric_limits<std::int32_t>::min())
                                   << 0;
}

/// What a mask puts in a score's place, or leaves of it after adding: as good as minus infinity, and counted. Scores
/// stay.
void TestHeadFile::lowestNumbersAreMaskedKeys()
{
    QFETCH(QString, dtype);
    QFETCH(QByteArray, bytes);
    QFETCH(int, masked);
    const std::string header =
        "{" + build::field("scores", dtype.toStdString(), "[1,4]", "[0," + std::to_string(bytes.size()) + "]") + "}";
    const auto file = TensorFile::fromBytes(build::bytes(build::safetensors(header, bytes.toStdString())), "m");
    QVERIFY2(file.has_value(), file ? "" : file.error().message.c_str());
    const auto heads = loadHeads(*file, {});
    QVERIFY2(heads.has_value(), heads ? "" : heads.error().message.c_str());
    QCOMPARE(heads->maskedByValue, std::int64_t{masked});
    const auto row = heads->query(0).row(0);
    QVERIFY(row(0) == 0 && std::isfinite(row(1)));
    QCOMPARE(std::isinf(row(2)) + std::isinf(row(3)), masked);
}

void TestHeadFile::selectionsAreCompleted()
{
    const auto file =
        fileOf({{"a.q", {2, 3, 4}}, {"a.k", {2, 3, 4}}, {"b.q", {2, 9, 4}}, {"b.k", {1, 9, 4}}, {"scores", {3, 3}}});
    const auto completed = [&](const TensorSelection& selection) { return *resolveSelection(file, selection); };
    QVERIFY(completed({}) == select("a.q", "a.k", "heads_tokens_dim"));
    QVERIFY(completed(select("b.q", "")) == select("b.q", "b.k", "heads_tokens_dim"));
    QVERIFY(completed(select("", "b.k")) == select("b.q", "b.k", "heads_tokens_dim"));
    QVERIFY(completed(select("b.q", "a.k")) == select("b.q", "a.k", "tokens_heads_dim"));  // 3 divides 9: grouped
    QVERIFY(completed(select("scores", "")) == select("scores", "", "tokens_dim", "logits"));
    QVERIFY(completed(select("scores", "", "", "weights")) == select("scores", "", "tokens_dim", "weights"));
    QVERIFY(completed(select("", "", "tokens_heads_dim")) == select("a.q", "a.k", "tokens_heads_dim"));
}

void TestHeadFile::wrongSelectionsSayWhatToDo_data()
{
    QTest::addColumn<TensorSelection>("selection");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("says");
    QTest::addRow("no such queries") << select("x", "") << ErrorKind::UnknownName << "no tensor 'x'";
    QTest::addRow("no such keys") << select("a.q", "x") << ErrorKind::UnknownName
                                  << "no tensor 'x'; it has 'a.q', 'a.k'";
    QTest::addRow("no keys to go with them") << select("other", "") << ErrorKind::InvalidArgument << "name both";
    QTest::addRow("no such layout") << select("a.q", "a.k", "sideways") << ErrorKind::UnknownName
                                    << "unknown layout 'sideways'; known: tokens_dim";
    QTest::addRow("a layout of another rank")
        << select("a.q", "a.k", "tokens_dim") << ErrorKind::DataError << "choose another layout";
    QTest::addRow("no such content") << select("a.q", "", "", "poems") << ErrorKind::UnknownName
                                     << "known: logits, weights";
    QTest::addRow("no such batch") << select("b.q", "b.k", "", "", 3) << ErrorKind::InvalidArgument << "choose 0 to 1";
    QTest::addRow("a negative batch") << select("b.q", "b.k", "", "", -1) << ErrorKind::InvalidArgument
                                      << "choose 0 to 1";
    QTest::addRow("no batches") << select("a.q", "a.k", "", "", 1) << ErrorKind::InvalidArgument << "choose 0 to 0";
    QTest::addRow("different ranks") << select("a.q", "b.k") << ErrorKind::DataError << "different numbers of axes";
    QTest::addRow("no weights") << select("", "", "", "weights") << ErrorKind::DataError
                                << "no tensors are named like attention weights";
    QTest::addRow("five axes") << select("five", "five") << ErrorKind::DataError << "2 to 4 are wanted";
}

void TestHeadFile::wrongSelectionsSayWhatToDo()
{
    QFETCH(TensorSelection, selection);
    QFETCH(ErrorKind, kind);
    QFETCH(QString, says);
    const auto file = fileOf({{"a.q", {2, 3, 4}},
                              {"a.k", {2, 3, 4}},
                              {"b.q", {2, 2, 3, 4}},
                              {"b.k", {2, 2, 3, 4}},
                              {"other", {2, 3, 4}},
                              {"five", {1, 1, 1, 2, 2}}});
    const auto heads = loadHeads(file, selection);
    QVERIFY(!heads);
    QVERIFY2(heads.error().kind == kind, heads.error().message.c_str());
    QVERIFY2(heads.error().message.find(says.toStdString()) != std::string::npos, heads.error().message.c_str());
}

void TestHeadFile::twoNpyFilesSideBySideMakeAPair()
{
    QTemporaryDir folder;
    const std::vector<float> values(24, 1);
    for (const char* name : {"layer1_q.npy", "layer1_k.npy", "other.npy"})
        QVERIFY(writeNpy(folder.filePath(name).toStdString(), tensorView("", {2, 4, 3}, values)));
    for (const char* opened : {"layer1_q.npy", "layer1_k.npy"}) {
        const auto file = openHeadFile(folder.filePath(opened).toStdString());
        QVERIFY2(file, file ? "" : file.error().message.c_str());
        const auto candidates = findCandidates(*file);
        QCOMPARE(candidates.size(), size_t{1});
        QCOMPARE(candidates[0].query, "layer1_q");
        QCOMPARE(candidates[0].key, "layer1_k");
        QCOMPARE(loadHeads(*file, {})->headCount(), 2);
    }
    QCOMPARE(openHeadFile(folder.filePath("other.npy").toStdString())->tensors().size(), size_t{1});
    // what is wrong with the other one is said of the other one
    write(folder.filePath("layer1_k.npy"), "text");
    const auto file = openHeadFile(folder.filePath("layer1_q.npy").toStdString());
    QVERIFY(!file);
    QVERIFY(file.error().message.starts_with(folder.filePath("layer1_k.npy").toStdString()));
}

QTEST_APPLESS_MAIN(TestHeadFile)
#include "test_head_file.moc"
