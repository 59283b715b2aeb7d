#pragma once
// What SentencePiece's models make of characters before anything else: NFKC and more, worked out beforehand
// (Kudo & Richardson 2018, section 3.3). The bytes of `precompiled_charsmap` are
//     4         the size of the trie in bytes, little endian
//     size      units of 4 bytes: a double array (Darts-clone) over the bytes of what is replaced
//     the rest  what stands in its place: UTF-8 texts, a zero byte behind each; the trie's values are where they begin

#include "core/base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

class CharacterMap {
public:
    /// `path` is for messages. Errors: InvalidArgument.
    static Result<CharacterMap> read(std::string_view bytes, const std::string& path);
    static Result<CharacterMap> readBase64(std::string_view base64, const std::string& path);

    /// As the Rust library has it: a grapheme of fewer than 6 bytes becomes what its shortest beginning in the map
    /// does, all of it; without one, or of a longer grapheme, each character becomes what its own does.
    /// Errors: InvalidArgument (a text that grows beyond all measure).
    Result<std::string> applied(std::string_view text) const;

private:
    /// What stands in the place of the key's shortest beginning in the map.
    std::optional<std::string_view> find(std::string_view key) const;
    bool isWhole() const;

    std::vector<std::uint32_t> m_units;
    std::string m_texts;
};

}  // namespace attnscope
