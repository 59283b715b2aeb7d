// Models from .gguf files: the same numbers as the folder that they were made from, whatever the weights are stored in;
// and those that may lie beside the checkout, against independent numbers.

#include "core/model/gguf_families.h"
#include "core/model/evaluation.h"
#include "core/model/families/families.h"
#include "core/model/gguf_model.h"
#include "core/model/model.h"
#include "core/model/model_config.h"
#include "core/model/rope_scaling.h"
#include "core/model/sequence.h"
#include "tests/model/every_family.h"
#include "tests/model/small_gguf.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <set>

using namespace attnscope;

namespace {

const std::string shared = SHARED;
const std::vector<int> ids{1, 7, 19, 33, 4, 58, 40, 2, 11, 26, 9, 60, 3, 3, 17, 22};

/// Where ATTNSCOPE_GGUF_FILES names a folder: the file, with a vocabulary for its ids, which llama.cpp wants, and the
/// losses that were found, for llama_losses.mjs.
void keepForLlamaCpp(const QString& name, GgufMaker make, const std::vector<int>& text,
                     const std::vector<Prediction>& found)
{
    const QString folder = qEnvironmentVariable("ATTNSCOPE_GGUF_FILES");
    if (folder.isEmpty())
        return;
    std::string tokens;
    for (int id = 0; id < 61; ++id)
        tokens += build::little(1, 8) + static_cast<char>('!' + id);
    const auto list = [&](const char* key, std::uint64_t type, std::uint64_t count, const std::string& bytes) {
        make.file.values.push_back(build::ggufKey(key) + build::little(9, 4) + build::little(type, 4) +
                                   build::little(count, 8) + bytes);
    };
    make.text("tokenizer.ggml.model", "gpt2");
    make.text("tokenizer.ggml.pre", "gpt-2");
    list("tokenizer.ggml.tokens", 8, 61, tokens);
    list("tokenizer.ggml.merges", 8, 1, build::little(3, 8) + "! \"");
    std::vector<double> losses;
    for (const Prediction& one : found)
        losses.push_back(one.loss);
    const std::string path = folder.toStdString() + "/" + name.toStdString();
    std::ofstream(path + ".gguf", std::ios::binary) << build::gguf(make.file);
    std::ofstream(path + ".json") << nlohmann::json{{"ids", text}, {"losses", losses}};
}

Result<std::vector<Prediction>> predictionsOf(const Model& model, const std::vector<int>& of)
{
    const Window window{{of.begin(), of.end() - 1}, {of.begin() + 1, of.end()}};
    WindowRequest request;
    request.everyPrediction = true;
    return runWindow(model, window, request).map([](const WindowResult& result) { return result.predictions; });
}

}  // namespace

class TestGguf : public QObject {
    Q_OBJECT

private slots:
    void aFileIsTheFolderItWasMadeFrom_data();
    void aFileIsTheFolderItWasMadeFrom();
    void groupsOfExpertsThatNoValueSays();
    void aFileGivesTheLossesOfTransformers_data();
    void aFileGivesTheLossesOfTransformers();
    void headsMayStandInOneTensor_data();
    void headsMayStandInOneTensor();
    void layersThatPredictFurtherAreLeftOut_data();
    void layersThatPredictFurtherAreLeftOut();
    void withoutAWindowAllLayersOfGemma3SeeAll();
    void glm4TurnsInSections();
    void wordPiecesAreTidiedAsTheFileSays_data();
    void wordPiecesAreTidiedAsTheFileSays();
    void encodersComeWithoutAHead_data();
    void encodersComeWithoutAHead();
    void aChangedFileIsRefusedOrRun_data();
    void aChangedFileIsRefusedOrRun();
    void textsBeginAsLlamaCppBeginsThem_data();
    void textsBeginAsLlamaCppBeginsThem();
    void asManyCoordinatesTurnAsTheFileSays();
    void temperaturesAreThoseOfLlamaCpp_data();
    void temperaturesAreThoseOfLlamaCpp();
    void listsHoldWhatTheirNumbersCanBe();
    void partsMakeOneModel_data();
    void partsMakeOneModel();
    void itIsKnownByItsFirstBytes();
    void whatIsNotRunIsSaid_data();
    void whatIsNotRunIsSaid();
    void foldersBesideTheCheckoutAgreeAsFiles_data();
    void foldersBesideTheCheckoutAgreeAsFiles();
    void filesBesideTheCheckoutAgree_data();
    void filesBesideTheCheckoutAgree();

private:
    std::string write(const std::string& name, const std::string& bytes)
    {
        const std::string path = m_folder.filePath(QString::fromStdString(name)).toStdString();
        std::ofstream(path, std::ios::binary) << bytes;
        return path;
    }
    QTemporaryDir m_folder;
};

void TestGguf::aFileIsTheFolderItWasMadeFrom_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<bool>("plain");
    for (const char* type : {"llama", "llama3", "mistral", "qwen2", "qwen3", "gemma", "gemma2", "gpt2", "olmo2",
                             "smollm3", "granite", "mixtral", "qwen3_moe", "gpt_neox"})
        QTest::addRow("%s", type) << type << true;
    for (const Family& family : families())
        if (const std::string type(family.id); isOfGguf(type))
            QTest::addRow("%s as its folder", type.c_str()) << QString::fromStdString(type) << false;
    QTest::addRow("deepseek_v3 as before 2025") << "deepseek_v3 before" << false;
}

/// Files of before 2025: V3 has 256 experts in 8 groups, of which 4 are taken; V2's, weighed by a softmax, are chosen
/// among all, as llama.cpp does where no value says groups.
void TestGguf::groupsOfExpertsThatNoValueSays()
{
    const auto family = std::ranges::find(ggufFamilies(), std::string_view("deepseek2"), &GgufFamily::id);
    const auto groups = [&](int experts, int gating) {
        GgufHeader header;
        header.values = {{"deepseek2.expert_count", experts}, {"deepseek2.expert_gating_func", gating}};
        const auto made = configOf(*family, header, {}, "a");
        return made ? std::pair((*made)["n_group"].get<int>(), (*made)["topk_group"].get<int>()) : std::pair(0, 0);
    };
    QCOMPARE(groups(256, 2), std::pair(8, 4));
    for (const int experts : {64, 160, 256})
        QCOMPARE(groups(experts, 1), std::pair(1, 1));
}

/// Losses are those of the plain forward pass over the folder's tensors, where there is one, and the folder's.
void TestGguf::aFileIsTheFolderItWasMadeFrom()
{
    QFETCH(QString, type);
    QFETCH(bool, plain);
    const QString folder = m_folder.filePath("folder " + type);
    auto small = writeFamily(type.split(' ').first().toStdString(), folder.toStdString());
    QVERIFY2(small, small ? "" : small.error().c_str());
    // what .gguf files do not say is as their architecture has it
    if (small->config.contains("no_rope_layers"))
        small->config["no_rope_layers"] = type == "llama4_text" ? nlohmann::json{1, 1, 1, 0} : nlohmann::json{1, 1, 1};
    if (small->config.contains("query_pre_attn_scalar"))
        small->config["query_pre_attn_scalar"] = small->config["head_dim"];
    if (type == "starcoder2")
        small->config["sliding_window"] = nullptr;
    if (type == "llama4_text")
        small->config.update({{"attention_chunk_size", 8192}, {"floor_scale", 8192}});
    QCOMPARE(writeModel(*small, folder.toStdString()), std::string());
    const GgufMaker made = converted(*small, !type.endsWith("before"));
    const auto model = openModel(write("model.gguf", build::gguf(made.file)));
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    for (const std::vector<std::string>& left : {model->unreadTensors, model->unknownFields})
        QVERIFY2(left.empty(), left.empty() ? "" : left.front().c_str());
    QCOMPARE(model->architecture.beginToken.has_value(), type != "gpt2" && type != "gpt_bigcode");
    const auto predictions = predictionsOf(*model, ids);
    QVERIFY2(predictions, predictions ? "" : predictions.error().message.c_str());
    if (plain) {
        const auto logits = plainLogits(*small, {ids.begin(), ids.end() - 1});
        for (std::size_t t = 0; t + 1 < ids.size(); ++t)
            QVERIFY(std::abs((*predictions)[t].loss - plainLoss(logits[t], ids[t + 1])) < 2e-4);
        return;
    }
    std::vector<int> longer;  // than what any of them was trained at, or sees at once
    for (int i = 0; i < (type == "gpt2" ? 32 : 49); ++i)
        longer.push_back((i * i * 7 + i * 13 + 5) % 61);
    const auto file = predictionsOf(*model, longer);
    const auto same = predictionsOf(*openModel(folder.toStdString()), longer);
    QVERIFY2(file && same, file ? "" : file.error().message.c_str());
    keepForLlamaCpp(type + " as its folder", made, longer, *file);
    for (std::size_t t = 0; t < file->size(); ++t)
        QVERIFY2(std::abs((*file)[t].loss - (*same)[t].loss) < 1e-4,
                 qPrintable(QString("place %1: %2, the folder %3").arg(t).arg((*file)[t].loss).arg((*same)[t].loss)));
}

void TestGguf::aFileGivesTheLossesOfTransformers_data()
{
    QTest::addColumn<QString>("name");
    // Of these a file does not say all: query scales, windows, chunks, layers without positions, other activations and
    // kinds of stretched positions, and layers without experts. They are compared with their folders, or refused.
    const std::set<std::string> notAllSaid{"deepseek_v3, halves",
                                           "gemma2",
                                           "gemma3_text",
                                           "gpt_neox, sequential",
                                           "gpt_oss",
                                           "llama, biases",
                                           "llama, dynamic",
                                           "llama, yarn, mscale",
                                           "llama4_text",
                                           "qwen2",
                                           "qwen2_moe",
                                           "qwen3_moe",
                                           "smollm3",
                                           "starcoder2"};
    for (const auto& [name, entry] : ofTransformers()["models"].items())
        if (isOfGguf(entry["config"]["model_type"]) && !notAllSaid.contains(name))
            QTest::addRow("%s", name.c_str()) << QString::fromStdString(name);
}

/// Every token's loss, as transformers computes it in double precision of the folder.
void TestGguf::aFileGivesTheLossesOfTransformers()
{
    QFETCH(QString, name);
    const nlohmann::json& all = ofTransformers();
    const nlohmann::json& entry = all["models"][name.toStdString()];
    const GgufMaker file = converted(modelOfTransformers(entry));
    const auto model = openModel(write("model.gguf", build::gguf(file.file)));
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    for (const std::vector<std::string>& left : {model->unreadTensors, model->unknownFields})
        QVERIFY2(left.empty(), left.empty() ? "" : left.front().c_str());
    const auto predictions = predictionsOf(*model, all["ids"]);
    QVERIFY2(predictions, predictions ? "" : predictions.error().message.c_str());
    keepForLlamaCpp(name, file, all["ids"], *predictions);
    QCOMPARE(predictions->size(), entry["losses"].size());
    for (std::size_t t = 0; t < predictions->size(); ++t) {
        const double wanted = entry["losses"][t];
        QVERIFY2(std::abs((*predictions)[t].loss - wanted) < 1e-4,
                 qPrintable(QString("place %1: %2, not %3").arg(t).arg((*predictions)[t].loss).arg(wanted)));
    }
}

void TestGguf::headsMayStandInOneTensor_data()
{
    QTest::addColumn<QString>("type");
    for (const char* type : {"phi", "glm"})
        QTest::addRow("%s", type) << type;
}

/// Phi-2's files of 2023 and ChatGLM's have all queries, then all keys, then all values in attn_qkv.
void TestGguf::headsMayStandInOneTensor()
{
    QFETCH(QString, type);
    const auto small = writeFamily(type.toStdString(), m_folder.filePath("heads " + type).toStdString());
    QVERIFY2(small, small ? "" : small.error().c_str());
    const GgufMaker apart = converted(*small);
    GgufMaker together;
    together.file.values = apart.file.values;
    std::map<std::string, std::pair<std::int64_t, std::string>> rows;  // of each attn_qkv
    const auto bytesOf = [&](const build::GgufTensor& tensor) {
        std::size_t size = 4;
        for (const std::uint64_t extent : tensor.extents)
            size *= extent;
        return apart.file.data.substr(tensor.offset, size);
    };
    for (const char* part : {"attn_q.", "attn_k.", "attn_v."})
        for (const build::GgufTensor& tensor : apart.file.tensors)
            if (const std::size_t at = tensor.name.find(part); at != tensor.name.npos) {
                auto& [count, bytes] = rows[tensor.name.substr(0, at) + "attn_qkv" + tensor.name.substr(at + 6)];
                count += static_cast<std::int64_t>(tensor.extents.back());
                bytes += bytesOf(tensor);
            }
    for (const auto& [name, all] : rows) {
        const std::int64_t columns = std::ssize(all.second) / 4 / all.first;
        together.tensor(name,
                        name.ends_with("bias") ? std::vector{all.first} : std::vector<std::int64_t>{all.first, columns},
                        all.second, 0);
    }
    QVERIFY(!rows.empty());
    for (const build::GgufTensor& tensor : apart.file.tensors)
        if (tensor.name.find("attn_q.") == tensor.name.npos && tensor.name.find("attn_k.") == tensor.name.npos &&
            tensor.name.find("attn_v.") == tensor.name.npos)
            together.tensor(tensor.name, {tensor.extents.rbegin(), tensor.extents.rend()}, bytesOf(tensor),
                            tensor.type);
    const auto one = openModel(write("one.gguf", build::gguf(together.file)));
    QVERIFY2(one, one ? "" : one.error().message.c_str());
    QVERIFY2(one->unreadTensors.empty(), one->unreadTensors.empty() ? "" : one->unreadTensors.front().c_str());
    const auto three = openModel(write("three.gguf", build::gguf(apart.file)));
    QVERIFY2(three, three ? "" : three.error().message.c_str());
    const auto found = *predictionsOf(*one, ids), wanted = *predictionsOf(*three, ids);
    for (std::size_t t = 0; t < wanted.size(); ++t)
        QVERIFY(std::abs(found[t].loss - wanted[t].loss) < 1e-5);
}

void TestGguf::layersThatPredictFurtherAreLeftOut_data()
{
    QTest::addColumn<QString>("type");
    for (const Family& family : families())
        if (const std::string type(family.id); isOfGguf(type))
            QTest::addRow("%s", type.c_str()) << QString::fromStdString(type);
}

/// They are counted among the blocks, and have a block's tensors and some of their own.
void TestGguf::layersThatPredictFurtherAreLeftOut()
{
    QFETCH(QString, type);
    auto small = writeFamily(type.toStdString(), m_folder.filePath("further " + type).toStdString());
    QVERIFY2(small, small ? "" : small.error().c_str());
    const GgufMaker made = converted(*small);
    const auto model = openModel(write("without.gguf", build::gguf(made.file)));
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    if (small->config.contains("layer_types"))
        small->config["layer_types"].push_back("full_attention");
    GgufMaker further = converted(*small);
    const std::string prefix =
        made.file.values.front().substr(made.file.values.front().find("architecture") + 12 + 4 + 8) + ".";
    const auto layers = static_cast<std::uint32_t>(model->architecture.layers);
    further.without(prefix + "block_count");
    further.number(prefix + "block_count", layers + 1);
    further.number(prefix + "nextn_predict_layers", 1);
    const std::string last = "blk." + std::to_string(layers - 1) + ".", next = "blk." + std::to_string(layers) + ".";
    for (const build::GgufTensor& tensor : made.file.tensors)
        if (tensor.name.starts_with(last)) {
            std::size_t size = 4;
            for (const std::uint64_t extent : tensor.extents)
                size *= extent;
            further.tensor(next + tensor.name.substr(last.size()), {tensor.extents.rbegin(), tensor.extents.rend()},
                           made.file.data.substr(tensor.offset, size), tensor.type);
        }
    further.floats(next + "nextn.eh_proj.weight", tensorOfName("nextn", {24, 48}));
    const auto longer = openModel(write("further.gguf", build::gguf(further.file)));
    QVERIFY2(longer, longer ? "" : longer.error().message.c_str());
    for (const std::vector<std::string>& left : {longer->unreadTensors, longer->unknownFields})
        QVERIFY2(left.empty(), left.empty() ? "" : left.front().c_str());
    QCOMPARE(longer->architecture, model->architecture);
    const auto found = *predictionsOf(*longer, ids), wanted = *predictionsOf(*model, ids);
    for (std::size_t t = 0; t < wanted.size(); ++t)
        QCOMPARE(found[t].loss, wanted[t].loss);
}

/// Where a folder says that every layer sees all, the converter writes no window (Rnj-1).
void TestGguf::withoutAWindowAllLayersOfGemma3SeeAll()
{
    SmallModel small = smallModel("gemma3_text");
    small.config["query_pre_attn_scalar"] = small.config["head_dim"];
    small.config["sliding_window_pattern"] = 1;
    const std::string folder = m_folder.filePath("gemma3 without windows").toStdString();
    QCOMPARE(writeModel(small, folder), std::string());
    SmallModel said = small;
    for (const char* field : {"sliding_window", "sliding_window_pattern", "rope_local_base_freq"})
        said.config.erase(field);
    const GgufMaker without = converted(said);
    GgufMaker zero = without;
    zero.number("gemma3.attention.sliding_window", 0);
    const auto wanted = *predictionsOf(*openModel(folder), ids);
    for (const GgufMaker& make : {without, zero}) {
        const auto model = openModel(write("windows.gguf", build::gguf(make.file)));
        QVERIFY2(model, model ? "" : model.error().message.c_str());
        QCOMPARE(describeMasks(model->architecture), std::string("causal"));
        const auto found = *predictionsOf(*model, ids);
        for (std::size_t t = 0; t < wanted.size(); ++t)
            QVERIFY(std::abs(found[t].loss - wanted[t].loss) < 1e-4);
    }
}

/// Of models with pictures (GLM-4.1V) the converter moves the rows that turn, neighbours into halves, and writes how
/// many pairs turn by each of three positions, which for a text are one.
void TestGguf::glm4TurnsInSections()
{
    const std::string folder = m_folder.filePath("glm4 in sections").toStdString();
    const auto small = writeFamily("glm4", folder);
    QVERIFY2(small, small ? "" : small.error().c_str());
    SmallModel moved = *small;
    const std::int64_t d = small->config["head_dim"], turned = d / 2;
    for (auto& [name, tensor] : moved.tensors)
        if (name.find("q_proj") != name.npos || name.find("k_proj") != name.npos) {
            const SmallTensor before = tensor;
            const std::int64_t columns = tensor.shape.size() > 1 ? tensor.shape[1] : 1;
            for (std::int64_t row = 0; row < tensor.shape[0]; ++row) {
                const std::int64_t place = row % d, half = turned / 2;
                const std::int64_t from = place < turned ? row - place + 2 * (place % half) + place / half : row;
                std::copy_n(before.values.begin() + from * columns, columns, tensor.values.begin() + row * columns);
            }
        }
    QVERIFY(moved.tensors["model.layers.0.self_attn.q_proj.weight"].values !=
            small->tensors.at("model.layers.0.self_attn.q_proj.weight").values);
    GgufMaker sections = converted(moved), noSections = converted(*small);
    sections.list("glm4.rope.dimension_sections", 5, {1, 1, 0, 0});
    noSections.list("glm4.rope.dimension_sections", 5, {0, 0, 0, 0});
    const auto wanted = *predictionsOf(*openModel(folder), ids);
    for (const GgufMaker& make : {sections, noSections}) {
        const auto model = openModel(write("sections.gguf", build::gguf(make.file)));
        QVERIFY2(model, model ? "" : model.error().message.c_str());
        QVERIFY(model->unknownFields.empty());
        const auto found = *predictionsOf(*model, ids);
        for (std::size_t t = 0; t < wanted.size(); ++t)
            QVERIFY(std::abs(found[t].loss - wanted[t].loss) < 1e-4);
    }
}

void TestGguf::wordPiecesAreTidiedAsTheFileSays_data()
{
    QTest::addColumn<int>("lowerCase");  // -1: the file does not say
    QTest::addColumn<int>("withoutAccents");
    QTest::addColumn<QList<int>>("wanted");  // of "Paris \u00C9t\u00E9"
    QTest::addRow("nothing said") << -1 << -1 << QList{2, 4};
    QTest::addRow("lower case") << 1 << -1 << QList{2, 4};
    QTest::addRow("lower case with accents") << 1 << 0 << QList{2, 5};
    QTest::addRow("cased") << 0 << -1 << QList{1, 7};
    QTest::addRow("cased with accents") << 0 << 0 << QList{1, 7};
    QTest::addRow("cased without accents") << 0 << 1 << QList{1, 6};
    QTest::addRow("without accents") << -1 << 1 << QList{2, 4};
}

/// As llama.cpp has them: lower case where the file does not say, and accents go with it (src/llama-vocab.cpp,
/// normalizer_opts).
void TestGguf::wordPiecesAreTidiedAsTheFileSays()
{
    QFETCH(int, lowerCase);
    QFETCH(int, withoutAccents);
    QFETCH(QList<int>, wanted);
    const auto small = writeFamily("bert", m_folder.filePath("cased").toStdString());
    GgufMaker make = convertedEncoder(*small);
    make.text("tokenizer.ggml.model", "bert");
    make.texts("tokenizer.ggml.tokens", {"[UNK]", "▁Paris", "▁paris", "▁London", "▁ete", "▁été", "▁Ete", "▁Été"});
    if (lowerCase >= 0)
        make.truth("tokenizer.ggml.normalizer.lowercase", lowerCase == 1);
    if (withoutAccents >= 0)
        make.truth("tokenizer.ggml.normalizer.strip_accents", withoutAccents == 1);
    const auto file = openGguf(write("cased.gguf", build::gguf(make.file)));
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    const auto tokenizer = file->tokenizer();
    QVERIFY2(tokenizer, tokenizer ? "" : tokenizer.error().message.c_str());
    const auto found = (*tokenizer)->encode("Paris Été");
    QVERIFY2(found, found ? "" : found.error().message.c_str());
    QCOMPARE(QList<int>(found->begin(), found->end()), wanted);
}

void TestGguf::encodersComeWithoutAHead_data()
{
    QTest::addColumn<QString>("type");
    for (const char* type : {"bert", "distilbert", "nomic_bert", "modernbert", "modernbert with silu"})
        QTest::addRow("%s", type) << type;
}

/// A token's vector is that of the folder; nothing is predicted, and heads have their entropies.
void TestGguf::encodersComeWithoutAHead()
{
    QFETCH(QString, type);
    const std::string folder = m_folder.filePath("encoder " + type).toStdString();
    const nlohmann::json changes =
        type.endsWith("silu") ? nlohmann::json{{"hidden_activation", "silu"}} : nlohmann::json::object();
    const auto small = writeFamily(type.split(' ').first().toStdString(), folder, changes);
    QVERIFY2(small, small ? "" : small.error().c_str());
    const auto model = openModel(write("encoder.gguf", build::gguf(convertedEncoder(*small).file)));
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    for (const std::vector<std::string>& left : {model->unreadTensors, model->unknownFields})
        QVERIFY2(left.empty(), left.empty() ? "" : left.front().c_str());
    QVERIFY(!model->architecture.causal && !model->architecture.maskToken);
    QVERIFY(!notesOf(*model).empty() && notesOf(*model).front().find("no head that says tokens") != std::string::npos);
    std::vector<int> text;
    for (int i = 0; i < 40; ++i)
        text.push_back((i * i * 7 + i * 13 + 5) % 61);
    std::vector<Matrix> streams;
    for (const Model& one : {*model, *openModel(folder)}) {
        const ResolvedPolicy policy = *resolve({}, one.architecture, std::ssize(text));
        const auto stream = Sequence(one, policy, {}).append(text);
        QVERIFY2(stream, stream ? "" : stream.error().message.c_str());
        streams.push_back(*stream);
        one.finalNorm.apply(streams.back());
    }
    QVERIFY((streams[0] - streams[1]).cwiseAbs().maxCoeff() < 1e-5f);
    if (type == "nomic_bert") {  // whose vectors forward.py has computed too
        std::ifstream file(TEST_DATA "/forward.json");
        const nlohmann::json expected = nlohmann::json::parse(file)["nomic_bert"];
        for (Index c = 0; c < streams[0].cols(); ++c)
            QVERIFY2(std::abs(streams[0](0, c) - expected[static_cast<std::size_t>(c)].get<float>()) < 1e-4f,
                     qPrintable(QString("%1: %2, not %3")
                                    .arg(c)
                                    .arg(streams[0](0, c))
                                    .arg(expected[static_cast<std::size_t>(c)].get<float>())));
    }
    const auto window = windowOf(model->architecture, text, 0, 40);
    QVERIFY(window && window->inputs == text);
    WindowRequest request;
    request.pictures = {Policy{}};
    const auto result = runWindow(*model, *window, request);
    QVERIFY2(result, result ? "" : result.error().message.c_str());
    QVERIFY(std::isnan(meanOf(result->predictions).loss));
    for (const std::vector<double>& layer : result->entropies.front())
        for (const double entropy : layer)
            QVERIFY(entropy > 0 && entropy < std::log(40.0));
}

void TestGguf::aChangedFileIsRefusedOrRun_data()
{
    QTest::addColumn<QString>("type");
    for (const Family& family : families())
        if (const std::string type(family.id);
            isOfGguf(type) || type == "bert" || type == "nomic_bert" || type == "modernbert")
            QTest::addRow("%s", type.c_str()) << QString::fromStdString(type);
}

/// Every value gone, of another kind, too small and beyond all bounds, every tensor of another shape: what is opened
/// all the same runs within its tensors, or says why not.
void TestGguf::aChangedFileIsRefusedOrRun()
{
    QFETCH(QString, type);
    const auto small = writeFamily(type.toStdString(), m_folder.filePath("changed " + type).toStdString());
    QVERIFY2(small, small ? "" : small.error().c_str());
    const build::Gguf whole = (isOfGguf(type.toStdString()) ? converted(*small) : convertedEncoder(*small)).file;
    int tried = 0, run = 0;
    const auto tryFile = [&](const build::Gguf& file) {
        ++tried;
        const auto model = openModel(write("changed.gguf", build::gguf(file)));
        if (!model) {
            QVERIFY(!model.error().message.empty());
            return;
        }
        const std::vector<int> some{1, 5, 3, 2, 7};
        const auto policy = resolve({}, model->architecture, std::ssize(some));
        const auto stream = policy ? Sequence(*model, *policy, {}).append(some) : tl::unexpected(policy.error());
        QVERIFY(stream ? stream->allFinite() : !stream.error().message.empty());
        run += stream.has_value();
    };
    const std::string infinite = build::floats({INFINITY}), notANumber = build::floats({NAN});
    for (std::size_t i = 0; i < whole.values.size(); ++i) {
        const std::string& value = whole.values[i];
        const auto length = static_cast<std::size_t>(static_cast<unsigned char>(value[0]));  // of the key: below 256
        const std::string key = value.substr(8, length);
        build::Gguf changed = whole;
        for (const std::uint32_t number : {0U, 1U, 2U, 3U, 5U, 7U, 256U, 1U << 20, ~0U}) {
            changed.values[i] = build::ggufNumber(key, number);
            tryFile(changed);
        }
        const std::string number = build::ggufKey(key) + build::little(6, 4);
        for (const std::string& real :
             {build::floats({-1}), build::floats({0.5f}), build::floats({1e30f}), infinite, notANumber}) {
            changed.values[i] = number + real;
            tryFile(changed);
        }
        changed.values[i] = build::ggufText(key, "yarn");
        tryFile(changed);
        changed.values[i] = build::ggufKey(key) + build::little(9, 4) + build::little(4, 4) + build::little(0, 8);
        tryFile(changed);
        changed.values.erase(changed.values.begin() + static_cast<std::ptrdiff_t>(i));
        tryFile(changed);
    }
    for (std::size_t i = 0; i < whole.tensors.size(); i += 1 + whole.tensors.size() / 40)
        for (std::size_t axis = 0; axis < whole.tensors[i].extents.size(); ++axis)
            for (const std::uint64_t extent : {std::uint64_t{0}, std::uint64_t{1}, whole.tensors[i].extents[axis] / 2,
                                               whole.tensors[i].extents[axis] - 1}) {
                build::Gguf changed = whole;
                changed.tensors[i].extents[axis] = extent;
                tryFile(changed);
            }
    QVERIFY2(tried > 100 && run > 0 && run < tried, qPrintable(QString("%1 of %2").arg(run).arg(tried)));
}

/// A model in three files is opened by any of them, and its weights may lie in any.
void TestGguf::textsBeginAsLlamaCppBeginsThem_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("split");
    QTest::addColumn<bool>("begins");
    const auto row = [](const char* kind, const char* split, bool begins) {
        QTest::addRow("%s, %s", kind, split) << kind << split << begins;
    };
    // where src/llama-vocab.cpp sets add_bos
    for (const char* split : {"llama3", "llama-v3", "llama-bpe", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2",
                              "jina-v5-nano", "chameleon", "tekken"})
        row("gpt2", split, true);
    for (const char* split : {"", "default", "gpt-2", "phi-2", "olmo", "qwen2", "deepseek-r1-qwen", "dbrx", "smaug-bpe",
                              "glm4", "gpt-4o", "llama4", "deepseek-v3", "starcoder", "command-r", "falcon", "bloom"})
        row("gpt2", split, false);
    row("llama", "", true);
    row("llama", "default", true);
    row("t5", "", false);
    row("", "", false);
}

/// Where the file does not say; what it says counts.
void TestGguf::textsBeginAsLlamaCppBeginsThem()
{
    QFETCH(QString, kind);
    QFETCH(QString, split);
    QFETCH(bool, begins);
    GgufMaker make = converted(smallModel("llama"));
    const auto erase = [](GgufMaker& file, const char* key) {
        std::erase_if(file.file.values,
                      [start = build::ggufKey(key)](const std::string& value) { return value.starts_with(start); });
    };
    erase(make, "tokenizer.ggml.add_bos_token");
    make.text("tokenizer.ggml.model", kind.toStdString());
    make.text("tokenizer.ggml.pre", split.toStdString());
    const auto beginOf = [&](const GgufMaker& file) {
        const auto model = openModel(write("begins.gguf", build::gguf(file.file)));
        return model ? model->architecture.beginToken : std::optional(-1);
    };
    QCOMPARE(beginOf(make), begins ? std::optional(1) : std::nullopt);
    for (const bool said : {true, false}) {
        GgufMaker saying = make;
        saying.truth("tokenizer.ggml.add_bos_token", said);
        QCOMPARE(beginOf(saying), said ? std::optional(1) : std::nullopt);
    }
    GgufMaker unnamed = make;  // special_bos_id of a SentencePiece vocabulary there
    erase(unnamed, "tokenizer.ggml.bos_token_id");
    QCOMPARE(beginOf(unnamed), kind == "llama" ? std::optional(1) : std::nullopt);
}

/// Of heads of every size, every number: a quotient of the two is often a little below what it stands for.
void TestGguf::asManyCoordinatesTurnAsTheFileSays()
{
    for (int size = 1; size <= 512; ++size)
        for (int turned = 0; turned <= size; ++turned) {
            RopeScaling scaling;
            scaling.headSize = size;
            scaling.part = RopeScaling::partOf(turned, size);
            QCOMPARE(scaling.dims(), turned);
        }
    for (const auto& [size, turned] : {std::pair{100, 58}, std::pair{104, 30}, std::pair{104, 60}, std::pair{64, 64}}) {
        GgufMaker make = converted(smallModel("llama"));
        for (const char* key :
             {"llama.attention.key_length", "llama.attention.value_length", "llama.rope.dimension_count"})
            std::erase_if(make.file.values,
                          [&](const std::string& value) { return value.starts_with(build::ggufKey(key)); });
        make.number("llama.attention.key_length", static_cast<std::uint32_t>(size));
        make.number("llama.attention.value_length", static_cast<std::uint32_t>(size));
        make.number("llama.rope.dimension_count", static_cast<std::uint32_t>(turned));
        const auto file = openGguf(write("turned.gguf", build::gguf(make.file)));
        QVERIFY2(file, file ? "" : file.error().message.c_str());
        const auto config = readModelConfig(file->config.dump(), "turned.gguf");
        QVERIFY2(config, config ? "" : config.error().message.c_str());
        const Choice position = config->architecture.position();
        QCOMPARE(position.values.contains("dims"), turned != size);
        if (turned != size)
            QCOMPARE(position.values.at("dims"), static_cast<double>(turned));
    }
}

void TestGguf::temperaturesAreThoseOfLlamaCpp_data()
{
    using Values = QMap<QString, double>;
    QTest::addColumn<QString>("type");
    QTest::addColumn<Values>("values");
    QTest::addColumn<double>("m");  // 0: refused
    const double own = 1 + 0.1 * std::log(4.0);
    const auto row = [](const char* name, const char* type, const Values& values, double m) {
        QTest::addRow("%s", name) << type << values << m;
    };
    const QString factor = "attn_factor", ramp = "yarn_ext_factor", other = "yarn_attn_factor",
                  logs = "yarn_log_multiplier";
    row("YaRN's own", "yarn", {}, own);
    row("a factor of 1", "yarn", {{factor, 1}}, own);
    row("a factor", "yarn", {{factor, 1.25}}, 1.25 * own);
    row("a factor below 1", "yarn", {{factor, 0.5}}, 0.5 * own);
    row("a whole ramp", "yarn", {{ramp, 1}}, own);
    row("a ramp that is not set", "yarn", {{ramp, -1}}, own);
    row("half a ramp", "yarn", {{ramp, 0.5}}, 0);
    row("no ramp", "yarn", {{ramp, 0}}, 0);
    row("a temperature that says the same", "yarn", {{other, own}}, own);
    row("a temperature of 1, which is not set", "yarn", {{other, 1}}, own);
    row("another temperature", "yarn", {{other, 1.5}}, 0);
    row("two temperatures", "yarn", {{factor, 1.25}, {logs, 0.1}}, 0);
    row("linear", "linear", {}, 1);
    row("linear, a factor of 1", "linear", {{factor, 1}}, 1);
    row("linear, a factor", "linear", {{factor, 1.25}}, 0);
    row("linear, a ramp", "linear", {{ramp, 1}}, 0);
    row("linear, a ramp that is off", "linear", {{ramp, 0}}, 1);
    row("no stretch, a factor", "none", {{factor, 1.25}}, 0);
    row("no stretch, a ramp", "none", {{ramp, 1}}, 0);
    row("no stretch", "none", {{factor, 1}, {ramp, -1}, {other, 1}}, 1);
}

void TestGguf::temperaturesAreThoseOfLlamaCpp()
{
    using Values = QMap<QString, double>;
    QFETCH(QString, type);
    QFETCH(Values, values);
    QFETCH(double, m);
    GgufMaker make = converted(smallModel("llama"));
    make.text("llama.rope.scaling.type", type.toStdString());
    if (type != "none")
        make.real("llama.rope.scaling.factor", 4);
    make.number("llama.rope.scaling.original_context_length", 16);
    for (const auto& [key, value] : values.toStdMap())
        make.real("llama.rope.scaling." + key.toStdString(), value);
    const auto model = openModel(write("temperature.gguf", build::gguf(make.file)));
    QCOMPARE(model.has_value(), m > 0);
    if (!model) {
        QVERIFY2(model.error().message.find("not run") != std::string::npos, model.error().message.c_str());
        return;
    }
    const Choice position = model->architecture.position();
    const auto found = position.values.find("m");
    QVERIFY(std::abs((found == position.values.end() ? 1 : found->second) - m) < 1e-6);
}

/// Types of tokens that no type can be, and scores beyond floats: the file opens, and such a token is an ordinary one.
void TestGguf::listsHoldWhatTheirNumbersCanBe()
{
    const auto doubles = [](std::initializer_list<double> numbers) {
        std::string bytes;
        for (const double number : numbers) {
            std::uint64_t bits = 0;
            std::memcpy(&bits, &number, sizeof bits);
            bytes += build::little(bits, 8);
        }
        return bytes;
    };
    GgufMaker make = converted(smallModel("llama"));
    const auto list = [&](const char* key, std::uint64_t type, std::uint64_t count, const std::string& bytes) {
        make.file.values.push_back(build::ggufKey(key) + build::little(9, 4) + build::little(type, 4) +
                                   build::little(count, 8) + bytes);
    };
    std::string tokens;
    for (const std::string token : {"a", "b", "c", "ab"})
        tokens += build::little(token.size(), 8) + token;
    make.text("tokenizer.ggml.model", "gpt2");
    make.text("tokenizer.ggml.pre", "gpt-2");
    list("tokenizer.ggml.tokens", 8, 4, tokens);
    list("tokenizer.ggml.token_type", 12, 4, doubles({1e30, -1e30, 1.5, 1}));
    list("tokenizer.ggml.scores", 12, 4, doubles({1e300, -1e300, 0, 0}));
    list("tokenizer.ggml.precompiled_charsmap", 12, 2, doubles({1e300, 300}));
    list("tokenizer.ggml.merges", 8, 1, build::little(3, 8) + "a b");
    const auto file = openGguf(write("lists.gguf", build::gguf(make.file)));
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    const auto tokenizer = file->tokenizer();
    QVERIFY2(tokenizer, tokenizer ? "" : tokenizer.error().message.c_str());
    const auto ids = (*tokenizer)->encode("cab");
    QVERIFY2(ids, ids ? "" : ids.error().message.c_str());
    QCOMPARE(*ids, (std::vector<int>{2, 3}));
}

void TestGguf::partsMakeOneModel_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<bool>("firstHasTensors");
    QTest::addRow("llama") << "llama" << true;
    QTest::addRow("llama3, with divisors of its frequencies") << "llama3" << true;
    QTest::addRow("llama3, a first part without tensors") << "llama3" << false;
}

void TestGguf::partsMakeOneModel()
{
    QFETCH(QString, type);
    QFETCH(bool, firstHasTensors);
    const SmallModel small = smallModel(type.toStdString());
    const GgufMaker whole = converted(small);
    const auto one = openModel(write("whole.gguf", build::gguf(whole.file)));
    std::vector<GgufMaker> parts(3);
    parts[0].file.values = whole.file.values;
    for (std::size_t i = 0; i < whole.file.tensors.size(); ++i) {
        const build::GgufTensor& tensor = whole.file.tensors[i];
        std::size_t size = 4;
        for (const std::uint64_t extent : tensor.extents)
            size *= extent;
        parts[firstHasTensors ? i % 3 : 1 + i % 2].tensor(tensor.name, {tensor.extents.rbegin(), tensor.extents.rend()},
                                                          whole.file.data.substr(tensor.offset, size), tensor.type);
    }
    for (std::size_t part = 0; part < 3; ++part)
        write("m-0000" + std::to_string(part + 1) + "-of-00003.gguf", build::gguf(parts[part].file));
    const auto losses = *predictionsOf(*one, ids);
    for (const char* name : {"m-00001-of-00003.gguf", "m-00003-of-00003.gguf"}) {
        const auto split = openModel(m_folder.filePath(name).toStdString());
        QVERIFY2(split, split ? "" : split.error().message.c_str());
        const auto found = *predictionsOf(*split, ids);
        for (std::size_t t = 0; t < losses.size(); ++t)
            QCOMPARE(found[t].loss, losses[t].loss);
    }
    QVERIFY(QFile::remove(m_folder.filePath("m-00002-of-00003.gguf")));
    const auto broken = openModel(m_folder.filePath("m-00001-of-00003.gguf").toStdString());
    QVERIFY(!broken && broken.error().message.find("m-00002-of-00003.gguf: no such file") != std::string::npos);
}

/// Ollama's files have their checksum for a name.
void TestGguf::itIsKnownByItsFirstBytes()
{
    const std::string path = write("sha256-0d0e647c7cc61c03", build::gguf(converted(smallModel("llama")).file));
    QVERIFY(isModel(path) && isGgufFile(path) && openModel(path));
    QVERIFY(!isModel(write("text.gguf", "some notes")) && !isModel(write("empty.gguf", "")) &&
            !isModel(m_folder.path().toStdString()));
}

void TestGguf::whatIsNotRunIsSaid_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("says");
    QTest::addRow("architecture") << "architecture"
                                  << "models of architecture 'mamba'";
    QTest::addRow("no architecture") << "none"
                                     << "has no general.architecture";
    QTest::addRow("experts") << "experts"
                             << "'blk.0.ffn_gate_inp.weight' of shape [8, 24]";
    QTest::addRow("positions") << "positions"
                               << "positions of type 'exotic'";
    QTest::addRow("layers that differ") << "layers"
                                        << "layers that differ in feed_forward_length";
    QTest::addRow("a missing tensor") << "missing"
                                      << "no tensor 'blk.2.ffn_up.weight' of shape [40, 24]";
    QTest::addRow("another shape") << "shape"
                                   << "'output_norm.weight' has shape [23], but its values imply [24]";
    QTest::addRow("a type") << "type"
                            << "IQ2_XXS";
    QTest::addRow("infinite sizes") << "sizes"
                                    << "hidden_size";
}

void TestGguf::whatIsNotRunIsSaid()
{
    QFETCH(QString, what);
    QFETCH(QString, says);
    GgufMaker make = converted(smallModel("llama"));
    const auto tensor = [&](const std::string& name) {
        return std::ranges::find(make.file.tensors, name, &build::GgufTensor::name);
    };
    const auto value = [&](const std::string& key) -> std::string& {
        return *std::ranges::find_if(make.file.values,
                                     [&](const std::string& one) { return one.starts_with(build::ggufKey(key)); });
    };
    if (what == "architecture")
        value("general.architecture") = build::ggufText("general.architecture", "mamba");
    if (what == "none")
        make.file.values.erase(make.file.values.begin());
    if (what == "experts")
        make.number("llama.expert_count", 8);
    if (what == "positions")
        make.text("llama.rope.scaling.type", "exotic");
    if (what == "layers")
        value("llama.feed_forward_length") = build::ggufKey("llama.feed_forward_length") + build::little(9, 4) +
                                             build::little(4, 4) + build::little(3, 8) + build::little(40, 4) +
                                             build::little(40, 4) + build::little(41, 4);
    if (what == "missing")
        make.file.tensors.erase(tensor("blk.2.ffn_up.weight"));
    if (what == "shape")
        tensor("output_norm.weight")->extents = {23};
    if (what == "type") {
        tensor("token_embd.weight")->type = 16;
    }
    if (what == "sizes")
        value("llama.embedding_length") = build::ggufNumber("llama.embedding_length", ~0U);
    const auto model = openModel(write("wrong.gguf", build::gguf(make.file)));
    QVERIFY(!model);
    QVERIFY2(model.error().message.find(says.toStdString()) != std::string::npos, model.error().message.c_str());
}

void TestGguf::foldersBesideTheCheckoutAgreeAsFiles_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"llama3", "olmo2", "olmo3", "phi3", "qwen3_moe", "gpt_oss", "granite", "cohere2", "glm4",
                             "glm4_moe", "ministral3", "exaone4", "deepseek_v3", "bloom", "falcon"})
        QTest::addRow("%s", name) << name;
}

/// Log-probabilities of a forward pass in double precision over the folder; of those whose files say all of it.
void TestGguf::foldersBesideTheCheckoutAgreeAsFiles()
{
    QFETCH(QString, name);
    const std::string folder = "random-" + name.toStdString(), path = shared + "/data/models/" + folder;
    std::ifstream file(shared + "/reference/expected_architectures_2.json");
    if (!file)
        QSKIP("no models lie beside the checkout");
    const nlohmann::json expected = nlohmann::json::parse(file)["models"][folder];
    SmallModel small;
    std::ifstream(path + "/config.json") >> small.config;
    const auto tensors = TensorFile::open(path + "/model.safetensors");
    QVERIFY(tensors);
    for (const TensorInfo& tensor : tensors->tensors())
        small.tensors[tensor.name] = {tensor.shape, *tensors->read<float>(tensor)};
    const auto model = openModel(write("model.gguf", build::gguf(converted(small).file)));
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    const auto predictions = predictionsOf(*model, expected["ids"]);
    QVERIFY2(predictions, predictions ? "" : predictions.error().message.c_str());
    const auto& next = expected["log_probability_of_next"];
    double worst = 0;
    for (std::size_t t = 0; t < next.size(); ++t)
        worst = std::max(worst, std::abs((*predictions)[t].loss + next[t].get<double>()) /
                                    std::max(1.0, std::abs(next[t].get<double>())));
    QVERIFY2(worst < 1e-4, qPrintable(QString::number(worst)));
}

void TestGguf::filesBesideTheCheckoutAgree_data()
{
    QTest::addColumn<QString>("name");
    std::ifstream file(shared + "/reference/expected_gguf.json");
    const nlohmann::json expected = file ? nlohmann::json::parse(file) : nlohmann::json{{"models", {{"none", {}}}}};
    for (const auto& [name, model] : expected["models"].items())
        QTest::addRow("%s", name.c_str()) << QString::fromStdString(name);
}

/// Log-probabilities of a forward pass in double precision over the numbers as they are stored, to 1e-4, which is what
/// llama.cpp itself gives on those numbers as F32 (to 1e-3 where GELU is); ids of hard sentences; sums of tensors.
void TestGguf::filesBesideTheCheckoutAgree()
{
    QFETCH(QString, name);
    std::ifstream file(shared + "/reference/expected_gguf.json");
    if (!file)
        QSKIP("no models lie beside the checkout");
    const nlohmann::json expected = nlohmann::json::parse(file)["models"][name.toStdString()];
    const auto model = openModel(shared + "/data/gguf/" + name.toStdString());
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    QCOMPARE(model->architecture.vocabulary, expected["vocabulary"].get<int>());
    const auto tensors = TensorFile::open(shared + "/data/gguf/" + name.toStdString());
    for (const auto& [tensor, sums] : expected["dequantised"].items()) {
        const TensorInfo& info = **tensors->find(tensor);
        QCOMPARE(info.dtypeText(), sums["type"].get<std::string>());
        QCOMPARE(info.shape, sums["shape"].get<std::vector<std::int64_t>>());
        const std::vector<double> values = *tensors->read<double>(info);
        double sum = 0, squares = 0;
        for (const double value : values) {
            sum += value;
            squares += value * value;
        }
        QVERIFY(std::abs(sum - sums["sum"].get<double>()) < 1e-8);
        QVERIFY(std::abs(squares / sums["sum_of_squares"].get<double>() - 1) < 1e-12);
        for (std::size_t i = 0; i < 8; ++i)
            QCOMPARE(values[i], sums["first8"][i].get<double>());
    }
    for (const nlohmann::json& list : expected["lists"]) {
        const auto given = list["ids"].get<std::vector<int>>();
        const auto predictions = predictionsOf(*model, given);
        QVERIFY2(predictions, predictions ? "" : predictions.error().message.c_str());
        const auto& next = list["log_probability_of_next"];
        QCOMPARE(predictions->size(), next.size());
        double worst = 0;
        for (std::size_t t = 0; t < next.size(); ++t)
            worst = std::max(worst, std::abs((*predictions)[t].loss + next[t].get<double>()));
        QVERIFY2(worst < 1e-4, qPrintable(QString::number(worst)));
    }
    QVERIFY2(model->tokenizer, model->withoutTokenizer.c_str());
    for (const nlohmann::json& row : expected["tokens"]) {
        const auto text = row["text"].get<std::string>();
        const auto encoded = model->tokenizer->encode(text);
        QVERIFY2(encoded, text.c_str());
        QVERIFY2(*encoded == row["ids_with_special"].get<std::vector<int>>(), text.c_str());
    }
}

QTEST_APPLESS_MAIN(TestGguf)
#include "test_gguf.moc"
