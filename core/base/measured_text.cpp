#include "core/base/measured_text.h"

#include "core/base/choice.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <vector>

#include <fmt/core.h>

namespace attnscope {

namespace {

constexpr double largestFixed = 1e6;

bool saysNothing(std::string_view number) { return number.find_first_not_of("-0.") == std::string_view::npos; }

std::string fixed(double value, int decimals)
{
    const std::string text = fmt::format("{:.{}f}", value, decimals);
    return saysNothing(text) && text.front() == '-' ? text.substr(1) : text;
}

bool hasError(const ColumnNumber& number) { return number.error > 0 && std::isfinite(number.error); }

std::string alone(const ColumnNumber& number)
{
    return hasError(number) ? formatMeasured(number.value, number.error) : formatNumber(number.value, number.digits);
}

/// For so many digits.
int decimalsFor(double value, int digits)
{
    return std::max(0, digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value)))));
}

/// That its text has: of 0.5 it is one, whatever its digits.
int decimalsIn(const std::string& text)
{
    const std::size_t point = text.find('.');
    return point == std::string::npos ? 0 : static_cast<int>(text.size() - point) - 1;
}

int decimalsAlone(const ColumnNumber& number)
{
    const std::string text = alone(number);
    return text.find('e') == std::string::npos ? decimalsIn(text) : decimalsFor(number.value, number.digits);
}

}  // namespace

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
    return fixed(value, std::max(0, decimals));
}

std::string formatWithError(double value, double error)
{
    const std::string said = formatMeasured(value, error);
    return error > 0 && std::isfinite(error) ? said + " \u00B1 " + formatMeasured(error, error) : said;
}

std::string formatProbability(double p)
{
    constexpr double least = 0.00095;  // above it is 0.001
    return p < least ? "<0.001" : fixed(p, 3);
}

std::optional<int> decimalsOfColumn(std::span<const ColumnNumber> numbers)
{
    constexpr int most = 8, mostMore = 2, digitsOfMiddle = 3;
    std::vector<ColumnNumber> all;
    std::ranges::copy_if(numbers, std::back_inserter(all), [](const ColumnNumber& one) {
        const double size = std::abs(one.value);
        return std::isfinite(size) && (hasError(one) || size > 0) && size < largestFixed;
    });
    if (all.empty())
        return 0;
    int count = 0;
    if (std::ranges::any_of(all, hasError)) {
        std::erase_if(all, [](const ColumnNumber& one) { return !hasError(one); });
        const auto [least, largest] = std::ranges::minmax(all, {}, &ColumnNumber::error);
        const auto decimals = [](double error) {
            const std::string text = formatMeasured(error, error);
            return text.find('e') == std::string::npos ? decimalsIn(text) : decimalsFor(error, 2);
        };
        count = std::min(decimals(least.error), decimals(largest.error) + mostMore);
    } else {
        std::ranges::sort(all, {}, [](const ColumnNumber& one) { return std::abs(one.value); });
        const ColumnNumber &middle = all[(all.size() - 1) / 2], &largest = all.back();
        const int enough = decimalsFor(largest.value, largest.digits);
        int wanted = 0;
        for (const ColumnNumber& one : all)
            wanted = std::max(wanted, decimalsAlone(one));
        count = std::min(wanted, std::clamp(decimalsFor(middle.value, std::min(digitsOfMiddle, middle.digits)), enough,
                                            enough + mostMore));
    }
    return count > most ? std::nullopt : std::optional(count);
}

/// "6.0e-07" below "5.8e-07": numbers with a power of ten have two digits, all of them.
static std::string inTwoDigits(double value)
{
    const std::string text = formatNumber(value, 2);
    return text.find('e') == std::string::npos ? text : fmt::format("{:.1e}", value);
}

std::string formatInColumn(const ColumnNumber& number, std::optional<int> decimals)
{
    const double size = std::abs(number.value);
    if (!decimals && size > 0 && size < 1 && !hasError(number))
        return inTwoDigits(number.value);
    if (!decimals || size >= largestFixed)
        return alone(number);
    const bool lost = number.value != 0 && !hasError(number) && size < 0.95 * std::pow(10, -*decimals);
    return lost && *decimals > 0 ? inTwoDigits(number.value) : fixed(number.value, *decimals);
}

std::string formatInTable(const ColumnNumber& number, std::optional<int> decimals, bool isChange)
{
    const double value = number.value;
    std::string text =
        decimals && std::abs(value) < largestFixed ? fixed(value, *decimals) : formatInColumn(number, decimals);
    const bool isLost = value != 0 && !hasError(number) && saysNothing(text);
    if (isLost && !isChange && value > 0)
        return "<" + fixed(std::pow(10, -*decimals), *decimals);
    if (isLost && value < 0)
        return "-" + text;
    return (isChange && value > 0 && (isLost || !saysNothing(text)) ? "+" : "") + text;
}

std::string inThousands(std::string number)
{
    constexpr std::string_view thinSpace = "\u202F";
    const std::size_t first = number.starts_with('-') || number.starts_with('+') ? 1 : 0;
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
    const std::string what = std::string(prefixes[at]) + std::string(unit);
    return fmt::format("{:.3g}{}{}", value, what.empty() ? "" : " ", what);
}

}  // namespace attnscope
