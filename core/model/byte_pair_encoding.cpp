#include "core/model/word_encoding.h"

#include "core/base/json_reader.h"
#include "core/model/unicode_text.h"
#include "core/tensor/byte_source.h"

#include <mutex>
#include <queue>
#include <unordered_set>

namespace attnscope {

namespace {

/// Two neighbours become one: of the smallest rank first.
struct Merge {
    double rank;
    int id;
};

/// A token of the word so far, the bytes [begin, end) of it.
struct Symbol {
    int id;
    std::size_t begin, end;
    std::ptrdiff_t previous, next;  ///< neighbours that are left; -1: none
};
constexpr int noToken = -1;  ///< the id of a symbol that has none
constexpr int takenIn = -2;  ///< and of one that its left neighbour has taken in

void append(std::vector<Symbol>& symbols, int id, std::size_t begin, std::size_t end)
{
    const auto at = static_cast<std::ptrdiff_t>(symbols.size());
    if (at > 0)
        symbols.back().next = at;
    symbols.push_back({id, begin, end, at - 1, -1});
}

/// Merges until nothing is left to merge. `mergeOf(left, right)` is what two neighbours become, if anything.
template <class MergeOf>
void mergeAll(std::vector<Symbol>& symbols, MergeOf mergeOf)
{
    struct Candidate {
        double rank;
        std::ptrdiff_t at;
        int id;  ///< what the merge would give: another one means that a neighbour has changed since
        bool operator>(const Candidate& other) const { return rank != other.rank ? rank > other.rank : at > other.at; }
    };
    const auto symbol = [&](std::ptrdiff_t at) -> Symbol& { return symbols[static_cast<size_t>(at)]; };
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates;
    const auto consider = [&](std::ptrdiff_t at) {
        if (at >= 0 && symbol(at).next >= 0)
            if (const std::optional<Merge> merge = mergeOf(symbol(at), symbol(symbol(at).next)))
                candidates.push({merge->rank, at, merge->id});
    };
    for (size_t at = 0; at + 1 < symbols.size(); ++at)
        consider(static_cast<std::ptrdiff_t>(at));
    while (!candidates.empty()) {
        const Candidate best = candidates.top();
        candidates.pop();
        Symbol& left = symbol(best.at);
        if (left.id == takenIn || left.next < 0)
            continue;
        Symbol& right = symbol(left.next);
        const std::optional<Merge> merge = mergeOf(left, right);
        if (!merge || merge->id != best.id)
            continue;
        left.id = merge->id;
        left.end = right.end;
        left.next = right.next;
        right.id = takenIn;
        if (left.next >= 0)
            symbol(left.next).previous = best.at;
        consider(left.previous);
        consider(best.at);
    }
    std::erase_if(symbols, [](const Symbol& one) { return one.id == takenIn; });
}

/// Pairs of characters that stand beside each other in some token.
class Neighbours {
public:
    bool hold(const TokenIds& ids, char32_t left, char32_t right) const
    {
        std::call_once(m_once, [&] {
            for (const auto& entry : ids)
                for (std::size_t at = lengthOfCharacter(entry.first); at < entry.first.size();) {
                    std::size_t before = at;
                    const char32_t first = previousCharacter(entry.first, before);
                    m_pairs.insert(pairOf(first, nextCharacter(entry.first, at)));
                }
        });
        return m_pairs.contains(pairOf(left, right));
    }

private:
    static std::uint64_t pairOf(char32_t left, char32_t right) { return std::uint64_t{left} << 32 | right; }
    mutable std::once_flag m_once;  // few words are long enough to ask
    mutable std::unordered_set<std::uint64_t> m_pairs;
};

constexpr std::size_t longWord = 256;  ///< bytes: longer ones are cut where that is possible

/// each(part): cut between characters that no token holds side by side, where `mayCut(character)` both of them.
template <class MayCut>
Result<void> cutBetween(std::string_view word, const Neighbours& neighbours, const TokenIds& ids, MayCut mayCut,
                        const WordEncoding::Word& each)
{
    std::size_t begin = 0, at = 0;
    char32_t last = nextCharacter(word, at);
    bool lastMay = mayCut(word.substr(0, at));
    while (at < word.size()) {
        const std::size_t here = at;
        const char32_t next = nextCharacter(word, at);
        const bool may = mayCut(word.substr(here, at - here));
        if (may && lastMay && !neighbours.hold(ids, last, next)) {
            TRY(each(word.substr(begin, here - begin)));
            begin = here;
        }
        last = next;
        lastMay = may;
    }
    return each(word.substr(begin));
}

std::uint64_t pairOf(int left, int right)
{
    return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right);
}

/// The two tokens of a merge, as "a b" or ["a", "b"]; nothing if it is neither.
std::optional<std::pair<std::string_view, std::string_view>> tokensOf(const nlohmann::json& merge)
{
    const auto text = [](const nlohmann::json& one) { return std::string_view(one.get_ref<const std::string&>()); };
    if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string())
        return std::pair{text(merge[0]), text(merge[1])};
    const std::string_view both = merge.is_string() ? text(merge) : std::string_view();
    const size_t space = both.find(' ');
    if (space == both.npos)
        return std::nullopt;
    return std::pair{both.substr(0, space), both.substr(space + 1)};
}

class BytePairs final : public WordEncoding {
public:
    Result<void> read(const nlohmann::json& model, const std::string& path);
    Result<void> encode(std::string_view word, std::vector<int>& ids) const override;
    Result<void> cut(std::string_view word, const Word& each) const override;
    std::string describe() const override { return fallsBackToBytes() ? "BPE with byte fallback" : "BPE"; }

private:
    Result<void> readMerges(const nlohmann::json& merges, const std::string& path);
    Result<std::vector<Symbol>> characters(std::string_view word) const;

    std::unordered_map<std::uint64_t, Merge> m_merges;  ///< by the two ids
    std::optional<int> m_unknown;
    std::string m_prefix, m_suffix;  ///< of characters within a word, and of its last
    bool m_fuseUnknown = false, m_wholeWords = false;
    Neighbours m_neighbours;
};

Result<void> BytePairs::read(const nlohmann::json& model, const std::string& path)
{
    ObjectReader fields(model, path);
    bool byteFallback = false;
    double dropout = 0;
    std::optional<std::string> unknown;
    const auto text = [&](const char* key, auto& target) {
        if (const nlohmann::json* value = fields.field(key); value && !value->is_null())
            fields.text(key, target);
    };
    text("unk_token", unknown);
    text("continuing_subword_prefix", m_prefix);
    text("end_of_word_suffix", m_suffix);
    if (const nlohmann::json* value = fields.field("dropout"); value && !value->is_null())
        fields.number("dropout", dropout, 0, 1);
    fields.boolean("byte_fallback", byteFallback);
    fields.boolean("fuse_unk", m_fuseUnknown);
    fields.boolean("ignore_merges", m_wholeWords);
    const nlohmann::json* vocabulary = fields.field("vocab");
    const nlohmann::json* merges = fields.field("merges");
    TRY(fields.status());
    if (dropout > 0)
        return failure(ErrorKind::Unavailable,
                       path + " asks for dropout: ids that are drawn by chance, which is not run here");
    if (!merges || !merges->is_array())
        return failure(ErrorKind::InvalidArgument, path + " must have an object vocab and a list merges");
    TRY(readIds(vocabulary, path));
    TRY(readMerges(*merges, path));
    if (unknown && !unknown->empty() && !(m_unknown = idOf(*unknown)))
        return failure(ErrorKind::InvalidArgument, "{}.unk_token {} is not in the vocabulary", path,
                       inQuotes(*unknown));
    if (byteFallback)
        findBytes();
    return {};
}

Result<void> BytePairs::readMerges(const nlohmann::json& merges, const std::string& path)
{
    m_merges.reserve(merges.size());
    std::string both;
    double rank = 0;
    for (const nlohmann::json& merge : merges) {
        const auto tokens = tokensOf(merge);
        const auto left = tokens ? idOf(tokens->first) : std::nullopt,
                   right = tokens ? idOf(tokens->second) : std::nullopt;
        std::optional<int> merged;
        if (tokens && tokens->second.size() >= m_prefix.size()) {
            both = tokens->first;
            both += tokens->second.substr(m_prefix.size());
            merged = idOf(both);
        }
        if (!left || !right || !merged)
            return failure(ErrorKind::InvalidArgument,
                           "{}.merges[{}] must be two tokens of the vocabulary that make a third", path,
                           static_cast<size_t>(rank));
        m_merges[pairOf(*left, *right)] = {rank++, *merged};
    }
    return {};
}

Result<std::vector<Symbol>> BytePairs::characters(std::string_view word) const
{
    std::vector<Symbol> symbols;
    std::vector<int> bytes;
    std::string marked;
    bool afterUnknown = false;
    for (size_t at = 0; at < word.size();) {
        const std::string_view character = word.substr(at, lengthOfCharacter(word.substr(at)));
        marked = character;
        if (at > 0)
            marked.insert(0, m_prefix);
        if (at + character.size() == word.size())
            marked += m_suffix;
        const size_t end = at + character.size();
        bytes.clear();
        const auto id = idOf(marked);
        bool unknown = false;
        if (id) {
            append(symbols, *id, at, end);
        } else if (appendBytes(marked, bytes)) {
            for (const int byte : bytes)
                append(symbols, byte, at, end);
        } else if (m_unknown) {
            if (!afterUnknown || !m_fuseUnknown)
                append(symbols, *m_unknown, at, end);
            unknown = true;
        } else {
            return failure(ErrorKind::InvalidArgument, "the tokeniser has no token for " + inQuotes(character));
        }
        afterUnknown = unknown;
        at = end;
    }
    return symbols;
}

Result<void> BytePairs::encode(std::string_view word, std::vector<int>& ids) const
{
    if (m_wholeWords)
        if (const auto id = idOf(word)) {
            ids.push_back(*id);
            return {};
        }
    std::vector<Symbol> symbols = TRY(characters(word));
    mergeAll(symbols, [&](const Symbol& left, const Symbol& right) -> std::optional<Merge> {
        const auto found = m_merges.find(pairOf(left.id, right.id));
        return found == m_merges.end() ? std::nullopt : std::optional(found->second);
    });
    for (const Symbol& one : symbols)
        ids.push_back(one.id);
    return {};
}

Result<void> BytePairs::cut(std::string_view word, const Word& each) const
{
    // with marks, or words that are looked up whole, a part is not encoded as it is within the word
    if (word.size() <= longWord || !m_prefix.empty() || !m_suffix.empty() || m_wholeWords)
        return each(word);
    // a character without a token is spelled in bytes, which have merges of their own
    return cutBetween(
        word, m_neighbours, ids(), [&](std::string_view character) { return idOf(character).has_value(); }, each);
}

class ScoredPairs final : public WordEncoding {
public:
    Result<void> read(const std::vector<std::string>& pieces, const std::vector<float>& scores,
                      std::optional<int> unknown, const std::string& path)
    {
        if (scores.size() != pieces.size() || pieces.size() > largestTokenId)
            return failure(ErrorKind::InvalidArgument, "{}: {} tokens and {} scores; one a token is wanted", path,
                           pieces.size(), scores.size());
        for (size_t id = 0; id < pieces.size(); ++id)
            m_ids[pieces[id]] = static_cast<int>(id);
        m_scores = scores;
        m_unknown = unknown;
        findBytes();
        return {};
    }
    Result<void> encode(std::string_view word, std::vector<int>& ids) const override
    {
        std::vector<Symbol> symbols;
        for (size_t at = 0; at < word.size();) {
            const size_t end = at + lengthOfCharacter(word.substr(at));
            append(symbols, idOf(word.substr(at, end - at)).value_or(noToken), at, end);
            at = end;
        }
        mergeAll(symbols, [&](const Symbol& left, const Symbol& right) -> std::optional<Merge> {
            const auto id = idOf(word.substr(left.begin, right.end - left.begin));
            if (!id)
                return std::nullopt;
            return Merge{-static_cast<double>(m_scores[static_cast<size_t>(*id)]), *id};
        });
        for (const Symbol& one : symbols) {
            const std::string_view text = word.substr(one.begin, one.end - one.begin);
            if (one.id != noToken)
                ids.push_back(one.id);
            else if (!appendBytes(text, ids)) {
                if (!m_unknown)
                    return failure(ErrorKind::InvalidArgument, "the tokeniser has no token for " + inQuotes(text));
                ids.push_back(*m_unknown);
            }
        }
        return {};
    }
    Result<void> cut(std::string_view word, const Word& each) const override
    {
        if (word.size() <= longWord)
            return each(word);
        return cutBetween(
            word, m_neighbours, ids(), [](std::string_view) { return true; }, each);
    }
    std::string describe() const override { return "SentencePiece's BPE"; }

private:
    std::vector<float> m_scores;
    std::optional<int> m_unknown;
    Neighbours m_neighbours;
};

}  // namespace

Result<WordEncodingPointer> readBytePairs(const nlohmann::json& model, const std::string& path)
{
    auto pairs = std::make_unique<BytePairs>();
    return pairs->read(model, path).map([&] { return WordEncodingPointer(std::move(pairs)); });
}

Result<WordEncodingPointer> scoredPairs(const std::vector<std::string>& pieces, const std::vector<float>& scores,
                                        std::optional<int> unknown, const std::string& path)
{
    auto pairs = std::make_unique<ScoredPairs>();
    return pairs->read(pieces, scores, unknown, path).map([&] { return WordEncodingPointer(std::move(pairs)); });
}

}  // namespace attnscope
