// EXAONE 4 (arXiv 2507.11407; transformers, models/exaone4): norms after the blocks, queries and keys normed head by
// head; three layers of four see a window and turn, the fourth sees all and has no positions. Without a window every
// layer turns.

#include "core/model/families/families.h"

#include <algorithm>

namespace attnscope::family {

namespace {

/// How many layers make a pattern: a number, or a text such as "LLLG", whose last letter is the layer that sees all.
int exaone4Pattern(ConfigReader& config)
{
    const nlohmann::json* pattern = config.field("sliding_window_pattern");
    if (pattern && pattern->is_string() && !pattern->get<std::string>().empty())
        return static_cast<int>(pattern->get<std::string>().size());
    // 0 in folders that transformers 5 has written of models without windows
    return std::max(config.whole("sliding_window_pattern", 4, 0, ConfigReader::mostLayers), 1);
}

void exaone4Config(ConfigReader& config)
{
    Architecture& a = config.a;
    llamaLike::sizes(config, {.inner = 16384, .epsilon = 1e-5});
    config.everyLayer([](LayerSpec& spec) {
        spec.norms = NormPlace::After;
        spec.headNorm = HeadNorm::EachHead;
    });
    const int pattern = exaone4Pattern(config);
    constexpr int window = 4096;  // where the config says nothing, not even null
    config.windows(window, [&](int layer) { return (layer + 1) % pattern != 0; });
    const OwnPosition position = config.rotary();
    const bool windows = config.real("sliding_window", window, 0, ConfigReader::longest) > 0;
    for (int layer = 0; layer < a.layers; ++layer)
        if (!windows || config.hasWindow(layer))
            config.spec(layer).position = position;
}

void exaone4Gguf(GgufConfigMaker& make)
{
    llamaLike::gguf(make);
    make.config["sliding_window"] = 0;  // where no value says another
    make.takeWindows("attention.sliding_window_pattern");
}

}  // namespace

Family exaone4()
{
    return {"exaone4", "EXAONE 4", exaone4Config, llamaLike::weights, {"exaone4", exaone4Gguf, ggufNames::normsAfter}};
}

}  // namespace attnscope::family
