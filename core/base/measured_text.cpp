#include "core/base/measured_text.h"

#include "core/base/choice.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
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

std::string inThousands(std::string number)
{
    constexpr std::string_view thinSpace = "\u202F";
    const std::size_t first = number.starts_with('-') ? 1 : 0;
    std::size_t end = first;
    while (end < number.size() && number[end] >= '0' && number[end] <= '9')
        ++end;
    for (std::size_t at = end; at > first + 3;)
        number.insert(at -= 3, thinSpace);
    return number;
}

std::string lengthInWords(double n)
{
    std::string digits = n == std::floor(n) && std::abs(n) < 1e15 ? fmt::format("{:.0f}", n) : formatNumber(n, 13);
    return inThousands(std::move(digits));
}

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
