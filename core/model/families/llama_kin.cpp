// Models in Llama's layout under names of their own, with what each does otherwise: Ministral (transformers,
// models/ministral) and CWM (arXiv 2510.02387; models/cwm) have windows in some of their layers, Seed-OSS (ByteDance
// 2025; models/seed_oss) biases on queries, keys and values, Helium (Kyutai 2025; models/helium) and ERNIE 4.5 (Baidu
// 2025; models/ernie4_5) turn neighbouring pairs, SmolLM3 (models/smollm3) has every fourth layer without positions
// (Yang et al. 2025, arXiv 2501.18795), Arcee (models/arcee) a squared ReLU without a gate, and EuroBERT (arXiv
// 2503.05500; models/eurobert) is an encoder that finds hidden tokens.

#include "core/model/families/families.h"

namespace attnscope::family {

namespace {

void ministralConfig(ConfigReader& config)
{
    llamaLike::sizes(config, {.inner = 14336, .keyHeads = 8});
    config.windows(4096, [](int) { return true; });
    config.rotaryEverywhere();
}

void cwmConfig(ConfigReader& config)
{
    llamaLike::sizes(config, {.inner = 21504, .keyHeads = 8, .headSize = 128, .epsilon = 1e-5});
    config.biases();
    config.windows(8192, [](int layer) { return layer % 4 != 0; });
    config.rotaryEverywhere({.base = 1e6,
                             .otherwise = {{"rope_type", "llama3"},
                                           {"factor", 16},
                                           {"high_freq_factor", 4},
                                           {"low_freq_factor", 1},
                                           {"original_max_position_embeddings", 8192}}});
}

void seedOssConfig(ConfigReader& config)
{
    llamaLike::sizes(config, {.inner = 27648, .keyHeads = 8, .headSize = 128});
    config.biases(true);
    const bool output = config.flag("attention_out_bias", false);
    config.everyLayer([&](LayerSpec& spec) { spec.outputBias = output; });
    config.passOver({"residual_dropout"});
    config.rotaryEverywhere();
}

void heliumConfig(ConfigReader& config)
{
    llamaLike::sizes(config, {.inner = 7040, .keyHeads = 20, .headSize = 128, .epsilon = 1e-8});
    config.biases();
    config.everyLayer([](LayerSpec& spec) { spec.outputBias = false; });
    config.rotaryEverywhere({.base = 100000, .interleaved = true});
}

void ernie45Config(ConfigReader& config)
{
    llamaLike::sizes(config, {.inner = 3072, .keyHeads = 2, .headSize = 128, .epsilon = 1e-5, .tied = true});
    const bool bias = config.flag("use_bias", false);
    config.everyLayer([&](LayerSpec& spec) { spec.queryKeyBias = spec.outputBias = spec.feedBias = bias; });
    config.rotaryEverywhere({.base = 500000, .interleaved = true});
}

void smollm3Config(ConfigReader& config)
{
    Architecture& a = config.a;
    llamaLike::sizes(config, {.keyHeads = 4, .tied = true});
    config.biases();
    const std::vector<bool> turned = config.turnedLayers();
    // where windows are used, the layers without positions have them
    const bool used = config.flag("use_sliding_window", false);
    config.windows(0, [&](int layer) { return used && !turned[static_cast<size_t>(layer)]; });
    config.passOver({"max_window_layers"});
    const OwnPosition position = config.rotary({.base = 2e6});
    for (int layer = 0; layer < a.layers; ++layer)
        if (turned[static_cast<size_t>(layer)])
            config.spec(layer).position = position;
}

void arceeConfig(ConfigReader& config)
{
    llamaLike::sizes(config, {.inner = 18432, .epsilon = 1e-5});
    config.feed("intermediate_size", 18432, config.activation("hidden_act", "relu2"), false);
    config.biases();
    config.rotaryEverywhere();
}

void euroBertConfig(ConfigReader& config)
{
    llamaLike::sizes(config, {.inner = 3072, .epsilon = 1e-5});
    config.biases();
    config.seesBothWays();
    config.passOver({"classifier_pooling"});
    config.rotaryEverywhere();
}

void seedOssGguf(GgufConfigMaker& make)
{
    llamaLike::gguf(make);
    make.takeWhether("attention_bias", "blk.0.attn_q.bias");
    make.takeWhether("attention_out_bias", "blk.0.attn_output.bias");
}

}  // namespace

Family ministral() { return {"ministral", "Ministral", ministralConfig, llamaLike::weights}; }
Family cwm() { return {"cwm", "CWM", cwmConfig, llamaLike::weights}; }
Family seedOss()
{
    return {
        "seed_oss", "Seed-OSS", seedOssConfig, llamaLike::weights, {"seed_oss", seedOssGguf, ggufNames::normsAfter}};
}
Family helium() { return {"helium", "Helium", heliumConfig, llamaLike::weights}; }
Family ernie45() { return {"ernie4_5", "ERNIE 4.5", ernie45Config, llamaLike::weights, {"ernie4_5", llamaLike::gguf}}; }
Family arcee() { return {"arcee", "Arcee", arceeConfig, llamaLike::weights, {"arcee", llamaLike::ggufInPairs}}; }
Family smollm3()
{
    return {"smollm3", "SmolLM3", smollm3Config, llamaLike::weights, {"smollm3", llamaLike::ggufInPairs}};
}
Family euroBert() { return {"eurobert", "EuroBERT", euroBertConfig, llamaLike::weights}; }

}  // namespace attnscope::family
