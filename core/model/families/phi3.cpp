// Phi-3 and Phi-4 (arXiv 2404.14219, 2503.01743; transformers, models/phi3): Llama with its projections fused, a part
// of each head turned, and LongRoPE.

#include "core/model/families/families.h"

namespace attnscope::family {

namespace {

void phi3Config(ConfigReader& config)
{
    llamaLike::sizes(config, {.inner = 8192, .epsilon = 1e-5});
    for (const char* bias : {"attention_bias", "mlp_bias", "lm_head_bias"})
        config.must(bias, false, bias);
    config.windows(0, [](int) { return true; });
    config.rotaryEverywhere({.fixed = true});  // transformers takes LongRoPE's three fields there, and no factor
    config.passOver({"full_attn_mod", "interpolate_factor"});  // of other programs than transformers
}

void phi3Weights(WeightReader& read, Model& model)
{
    const Architecture& a = read.architecture();
    const std::string layers = llamaLike::around(read, model);
    const Index queries = Index{a.heads} * a.headSize;
    eachLayer(read, model, layers, [&](const LayerSpec& spec, const std::string& layer, LayerWeights& target) {
        llamaLike::norms(read, spec, layer, {}, target);
        stackedHeads(read, layer + "self_attn.qkv_proj", false, target);
        target.output = read.linear(layer + "self_attn.o_proj", {.outputs = a.width, .inputs = queries});
        target.feed = llamaLike::fusedFeed(read, layer + "mlp.", spec.inner);
    });
}

void phi3Gguf(GgufConfigMaker& make)
{
    llamaLike::gguf(make);
    make.take("sliding_window", "attention.sliding_window");
}

}  // namespace

Family phi3() { return {"phi3", "Phi-3", phi3Config, phi3Weights, {"phi3", phi3Gguf}}; }

}  // namespace attnscope::family
