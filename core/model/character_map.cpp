#include "core/model/character_map.h"

#include "core/base/text.h"
#include "core/model/text_pieces.h"
#include "core/model/unicode_text.h"

namespace attnscope {

namespace {

/// A unit of the double array: the byte that leads to it, where its children begin, and whether one of them is a value.
constexpr std::uint32_t valueBit = 1U << 31;

constexpr bool isValue(std::uint32_t unit) { return (unit & valueBit) != 0; }
constexpr bool hasValue(std::uint32_t unit) { return (unit >> 8 & 1) != 0; }
constexpr std::uint32_t valueOf(std::uint32_t unit) { return unit & (valueBit - 1); }
constexpr std::uint32_t labelOf(std::uint32_t unit) { return unit & (valueBit | 0xff); }
constexpr std::uint32_t offsetOf(std::uint32_t unit) { return unit >> 10 << ((unit & 1U << 9) >> 6); }

std::uint32_t wordAt(std::string_view bytes, std::size_t at)
{
    std::uint32_t word = 0;
    for (std::size_t b = 4; b-- > 0;)
        word = word << 8 | static_cast<unsigned char>(bytes[at + b]);
    return word;
}

tl::unexpected<Error> wrongMap(const std::string& path, const std::string& what)
{
    return failure(
        ErrorKind::InvalidArgument,
        "{}.precompiled_charsmap {}; take the file from the model's repository again, or remove its normaliser", path,
        what);
}

}  // namespace

Result<CharacterMap> CharacterMap::readBase64(std::string_view base64, const std::string& path)
{
    const std::optional<std::string> bytes = fromBase64(base64);
    if (!bytes)
        return wrongMap(path, "is no base64");
    return read(*bytes, path);
}

Result<CharacterMap> CharacterMap::read(std::string_view bytes, const std::string& path)
{
    if (bytes.size() < 4)
        return wrongMap(path, "is empty");
    const std::uint32_t size = wordAt(bytes, 0);
    if (size == 0 || size % 4 != 0 || size > bytes.size() - 4)
        return wrongMap(path,
                        fmt::format("says that its trie has {} bytes, and has {} in all", size, bytes.size() - 4));
    CharacterMap map;
    map.m_units.reserve(size / 4);
    for (std::size_t at = 4; at < 4 + std::size_t{size}; at += 4)
        map.m_units.push_back(wordAt(bytes, at));
    map.m_texts = bytes.substr(4 + std::size_t{size});
    if (!isUtf8(map.m_texts))
        return wrongMap(path, "holds texts that are no UTF-8");
    if (!map.isWhole())
        return wrongMap(path, "has a trie that leads out of its units, or to no text");
    return map;
}

bool CharacterMap::isWhole() const
{
    for (std::size_t at = 0; at < m_units.size(); ++at) {
        const std::uint32_t unit = m_units[at];
        if (isValue(unit) || !hasValue(unit))
            continue;
        const std::size_t child = at ^ offsetOf(unit);
        if (child >= m_units.size() || valueOf(m_units[child]) >= m_texts.size() ||
            (static_cast<unsigned char>(m_texts[valueOf(m_units[child])]) & 0xc0) == 0x80)
            return false;
    }
    return true;
}

std::optional<std::string_view> CharacterMap::find(std::string_view key) const
{
    std::size_t at = offsetOf(m_units[0]);
    for (const char c : key) {
        const auto byte = static_cast<unsigned char>(c);
        at ^= byte;
        if (byte == 0 || at >= m_units.size() || labelOf(m_units[at]) != byte)
            return std::nullopt;
        const std::uint32_t unit = m_units[at];
        at ^= offsetOf(unit);
        if (hasValue(unit)) {
            const std::string_view texts = std::string_view(m_texts).substr(valueOf(m_units[at]));
            return texts.substr(0, texts.find('\0'));
        }
    }
    return std::nullopt;
}

Result<std::string> CharacterMap::applied(std::string_view text) const
{
    constexpr std::size_t longestWhole = 5;
    std::string out;
    out.reserve(text.size());
    TRY(eachGrapheme(text, [&](std::string_view grapheme) -> Result<void> {
        if (const auto whole = grapheme.size() <= longestWhole ? find(grapheme) : std::nullopt) {
            out += *whole;
        } else {
            for (std::size_t at = 0; at < grapheme.size();) {
                const std::string_view character = grapheme.substr(at, lengthOfCharacter(grapheme.substr(at)));
                out += find(character).value_or(character);
                at += character.size();
            }
        }
        return withinMeasure(out, text.size());
    }));
    return out;
}

}  // namespace attnscope
