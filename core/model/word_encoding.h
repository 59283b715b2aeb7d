#pragma once
// From a word, as a pre-tokeniser has cut it, to token ids.

#include "core/base/error.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace attnscope {

struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
using TokenIds = std::unordered_map<std::string, int, TextHash, std::equal_to<>>;

constexpr int largestTokenId = 1 << 22;

class WordEncoding {
public:
    virtual ~WordEncoding() = default;
    /// Appends the ids of a word, which is UTF-8. Errors: InvalidArgument for a character without a token.
    virtual Result<void> encode(std::string_view word, std::vector<int>& ids) const = 0;
    /// Cuts a word that may be a whole text into such as are encoded each by itself: the ids are the same.
    using Word = std::function<Result<void>(std::string_view word)>;
    virtual Result<void> cut(std::string_view word, const Word& each) const { return each(word); }
    /// "BPE with byte fallback"
    virtual std::string describe() const = 0;

    const TokenIds& ids() const { return m_ids; }
    std::optional<int> idOf(std::string_view token) const
    {
        const auto found = m_ids.find(token);
        return found == m_ids.end() ? std::nullopt : std::optional(found->second);
    }
    bool fallsBackToBytes() const { return !m_bytes.empty(); }

protected:
    /// A vocabulary as an object {token: id}. Errors: InvalidArgument.
    Result<void> readIds(const nlohmann::json* vocabulary, const std::string& path);
    /// <0x00> to <0xFF>, as far as the vocabulary has them.
    void findBytes();
    /// Appends the ids of the bytes of `text`; false, and nothing appended, where the vocabulary lacks one.
    bool appendBytes(std::string_view text, std::vector<int>& ids) const;

    TokenIds m_ids;
    std::vector<int> m_bytes;  ///< ids of the bytes, -1 for one without a token; empty: no byte fallback
};

using WordEncodingPointer = std::unique_ptr<const WordEncoding>;

/// Byte pair encoding (Sennrich et al. 2016), the `model` of a tokenizer.json of type BPE: a word begins as its
/// characters, and of all neighbouring pairs that the table of merges has, the one that comes first in the table is
/// merged, the leftmost first, until none is left. With a heap of pairs this takes O(n log n). A word may be a whole
/// text: it is cut where no token holds the two characters at the cut, so that no merge can reach across. Of merges
/// that stand twice the last counts. Errors: InvalidArgument, Unavailable (dropout).
Result<WordEncodingPointer> readBytePairs(const nlohmann::json& model, const std::string& path);

/// SentencePiece's byte pair encoding without a table of merges, as GGUF files hold it: of all neighbours whose
/// concatenation is a piece, those of the largest score are merged first, the leftmost first; what is no piece is
/// spelled in bytes (<0x00> to <0xFF>), or is the unknown token. Errors: InvalidArgument.
Result<WordEncodingPointer> scoredPairs(const std::vector<std::string>& pieces, const std::vector<float>& scores,
                                        std::optional<int> unknown, const std::string& path);

/// The `model` of a tokenizer.json. BPE: readBytePairs(). WordPiece (Wu et al. 2016): the longest token that the
/// word begins with, then the longest that what is left begins with, marked as a continuation ("##ing"); a word that is
/// not made of tokens is the unknown one. WordLevel: a word is a token or unknown. Unigram (Kudo 2018): of all ways to
/// cut a word into pieces the one whose log probabilities have the largest sum, where a character that is no piece
/// costs 10 more than the rarest piece. Errors: InvalidArgument, Unavailable.
Result<WordEncodingPointer> readWordEncoding(const nlohmann::json& model, const std::string& path);

}  // namespace attnscope
