// Models from .gguf files: the same numbers as the folder that they were made from, whatever the weights are stored in;
// and those that may lie beside the checkout, against independent numbers.

#include "core/model/evaluation.h"
#include "core/model/gguf_model.h"
#include "core/model/model.h"
#include "tests/model/small_models.h"
#include "tests/support/file_builder.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <fstream>

using namespace attnscope;

namespace {

const std::string shared = SHARED;
const std::vector<int> ids{1, 7, 19, 33, 4, 58, 40, 2, 11, 26, 9, 60, 3, 3, 17, 22};

/// Values and tensors of a file to be, gathered one by one.
struct GgufMaker {
    build::Gguf file;

    void number(const std::string& key, std::uint32_t value) { file.values.push_back(build::ggufNumber(key, value)); }
    void real(const std::string& key, double value)
    {
        file.values.push_back(build::ggufKey(key) + build::little(6, 4) + build::floats({static_cast<float>(value)}));
    }
    void text(const std::string& key, const std::string& value) { file.values.push_back(build::ggufText(key, value)); }
    void truth(const std::string& key, bool value)
    {
        file.values.push_back(build::ggufKey(key) + build::little(7, 4) + build::little(value, 1));
    }
    void tensor(const std::string& name, std::vector<std::int64_t> shape, const std::string& bytes, std::uint32_t type)
    {
        std::vector<std::uint64_t> extents(shape.rbegin(), shape.rend());
        file.tensors.push_back({name, extents, type, file.data.size()});
        file.data += bytes;
        file.data.resize((file.data.size() + 31) / 32 * 32, '\0');
    }
    void floats(const std::string& name, const SmallTensor& tensor)
    {
        this->tensor(name, tensor.shape, build::floats(tensor.values), 0);
    }
};

/// "q_proj" to "attn_q" and so on.
const std::vector<std::pair<std::string, std::string>> llamaNames{
    {"self_attn.q_proj", "attn_q"},      {"self_attn.k_proj", "attn_k"},      {"self_attn.v_proj", "attn_v"},
    {"self_attn.o_proj", "attn_output"}, {"self_attn.q_norm", "attn_q_norm"}, {"self_attn.k_norm", "attn_k_norm"},
    {"mlp.gate_proj", "ffn_gate"},       {"mlp.up_proj", "ffn_up"},           {"mlp.down_proj", "ffn_down"},
    {"input_layernorm", "attn_norm"}};

/// Rows of heads of size d from halves to neighbouring pairs, as llama.cpp's converter has them: row 2 p + h of a head
/// is row h d/2 + p of the folder's.
SmallTensor inPairs(const SmallTensor& tensor, std::int64_t d)
{
    SmallTensor pairs = tensor;
    const std::int64_t rows = tensor.shape[0], columns = tensor.shape.size() > 1 ? tensor.shape[1] : 1;
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t head = row / d, place = row % d, from = head * d + place % 2 * (d / 2) + place / 2;
        std::copy_n(tensor.values.begin() + from * columns, columns, pairs.values.begin() + row * columns);
    }
    return pairs;
}

/// The file that llama.cpp's converter would make of a folder.
GgufMaker converted(const SmallModel& small)
{
    const std::string type = small.config["model_type"];
    const bool gemma = type == "gemma2", gpt2 = type == "gpt2";
    const std::string name = type == "mistral" ? "llama" : type, prefix = name + ".";
    GgufMaker make;
    const auto field = [&](const char* key) { return small.config.value(key, 0); };
    make.text("general.architecture", name);
    make.number(prefix + "embedding_length", static_cast<std::uint32_t>(field(gpt2 ? "n_embd" : "hidden_size")));
    make.number(prefix + "block_count", static_cast<std::uint32_t>(field(gpt2 ? "n_layer" : "num_hidden_layers")));
    make.number(prefix + "attention.head_count",
                static_cast<std::uint32_t>(field(gpt2 ? "n_head" : "num_attention_heads")));
    make.number(prefix + "context_length",
                static_cast<std::uint32_t>(field(gpt2 ? "n_positions" : "max_position_embeddings")));
    make.number(prefix + "feed_forward_length",
                static_cast<std::uint32_t>(gpt2 ? 4 * field("n_embd") : field("intermediate_size")));
    if (gpt2) {
        make.real(prefix + "attention.layer_norm_epsilon", 1e-5);
    } else {
        make.number(prefix + "attention.head_count_kv", static_cast<std::uint32_t>(field("num_key_value_heads")));
        make.number(prefix + "attention.key_length", static_cast<std::uint32_t>(field("head_dim")));
        make.number(prefix + "attention.value_length", static_cast<std::uint32_t>(field("head_dim")));
        make.real(prefix + "attention.layer_norm_rms_epsilon", small.config["rms_norm_eps"]);
        make.real(prefix + "rope.freq_base", small.config["rope_theta"]);
        make.number("tokenizer.ggml.bos_token_id", 1);
        make.truth("tokenizer.ggml.add_bos_token", true);
    }
    if (small.config.contains("sliding_window"))
        make.number(prefix + "attention.sliding_window", static_cast<std::uint32_t>(field("sliding_window")));
    if (gemma) {
        make.real(prefix + "attn_logit_softcapping", small.config["attn_logit_softcapping"]);
        make.real(prefix + "final_logit_softcapping", small.config["final_logit_softcapping"]);
    }
    if (small.config.contains("rope_scaling")) {  // Llama 3.1's, worked out
        const nlohmann::json scaling = small.config["rope_scaling"];
        const double d = field("head_dim"), n = scaling["original_max_position_embeddings"], s = scaling["factor"],
                     low = scaling["low_freq_factor"], high = scaling["high_freq_factor"];
        SmallTensor divisors{{static_cast<std::int64_t>(d / 2)}, {}};
        for (double i = 0; i < d / 2; ++i) {
            const double turns = n / (2 * M_PI * std::pow(small.config["rope_theta"].get<double>(), 2 * i / d));
            const double part = std::clamp((turns - low) / (high - low), 0.0, 1.0);
            divisors.values.push_back(static_cast<float>(1 / ((1 - part) / s + part)));
        }
        make.floats("rope_freqs.weight", divisors);
    }
    for (auto [tensor, values] : small.tensors) {
        const std::size_t dot = tensor.rfind('.');
        std::string base = tensor.substr(0, dot), ending = tensor.substr(dot);
        if (gemma && base.ends_with("norm"))
            for (float& value : values.values)
                value += 1;
        if (name == "llama" && (base.ends_with("q_proj") || base.ends_with("k_proj")))
            values = inPairs(values, field("head_dim"));
        if (gpt2) {
            const auto conv = base.find(".c_");
            if (conv != base.npos && values.shape.size() == 2) {  // folders have the inputs first
                const std::int64_t in = values.shape[0], out = values.shape[1];
                SmallTensor turned{{out, in}, std::vector<float>(values.values.size())};
                for (std::int64_t r = 0; r < out; ++r)
                    for (std::int64_t c = 0; c < in; ++c)
                        turned.values[static_cast<std::size_t>(r * in + c)] =
                            values.values[static_cast<std::size_t>(c * out + r)];
                values = turned;
            }
            const auto swap = [&](const std::string& from, const std::string& to) {
                if (base == from || base.ends_with("." + from))
                    base.replace(base.size() - from.size(), from.size(), to);
            };
            if (base.starts_with("h."))
                base = "blk." + base.substr(2);
            swap("attn.c_attn", "attn_qkv");
            swap("attn.c_proj", "attn_output");
            swap("mlp.c_fc", "ffn_up");
            swap("mlp.c_proj", "ffn_down");
            swap("ln_1", "attn_norm");
            swap("ln_2", "ffn_norm");
            swap("wte", "token_embd");
            swap("wpe", "position_embd");
            swap("ln_f", "output_norm");
        } else if (base.starts_with("model.layers.")) {
            const std::size_t after = base.find('.', 13);
            const std::string layer = "blk." + base.substr(13, after - 13) + ".", part = base.substr(after + 1);
            const auto known = std::ranges::find(llamaNames, part, &std::pair<std::string, std::string>::first);
            base = layer + (known != llamaNames.end()             ? known->second
                            : part == "post_attention_layernorm"  ? (gemma ? "post_attention_norm" : "ffn_norm")
                            : part == "pre_feedforward_layernorm" ? "ffn_norm"
                                                                  : "post_ffw_norm");
        } else {
            base = base == "lm_head" ? "output" : base == "model.norm" ? "output_norm" : "token_embd";
        }
        make.floats(base + ending, values);
    }
    return make;
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
    void partsMakeOneModel();
    void itIsKnownByItsFirstBytes();
    void whatIsNotRunIsSaid_data();
    void whatIsNotRunIsSaid();
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
    for (const char* type : {"llama", "llama3", "mistral", "qwen2", "qwen3", "gemma2", "gpt2"})
        QTest::addRow("%s", type) << type;
}

/// Losses are those of the plain forward pass over the folder's tensors.
void TestGguf::aFileIsTheFolderItWasMadeFrom()
{
    QFETCH(QString, type);
    SmallModel small = smallModel(type.toStdString());
    if (type == "gemma2")
        small.config["query_pre_attn_scalar"] = small.config["head_dim"];
    const auto model = openModel(write("model.gguf", build::gguf(converted(small).file)));
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    QVERIFY2(model->unreadTensors.empty() && model->unknownFields.empty(),
             model->unreadTensors.empty() ? "" : model->unreadTensors.front().c_str());
    QCOMPARE(model->architecture.beginToken.has_value(), type != "gpt2");
    const auto predictions = predictionsOf(*model, ids);
    QVERIFY2(predictions, predictions ? "" : predictions.error().message.c_str());
    const auto logits = plainLogits(small, {ids.begin(), ids.end() - 1});
    for (std::size_t t = 0; t + 1 < ids.size(); ++t)
        QVERIFY(std::abs((*predictions)[t].loss - plainLoss(logits[t], ids[t + 1])) < 2e-4);
}

/// A model in three files is opened by any of them, and its weights may lie in any.
void TestGguf::partsMakeOneModel()
{
    const SmallModel small = smallModel("llama");
    const GgufMaker whole = converted(small);
    const auto one = openModel(write("whole.gguf", build::gguf(whole.file)));
    std::vector<GgufMaker> parts(3);
    parts[0].file.values = whole.file.values;
    for (std::size_t i = 0; i < whole.file.tensors.size(); ++i) {
        const build::GgufTensor& tensor = whole.file.tensors[i];
        std::size_t size = 4;
        for (const std::uint64_t extent : tensor.extents)
            size *= extent;
        parts[i % 3].tensor(tensor.name, {tensor.extents.rbegin(), tensor.extents.rend()},
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
                             << "a mixture of experts";
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
    if (what == "architecture")
        make.file.values[0] = build::ggufText("general.architecture", "mamba");
    if (what == "none")
        make.file.values.erase(make.file.values.begin());
    if (what == "experts")
        make.number("llama.expert_count", 8);
    if (what == "positions")
        make.text("llama.rope.scaling.type", "exotic");
    if (what == "layers")
        make.file.values[5] = build::ggufKey("llama.feed_forward_length") + build::little(9, 4) + build::little(4, 4) +
                              build::little(3, 8) + build::little(40, 4) + build::little(40, 4) + build::little(41, 4);
    if (what == "missing")
        make.file.tensors.erase(tensor("blk.2.ffn_up.weight"));
    if (what == "shape")
        tensor("output_norm.weight")->extents = {23};
    if (what == "type") {
        tensor("token_embd.weight")->type = 16;
    }
    if (what == "sizes")
        make.file.values[1] = build::ggufNumber("llama.embedding_length", ~0U);
    const auto model = openModel(write("wrong.gguf", build::gguf(make.file)));
    QVERIFY(!model);
    QVERIFY2(model.error().message.find(says.toStdString()) != std::string::npos, model.error().message.c_str());
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
