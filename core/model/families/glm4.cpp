// GLM-4 (transformers, models/glm; of April 2025: models/glm4): norms before every block, or around it, half of each
// head turned in neighbouring pairs, gate and up in one matrix. GLM-4.5 (arXiv 2508.06471; models/glm4_moe): Llama's
// norms, half of each head turned in halves, and DeepSeek's experts.

#include "core/model/families/families.h"

namespace attnscope::family {

namespace {

void glmConfig(ConfigReader& config)
{
    llamaLike::sizes(config, {.inner = 13696, .keyHeads = 2, .headSize = 128, .epsilon = 1.5625e-7});
    const bool bias = config.flag("attention_bias", true);
    config.everyLayer([&](LayerSpec& spec) { spec.queryKeyBias = bias; });
    config.rotaryEverywhere({.part = 0.5, .interleaved = true});
}

void glm4Config(ConfigReader& config)
{
    glmConfig(config);
    config.everyLayer([](LayerSpec& spec) { spec.norms = NormPlace::Around; });
}

void glm4Weights(WeightReader& read, Model& model)
{
    const Architecture& a = read.architecture();
    const std::string layers = llamaLike::around(read, model);
    eachLayer(read, model, layers, [&](const LayerSpec& spec, const std::string& layer, LayerWeights& target) {
        llamaLike::norms(read, spec, layer,
                         {.afterAttention = "post_self_attn_layernorm", .afterFeed = "post_mlp_layernorm"}, target);
        if (const std::string all = layer + "self_attn.qkv_proj"; read.has(all + ".weight")) {  // of .gguf files
            stackedHeads(read, all, spec.queryKeyBias, target);
            target.output =
                read.linear(layer + "self_attn.o_proj", {.outputs = a.width, .inputs = Index{a.heads} * a.headSize});
        } else {
            llamaLike::attention(read, spec, layer, target);
        }
        target.feed = llamaLike::fusedFeed(read, layer + "mlp.", spec.inner);
    });
}

void glm4MoeConfig(ConfigReader& config)
{
    llamaLike::sizes(config, {.inner = 10944, .keyHeads = 8, .epsilon = 1e-5});
    const bool bias = config.flag("attention_bias", false), headNorms = config.flag("use_qk_norm", false);
    config.everyLayer([&](LayerSpec& spec) {
        spec.queryKeyBias = bias;
        spec.headNorm = headNorms ? HeadNorm::EachHead : HeadNorm::None;
    });
    config.sigmoidExperts({.count = 128, .chosen = 8, .inner = 1408, .renormalised = true});
    config.passOver({"num_nextn_predict_layers"});
    config.rotaryEverywhere({.part = 0.5});
}

void glm4MoeWeights(WeightReader& read, Model& model)
{
    llamaLike::weights(read, model);
    for (const char* layer : {"layers.", "blk."})
        read.passOver(layer + std::to_string(read.architecture().layers) + ".");  // predicts a token further
}

/// Queries, keys and values may stand in one tensor.
void glm4Gguf(GgufConfigMaker& make)
{
    llamaLike::gguf(make);
    make.config["attention_bias"] = make.tensor("blk.0.attn_q.bias") || make.tensor("blk.0.attn_qkv.bias");
    if (make.turnsInSections())  // of models with pictures, whose rows the converter moves
        make.config["rope_interleave"] = false;
}

constexpr GgufName glm4Names[]{{"post_self_attn_layernorm", "post_attention_norm"},
                               {"post_mlp_layernorm", "post_ffw_norm"}};

void glm4MoeGguf(GgufConfigMaker& make)
{
    make.llama();
    make.takeWhether("attention_bias", "blk.0.attn_q.bias");
    make.takeWhether("use_qk_norm", "blk.0.attn_q_norm.weight");
    make.sigmoidExperts();
    make.turnsInSections();  // whose rows stand as ever
}

}  // namespace

Family glm() { return {"glm", "GLM-4 of 2024", glmConfig, glm4Weights, {"chatglm", glm4Gguf}}; }
Family glm4() { return {"glm4", "GLM-4", glm4Config, glm4Weights, {"glm4", glm4Gguf, glm4Names}}; }
Family glm4Moe()
{
    return {"glm4_moe", "GLM-4.5", glm4MoeConfig, glm4MoeWeights, {"glm4moe", glm4MoeGguf, ggufNames::normsAfter}};
}

}  // namespace attnscope::family
