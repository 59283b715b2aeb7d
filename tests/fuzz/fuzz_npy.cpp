// A .npy file, as it is and as a dict and data behind a header of the right length (which chance would seldom find).
#include "read_everything.h"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    readEverything(input, "input.npy");
    if (const std::size_t brace = input.rfind('}'); !input.empty() && input.front() == '{' && brace != input.npos)
        readEverything(build::npy(input.substr(0, brace + 1), input.substr(brace + 1)), "input.npy");
    return 0;
}
