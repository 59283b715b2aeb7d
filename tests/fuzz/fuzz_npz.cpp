// A .npz archive.
#include "read_everything.h"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    readEverything({reinterpret_cast<const char*>(data), size}, "input.npz");
    return 0;
}
