#pragma once
// Text to token ids and back. A folder's tokenizer.json, vocab.json with merges.txt, or vocab.txt, and the vocabulary
// of a GGUF file are read by the program itself; tokenizer.model by libsentencepiece where the program was built with
// it. Texts are UTF-8.

#include "core/base/error.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

/// What a tokeniser puts before a text.
struct TextBegin {
    bool any = false;
    std::optional<int> token = {};  ///< nothing: the one that the model's config names
};

class Tokenizer {
public:
    virtual ~Tokenizer() = default;

    /// The ids of the text alone: no begin or end token is put around it. Added tokens that stand in the text are taken
    /// as such. Errors: InvalidArgument (no UTF-8; a character that has no token).
    virtual Result<std::vector<int>> encode(std::string_view text) const = 0;

    /// The text of these ids, special tokens left out; bytes that make no character become U+FFFD. Ids that do not
    /// exist add nothing.
    virtual std::string decode(std::span<const int> ids) const = 0;

    /// What its files say of how texts begin; nothing where they do not say.
    virtual std::optional<TextBegin> begin() const { return std::nullopt; }

    /// "byte-level BPE, 50257 tokens"
    virtual std::string describe() const = 0;
};

/// The folder's tokenizer.json; where there is none, vocab.json with merges.txt, vocab.txt, or tokenizer.model, with
/// the tokens that tokenizer_config.json, special_tokens_map.json and added_tokens.json add. A tokenizer.json that is
/// not run is an error, whatever stands beside it. Errors: NotFound, InvalidHeader, InvalidArgument, Unavailable (a
/// kind that is not run).
Result<std::shared_ptr<const Tokenizer>> openTokenizer(const std::string& folder);

/// A tokenizer.json. `path` is for messages.
Result<std::shared_ptr<const Tokenizer>> readTokenizerJson(std::string_view json, const std::string& path);

/// A vocabulary as GGUF files hold it, field by field.
struct Vocabulary {
    /// "llama" (SentencePiece, merged by score), "t5" (SentencePiece's Unigram), "gpt2" (byte-level BPE) or "bert"
    std::string model;
    std::string preTokeniser = {};    ///< how texts are cut, of "gpt2": "llama-bpe", "qwen2", "gpt-2", ..., "default"
    std::vector<std::string> tokens;  ///< by id
    std::vector<float> scores = {};   ///< of "llama" and "t5", one a token
    std::vector<int> types = {};  ///< 1 normal, 2 unknown, 3 control, 4 user-defined, 5 unused, 6 byte; may be empty
    std::vector<std::string> merges = {};     ///< of "gpt2": "a b", in their order
    std::optional<int> unknown = {};          ///< id of the unknown token
    bool addSpacePrefix = true;               ///< of "llama" and "t5": a text begins as if a space stood before it
    std::string characterMap = {};            ///< of "t5": precompiled_charsmap; empty: none
    bool spacesFold = false;                  ///< of "t5": spaces at both ends go, several become one
    std::string name = {};                    ///< general.name: Phi-3's tokens take the spaces behind them
    bool lowerCase = true;                    ///< of "bert": texts become lower case
    std::optional<bool> withoutAccents = {};  ///< of "bert"; nothing: with `lowerCase`
};

/// Its tokeniser. `path` is for messages. Errors: InvalidArgument, Unavailable (a kind, or a way of cutting, that is
/// not known).
Result<std::shared_ptr<const Tokenizer>> tokenizerFromVocabulary(const Vocabulary& vocabulary, const std::string& path);

/// Token ids from a text file: whole numbers from 0 on, separated by white space or commas. Errors: those of files,
/// InvalidArgument.
Result<std::vector<int>> readIds(const std::string& path);

}  // namespace attnscope
