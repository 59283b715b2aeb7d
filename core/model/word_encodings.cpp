
#include "core/base/json_reader.h"
#include "core/model/word_encoding.h"
#include "core/model/prefix_table.h"
#include "core/model/unicode_text.h"
#include "core/tensor/byte_source.h"

#include <limits>

namespace attnscope {

namespace {

/// A token that must be there.
Result<int> tokenNamed(const TokenIds& ids, const std::string& token, const std::string& path)
{
    const auto found = ids.find(token);
    if (found == ids.end())
        return failure(ErrorKind::InvalidArgument, "{} {} is not in the vocabulary", path, inQuotes(token));
    return found->second;
}

class WordPiece final : public WordEncoding {
public:
    Result<void> read(const nlohmann::json& model, const std::string& path)
    {
        ObjectReader fields(model, path);
        std::string unknown = "[UNK]";
        fields.text("unk_token", unknown);
        fields.text("continuing_subword_prefix", m_continues);
        fields.number("max_input_chars_per_word", m_longestWord, 0, 1e9);
        const nlohmann::json* vocabulary = fields.field("vocab");
        TRY(fields.status());
        TRY(readIds(vocabulary, path));
        m_unknown = TRY(tokenNamed(m_ids, unknown, path + ".unk_token"));
        std::vector<std::pair<std::string, int>> begins, continues;
        for (const auto& [token, id] : m_ids) {
            begins.emplace_back(token, id);
            if (token.starts_with(m_continues))
                continues.emplace_back(token.substr(m_continues.size()), id);
        }
        m_begins = PrefixTable(std::move(begins));
        m_furthers = PrefixTable(std::move(continues));
        return {};
    }

    Result<void> encode(std::string_view word, std::vector<int>& ids) const override
    {
        std::size_t characters = 0;
        for (std::size_t at = 0; at < word.size(); ++characters)
            nextCharacter(word, at);
        const std::size_t before = ids.size();
        bool known = static_cast<double>(characters) <= m_longestWord;
        for (std::size_t at = 0; known && at < word.size();) {
            const auto found = (at == 0 ? m_begins : m_furthers).longestOf(word.substr(at));
            known = found.has_value();
            if (found) {
                ids.push_back(found->number);
                at += found->length;
            }
        }
        if (!known) {
            ids.resize(before);
            ids.push_back(m_unknown);
        }
        return {};
    }
    std::string describe() const override { return "WordPiece"; }

private:
    std::string m_continues = "##";
    double m_longestWord = 100;
    PrefixTable m_begins, m_furthers;  ///< tokens that begin a word, and those within it, without their mark
    int m_unknown = 0;
};

class WordLevel final : public WordEncoding {
public:
    Result<void> read(const nlohmann::json& model, const std::string& path)
    {
        ObjectReader fields(model, path);
        std::optional<std::string> unknown;
        fields.text("unk_token", unknown);
        const nlohmann::json* vocabulary = fields.field("vocab");
        TRY(fields.status());
        TRY(readIds(vocabulary, path));
        m_unknown = unknown ? idOf(*unknown) : std::nullopt;
        return {};
    }
    Result<void> encode(std::string_view word, std::vector<int>& ids) const override
    {
        const auto id = idOf(word);
        if (!id && !m_unknown)
            return failure(ErrorKind::InvalidArgument,
                           "the tokeniser has no token for " + inQuotes(word.substr(0, 40)));
        ids.push_back(id ? *id : *m_unknown);
        return {};
    }
    std::string describe() const override { return "words"; }

private:
    std::optional<int> m_unknown;
};

class Unigram final : public WordEncoding {
public:
    Result<void> read(const nlohmann::json& model, const std::string& path)
    {
        ObjectReader fields(model, path);
        bool byteFallback = false;
        std::optional<int> unknown;
        if (const nlohmann::json* id = fields.field("unk_id"); id && !id->is_null())
            fields.number("unk_id", unknown.emplace(), 0, largestTokenId);
        fields.boolean("byte_fallback", byteFallback);
        const nlohmann::json* vocabulary = fields.field("vocab");
        TRY(fields.status());
        if (!vocabulary || !vocabulary->is_array())
            return failure(ErrorKind::InvalidArgument, path + " must have a list vocab of [piece, log probability]");
        std::vector<std::pair<std::string, int>> pieces;
        for (const nlohmann::json& entry : *vocabulary) {
            const int id = static_cast<int>(m_scores.size());
            if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() || !entry[1].is_number() ||
                id > largestTokenId)
                return failure(ErrorKind::InvalidArgument, "{}.vocab[{}] must be [piece, log probability]", path, id);
            m_scores.push_back(entry[1].get<double>());
            m_lowest = std::min(m_lowest, m_scores.back());
            m_ids[entry[0].get<std::string>()] = id;
            pieces.emplace_back(entry[0].get<std::string>(), id);
        }
        if (unknown && static_cast<std::size_t>(*unknown) >= m_scores.size())
            return failure(ErrorKind::InvalidArgument, path + ".unk_id is no place in the vocabulary");
        if (m_scores.empty())
            m_lowest = 0;
        m_unknown = unknown;
        m_pieces = PrefixTable(std::move(pieces));
        if (byteFallback)
            findBytes();
        return {};
    }

    Result<void> encode(std::string_view word, std::vector<int>& ids) const override
    {
        constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();
        struct Best {
            double score = 0;
            std::size_t begin = nowhere;  ///< of the piece that ends here
            int id = 0;
            bool isUnknown = false;
        };
        std::vector<Best> best(word.size() + 1);
        const auto consider = [&](std::size_t begin, std::size_t end, double score, int id, bool isUnknown) {
            if (best[end].begin == nowhere || best[begin].score + score > best[end].score)
                best[end] = {best[begin].score + score, begin, id, isUnknown};
        };
        for (std::size_t at = 0; at < word.size();) {
            const std::size_t character = lengthOfCharacter(word.substr(at));
            bool hasCharacter = false;
            m_pieces.prefixesOf(word.substr(at), [&](std::size_t length, int id) {
                consider(at, at + length, m_scores[static_cast<std::size_t>(id)], id, id == m_unknown);
                hasCharacter = hasCharacter || length == character;
            });
            if (!hasCharacter)
                consider(at, at + character, m_lowest - costOfUnknown, -1, true);
            at += character;
        }
        struct Piece {
            std::size_t begin, end;
            int id;
            bool isUnknown;
        };
        std::vector<Piece> pieces;  // from the last to the first; unknown ones beside each other are one
        for (std::size_t end = word.size(); end > 0; end = best[end].begin) {
            if (best[end].isUnknown && !pieces.empty() && pieces.back().isUnknown)
                pieces.back().begin = best[end].begin;
            else
                pieces.push_back({best[end].begin, end, best[end].id, best[end].isUnknown});
        }
        for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece)
            TRY(append(word.substr(piece->begin, piece->end - piece->begin), piece->isUnknown ? -1 : piece->id, ids));
        return {};
    }
    std::string describe() const override { return fallsBackToBytes() ? "Unigram with byte fallback" : "Unigram"; }

private:
    static constexpr double costOfUnknown = 10;

    Result<void> append(std::string_view piece, int id, std::vector<int>& ids) const
    {
        const auto known = id >= 0 ? std::optional(id) : idOf(piece);
        if (known)
            ids.push_back(*known);
        else if (!appendBytes(piece, ids)) {
            if (!m_unknown)
                return failure(ErrorKind::InvalidArgument,
                               "the tokeniser has no token for " + inQuotes(piece.substr(0, 40)));
            ids.push_back(*m_unknown);
        }
        return {};
    }

    std::vector<double> m_scores;
    double m_lowest = std::numeric_limits<double>::infinity();  ///< log probability of the rarest piece
    PrefixTable m_pieces;
    std::optional<int> m_unknown;
};

template <class Encoding>
Result<WordEncodingPointer> readAs(const nlohmann::json& model, const std::string& path)
{
    auto encoding = std::make_unique<Encoding>();
    return encoding->read(model, path).map([&] { return WordEncodingPointer(std::move(encoding)); });
}

}  // namespace

Result<WordEncodingPointer> readWordEncoding(const nlohmann::json& model, const std::string& path)
{
    ObjectReader fields(model, path);
    std::string type = "BPE";  // older files do not say it
    fields.text("type", type);
    TRY(fields.status());
    if (type == "BPE")
        return readBytePairs(model, path);
    if (type == "WordPiece")
        return readAs<WordPiece>(model, path);
    if (type == "WordLevel")
        return readAs<WordLevel>(model, path);
    if (type == "Unigram")
        return readAs<Unigram>(model, path);
    return failure(ErrorKind::Unavailable,
                   "{}.type is '{}', which is not run here; what is run: BPE, WordPiece, Unigram, WordLevel", path,
                   type.substr(0, 40));
}

}  // namespace attnscope
