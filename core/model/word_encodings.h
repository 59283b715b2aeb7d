#pragma once
// The kinds of model that a tokenizer.json may have.

#include "core/model/word_encoding.h"

namespace attnscope {

/// The `model` of a tokenizer.json. BPE: byte_pair_encoding.h. WordPiece (Wu et al. 2016): the longest token that the
/// word begins with, then the longest that what is left begins with, marked as a continuation ("##ing"); a word that is
/// not made of tokens is the unknown one. WordLevel: a word is a token or unknown. Unigram (Kudo 2018): of all ways to
/// cut a word into pieces the one whose log probabilities have the largest sum, where a character that is no piece
/// costs 10 more than the rarest piece. Errors: InvalidArgument, Unavailable.
Result<WordEncodingPointer> readWordEncoding(const nlohmann::json& model, const std::string& path);

}  // namespace attnscope
