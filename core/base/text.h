#pragma once
// Texts put together and taken apart, and numbers read out of them, in the same way in every locale.

#include <charconv>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace attnscope {

/// "a, b, c": what `projection` makes of each of the range, a text or a whole number, with separators between.
template <class Range, class Projection = std::identity>
std::string joined(const Range& range, std::string_view separator, Projection projection = {})
{
    std::string text;
    bool first = true;
    for (const auto& each : range) {
        if (!first)
            text += separator;
        first = false;
        if constexpr (std::is_integral_v<std::decay_t<decltype(std::invoke(projection, each))>>)
            text += std::to_string(std::invoke(projection, each));
        else
            text += std::invoke(projection, each);
    }
    return text;
}

/// Without the spaces, tabs and line ends around it.
std::string_view trimmed(std::string_view text);

/// What stands between the separators; of no text one part, which is empty. The parts are of the text.
std::vector<std::string_view> split(std::string_view text, char separator);

/// Those, each trimmed.
std::vector<std::string> partsOf(std::string_view text, char separator);

/// How many characters UTF-8 has, code points: bytes that do not go on with one.
std::size_t lettersOf(std::string_view text);

/// The bytes that a text in base64 says (RFC 4648, padded); nothing where it is none.
std::optional<std::string> fromBase64(std::string_view text);

/// The number that the whole text is; nothing where it is none, has anything around it, or is out of the type's range.
template <class Number>
std::optional<Number> numberFrom(std::string_view text)
{
    Number number{};
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    return read.ec == std::errc{} && read.ptr == end ? std::optional(number) : std::nullopt;
}

/// The finite number that a person types: 4096, +4e3, 4k (which is 4 000), 1M, 2G, 2^12, and what the program itself
/// writes, 4 096 with a narrow space and 2¹⁷. Other spaces are refused: "128 256" may be two numbers.
std::optional<double> typedNumber(std::string_view text);

}  // namespace attnscope
