#pragma once
// The printable characters that stand for bytes in byte-level vocabularies (Radford et al. 2019).

#include <string>
#include <string_view>

namespace attnscope {

/// The character that stands for a byte, as UTF-8.
const std::string& byteLetter(unsigned char byte);

/// The byte that a character stands for, or -1.
int letterByte(std::string_view character);

/// A text's bytes as letters.
std::string spelledInLetters(std::string_view text);

}  // namespace attnscope
