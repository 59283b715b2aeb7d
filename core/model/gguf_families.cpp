#include "core/model/gguf_families.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <set>

namespace attnscope {

namespace {

using Json = nlohmann::json;
using Names = GgufFamily::Names;

// Names outside the layers, and in one.
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

}  // namespace

/// The values of a file on their way to a config.json.
class GgufConfigMaker {
public:
    GgufConfigMaker(const GgufHeader& header, const std::vector<TensorInfo>& tensors, const std::string& path,
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

namespace {

using ConfigMaker = GgufConfigMaker;

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

/// Gemma's own query scale is in no value: it is that of a head's size but in the largest models, which are known
/// by their layers (as llama.cpp knows them).
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

constexpr std::string_view modelLayers = "model.layers.";
constexpr std::array rowsOfFamilies{
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

}  // namespace

std::span<const GgufFamily> ggufFamilies() { return rowsOfFamilies; }

Result<nlohmann::json> configOf(const GgufFamily& family, const GgufHeader& header,
                                const std::vector<TensorInfo>& tensors, const TensorFile& file, const std::string& path)
{
    GgufConfigMaker make(header, tensors, path, std::string(family.id));
    make.config = {{"model_type", family.modelType}};
    family.config(make, file);
    TRY(make.finish());
    return std::move(make.config);
}

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

}  // namespace attnscope
