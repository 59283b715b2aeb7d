#include "core/model/byte_letters.h"

#include "core/model/unicode_text.h"

#include <array>

namespace attnscope {

namespace {

constexpr char32_t firstOther = 0x100, behindOthers = 0x100 + 68;

struct Letters {
    std::array<std::string, 256> ofByte;
    std::array<int, behindOthers> byteOf{};  ///< by the character, -1: it stands for no byte

    /// Bytes that print stand for themselves; the others, in order, for U+0100 and on.
    Letters()
    {
        byteOf.fill(-1);
        char32_t other = firstOther;
        for (int byte = 0; byte < 256; ++byte) {
            const bool prints = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
            const char32_t letter = prints ? static_cast<char32_t>(byte) : other++;
            appendCharacter(ofByte[static_cast<std::size_t>(byte)], letter);
            byteOf[letter] = byte;
        }
    }
};

const Letters& letters()
{
    static const Letters table;
    return table;
}

}  // namespace

const std::string& byteLetter(unsigned char byte) { return letters().ofByte[byte]; }

int letterByte(std::string_view character)
{
    std::size_t at = 0;
    const char32_t code = nextCharacter(character, at);
    return code < behindOthers ? letters().byteOf[code] : -1;
}

std::string spelledInLetters(std::string_view text)
{
    std::string spelled;
    spelled.reserve(2 * text.size());
    for (const char byte : text)
        spelled += byteLetter(static_cast<unsigned char>(byte));
    return spelled;
}

}  // namespace attnscope
