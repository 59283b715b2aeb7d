// A tokenizer.json. What is accepted encodes any text into ids that decode, or says why not.
#include "core/model/tokenizer.h"

#include <cstdint>
#include <cstdlib>

using namespace attnscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto tokenizer = readTokenizerJson({reinterpret_cast<const char*>(data), size}, "tokenizer.json");
    if (!tokenizer) {
        if (tokenizer.error().message.empty())
            std::abort();
        return 0;
    }
    for (const char* text : {"", "a", "ab ba  ab\n", "\u00e9\u2581x", "12 abc <s>"}) {
        const auto ids = (*tokenizer)->encode(text);
        if (ids)
            (*tokenizer)->decode(*ids);
        else if (ids.error().message.empty())
            std::abort();
    }
    return 0;
}
