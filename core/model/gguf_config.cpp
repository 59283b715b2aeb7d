#include "core/model/gguf_config.h"

#include "core/base/text.h"
#include "core/model/rope_scaling.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

using Json = nlohmann::json;

namespace {

/// What queries and keys are multiplied by where YaRN stretches by that factor.
double yarnTemperature(double factor) { return factor > 1 ? 1 + 0.1 * std::log(factor) : 1; }

}  // namespace

GgufConfigMaker::GgufConfigMaker(const GgufHeader& header, std::span<const MappedTensors> files,
                                 const std::string& path, const std::string& architecture)
    : Refusals(path), m_values(header.values), m_files(files), m_prefix(architecture + ".")
{
    for (const MappedTensors& part : files)
        for (const TensorInfo& tensor : part.file().tensors())
            m_tensors.emplace(tensor.name, &tensor);
}

Json GgufConfigMaker::value(const std::string& key)
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

void GgufConfigMaker::take(const char* name, const std::string& key)
{
    if (Json given = value(key); !given.is_null())
        config[name] = std::move(given);
}

void GgufConfigMaker::takeWindows(const std::string& pattern)
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
    for (double further = m_furtherLayers; further > 0 && !config["layer_types"].empty(); --further)
        config["layer_types"].erase(config["layer_types"].size() - 1);
}

bool GgufConfigMaker::turnsInSections()
{
    const std::string key = m_prefix + "rope.dimension_sections";
    m_asked.insert(key);
    const auto found = m_values.find(key);
    const auto positive = [&](std::size_t place) {
        return found->size() > place && (*found)[place].is_number() && (*found)[place] > 0;
    };
    return found != m_values.end() && found->is_array() && positive(0) && positive(1);
}

std::string GgufConfigMaker::text(const std::string& key)
{
    const Json given = value(key);
    return given.is_string() ? given.get<std::string>() : "";
}

double GgufConfigMaker::real(const std::string& key, double byDefault)
{
    const Json given = value(key);
    return given.is_number() ? given.get<double>() : byDefault;
}

const TensorInfo* GgufConfigMaker::tensor(const std::string& name) const
{
    const auto found = m_tensors.find(name);
    return found == m_tensors.end() ? nullptr : found->second;
}

void GgufConfigMaker::takeWhether(const char* name, const std::string& tensor)
{
    config[name] = this->tensor(tensor) != nullptr;
}

std::vector<float> GgufConfigMaker::numbers(const TensorInfo& of)
{
    constexpr std::uint64_t most = 4096;
    for (const MappedTensors& part : m_files)
        if (const auto here = part.file().find(of.name); here && (*here)->elementCount() <= most)
            if (auto read = part.file().read<float>(**here))
                return std::move(*read);
    refuse("the tensor " + inQuotes(of.name) + " as it is");
    return {};
}

Result<void> GgufConfigMaker::finish()
{
    TRY(allIsRun());
    for (const auto& [key, given] : m_values.items())
        if (key.starts_with(m_prefix) && !m_asked.contains(key))
            config[key] = given;
    return {};
}

void GgufConfigMaker::sizes(const GgufSizes& names)
{
    take(names.width, "embedding_length");
    take(names.layers, "block_count");
    m_furtherLayers = real("nextn_predict_layers", 0);
    if (m_furtherLayers > 0)
        config[names.layers] = real("block_count", 0) - m_furtherLayers;
    take(names.heads, "attention.head_count");
    take(names.length, "context_length");
    take(names.inner, "feed_forward_length");
    value("vocab_size");  // the embedding's rows say it
    if (const TensorInfo* embedding = tensor("token_embd.weight"); embedding && embedding->shape.size() == 2)
        config["vocab_size"] = embedding->shape[0];
    config["tie_word_embeddings"] = tensor("output.weight") == nullptr;
}

double GgufConfigMaker::shareOfAHead()
{
    return real("embedding_length", 0) / std::max(1.0, real("attention.head_count", 1));
}

void GgufConfigMaker::withoutExperts()
{
    for (const char* key : {"expert_count", "expert_used_count"})
        if (real(key, 0) > 0)
            refuse("a mixture of experts");
}

void GgufConfigMaker::experts(const char* count, const char* inner)
{
    take(count, "expert_count");
    take("num_experts_per_tok", "expert_used_count");
    if (inner)
        take(inner, "expert_feed_forward_length");
}

void GgufConfigMaker::onlySigmoids()
{
    if (real("expert_gating_func", 2) != 2)
        refuse("experts that are weighed by something else than sigmoids");
}

void GgufConfigMaker::sigmoidExperts()
{
    onlySigmoids();
    experts("n_routed_experts", "moe_intermediate_size");
    take("n_shared_experts", "expert_shared_count");
    take("first_k_dense_replace", "leading_dense_block_count");
    take("routed_scaling_factor", "expert_weights_scale");
    take("norm_topk_prob", "expert_weights_norm");
    take("n_group", "expert_group_count");
    take("topk_group", "expert_group_used_count");
}

void GgufConfigMaker::refuseOtherYarn(const std::string& type, double factor)
{
    const bool yarn = type == "yarn";
    // a negative one is not set; llama.cpp then goes by the type
    if (const double ramp = real("rope.scaling.yarn_ext_factor", -1); ramp >= 0 && ramp != (yarn ? 1 : 0))
        refuse("a share of YaRN's ramp (rope.scaling.yarn_ext_factor)");
    // converters write the temperature there that config.json gives, and llama.cpp works out its own in most families
    const double given = real("rope.scaling.yarn_attn_factor", 1), own = yarn ? yarnTemperature(factor) : 1;
    if (given != 1 && std::abs(given - own) > 1e-4)
        refuse("another temperature than YaRN's own (rope.scaling.yarn_attn_factor)");
    const auto logs = m_values.find(m_prefix + "rope.scaling.yarn_log_multiplier");
    if (yarn && logs != m_values.end() && *logs != 0 && real("rope.scaling.attn_factor", 1) != 1)
        refuse("two temperatures together (rope.scaling.attn_factor and rope.scaling.yarn_log_multiplier)");
}

void GgufConfigMaker::positions(double headSize)
{
    config["rope_theta"] = real("rope.freq_base", 10000);  // as llama.cpp has it where no value says it
    const double turned = real("rope.dimension_count", headSize);
    constexpr double most = 1 << 20;
    if (turned != headSize && headSize > 0)
        config["partial_rotary_factor"] =
            turned >= 0 && turned < headSize && headSize < most
                ? RopeScaling::partOf(static_cast<int>(turned), static_cast<int>(headSize))
                : turned / headSize;
    Json scaling = Json::object();
    std::string type = text("rope.scaling.type");
    const double factor = real("rope.scaling.factor", real("rope.scale_linear", 1)),
                 original = real("rope.scaling.original_context_length", 0),
                 attention = real("rope.scaling.attn_factor", 1);
    value("rope.scaling.finetuned");
    if (type.empty() && factor != 1)
        type = "linear";
    refuseOtherYarn(type, factor);
    if (original > 0)
        scaling["original_max_position_embeddings"] = original;
    const TensorInfo *all = tensor("rope_freqs.weight"), *longer = tensor("rope_factors_long.weight"),
                     *shorter = tensor("rope_factors_short.weight");
    if (longer && shorter) {
        scaling["rope_type"] = "longrope";
        scaling["long_factor"] = numbers(*longer);
        scaling["short_factor"] = numbers(*shorter);
        scaling["factor"] = std::max(1.0, factor);
        if (m_values.contains(m_prefix + "rope.scaling.attn_factor"))
            scaling["attention_factor"] = attention;
    } else if (all) {  // Llama 3.1's, worked out: the same at all lengths
        if (!type.empty() && type != "none")
            refuse("positions of type '" + type.substr(0, 40) + "' and rope_freqs.weight together");
        const std::vector<float> divisors = numbers(*all);
        scaling["rope_type"] = "longrope";
        scaling["long_factor"] = scaling["short_factor"] = divisors;
        scaling["factor"] = 1.0;
        scaling["attention_factor"] = attention;
    } else if (type == "linear" || type == "yarn") {
        scaling["rope_type"] = type;
        scaling["factor"] = factor;
        if (type == "yarn" && attention != 1)  // ggml's rope multiplies it by YaRN's own temperature
            scaling["attention_factor"] = attention * yarnTemperature(factor);
        for (const auto& [name, key] : {std::pair{"beta_fast", "rope.scaling.yarn_beta_fast"},
                                        std::pair{"beta_slow", "rope.scaling.yarn_beta_slow"}})
            if (const double given = real(key, 0); given > 0 && type == "yarn")
                scaling[name] = given;
    } else if (!type.empty() && type != "none") {
        refuse("positions of type '" + type.substr(0, 40) + "'");
    }
    if (attention != 1 && !scaling.contains("attention_factor"))
        refuse("a factor of queries and keys without YaRN's or LongRoPE's positions (rope.scaling.attn_factor)");
    if (scaling.contains("rope_type"))
        config["rope_scaling"] = scaling;
}

void GgufConfigMaker::llama()
{
    sizes();
    take("num_key_value_heads", "attention.head_count_kv");
    if (!config.contains("num_key_value_heads") && config.contains("num_attention_heads"))
        config["num_key_value_heads"] = config["num_attention_heads"];
    take("rms_norm_eps", "attention.layer_norm_rms_epsilon");
    const double size = real("attention.key_length", shareOfAHead());
    if (real("attention.value_length", size) != size)
        refuse("values of another size than keys");
    config["head_dim"] = size;
    positions(size);
}

void GgufConfigMaker::encoder(const char* epsilon)
{
    take(epsilon, "attention.layer_norm_epsilon");
    withoutExperts();
    if (value("attention.causal") == true)
        refuse("an encoder whose tokens see those before them alone (attention.causal)");
    for (const char* key : {"attention.head_count_kv", "pooling_type", "classifier.output_labels"})
        value(key);
    const std::string scaling = text("rope.scaling.type");
    if ((!scaling.empty() && scaling != "none") || real("rope.scaling.factor", 1) != 1)
        refuse("positions that are stretched (rope.scaling)");
    config.erase("tie_word_embeddings");
}

}  // namespace attnscope
