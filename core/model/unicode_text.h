#pragma once
// Characters of a UTF-8 text and the classes that tokenisers ask for, of Unicode's database as ICU has it.

#include "core/base/error.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace attnscope {

/// Is it UTF-8?
bool isUtf8(std::string_view text);

/// UTF-8 with everything that is none replaced by U+FFFD.
std::string repaired(std::string_view text);

/// The character that begins at byte `at`, which moves behind it; U+FFFD for what is none.
char32_t nextCharacter(std::string_view text, std::size_t& at);

/// The character that ends before byte `at`, which moves to its beginning.
char32_t previousCharacter(std::string_view text, std::size_t& at);

/// Bytes of the first character of a text that is not empty.
std::size_t lengthOfCharacter(std::string_view text);

/// What a reader takes for one character (UAX 29, extended grapheme clusters), one after another. Errors: those of
/// `each`.
Result<void> eachGrapheme(std::string_view text, const std::function<Result<void>(std::string_view)>& each);

void appendCharacter(std::string& text, char32_t character);

bool isSpace(char32_t character);           ///< White_Space
bool isNumber(char32_t character);          ///< Nd, Nl, No
bool isPunctuation(char32_t character);     ///< P*, and every printable ASCII that is neither letter nor digit
bool isMark(char32_t character);            ///< M*
bool isNonSpacingMark(char32_t character);  ///< Mn
bool isControl(char32_t character);         ///< Cc, Cf, Cs, Co
bool isWord(char32_t character);            ///< \w of UTS 18: letters, marks, decimal digits, connectors, joiners
char32_t lowerCase(char32_t character);     ///< one character for one

enum class NormalForm { C, D, KC, KD };
/// The text in one of Unicode's normal forms (UAX 15).
std::string normalForm(const std::string& text, NormalForm form);

}  // namespace attnscope
