#include "core/base/text.h"

#include <algorithm>
#include <cstdint>

namespace attnscope {

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

}  // namespace attnscope
