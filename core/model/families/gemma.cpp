// Gemma 1 (arXiv 2403.08295; transformers, models/gemma): Llama with norms of 1 + w, embeddings times the root of the
// width, a gated GELU, and the embedding for a head. Gemma 2 (2024; models/gemma2): norms around every block,
// soft-caps, its own query scale, and a window in every other layer. Gemma 3 (arXiv 2503.19786; models/gemma3): as
// Gemma 2 without its caps, with norms of every query and key, and five layers of six that see a window, with positions
// of their own base that are not stretched; the larger ones have pictures beside the text ("gemma3").

#include "core/model/families/families.h"

#include <cmath>

namespace attnscope::family {

namespace {

/// Of all of them; sizes that a config does not say.
void gemmaSizes(ConfigReader& config, int keyHeads, const SizeFields& sizes = {})
{
    Architecture& a = config.a;
    config.sizes(sizes);
    config.keyHeads(keyHeads);
    config.headSize(256);
    config.norm(Norm::RmsFromOne, "rms_norm_eps", 1e-6);
    a.tiedEmbeddings = config.flag("tie_word_embeddings", true);
    a.embeddingFactor = std::sqrt(a.width);
    config.must("attention_bias", false, "biases on Gemma's attention (attention_bias)");
}

/// Of Gemma 2 and 3: norms around the blocks, a query scale of their own, and caps.
void gemmaFactors(ConfigReader& config, double attentionCap, double outputCap)
{
    const double factor = std::sqrt(config.a.headSize / config.real("query_pre_attn_scalar", 256, 1e-6, 1e6)),
                 cap = config.real("attn_logit_softcapping", attentionCap, 0, 1e6);
    config.everyLayer([&](LayerSpec& spec) {
        spec.norms = NormPlace::Around;
        spec.logitFactor = factor;
        spec.logitCap = cap;
    });
    config.a.outputCap = config.real("final_logit_softcapping", outputCap, 0, 1e6);
}

void gemmaConfig(ConfigReader& config)
{
    gemmaSizes(config, 16);
    // `hidden_act` says "gelu" in the first folders, which were trained with its approximation by tanh all the same
    config.feed("intermediate_size", 24576, config.activation("hidden_activation", "gelu_pytorch_tanh"));
    config.passOver({"hidden_act"});
    config.rotaryEverywhere();
}

void gemma2Config(ConfigReader& config)
{
    gemmaSizes(config, 4);
    const bool named = config.field("hidden_activation");
    config.feed("intermediate_size", 9216,
                config.activation(named ? "hidden_activation" : "hidden_act", "gelu_pytorch_tanh"));
    config.passOver({"hidden_act"});  // where it is there, an old name beside the new one, which counts
    gemmaFactors(config, 50, 30);
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

void gemma3Config(ConfigReader& config)
{
    Architecture& a = config.a;
    // published files of 4 to 27 billion weights say no more than what differs from these
    gemmaSizes(config, 4,
               {.widthByDefault = 2304,
                .layersByDefault = 26,
                .headsByDefault = 8,
                .tokensByDefault = 262208,
                .positionsByDefault = 131072});
    config.feed("intermediate_size", 9216, config.activation("hidden_activation", "gelu_pytorch_tanh"));
    config.must("use_bidirectional_attention", false, "attention in both directions (use_bidirectional_attention)");
    gemmaFactors(config, 0, 0);
    config.everyLayer([](LayerSpec& spec) { spec.headNorm = HeadNorm::EachHead; });
    config.passOver({"_sliding_window_pattern"});  // of files that have layer_types
    const int pattern = config.whole("sliding_window_pattern", 6, 1, ConfigReader::mostLayers);
    config.windows(4096, [&](int layer) { return (layer + 1) % pattern != 0; });
    const OwnPosition local = config.rotary({.base = 10000,
                                             .baseField = "rope_local_base_freq",
                                             .layerType = "sliding_attention",
                                             .scaled = false}),
                      global = config.rotary({.base = 1e6, .layerType = "full_attention"});
    for (int layer = 0; layer < a.layers; ++layer)
        config.spec(layer).position = config.hasWindow(layer) ? local : global;
}

void gemma3Weights(WeightReader& read, Model& model)
{
    llamaLike::weights(read, model, {.beforeFeed = "pre_feedforward_layernorm"});
    passOverPictures(read);
}

/// Of Gemma 2's and 3's .gguf files. Their query scale is in no value: it is that of a head's size but in the largest
/// models, which are known by their layers (as llama.cpp knows them).
void gemmaGguf(GgufConfigMaker& make, double layersOfLargest)
{
    llamaLike::gguf(make);
    make.config["query_pre_attn_scalar"] =
        make.real("block_count", 0) == layersOfLargest ? make.shareOfAHead() : make.config["head_dim"].get<double>();
    make.take("sliding_window", "attention.sliding_window");
    make.take("attn_logit_softcapping", "attn_logit_softcapping");
    make.take("final_logit_softcapping", "final_logit_softcapping");
}

void gemma2Gguf(GgufConfigMaker& make) { gemmaGguf(make, 46); }

constexpr GgufFamily gemma2InGguf{
    .id = "gemma2", .config = gemma2Gguf, .first = ggufNames::normsAfter, .normsFromOne = true};

void gemma3Gguf(GgufConfigMaker& make)
{
    gemmaGguf(make, 62);
    make.config["sliding_window"] = 0;  // where no value says another: files whose layers all see all
    make.takeWindows("attention.sliding_window_pattern");
    make.take("rope_local_base_freq", "rope.freq_base_swa");
    make.config["rope_theta"] = make.real("rope.freq_base", 1e6);
}

constexpr GgufFamily gemma3InGguf{
    .id = "gemma3", .config = gemma3Gguf, .first = ggufNames::normsAfter, .normsFromOne = true};

}  // namespace

Family gemma()
{
    return {"gemma",
            "Gemma",
            gemmaConfig,
            llamaLike::weights,
            {.id = "gemma", .config = llamaLike::gguf, .normsFromOne = true}};
}
Family gemma2() { return {"gemma2", "Gemma 2", gemma2Config, gemma2Weights, gemma2InGguf}; }
Family vaultGemma() { return {"vaultgemma", "VaultGemma", vaultGemmaConfig, gemma2Weights}; }
Family gemma3() { return {"gemma3_text", "Gemma 3", gemma3Config, gemma3Weights, gemma3InGguf}; }

}  // namespace attnscope::family
