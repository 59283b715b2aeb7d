// Labels of tokens, as JSON and as lines.
#include "core/tensor/token_labels.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const auto labels = attnscope::parseTokenJson(input, "tokens.json");
    if (attnscope::parseTokenLines(input).size() > size + 1 || (labels && labels->size() > size))
        std::abort();
    return 0;
}
