// OLMo 2 and 3 (arXiv 2501.00656; transformers, models/olmo2 and models/olmo3): norms after the blocks and none before,
// queries and keys normed over their whole width; OLMo 3 adds windows, and stretches the positions of the layers
// without one alone.

#include "core/model/families/families.h"

namespace attnscope::family {

namespace {

void olmoSizes(ConfigReader& config)
{
    llamaLike::sizes(config, {.epsilon = 1e-5});
    const bool bias = config.flag("attention_bias", false);
    config.everyLayer([&](LayerSpec& spec) {
        spec.norms = NormPlace::After;
        spec.headNorm = HeadNorm::WholeWidth;
        spec.queryKeyBias = spec.outputBias = bias;
    });
}

void olmo2Config(ConfigReader& config)
{
    olmoSizes(config);
    config.rotaryEverywhere();
}

void olmo3Config(ConfigReader& config)
{
    Architecture& a = config.a;
    olmoSizes(config);
    config.windows(4096, [](int layer) { return (layer + 1) % 4 != 0; });
    const OwnPosition local = config.rotary({.base = 500000, .layerType = "sliding_attention", .scaled = false}),
                      global = config.rotary({.base = 500000, .layerType = "full_attention"});
    for (int layer = 0; layer < a.layers; ++layer)
        config.spec(layer).position = config.hasWindow(layer) ? local : global;
}

/// Also of OLMo 3.
void olmoGguf(GgufConfigMaker& make)
{
    llamaLike::gguf(make);
    make.takeWindows("attention.sliding_window_pattern");
    if (make.config.contains("sliding_window"))
        make.config["model_type"] = "olmo3";
}

}  // namespace

Family olmo2()
{
    return {"olmo2", "OLMo 2", olmo2Config, llamaLike::weights, {"olmo2", olmoGguf, ggufNames::normsAfter}};
}
Family olmo3() { return {"olmo3", "OLMo 3", olmo3Config, llamaLike::weights, {"olmo2"}}; }

}  // namespace attnscope::family
