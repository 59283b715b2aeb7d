// Cohere (Command R; transformers, models/cohere) and Cohere 2 (Command R7B and A; models/cohere2): one norm without a
// bias a layer, before attention and feed-forward that stand beside each other; three layers of four see a window and
// turn neighbouring pairs, the fourth sees all and has no positions.

#include "core/model/families/families.h"

namespace attnscope::family {

namespace {

/// What both are. Command R turns all layers, which all see everything.
void cohereSizes(ConfigReader& config)
{
    Architecture& a = config.a;
    config.sizes();
    config.keyHeads();
    config.headSize();
    config.norm(Norm::Centred, "layer_norm_eps", 1e-5);
    config.feed("intermediate_size", 22528, config.activation("hidden_act", "silu"));
    a.tiedEmbeddings = config.flag("tie_word_embeddings", true);
    a.outputFactor = config.real("logit_scale", 0.0625, 1e-9, 1e9);
    const bool bias = config.flag("attention_bias", false);
    config.everyLayer([&](LayerSpec& spec) {
        spec.parallel = true;
        spec.queryKeyBias = spec.outputBias = bias;
    });
    if (config.flag("use_qk_norm", false))
        config.everyLayer([](LayerSpec& spec) { spec.headNorm = HeadNorm::OwnWeights; });
    config.passOver({"model_max_length"});
    config.must("use_parallel_block", true, "blocks one after another (use_parallel_block)");
    config.must("use_gated_activation", true, "a feed-forward without a gate (use_gated_activation)");
}

void cohereConfig(ConfigReader& config)
{
    cohereSizes(config);
    config.rotaryEverywhere({.base = 500000, .interleaved = true});
}

void cohere2Config(ConfigReader& config)
{
    Architecture& a = config.a;
    cohereSizes(config);
    const int pattern = config.whole("sliding_window_pattern", 4, 1, ConfigReader::mostLayers);
    config.windows(4096, [&](int layer) { return (layer + 1) % pattern != 0; });
    config.passOver({"layer_switch", "order_of_interleaved_layers", "position_embedding_type", "rotary_pct",
                     "use_embedding_sharing", "use_parallel_embedding"});  // old names, and other programs'
    const OwnPosition position = config.rotary({.interleaved = true});
    for (int layer = 0; layer < a.layers; ++layer)
        if (config.hasWindow(layer))
            config.spec(layer).position = position;
}

void cohereWeights(WeightReader& read, Model& model)
{
    llamaLike::weights(read, model, {.beforeFeed = "input_layernorm"});  // the one for both
}

void cohereGgufSizes(GgufConfigMaker& make)
{
    llamaLike::gguf(make);
    make.take("layer_norm_eps", "attention.layer_norm_epsilon");
    make.take("logit_scale", "logit_scale");
}

void cohereGguf(GgufConfigMaker& make)
{
    cohereGgufSizes(make);
    make.takeWhether("use_qk_norm", "blk.0.attn_q_norm.weight");
}

void cohere2Gguf(GgufConfigMaker& make)
{
    cohereGgufSizes(make);
    make.takeWindows("attention.sliding_window_pattern");
}

}  // namespace

Family cohere() { return {"cohere", "Cohere", cohereConfig, cohereWeights, {"command-r", cohereGguf}}; }
Family cohere2() { return {"cohere2", "Cohere 2", cohere2Config, cohereWeights, {"cohere2", cohere2Gguf}}; }

}  // namespace attnscope::family
