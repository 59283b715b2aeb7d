#include "tests/model/every_family.h"

#include "core/base/text.h"
#include "core/model/model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>

using namespace attnscope;
using Json = nlohmann::json;

namespace {

/// Small, with everything that a family has of its own switched on, and windows and chunks that a test of 48 tokens
/// passes.
const std::map<std::string, const char*> configs{
    {"phi3", R"({"num_key_value_heads": 2, "original_max_position_embeddings": 32, "max_position_embeddings": 128,
                 "partial_rotary_factor": 0.75, "sliding_window": 20,
                 "rope_scaling": {"type": "longrope", "long_factor": [1.0, 2.5, 4.4],
                                  "short_factor": [1.0, 1.05, 1.1]}})"},
    {"olmo3", R"({"num_key_value_heads": 6, "sliding_window": 7, "max_position_embeddings": 128, "head_dim": null,
                  "layer_types": ["sliding_attention", "sliding_attention", "full_attention"],
                  "rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32,
                                   "attention_factor": 1.2}})"},
    {"ministral3",
     R"({"rope_theta": 1e6, "rope_parameters": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16,
                       "rope_theta": 1e6, "mscale": 1.0, "mscale_all_dim": 1.0, "llama_4_scaling_beta": 0.1}})"},
    {"gpt_oss", R"({"attention_bias": true, "num_local_experts": 4, "num_experts_per_tok": 2, "sliding_window": 6,
                    "rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16,
                                     "beta_fast": 32.0, "beta_slow": 1.0, "truncate": false}})"},
    {"cohere2", R"({"logit_scale": 0.25, "sliding_window": 5, "sliding_window_pattern": 3})"},
    {"glm4", R"({"attention_bias": true, "partial_rotary_factor": 0.5})"},
    {"glm4_moe", R"({"attention_bias": true, "partial_rotary_factor": 0.5, "use_qk_norm": true, "n_routed_experts": 4,
                     "num_experts_per_tok": 2, "n_shared_experts": 1, "moe_intermediate_size": 16, "n_group": 1,
                     "topk_group": 1, "first_k_dense_replace": 1})"},
    {"glm", R"({"rms_norm_eps": 1e-5, "head_dim": 4, "attention_bias": true, "partial_rotary_factor": 0.5})"},
    {"olmoe",
     R"({"rms_norm_eps": 1e-5, "head_dim": 4, "num_key_value_heads": 6, "num_experts": 4, "num_experts_per_tok": 2,
                  "norm_topk_prob": false})"},
    {"dots1",
     R"({"rms_norm_eps": 1e-5, "num_key_value_heads": 6, "n_routed_experts": 4, "num_experts_per_tok": 2, "n_shared_experts": 1,
                  "moe_intermediate_size": 16, "n_group": 1, "topk_group": 1, "first_k_dense_replace": 1,
                  "routed_scaling_factor": 1.5, "norm_topk_prob": true})"},
    {"qwen2_moe", R"({"head_dim": null, "num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 16,
                      "shared_expert_intermediate_size": 20, "norm_topk_prob": false})"},
    {"exaone4", R"({"sliding_window": 5, "layer_types": ["sliding_attention", "sliding_attention", "full_attention"],
                    "rope_scaling": {"rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0,
                                     "high_freq_factor": 4.0, "original_max_position_embeddings": 16}})"},
    {"deepseek_v3", R"({"num_key_value_heads": 6, "q_lora_rank": 16, "kv_lora_rank": 12, "qk_nope_head_dim": 8,
                        "qk_rope_head_dim": 4, "v_head_dim": 6, "n_routed_experts": 4, "num_experts_per_tok": 2,
                        "n_shared_experts": 1, "moe_intermediate_size": 16, "n_group": 2, "topk_group": 1,
                        "first_k_dense_replace": 1, "routed_scaling_factor": 1.5,
                        "rope_scaling": {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16,
                                         "beta_fast": 32, "beta_slow": 1, "mscale": 1.0, "mscale_all_dim": 1.0}})"},
    {"deepseek_v2", R"({"num_key_value_heads": 6, "q_lora_rank": 0, "kv_lora_rank": 12, "qk_nope_head_dim": 8,
                        "qk_rope_head_dim": 4, "v_head_dim": 6, "n_routed_experts": 6, "num_experts_per_tok": 2,
                        "n_shared_experts": 2, "moe_intermediate_size": 16, "topk_method": "group_limited_greedy",
                        "n_group": 3, "topk_group": 2, "first_k_dense_replace": 1, "routed_scaling_factor": 1.5,
                        "norm_topk_prob": false, "scoring_func": "softmax",
                        "rope_scaling": {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16,
                                         "beta_fast": 32, "beta_slow": 1, "mscale": 0.707, "mscale_all_dim": 0.707}})"},
    {"llama4_text", R"({"num_hidden_layers": 4, "attention_chunk_size": 8, "attn_temperature_tuning": true,
                        "floor_scale": 6, "attn_scale": 0.1, "no_rope_layers": [1, 1, 1, 0], "interleave_moe_layer_step": 2, "intermediate_size_mlp": 40,
                        "num_local_experts": 4, "num_experts_per_tok": 1, "use_qk_norm": true})"},
    {"bloom",
     R"({"head_dim": null, "n_head": 6, "n_layer": 3, "seq_length": 32, "hidden_size": 24, "vocab_size": 61})"},
    {"falcon", R"({"head_dim": null, "multi_query": true, "parallel_attn": true, "bias": false, "alibi": false})"},
    {"mpt", R"({"head_dim": null, "d_model": 24, "n_heads": 6, "n_layers": 3, "max_seq_len": 32, "expansion_ratio": 2,
                "no_bias": true, "attn_config": {"alibi": true, "alibi_bias_max": 16, "clip_qkv": 0.8,
                                                 "attn_impl": "torch", "qk_ln": false, "softmax_scale": null}})"},
    {"bert", R"({"head_dim": null, "max_position_embeddings": 48})"},
    {"roformer", R"({"head_dim": null, "embedding_size": 16})"},
    {"nomic_bert", R"({"head_dim": null, "n_embd": 24, "n_head": 6, "n_layer": 3, "n_positions": 48, "n_inner": 40,
                       "rotary_emb_base": 1000, "rotary_emb_fraction": 1.0, "activation_function": "swiglu",
                       "layer_norm_epsilon": 1e-12, "qkv_proj_bias": false, "mlp_fc1_bias": false,
                       "mlp_fc2_bias": false})"},
    {"modernbert",
     R"({"head_dim": null, "global_attn_every_n_layers": 3, "local_attention": 6, "max_position_embeddings": 64})"},
};

/// Whether an encoder has a head that says tokens is for its tensors to say: the first of one.
const std::map<std::string, std::pair<const char*, std::vector<std::int64_t>>> headTensors{
    {"bert", {"cls.predictions.transform.dense.weight", {24, 24}}},
    {"roformer", {"cls.predictions.transform.dense.weight", {16, 24}}},
    {"modernbert", {"head.dense.weight", {24, 24}}}};

}  // namespace

SmallTensor tensorOfName(const std::string& name, const std::vector<std::int64_t>& shape)
{
    SmallTensor tensor{shape, {}};
    std::size_t count = 1;
    for (const std::int64_t extent : tensor.shape)
        count *= static_cast<std::size_t>(extent);
    const bool factors = tensor.shape.size() == 1 && name.find("norm") != name.npos && name.ends_with(".weight");
    const double spread = tensor.shape.size() < 2 ? 0.3 : 1.7 / std::sqrt(static_cast<double>(tensor.shape.back()));
    for (std::size_t i = 0; i < count; ++i)
        tensor.values.push_back(static_cast<float>((factors ? 1 : 0) + spread * numberOfName(name, i)));
    return tensor;
}

namespace {

bool isWrittenOut(const std::string& type)
{
    constexpr std::array known{"llama",  "llama3",  "mistral",  "qwen2",   "qwen3",
                               "gemma2", "gpt2",    "gpt_neox", "gemma",   "gemma3_text",
                               "olmo2",  "smollm3", "granite",  "mixtral", "qwen3_moe"};
    return std::ranges::find(known, type) != known.end();
}

/// What "its weights have no tensor 'NAME' of shape [A, B]" names.
bool addMissing(const std::string& message, SmallModel& model)
{
    const auto part = [&](const std::string& after, char until) {
        const std::size_t at = message.find(after);
        const std::size_t from = at + after.size();
        return at == message.npos ? std::string() : message.substr(from, message.find(until, from) - from);
    };
    const std::string name = part("no tensor '", '\'');
    std::vector<std::int64_t> shape;
    for (const std::string& extent : partsOf(part("of shape [", ']'), ','))
        shape.push_back(numberFrom<std::int64_t>(extent).value_or(0));
    if (name.empty() || model.tensors.contains(name))
        return false;
    model.tensors[name] = tensorOfName(name, shape);
    return true;
}

}  // namespace

const Json& ofTransformers()
{
    static const Json all = Json::parse(std::ifstream(std::string(MODEL_TEST_DATA) + "/transformers.json"));
    return all;
}

SmallModel modelOfTransformers(const Json& entry)
{
    SmallModel model{entry["config"], {}};
    for (const auto& [name, shape] : entry["tensors"].items())
        model.tensors[name] = tensorOfName(name, shape);
    return model;
}

tl::expected<SmallModel, std::string> writeFamily(const std::string& type, const std::string& folder,
                                                  const Json& changes)
{
    SmallModel model;
    if (const auto config = configs.find(type); config == configs.end()) {
        const Json& others = ofTransformers()["models"];
        model = !isWrittenOut(type) && others.contains(type) ? modelOfTransformers(others[type]) : smallModel(type);
    } else {  // a field that a family does not know is none of its business
        model.config = {{"model_type", type},     {"vocab_size", 61},         {"hidden_size", 24},
                        {"num_hidden_layers", 3}, {"num_attention_heads", 6}, {"num_key_value_heads", 2},
                        {"head_dim", 8},          {"intermediate_size", 40},  {"max_position_embeddings", 64},
                        {"rope_theta", 10000.0},  {"bos_token_id", 1},        {"mask_token_id", 3}};
        model.config.merge_patch(Json::parse(config->second));  // null takes a field away
    }
    model.config.merge_patch(changes);
    if (const auto head = headTensors.find(type); head != headTensors.end())
        model.tensors[head->second.first] = tensorOfName(head->second.first, head->second.second);
    for (;;) {
        if (const std::string why = writeModel(model, folder); !why.empty())
            return tl::unexpected(why);
        const auto opened = openModel(folder);
        if (opened)
            return model;
        if (!addMissing(opened.error().message, model))
            return tl::unexpected(opened.error().message);
    }
}
