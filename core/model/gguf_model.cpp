#include "core/model/gguf_model.h"

#include "core/base/choice.h"
#include "core/base/text.h"
#include "core/tensor/byte_source.h"
#include "core/tensor/gguf.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

namespace attnscope {

namespace {

using Json = nlohmann::json;
using Names = std::span<const std::pair<std::string_view, std::string_view>>;

// What folders and GGUF files call the same tensors, without ".weight" and ".bias": outside the layers, and in one.
constexpr std::pair<std::string_view, std::string_view> llamaAround[]{
    {"model.embed_tokens", "token_embd"}, {"model.norm", "output_norm"}, {"lm_head", "output"}};
constexpr std::pair<std::string_view, std::string_view> llamaWithin[]{
    {"input_layernorm", "attn_norm"},
    {"post_attention_layernorm", "ffn_norm"},
    {"self_attn.q_proj", "attn_q"},
    {"self_attn.k_proj", "attn_k"},
    {"self_attn.v_proj", "attn_v"},
    {"self_attn.qkv_proj", "attn_qkv"},
    {"self_attn.o_proj", "attn_output"},
    {"self_attn.q_norm", "attn_q_norm"},
    {"self_attn.k_norm", "attn_k_norm"},
    {"mlp.gate_proj", "ffn_gate"},
    {"mlp.up_proj", "ffn_up"},
    {"mlp.gate_up_proj", "ffn_up"},
    {"mlp.down_proj", "ffn_down"},
    {"mlp.gate", "ffn_gate_inp"},
    {"mlp.experts.*.gate_proj", "ffn_gate_exps"},
    {"mlp.experts.*.up_proj", "ffn_up_exps"},
    {"mlp.experts.*.down_proj", "ffn_down_exps"},
    {"mlp.shared_experts.gate_proj", "ffn_gate_shexp"},
    {"mlp.shared_experts.up_proj", "ffn_up_shexp"},
    {"mlp.shared_experts.down_proj", "ffn_down_shexp"}};
constexpr std::pair<std::string_view, std::string_view> mixtralWithin[]{
    {"block_sparse_moe.gate", "ffn_gate_inp"},
    {"block_sparse_moe.experts.*.w1", "ffn_gate_exps"},
    {"block_sparse_moe.experts.*.w2", "ffn_down_exps"},
    {"block_sparse_moe.experts.*.w3", "ffn_up_exps"}};
constexpr std::pair<std::string_view, std::string_view> gptOssWithin[]{
    {"post_attention_layernorm", "post_attention_norm"}, {"mlp.router", "ffn_gate_inp"}};
constexpr std::pair<std::string_view, std::string_view> olmoWithin[]{
    {"post_attention_layernorm", "post_attention_norm"}, {"post_feedforward_layernorm", "post_ffw_norm"}};
constexpr std::pair<std::string_view, std::string_view> glm4Within[]{
    {"post_self_attn_layernorm", "post_attention_norm"}, {"post_mlp_layernorm", "post_ffw_norm"}};
constexpr std::pair<std::string_view, std::string_view> glm4MoeWithin[]{
    {"post_attention_layernorm", "post_attention_norm"}};
constexpr std::pair<std::string_view, std::string_view> gemmaWithin[]{
    {"post_attention_layernorm", "post_attention_norm"},
    {"pre_feedforward_layernorm", "ffn_norm"},
    {"post_feedforward_layernorm", "post_ffw_norm"}};
constexpr std::pair<std::string_view, std::string_view> gpt2Around[]{
    {"wte", "token_embd"}, {"wpe", "position_embd"}, {"ln_f", "output_norm"}, {"lm_head", "output"}};
constexpr std::pair<std::string_view, std::string_view> gpt2Within[]{
    {"ln_1", "attn_norm"},          {"ln_2", "ffn_norm"},   {"attn.c_attn", "attn_qkv"},
    {"attn.c_proj", "attn_output"}, {"mlp.c_fc", "ffn_up"}, {"mlp.c_proj", "ffn_down"}};

/// The values of a file on their way to a config.json.
class ConfigMaker {
public:
    ConfigMaker(const GgufHeader& header, const std::vector<TensorInfo>& tensors, const std::string& path,
                const std::string& architecture)
        : m_values(header.values), m_path(path), m_prefix(architecture + ".")
    {
        for (const TensorInfo& tensor : tensors)
            m_tensors.emplace(tensor.name, &tensor);
    }

    Json config;

    /// A value of the architecture ("llama.block_count"); null: there is none. Of layers that all have the same, that.
    Json value(const std::string& key)
    {
        m_asked.insert(m_prefix + key);
        const auto found = m_values.find(m_prefix + key);
        if (found == m_values.end())
            return nullptr;
        if (!found->is_array())
            return *found;
        if (found->empty() || std::ranges::any_of(*found, [&](const Json& one) { return one != found->front(); })) {
            refuse("layers that differ in " + key);
            return nullptr;
        }
        return found->front();
    }
    /// Under the name that a config has for it, if it is there.
    void take(const char* name, const std::string& key)
    {
        if (Json given = value(key); !given.is_null())
            config[name] = std::move(given);
    }
    /// Which layers have a window: a truth value each, or how many layers make a pattern whose last sees all.
    void takeWindows(const std::string& pattern)
    {
        take("sliding_window", "attention.sliding_window");
        m_asked.insert(m_prefix + pattern);
        const auto found = m_values.find(m_prefix + pattern);
        if (found == m_values.end())
            return;
        if (!found->is_array()) {
            config["sliding_window_pattern"] = *found;
            return;
        }
        config["layer_types"] = Json::array();
        for (const Json& slides : *found)
            config["layer_types"].push_back(slides == true ? "sliding_attention" : "full_attention");
    }
    std::string text(const std::string& key)
    {
        const Json given = value(key);
        return given.is_string() ? given.get<std::string>() : "";
    }
    double real(const std::string& key, double byDefault)
    {
        const Json given = value(key);
        return given.is_number() ? given.get<double>() : byDefault;
    }
    const TensorInfo* tensor(const std::string& name) const
    {
        const auto found = m_tensors.find(name);
        return found == m_tensors.end() ? nullptr : found->second;
    }
    /// Numbers of a small tensor.
    std::vector<float> numbers(const TensorInfo& of, const TensorFile& file)
    {
        constexpr std::uint64_t most = 4096;
        if (of.elementCount() <= most)
            if (auto read = file.read<float>(of))
                return std::move(*read);
        refuse("the tensor " + inQuotes(of.name) + " as it is");
        return {};
    }
    void refuse(const std::string& what)
    {
        if (!m_refused)
            m_refused = Error{ErrorKind::Unavailable, m_path + " asks for " + what + ", which is not run here"};
    }
    /// The first thing that is not run. What nobody asked for goes along under its own name, as a field that is not
    /// known.
    Result<void> finish()
    {
        if (m_refused)
            return tl::unexpected(*m_refused);
        for (const auto& [key, given] : m_values.items())
            if (key.starts_with(m_prefix) && !m_asked.contains(key))
                config[key] = given;
        return {};
    }

private:
    const Json& m_values;
    const std::string& m_path;
    std::string m_prefix;
    std::map<std::string, const TensorInfo*> m_tensors;
    std::set<std::string> m_asked;
    std::optional<Error> m_refused;
};

/// What all architectures have.
void sizesOf(ConfigMaker& make, const char* width, const char* layers, const char* heads, const char* length,
             const char* inner)
{
    make.take(width, "embedding_length");
    make.take(layers, "block_count");
    make.take(heads, "attention.head_count");
    make.take(length, "context_length");
    make.take(inner, "feed_forward_length");
    make.value("vocab_size");  // the embedding's rows say it
    if (const TensorInfo* embedding = make.tensor("token_embd.weight"); embedding && embedding->shape.size() == 2)
        make.config["vocab_size"] = embedding->shape[0];
    make.config["tie_word_embeddings"] = make.tensor("output.weight") == nullptr;
}

/// Of a family that has none.
void withoutExperts(ConfigMaker& make)
{
    for (const char* experts : {"expert_count", "expert_used_count"})
        if (make.real(experts, 0) > 0)
            make.refuse("a mixture of experts");
}

void expertsOf(ConfigMaker& make, const char* count, const char* inner)
{
    make.take(count, "expert_count");
    make.take("num_experts_per_tok", "expert_used_count");
    if (inner)
        make.take(inner, "expert_feed_forward_length");
}

/// Frequencies, and what stretches them: a scaling by name, or tensors of what the frequencies are divided by.
void positionsOf(ConfigMaker& make, const TensorFile& file, double headSize)
{
    make.take("rope_theta", "rope.freq_base");
    const double turned = make.real("rope.dimension_count", headSize);
    if (turned != headSize && headSize > 0)
        make.config["partial_rotary_factor"] = turned / headSize;
    Json scaling = Json::object();
    std::string type = make.text("rope.scaling.type");
    const double factor = make.real("rope.scaling.factor", make.real("rope.scale_linear", 1)),
                 original = make.real("rope.scaling.original_context_length", 0),
                 attention = make.real("rope.scaling.attn_factor", 0);
    make.value("rope.scaling.finetuned");
    if (type.empty() && factor != 1)
        type = "linear";
    if (original > 0)
        scaling["original_max_position_embeddings"] = static_cast<std::int64_t>(original);
    const TensorInfo *all = make.tensor("rope_freqs.weight"), *longer = make.tensor("rope_factors_long.weight"),
                     *shorter = make.tensor("rope_factors_short.weight");
    if (longer && shorter) {
        scaling["rope_type"] = "longrope";
        scaling["long_factor"] = make.numbers(*longer, file);
        scaling["short_factor"] = make.numbers(*shorter, file);
        scaling["factor"] = std::max(1.0, factor);
        if (attention > 0)
            scaling["attention_factor"] = attention;
    } else if (all) {  // Llama 3.1's, worked out: the same at all lengths
        if (!type.empty() && type != "none")
            make.refuse("positions of type '" + type.substr(0, 40) + "' and rope_freqs.weight together");
        const std::vector<float> divisors = make.numbers(*all, file);
        scaling["rope_type"] = "longrope";
        scaling["long_factor"] = scaling["short_factor"] = divisors;
        scaling["factor"] = 1.0;
        scaling["attention_factor"] = 1.0;
    } else if (type == "linear" || type == "yarn") {
        scaling["rope_type"] = type;
        scaling["factor"] = factor;
        if (attention > 0)
            scaling["attention_factor"] = attention;
        for (const auto& [name, key] : {std::pair{"beta_fast", "rope.scaling.yarn_beta_fast"},
                                        std::pair{"beta_slow", "rope.scaling.yarn_beta_slow"}})
            if (const double given = make.real(key, 0); given > 0 && type == "yarn")
                scaling[name] = given;
    } else if (!type.empty() && type != "none") {
        make.refuse("positions of type '" + type.substr(0, 40) + "'");
    }
    if (scaling.contains("rope_type"))
        make.config["rope_scaling"] = scaling;
}

/// What Llama and those after it have; the size of a head.
double llamaValues(ConfigMaker& make, const TensorFile& file)
{
    sizesOf(make, "hidden_size", "num_hidden_layers", "num_attention_heads", "max_position_embeddings",
            "intermediate_size");
    make.take("num_key_value_heads", "attention.head_count_kv");
    if (!make.config.contains("num_key_value_heads") && make.config.contains("num_attention_heads"))
        make.config["num_key_value_heads"] = make.config["num_attention_heads"];
    make.take("rms_norm_eps", "attention.layer_norm_rms_epsilon");
    const double heads = make.real("attention.head_count", 1),
                 size = make.real("attention.key_length", make.real("embedding_length", 0) / std::max(1.0, heads));
    if (make.real("attention.value_length", size) != size)
        make.refuse("values of another size than keys");
    make.config["head_dim"] = static_cast<std::int64_t>(size);
    positionsOf(make, file, size);
    return size;
}

void llamaConfigOf(ConfigMaker& make, const TensorFile& file)
{
    llamaValues(make, file);
    make.config["rope_interleave"] = true;  // rows of queries and keys stand in neighbouring pairs
    make.take("sliding_window", "attention.sliding_window");
    if (make.config.contains("sliding_window"))
        make.config["model_type"] = "mistral";
    if (make.real("expert_count", 0) > 0) {
        make.config["model_type"] = "mixtral";
        expertsOf(make, "num_local_experts", nullptr);
    }
    if (make.tensor("blk.0.attn_q.bias"))
        make.refuse("biases on queries and keys in Llama's layout");
}

void plainConfigOf(ConfigMaker& make, const TensorFile& file)
{
    llamaValues(make, file);
    withoutExperts(make);
}

/// Rows as in Llama's files.
void inPairsConfigOf(ConfigMaker& make, const TensorFile& file)
{
    plainConfigOf(make, file);
    make.config["rope_interleave"] = true;
}

void graniteConfigOf(ConfigMaker& make, const TensorFile& file)
{
    inPairsConfigOf(make, file);
    make.take("embedding_multiplier", "embedding_scale");
    make.take("attention_multiplier", "attention.scale");
    make.take("residual_multiplier", "residual_scale");
    make.take("logits_scaling", "logit_scale");
}

/// The temperature of queries that grow with their place stands among the positions.
void ministral3ConfigOf(ConfigMaker& make, const TensorFile& file)
{
    inPairsConfigOf(make, file);
    make.value("attention.temperature_length");  // the length before the stretch
    Json positions = make.config.value("rope_scaling", Json::object());
    make.config.erase("rope_scaling");
    if (!positions.contains("rope_type"))
        positions["rope_type"] = "default";
    if (const double scale = make.real("attention.temperature_scale", 0); scale > 0)
        positions["llama_4_scaling_beta"] = scale;
    if (const double both = make.real("rope.scaling.yarn_log_multiplier", 0); both > 0)
        positions["mscale"] = positions["mscale_all_dim"] = both;
    make.config["rope_parameters"] = std::move(positions);
}

void olmo2ConfigOf(ConfigMaker& make, const TensorFile& file)
{
    plainConfigOf(make, file);
    make.takeWindows("attention.sliding_window_pattern");
    if (make.config.contains("sliding_window"))
        make.config["model_type"] = "olmo3";
}

void cohere2ConfigOf(ConfigMaker& make, const TensorFile& file)
{
    plainConfigOf(make, file);
    make.take("layer_norm_eps", "attention.layer_norm_epsilon");
    make.take("logit_scale", "logit_scale");
    make.takeWindows("attention.sliding_window_pattern");
}

void biasedConfigOf(ConfigMaker& make) { make.config["attention_bias"] = make.tensor("blk.0.attn_q.bias") != nullptr; }

void glm4ConfigOf(ConfigMaker& make, const TensorFile& file)
{
    plainConfigOf(make, file);
    biasedConfigOf(make);
}

void glm4MoeConfigOf(ConfigMaker& make, const TensorFile& file)
{
    llamaValues(make, file);
    biasedConfigOf(make);
    expertsOf(make, "n_routed_experts", "moe_intermediate_size");
    make.take("n_shared_experts", "expert_shared_count");
    make.take("first_k_dense_replace", "leading_dense_block_count");
    make.take("routed_scaling_factor", "expert_weights_scale");
    make.take("norm_topk_prob", "expert_weights_norm");
    make.take("n_group", "expert_group_count");
    make.take("topk_group", "expert_group_used_count");
    if (const double further = make.real("nextn_predict_layers", 0); further > 0)  // counted among the blocks
        make.config["num_hidden_layers"] = static_cast<std::int64_t>(make.real("block_count", 0) - further);
    if (make.real("expert_gating_func", 2) != 2)
        make.refuse("experts that are weighed by something else than sigmoids");
    make.config["use_qk_norm"] = make.tensor("blk.0.attn_q_norm.weight") != nullptr;
}

void qwen3MoeConfigOf(ConfigMaker& make, const TensorFile& file)
{
    llamaValues(make, file);
    expertsOf(make, "num_experts", "moe_intermediate_size");
    make.config["norm_topk_prob"] = true;  // llama.cpp knows no other
}

/// The published models do not round the range of their YaRN, of which their files say nothing.
void gptOssConfigOf(ConfigMaker& make, const TensorFile& file)
{
    llamaValues(make, file);
    expertsOf(make, "num_local_experts", "intermediate_size");
    make.take("sliding_window", "attention.sliding_window");
    make.config["attention_bias"] = true;
    if (make.config.contains("rope_scaling"))
        make.config["rope_scaling"]["truncate"] = false;
}

void phi3ConfigOf(ConfigMaker& make, const TensorFile& file)
{
    plainConfigOf(make, file);
    make.take("sliding_window", "attention.sliding_window");
}

/// Gemma's own query scale is in no value: it is that of a head's size but in the largest models, which are known by
/// their layers (as llama.cpp knows them).
void gemmaConfigOf(ConfigMaker& make, const TensorFile& file, double layersOfLargest)
{
    const double size = llamaValues(make, file), heads = make.real("attention.head_count", 1);
    withoutExperts(make);
    make.config["query_pre_attn_scalar"] =
        make.real("block_count", 0) == layersOfLargest ? make.real("embedding_length", 0) / heads : size;
    make.take("sliding_window", "attention.sliding_window");
    make.take("attn_logit_softcapping", "attn_logit_softcapping");
    make.take("final_logit_softcapping", "final_logit_softcapping");
}

void gemma2ConfigOf(ConfigMaker& make, const TensorFile& file) { gemmaConfigOf(make, file, 46); }

void gemma3ConfigOf(ConfigMaker& make, const TensorFile& file)
{
    gemmaConfigOf(make, file, 62);
    make.takeWindows("attention.sliding_window_pattern");
    make.take("rope_local_base_freq", "rope.freq_base_swa");
    if (!make.config.contains("rope_theta"))
        make.config["rope_theta"] = 1e6;
}

void gpt2ConfigOf(ConfigMaker& make, const TensorFile&)
{
    sizesOf(make, "n_embd", "n_layer", "n_head", "n_positions", "n_inner");
    make.take("layer_norm_epsilon", "attention.layer_norm_epsilon");
    make.value("attention.head_count_kv");
    withoutExperts(make);
}

struct GgufFamily {
    std::string_view id;         ///< general.architecture
    std::string_view modelType;  ///< config.json's, unless `config` says another
    void (*config)(ConfigMaker&, const TensorFile&);
    std::string_view layers;  ///< what the names of a layer's tensors begin with
    Names around, within;
    Names first = {};                   ///< in place of those of `within` that have the same names
    bool normsFromOne = false;          ///< norms are stored as 1 + w
    bool inputsFirstInFolders = false;  ///< and last here
};

constexpr std::string_view modelLayers = "model.layers.";
constexpr std::array ggufFamilies{
    GgufFamily{"llama", "llama", llamaConfigOf, modelLayers, llamaAround, llamaWithin, mixtralWithin},
    GgufFamily{"mistral3", "ministral3", ministral3ConfigOf, modelLayers, llamaAround, llamaWithin},
    GgufFamily{"qwen2", "qwen2", plainConfigOf, modelLayers, llamaAround, llamaWithin},
    GgufFamily{"qwen3", "qwen3", plainConfigOf, modelLayers, llamaAround, llamaWithin},
    GgufFamily{"qwen3moe", "qwen3_moe", qwen3MoeConfigOf, modelLayers, llamaAround, llamaWithin},
    GgufFamily{"phi3", "phi3", phi3ConfigOf, modelLayers, llamaAround, llamaWithin},
    GgufFamily{"gemma", "gemma", plainConfigOf, modelLayers, llamaAround, llamaWithin, {}, true},
    GgufFamily{"gemma2", "gemma2", gemma2ConfigOf, modelLayers, llamaAround, llamaWithin, gemmaWithin, true},
    GgufFamily{"gemma3", "gemma3_text", gemma3ConfigOf, modelLayers, llamaAround, llamaWithin, gemmaWithin, true},
    GgufFamily{"gpt-oss", "gpt_oss", gptOssConfigOf, modelLayers, llamaAround, llamaWithin, gptOssWithin},
    GgufFamily{"olmo2", "olmo2", olmo2ConfigOf, modelLayers, llamaAround, llamaWithin, olmoWithin},
    GgufFamily{"smollm3", "smollm3", inPairsConfigOf, modelLayers, llamaAround, llamaWithin},
    GgufFamily{"granite", "granite", graniteConfigOf, modelLayers, llamaAround, llamaWithin},
    GgufFamily{"cohere2", "cohere2", cohere2ConfigOf, modelLayers, llamaAround, llamaWithin},
    GgufFamily{"glm4", "glm4", glm4ConfigOf, modelLayers, llamaAround, llamaWithin, glm4Within},
    GgufFamily{"glm4moe", "glm4_moe", glm4MoeConfigOf, modelLayers, llamaAround, llamaWithin, glm4MoeWithin},
    GgufFamily{"gpt2", "gpt2", gpt2ConfigOf, "h.", gpt2Around, gpt2Within, {}, false, true},
};

/// Tensors whose names do not end as others do.
constexpr std::pair<std::string_view, std::string_view> wholeWithin[]{
    {"self_attn.sinks", "attn_sinks.weight"}, {"mlp.gate.e_score_correction_bias", "exp_probs_b.bias"}};

/// "model.layers.3.self_attn.q_proj.weight" is "blk.3.attn_q.weight", and what every expert has is a part of what all
/// have together; what is not known keeps its name.
InFile placeInGguf(const GgufFamily& family, std::string_view name)
{
    const InFile itself{std::string(name)};
    std::string begin;
    std::array<Names, 2> tables{family.around, Names{}};
    std::string_view base = name;
    if (base.starts_with(family.layers)) {
        base.remove_prefix(family.layers.size());
        const std::size_t after = base.find('.');
        if (after == base.npos || !numberFrom<int>(base.substr(0, after)))
            return itself;
        begin = "blk." + std::string(base.substr(0, after)) + ".";
        base.remove_prefix(after + 1);
        tables = {family.first, family.within};
        for (const auto& [folder, file] : wholeWithin)
            if (folder == base)
                return {begin + std::string(file)};
    }
    const std::size_t dot = base.rfind('.');
    if (dot == base.npos)
        return itself;
    const std::string ending(base.substr(dot));
    std::string known(base.substr(0, dot));
    std::optional<Index> part;
    constexpr std::string_view experts = "experts.";
    if (const std::size_t at = known.find(experts); at != known.npos && !known.substr(0, at).ends_with('_')) {
        const std::size_t from = at + experts.size(), until = known.find('.', from);
        part = numberFrom<Index>(std::string_view(known).substr(from, until - from));
        if (part && until != known.npos)
            known.replace(from, until - from, "*");
    }
    for (const Names& table : tables)
        for (const auto& [folder, file] : table)
            if (folder == known)
                return {begin + std::string(file) + ending, part};
    return itself;
}

template <class T>
std::vector<T> listOf(const Json& values, const char* key)
{
    std::vector<T> list;
    const auto found = values.find(key);
    if (found == values.end() || !found->is_array())
        return list;
    for (const Json& one : *found) {
        if constexpr (std::is_same_v<T, std::string>)
            list.push_back(one.is_string() ? one.get<std::string>() : std::string());
        else
            list.push_back(one.is_number() ? one.get<T>() : T{});
    }
    return list;
}

std::string textOf(const Json& values, const char* key)
{
    const auto found = values.find(key);
    return found != values.end() && found->is_string() ? found->get<std::string>() : "";
}

bool truthOf(const Json& values, const char* key, bool byDefault)
{
    const auto found = values.find(key);
    return found != values.end() && found->is_boolean() ? found->get<bool>() : byDefault;
}

Result<std::shared_ptr<const Tokenizer>> tokenizerOf(const Json& values, const std::string& path)
{
    Vocabulary vocabulary{.model = textOf(values, "tokenizer.ggml.model"),
                          .preTokeniser = textOf(values, "tokenizer.ggml.pre"),
                          .tokens = listOf<std::string>(values, "tokenizer.ggml.tokens"),
                          .scores = listOf<float>(values, "tokenizer.ggml.scores"),
                          .types = listOf<int>(values, "tokenizer.ggml.token_type"),
                          .merges = listOf<std::string>(values, "tokenizer.ggml.merges"),
                          .unknown = {},
                          .addSpacePrefix = truthOf(values, "tokenizer.ggml.add_space_prefix", true),
                          .name = textOf(values, "general.name")};
    if (vocabulary.tokens.empty())
        return failure(ErrorKind::NotFound, path + ": it holds no vocabulary; give token ids instead of a text");
    if (const auto found = values.find("tokenizer.ggml.unknown_token_id");
        found != values.end() && found->is_number_unsigned() && *found < vocabulary.tokens.size())
        vocabulary.unknown = found->get<int>();
    return tokenizerFromVocabulary(vocabulary, path);
}

}  // namespace

Result<std::vector<std::string>> partsOfGguf(const std::string& path)
{
    const std::filesystem::path file(path);
    const std::string stem = file.stem().string();
    constexpr std::size_t digits = 5, length = 15;  // "-00001-of-00003"
    const auto whole = [&](std::size_t from) { return numberFrom<int>(std::string_view(stem).substr(from, digits)); };
    if (stem.size() <= length || stem[stem.size() - length] != '-' ||
        stem.substr(stem.size() - length + 1 + digits, 4) != "-of-" || !whole(stem.size() - digits) ||
        !whole(stem.size() - length + 1))
        return std::vector{path};
    const int count = *whole(stem.size() - digits);
    if (count < 1 || count > 1000)
        return failure(ErrorKind::DataError,
                       path + ": its name speaks of " + std::to_string(count) + " parts; at most 1000 are read");
    std::vector<std::string> parts;
    for (int part = 1; part <= count; ++part) {
        std::string number = std::to_string(part);
        number.insert(0, digits - number.size(), '0');
        parts.push_back((file.parent_path() / (stem.substr(0, stem.size() - length + 1) + number +
                                               stem.substr(stem.size() - 9) + file.extension().string()))
                            .string());
    }
    return parts;
}

std::vector<std::string_view> ggufArchitectures()
{
    std::vector<std::string_view> ids;
    for (const GgufFamily& family : ggufFamilies)
        ids.push_back(family.id);
    return ids;
}

bool isGgufFile(const std::string& path)
{
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored))
        return false;
    std::array<std::byte, 4> start{};
    const auto source = openBytes(path);
    return source && (*source)->size() >= start.size() && (*source)->read(0, start) &&
           beginsGguf({reinterpret_cast<const char*>(start.data()), start.size()});
}

Result<GgufModel> openGguf(const std::string& path)
{
    const std::vector<std::string> paths = TRY(partsOfGguf(path));
    std::vector<MappedTensors> files;
    std::vector<TensorInfo> tensors;
    for (const std::string& part : paths) {
        files.push_back(TRY(MappedTensors::open(part)));
        const auto list = files.back().file().tensors();
        tensors.insert(tensors.end(), list.begin(), list.end());
    }
    const auto header =
        std::make_shared<const GgufHeader>(TRY(readGgufHeader(TRY(openBytes(paths.front())), paths.front())));
    const Json& values = header->values;
    const std::string architecture = textOf(values, "general.architecture");
    const auto family = std::ranges::find(ggufFamilies, architecture, &GgufFamily::id);
    if (family == ggufFamilies.end())
        return failure(ErrorKind::Unavailable,
                       path +
                           (architecture.empty() ? std::string(" has no general.architecture")
                                                 : ": models of architecture " + inQuotes(architecture) +
                                                       " are not run from .gguf files") +
                           "; what is run: " + joined(ggufArchitectures(), ", "));
    ConfigMaker make(*header, tensors, path, architecture);
    make.config = {{"model_type", family->modelType}};
    family->config(make, files.front().file());
    const std::string kind = textOf(values, "tokenizer.ggml.model");
    if (const auto begin = values.find("tokenizer.ggml.bos_token_id");
        begin != values.end() && truthOf(values, "tokenizer.ggml.add_bos_token", kind == "llama"))
        make.config["bos_token_id"] = *begin;
    TRY(make.finish());
    WeightLayout layout{.name = [family](std::string_view name) { return placeInGguf(*family, name); },
                        .normsFromOne = family->normsFromOne,
                        .inputsLast = family->inputsFirstInFolders};
    return GgufModel{std::move(make.config), TRY(WeightFiles::of(std::move(files), path, std::move(layout))),
                     [header, path] { return tokenizerOf(header->values, path); }};
}

}  // namespace attnscope
