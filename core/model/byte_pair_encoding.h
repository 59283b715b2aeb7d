#pragma once
// Byte pair encoding (Sennrich et al. 2016): a word begins as its characters, and of all neighbouring pairs that the
// table of merges has, the one that comes first in the table is merged, the leftmost first, until none is left. With a
// heap of pairs this takes O(n log n), so a whole text may be one word.

#include "core/base/error.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace attnscope {

class BytePairEncoding {
public:
    /// The `model` of a tokenizer.json. Errors: InvalidArgument, Unavailable (dropout, prefixes and suffixes of words).
    static Result<BytePairEncoding> read(const nlohmann::json& model, const std::string& path);

    /// Appends the ids of a word, which is UTF-8. Errors: InvalidArgument for a character without a token.
    Result<void> encode(std::string_view word, std::vector<int>& ids) const;

    std::optional<int> idOf(std::string_view token) const;
    size_t size() const { return m_ids.size(); }
    bool byteFallback() const { return m_byteFallback; }
    const std::unordered_map<std::string, int>& ids() const { return m_ids; }

private:
    struct Merge {
        std::uint32_t rank;
        int id;
    };
    const Merge* mergeOf(int left, int right) const;
    Result<std::vector<int>> characters(std::string_view word) const;

    std::unordered_map<std::string, int> m_ids;
    std::unordered_map<std::uint64_t, Merge> m_merges;  ///< by the two ids
    std::vector<int> m_bytes;                           ///< <0x00> .. <0xFF>; empty: no byte fallback
    std::optional<int> m_unknown;
    bool m_byteFallback = false, m_fuseUnknown = false, m_wholeWords = false;
};

}  // namespace attnscope
