#pragma once
// Byte pair encoding (Sennrich et al. 2016): a word begins as its characters, and of all neighbouring pairs that the
// table of merges has, the one that comes first in the table is merged, the leftmost first, until none is left. With a
// heap of pairs this takes O(n log n). A word may be a whole text: it is cut where no token holds the two characters at
// the cut, so that no merge can reach across.

#include "core/model/word_encoding.h"

namespace attnscope {

/// The `model` of a tokenizer.json, of type BPE. Of merges that stand twice the last counts. Errors: InvalidArgument,
/// Unavailable (dropout).
Result<WordEncodingPointer> readBytePairs(const nlohmann::json& model, const std::string& path);

/// SentencePiece's byte pair encoding without a table of merges, as GGUF files hold it: of all neighbours whose
/// concatenation is a piece, those of the largest score are merged first, the leftmost first; what is no piece is
/// spelled in bytes (<0x00> to <0xFF>), or is the unknown token. Errors: InvalidArgument.
Result<WordEncodingPointer> scoredPairs(const std::vector<std::string>& pieces, const std::vector<float>& scores,
                                        std::optional<int> unknown, const std::string& path);

}  // namespace attnscope
