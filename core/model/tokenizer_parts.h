#pragma once
// A tokeniser in its parts, in the order in which they are applied: added tokens are taken out of the text, what is
// left is normalised, added tokens that are sought there are taken out of it, the rest is cut into words, each word
// becomes ids. Every source of tokenisers (tokenizer.json, files of other tools, a GGUF file's metadata) makes these
// parts.

#include "core/model/added_tokens.h"
#include "core/model/text_pieces.h"
#include "core/model/tokenizer.h"
#include "core/model/word_encoding.h"

namespace attnscope {

/// From tokens back to a text: steps that change a list of tokens one after another.
using Decode = std::function<std::vector<std::string>(std::vector<std::string>)>;
/// The `decoder` of a tokenizer.json. Not null. Errors: Unavailable (a kind that is not run), InvalidArgument.
Result<std::vector<Decode>> readDecoder(const nlohmann::json& given, const std::string& path);

struct TokenizerParts {
    std::vector<AddedToken> added;
    std::vector<Normalise> normalisers;
    PreTokeniser cutter;
    WordEncodingPointer encoding;
    std::vector<Decode> decoders;
    std::optional<TextBegin> begin = {};
};

/// What a tokenizer.json's post_processor puts before a text; nothing where there is no post_processor, as in those
/// that this program writes (byte_pair_training.h).
std::optional<TextBegin> beginOf(const nlohmann::json& postProcessor);

/// `path` is for messages. Errors: InvalidArgument, those of the normalisers.
Result<std::shared_ptr<const Tokenizer>> makeTokenizer(TokenizerParts parts, const std::string& path);

/// Those of a tokenizer.json that has been parsed. Errors: InvalidArgument, Unavailable.
Result<TokenizerParts> partsOf(const nlohmann::json& json, const std::string& path);

}  // namespace attnscope
