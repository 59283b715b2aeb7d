#pragma once
// A file that is part of the program: attnscope_embed (CMakeLists.txt) makes a function that returns one.

#include <cstddef>
#include <span>
#include <string_view>

namespace attnscope {

struct Embedded {
    std::string_view name;  ///< its path in the source tree or the system, for messages
    std::span<const std::byte> bytes;
};

}  // namespace attnscope
