#include "core/model/unicode_text.h"

#include <memory>

#include <unicode/brkiter.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utext.h>
#include <unicode/utf8.h>

namespace attnscope {

namespace {

constexpr char32_t replacement = 0xfffd;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"  // of ICU's macro
/// The character at byte `at`, which moves behind it; below 0 for what is none.
UChar32 decodeNext(std::string_view text, std::size_t& at)
{
    auto place = static_cast<int64_t>(at);
    UChar32 character = 0;
    U8_NEXT(text.data(), place, static_cast<int64_t>(text.size()), character);
    at = static_cast<std::size_t>(place);
    return character;
}
#pragma GCC diagnostic pop

bool hasCategory(char32_t character, uint32_t mask)
{
    return (U_MASK(u_charType(static_cast<UChar32>(character))) & mask) != 0;
}

const icu::Normalizer2* normaliserOf(NormalForm form)
{
    UErrorCode status = U_ZERO_ERROR;
    switch (form) {
    case NormalForm::C:
        return icu::Normalizer2::getNFCInstance(status);
    case NormalForm::D:
        return icu::Normalizer2::getNFDInstance(status);
    case NormalForm::KC:
        return icu::Normalizer2::getNFKCInstance(status);
    case NormalForm::KD:
        return icu::Normalizer2::getNFKDInstance(status);
    }
    return nullptr;
}

}  // namespace

bool isUtf8(std::string_view text)
{
    for (std::size_t at = 0; at < text.size();)
        if (decodeNext(text, at) < 0)
            return false;
    return true;
}

std::string repaired(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        if (decodeNext(text, at) < 0)
            appendCharacter(out, replacement);
        else
            out.append(text, begin, at - begin);
    }
    return out;
}

char32_t nextCharacter(std::string_view text, std::size_t& at)
{
    const UChar32 character = decodeNext(text, at);
    return character < 0 ? replacement : static_cast<char32_t>(character);
}

char32_t previousCharacter(std::string_view text, std::size_t& at)
{
    std::size_t begin = at - 1;
    while (begin > 0 && at - begin < 4 && U8_IS_TRAIL(static_cast<std::uint8_t>(text[begin])))
        --begin;
    std::size_t end = begin;
    const char32_t character = nextCharacter(text.substr(0, at), end);
    if (end != at)
        return --at, replacement;
    at = begin;
    return character;
}

std::size_t lengthOfCharacter(std::string_view text)
{
    std::size_t at = 0;
    nextCharacter(text, at);
    return at;
}

Result<void> eachGrapheme(std::string_view text, const std::function<Result<void>(std::string_view)>& each)
{
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<icu::BreakIterator> ends(
        icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status));
    UText whole = UTEXT_INITIALIZER;
    utext_openUTF8(&whole, text.data(), static_cast<int64_t>(text.size()), &status);
    if (U_SUCCESS(status))
        ends->setText(&whole, status);
    Result<void> done;
    if (U_FAILURE(status))
        done = failure(ErrorKind::Unavailable, "ICU cannot cut the text into graphemes ({}); install ICU's data",
                       u_errorName(status));
    for (int32_t begin = 0, end = 0; done && (end = ends->next()) != icu::BreakIterator::DONE; begin = end)
        done = each(text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
    utext_close(&whole);
    return done;
}

void appendCharacter(std::string& text, char32_t character)
{
    const auto trail = [&](int shift) { text += static_cast<char>(0x80 | (character >> shift & 0x3f)); };
    if (character < 0x80) {
        text += static_cast<char>(character);
    } else if (character < 0x800) {
        text += static_cast<char>(0xc0 | character >> 6);
        trail(0);
    } else if (character < 0x10000) {
        text += static_cast<char>(0xe0 | character >> 12);
        trail(6);
        trail(0);
    } else {
        text += static_cast<char>(0xf0 | character >> 18);
        trail(12);
        trail(6);
        trail(0);
    }
}

bool isSpace(char32_t character) { return u_isUWhiteSpace(static_cast<UChar32>(character)) != 0; }

bool isNumber(char32_t character) { return hasCategory(character, U_GC_N_MASK); }

bool isPunctuation(char32_t character)
{
    if (character < 0x80)
        return character > 0x20 && character < 0x7f && u_isalnum(static_cast<UChar32>(character)) == 0;
    return hasCategory(character, U_GC_P_MASK);
}

bool isMark(char32_t character) { return hasCategory(character, U_GC_M_MASK); }

bool isNonSpacingMark(char32_t character) { return hasCategory(character, U_GC_MN_MASK); }

bool isControl(char32_t character)
{
    return hasCategory(character, U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CS_MASK | U_GC_CO_MASK);
}

bool isWord(char32_t character)
{
    const auto code = static_cast<UChar32>(character);
    return u_hasBinaryProperty(code, UCHAR_ALPHABETIC) || u_hasBinaryProperty(code, UCHAR_JOIN_CONTROL) ||
           hasCategory(character, U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK);
}

char32_t lowerCase(char32_t character) { return static_cast<char32_t>(u_tolower(static_cast<UChar32>(character))); }

std::string normalForm(const std::string& text, NormalForm form)
{
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2* const normaliser = normaliserOf(form);
    std::string out;
    if (normaliser) {
        icu::StringByteSink<std::string> sink(&out, static_cast<int32_t>(text.size()));
        normaliser->normalizeUTF8(0, icu::StringPiece(text.data(), static_cast<int32_t>(text.size())), sink, nullptr,
                                  status);
    }
    return normaliser && U_SUCCESS(status) ? out : text;
}

}  // namespace attnscope
