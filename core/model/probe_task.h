#pragma once
// Which probe (probes.h) is asked: tokens that come again, or a needle.

#include <array>
#include <string_view>

namespace attnscope {

enum class ProbeTask { Repeat, Needle };
inline constexpr std::array<std::string_view, 2> probeTaskWords{"repeat", "needle"};

}  // namespace attnscope
