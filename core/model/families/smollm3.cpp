// SmolLM3 (transformers, models/smollm3): Llama with every fourth layer without positions (Yang et al. 2025,
// arXiv 2501.18795).

#include "core/model/families/families.h"

namespace attnscope::family {

namespace {

void smollm3Config(ConfigReader& config)
{
    Architecture& a = config.a;
    llamaLike::sizes(config, 11008, 4, 0);
    a.tiedEmbeddings = config.flag("tie_word_embeddings", true);
    const bool attention = config.flag("attention_bias", false), feed = config.flag("mlp_bias", false);
    config.everyLayer([&](LayerSpec& spec) {
        spec.queryKeyBias = spec.outputBias = attention;
        spec.feedBias = feed;
    });
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

void smollm3Weights(WeightReader& read, Model& model) { llamaLike::weights(read, model, {}); }

}  // namespace

Family smollm3() { return {"smollm3", "SmolLM3", smollm3Config, smollm3Weights, {"smollm3", llamaLike::ggufInPairs}}; }

}  // namespace attnscope::family
