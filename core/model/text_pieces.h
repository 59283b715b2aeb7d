#pragma once
// What a tokenizer.json does to a text before its pairs are merged: normalisers change it, pre-tokenisers cut it into
// words.

#include "core/base/error.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

using Normalise = std::function<Result<std::string>(std::string)>;
/// Cuts a word into words. `first`: it begins the text.
using Cut = std::function<Result<std::vector<std::string>>(std::string, bool first)>;

/// `normalizer`: null, Sequence, Prepend, Replace (of a String), NFC. Errors: Unavailable for others, InvalidArgument.
Result<std::vector<Normalise>> readNormaliser(const nlohmann::json& given, const std::string& path);

struct PreTokeniser {
    std::vector<Cut> cuts;
    bool byteLevel = false;    ///< words are in the alphabet of byteLetters()
    bool underscores = false;  ///< spaces have become U+2581
};

/// `pre_tokenizer`: null, Sequence, ByteLevel, Split, Digits, Metaspace. Errors as above.
Result<PreTokeniser> readPreTokeniser(const nlohmann::json& given, const std::string& path);

/// The printable character that stands for a byte in byte-level vocabularies (Radford et al. 2019), as UTF-8.
const std::string& byteLetter(unsigned char byte);
/// The byte that a character stands for, or -1.
int letterByte(std::string_view character);

/// UTF-8 with everything that is none replaced by U+FFFD.
std::string repaired(std::string_view text);
/// Is it UTF-8?
bool isUtf8(std::string_view text);

}  // namespace attnscope
