#include "tests/model/small_models.h"

#include "core/tensor/tensor_writer.h"

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <tuple>

#include <Eigen/Core>

using namespace attnscope;

namespace {

class Maker {
public:
    explicit Maker(SmallModel& model) : m_model(model) {}
    /// Entries of size about 1 / sqrt(fan in), so that the stream keeps its size.
    void matrix(const std::string& name, int rows, int columns, double fanIn)
    {
        fill(name, {rows, columns}, 1.7 / std::sqrt(fanIn), 0);
    }
    void vector(const std::string& name, int size, double around, double spread = 0.3)
    {
        fill(name, {size}, spread, around);
    }

private:
    void fill(const std::string& name, std::vector<std::int64_t> shape, double spread, double around)
    {
        std::size_t count = 1;
        for (const std::int64_t extent : shape)
            count *= static_cast<std::size_t>(extent);
        SmallTensor tensor{std::move(shape), std::vector<float>(count)};
        for (std::size_t i = 0; i < count; ++i)
            tensor.values[i] = static_cast<float>(around + spread * numberOfName(name, i));
        m_model.tensors[name] = std::move(tensor);
    }
    SmallModel& m_model;
};

constexpr int width = 24, inner = 40, layers = 3, heads = 6, keyHeads = 2, headSize = 6, vocabulary = 61, trained = 32;

SmallModel llamaLike(const std::string& name)
{
    const bool gemma = name.starts_with("gemma"), around = gemma && name != "gemma", gemma3 = name == "gemma3_text",
               qwen2 = name == "qwen2", qwen3 = name.starts_with("qwen3"), olmo = name == "olmo2",
               mixtral = name == "mixtral", experts = mixtral || name == "qwen3_moe";
    SmallModel model;
    model.config = {{"model_type", name == "llama3" ? "llama" : name},
                    {"hidden_size", width},
                    {"intermediate_size", inner},
                    {"num_hidden_layers", layers},
                    {"num_attention_heads", heads},
                    {"num_key_value_heads", keyHeads},
                    {"head_dim", headSize},
                    {"vocab_size", vocabulary},
                    {"max_position_embeddings", trained},
                    {"rms_norm_eps", 1e-5},
                    {"rope_theta", 10000.0},
                    {"tie_word_embeddings", gemma || qwen2},
                    {"bos_token_id", 1}};
    if (name == "mistral")
        model.config["sliding_window"] = 5;
    if (name == "llama3") {
        model.config["max_position_embeddings"] = 8 * trained;
        model.config["rope_scaling"] = {{"rope_type", "llama3"},
                                        {"factor", 8.0},
                                        {"low_freq_factor", 1.0},
                                        {"high_freq_factor", 4.0},
                                        {"original_max_position_embeddings", trained}};
    }
    if (gemma) {
        model.config["hidden_activation"] = "gelu_pytorch_tanh";
    }
    if (around) {
        model.config["query_pre_attn_scalar"] = 10;
        model.config["sliding_window"] = 5;
    }
    if (name == "gemma2") {
        model.config["attn_logit_softcapping"] = 4.0;
        model.config["final_logit_softcapping"] = 3.0;
    }
    if (gemma3) {
        model.config["sliding_window_pattern"] = 3;
        model.config["rope_theta"] = 1e6;
        model.config["rope_local_base_freq"] = 1e4;
        model.config["rope_scaling"] = {{"rope_type", "linear"}, {"factor", 8.0}};
    }
    if (name == "smollm3")
        model.config["no_rope_layers"] = {1, 0, 1};
    if (name == "granite")
        model.config.update({{"attention_multiplier", 0.3},
                             {"embedding_multiplier", 2.0},
                             {"residual_multiplier", 0.7},
                             {"logits_scaling", 3.0}});
    if (mixtral)
        model.config.update({{"num_local_experts", 4}, {"num_experts_per_tok", 2}});
    if (name == "qwen3_moe")
        model.config.update({{"num_experts", 4},
                             {"num_experts_per_tok", 2},
                             {"moe_intermediate_size", inner},
                             {"norm_topk_prob", true}});
    Maker make(model);
    make.matrix("model.embed_tokens.weight", vocabulary, width, 3);
    if (!gemma && !qwen2)
        make.matrix("lm_head.weight", vocabulary, width, width);
    make.vector("model.norm.weight", width, gemma ? 0 : 1);
    for (int l = 0; l < layers; ++l) {
        const std::string layer = "model.layers." + std::to_string(l) + ".";
        for (const char* norm :
             {"input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm", "post_feedforward_layernorm"})
            if (around || (olmo ? norm[1] == 'o' : norm[1] == 'n' || norm[5] == 'a'))
                make.vector(layer + norm + ".weight", width, gemma ? 0 : 1);
        for (const char* part : {"q", "k", "v"}) {
            const int size = headSize * (*part == 'q' ? heads : keyHeads);
            make.matrix(layer + "self_attn." + part + "_proj.weight", size, width, width / 3.0);
            if (qwen2)
                make.vector(layer + "self_attn." + part + "_proj.bias", size, 0);
            if ((qwen3 || gemma3 || olmo) && *part != 'v')
                make.vector(layer + "self_attn." + part + "_norm.weight", olmo ? size : headSize, gemma3 ? 0.5 : 1.5);
        }
        make.matrix(layer + "self_attn.o_proj.weight", width, heads * headSize, heads * headSize);
        const std::string feed = layer + (mixtral ? "block_sparse_moe." : "mlp.");
        if (experts)
            make.matrix(feed + "gate.weight", 4, width, width / 4.0);
        for (int e = 0; e < (experts ? 4 : 1); ++e) {
            const std::string expert = feed + (experts ? "experts." + std::to_string(e) + "." : "");
            make.matrix(expert + (mixtral ? "w1" : "gate_proj") + ".weight", inner, width, width);
            make.matrix(expert + (mixtral ? "w3" : "up_proj") + ".weight", inner, width, width);
            make.matrix(expert + (mixtral ? "w2" : "down_proj") + ".weight", width, inner, inner);
        }
    }
    return model;
}

SmallModel gpt2()
{
    SmallModel model;
    model.config = {{"model_type", "gpt2"}, {"n_embd", width},        {"n_layer", layers},
                    {"n_head", heads},      {"n_positions", trained}, {"vocab_size", vocabulary}};
    Maker make(model);
    make.matrix("wte.weight", vocabulary, width, 3);
    make.matrix("wpe.weight", trained, width, 12);
    for (int l = 0; l < layers; ++l) {
        const std::string layer = "h." + std::to_string(l) + ".";
        const std::tuple<const char*, int, int> maps[] = {{"attn.c_attn", width, 3 * width},
                                                          {"attn.c_proj", width, width},
                                                          {"mlp.c_fc", width, 4 * width},
                                                          {"mlp.c_proj", 4 * width, width}};
        for (const auto& [name, in, out] : maps) {
            make.matrix(layer + name + ".weight", in, out, in / 2.0);
            make.vector(layer + name + ".bias", out, 0);
        }
        for (const char* norm : {"ln_1", "ln_2"}) {
            make.vector(layer + norm + ".weight", width, 1);
            make.vector(layer + norm + ".bias", width, 0);
        }
    }
    make.vector("ln_f.weight", width, 1);
    make.vector("ln_f.bias", width, 0);
    return model;
}

/// Three heads of size 8, of which two coordinates turn.
SmallModel neox()
{
    SmallModel model;
    model.config = {{"model_type", "gpt_neox"},           {"hidden_size", width},     {"intermediate_size", inner},
                    {"num_hidden_layers", layers},        {"num_attention_heads", 3}, {"vocab_size", vocabulary},
                    {"max_position_embeddings", trained}, {"rotary_pct", 0.25},       {"rotary_emb_base", 10000},
                    {"use_parallel_residual", true}};
    Maker make(model);
    make.matrix("gpt_neox.embed_in.weight", vocabulary, width, 3);
    make.matrix("embed_out.weight", vocabulary, width, width);
    const auto norm = [&](const std::string& name) {
        make.vector(name + ".weight", width, 1);
        make.vector(name + ".bias", width, 0);
    };
    norm("gpt_neox.final_layer_norm");
    for (int l = 0; l < layers; ++l) {
        const std::string layer = "gpt_neox.layers." + std::to_string(l) + ".";
        const std::tuple<const char*, int, int> maps[] = {{"attention.query_key_value", 3 * width, width},
                                                          {"attention.dense", width, width},
                                                          {"mlp.dense_h_to_4h", inner, width},
                                                          {"mlp.dense_4h_to_h", width, inner}};
        for (const auto& [name, out, in] : maps) {
            make.matrix(layer + name + ".weight", out, in, in / 2.0);
            make.vector(layer + name + ".bias", out, 0);
        }
        norm(layer + "input_layernorm");
        norm(layer + "post_attention_layernorm");
    }
    return model;
}

/// Bytes of values in a dtype, little endian.
std::string bytesOf(const std::vector<float>& values, Dtype dtype)
{
    std::string bytes;
    for (const float value : values) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        const std::uint32_t stored = dtype == Dtype::F32 ? bits
                                     : dtype == Dtype::BF16
                                         ? bits >> 16
                                         : Eigen::numext::bit_cast<std::uint16_t>(Eigen::half(value));
        for (std::size_t b = 0; b < dtypeSize(dtype); ++b)
            bytes += static_cast<char>(stored >> (8 * b) & 255);
    }
    return bytes;
}

std::string writeTensors(const std::map<std::string, SmallTensor>& tensors, const std::string& path, Dtype dtype)
{
    std::vector<std::string> bytes;
    std::vector<TensorView> views;
    bytes.reserve(tensors.size());
    for (const auto& [name, tensor] : tensors) {
        bytes.push_back(bytesOf(tensor.values, dtype));
        views.push_back({name, dtype, tensor.shape, std::as_bytes(std::span(bytes.back()))});
    }
    const Result<void> written = writeSafetensors(path, views);
    return written ? "" : written.error().message;
}

}  // namespace

double numberOfName(const std::string& name, std::size_t place)
{
    std::uint64_t h = 1469598103934665603ULL;
    for (const char c : name)
        h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    h ^= place * 0x9e3779b97f4a7c15ULL;
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9ULL;
    h = (h ^ h >> 27) * 0x94d049bb133111ebULL;
    h ^= h >> 31;
    return static_cast<double>(h >> 11) * 0x1p-52 - 1;
}

SmallModel smallModel(const std::string& name)
{
    return name == "gpt2" ? gpt2() : name == "gpt_neox" ? neox() : llamaLike(name);
}

void roundTo(SmallModel& model, Dtype dtype)
{
    for (auto& [name, tensor] : model.tensors)
        for (float& value : tensor.values) {
            if (dtype == Dtype::BF16)
                value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0xffff0000U);
            if (dtype == Dtype::F16)
                value = static_cast<float>(Eigen::half(value));
        }
}

std::string writeModel(const SmallModel& model, const std::string& folder, Dtype dtype, int files)
{
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/config.json") << model.config.dump();
    if (files == 1)
        return writeTensors(model.tensors, folder + "/model.safetensors", dtype);
    nlohmann::json map;
    std::vector<std::map<std::string, SmallTensor>> parts(static_cast<std::size_t>(files));
    std::size_t next = 0;
    for (const auto& [name, tensor] : model.tensors) {
        const std::size_t part = next++ % parts.size();
        parts[part][name] = tensor;
        map[name] = "part-" + std::to_string(part) + ".safetensors";
    }
    for (std::size_t part = 0; part < parts.size(); ++part)
        if (std::string why =
                writeTensors(parts[part], folder + "/part-" + std::to_string(part) + ".safetensors", dtype);
            !why.empty())
            return why;
    std::ofstream(folder + "/model.safetensors.index.json")
        << nlohmann::json{{"metadata", {{"total_size", 0}}}, {"weight_map", map}}.dump();
    return {};
}
