// A .gguf file, as it is and behind the right magic and version (which chance would seldom find).
#include "read_everything.h"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    readEverything(input, "input.gguf");
    readEverything("GGUF" + build::little(3, 4) + std::string(input), "input.gguf");
    return 0;
}
