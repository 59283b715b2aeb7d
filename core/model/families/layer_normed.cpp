// Llama's layout with layer norms in place of its own: StableLM (arXiv 2402.17834; transformers, models/stablelm), a
// quarter of whose heads turns, StarCoder 2 (arXiv 2402.19173; models/starcoder2) with biases, a window and no gate,
// Nemotron (arXiv 2402.16819; models/nemotron) with weights counted from 1 and a squared ReLU without a gate, and OLMo
// 1 (arXiv 2402.00838; models/olmo), whose norms have no weights and whose queries, keys and values may lie within a
// bound.

#include "core/model/families/families.h"

#include <cmath>

namespace attnscope::family {

namespace {

void stableLmConfig(ConfigReader& config)
{
    llamaLike::sizes(config, {.inner = 6912, .keyHeads = 32});
    config.norm(Norm::Layer, "layer_norm_eps", 1e-5);
    const bool bias = config.flag("use_qkv_bias", false), parallel = config.flag("use_parallel_residual", false),
               headNorms = config.flag("qk_layernorm", false);
    config.everyLayer([&](LayerSpec& spec) {
        spec.headNorm = headNorms ? HeadNorm::OwnWeights : HeadNorm::None;
        spec.queryKeyBias = bias;
        spec.parallel = parallel;
    });
    config.passOver({"hidden_dropout"});
    config.rotaryEverywhere({.part = 0.25});
}

void stableLmWeights(WeightReader& read, Model& model)
{
    const bool parallel = read.architecture().specs.front().parallel;  // then one norm is before both
    llamaLike::weights(read, model,
                       {.beforeFeed = parallel ? "input_layernorm" : "post_attention_layernorm",
                        .queryNorm = "q_layernorm",
                        .keyNorm = "k_layernorm"});
}

void starCoder2Config(ConfigReader& config)
{
    llamaLike::sizes(config, {.inner = 12288, .keyHeads = 2, .tied = true});
    config.norm(Norm::Layer, "norm_epsilon", 1e-5);
    config.feed("intermediate_size", 12288, config.activation("hidden_act", "gelu_pytorch_tanh"), false);
    const bool bias = config.flag("use_bias", true);
    config.everyLayer([&](LayerSpec& spec) { spec.queryKeyBias = spec.outputBias = spec.feedBias = bias; });
    config.windows(0, [](int) { return true; });
    config.passOver({"embedding_dropout", "residual_dropout", "layer_norm_epsilon", "mlp_type", "norm_type"});
    config.rotaryEverywhere();
}

void starCoder2Weights(WeightReader& read, Model& model)
{
    llamaLike::weights(read, model, {}, [&](const LayerSpec& spec, const std::string& layer, LayerWeights& target) {
        target.feed = plainFeed(read, spec, layer + "mlp.c_fc", layer + "mlp.c_proj");
    });
}

void nemotronConfig(ConfigReader& config)
{
    llamaLike::sizes(config, {.inner = 24576});
    config.norm(Norm::LayerFromOne, "norm_eps", 1e-5);
    config.feed("intermediate_size", 24576, config.activation("hidden_act", "relu2"), false);
    config.biases();
    config.rotaryEverywhere({.part = 0.5});
}

void olmoConfig(ConfigReader& config)
{
    llamaLike::sizes(config);
    config.a.norm = Norm::Centred;
    config.a.epsilon = 1e-5;  // no field says another
    config.must("attention_bias", false, "biases on OLMo's attention (attention_bias)");
    const double bound = config.real("clip_qkv", 0, 0, 1e6);
    config.everyLayer([&](LayerSpec& spec) { spec.clamp = bound; });
    config.rotaryEverywhere();
}

void olmoWeightsOfTheFirst(WeightReader& read, Model& model)
{
    llamaLike::weights(read, model, {.beforeAttention = nullptr, .beforeFeed = nullptr, .last = nullptr});
}

/// Blocks with one norm stand beside each other, whatever use_parallel_residual says.
void stableLmGguf(GgufConfigMaker& make)
{
    llamaLike::gguf(make);
    make.take("layer_norm_eps", "attention.layer_norm_epsilon");
    make.value("use_parallel_residual");
    make.config["use_parallel_residual"] = !make.tensor("blk.0.ffn_norm.weight");
    make.takeWhether("use_qkv_bias", "blk.0.attn_q.bias");
    make.takeWhether("qk_layernorm", "blk.0.attn_q_norm.weight");
}

constexpr GgufName stableLmNames[]{{"self_attn.q_layernorm", "attn_q_norm"}, {"self_attn.k_layernorm", "attn_k_norm"}};

void starCoder2Gguf(GgufConfigMaker& make)
{
    llamaLike::gguf(make);
    make.take("norm_epsilon", "attention.layer_norm_epsilon");
    make.takeWhether("use_bias", "blk.0.attn_q.bias");
}

constexpr GgufName starCoder2Names[]{{"mlp.c_fc", "ffn_up"}, {"mlp.c_proj", "ffn_down"}};

void nemotronGguf(GgufConfigMaker& make)
{
    llamaLike::gguf(make);
    make.take("norm_eps", "attention.layer_norm_epsilon");
    make.takeWhether("attention_bias", "blk.0.attn_q.bias");
    make.takeWhether("mlp_bias", "blk.0.ffn_up.bias");
}

/// No field of a config says its epsilon.
void olmoGgufOfTheFirst(GgufConfigMaker& make)
{
    llamaLike::ggufInPairs(make);
    make.take("clip_qkv", "attention.clamp_kqv");
    constexpr double published = 1e-5;
    if (std::abs(make.real("attention.layer_norm_epsilon", published) - published) > 1e-9)
        make.refuse("an OLMo with an epsilon of its own (attention.layer_norm_epsilon)");
}

constexpr GgufFamily starCoder2InGguf{"starcoder2", starCoder2Gguf, starCoder2Names};

constexpr GgufFamily nemotronInGguf{.id = "nemotron", .config = nemotronGguf, .normsFromOne = true};

}  // namespace

Family stableLm()
{
    return {"stablelm", "StableLM", stableLmConfig, stableLmWeights, {"stablelm", stableLmGguf, stableLmNames}};
}
Family starCoder2() { return {"starcoder2", "StarCoder 2", starCoder2Config, starCoder2Weights, starCoder2InGguf}; }
Family nemotron() { return {"nemotron", "Nemotron", nemotronConfig, llamaLike::weights, nemotronInGguf}; }
Family olmo() { return {"olmo", "OLMo", olmoConfig, olmoWeightsOfTheFirst, {"olmo", olmoGgufOfTheFirst}}; }

}  // namespace attnscope::family
