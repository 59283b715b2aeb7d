#include "core/model/model.h"

#include "core/base/text.h"
#include "core/model/model_config.h"
#include "core/tensor/byte_source.h"

#include <filesystem>

namespace attnscope {

namespace {

/// Takes tensors by name into a Model; the first error stays.
class WeightReader {
public:
    explicit WeightReader(const WeightFiles& files) : m_files(files) {}

    template <class T>
    void take(T& target, Result<T> read)
    {
        if (read)
            target = std::move(*read);
        else if (!m_error)
            m_error = read.error();
    }
    void norm(NormWeights& target, const std::string& name, const Architecture& a)
    {
        take(target.weight, m_files.vector(name + ".weight", a.width));
        if (a.norm == Norm::Layer)
            take(target.bias, m_files.vector(name + ".bias", a.width));
    }
    Linear linear(const std::string& name, Index outputs, Index inputs, bool bias, bool inputFirst = false)
    {
        Linear read{.weight = {}, .inputFirst = inputFirst, .bias = {}};
        take(read.weight, inputFirst ? m_files.matrix(name + ".weight", inputs, outputs)
                                     : m_files.matrix(name + ".weight", outputs, inputs));
        if (bias)
            take(read.bias, m_files.vector(name + ".bias", outputs));
        return read;
    }
    void vector(std::vector<float>& target, const std::string& name, Index size)
    {
        take(target, m_files.vector(name, size));
    }
    void matrix(StoredMatrix& target, const std::string& name, Index rows, Index columns)
    {
        take(target, m_files.matrix(name, rows, columns));
    }
    bool has(std::string_view name) const { return m_files.has(name); }
    const std::optional<Error>& error() const { return m_error; }

private:
    const WeightFiles& m_files;
    std::optional<Error> m_error;
};

Index queryWidth(const Architecture& a) { return Index{a.heads} * a.headSize; }
Index keyWidth(const Architecture& a) { return Index{a.keyHeads} * a.headSize; }

/// Llama, Mistral, Qwen 2 and 3, and Gemma 2, whose second norm of a layer has another place and name.
LayerWeights llamaLayer(WeightReader& read, const Architecture& a, const std::string& name)
{
    const std::string attention = name + "self_attn.", feed = name + "mlp.";
    LayerWeights layer;
    read.norm(layer.beforeAttention, name + "input_layernorm", a);
    read.norm(a.twoSidedNorms ? layer.afterAttention : layer.beforeFeed, name + "post_attention_layernorm", a);
    if (a.twoSidedNorms) {
        read.norm(layer.beforeFeed, name + "pre_feedforward_layernorm", a);
        read.norm(layer.afterFeed, name + "post_feedforward_layernorm", a);
    }
    layer.projections = {read.linear(attention + "q_proj", queryWidth(a), a.width, a.queryKeyBias),
                         read.linear(attention + "k_proj", keyWidth(a), a.width, a.queryKeyBias),
                         read.linear(attention + "v_proj", keyWidth(a), a.width, a.queryKeyBias)};
    layer.query = {0, 0, a.headSize};
    layer.key = {1, 0, a.headSize};
    layer.value = {2, 0, a.headSize};
    if (a.headNorms) {
        read.vector(layer.queryNorm, attention + "q_norm.weight", a.headSize);
        read.vector(layer.keyNorm, attention + "k_norm.weight", a.headSize);
    }
    layer.output = read.linear(attention + "o_proj", a.width, queryWidth(a), a.outputBias);
    layer.gate = read.linear(feed + "gate_proj", a.inner, a.width, a.feedBias);
    layer.up = read.linear(feed + "up_proj", a.inner, a.width, a.feedBias);
    layer.down = read.linear(feed + "down_proj", a.width, a.inner, a.feedBias);
    return layer;
}

LayerWeights gpt2Layer(WeightReader& read, const Architecture& a, const std::string& name)
{
    LayerWeights layer;
    read.norm(layer.beforeAttention, name + "ln_1", a);
    read.norm(layer.beforeFeed, name + "ln_2", a);
    layer.projections = {read.linear(name + "attn.c_attn", 3 * Index{a.width}, a.width, true, true)};
    layer.query = {0, 0, a.headSize};
    layer.key = {0, a.width, a.headSize};
    layer.value = {0, 2 * Index{a.width}, a.headSize};
    layer.output = read.linear(name + "attn.c_proj", a.width, a.width, true, true);
    layer.up = read.linear(name + "mlp.c_fc", a.inner, a.width, true, true);
    layer.down = read.linear(name + "mlp.c_proj", a.width, a.inner, true, true);
    return layer;
}

/// Its fused projection has the query, key and value of head 0, then those of head 1, ...
LayerWeights neoxLayer(WeightReader& read, const Architecture& a, const std::string& name)
{
    const Index d = a.headSize;
    LayerWeights layer;
    read.norm(layer.beforeAttention, name + "input_layernorm", a);
    read.norm(layer.beforeFeed, name + "post_attention_layernorm", a);
    layer.projections = {read.linear(name + "attention.query_key_value", 3 * Index{a.width}, a.width, a.queryKeyBias)};
    layer.query = {0, 0, 3 * d};
    layer.key = {0, d, 3 * d};
    layer.value = {0, 2 * d, 3 * d};
    layer.output = read.linear(name + "attention.dense", a.width, a.width, a.outputBias);
    layer.up = read.linear(name + "mlp.dense_h_to_4h", a.inner, a.width, true);
    layer.down = read.linear(name + "mlp.dense_4h_to_h", a.width, a.inner, true);
    return layer;
}

/// What a family calls the parts that are not in a layer.
struct Names {
    std::string embedding, layers, finalNorm, head;
};

Names namesOf(const Architecture& a, const WeightReader& read)
{
    if (a.family == Family::GptNeoX)
        return {"gpt_neox.embed_in.weight", "gpt_neox.layers.", "gpt_neox.final_layer_norm", "embed_out"};
    if (a.family == Family::Gpt2) {
        const std::string prefix = read.has("transformer.wte.weight") ? "transformer." : "";
        return {prefix + "wte.weight", prefix + "h.", prefix + "ln_f", "lm_head"};
    }
    return {"model.embed_tokens.weight", "model.layers.", "model.norm", "lm_head"};
}

Result<void> readWeights(Model& model)
{
    const Architecture& a = model.architecture;
    WeightReader read(*model.files);
    const Names names = namesOf(a, read);
    read.matrix(model.embedding, names.embedding, a.vocabulary, a.width);
    if (a.learnedPositions > 0)
        read.matrix(model.positions, names.embedding.substr(0, names.embedding.size() - 10) + "wpe.weight",
                    a.learnedPositions, a.width);
    for (int l = 0; l < a.layers && !read.error(); ++l) {
        const std::string name = names.layers + std::to_string(l) + ".";
        model.layers.push_back(a.family == Family::Gpt2      ? gpt2Layer(read, a, name)
                               : a.family == Family::GptNeoX ? neoxLayer(read, a, name)
                                                             : llamaLayer(read, a, name));
    }
    read.norm(model.finalNorm, names.finalNorm, a);
    if (a.tiedEmbeddings)
        model.head.weight = model.embedding;
    else
        model.head = read.linear(names.head, a.vocabulary, a.width, false);
    if (read.error())
        return tl::unexpected(*read.error());
    return {};
}

constexpr std::uint64_t longestConfig = 1 << 20;

}  // namespace

bool isModelFolder(const std::string& path)
{
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored) &&
           std::filesystem::exists(std::filesystem::path(path) / "config.json", ignored);
}

namespace {

Result<Model> readModel(const std::string& name, const Result<std::string>& configText, Result<WeightFiles> files,
                        Result<std::shared_ptr<const Tokenizer>> tokenizer)
{
    const std::string path = (std::filesystem::path(name) / "config.json").string();
    const auto config = TRY(configText.and_then([&](const std::string& text) { return readModelConfig(text, path); }));
    Model model;
    model.folder = name;
    model.architecture = config.architecture;
    model.unknownFields = config.unknown;
    model.files = std::make_shared<const WeightFiles>(TRY(std::move(files)));
    TRY(readWeights(model));
    if (tokenizer)
        model.tokenizer = std::move(*tokenizer);
    else
        model.withoutTokenizer = tokenizer.error().message;
    return model;
}

}  // namespace

Result<Model> openShipped(const ShippedModel& model)
{
    const auto text = [](const Embedded& file) {
        return std::string(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
    };
    return readModel(model.id, text(model.config()), WeightFiles::fromMemory(model.weights().bytes, model.id),
                     readTokenizerJson(text(model.tokenizer()), std::string(model.tokenizer().name)));
}

Result<Model> openModel(const std::string& folder)
{
    if (const ShippedModel* shipped = shippedModelAt(folder))
        return openShipped(*shipped);
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored))
        return failure(ErrorKind::NotFound, folder +
                                                ": no such folder; give the folder of a model, with config.json and "
                                                "model.safetensors in it, or one that comes with the program: " +
                                                joined(shippedModels(), ", ", &ShippedModel::id));
    const auto config = TRY(readText((std::filesystem::path(folder) / "config.json").string(), longestConfig));
    return readModel(folder, config, WeightFiles::open(folder), openTokenizer(folder));
}

}  // namespace attnscope
