#include "core/model/added_tokens.h"

#include "core/base/json_reader.h"
#include "core/model/unicode_text.h"
#include "core/model/word_encoding.h"

namespace attnscope {

namespace {

constexpr std::size_t longestToken = 1024;  ///< bytes; seeking them takes as many steps a byte at worst

bool endsInWord(std::string_view text)
{
    std::size_t at = text.size();
    return at > 0 && isWord(previousCharacter(text, at));
}

bool beginsWithWord(std::string_view text)
{
    std::size_t at = 0;
    return !text.empty() && isWord(nextCharacter(text, at));
}

/// Where the white space begins that ends at `end`, `least` at the earliest.
std::size_t spaceBefore(std::string_view text, std::size_t end, std::size_t least)
{
    for (std::size_t at = end; at > least; end = at)
        if (!isSpace(previousCharacter(text, at)))
            break;
    return std::max(end, least);
}

std::size_t spaceBehind(std::string_view text, std::size_t begin)
{
    for (std::size_t at = begin; at < text.size(); begin = at)
        if (!isSpace(nextCharacter(text, at)))
            break;
    return begin;
}

}  // namespace

Result<std::vector<AddedToken>> AddedTokens::read(const nlohmann::json& given, const std::string& path)
{
    std::vector<AddedToken> tokens;
    if (given.is_null())
        return tokens;
    if (!given.is_array())
        return failure(ErrorKind::InvalidArgument, path + " must be a list");
    tokens.reserve(given.size());
    for (const nlohmann::json& one : given) {
        AddedToken& token = tokens.emplace_back();
        ObjectReader fields(one, placeIn(path, tokens.size() - 1));
        fields.text("content", token.text);
        fields.number("id", token.id, 0, largestTokenId);
        fields.boolean("special", token.special);
        fields.boolean("normalized", token.normalized);
        fields.boolean("lstrip", token.leftStrip);
        fields.boolean("rstrip", token.rightStrip);
        fields.boolean("single_word", token.singleWord);
        TRY(fields.status());
    }
    return tokens;
}

Result<AddedTokens> AddedTokens::make(std::vector<AddedToken> tokens, const ToText& normalise, const std::string& path)
{
    AddedTokens added;
    std::vector<std::pair<std::string, int>> raw, inNormalised;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        AddedToken& token = tokens[i];
        if (token.text.empty() || token.text.size() > longestToken)
            return failure(ErrorKind::InvalidArgument, "{}[{}].content must not be empty, nor longer than {} bytes",
                           path, i, longestToken);
        added.m_byId[token.id] = i;
        if (token.normalized)
            inNormalised.emplace_back(TRY(normalise(token.text)), static_cast<int>(i));
        else
            raw.emplace_back(token.text, static_cast<int>(i));
    }
    added.m_tokens = std::move(tokens);
    added.m_raw = PrefixTable(std::move(raw));
    added.m_normalised = PrefixTable(std::move(inNormalised));
    return added;
}

Result<void> AddedTokens::split(std::string_view text, bool normalised, const Text& each, const Token& token) const
{
    const PrefixTable& table = normalised ? m_normalised : m_raw;
    std::size_t done = 0, spaceEnd = 0;
    for (std::size_t at = 0; !table.empty() && at < text.size();) {
        const auto found = table.longestOf(text.substr(at));
        if (!found) {
            ++at;
            continue;
        }
        const AddedToken& one = m_tokens[static_cast<std::size_t>(found->number)];
        std::size_t begin = at, end = at + found->length;
        at = end;
        if (one.singleWord && (endsInWord(text.substr(0, begin)) || beginsWithWord(text.substr(end))))
            continue;
        if (one.leftStrip)
            begin = spaceBefore(text, begin, done);
        if (one.rightStrip)  // a stretch of white space is looked through once
            end = spaceEnd = end < spaceEnd ? spaceEnd : spaceBehind(text, end);
        if (done < begin)
            TRY(each(done, begin));
        token(one.id);
        done = end;
    }
    return done < text.size() ? each(done, text.size()) : Result<void>{};
}

}  // namespace attnscope
