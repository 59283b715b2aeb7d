#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <utility>

namespace attnscope {

namespace {

void replaceAll(std::string& text, std::string_view from, std::string_view to)
{
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

/// 2¹⁷ as 2^17.
std::string withCaret(std::string text)
{
    static constexpr std::string_view raised[] = {"\u2070", "\u00B9", "\u00B2", "\u00B3", "\u2074",
                                                  "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
    std::size_t first = text.size();
    for (const std::string_view digit : raised)
        first = std::min(first, text.find(digit));
    if (first == text.size() || text.find('^') != text.npos)
        return text;
    text.insert(first, 1, '^');
    for (std::size_t digit = 0; digit < std::size(raised); ++digit)
        replaceAll(text, raised[digit], std::to_string(digit));
    return text;
}

}  // namespace

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view spaces = " \t\n";
    text.remove_prefix(std::min(text.find_first_not_of(spaces), text.size()));
    return text.substr(0, text.find_last_not_of(spaces) + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(separator, at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

std::vector<std::string> partsOf(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    for (const std::string_view part : split(text, separator))
        parts.emplace_back(trimmed(part));
    return parts;
}

std::size_t lettersOf(std::string_view text)
{
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::optional<std::string> fromBase64(std::string_view text)
{
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (text.size() % 4 != 0)
        return std::nullopt;
    const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    std::uint32_t bits = 0;  // those that no byte has been made of yet are its last `count`
    int count = 0;
    for (const char c : text.substr(0, text.size() - padding)) {
        const std::size_t digit = digits.find(c);
        if (digit == digits.npos)
            return std::nullopt;
        bits = bits << 6 | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes += static_cast<char>(bits >> count & 0xff);
        }
    }
    const bool rest = (bits & ((1U << count) - 1)) != 0;  // of a text that another program has cut
    return rest ? std::nullopt : std::optional(std::move(bytes));
}

std::optional<double> typedNumber(std::string_view text)
{
    std::string plain(trimmed(text));
    for (const std::string_view space : {"\u00A0", "\u2009", "\u202F"})
        replaceAll(plain, space, "");
    plain = withCaret(std::move(plain));
    if (plain.starts_with('+') && !plain.starts_with("+-"))
        plain.erase(0, 1);
    std::optional<double> value;
    if (const std::size_t caret = plain.find('^'); caret != std::string::npos) {
        const auto base = numberFrom<double>(std::string_view(plain).substr(0, caret));
        const auto power = numberFrom<double>(std::string_view(plain).substr(caret + 1));
        if (base && power)
            value = std::pow(*base, *power);
    } else {
        double factor = 1;
        for (const auto& [letter, letters] : {std::pair{'k', 1e3}, {'K', 1e3}, {'M', 1e6}, {'G', 1e9}})
            if (plain.ends_with(letter))
                factor = letters;
        if (factor != 1)
            plain.pop_back();
        if (const auto number = numberFrom<double>(plain))
            value = *number * factor;
    }
    return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace attnscope
