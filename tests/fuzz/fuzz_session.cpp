// A session file. What is accepted survives being written and read.
#include "core/document/session.h"

#include <cstdint>
#include <cstdlib>

using namespace attnscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto session = readSession({reinterpret_cast<const char*>(data), size});
    if (!session) {
        if (session.error().message.empty())
            std::abort();
        return 0;
    }
    const std::string text = writeSession(*session);
    const auto again = readSession(text);
    if (!again || !(*again == *session) || writeSession(*again) != text)
        std::abort();
    return 0;
}
