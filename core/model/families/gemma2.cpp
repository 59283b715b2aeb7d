// Gemma 2 (2024; transformers, models/gemma2): norms of 1 + w around every block, soft-caps, its own query scale, and a
// window in every other layer.

#include "core/model/families/families.h"

#include <cmath>

namespace attnscope::family {

namespace {

void gemma2Config(ConfigReader& config)
{
    Architecture& a = config.a;
    config.sizes();
    config.keyHeads(4);
    config.headSize(256);
    config.norm(Norm::RmsFromOne, "rms_norm_eps", 1e-6);
    const bool named = config.field("hidden_activation");
    config.feed("intermediate_size", 9216,
                config.activation(named ? "hidden_activation" : "hidden_act", "gelu_pytorch_tanh"));
    config.passOver({"hidden_act"});  // where it is there, an old name beside the new one, which counts
    a.tiedEmbeddings = config.flag("tie_word_embeddings", true);
    config.must("attention_bias", false, "biases on Gemma 2's attention (attention_bias)");
    const double logitFactor = std::sqrt(a.headSize / config.real("query_pre_attn_scalar", 256, 1e-6, 1e6)),
                 logitCap = config.real("attn_logit_softcapping", 50, 0, 1e6);
    config.everyLayer([&](LayerSpec& spec) {
        spec.norms = NormPlace::Around;
        spec.logitFactor = logitFactor;
        spec.logitCap = logitCap;
    });
    a.outputCap = config.real("final_logit_softcapping", 30, 0, 1e6);
    a.embeddingFactor = std::sqrt(a.width);
    config.windows(4096, [](int layer) { return layer % 2 == 0; });
    config.rotaryEverywhere();
}

/// Without the norms after the blocks (Sinha et al. 2025; models/vaultgemma).
void vaultGemmaConfig(ConfigReader& config)
{
    gemma2Config(config);
    config.everyLayer([](LayerSpec& spec) { spec.norms = NormPlace::Before; });
}

void gemma2Weights(WeightReader& read, Model& model)
{
    llamaLike::weights(read, model, {.beforeFeed = "pre_feedforward_layernorm"});
}

void gemma2Gguf(GgufConfigMaker& make) { gemmaGguf(make, 46); }

constexpr GgufFamily gemma2InGguf{
    .id = "gemma2", .config = gemma2Gguf, .first = ggufNames::normsAfter, .normsFromOne = true};

}  // namespace

Family vaultGemma() { return {"vaultgemma", "VaultGemma", vaultGemmaConfig, gemma2Weights}; }
Family gemma2() { return {"gemma2", "Gemma 2", gemma2Config, gemma2Weights, gemma2InGguf}; }

}  // namespace attnscope::family

namespace attnscope {

void gemmaGguf(GgufConfigMaker& make, double layersOfLargest)
{
    llamaLike::gguf(make);
    make.config["query_pre_attn_scalar"] =
        make.real("block_count", 0) == layersOfLargest ? make.shareOfAHead() : make.config["head_dim"].get<double>();
    make.take("sliding_window", "attention.sliding_window");
    make.take("attn_logit_softcapping", "attn_logit_softcapping");
    make.take("final_logit_softcapping", "final_logit_softcapping");
}

}  // namespace attnscope
