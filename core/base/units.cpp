#include "core/base/units.h"

#include <array>
#include <charconv>
#include <iterator>

namespace attnscope {

std::string inUnits(double value, std::string_view unit)
{
    static constexpr std::string_view prefixes[]{"", "k", "M", "G", "T"};
    std::size_t at = 0;
    for (; value >= 999.5 && at + 1 < std::size(prefixes); ++at)
        value /= 1000;
    std::array<char, 32> digits{};
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::general, 3).ptr;
    const std::string what = std::string(prefixes[at]) + std::string(unit);
    return std::string(digits.data(), end) + (what.empty() ? "" : " ") + what;
}

}  // namespace attnscope
