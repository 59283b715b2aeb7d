#include "core/base/measured_text.h"

#include "core/base/choice.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include <fmt/core.h>

namespace attnscope {

std::string formatMeasured(double value, double error)
{
    constexpr int withoutError = 4, mostDecimals = 12;
    if (!(error > 0) || !std::isfinite(error) || !std::isfinite(value))
        return formatNumber(value, withoutError);
    const double second = std::pow(10, std::floor(std::log10(error)) - 1);
    if (!(second > 0))
        return formatNumber(value, withoutError);
    const double rounded = std::round(error / second) * second;  // 0.0996 is 0.10, whose second digit is of hundredths
    const int decimals = 1 - static_cast<int>(std::floor(std::log10(rounded) + 1e-9));
    if (decimals > mostDecimals || std::abs(value) >= 1e12)
        return formatNumber(value, withoutError);
    std::array<char, 64> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed,
                                   std::max(0, decimals))
                         .ptr;
    const std::string text(buffer.data(), end);
    const bool nothing = text.find_first_not_of("-0.") == std::string::npos;
    return nothing && text.front() == '-' ? text.substr(1) : text;
}

std::string lengthInWords(double n)
{
    constexpr std::string_view thinSpace = "\u202F";
    std::string digits = n == std::floor(n) && std::abs(n) < 1e15 ? fmt::format("{:.0f}", n) : formatNumber(n, 13);
    if (digits.find_first_not_of("0123456789") != digits.npos || digits.size() < 4)
        return digits;
    for (std::size_t at = digits.size() - 3; at > 0 && at < digits.size(); at -= std::min<std::size_t>(at, 3))
        digits.insert(at, thinSpace);
    return digits;
}

}  // namespace attnscope
