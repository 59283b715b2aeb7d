#pragma once
// Tokens that were added to a vocabulary: they are found in the text before anything else is done to it, or, where they
// are `normalized`, in the normalised text, the longest of those that begin first.

#include "core/base/error.h"
#include "core/model/prefix_table.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace attnscope {

struct AddedToken {
    std::string text;
    int id = 0;
    bool special = false;                        ///< left out where ids become text
    bool normalized = false;                     ///< sought, normalised itself, in normalised text
    bool leftStrip = false, rightStrip = false;  ///< takes the white space before, or behind it
    bool singleWord = false;                     ///< not within a word
};

class AddedTokens {
public:
    using ToText = std::function<Result<std::string>(std::string)>;

    AddedTokens() = default;
    /// `normalise` is applied to the `normalized` ones. Errors: InvalidArgument, those of `normalise`.
    static Result<AddedTokens> make(std::vector<AddedToken> tokens, const ToText& normalise, const std::string& path);
    /// `added_tokens` of a tokenizer.json: null or a list. Errors: InvalidArgument.
    static Result<std::vector<AddedToken>> read(const nlohmann::json& given, const std::string& path);

    /// The text from its beginning to its end: text(begin, end) for what is none of them, token(id) for one.
    /// `normalised`: those that are sought in normalised text, else the others.
    using Text = std::function<Result<void>(std::size_t begin, std::size_t end)>;
    using Token = std::function<void(int id)>;
    Result<void> split(std::string_view text, bool normalised, const Text& each, const Token& token) const;

    const AddedToken* find(int id) const
    {
        const auto found = m_byId.find(id);
        return found == m_byId.end() ? nullptr : &m_tokens[found->second];
    }
    const std::vector<AddedToken>& all() const { return m_tokens; }

private:
    std::vector<AddedToken> m_tokens;
    std::unordered_map<int, std::size_t> m_byId;
    PrefixTable m_raw, m_normalised;  ///< places in m_tokens
};

}  // namespace attnscope
