#include "core/model/byte_pair_encoding.h"

#include "core/base/json_reader.h"
#include "core/tensor/byte_source.h"

#include <array>
#include <cstdio>
#include <queue>

namespace attnscope {

namespace {

constexpr int largestId = 1 << 22;

std::uint64_t pairOf(int left, int right)
{
    return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right);
}

std::string byteToken(int byte)
{
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "<0x%02X>", byte);
    return text.data();
}

/// Bytes of the UTF-8 character that begins with this byte; the text has been checked.
size_t lengthOfCharacter(char first)
{
    const auto byte = static_cast<unsigned char>(first);
    return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

/// The two tokens of a merge, as "a b" or ["a", "b"]; nothing if it is neither.
std::optional<std::pair<std::string, std::string>> tokensOf(const nlohmann::json& merge)
{
    if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string())
        return std::pair{merge[0].get<std::string>(), merge[1].get<std::string>()};
    if (!merge.is_string())
        return std::nullopt;
    const auto& text = merge.get_ref<const std::string&>();
    const size_t space = text.find(' ');
    if (space == text.npos)
        return std::nullopt;
    return std::pair{text.substr(0, space), text.substr(space + 1)};
}

}  // namespace

Result<BytePairEncoding> BytePairEncoding::read(const nlohmann::json& model, const std::string& path)
{
    ObjectReader fields(model, path);
    BytePairEncoding encoding;
    std::string type = "BPE", unknown, prefix, suffix;
    double dropout = 0;
    const auto present = [&](const char* key) {
        return model.is_object() && model.contains(key) && !model[key].is_null();
    };
    fields.text("type", type);
    if (type != "BPE")
        return failure(ErrorKind::Unavailable,
                       path + ".type is '" + type.substr(0, 40) + "', which is not run here; what is run: BPE");
    if (present("unk_token"))
        fields.text("unk_token", unknown);
    if (present("continuing_subword_prefix"))
        fields.text("continuing_subword_prefix", prefix);
    if (present("end_of_word_suffix"))
        fields.text("end_of_word_suffix", suffix);
    if (present("dropout"))
        fields.number("dropout", dropout, 0, 1);
    fields.boolean("byte_fallback", encoding.m_byteFallback);
    fields.boolean("fuse_unk", encoding.m_fuseUnknown);
    fields.boolean("ignore_merges", encoding.m_wholeWords);
    const nlohmann::json* vocabulary = fields.field("vocab");
    const nlohmann::json* merges = fields.field("merges");
    TRY(fields.status());
    if (dropout > 0 || !prefix.empty() || !suffix.empty())
        return failure(ErrorKind::Unavailable,
                       path + " asks for dropout, or marks of subwords, which are not run here");
    if (!vocabulary || !vocabulary->is_object() || !merges || !merges->is_array())
        return failure(ErrorKind::InvalidArgument, path + " must have an object vocab and a list merges");

    for (const auto& [token, id] : vocabulary->items()) {
        if (!id.is_number_unsigned() || id.get<std::uint64_t>() > largestId)
            return failure(ErrorKind::InvalidArgument, path + ".vocab: the id of " + inQuotes(token) +
                                                           " must be a whole number up to " +
                                                           std::to_string(largestId));
        encoding.m_ids.emplace(token, id.get<int>());
    }
    for (size_t rank = 0; rank < merges->size(); ++rank) {
        const auto tokens = tokensOf((*merges)[rank]);
        const auto left = tokens ? encoding.idOf(tokens->first) : std::nullopt,
                   right = tokens ? encoding.idOf(tokens->second) : std::nullopt;
        const auto merged = tokens ? encoding.idOf(tokens->first + tokens->second) : std::nullopt;
        if (!left || !right || !merged)
            return failure(ErrorKind::InvalidArgument, path + ".merges[" + std::to_string(rank) +
                                                           "] must be two tokens of the vocabulary that make a third");
        encoding.m_merges.emplace(pairOf(*left, *right), Merge{static_cast<std::uint32_t>(rank), *merged});
    }
    if (!unknown.empty() && !(encoding.m_unknown = encoding.idOf(unknown)))
        return failure(ErrorKind::InvalidArgument,
                       path + ".unk_token " + inQuotes(unknown) + " is not in the vocabulary");
    for (int byte = 0; encoding.m_byteFallback && byte < 256; ++byte) {
        const auto id = encoding.idOf(byteToken(byte));
        if (!id)
            return failure(ErrorKind::InvalidArgument,
                           path + ".vocab has no " + byteToken(byte) + ", which byte_fallback needs");
        encoding.m_bytes.push_back(*id);
    }
    return encoding;
}

std::optional<int> BytePairEncoding::idOf(std::string_view token) const
{
    const auto found = m_ids.find(std::string(token));
    return found == m_ids.end() ? std::nullopt : std::optional(found->second);
}

const BytePairEncoding::Merge* BytePairEncoding::mergeOf(int left, int right) const
{
    const auto found = m_merges.find(pairOf(left, right));
    return found == m_merges.end() ? nullptr : &found->second;
}

Result<std::vector<int>> BytePairEncoding::characters(std::string_view word) const
{
    std::vector<int> ids;
    bool afterUnknown = false;
    for (size_t at = 0; at < word.size();) {
        const std::string_view character = word.substr(at, lengthOfCharacter(word[at]));
        at += character.size();
        const auto id = idOf(character);
        if (id) {
            ids.push_back(*id);
        } else if (m_byteFallback) {
            for (const char byte : character)
                ids.push_back(m_bytes[static_cast<unsigned char>(byte)]);
        } else if (m_unknown) {
            if (!afterUnknown || !m_fuseUnknown)
                ids.push_back(*m_unknown);
        } else {
            return failure(ErrorKind::InvalidArgument, "the tokeniser has no token for " + inQuotes(character));
        }
        afterUnknown = !id && !m_byteFallback;
    }
    return ids;
}

Result<void> BytePairEncoding::encode(std::string_view word, std::vector<int>& ids) const
{
    if (m_wholeWords)
        if (const auto id = idOf(word)) {
            ids.push_back(*id);
            return {};
        }
    struct Symbol {
        int id;
        std::ptrdiff_t previous, next;  ///< neighbours that are left; -1: none
    };
    struct Candidate {
        std::uint32_t rank;
        std::ptrdiff_t at;
        int id;  ///< what the merge would give: another one means that a neighbour has changed since
        bool operator>(const Candidate& other) const { return rank != other.rank ? rank > other.rank : at > other.at; }
    };
    const std::vector<int> start = TRY(characters(word));
    std::vector<Symbol> symbols;
    symbols.reserve(start.size());
    for (const int id : start) {
        const auto at = static_cast<std::ptrdiff_t>(symbols.size());
        symbols.push_back({id, at - 1, at + 1 < static_cast<std::ptrdiff_t>(start.size()) ? at + 1 : -1});
    }
    const auto symbol = [&](std::ptrdiff_t at) -> Symbol& { return symbols[static_cast<size_t>(at)]; };
    constexpr int merged = -1;  // the id of a symbol that its left neighbour has taken in
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates;
    const auto consider = [&](std::ptrdiff_t at) {
        if (at >= 0 && symbol(at).next >= 0)
            if (const Merge* merge = mergeOf(symbol(at).id, symbol(symbol(at).next).id))
                candidates.push({merge->rank, at, merge->id});
    };
    for (size_t at = 0; at + 1 < symbols.size(); ++at)
        consider(static_cast<std::ptrdiff_t>(at));
    while (!candidates.empty()) {
        const Candidate best = candidates.top();
        candidates.pop();
        Symbol& left = symbol(best.at);
        if (left.id == merged || left.next < 0)
            continue;
        Symbol& right = symbol(left.next);
        const Merge* merge = mergeOf(left.id, right.id);
        if (!merge || merge->id != best.id)
            continue;
        left.id = merge->id;
        left.next = right.next;
        right.id = merged;
        if (left.next >= 0)
            symbol(left.next).previous = best.at;
        consider(left.previous);
        consider(best.at);
    }
    for (const Symbol& one : symbols)
        if (one.id != merged)
            ids.push_back(one.id);
    return {};
}

}  // namespace attnscope
