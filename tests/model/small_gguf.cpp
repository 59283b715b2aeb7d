#include "tests/model/small_gguf.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace {

using Names = std::map<std::string, std::string>;

/// What llama.cpp calls the fields of a config, behind the architecture's name; whole numbers and real ones.
const Names wholes{{"hidden_size", "embedding_length"},
                   {"n_embd", "embedding_length"},
                   {"num_hidden_layers", "block_count"},
                   {"n_layer", "block_count"},
                   {"num_attention_heads", "attention.head_count"},
                   {"n_head", "attention.head_count"},
                   {"max_position_embeddings", "context_length"},
                   {"n_positions", "context_length"},
                   {"intermediate_size", "feed_forward_length"},
                   {"num_key_value_heads", "attention.head_count_kv"},
                   {"sliding_window", "attention.sliding_window"},
                   {"sliding_window_pattern", "attention.sliding_window_pattern"},
                   {"num_local_experts", "expert_count"},
                   {"num_experts", "expert_count"},
                   {"n_routed_experts", "expert_count"},
                   {"num_experts_per_tok", "expert_used_count"},
                   {"moe_intermediate_size", "expert_feed_forward_length"},
                   {"n_shared_experts", "expert_shared_count"},
                   {"shared_expert_intermediate_size", "expert_shared_feed_forward_length"},
                   {"shared_intermediate_size", "expert_shared_feed_forward_length"},
                   {"first_k_dense_replace", "leading_dense_block_count"},
                   {"n_group", "expert_group_count"},
                   {"topk_group", "expert_group_used_count"},
                   {"q_lora_rank", "attention.q_lora_rank"},
                   {"kv_lora_rank", "attention.kv_lora_rank"},
                   {"interleave_moe_layer_step", "interleave_moe_layer_step"}};
const Names reals{{"rms_norm_eps", "attention.layer_norm_rms_epsilon"},
                  {"layer_norm_eps", "attention.layer_norm_epsilon"},
                  {"layer_norm_epsilon", "attention.layer_norm_epsilon"},
                  {"norm_epsilon", "attention.layer_norm_epsilon"},
                  {"norm_eps", "attention.layer_norm_epsilon"},
                  {"clip_qkv", "attention.clamp_kqv"},
                  {"rope_theta", "rope.freq_base"},
                  {"rotary_emb_base", "rope.freq_base"},
                  {"rope_local_base_freq", "rope.freq_base_swa"},
                  {"attn_logit_softcapping", "attn_logit_softcapping"},
                  {"final_logit_softcapping", "final_logit_softcapping"},
                  {"embedding_multiplier", "embedding_scale"},
                  {"attention_multiplier", "attention.scale"},
                  {"residual_multiplier", "residual_scale"},
                  {"logits_scaling", "logit_scale"},
                  {"logit_scale", "logit_scale"},
                  {"routed_scaling_factor", "expert_weights_scale"}};
const Names architectures{{"mistral", "llama"},
                          {"mixtral", "llama"},
                          {"ministral3", "mistral3"},
                          {"qwen3_moe", "qwen3moe"},
                          {"olmo3", "olmo2"},
                          {"gemma3_text", "gemma3"},
                          {"glm4_moe", "glm4moe"},
                          {"gpt_oss", "gpt-oss"},
                          {"llama4_text", "llama4"},
                          {"deepseek_v2", "deepseek2"},
                          {"deepseek_v3", "deepseek2"},
                          {"gpt_neox", "gptneox"},
                          {"phi", "phi2"},
                          {"qwen2_moe", "qwen2moe"},
                          {"cohere", "command-r"},
                          {"glm", "chatglm"},
                          {"gpt_bigcode", "starcoder"},
                          {"minimax_m2", "minimax-m2"},
                          {"granitemoeshared", "granitemoe"},
                          {"glm4_moe_lite", "deepseek2"}};
const std::set<std::string> inNeighbours{"llama",   "mistral", "mixtral",    "ministral3",       "smollm3",
                                         "granite", "olmo",    "granitemoe", "granitemoeshared", "arcee"};

/// Of tensors, without "model.layers.3." and ".weight".
const Names usualTensors{{"model.embed_tokens", "token_embd"},
                         {"model.norm", "output_norm"},
                         {"lm_head", "output"},
                         {"self_attn.q_proj", "attn_q"},
                         {"self_attn.k_proj", "attn_k"},
                         {"self_attn.v_proj", "attn_v"},
                         {"self_attn.qkv_proj", "attn_qkv"},
                         {"self_attn.o_proj", "attn_output"},
                         {"self_attn.q_norm", "attn_q_norm"},
                         {"self_attn.k_norm", "attn_k_norm"},
                         {"mlp.gate_proj", "ffn_gate"},
                         {"mlp.up_proj", "ffn_up"},
                         {"mlp.down_proj", "ffn_down"},
                         {"mlp.gate_up_proj", "ffn_up"},
                         {"mlp.shared_experts.gate_proj", "ffn_gate_shexp"},
                         {"mlp.shared_experts.up_proj", "ffn_up_shexp"},
                         {"mlp.shared_experts.down_proj", "ffn_down_shexp"},
                         {"mlp.gate", "ffn_gate_inp"},
                         {"mlp.router", "ffn_gate_inp"},
                         {"block_sparse_moe.gate", "ffn_gate_inp"},
                         {"input_layernorm", "attn_norm"},
                         {"post_attention_layernorm", "ffn_norm"},
                         {"pre_feedforward_layernorm", "ffn_norm"},
                         {"post_feedforward_layernorm", "post_ffw_norm"},
                         {"post_self_attn_layernorm", "post_attention_norm"},
                         {"post_mlp_layernorm", "post_ffw_norm"},
                         {"feed_forward.gate_proj", "ffn_gate"},
                         {"feed_forward.up_proj", "ffn_up"},
                         {"feed_forward.down_proj", "ffn_down"},
                         {"feed_forward.router", "ffn_gate_inp"},
                         {"feed_forward.shared_expert.gate_proj", "ffn_gate_shexp"},
                         {"feed_forward.shared_expert.up_proj", "ffn_up_shexp"},
                         {"feed_forward.shared_expert.down_proj", "ffn_down_shexp"},
                         {"self_attn.q_a_proj", "attn_q_a"},
                         {"self_attn.q_a_layernorm", "attn_q_a_norm"},
                         {"self_attn.q_b_proj", "attn_q_b"},
                         {"self_attn.kv_a_proj_with_mqa", "attn_kv_a_mqa"},
                         {"self_attn.kv_a_layernorm", "attn_kv_a_norm"},
                         {"self_attn.kv_b_proj", "attn_kv_b"},
                         {"self_attn.dense", "attn_output"},
                         {"mlp.fc1", "ffn_up"},
                         {"mlp.fc2", "ffn_down"},
                         {"model.final_layernorm", "output_norm"},
                         {"mlp.c_fc", "ffn_up"},
                         {"mlp.c_proj", "ffn_down"},
                         {"mlp.shared_expert_gate", "ffn_gate_inp_shexp"},
                         {"mlp.shared_expert.gate_proj", "ffn_gate_shexp"},
                         {"mlp.shared_expert.up_proj", "ffn_up_shexp"},
                         {"mlp.shared_expert.down_proj", "ffn_down_shexp"},
                         {"block_sparse_moe.router.layer", "ffn_gate_inp"},
                         {"block_sparse_moe.output_linear", "ffn_down_exps"},
                         {"shared_mlp.output_linear", "ffn_down_shexp"},
                         {"ln_attn", "attn_norm_2"},
                         {"ln_mlp", "attn_norm"},
                         {"gpt_neox.embed_in", "token_embd"},
                         {"gpt_neox.final_layer_norm", "output_norm"},
                         {"embed_out", "output"},
                         {"attention.query_key_value", "attn_qkv"},
                         {"attention.dense", "attn_output"},
                         {"word_embeddings", "token_embd"},
                         {"word_embeddings_layernorm", "token_embd_norm"},
                         {"ln_f", "output_norm"},
                         {"self_attention.query_key_value", "attn_qkv"},
                         {"self_attention.dense", "attn_output"},
                         {"mlp.dense_h_to_4h", "ffn_up"},
                         {"mlp.dense_4h_to_h", "ffn_down"},
                         {"wte", "token_embd"},
                         {"norm_f", "output_norm"},
                         {"norm_1", "attn_norm"},
                         {"norm_2", "ffn_norm"},
                         {"attn.Wqkv", "attn_qkv"},
                         {"attn.out_proj", "attn_output"},
                         {"ffn.up_proj", "ffn_up"},
                         {"ffn.down_proj", "ffn_down"}};
const Names encoderTensors{{"embeddings.word_embeddings", "token_embd"},
                           {"embeddings.position_embeddings", "position_embd"},
                           {"embeddings.token_type_embeddings", "token_types"},
                           {"embeddings.LayerNorm", "token_embd_norm"},
                           {"emb_ln", "token_embd_norm"},
                           {"attention.self.query", "attn_q"},
                           {"attention.self.key", "attn_k"},
                           {"attention.self.value", "attn_v"},
                           {"attention.output.dense", "attn_output"},
                           {"attention.output.LayerNorm", "attn_output_norm"},
                           {"intermediate.dense", "ffn_up"},
                           {"output.dense", "ffn_down"},
                           {"output.LayerNorm", "layer_output_norm"},
                           {"attn.Wqkv", "attn_qkv"},
                           {"attn.out_proj", "attn_output"},
                           {"norm1", "attn_output_norm"},
                           {"norm2", "layer_output_norm"},
                           {"mlp.fc11", "ffn_up"},
                           {"mlp.fc12", "ffn_gate"},
                           {"mlp.fc2", "ffn_down"},
                           {"model.embeddings.tok_embeddings", "token_embd"},
                           {"model.embeddings.norm", "token_embd_norm"},
                           {"model.final_norm", "output_norm"},
                           {"attn_norm", "attn_norm"},
                           {"mlp_norm", "ffn_norm"},
                           {"attn.Wo", "attn_output"},
                           {"mlp.Wi", "ffn_up"},
                           {"mlp.Wo", "ffn_down"}};
/// What the names of a layer's tensors begin with, where it is not "model.layers.".
const Names layersOf{{"gpt_neox", "gpt_neox.layers."},
                     {"gpt_bigcode", "h."},
                     {"bert", "encoder.layer."},
                     {"nomic_bert", "encoder.layers."},
                     {"gpt2", "h."},
                     {"bloom", "h."},
                     {"falcon", "h."},
                     {"mpt", "blocks."}};
const Names expertTensors{{"gate_proj", "ffn_gate_exps"}, {"w1", "ffn_gate_exps"}, {"up_proj", "ffn_up_exps"},
                          {"w3", "ffn_up_exps"},          {"w2", "ffn_down_exps"}, {"down_proj", "ffn_down_exps"}};
const Names gpt2Tensors{{"wte", "token_embd"},          {"wpe", "position_embd"}, {"ln_f", "output_norm"},
                        {"ln_1", "attn_norm"},          {"ln_2", "ffn_norm"},     {"attn.c_attn", "attn_qkv"},
                        {"attn.c_proj", "attn_output"}, {"mlp.c_fc", "ffn_up"},   {"mlp.c_proj", "ffn_down"}};

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

/// (..., rows, columns) as (..., columns, rows), of the columns that are `first`, `first` + step, ...
SmallTensor turned(const SmallTensor& tensor, std::int64_t first = 0, std::int64_t step = 1)
{
    const std::int64_t rows = tensor.shape.end()[-2], columns = tensor.shape.back(), kept = columns / step;
    SmallTensor made{tensor.shape, {}};
    made.shape.end()[-2] = kept;
    made.shape.back() = rows;
    for (std::size_t from = 0; from < tensor.values.size(); from += static_cast<std::size_t>(rows * columns))
        for (std::int64_t c = first; c < columns; c += step)
            for (std::int64_t r = 0; r < rows; ++r)
                made.values.push_back(tensor.values[from + static_cast<std::size_t>(r * columns + c)]);
    return made;
}

/// `count` of every `of` rows of the tensor, from row `first` on.
SmallTensor rowsOf(const SmallTensor& tensor, std::int64_t first, std::int64_t count, std::int64_t of)
{
    SmallTensor made{tensor.shape, {}};
    const std::int64_t columns = tensor.shape.size() > 1 ? tensor.shape[1] : 1;
    made.shape[0] = tensor.shape[0] / of * count;
    for (std::int64_t row = 0; row < tensor.shape[0]; ++row)
        if (row % of >= first && row % of < first + count)
            made.values.insert(made.values.end(), tensor.values.begin() + row * columns,
                               tensor.values.begin() + (row + 1) * columns);
    return made;
}

/// BLOOM's rows, the query, key and value of head 0, then of head 1: all queries, all keys, all values.
SmallTensor notInTurn(const SmallTensor& tensor, std::int64_t d)
{
    SmallTensor made{tensor.shape, {}};
    for (std::int64_t part = 0; part < 3; ++part) {
        const SmallTensor rows = rowsOf(tensor, part * d, d, 3 * d);
        made.values.insert(made.values.end(), rows.values.begin(), rows.values.end());
    }
    return made;
}

/// Falcon's rows, the queries of a group, its key and its value: all queries, all keys, all values.
SmallTensor groupsApart(const SmallTensor& tensor, std::int64_t d, std::int64_t perGroup)
{
    SmallTensor made{tensor.shape, {}};
    const std::int64_t group = (perGroup + 2) * d;
    for (const auto& [first, count] :
         {std::pair{std::int64_t{0}, perGroup * d}, std::pair{perGroup * d, d}, std::pair{(perGroup + 1) * d, d}}) {
        const SmallTensor rows = rowsOf(tensor, first, count, group);
        made.values.insert(made.values.end(), rows.values.begin(), rows.values.end());
    }
    return made;
}

/// kv_b_proj (H (nope + v), narrow) as k_b (H, narrow, nope) and v_b (H, v, narrow).
void addKeysAndValues(GgufMaker& make, const std::string& layer, const SmallTensor& tensor,
                      const nlohmann::json& config)
{
    const std::int64_t nope = config["qk_nope_head_dim"], value = config["v_head_dim"],
                       heads = config["num_attention_heads"], narrow = tensor.shape[1];
    SmallTensor keys = rowsOf(tensor, 0, nope, nope + value), values = rowsOf(tensor, nope, value, nope + value);
    keys.shape = {heads, nope, narrow};
    values.shape = {heads, value, narrow};
    make.floats(layer + "attn_k_b.weight", turned(keys));
    make.floats(layer + "attn_v_b.weight", values);
}

/// gate_up_proj (E, in, 2 F) and down_proj (E, F, out) of Llama 4.
void addExperts(GgufMaker& make, const std::string& layer, const std::string& name, const SmallTensor& tensor)
{
    const SmallTensor all = turned(tensor);  // outputs first
    if (!name.ends_with("gate_up_proj"))
        return make.floats(layer + "ffn_down_exps.weight", all);
    const std::int64_t experts = all.shape[0], inner = all.shape[1] / 2, width = all.shape[2];
    const SmallTensor flat{{experts * 2 * inner, width}, all.values};
    for (const auto& [first, which] : {std::pair{std::int64_t{0}, "gate"}, std::pair{inner, "up"}})
        make.floats(layer + "ffn_" + which + "_exps.weight",
                    {{experts, inner, width}, rowsOf(flat, first, inner, 2 * inner).values});
}

SmallTensor everySecond(const SmallTensor& tensor, std::size_t first)
{
    SmallTensor made{tensor.shape, {}};
    made.shape.back() /= 2;
    for (std::size_t i = first; i < tensor.values.size(); i += 2)
        made.values.push_back(tensor.values[i]);
    return made;
}

/// Llama 3.1's stretch is worked out; that of others is said.
void addPositions(GgufMaker& make, const nlohmann::json& config, const std::string& prefix, double d)
{
    nlohmann::json scaling;
    for (const char* key : {"rope_scaling", "rope_parameters"})
        if (config.contains(key))
            scaling = config[key];
    const double part = config.value("partial_rotary_factor", config.value("rotary_pct", 1.0));
    make.number(prefix + "rope.dimension_count", static_cast<std::uint32_t>(d * part));
    if (scaling.is_null())
        return;
    const std::string type = scaling.value("rope_type", scaling.value("type", ""));
    if (type == "default")
        return;
    const double original = scaling.value("original_max_position_embeddings",
                                          config.value("original_max_position_embeddings", 0.0)),
                 factor = scaling.value("factor", 1.0);
    if (type == "llama3") {
        const double low = scaling["low_freq_factor"], high = scaling["high_freq_factor"];
        SmallTensor divisors{{static_cast<std::int64_t>(d / 2)}, {}};
        for (double i = 0; i < d / 2; ++i) {
            const double turns = original / (2 * M_PI * std::pow(config["rope_theta"].get<double>(), 2 * i / d));
            const double between = std::clamp((turns - low) / (high - low), 0.0, 1.0);
            divisors.values.push_back(static_cast<float>(1 / ((1 - between) / factor + between)));
        }
        return make.floats("rope_freqs.weight", divisors);
    }
    if (original > 0)
        make.number(prefix + "rope.scaling.original_context_length", static_cast<std::uint32_t>(original));
    if (type == "longrope") {
        for (const char* which : {"long", "short"}) {
            const auto divisors = scaling[std::string(which) + "_factor"].get<std::vector<float>>();
            make.floats(std::string("rope_factors_") + which + ".weight", {{std::ssize(divisors)}, divisors});
        }
        const double stretch = config["max_position_embeddings"].get<double>() / original;
        return make.real(prefix + "rope.scaling.attn_factor", std::sqrt(1 + std::log(stretch) / std::log(original)));
    }
    make.text(prefix + "rope.scaling.type", type);
    make.real(prefix + "rope.scaling.factor", factor);
    if (scaling.contains("attention_factor"))  // llama.cpp multiplies it by YaRN's own temperature
        make.real(prefix + "rope.scaling.attn_factor",
                  scaling["attention_factor"].get<double>() / (1 + 0.1 * std::log(factor)));
    if (scaling.contains("mscale_all_dim"))
        make.real(prefix + "rope.scaling.yarn_log_multiplier",
                  scaling["mscale_all_dim"].get<double>() * (prefix == "deepseek2." ? 0.1 : 1));
    if (scaling.contains("llama_4_scaling_beta"))
        make.real(prefix + "attention.temperature_scale", scaling["llama_4_scaling_beta"]);
}

/// A config of Llama's fields that says what one of other fields does.
nlohmann::json inLlamasWords(nlohmann::json config)
{
    const std::string type = config["model_type"];
    const auto either = [&](const char* name, const char* other) {
        return config.value(config.contains(name) ? name : other, 0);
    };
    if (type != "bloom" && type != "falcon" && type != "mpt")
        return config;
    const int width = either("hidden_size", "d_model");
    nlohmann::json said{{"model_type", type},
                        {"hidden_size", width},
                        {"num_hidden_layers", either(type == "mpt" ? "n_layers" : "n_layer", "num_hidden_layers")},
                        {"num_attention_heads", either(type == "mpt" ? "n_heads" : "n_head", "num_attention_heads")},
                        {"max_position_embeddings", type == "falcon" ? 2048
                                                    : config.contains("seq_length") || type == "mpt"
                                                        ? either("seq_length", "max_seq_len")
                                                        : width},
                        {"intermediate_size", width * config.value("expansion_ratio", 4)},
                        {"layer_norm_epsilon", config.value("layer_norm_epsilon", 1e-5)}};
    if (config.contains("attn_config"))
        said["attn_config"] = config["attn_config"];
    said["num_kv_heads"] = config.value("new_decoder_architecture", false) ? config.at("num_kv_heads").get<int>() : 1;
    return said;
}

/// What an architecture has and no other.
void addOwn(GgufMaker& make, const nlohmann::json& config, const std::string& prefix, bool splitKeys)
{
    const auto number = [&](const char* field) { return config.at(field).get<std::uint32_t>(); };
    const auto add = [&](const char* key, std::uint32_t value) { make.number(prefix + key, value); };
    if (prefix == "deepseek2.") {
        const std::uint32_t turned = number("qk_rope_head_dim"), narrow = number("kv_lora_rank"),
                            key = number("qk_nope_head_dim") + turned, value = number("v_head_dim");
        add("attention.head_count_kv", splitKeys ? 1 : number("num_attention_heads"));
        add("attention.key_length", splitKeys ? narrow + turned : key);
        add("attention.value_length", splitKeys ? narrow : value);
        if (splitKeys) {
            add("attention.key_length_mla", key);
            add("attention.value_length_mla", value);
        }
        add("expert_gating_func", config["model_type"] == "deepseek_v2" ? 1 : 2);
        make.truth(prefix + "expert_weights_norm", config.value("norm_topk_prob", true));
    }
    if (prefix == "gptneox.")
        make.truth(prefix + "use_parallel_residual", config["use_parallel_residual"]);
    if (prefix == "dots1." || prefix == "glm4moe." || prefix == "minimax-m2.")
        add("expert_gating_func", 2);
    if (prefix == "dots1." || prefix == "glm4moe.")
        make.truth(prefix + "expert_weights_norm", config.value("norm_topk_prob", true));
    if (prefix == "stablelm.")
        make.truth(prefix + "use_parallel_residual", config.value("use_parallel_residual", true));
    if (prefix == "olmo.")
        make.real(prefix + "attention.layer_norm_epsilon", 1e-5);
    if (prefix == "falcon.") {
        add("attention.head_count_kv", config["num_kv_heads"]);
        make.text(prefix + "tensor_data_layout", "jploski");
    }
    if (prefix == "mpt.") {
        make.real(prefix + "attention.max_alibi_bias", config["attn_config"]["alibi_bias_max"]);
        if (const auto bound = config["attn_config"].value("clip_qkv", nlohmann::json()); !bound.is_null())
            make.real(prefix + "attention.clamp_kqv", bound);
    }
}

}  // namespace

bool isOfGguf(const std::string& type)
{
    static const std::set<std::string> same{
        "llama",   "llama3",     "qwen2", "qwen3",    "phi3",     "gemma", "gemma2",   "olmo2",      "smollm3",
        "granite", "cohere2",    "glm4",  "gpt2",     "exaone4",  "bloom", "falcon",   "mpt",        "olmo",
        "olmoe",   "granitemoe", "dots1", "seed_oss", "ernie4_5", "arcee", "stablelm", "starcoder2", "nemotron"};
    return same.contains(type) || architectures.contains(type);
}

GgufMaker converted(const SmallModel& small, bool splitKeys)
{
    nlohmann::json config = inLlamasWords(small.config);
    if (config.value("head_dim", nlohmann::json()).is_null())
        config.erase("head_dim");
    const std::string type = config["model_type"];
    const bool gemma = type.starts_with("gemma"), gpt2 = type == "gpt2" || type == "gpt_bigcode",
               gptOss = type == "gpt_oss";
    const std::string name = architectures.contains(type) ? architectures.at(type) : type, prefix = name + ".";
    const bool latent = config.contains("kv_lora_rank"), llama4 = type == "llama4_text",
               alibi = type == "bloom" || type == "mpt";
    double d =
        gpt2 ? 0
             : config.value("head_dim", config["hidden_size"].get<int>() / config["num_attention_heads"].get<int>());
    if (latent) {
        d = config["qk_rope_head_dim"];
        config.erase("num_key_value_heads");
    }
    if (llama4) {
        config["moe_intermediate_size"] = config["intermediate_size"];
        config["intermediate_size"] = config["intermediate_size_mlp"];
    }
    if (gptOss || type == "minimax_m2")
        config["moe_intermediate_size"] = config["intermediate_size"];
    if (config.contains("rope_parameters") && config["rope_parameters"].contains("full_attention"))
        config["rope_parameters"] = nlohmann::json(config["rope_parameters"]["full_attention"]);
    if (const nlohmann::json positions = config.value("rope_parameters", nlohmann::json()); positions.is_object())
        for (const char* field : {"rope_theta", "partial_rotary_factor"})
            if (positions.contains(field))
                config[field] = positions[field];
    // what the converter leaves out
    if (type == "phi" || type == "stablelm")
        config.erase("rope_theta");
    if (type == "dots1" || type == "starcoder2" || type == "qwen2_moe")
        config.erase("sliding_window");
    if (type == "gemma2" || type == "gpt_oss")
        config.erase("layer_types");
    if (config.contains("layer_types"))
        config.erase("sliding_window_pattern");
    if (gpt2)
        config["intermediate_size"] = 4 * config["n_embd"].get<int>();
    GgufMaker make;
    make.text("general.architecture", name);
    for (const auto& [field, key] : wholes)
        if (config.contains(field) && config[field].is_number())
            make.number(prefix + key, config[field]);
    for (const auto& [field, key] : reals)
        if (config.contains(field) && config[field].is_number())
            make.real(prefix + key, config[field]);
    addOwn(make, config, prefix, splitKeys);
    if (config.contains("layer_types") && config.value("sliding_window", nlohmann::json()).is_number()) {
        std::string truths;
        for (const auto& one : config["layer_types"])
            truths += one == "sliding_attention" ? '\1' : '\0';
        make.file.values.push_back(build::ggufKey(prefix + "attention.sliding_window_pattern") + build::little(9, 4) +
                                   build::little(7, 4) + build::little(truths.size(), 8) + truths);
    }
    if (!gpt2 && !alibi && !latent && type != "falcon" && type != "gpt_neox") {
        make.number(prefix + "attention.key_length", static_cast<std::uint32_t>(d));
        make.number(prefix + "attention.value_length", static_cast<std::uint32_t>(d));
    }
    if (!gpt2) {
        make.number("tokenizer.ggml.bos_token_id", 1);
        make.truth("tokenizer.ggml.add_bos_token", true);
        if (!alibi && type != "falcon")
            addPositions(make, config, prefix, d);
    }
    std::map<std::string, SmallTensor> experts;  // of all together
    for (auto [tensor, values] : small.tensors) {
        std::string base = tensor, begin;
        if (base.starts_with("transformer."))
            base.erase(0, base.find('.') + 1);
        if (const std::string layers = layersOf.contains(type) ? layersOf.at(type) : "model.layers.";
            base.starts_with(layers)) {
            const std::size_t after = base.find('.', layers.size());
            begin = "blk." + base.substr(layers.size(), after - layers.size()) + ".";
            base = base.substr(after + 1);
        }
        if (base == "self_attn.sinks") {
            make.floats(begin + "attn_sinks.weight", values);
            continue;
        }
        if (base == "mlp.gate.e_score_correction_bias") {
            make.floats(begin + "exp_probs_b.bias", values);
            continue;
        }
        if (llama4 && base.find("experts.") != base.npos) {
            addExperts(make, begin, base, values);
            continue;
        }
        if (splitKeys && base == "self_attn.kv_b_proj.weight") {
            addKeysAndValues(make, begin, values, config);
            continue;
        }
        if (base == "block_sparse_moe.e_score_correction_bias") {
            make.floats(begin + "exp_probs_b.bias", values);
            continue;
        }
        if (base.ends_with("input_linear.weight")) {  // gates, then ups
            const bool shared = base.starts_with("shared");
            const std::int64_t inner = values.shape.end()[-2] / 2;
            std::vector<std::int64_t> shape = values.shape;
            shape.end()[-2] = inner;
            const std::int64_t rows = std::ssize(values.values) / values.shape.back();
            const SmallTensor flat{{rows, values.shape.back()}, values.values};
            for (const auto& [first, which] : {std::pair{std::int64_t{0}, "gate"}, std::pair{inner, "up"}})
                make.floats(begin + "ffn_" + which + (shared ? "_shexp" : "_exps") + ".weight",
                            {shape, rowsOf(flat, first, inner, 2 * inner).values});
            continue;
        }
        if (const std::size_t at = base.find("_layernorm.norms."); at != base.npos) {  // a head's: all in one matrix
            SmallTensor& all = experts[begin + "attn_" + base[at - 1] + "_norm.weight"];
            if (all.shape.empty())
                all.shape = {0, values.shape[0]};
            ++all.shape[0];
            all.values.insert(all.values.end(), values.values.begin(), values.values.end());
            continue;
        }
        if (gptOss && base.find("experts.") != base.npos) {  // inputs first, gates and ups in turn
            const bool bias = base.ends_with("_bias"), gates = base.find("gate_up") != base.npos;
            const std::string ending = bias ? ".bias" : ".weight";
            for (const auto& [first, which] : {std::pair{0, "gate"}, std::pair{1, "up"}})
                if (gates)
                    make.floats(begin + "ffn_" + which + "_exps" + ending,
                                bias ? everySecond(values, static_cast<std::size_t>(first)) : turned(values, first, 2));
            if (!gates)
                make.floats(begin + "ffn_down_exps" + ending, bias ? values : turned(values));
            continue;
        }
        const std::size_t dot = base.rfind('.');
        const std::string ending = base.substr(dot);
        base.resize(dot);
        if (const std::size_t at = base.find(".experts."); at != base.npos) {
            SmallTensor& all = experts[begin + expertTensors.at(base.substr(base.rfind('.') + 1)) + ending];
            if (all.shape.empty())
                all.shape = {0, values.shape[0], values.shape[1]};
            ++all.shape[0];
            all.values.insert(all.values.end(), values.values.begin(), values.values.end());
            continue;
        }
        if (base == "mlp.shared_expert_gate")
            values.shape = {values.shape[1]};
        if (type == "falcon" && base.ends_with("query_key_value"))
            values = groupsApart(values, static_cast<std::int64_t>(d),
                                 config["num_attention_heads"].get<int>() / config["num_kv_heads"].get<int>());
        if ((gemma || (type == "nemotron" && ending == ".weight")) && base.ends_with("norm"))
            for (float& value : values.values)
                value += 1;
        if (inNeighbours.contains(type) && (base.ends_with("q_proj") || base.ends_with("k_proj")))
            values = inPairs(values, static_cast<std::int64_t>(d));
        if (type == "gpt2" && base.find(".c_") != base.npos && values.shape.size() == 2)
            values = turned(values);
        if ((type == "bloom" || type == "gpt_neox") && base.ends_with("query_key_value"))
            values = notInTurn(values, static_cast<std::int64_t>(d));
        std::string in = gpt2 ? gpt2Tensors.at(base) : usualTensors.at(base);
        const bool around = gemma && type != "gemma";
        if (base == "post_attention_layernorm" && (around || type == "olmo2" || type == "olmo3" || type == "exaone4" ||
                                                   type == "glm4_moe" || type == "seed_oss" || gptOss))
            in = "post_attention_norm";
        make.floats(begin + in + ending, values);
    }
    for (const auto& [tensor, values] : experts)
        make.floats(tensor, values);
    return make;
}

namespace {

/// DistilBERT's files are BERT's, without types of tokens.
SmallModel asBert(const SmallModel& small)
{
    const Names fields{{"dim", "hidden_size"},
                       {"n_layers", "num_hidden_layers"},
                       {"n_heads", "num_attention_heads"},
                       {"hidden_dim", "intermediate_size"}},
        parts{{"transformer.layer", "encoder.layer"},
              {"attention.q_lin", "attention.self.query"},
              {"attention.k_lin", "attention.self.key"},
              {"attention.v_lin", "attention.self.value"},
              {"attention.out_lin", "attention.output.dense"},
              {"sa_layer_norm", "attention.output.LayerNorm"},
              {"ffn.lin1", "intermediate.dense"},
              {"ffn.lin2", "output.dense"},
              {"output_layer_norm", "output.LayerNorm"}};
    SmallModel made;
    for (const auto& [field, value] : small.config.items())
        made.config[fields.contains(field) ? fields.at(field) : field] = value;
    made.config["model_type"] = "bert";
    for (const auto& [tensor, values] : small.tensors) {
        if (tensor.starts_with("vocab_"))  // of the head
            continue;
        std::string name = tensor.substr(std::string("distil").size());
        for (const auto& [from, to] : parts)
            if (const std::size_t at = name.find(from); at != name.npos)
                name.replace(at, from.size(), to);
        made.tensors[name] = values;
    }
    return made;
}

}  // namespace

GgufMaker convertedEncoder(const SmallModel& small)
{
    if (small.config["model_type"] == "distilbert")
        return convertedEncoder(asBert(small));
    const nlohmann::json& config = small.config;
    const std::string type = config["model_type"], name = type == "nomic_bert"   ? "nomic-bert"
                                                          : type == "modernbert" ? "modern-bert"
                                                                                 : type;
    GgufMaker make;
    make.text("general.architecture", name);
    const auto number = [&](const char* key, std::uint32_t value) { make.number(name + "." + key, value); };
    const bool nomic = type == "nomic_bert";
    const auto field = [&](const char* usual, const char* nomics) {
        return config.at(nomic ? nomics : usual).get<std::uint32_t>();
    };
    number("context_length", field("max_position_embeddings", "n_positions"));
    number("embedding_length", field("hidden_size", "n_embd"));
    number("feed_forward_length", field("intermediate_size", "n_inner"));
    number("block_count", field("num_hidden_layers", "n_layer"));
    number("attention.head_count", field("num_attention_heads", "n_head"));
    number("pooling_type", 1);
    make.truth(name + ".attention.causal", false);
    make.real(name + ".attention.layer_norm_epsilon", type == "modernbert" ? 1e-5 : 1e-12);
    if (nomic)
        make.real(name + ".rope.freq_base", config["rotary_emb_base"]);
    if (type == "modernbert") {
        number("attention.sliding_window", config["local_attention"]);
        number("attention.sliding_window_pattern", config["global_attn_every_n_layers"]);
        make.real(name + ".rope.freq_base", 160000);
        make.real(name + ".rope.freq_base_swa", 10000);
        make.text(name + ".rope.scaling.type", "none");
        if (config.contains("hidden_activation"))
            make.text(name + ".hidden_activation", config["hidden_activation"]);
    }
    const std::string layers = layersOf.contains(type) ? layersOf.at(type) : "model.layers.";
    for (const auto& [tensor, values] : small.tensors) {
        std::string base = tensor, begin;
        if (base.starts_with("bert."))
            base.erase(0, 5);
        if (base.starts_with("cls.") || base.starts_with("head.") || base.starts_with("decoder."))
            continue;  // the converter leaves them out
        if (base.starts_with(layers)) {
            const std::size_t after = base.find('.', layers.size());
            begin = "blk." + base.substr(layers.size(), after - layers.size()) + ".";
            base = base.substr(after + 1);
        }
        const std::size_t dot = base.rfind('.');
        make.floats(begin + encoderTensors.at(base.substr(0, dot)) + base.substr(dot), values);
    }
    return make;
}
