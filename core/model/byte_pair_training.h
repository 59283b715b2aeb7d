#pragma once
// A byte-level byte pair encoding learned from a text (Sennrich et al. 2016): words are cut as GPT-2 cuts them, every
// byte is a token, and the pair of neighbours that stands together most often becomes one, until the vocabulary is
// full.

#include "core/base/error.h"

#include <stop_token>
#include <string>
#include <string_view>

namespace attnscope {

/// Token 0 of every vocabulary learned here.
constexpr const char* beginTokenText = "<s>";

/// The text of a tokenizer.json of at most `vocabulary` tokens: <s>, the 256 bytes, and merges, of pairs of equal
/// counts the one of the smaller ids first; fewer where the text has no pair twice. Errors: InvalidArgument (no UTF-8,
/// a vocabulary below 257), Cancelled.
Result<std::string> trainByteLevelTokenizer(std::string_view text, int vocabulary, const std::stop_token& stop = {});

}  // namespace attnscope
