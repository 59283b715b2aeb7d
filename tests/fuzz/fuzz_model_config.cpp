// A config.json. What is accepted has sizes within the bounds, a mask for every layer, and positions that resolve.
#include "core/model/model_config.h"
#include "core/model/policy.h"

#include <cstdint>
#include <cstdlib>

using namespace attnscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto config = readModelConfig({reinterpret_cast<const char*>(data), size}, "config.json");
    if (!config) {
        if (config.error().message.empty())
            std::abort();
        return 0;
    }
    const Architecture& a = config->architecture;
    if (a.layers < 1 || a.width < 1 || a.headSize < 1 || a.keyHeads < 1 || a.heads % a.keyHeads != 0 ||
        a.trainLength < 1 || std::ssize(a.specs) != a.layers || describe(a).empty() || describePositions(a).empty() ||
        describeMasks(a).empty())
        std::abort();
    for (int layer = 0; layer < a.layers; ++layer)
        if (maskOf(a, layer).id.empty())
            std::abort();
    const auto resolved = resolve({}, a, 4);
    if (resolved ? resolved->layers.size() != static_cast<std::size_t>(a.layers) : resolved.error().message.empty())
        std::abort();
    return 0;
}
