#pragma once
// The files that tokenisers had before tokenizer.json, and the tokens that are added beside them.

#include "core/model/added_tokens.h"
#include "core/model/tokenizer.h"

namespace attnscope {

/// vocab.json and merges.txt: byte-level BPE, as GPT-2 or as Qwen 2 cuts texts. Errors: those of files,
/// InvalidArgument, Unavailable (tokenizer_config.json names another kind).
Result<std::shared_ptr<const Tokenizer>> openMerges(const std::string& folder);

/// vocab.txt, a token a line: BERT's WordPiece. Errors: those of files, InvalidArgument.
Result<std::shared_ptr<const Tokenizer>> openWordPieces(const std::string& folder);

/// tokenizer.model. Errors: those of files, NotReadable, Unavailable (built without libsentencepiece).
Result<std::shared_ptr<const Tokenizer>> openSentencePiece(const std::string& folder);

/// tokenizer_config.json; an empty object where there is none. Errors: those of files.
Result<nlohmann::json> readTokenizerConfig(const std::string& folder);

/// What tokenizer_config.json, special_tokens_map.json and added_tokens.json add: tokens with ids of their own, and
/// special ones that the vocabulary has. `idOf(token)` asks it. `usual`: special ones where no file says any. Errors:
/// those of files, InvalidArgument.
Result<std::vector<AddedToken>> addedBeside(const std::string& folder,
                                            const std::function<std::optional<int>(const std::string&)>& idOf,
                                            const std::vector<std::string>& usual);

}  // namespace attnscope
