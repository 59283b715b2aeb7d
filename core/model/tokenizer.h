#pragma once
// Text to token ids and back. A folder's tokenizer.json (byte pair encoding, byte-level or with byte fallback) is read
// by the program itself; tokenizer.model by libsentencepiece where the program was built with it. Texts are UTF-8.

#include "core/base/error.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

class Tokenizer {
public:
    virtual ~Tokenizer() = default;

    /// The ids of the text alone: no begin or end token is put around it. Added tokens that stand in the text are taken
    /// as such. Errors: InvalidArgument (no UTF-8; a character that has no token).
    virtual Result<std::vector<int>> encode(std::string_view text) const = 0;

    /// The text of these ids, special tokens left out; bytes that make no character become U+FFFD. Ids that do not
    /// exist add nothing.
    virtual std::string decode(std::span<const int> ids) const = 0;

    /// "byte-level BPE, 50257 tokens"
    virtual std::string describe() const = 0;
};

/// The folder's tokenizer.json, or tokenizer.model. Errors: NotFound, InvalidHeader, InvalidArgument, Unavailable (a
/// kind that is not run).
Result<std::shared_ptr<const Tokenizer>> openTokenizer(const std::string& folder);

/// A tokenizer.json. `path` is for messages.
Result<std::shared_ptr<const Tokenizer>> readTokenizerJson(std::string_view json, const std::string& path);

/// A tokenizer.model. Errors: NotReadable, Unavailable (built without libsentencepiece).
Result<std::shared_ptr<const Tokenizer>> openSentencePiece(const std::string& path);

/// Token ids from a text file: whole numbers from 0 on, separated by white space or commas. Errors: those of files,
/// InvalidArgument.
Result<std::vector<int>> readIds(const std::string& path);

}  // namespace attnscope
