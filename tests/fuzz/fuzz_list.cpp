// The LIST grammar. What is accepted is a bounded list of lengths from 1 to 10^12.
#include "core/base/length_list.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto lengths = attnscope::parseLengths({reinterpret_cast<const char*>(data), size});
    if (!lengths)
        return 0;
    const auto right = [](std::int64_t n) { return n >= 1 && n <= 1'000'000'000'000; };
    if (lengths->empty() || lengths->size() > 100'000 || !std::all_of(lengths->begin(), lengths->end(), right))
        std::abort();
    return 0;
}
