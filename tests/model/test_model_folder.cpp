// What config.json and the weights may say, and what becomes of folders that are wrong in one place.

#include "tests/model/every_family.h"

#include "core/attention/positions.h"
#include "core/model/evaluation.h"
#include "core/model/families/families.h"
#include "core/model/architecture.h"
#include "core/model/model.h"
#include "core/model/model_config.h"
#include "core/model/policy.h"
#include "core/model/sequence.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

using namespace attnscope;

namespace {

nlohmann::json config(const std::string& type) { return smallModel(type).config; }

/// The config with one field set.
nlohmann::json with(const std::string& type, const std::string& key, const nlohmann::json& value)
{
    nlohmann::json changed = config(type);
    changed[key] = value;
    return changed;
}

}  // namespace

class TestModelFolder : public QObject {
    Q_OBJECT

private slots:
    void defaultsAreThePublishedOnes();
    void whatNoFieldSaysIsAsInTransformers_data();
    void whatNoFieldSaysIsAsInTransformers();
    void textsBeginAsTheirTokeniserSays_data();
    void textsBeginAsTheirTokeniserSays();
    void aHeadThatDiffersFromTheEmbeddingIsTaken_data();
    void aHeadThatDiffersFromTheEmbeddingIsTaken();
    void theMaskTokenIsFound_data();
    void theMaskTokenIsFound();
    void tablesOfPositionsAreAsLongAsTheirConfigSays();
    void layersAreSaidInWords();
    void windowsOfLayers();
    void missingFieldsOfThosePublished();
    void stretchedPositions();
    void scalingsAsTheyAreWritten_data();
    void scalingsAsTheyAreWritten();
    void everyFamilyTakesPositionsFromEitherPlace_data();
    void everyFamilyTakesPositionsFromEitherPlace();
    void layersOfTwoKindsHaveTheirOwnPositions_data();
    void layersOfTwoKindsHaveTheirOwnPositions();
    void publishedGemma3HasTransformersSizes_data();
    void publishedGemma3HasTransformersSizes();
    void positionsAreCalledAsPeopleCallThem();
    void wrongConfigs_data();
    void wrongConfigs();
    void unknownFieldsAreListed();
    void whatIsPassedOverIsSaid();
    void faultsOfFilesAreNoWrongUsage();
    void wrongWeights_data();
    void wrongWeights();
    void wrongIndexes_data();
    void wrongIndexes();
    void shortenedFilesAreNoticed();
    void positionsTakeWhatTheModelSays();

private:
    std::string folder(const std::string& name) const
    {
        return m_folder.filePath(QString::fromStdString(name)).toStdString();
    }
    QTemporaryDir m_folder;
};

void TestModelFolder::defaultsAreThePublishedOnes()
{
    const auto read = [](const nlohmann::json& json) {
        return readModelConfig(json.dump(), "config.json")->architecture;
    };
    const Architecture llama = read({{"model_type", "llama"},
                                     {"hidden_size", 64},
                                     {"num_hidden_layers", 2},
                                     {"num_attention_heads", 4},
                                     {"vocab_size", 100},
                                     {"max_position_embeddings", 2048}});
    QCOMPARE(llama.keyHeads, 4);
    QCOMPARE(llama.headSize, 16);
    QCOMPARE(llama.epsilon, 1e-6);
    QVERIFY(!llama.tiedEmbeddings && !llama.beginToken);
    QCOMPARE(llama.specs, std::vector(2, llama.specs.front()));
    QCOMPARE(describeMasks(llama), std::string("causal"));
    QCOMPARE(formatChoice(llama.position()), std::string("rope:interleaved=0"));
    const Architecture mistral = read({{"model_type", "mistral"},
                                       {"hidden_size", 64},
                                       {"num_hidden_layers", 2},
                                       {"num_attention_heads", 16},
                                       {"vocab_size", 100},
                                       {"max_position_embeddings", 2048}});
    QCOMPARE(mistral.keyHeads, 8);
    QCOMPARE(describeMasks(mistral), std::string("window:w=4096"));
    const Architecture gpt = read({{"model_type", "gpt2"},
                                   {"n_embd", 64},
                                   {"n_layer", 2},
                                   {"n_head", 4},
                                   {"vocab_size", 100},
                                   {"n_positions", 1024},
                                   {"n_inner", nullptr}});
    QCOMPARE(gpt.specs.front().inner, 256);
    QVERIFY(gpt.tiedEmbeddings && gpt.specs.front().activation == Activation::GeluTanh && gpt.learnedPositions == 1024);
    const Architecture neox = read(config("gpt_neox"));
    QCOMPARE(formatChoice(neox.position()), std::string("rope:dims=2,interleaved=0"));
    const Architecture gemma = read(config("gemma2"));
    QCOMPARE(gemma.specs.front().logitFactor, std::sqrt(6 / 10.0));
    QCOMPARE(gemma.embeddingFactor, std::sqrt(24.0));
}

namespace {

/// Of a configuration class of transformers 5.
struct Defaults {
    double epsilon = 1e-6;
    bool tied = false;
    int keyHeads = 32;  ///< as many as there are query heads
    int headSize = 64;  ///< the width over the heads
    int inner = 0;
    double base = 10000;
    double part = 1;  ///< of a head, that turns
    bool interleaved = false;
    const char* mask = "causal";
    const char* position = "rope";
    int heads = 32;
};

const char* const threeOfFour = "window:w=4096 in 3 of 4 layers; causal in 1 of 4 layers";

/// models/*/configuration_*.py, and default_theta of each class (configuration_utils.py: 10000).
const std::map<std::string, Defaults> publishedDefaults{
    {"llama", {.inner = 11008}},
    {"mistral", {.keyHeads = 8, .inner = 14336, .mask = "window:w=4096"}},
    {"ministral", {.keyHeads = 8, .inner = 14336, .mask = "window:w=4096"}},
    // rope_parameters of __post_init__: YaRN, 16 from 16384
    {"ministral3",
     {.epsilon = 1e-5, .keyHeads = 8, .headSize = 128, .inner = 14336, .base = 1e6, .position = "yarn_rope"}},
    {"mixtral", {.epsilon = 1e-5, .keyHeads = 8, .inner = 14336, .base = 1e6}},
    {"qwen2", {.inner = 22016}},
    {"qwen2_moe", {.keyHeads = 16, .inner = 5632}},
    {"qwen3", {.headSize = 128, .inner = 22016}},
    {"qwen3_moe", {.keyHeads = 4, .inner = 6144}},
    {"gemma", {.tied = true, .keyHeads = 16, .headSize = 256, .inner = 24576}},
    {"gemma2",
     {.tied = true,
      .keyHeads = 4,
      .headSize = 256,
      .inner = 9216,
      .mask = "window:w=4096 in 2 of 4 layers; causal in 2 of 4 layers"}},
    {"gemma3_text", {.tied = true, .keyHeads = 4, .headSize = 256, .inner = 9216, .mask = "window:w=4096"}},
    {"phi", {.epsilon = 1e-5, .inner = 8192, .part = 0.5}},
    {"phi3", {.epsilon = 1e-5, .inner = 8192}},
    {"olmo", {.epsilon = 1e-5, .inner = 11008}},  // modeling_olmo.py: F.layer_norm(..., eps=1e-5)
    {"olmo2", {.epsilon = 1e-5, .inner = 11008}},
    {"olmo3", {.epsilon = 1e-5, .inner = 11008, .base = 500000, .mask = threeOfFour}},
    {"olmoe", {.epsilon = 1e-5, .inner = 2048}},
    {"smollm3", {.tied = true, .keyHeads = 4, .inner = 11008, .base = 2e6}},
    {"granite", {.inner = 11008}},
    {"granitemoe", {.inner = 11008}},
    // rope_parameters of __post_init__: YaRN, 32 from 4096, not truncated
    {"gpt_oss",
     {.epsilon = 1e-5,
      .keyHeads = 8,
      .inner = 2880,
      .base = 150000,
      .mask = "window:w=128 in 2 of 4 layers; causal in 2 of 4 layers",
      .position = "yarn_rope"}},
    {"cohere", {.epsilon = 1e-5, .tied = true, .inner = 22528, .base = 500000, .interleaved = true}},
    {"cohere2", {.epsilon = 1e-5, .tied = true, .inner = 22528, .interleaved = true, .mask = threeOfFour}},
    {"glm", {.epsilon = 1.5625e-7, .keyHeads = 2, .headSize = 128, .inner = 13696, .part = 0.5, .interleaved = true}},
    {"glm4", {.epsilon = 1.5625e-7, .keyHeads = 2, .headSize = 128, .inner = 13696, .part = 0.5, .interleaved = true}},
    {"glm4_moe", {.epsilon = 1e-5, .keyHeads = 8, .inner = 10944, .part = 0.5}},
    {"glm4_moe_lite", {.epsilon = 1e-5, .headSize = 192 + 64, .inner = 10240, .part = 64.0 / 256, .interleaved = true}},
    {"deepseek_v2", {.headSize = 128 + 64, .inner = 11008, .part = 64.0 / 192, .interleaved = true}},
    {"deepseek_v3", {.headSize = 128 + 64, .inner = 18432, .part = 64.0 / 192, .interleaved = true}},
    {"exaone4", {.epsilon = 1e-5, .inner = 16384, .mask = threeOfFour}},
    {"dots1", {.inner = 10944}},
    {"minimax_m2", {.keyHeads = 8, .headSize = 128, .inner = 1536, .base = 5e6}},
    // rope_parameters of __post_init__: Llama 3's, 16 from 8192
    {"cwm",
     {.epsilon = 1e-5,
      .keyHeads = 8,
      .headSize = 128,
      .inner = 21504,
      .base = 1e6,
      .mask = "causal in 1 of 4 layers; window:w=8192 in 3 of 4 layers",
      .position = "yarn_rope"}},
    {"seed_oss", {.keyHeads = 8, .headSize = 128, .inner = 27648}},
    {"helium",
     {.epsilon = 1e-8,
      .keyHeads = 20,
      .headSize = 128,
      .inner = 7040,
      .base = 100000,
      .interleaved = true,
      .heads = 20}},
    {"ernie4_5",
     {.epsilon = 1e-5,
      .tied = true,
      .keyHeads = 2,
      .headSize = 128,
      .inner = 3072,
      .base = 500000,
      .interleaved = true}},
    {"arcee", {.epsilon = 1e-5, .inner = 18432}},
    {"nanochat", {.inner = 8192}},
    {"stablelm", {.epsilon = 1e-5, .inner = 6912, .part = 0.25}},
    {"starcoder2", {.epsilon = 1e-5, .tied = true, .keyHeads = 2, .inner = 12288}},
    {"nemotron", {.epsilon = 1e-5, .inner = 24576, .part = 0.5}},
    {"eurobert", {.epsilon = 1e-5, .inner = 3072, .mask = "full"}},
};

}  // namespace

void TestModelFolder::whatNoFieldSaysIsAsInTransformers_data()
{
    QTest::addColumn<QString>("type");
    for (const auto& [type, defaults] : publishedDefaults)
        QTest::addRow("%s", type.c_str()) << QString::fromStdString(type);
}

/// A config with the sizes alone.
void TestModelFolder::whatNoFieldSaysIsAsInTransformers()
{
    QFETCH(QString, type);
    const Defaults& wanted = publishedDefaults.at(type.toStdString());
    const nlohmann::json sizes{
        {"model_type", type.toStdString()},    {"hidden_size", 2048}, {"num_hidden_layers", 4},
        {"num_attention_heads", wanted.heads}, {"vocab_size", 100},   {"max_position_embeddings", 65536}};
    const auto read = readModelConfig(sizes.dump(), "config.json");
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QVERIFY(read->unknown.empty() && read->remarks.empty());
    const Architecture& a = read->architecture;
    QCOMPARE(a.epsilon, wanted.epsilon);
    QCOMPARE(a.tiedEmbeddings, wanted.tied);
    QCOMPARE(a.keyHeads, wanted.keyHeads);
    QCOMPARE(a.headSize, wanted.headSize);
    QCOMPARE(a.specs.front().inner, wanted.inner);
    QCOMPARE(describeMasks(a), std::string(wanted.mask));
    const Choice& position = a.position();
    const auto value = [&](const char* key, double byDefault) {
        const auto found = position.values.find(key);
        return found == position.values.end() ? byDefault : found->second;
    };
    QCOMPARE(position.id, std::string(wanted.position));
    QCOMPARE(value("base", 10000), wanted.base);
    QCOMPARE(value("dims", a.headSize), wanted.part * a.headSize);
    QCOMPARE(value("interleaved", 1), wanted.interleaved ? 1.0 : 0.0);
    if (type == "deepseek_v2" || type == "deepseek_v3")
        QCOMPARE(a.specs.front().latent->query, 1536);
    if (type == "ministral3") {
        QCOMPARE(value("s", 0), 16.0);
        QCOMPARE(a.trainLength, std::int64_t{16384});
        QCOMPARE(a.specs.front().method.text, std::string("1+0.1*log(1+floor(i/16384))"));
    }
    if (type == "gpt_oss") {
        QCOMPARE(value("s", 0), 32.0);
        QCOMPARE(value("rounded", 1), 0.0);
        QCOMPARE(a.trainLength, std::int64_t{4096});
    }
    if (type == "cwm") {
        QCOMPARE(value("s", 0), 16.0);
        QCOMPARE(a.trainLength, std::int64_t{8192});
    }
    nlohmann::json narrow = sizes;  // null says that there is none, as DeepSeek V2 Lite does
    narrow["q_lora_rank"] = nullptr;
    if (type == "deepseek_v2")
        QCOMPARE(readModelConfig(narrow.dump(), "config.json")->architecture.specs.front().latent->query, 0);
}

void TestModelFolder::textsBeginAsTheirTokeniserSays_data()
{
    QTest::addColumn<QByteArray>("postProcessor");  // of tokenizer.json; "none": there is no tokenizer.json
    QTest::addColumn<QByteArray>("config");         // tokenizer_config.json; empty: none
    QTest::addColumn<int>("bos");                   // of config.json, -1: none
    QTest::addColumn<int>("begins");                // -1: with no token
    const auto row = [](const char* name, const char* postProcessor, const char* config, int bos, int begins) {
        QTest::addRow("%s", name) << QByteArray(postProcessor) << QByteArray(config) << bos << begins;
    };
    const char* const bytes = R"({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true})";
    const char* const begun =
        R"({"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}}], "special_tokens": {"<s>": {"id": "<s>", "ids": [2]}}})";
    const char* const bare = R"({"type": "TemplateProcessing", "single": [{"Sequence": {"id": "A", "type_id": 0}}],
        "special_tokens": {}})";
    const char* const ended = R"({"type": "TemplateProcessing", "single": [{"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "</s>", "type_id": 0}}], "special_tokens": {"</s>": {"id": "</s>", "ids": [2]}}})";
    const char* const two = R"({"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
        {"SpecialToken": {"id": "<t>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
        "special_tokens": {"<s>": {"id": "<s>", "ids": [2]}, "<t>": {"id": "<t>", "ids": [4]}}})";
    const char* const beyond =
        R"({"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}}], "special_tokens": {"<s>": {"id": "<s>", "ids": [61]}}})";
    const QByteArray sequence = R"({"type": "Sequence", "processors": [)" + QByteArray(bytes) + ", " + begun + "]}",
                     none = R"({"type": "Sequence", "processors": [)" + QByteArray(bytes) + "]}";
    row("Qwen, GPT-2, Pythia: bytes", bytes, "", 1, -1);
    row("Llama 2: a template", begun, "", 2, 2);
    row("a template says the token", begun, "", 1, 2);
    row("a template alone", begun, "", -1, 2);
    row("Phi-3: a template of the text", bare, "", 1, -1);
    row("an end alone", ended, "", 1, -1);
    row("two tokens", two, "", 1, 1);
    row("a token that is none", beyond, "", 1, 1);
    row("Llama 3: bytes and a template", sequence.constData(), "", 1, 2);
    row("a sequence without", none.constData(), "", 1, -1);
    row("RoBERTa's", R"({"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0]})", "", 1, 1);
    row("no post_processor, as written here", "null", "", 1, 1);
    row("add_bos_token off", begun, R"({"add_bos_token": false})", 1, -1);
    row("add_bos_token on", bytes, R"({"add_bos_token": true})", 1, 1);
    row("add_bos_token is no truth value", bytes, R"({"add_bos_token": null})", 1, -1);
    row("add_bos_token alone, off", "none", R"({"add_bos_token": false})", 1, -1);
    row("add_bos_token alone, on", "none", R"({"add_bos_token": true})", 1, 1);
    row("no tokeniser", "none", "", 1, 1);
    row("no begin token anywhere", "none", "", -1, -1);
    row("no begin token to add", bytes, R"({"add_bos_token": true})", -1, -1);
    row("strange ones", R"({"type": 3, "single": 4})", "", 1, -1);
    row("a strange template", R"({"type": "TemplateProcessing", "single": [3]})", "", 1, -1);
}

/// And so windows of texts begin: what the model saw while it was trained.
void TestModelFolder::textsBeginAsTheirTokeniserSays()
{
    QFETCH(QByteArray, postProcessor);
    QFETCH(QByteArray, config);
    QFETCH(int, bos);
    QFETCH(int, begins);
    const auto token = [](int id) { return id < 0 ? std::nullopt : std::optional(id); };
    SmallModel small = smallModel("llama");
    small.config["bos_token_id"] = bos < 0 ? nlohmann::json() : nlohmann::json(bos);
    for (const char* kind : {"BPE", "a kind that is not run"}) {
        QTemporaryDir own;
        const std::string path = own.path().toStdString();
        QCOMPARE(writeModel(small, path), std::string());
        if (postProcessor != "none")
            std::ofstream(path + "/tokenizer.json")
                << R"({"model": {"type": ")" << kind << R"(", "vocab": {"a": 0, "b": 1}, "merges": []}, )"
                << R"("post_processor": )" << postProcessor.toStdString() << "}";
        if (!config.isEmpty())
            std::ofstream(path + "/tokenizer_config.json") << config.toStdString();
        const auto model = openModel(path);
        QVERIFY2(model, model ? "" : model.error().message.c_str());
        QCOMPARE(model->tokenizer != nullptr, postProcessor != "none" && kind == std::string("BPE"));
        QCOMPARE(model->architecture.beginToken, token(begins));
        QCOMPARE(model->architecture.betweenDocuments, begins < 0 ? token(bos) : std::nullopt);
        const std::vector<int> text{5, 6, 7, 8, 9};
        QCOMPARE(windowOf(model->architecture, text, 0, 4)->inputs,
                 begins < 0 ? (std::vector<int>{5, 6, 7, 8}) : (std::vector<int>{begins, 5, 6, 7}));
        // documents start at it all the same
        Policy documents;
        documents.mask = Choice{"documents", {}, {}};
        const int start = begins < 0 ? bos : begins;
        const Policy policy = withDocuments(documents, model->architecture, std::vector{4, 4, start, 4, 4});
        QCOMPARE(policy.mask->text, std::string(start < 0 ? "" : "0,2"));
    }
}

void TestModelFolder::aHeadThatDiffersFromTheEmbeddingIsTaken_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("head");
    QTest::addColumn<QString>("embedding");
    const auto row = [](const char* type, const char* head, const char* embedding) {
        QTest::addRow("%s", type) << type << head << embedding;
    };
    row("llama", "lm_head.weight", "model.embed_tokens.weight");
    row("ministral3", "lm_head.weight", "model.embed_tokens.weight");
    row("gemma2", "lm_head.weight", "model.embed_tokens.weight");
    row("phi", "lm_head.weight", "model.embed_tokens.weight");
    row("gpt2", "lm_head.weight", "wte.weight");
    row("bert", "cls.predictions.decoder.weight", "bert.embeddings.word_embeddings.weight");
    row("modernbert", "decoder.weight", "model.embeddings.tok_embeddings.weight");
}

/// Where config.json ties them: as transformers does, with a note. A copy is no other head.
void TestModelFolder::aHeadThatDiffersFromTheEmbeddingIsTaken()
{
    QFETCH(QString, type);
    QFETCH(QString, head);
    QFETCH(QString, embedding);
    const std::string name = head.toStdString(), path = folder("tied " + type.toStdString());
    auto small = writeFamily(type.toStdString(), path, {{"tie_word_embeddings", true}});
    QVERIFY2(small, small ? "" : small.error().c_str());
    const auto table = std::ranges::find_if(
        small->tensors, [&](const auto& tensor) { return QString::fromStdString(tensor.first).endsWith(embedding); });
    QVERIFY(table != small->tensors.end());
    const SmallTensor copy = table->second;
    const std::vector<int> text{1, 7, 19, 33, 4, 58, 40, 2, 11};
    const auto lossesOf = [&](bool tied, const SmallTensor* own, bool noted) {
        SmallModel changed = *small;
        changed.config["tie_word_embeddings"] = tied;
        changed.tensors.erase(name);
        if (own)
            changed.tensors[name] = *own;
        [&] { QCOMPARE(writeModel(changed, path), std::string()); }();
        const auto model = openModel(path);
        std::vector<double> losses;
        if (!model) {
            [&] { QFAIL(model.error().message.c_str()); }();
            return losses;
        }
        [&] {
            QCOMPARE(model->architecture.tiedEmbeddings, tied && !noted);
            QVERIFY(model->unreadTensors.empty());
            QCOMPARE(std::ranges::any_of(notesOf(*model),
                                         [&](const std::string& note) { return note.find(name) != note.npos; }),
                     noted);
        }();
        WindowRequest request;
        request.everyPrediction = true;
        const auto run = runWindow(*model, {{text.begin(), text.end() - 1}, {text.begin() + 1, text.end()}}, request);
        for (const Prediction& one : run->predictions)
            losses.push_back(one.loss);
        return losses;
    };
    SmallTensor other = tensorOfName("another head", copy.shape);
    const auto tied = lossesOf(true, nullptr, false), copied = lossesOf(true, &copy, false),
               own = lossesOf(true, &other, true), wanted = lossesOf(false, &other, false);
    QVERIFY(tied == copied && own == wanted && own != tied);
    SmallTensor last = copy;  // in one number
    last.values.back() += 0.5f;
    QVERIFY(lossesOf(true, &last, true) != tied);
    if (type == "ministral3") {
        SmallModel silent = *small;
        silent.config.erase("tie_word_embeddings");
        silent.tensors[name] = other;
        QCOMPARE(writeModel(silent, path), std::string());
        const auto model = openModel(path);
        QVERIFY2(model, model ? "" : model.error().message.c_str());
        QVERIFY(!model->architecture.tiedEmbeddings && notesOf(*model).empty());
    }
}

void TestModelFolder::theMaskTokenIsFound_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("content");
    QTest::addRow("BERT's words") << "vocab.txt" << QByteArray("[PAD]\nthe\na\nof\n[MASK]\n");
    QTest::addRow("RoBERTa's words") << "vocab.json" << QByteArray(R"({"<s>": 0, "<pad>": 1, "the": 2, "<mask>": 4})");
    for (const char* mask : {"[MASK]", "<mask>"})
        QTest::addRow("added: %s", mask)
            << "tokenizer.json"
            << QByteArray(R"({"added_tokens": [{"id": 1, "content": "<pad>"}, {"id": 4, "content": ")") + mask +
                   "\"}]}";
}

/// Published encoders' configs do not say it.
void TestModelFolder::theMaskTokenIsFound()
{
    QFETCH(const QString, file);
    QFETCH(const QByteArray, content);
    QTemporaryDir own;
    const std::string path = own.path().toStdString();
    const auto small = writeFamily("roberta", path);
    QVERIFY2(small, small ? "" : small.error().c_str());
    SmallModel without = *small;
    without.config.erase("mask_token_id");
    QCOMPARE(writeModel(without, path), std::string());
    const auto refused = openModel(path);
    QVERIFY(!refused && refused.error().message.find("mask_token_id") != std::string::npos);
    std::ofstream(path + "/" + file.toStdString()) << content.toStdString();
    const auto opened = openModel(path);
    QVERIFY2(opened, opened ? "" : opened.error().message.c_str());
    QCOMPARE(opened->architecture.maskToken, std::optional(4));
}

/// A table of positions is as long as the config says, with the rows that stand before place 0: no place of one is
/// taken for another's.
void TestModelFolder::tablesOfPositionsAreAsLongAsTheirConfigSays()
{
    for (const char* type : {"roberta", "opt", "bert", "gpt2", "gpt_neo", "distilbert"})
        for (const int places : {40, 128}) {
            QTemporaryDir own;
            const std::string path = own.path().toStdString();
            const auto small = writeFamily(type, path);
            QVERIFY2(small && openModel(path), type);
            SmallModel changed = *small;
            changed.config[std::string(type) == "gpt2" ? "n_positions" : "max_position_embeddings"] = places;
            QCOMPARE(writeModel(changed, path), std::string());
            QVERIFY2(!openModel(path), type);
        }
}

void TestModelFolder::layersAreSaidInWords()
{
    const auto said = [&](const char* type, int layer) {
        const std::string path = folder(std::string("said ") + type);
        return writeFamily(type, path).has_value() ? layerInWords(openModel(path)->architecture, layer)
                                                   : std::string("not written");
    };
    QCOMPARE(said("llama", 0), std::string("RoPE, base 10000; sees all keys before it"));
    QCOMPARE(said("gpt2", 2), std::string("learned positions; sees all keys before it"));
    QCOMPARE(said("mistral", 1), std::string("RoPE, base 10000; window of 5 keys"));
    QCOMPARE(said("gemma2", 1).substr(0, 41), std::string("RoPE, base 10000; sees all keys before it"));
    QVERIFY(said("gemma2", 0).find("soft-cap 4") != std::string::npos);
    QVERIFY(said("gpt_oss", 0).ends_with("window of 6 keys; a sink a head; 2 of 4 experts"));
    QVERIFY(said("smollm3", 1).starts_with("no positions"));
    QVERIFY(said("bert", 0).ends_with("sees all keys"));
    QVERIFY(said("qwen3", 0).ends_with("norms of queries and keys"));
}

void TestModelFolder::windowsOfLayers()
{
    const auto windows = [](const nlohmann::json& json) {
        const Architecture a = readModelConfig(json.dump(), "config.json")->architecture;
        std::vector<std::int64_t> all;
        for (int layer = 0; layer < a.layers; ++layer)
            all.push_back(maskOf(a, layer).id == "window" ? static_cast<std::int64_t>(maskOf(a, layer).values.at("w"))
                                                          : 0);
        return all;
    };
    const std::vector<std::int64_t> none{0, 0, 0};
    QCOMPARE(windows(config("gemma2")), (std::vector<std::int64_t>{5, 0, 5}));
    QCOMPARE(windows(with("mistral", "sliding_window", nullptr)), none);
    nlohmann::json qwen = with("qwen2", "use_sliding_window", true);
    qwen["sliding_window"] = 8;
    qwen["max_window_layers"] = 2;
    QCOMPARE(windows(qwen), (std::vector<std::int64_t>{0, 0, 8}));
    qwen["layer_types"] = {"sliding_attention", "full_attention", "full_attention"};
    QCOMPARE(windows(qwen), (std::vector<std::int64_t>{8, 0, 0}));
    qwen["use_sliding_window"] = false;
    QCOMPARE(windows(qwen), none);
    // what transformers 5's configurations take where a field is missing
    nlohmann::json plain = config("llama");
    plain["model_type"] = "exaone4";
    plain["sliding_window_pattern"] = 3;
    QCOMPARE(windows(plain), (std::vector<std::int64_t>{4096, 4096, 0}));
    plain["sliding_window"] = nullptr;
    QCOMPARE(windows(plain), none);
    plain["model_type"] = "qwen2_moe";
    plain.update({{"use_sliding_window", true}, {"sliding_window", 8}, {"num_hidden_layers", 5}});
    plain.erase("sliding_window_pattern");
    QCOMPARE(windows(plain), (std::vector<std::int64_t>{8, 0, 8, 0, 8}));
    plain["max_window_layers"] = 3;
    QCOMPARE(windows(plain), (std::vector<std::int64_t>{8, 0, 8, 0, 0}));
    plain["model_type"] = "qwen3_moe";  // one mask for all of its layers, modeling_qwen3_moe.py
    QCOMPARE(windows(plain), (std::vector<std::int64_t>{8, 8, 8, 8, 8}));
    plain["use_sliding_window"] = false;
    QCOMPARE(windows(plain), (std::vector<std::int64_t>{0, 0, 0, 0, 0}));
}

/// Command R's base is transformers' default; what the first Nomic BERTs' configuration takes is mostly not run.
void TestModelFolder::missingFieldsOfThosePublished()
{
    nlohmann::json cohere = config("llama");
    cohere["model_type"] = "cohere";
    cohere.erase("rope_theta");
    const auto read = readModelConfig(cohere.dump(), "config.json");
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    const auto positionsOf = [](const ModelConfig& of) {
        const std::string words = layerInWords(of.architecture, 0);
        return words.substr(0, words.find(';'));
    };
    QVERIFY2(positionsOf(*read).find("base 500000") != std::string::npos, positionsOf(*read).c_str());
    nlohmann::json nomic{{"model_type", "nomic_bert"},
                         {"vocab_size", 61},
                         {"n_embd", 24},
                         {"n_head", 6},
                         {"n_layer", 3},
                         {"n_positions", 48},
                         {"rotary_emb_fraction", 1.0},
                         {"qkv_proj_bias", false},
                         {"mlp_fc1_bias", false},
                         {"mlp_fc2_bias", false},
                         {"activation_function", "swiglu"}};
    const auto whole = readModelConfig(nomic.dump(), "config.json");
    QVERIFY2(whole, whole ? "" : whole.error().message.c_str());
    QCOMPARE(whole->architecture.epsilon, 1e-5);
    QCOMPARE(whole->architecture.specs.front().inner, 96);
    QVERIFY2(positionsOf(*whole).find("base 10000") != std::string::npos, positionsOf(*whole).c_str());
    for (const char* field :
         {"rotary_emb_fraction", "qkv_proj_bias", "mlp_fc1_bias", "mlp_fc2_bias", "activation_function"}) {
        nlohmann::json without = nomic;
        without.erase(field);
        const auto refused = readModelConfig(without.dump(), "config.json");
        QVERIFY2(!refused && refused.error().message.find(field) != std::string::npos, field);
    }
}

void TestModelFolder::stretchedPositions()
{
    const auto read = [](const nlohmann::json& scaling) {
        return readModelConfig(with("llama", "rope_scaling", scaling).dump(), "config.json")->architecture;
    };
    const Architecture linear = read({{"type", "linear"}, {"factor", 4.0}});
    QCOMPARE(formatChoice(linear.position()), std::string("pi:interleaved=0,s=4"));
    QCOMPARE(linear.trainLength, 32);
    const Architecture yarn = read({{"rope_type", "yarn"}, {"factor", 4.0}, {"original_max_position_embeddings", 16}});
    QCOMPARE(formatChoice(yarn.position()), "yarn_rope:N=16,beta_fast=32,beta_slow=1,by_index=1,interleaved=0,m=" +
                                                formatNumber(0.1 * std::log(4.0) + 1) + ",s=4");
    QCOMPARE(yarn.trainLength, 16);
    QCOMPARE(read({{"rope_type", "default"}}), read(nullptr));
    QCOMPARE(formatChoice(
                 readModelConfig(
                     with("llama", "rope_parameters", {{"rope_type", "default"}, {"rope_theta", 5000.0}}).dump(), "c")
                     ->architecture.position()),
             std::string("rope:base=5000,interleaved=0"));
}

void TestModelFolder::scalingsAsTheyAreWritten_data()
{
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("positions");
    QTest::addColumn<int>("trained");
    // a small Llama of heads of 6 that promises 32 tokens
    const auto row = [](const char* name, const nlohmann::json& scaling, const std::string& positions, int trained) {
        QTest::addRow("%s", name) << QString::fromStdString(with("llama", "rope_scaling", scaling).dump())
                                  << QString::fromStdString(positions) << trained;
    };
    const std::string m2 = formatNumber(0.1 * std::log(2.0) + 1),
                      yarn = "yarn_rope:N=16,beta_fast=32,beta_slow=1,by_index=1,interleaved=0";
    row("a null", nullptr, "rope:interleaved=0", 32);
    row("YaRN without a factor", {{"type", "yarn"}, {"original_max_position_embeddings", 16}},
        yarn + ",m=" + m2 + ",s=2", 16);
    row("YaRN with nulls",
        {{"type", "yarn"},
         {"original_max_position_embeddings", 16},
         {"factor", nullptr},
         {"beta_fast", nullptr},
         {"attention_factor", nullptr}},
        yarn + ",m=" + m2 + ",s=2", 16);
    row("YaRN as DeepSeek writes it",
        {{"type", "yarn"},
         {"original_max_position_embeddings", 16},
         {"factor", 4},
         {"mscale", 1},
         {"mscale_all_dim", 1}},
        yarn + ",s=4", 16);
    row("YaRN without rounding",
        {{"type", "yarn"},
         {"original_max_position_embeddings", 16},
         {"factor", 2},
         {"truncate", false},
         {"finetuned", true}},
        yarn + ",m=" + m2 + ",rounded=0,s=2", 16);
    row("LongRoPE",
        {{"type", "longrope"},
         {"original_max_position_embeddings", 16},
         {"short_factor", {1, 1, 1}},
         {"long_factor", {1, 2.5, 4}}},
        "long_rope:interleaved=0,m=" + formatNumber(std::sqrt(1 + std::log(2.0) / std::log(16.0))) + ",\"1,1,1\"", 16);
    row("dynamic", {{"type", "dynamic"}, {"factor", 2}}, "rope:interleaved=0", 32);
    // which _compute_dynamic_ntk_parameters counts from max_position_embeddings, whatever else is given
    row("dynamic, and a length before it",
        {{"type", "dynamic"}, {"factor", 2}, {"original_max_position_embeddings", 16}}, "rope:interleaved=0", 32);
    const auto config = [](const char* name, const nlohmann::json& json, const char* positions) {
        QTest::addRow("%s", name) << QString::fromStdString(json.dump()) << positions << 32;
    };
    config("all of a head", with("llama", "partial_rotary_factor", 1.0), "rope:interleaved=0");
    nlohmann::json pythia = with("gpt_neox", "rope_parameters",
                                 {{"rope_type", "default"}, {"rope_theta", 5000.0}, {"partial_rotary_factor", 0.5}});
    pythia.erase("rotary_pct");
    pythia.erase("rotary_emb_base");
    config("Pythia of transformers 5", pythia, "rope:base=5000,dims=4,interleaved=0");
}

void TestModelFolder::scalingsAsTheyAreWritten()
{
    QFETCH(QString, json);
    QFETCH(QString, positions);
    QFETCH(int, trained);
    const auto read = readModelConfig(json.toStdString(), "config.json");
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QCOMPARE(QString::fromStdString(formatChoice(read->architecture.position())), positions);
    QCOMPARE(read->architecture.trainLength, trained);
    QVERIFY2(read->unknown.empty(), read->unknown.empty() ? "" : read->unknown.front().c_str());
    // beyond N: LongRoPE has other numbers, "dynamic" a larger base, s = 2 * 2 - 1
    const std::string beyond = formatChoice(*positionOf({}, read->architecture, 0, 2 * trained));
    QCOMPARE(beyond.find("1,2.5,4") != std::string::npos, positions.startsWith("long_rope"));
    if (std::string(QTest::currentDataTag()).starts_with("dynamic"))
        QCOMPARE(beyond, std::string("ntk:interleaved=0,s=3"));
}

void TestModelFolder::everyFamilyTakesPositionsFromEitherPlace_data()
{
    QTest::addColumn<QString>("type");
    for (const Family& family : families())
        QTest::addRow("%s", std::string(family.id).c_str()) << QString::fromStdString(std::string(family.id));
}

/// A base is the same for the same layers wherever it stands, and rope_scaling goes before rope_parameters.
void TestModelFolder::everyFamilyTakesPositionsFromEitherPlace()
{
    QFETCH(QString, type);
    const auto small = writeFamily(type.toStdString(), folder("positions " + type.toStdString()));
    QVERIFY2(small, small ? "" : small.error().c_str());
    nlohmann::json bare = small->config;
    for (const char* key : {"rope_theta", "rope_scaling", "rope_parameters"})
        bare.erase(key);
    const auto read = [&](const nlohmann::json& changes) {
        nlohmann::json changed = bare;
        changed.update(changes);
        return readModelConfig(changed.dump(), "config.json");
    };
    nlohmann::json still = nlohmann::json::object();
    if (type == "ministral3" || type == "gpt_oss" || type == "cwm")  // which are stretched where no field says it
        still = {{"rope_parameters", {{"rope_type", "default"}}}};
    const auto plain = read(still);
    QVERIFY2(plain, plain ? "" : plain.error().message.c_str());
    QCOMPARE(read(nlohmann::json::object())->architecture == plain->architecture, still.empty());
    const double base = 54321;
    still["rope_theta"] = base;
    if (const auto above = read(still); above && !(above->architecture == plain->architecture)) {
        const auto within = read({{"rope_parameters", {{"rope_type", "default"}, {"rope_theta", base}}}});
        QVERIFY2(within, within ? "" : within.error().message.c_str());
        QCOMPARE(within->architecture, above->architecture);
        QVERIFY(within->remarks == plain->remarks);
    }
    const nlohmann::json scaling{{"rope_type", "linear"}, {"factor", 2.0}},
        other{{"rope_type", "linear"}, {"factor", 7.0}, {"rope_theta", base}};
    const auto one = read({{"rope_scaling", scaling}}),
               two = read({{"rope_scaling", scaling}, {"rope_parameters", other}});
    QCOMPARE(two.has_value(), one.has_value());
    if (!one)
        return;
    QCOMPARE(two->architecture, one->architecture);
    const bool turns = !(one->architecture == plain->architecture);
    const auto says = [](const ModelConfig& of) {
        return std::ranges::count_if(of.remarks, [](const std::string& remark) {
            return remark.find("rope_scaling is taken in the place of rope_parameters") != std::string::npos;
        });
    };
    if (turns)
        QCOMPARE(says(*two), 1);
    QCOMPARE(says(*one), 0);
    const auto same = read({{"rope_scaling", scaling}, {"rope_parameters", scaling}}),
               empty = read({{"rope_scaling", nlohmann::json::object()}, {"rope_parameters", scaling}});
    QVERIFY(same && empty);
    QCOMPARE(says(*same) + says(*empty), 0);
    QCOMPARE(same->architecture, one->architecture);
    QCOMPARE(empty->architecture, one->architecture);
}

void TestModelFolder::layersOfTwoKindsHaveTheirOwnPositions_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("changes");
    QTest::addColumn<QString>("sliding");
    QTest::addColumn<QString>("full");
    const auto row = [](const char* type, const char* name, const nlohmann::json& changes, const char* sliding,
                        const char* full) {
        QTest::addRow("%s, %s", type, name) << type << QString::fromStdString(changes.dump()) << sliding << full;
    };
    const nlohmann::json stretch{{"rope_type", "linear"}, {"factor", 8.0}}, plain{{"rope_type", "default"}};
    const auto with = [](nlohmann::json fields, double base) {
        fields["rope_theta"] = base;
        return fields;
    };
    const char *plainBase = "rope:base=500000,interleaved=0", *stretched = "pi:base=500000,interleaved=0,s=8";
    row("olmo3", "above", {{"rope_theta", 5e5}, {"rope_scaling", stretch}}, plainBase, stretched);
    row("olmo3", "flat", {{"rope_parameters", with(stretch, 5e5)}}, plainBase, stretched);
    row("olmo3", "flat, and a base above", {{"rope_theta", 7000.0}, {"rope_parameters", with(stretch, 5e5)}}, plainBase,
        stretched);
    row("olmo3", "by type",
        {{"rope_parameters", {{"sliding_attention", with(plain, 300.0)}, {"full_attention", with(stretch, 5e5)}}}},
        "rope:base=300,interleaved=0", stretched);
    row("olmo3", "by type, and a stretch above",
        {{"rope_scaling", stretch},
         {"rope_parameters", {{"sliding_attention", with(plain, 5e5)}, {"full_attention", with(plain, 5e5)}}}},
        plainBase, stretched);
    const char* local = "rope:base=9000,interleaved=0";
    row("gemma3_text", "above", {{"rope_theta", 5e5}, {"rope_local_base_freq", 9000.0}, {"rope_scaling", stretch}},
        local, stretched);
    row("gemma3_text", "flat", {{"rope_local_base_freq", 9000.0}, {"rope_parameters", with(stretch, 5e5)}}, local,
        stretched);
    row("gemma3_text", "by type",
        {{"rope_parameters", {{"sliding_attention", with(plain, 9000.0)}, {"full_attention", with(stretch, 5e5)}}}},
        local, stretched);
    row("gemma3_text", "by type, and a stretch above",
        {{"rope_scaling", stretch},
         {"rope_parameters", {{"sliding_attention", with(plain, 9000.0)}, {"full_attention", with(plain, 5e5)}}}},
        local, stretched);
}

void TestModelFolder::layersOfTwoKindsHaveTheirOwnPositions()
{
    QFETCH(QString, type);
    QFETCH(QString, changes);
    QFETCH(QString, sliding);
    QFETCH(QString, full);
    const auto small = writeFamily(type.toStdString(), folder("two kinds"));
    QVERIFY2(small, small ? "" : small.error().c_str());
    nlohmann::json changed = small->config;
    for (const char* key : {"rope_theta", "rope_scaling", "rope_parameters", "rope_local_base_freq"})
        changed.erase(key);
    changed["layer_types"] = {"sliding_attention", "full_attention", "sliding_attention"};
    changed["num_hidden_layers"] = 3;
    changed["sliding_window"] = 5;
    changed.update(nlohmann::json::parse(changes.toStdString()));
    const auto read = readModelConfig(changed.dump(), "config.json");
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    for (const int layer : {0, 1, 2})
        QCOMPARE(
            QString::fromStdString(formatChoice(read->architecture.specs[static_cast<size_t>(layer)].position.choice)),
            layer == 1 ? full : sliding);
}

void TestModelFolder::publishedGemma3HasTransformersSizes_data()
{
    using Sizes = QList<int>;
    QTest::addColumn<QString>("fields");
    QTest::addColumn<Sizes>("sizes");  // width, layers, heads, key heads, size of a head, vocabulary, length
    QTest::addRow("4B") << R"("hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 34)"
                        << Sizes{2560, 34, 8, 4, 256, 262208, 131072};
    QTest::addRow("12B") << R"("hidden_size": 3840, "intermediate_size": 15360, "num_hidden_layers": 48,
                               "num_attention_heads": 16, "num_key_value_heads": 8)"
                         << Sizes{3840, 48, 16, 8, 256, 262208, 131072};
    QTest::addRow("27B") << R"("hidden_size": 5376, "intermediate_size": 21504, "num_hidden_layers": 62,
                               "num_attention_heads": 32, "num_key_value_heads": 16, "head_dim": 128,
                               "query_pre_attn_scalar": 168)"
                         << Sizes{5376, 62, 32, 16, 128, 262208, 131072};
    QTest::addRow("nothing") << "" << Sizes{2304, 26, 8, 4, 256, 262208, 131072};
}

/// As google/gemma-3-4b-it and its kin are published: what text_config leaves out is Gemma3TextConfig's default.
void TestModelFolder::publishedGemma3HasTransformersSizes()
{
    using Sizes = QList<int>;
    QFETCH(QString, fields);
    QFETCH(Sizes, sizes);
    const std::string own = fields.isEmpty() ? "" : fields.toStdString() + ",";
    const auto read = readModelConfig(R"({"model_type": "gemma3", "vision_config": {"hidden_size": 1152},
        "text_config": {)" + own + R"("model_type": "gemma3_text", "sliding_window": 1024,
                        "rope_scaling": {"factor": 8.0, "rope_type": "linear"}}})",
                                      "config.json");
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    const Architecture& a = read->architecture;
    QCOMPARE((Sizes{a.width, a.layers, a.heads, a.keyHeads, a.headSize, a.vocabulary, static_cast<int>(a.trainLength)}),
             sizes);
    QVERIFY(a.tiedEmbeddings);
    for (int layer = 0; layer < a.layers; ++layer) {
        const LayerSpec& spec = a.specs[static_cast<size_t>(layer)];
        QCOMPARE(formatChoice(spec.mask), std::string((layer + 1) % 6 == 0 ? "causal" : "window:w=1024"));
        QCOMPARE(formatChoice(spec.position.choice),
                 std::string((layer + 1) % 6 == 0 ? "pi:base=1e+06,interleaved=0,s=8" : "rope:interleaved=0"));
    }
}

/// The name of the scaling that the model was trained with, whichever row of the registry computes it.
void TestModelFolder::positionsAreCalledAsPeopleCallThem()
{
    const auto words = [](const nlohmann::json& scaling) {
        nlohmann::json changed = config("llama");
        changed["rope_scaling"] = scaling;
        const auto read = readModelConfig(changed.dump(), "config.json");
        return read ? positionInWords(read->architecture) : read.error().message;
    };
    QCOMPARE(words(nullptr), std::string("RoPE"));
    QCOMPARE(words({{"rope_type", "llama3"},
                    {"factor", 8},
                    {"low_freq_factor", 1},
                    {"high_freq_factor", 4},
                    {"original_max_position_embeddings", 16}}),
             std::string("Llama 3 RoPE"));
    QCOMPARE(words({{"rope_type", "dynamic"}, {"factor", 2}}), std::string("Dynamic NTK RoPE"));
    QCOMPARE(words({{"rope_type", "linear"}, {"factor", 2}}), std::string("Position interpolation"));
    const nlohmann::json divisors = {1, 2.5, 4};
    QCOMPARE(words({{"rope_type", "longrope"},
                    {"original_max_position_embeddings", 16},
                    {"short_factor", {1, 1, 1}},
                    {"long_factor", divisors}}),
             std::string("LongRoPE"));
    QCOMPARE(words({{"rope_type", "longrope"}, {"factor", 1}, {"short_factor", divisors}, {"long_factor", divisors}}),
             std::string("RoPE, divided"));
    // wherever only the choice is known, as of a head in Explore, neither is taken for the other
    for (const Position& row : positions())
        QVERIFY(row.label.find("LongRoPE") == row.label.npos);
}

void TestModelFolder::wrongConfigs_data()
{
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const nlohmann::json& json, const char* says) {
        QTest::addRow("%s", name) << QString::fromStdString(json.dump()) << says;
    };
    QTest::addRow("no JSON") << "{\"model_type\":"
                             << "no valid JSON";
    QTest::addRow("a list") << "[]"
                            << "must be an object";
    QTest::addRow("a number") << "7"
                              << "must be an object";
    QTest::addRow("twice") << "{\"model_type\":\"llama\",\"model_type\":\"gpt2\"}"
                           << "twice";
    QTest::addRow("deep") << QString("[").repeated(100000) << "nested deeper";
    row("no type", nlohmann::json::object(), "no model_type");
    row("another type", with("llama", "model_type", "mamba"), "'mamba', which is not run here");
    row("no sizes", {{"model_type", "llama"}}, "hidden_size is missing");
    row("no heads", with("llama", "num_attention_heads", 0), "num_attention_heads must be");
    row("a negative size", with("llama", "hidden_size", -64), "hidden_size must be");
    row("a huge size", with("llama", "hidden_size", 1e18), "hidden_size must be");
    row("half a layer", with("llama", "num_hidden_layers", 2.5), "num_hidden_layers must be");
    row("a text for a size", with("llama", "vocab_size", "61"), "vocab_size must be");
    row("keys that do not divide", with("llama", "num_key_value_heads", 4), "must divide num_attention_heads");
    row("no key heads", with("llama", "num_key_value_heads", 0), "num_key_value_heads must be");
    row("an activation", with("llama", "hidden_act", "mish"), "the activation 'mish'");
    row("quantised", with("llama", "quantization_config", {{"bits", 4}}), "quantised weights");
    row("eight bits in other squares",
        with("llama", "quantization_config", {{"quant_method", "fp8"}, {"weight_block_size", {64, 64}}}),
        "quantised weights");
    row("compressed integers",
        with("llama", "quantization_config", {{"quant_method", "compressed-tensors"}, {"format", "int-quantized"}}),
        "quantised weights");
    row("positions", with("llama", "rope_scaling", {{"rope_type", "mrope"}, {"factor", 4.0}}),
        "'mrope', which is not run here");
    row("factors of pairs", with("llama", "rope_scaling", {{"rope_type", "longrope"}, {"factor", 4.0}}),
        "short_factor must be a list of 3 numbers");
    row("positions without a factor", with("llama", "rope_scaling", {{"rope_type", "linear"}}), "factor is missing");
    row("positions with more",
        with("llama", "rope_scaling", {{"rope_type", "linear"}, {"factor", 4.0}, {"mscale", 2.0}}),
        "mscale is not known");
    row("partly turned", with("llama", "partial_rotary_factor", 0.5), "an odd number of coordinates, 3");
    row("layers of another type",
        with("qwen3", "layer_types", {"chunked_attention", "full_attention", "full_attention"}), "'chunked_attention'");
    row("too few types", with("qwen3", "layer_types", {"full_attention"}), "one a layer");
    row("unscaled logits", with("gpt2", "scale_attn_weights", false), "scale_attn_weights");
    row("scale by layer", with("gpt2", "scale_attn_by_inverse_layer_idx", true), "scale_attn_by_inverse_layer_idx");
    row("heads that do not divide", with("gpt2", "n_head", 5), "do not divide");
}

void TestModelFolder::wrongConfigs()
{
    QFETCH(QString, json);
    QFETCH(QString, says);
    const auto read = readModelConfig(json.toStdString(), "config.json");
    QVERIFY(!read);
    QVERIFY2(QString::fromStdString(read.error().message).contains(says), read.error().message.c_str());
    QVERIFY(read.error().message.find('\n') == std::string::npos);
}

void TestModelFolder::unknownFieldsAreListed()
{
    const auto read = readModelConfig(with("llama", "a_new_field", 3).dump(), "config.json");
    QVERIFY(read);
    QCOMPARE(read->unknown, std::vector<std::string>{"a_new_field"});
    QVERIFY(readModelConfig(with("llama", "quantization_config", {{"quant_method", "fp8"}}).dump(), "config.json"));
}

/// Once, in a sentence that names them: fields and tensors that nobody reads, tokens that are none.
void TestModelFolder::whatIsPassedOverIsSaid()
{
    SmallModel small = smallModel("llama");
    QCOMPARE(writeModel(small, folder("silent")), std::string());
    QVERIFY(notesOf(*openModel(folder("silent"))).empty());

    small.config["use_logn_attn"] = true;
    small.config["num_hidden_layers"] = 2;  // and the weights have three
    small.config["bos_token_id"] = 61;      // of 61
    small.tensors["model.layers.0.self_attn.q_proj.bias"] = {{36}, std::vector<float>(36, 1)};
    QCOMPARE(writeModel(small, folder("said")), std::string());
    const auto model = openModel(folder("said"));
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    const auto notes = notesOf(*model);
    const auto says = [&](const char* what) {
        return std::any_of(notes.begin(), notes.end(),
                           [&](const std::string& note) { return note.find(what) != std::string::npos; });
    };
    QVERIFY(says("use_logn_attn") && says("q_proj.bias") && says("bos_token_id is no token"));
    QCOMPARE(model->unreadTensors.size(), std::size_t(1 + 9));  // the bias, and a layer of nine
    QVERIFY(!model->architecture.beginToken);
}

void TestModelFolder::faultsOfFilesAreNoWrongUsage()
{
    const auto kindOf = [&](const SmallModel& small) {
        writeModel(small, folder("fault"));
        const auto model = openModel(folder("fault"));
        return model ? ErrorKind::Cancelled : model.error().kind;
    };
    SmallModel headless = smallModel("llama");
    headless.tensors.erase("lm_head.weight");
    QCOMPARE(kindOf(headless), ErrorKind::DataError);
    SmallModel wrong = smallModel("llama");
    wrong.config["rope_scaling"] = {{"rope_type", "linear"}};
    QCOMPARE(kindOf(wrong), ErrorKind::DataError);
    QCOMPARE(writeModel(smallModel("llama"), folder("good")), std::string());
    const auto model = openModel(folder("good"));
    Sequence sequence(*model, *resolve({}, model->architecture, 4), {});
    QCOMPARE(sequence.append(std::vector<int>{1, 2, 61}).error().kind, ErrorKind::DataError);
}

void TestModelFolder::wrongWeights_data()
{
    QTest::addColumn<QString>("tensor");
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("says");
    QTest::addRow("missing") << "model.layers.1.mlp.up_proj.weight"
                             << "missing"
                             << "no tensor 'model.layers.1.mlp.up_proj.weight' of shape [40, 24]";
    QTest::addRow("transposed") << "model.layers.2.mlp.up_proj.weight"
                                << "transposed"
                                << "has shape [24, 40], but config.json implies [40, 24]";
    QTest::addRow("a norm too many") << "model.norm.weight"
                                     << "matrix"
                                     << "has shape [24, 1], but config.json implies [24]";
    QTest::addRow("no head") << "lm_head.weight"
                             << "missing"
                             << "'lm_head.weight'";
}

void TestModelFolder::wrongWeights()
{
    QFETCH(QString, tensor);
    QFETCH(QString, what);
    QFETCH(QString, says);
    SmallModel small = smallModel("llama");
    auto& shape = small.tensors[tensor.toStdString()].shape;
    if (what == "missing")
        small.tensors.erase(tensor.toStdString());
    else if (what == "transposed")
        std::swap(shape[0], shape[1]);
    else
        shape.push_back(1);
    QCOMPARE(writeModel(small, folder("wrong")), std::string());
    const auto model = openModel(folder("wrong"));
    QVERIFY(!model);
    QVERIFY2(QString::fromStdString(model.error().message).contains(says), model.error().message.c_str());
}

void TestModelFolder::wrongIndexes_data()
{
    QTest::addColumn<QString>("index");
    QTest::addColumn<QString>("says");
    QTest::addRow("no JSON") << "{"
                             << "no valid JSON";
    QTest::addRow("no map") << "{}"
                            << "weight_map must be";
    QTest::addRow("an empty map") << R"({"weight_map":{}})"
                                  << "names no file";
    QTest::addRow("a number") << R"({"weight_map":{"a":1}})"
                              << "must be in a .safetensors file of this folder";
    QTest::addRow("another folder") << R"({"weight_map":{"a":"../secret.safetensors"}})"
                                    << "must be in a .safetensors file of this folder";
    QTest::addRow("an absolute path") << R"({"weight_map":{"a":"/etc/passwd"}})"
                                      << "must be in a .safetensors file of this folder";
    QTest::addRow("a file that is not there") << R"({"weight_map":{"a":"part-9.safetensors"}})"
                                              << "no such file";
    QTest::addRow("another format") << R"({"weight_map":{"a":"pytorch_model.bin"}})"
                                    << "must be in a .safetensors file of this folder";
}

void TestModelFolder::wrongIndexes()
{
    QFETCH(QString, index);
    QFETCH(QString, says);
    QTemporaryDir made;
    const std::string path = made.path().toStdString();
    std::ofstream(path + "/config.json") << config("llama").dump();
    std::ofstream(path + "/model.safetensors.index.json") << index.toStdString();
    const auto model = openModel(path);
    QVERIFY(!model);
    QVERIFY2(QString::fromStdString(model.error().message).contains(says), model.error().message.c_str());
}

/// A file that is cut while the model is open is an error, and no signal.
void TestModelFolder::shortenedFilesAreNoticed()
{
    QCOMPARE(writeModel(smallModel("llama"), folder("cut")), std::string());
    const auto model = openModel(folder("cut"));
    QVERIFY(model);
    QVERIFY(model->files->check());
    QFile file(QString::fromStdString(folder("cut") + "/model.safetensors"));
    QVERIFY(file.resize(file.size() / 2));
    QCOMPARE(model->files->check().error().kind, ErrorKind::Truncated);
    const auto again = openModel(folder("cut"));
    QVERIFY(!again);
    QVERIFY(!openModel(folder("nowhere")));
    QVERIFY(isModel(folder("cut")) && !isModel(m_folder.path().toStdString()));
}

void TestModelFolder::positionsTakeWhatTheModelSays()
{
    Architecture a;
    a.trainLength = 512;
    a.headSize = 16;
    a.layers = 2;
    a.specs.resize(2);  // the second has no positions, and keeps none
    a.specs[0].position.choice = {"rope", {{"base", 20000}, {"dims", 8}, {"interleaved", 0}}, {}};
    Policy policy;
    const auto text = [&](const char* given, std::int64_t n) {
        policy.position = Choice{given, {}, {}};
        return formatChoice(*positionOf(policy, a, 0, n));
    };
    QCOMPARE(text("pi", 2048), std::string("pi:base=20000,dims=8,interleaved=0,s=4"));
    QCOMPARE(text("pi", 256), std::string("pi:base=20000,dims=8,interleaved=0,s=1"));
    QCOMPARE(text("yarn_rope", 1024), std::string("yarn_rope:N=512,base=20000,dims=8,interleaved=0,s=2"));
    QCOMPARE(text("alibi", 1024), std::string("alibi"));
    QCOMPARE(text("rerope", 1024), std::string("rerope:base=20000,dims=8,interleaved=0,w=128"));
    policy.trainLength = 64;  // no distance that training never showed
    QCOMPARE(positionOf(policy, a, 0, 1024)->values.at("w"), 64.0);
    policy.position = Choice{"ntk", {{"s", 3}, {"base", 100}}, {}};
    policy.trainLength = 128;
    QCOMPARE(formatChoice(*positionOf(policy, a, 0, 1024)), std::string("ntk:base=100,dims=8,interleaved=0,s=3"));
    policy.position->values.erase("s");
    QCOMPARE(positionOf(policy, a, 0, 1024)->values.at("s"), 8.0);
    QCOMPARE(positionOf(policy, a, 1, 1024)->id, std::string("none"));
    policy.position->values["dims"] = 17;
    QVERIFY(positionOf(policy, a, 0, 1024).error().message.find("heads have 16") != std::string::npos);
    policy.position.reset();
    QCOMPARE(*positionOf(policy, a, 0, 1024), a.specs[0].position.choice);
}

QTEST_APPLESS_MAIN(TestModelFolder)
#include "test_model_folder.moc"
