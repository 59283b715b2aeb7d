// Gemma 3 (arXiv 2503.19786; transformers, models/gemma3): as Gemma 2 without its caps, with norms of every query and
// key, and five layers of six that see a window, with positions of their own base that are not stretched. The larger
// ones have pictures beside the text ("gemma3").

#include "core/model/families/families.h"

#include <cmath>

namespace attnscope::family {

namespace {

void gemma3Config(ConfigReader& config)
{
    Architecture& a = config.a;
    // published files of 4 to 27 billion weights say no more than what differs from these
    config.sizes({.widthByDefault = 2304,
                  .layersByDefault = 26,
                  .headsByDefault = 8,
                  .tokensByDefault = 262208,
                  .positionsByDefault = 131072});
    config.keyHeads(4);
    config.headSize(256);
    config.norm(Norm::RmsFromOne, "rms_norm_eps", 1e-6);
    config.feed("intermediate_size", 9216, config.activation("hidden_activation", "gelu_pytorch_tanh"));
    a.tiedEmbeddings = config.flag("tie_word_embeddings", true);
    config.must("attention_bias", false, "biases on Gemma 3's attention (attention_bias)");
    config.must("use_bidirectional_attention", false, "attention in both directions (use_bidirectional_attention)");
    const double logitFactor = std::sqrt(a.headSize / config.real("query_pre_attn_scalar", 256, 1e-6, 1e6)),
                 logitCap = config.real("attn_logit_softcapping", 0, 0, 1e6);
    config.everyLayer([&](LayerSpec& spec) {
        spec.norms = NormPlace::Around;
        spec.headNorm = HeadNorm::EachHead;
        spec.logitFactor = logitFactor;
        spec.logitCap = logitCap;
    });
    a.outputCap = config.real("final_logit_softcapping", 0, 0, 1e6);
    a.embeddingFactor = std::sqrt(a.width);
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

Family gemma3() { return {"gemma3_text", "Gemma 3", gemma3Config, gemma3Weights, gemma3InGguf}; }

}  // namespace attnscope::family
