#include "core/model/gguf_families.h"

#include "core/base/text.h"
#include "core/model/gguf_config.h"
#include "core/model/gguf_names.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attnscope {

namespace {

using Json = nlohmann::json;
using Names = GgufFamily::Names;

using namespace ggufNames;
using ConfigMaker = GgufConfigMaker;

void llamaConfigOf(ConfigMaker& make, const TensorFile& file)
{
    make.llama(file);
    make.config["rope_interleave"] = true;  // rows of queries and keys stand in neighbouring pairs
    make.take("sliding_window", "attention.sliding_window");
    if (make.config.contains("sliding_window"))
        make.config["model_type"] = "mistral";
    if (make.real("expert_count", 0) > 0) {
        make.config["model_type"] = "mixtral";
        make.experts("num_local_experts", nullptr);
    }
    if (make.tensor("blk.0.attn_q.bias"))
        make.refuse("biases on queries and keys in Llama's layout");
}

void plainConfigOf(ConfigMaker& make, const TensorFile& file)
{
    make.llama(file);
    make.withoutExperts();
}

/// Biases are said by the tensors that there are.
void biasesOf(ConfigMaker& make, const char* field, const char* tensor)
{
    make.config[field] = make.tensor(tensor) != nullptr;
}

void layerNormConfigOf(ConfigMaker& make, const TensorFile& file, const char* epsilon)
{
    plainConfigOf(make, file);
    make.take(epsilon, "attention.layer_norm_epsilon");
}

/// Rows as in Llama's files.
void inPairsConfigOf(ConfigMaker& make, const TensorFile& file)
{
    plainConfigOf(make, file);
    make.config["rope_interleave"] = true;
}

void graniteFactorsOf(ConfigMaker& make)
{
    make.config["rope_interleave"] = true;
    make.take("embedding_multiplier", "embedding_scale");
    make.take("attention_multiplier", "attention.scale");
    make.take("residual_multiplier", "residual_scale");
    make.take("logits_scaling", "logit_scale");
}

void graniteConfigOf(ConfigMaker& make, const TensorFile& file)
{
    plainConfigOf(make, file);
    graniteFactorsOf(make);
}

void graniteMoeConfigOf(ConfigMaker& make, const TensorFile& file)
{
    make.llama(file);
    graniteFactorsOf(make);
    make.experts("num_local_experts", nullptr);
    make.take("shared_intermediate_size", "expert_shared_feed_forward_length");
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

/// OLMo 1. No field of a config says its epsilon.
void olmoConfigOf(ConfigMaker& make, const TensorFile& file)
{
    inPairsConfigOf(make, file);
    make.take("clip_qkv", "attention.clamp_kqv");
    constexpr double published = 1e-5;
    if (std::abs(make.real("attention.layer_norm_epsilon", published) - published) > 1e-9)
        make.refuse("an OLMo with an epsilon of its own (attention.layer_norm_epsilon)");
}

void olmoeConfigOf(ConfigMaker& make, const TensorFile& file)
{
    make.llama(file);
    make.experts("num_experts", nullptr);
}

void cohereConfigOf(ConfigMaker& make, const TensorFile& file)
{
    layerNormConfigOf(make, file, "layer_norm_eps");
    make.take("logit_scale", "logit_scale");
    biasesOf(make, "use_qk_norm", "blk.0.attn_q_norm.weight");
}

void cohere2ConfigOf(ConfigMaker& make, const TensorFile& file)
{
    layerNormConfigOf(make, file, "layer_norm_eps");
    make.take("logit_scale", "logit_scale");
    make.takeWindows("attention.sliding_window_pattern");
}

/// Also of 2024, where queries, keys and values may stand in one tensor.
void glm4ConfigOf(ConfigMaker& make, const TensorFile& file)
{
    plainConfigOf(make, file);
    make.config["attention_bias"] = make.tensor("blk.0.attn_q.bias") || make.tensor("blk.0.attn_qkv.bias");
}

void onlySigmoids(ConfigMaker& make)
{
    if (make.real("expert_gating_func", 2) != 2)
        make.refuse("experts that are weighed by something else than sigmoids");
}

void sigmoidExpertsOf(ConfigMaker& make)
{
    onlySigmoids(make);
    make.experts("n_routed_experts", "moe_intermediate_size");
    make.take("n_shared_experts", "expert_shared_count");
    make.take("first_k_dense_replace", "leading_dense_block_count");
    make.take("routed_scaling_factor", "expert_weights_scale");
    make.take("norm_topk_prob", "expert_weights_norm");
    make.take("n_group", "expert_group_count");
    make.take("topk_group", "expert_group_used_count");
}

/// Those that predict a token further are counted among the blocks.
void withoutFurtherLayers(ConfigMaker& make)
{
    if (const double further = make.real("nextn_predict_layers", 0); further > 0)
        make.config["num_hidden_layers"] = make.real("block_count", 0) - further;
}

void glm4MoeConfigOf(ConfigMaker& make, const TensorFile& file)
{
    make.llama(file);
    biasesOf(make, "attention_bias", "blk.0.attn_q.bias");
    biasesOf(make, "use_qk_norm", "blk.0.attn_q_norm.weight");
    sigmoidExpertsOf(make);
    withoutFurtherLayers(make);
}

/// The published model has windows from its 62nd layer on, and 62 layers.
void dots1ConfigOf(ConfigMaker& make, const TensorFile& file)
{
    make.llama(file);
    sigmoidExpertsOf(make);
    make.config["max_window_layers"] = make.config["num_hidden_layers"];
}

void miniMaxM2ConfigOf(ConfigMaker& make, const TensorFile& file)
{
    make.llama(file);
    onlySigmoids(make);
    make.experts("num_local_experts", "intermediate_size");
    make.take("rotary_dim", "rope.dimension_count");
    make.config.erase("partial_rotary_factor");
}

void qwen2MoeConfigOf(ConfigMaker& make, const TensorFile& file)
{
    make.llama(file);
    make.experts("num_experts", "moe_intermediate_size");
    make.config["shared_expert_intermediate_size"] =
        make.real("expert_shared_feed_forward_length", make.real("feed_forward_length", 0));
    biasesOf(make, "qkv_bias", "blk.0.attn_q.bias");
    make.config["norm_topk_prob"] = false;  // llama.cpp knows no other
}

void seedOssConfigOf(ConfigMaker& make, const TensorFile& file)
{
    plainConfigOf(make, file);
    biasesOf(make, "attention_bias", "blk.0.attn_q.bias");
    biasesOf(make, "attention_out_bias", "blk.0.attn_output.bias");
}

/// Blocks with one norm stand beside each other, whatever use_parallel_residual says.
void stableLmConfigOf(ConfigMaker& make, const TensorFile& file)
{
    layerNormConfigOf(make, file, "layer_norm_eps");
    make.value("use_parallel_residual");
    make.config["use_parallel_residual"] = !make.tensor("blk.0.ffn_norm.weight");
    biasesOf(make, "use_qkv_bias", "blk.0.attn_q.bias");
    biasesOf(make, "qk_layernorm", "blk.0.attn_q_norm.weight");
}

void starCoder2ConfigOf(ConfigMaker& make, const TensorFile& file)
{
    layerNormConfigOf(make, file, "norm_epsilon");
    biasesOf(make, "use_bias", "blk.0.attn_q.bias");
}

void nemotronConfigOf(ConfigMaker& make, const TensorFile& file)
{
    layerNormConfigOf(make, file, "norm_eps");
    biasesOf(make, "attention_bias", "blk.0.attn_q.bias");
    biasesOf(make, "mlp_bias", "blk.0.ffn_up.bias");
}

void phi2ConfigOf(ConfigMaker& make, const TensorFile& file) { layerNormConfigOf(make, file, "layer_norm_eps"); }

void qwen3MoeConfigOf(ConfigMaker& make, const TensorFile& file)
{
    make.llama(file);
    make.experts("num_experts", "moe_intermediate_size");
    make.config["norm_topk_prob"] = true;  // llama.cpp knows no other
}

/// The published models do not round the range of their YaRN, of which their files say nothing.
void gptOssConfigOf(ConfigMaker& make, const TensorFile& file)
{
    make.llama(file);
    make.experts("num_local_experts", "intermediate_size");
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
    const double size = make.llama(file), heads = make.real("attention.head_count", 1);
    make.withoutExperts();
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
    make.config["rope_theta"] = make.real("rope.freq_base", 1e6);
}

void exaone4ConfigOf(ConfigMaker& make, const TensorFile& file)
{
    plainConfigOf(make, file);
    make.config["sliding_window"] = 0;  // where no value says another
    make.takeWindows("attention.sliding_window_pattern");
}

/// What llama.cpp has built in, chunks and the queries' growth of the published models, is in no value.
void llama4ConfigOf(ConfigMaker& make, const TensorFile& file)
{
    make.llama(file);
    make.config["intermediate_size_mlp"] = make.config["intermediate_size"];
    make.take("intermediate_size", "expert_feed_forward_length");
    make.experts("num_local_experts", nullptr);
    make.take("interleave_moe_layer_step", "interleave_moe_layer_step");
    constexpr double largest = 128;  // experts of the one whose queries and keys have no norms
    make.config["use_qk_norm"] = make.real("expert_count", 0) != largest;
    if (make.real("attention.sliding_window", 1) == 0)
        make.refuse("a Llama 4 without chunks (attention.sliding_window)");
}

/// DeepSeek V2 and V3. Files have keys as they are kept between tokens, the narrow vector and what turns: the sizes
/// of heads stand beside that; those of before say the sizes of heads alone.
void latentSizesOf(ConfigMaker& make)
{
    make.value("attention.head_count_kv");
    make.take("q_lora_rank", "attention.q_lora_rank");
    make.take("kv_lora_rank", "attention.kv_lora_rank");
    const double turned = make.real("rope.dimension_count", 0),
                 key = make.real("attention.key_length_mla", make.real("attention.key_length", 0)),
                 value = make.real("attention.value_length_mla", make.real("attention.value_length", 0));
    make.config["qk_rope_head_dim"] = turned;
    make.config["qk_nope_head_dim"] = key - turned;
    make.config["v_head_dim"] = value;
}

/// Files of before say nothing of groups: those of the models that have 256 experts are known.
void deepseekExpertsOf(ConfigMaker& make)
{
    if (const double count = make.real("expert_count", 0); count > 0) {
        make.experts("n_routed_experts", "moe_intermediate_size");
        make.config["n_group"] = make.real("expert_group_count", count == 256 ? 8 : 1);
        make.config["topk_group"] = make.real("expert_group_used_count", count == 256 ? 4 : 1);
        make.take("first_k_dense_replace", "leading_dense_block_count");
    } else {
        make.value("expert_feed_forward_length");
        make.value("leading_dense_block_count");
        make.config["first_k_dense_replace"] = make.config["num_hidden_layers"];
    }
    make.take("n_shared_experts", "expert_shared_count");
    make.config["routed_scaling_factor"] = make.real("expert_weights_scale", 1);
    make.config["norm_topk_prob"] = make.value("expert_weights_norm") == true;
    const double gating = make.real("expert_gating_func", 1);
    if (gating == 1) {
        make.config["model_type"] = "deepseek_v2";
        make.config["topk_method"] = make.config.value("n_group", 1.0) > 1 ? "group_limited_greedy" : "greedy";
    } else if (gating != 2) {
        make.refuse("experts that are weighed by something else than a softmax or sigmoids");
    }
}

void deepseek2ConfigOf(ConfigMaker& make, const TensorFile& file)
{
    make.sizes("hidden_size", "num_hidden_layers", "num_attention_heads", "max_position_embeddings",
               "intermediate_size");
    make.take("rms_norm_eps", "attention.layer_norm_rms_epsilon");
    latentSizesOf(make);
    make.positions(file, make.real("rope.dimension_count", 0));
    // a tenth of mscale_all_dim
    if (const double tenth = make.real("rope.scaling.yarn_log_multiplier", 0);
        tenth > 0 && make.config.contains("rope_scaling") && make.config["rope_scaling"]["rope_type"] == "yarn")
        make.config["rope_scaling"]["mscale"] = make.config["rope_scaling"]["mscale_all_dim"] = 10 * tenth;
    withoutFurtherLayers(make);
    deepseekExpertsOf(make);
}

void bloomConfigOf(ConfigMaker& make, const TensorFile&)
{
    make.sizes("hidden_size", "n_layer", "n_head", "seq_length", "n_inner");
    make.take("layer_norm_epsilon", "attention.layer_norm_epsilon");
    make.value("attention.head_count_kv");
}

void gptNeoXConfigOf(ConfigMaker& make, const TensorFile& file)
{
    make.sizes("hidden_size", "num_hidden_layers", "num_attention_heads", "max_position_embeddings",
               "intermediate_size");
    make.take("layer_norm_eps", "attention.layer_norm_epsilon");
    make.take("use_parallel_residual", "use_parallel_residual");
    make.value("attention.head_count_kv");
    const double size = make.real("embedding_length", 0) / std::max(1.0, make.real("attention.head_count", 1));
    make.positions(file, size);
    make.config["rotary_pct"] = make.config.value("partial_rotary_factor", 1.0);
    make.take("rotary_emb_base", "rope.freq_base");
    make.config.erase("partial_rotary_factor");
    make.config.erase("rope_theta");
}

void falconConfigOf(ConfigMaker& make, const TensorFile& file)
{
    make.sizes("hidden_size", "num_hidden_layers", "num_attention_heads", "max_position_embeddings", "ffn_hidden_size");
    make.take("layer_norm_epsilon", "attention.layer_norm_epsilon");
    make.value("tensor_data_layout");  // how its projection was made
    if (make.real("attention.head_count_kv", 1) != 1 || make.tensor("blk.0.attn_norm_2.weight")) {
        make.config["new_decoder_architecture"] = true;
        make.take("num_kv_heads", "attention.head_count_kv");
    }
    biasesOf(make, "bias", "blk.0.attn_qkv.bias");
    const double heads = make.real("attention.head_count", 1);
    make.positions(file, make.real("embedding_length", 0) / std::max(1.0, heads));
}

void mptConfigOf(ConfigMaker& make, const TensorFile&)
{
    make.sizes("d_model", "n_layers", "n_heads", "max_seq_len", "feed_forward_length");
    make.config["expansion_ratio"] =
        make.real("feed_forward_length", 0) / std::max(1.0, make.real("embedding_length", 0));
    make.config.erase("feed_forward_length");
    make.take("layer_norm_epsilon", "attention.layer_norm_epsilon");
    const double bias = make.real("attention.max_alibi_bias", 0), heads = make.real("attention.head_count", 0);
    make.config["attn_config"] = {{"alibi", bias > 0},
                                  {"alibi_bias_max", bias},
                                  {"clip_qkv", make.real("attention.clamp_kqv", 0)},
                                  {"kv_n_heads", make.real("attention.head_count_kv", heads)},
                                  {"qk_ln", make.tensor("blk.0.attn_q_norm.weight") != nullptr}};
    make.config["no_bias"] = make.tensor("blk.0.attn_qkv.bias") == nullptr;
}

/// What files of encoders say and does not change a token's vector: how a text's is made of them, and that all see all.
void encoderConfigOf(ConfigMaker& make, const char* epsilon)
{
    make.take(epsilon, "attention.layer_norm_epsilon");
    make.withoutExperts();
    if (make.value("attention.causal") == true)
        make.refuse("an encoder whose tokens see those before them alone (attention.causal)");
    for (const char* key : {"attention.head_count_kv", "pooling_type", "classifier.output_labels"})
        make.value(key);
    const std::string scaling = make.text("rope.scaling.type");
    if ((!scaling.empty() && scaling != "none") || make.real("rope.scaling.factor", 1) != 1)
        make.refuse("positions that are stretched (rope.scaling)");
    make.config.erase("tie_word_embeddings");
}

void bertConfigOf(ConfigMaker& make, const TensorFile&)
{
    make.sizes("hidden_size", "num_hidden_layers", "num_attention_heads", "max_position_embeddings",
               "intermediate_size");
    encoderConfigOf(make, "layer_norm_eps");
}

void nomicBertConfigOf(ConfigMaker& make, const TensorFile&)
{
    make.sizes("n_embd", "n_layer", "n_head", "n_positions", "n_inner");
    encoderConfigOf(make, "layer_norm_epsilon");
    make.take("rotary_emb_base", "rope.freq_base");
    // files hold no other form of it
    make.config["activation_function"] = "swiglu";
    make.config["rotary_emb_fraction"] = 1;
    for (const char* bias : {"qkv_proj_bias", "mlp_fc1_bias", "mlp_fc2_bias"})
        make.config[bias] = false;
}

void modernBertConfigOf(ConfigMaker& make, const TensorFile&)
{
    make.sizes("hidden_size", "num_hidden_layers", "num_attention_heads", "max_position_embeddings",
               "intermediate_size");
    encoderConfigOf(make, "norm_eps");
    make.take("local_attention", "attention.sliding_window");
    make.take("global_attn_every_n_layers", "attention.sliding_window_pattern");
    make.take("global_rope_theta", "rope.freq_base");
    make.take("local_rope_theta", "rope.freq_base_swa");
    make.take("hidden_activation", "hidden_act");
}

/// Also StarCoder's, which have one key head.
void gpt2ConfigOf(ConfigMaker& make, const TensorFile&)
{
    make.sizes("n_embd", "n_layer", "n_head", "n_positions", "n_inner");
    make.take("layer_norm_epsilon", "attention.layer_norm_epsilon");
    make.value("attention.head_count_kv");
    make.withoutExperts();
}

constexpr std::string_view modelLayers = "model.layers.";
constexpr std::array rowsOfFamilies{
    GgufFamily{"llama", "llama", llamaConfigOf, modelLayers, llamaAround, llamaWithin, mixtralWithin},
    GgufFamily{"mistral3", "ministral3", ministral3ConfigOf, modelLayers, llamaAround, llamaWithin},
    GgufFamily{"qwen2", "qwen2", plainConfigOf, modelLayers, llamaAround, llamaWithin},
    GgufFamily{"qwen2moe", "qwen2_moe", qwen2MoeConfigOf, modelLayers, llamaAround, llamaWithin, sharedExpertWithin},
    GgufFamily{"qwen3", "qwen3", plainConfigOf, modelLayers, llamaAround, llamaWithin},
    GgufFamily{"qwen3moe", "qwen3_moe", qwen3MoeConfigOf, modelLayers, llamaAround, llamaWithin},
    GgufFamily{"phi2", "phi", phi2ConfigOf, modelLayers, phiAround, llamaWithin, phiWithin},
    GgufFamily{"phi3", "phi3", phi3ConfigOf, modelLayers, llamaAround, llamaWithin},
    GgufFamily{"gemma", "gemma", plainConfigOf, modelLayers, llamaAround, llamaWithin, {}, true},
    GgufFamily{"gemma2", "gemma2", gemma2ConfigOf, modelLayers, llamaAround, llamaWithin, gemmaWithin, true},
    GgufFamily{"gemma3", "gemma3_text", gemma3ConfigOf, modelLayers, llamaAround, llamaWithin, gemmaWithin, true},
    GgufFamily{"gpt-oss", "gpt_oss", gptOssConfigOf, modelLayers, llamaAround, llamaWithin, gptOssWithin},
    GgufFamily{"olmo", "olmo", olmoConfigOf, modelLayers, llamaAround, llamaWithin},
    GgufFamily{"olmoe", "olmoe", olmoeConfigOf, modelLayers, llamaAround, llamaWithin},
    GgufFamily{"olmo2", "olmo2", olmo2ConfigOf, modelLayers, llamaAround, llamaWithin, olmoWithin},
    GgufFamily{"smollm3", "smollm3", inPairsConfigOf, modelLayers, llamaAround, llamaWithin},
    GgufFamily{"granite", "granite", graniteConfigOf, modelLayers, llamaAround, llamaWithin},
    GgufFamily{"granitemoe", "granitemoe", graniteMoeConfigOf, modelLayers, llamaAround, llamaWithin, graniteMoeWithin},
    GgufFamily{"command-r", "cohere", cohereConfigOf, modelLayers, llamaAround, llamaWithin},
    GgufFamily{"cohere2", "cohere2", cohere2ConfigOf, modelLayers, llamaAround, llamaWithin},
    GgufFamily{"chatglm", "glm", glm4ConfigOf, modelLayers, llamaAround, llamaWithin},
    GgufFamily{"glm4", "glm4", glm4ConfigOf, modelLayers, llamaAround, llamaWithin, glm4Within},
    GgufFamily{"glm4moe", "glm4_moe", glm4MoeConfigOf, modelLayers, llamaAround, llamaWithin, glm4MoeWithin},
    GgufFamily{"exaone4", "exaone4", exaone4ConfigOf, modelLayers, llamaAround, llamaWithin, olmoWithin},
    GgufFamily{"llama4", "llama4_text", llama4ConfigOf, modelLayers, llamaAround, llamaWithin, llama4Within},
    GgufFamily{"deepseek2", "deepseek_v3", deepseek2ConfigOf, modelLayers, llamaAround, llamaWithin, deepseekWithin},
    GgufFamily{"dots1", "dots1", dots1ConfigOf, modelLayers, llamaAround, llamaWithin},
    GgufFamily{"minimax-m2", "minimax_m2", miniMaxM2ConfigOf, modelLayers, llamaAround, llamaWithin, mixtralWithin},
    GgufFamily{"seed_oss", "seed_oss", seedOssConfigOf, modelLayers, llamaAround, llamaWithin, glm4MoeWithin},
    GgufFamily{"ernie4_5", "ernie4_5", plainConfigOf, modelLayers, llamaAround, llamaWithin},
    GgufFamily{"arcee", "arcee", inPairsConfigOf, modelLayers, llamaAround, llamaWithin},
    GgufFamily{"stablelm", "stablelm", stableLmConfigOf, modelLayers, llamaAround, llamaWithin, stableLmWithin},
    GgufFamily{"starcoder2", "starcoder2", starCoder2ConfigOf, modelLayers, llamaAround, llamaWithin, starCoder2Within},
    GgufFamily{"nemotron", "nemotron", nemotronConfigOf, modelLayers, llamaAround, llamaWithin, {}, true},
    GgufFamily{"bloom", "bloom", bloomConfigOf, "h.", bloomAround, bloomWithin},
    GgufFamily{"gptneox", "gpt_neox", gptNeoXConfigOf, "gpt_neox.layers.", neoXAround, bloomWithin, neoXWithin},
    GgufFamily{"falcon", "falcon", falconConfigOf, "h.", bloomAround, bloomWithin, falconWithin},
    GgufFamily{"mpt", "mpt", mptConfigOf, "blocks.", mptAround, mptWithin},
    GgufFamily{"bert", "bert", bertConfigOf, "bert.encoder.layer.", bertAround, bertWithin},
    GgufFamily{"nomic-bert", "nomic_bert", nomicBertConfigOf, "encoder.layers.", nomicBertAround, nomicBertWithin},
    GgufFamily{"modern-bert", "modernbert", modernBertConfigOf, modelLayers, modernBertAround, modernBertWithin},
    GgufFamily{"gpt2", "gpt2", gpt2ConfigOf, "h.", gpt2Around, gpt2Within, {}, false, true},
    GgufFamily{"starcoder", "gpt_bigcode", gpt2ConfigOf, "h.", gpt2Around, gpt2Within},
};

}  // namespace

std::span<const GgufFamily> ggufFamilies() { return rowsOfFamilies; }

std::string_view ggufNameOf(std::string_view modelType)
{
    constexpr std::pair<std::string_view, std::string_view> alike[]{
        // of which the rows' `config` makes others
        {"mistral", "llama"},         {"mixtral", "llama"},           {"olmo3", "olmo2"},
        {"deepseek_v2", "deepseek2"}, {"glm4_moe_lite", "deepseek2"}, {"granitemoeshared", "granitemoe"}};
    for (const auto& [type, name] : alike)
        if (type == modelType)
            return name;
    const auto found = std::ranges::find(rowsOfFamilies, modelType, &GgufFamily::modelType);
    return found == rowsOfFamilies.end() ? std::string_view() : found->id;
}

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
