#include "core/base/json_reader.h"
#include "core/model/tokenizer_parts.h"
#include "core/model/unicode_text.h"
#include "core/model/word_encoding.h"

#include <numeric>

namespace attnscope {

namespace {

/// The ids of words that came before in the same text: most do.
class WordCache {
public:
    explicit WordCache(const WordEncoding& encoding) : m_encoding(encoding) {}

    Result<void> append(std::string_view word, std::vector<int>& ids)
    {
        if (word.size() > longestWord)
            return m_encoding.encode(word, ids);
        if (const auto found = m_places.find(word); found != m_places.end()) {
            const auto from = ids.begin() + static_cast<std::ptrdiff_t>(found->second.at);
            const std::vector<int> known(from, from + found->second.count);
            ids.insert(ids.end(), known.begin(), known.end());
            return {};
        }
        const std::size_t at = ids.size();
        return m_encoding.encode(word, ids).map([&] {
            if (m_places.size() < mostWords)
                m_places.emplace(word, Place{at, static_cast<std::ptrdiff_t>(ids.size() - at)});
        });
    }

private:
    static constexpr std::size_t longestWord = 64, mostWords = 1 << 18;
    struct Place {
        std::size_t at;  ///< in the ids of the text
        std::ptrdiff_t count;
    };
    const WordEncoding& m_encoding;
    std::unordered_map<std::string, Place, TextHash, std::equal_to<>> m_places;
};

class PartsTokenizer final : public Tokenizer {
public:
    PartsTokenizer(TokenizerParts parts, AddedTokens added) : m_parts(std::move(parts)), m_added(std::move(added))
    {
        const auto place = [&](const std::string& token, int id) {
            if (static_cast<std::size_t>(id) >= m_tokens.size())
                m_tokens.resize(static_cast<std::size_t>(id) + 1);
            m_tokens[static_cast<std::size_t>(id)] = &token;
        };
        for (const auto& [token, id] : m_parts.encoding->ids())
            place(token, id);
        for (const AddedToken& token : m_added.all())
            place(token.text, token.id);
        m_count = static_cast<std::size_t>(
            std::count_if(m_tokens.begin(), m_tokens.end(), [](const std::string* token) { return token != nullptr; }));
    }

    Result<std::vector<int>> encode(std::string_view text) const override;
    std::string decode(std::span<const int> ids) const override;
    std::optional<TextBegin> begin() const override { return m_parts.begin; }
    std::string describe() const override
    {
        const std::string kind = m_parts.encoding->describe();
        return fmt::format("{}, {} tokens", m_parts.cutter.byteLevel && kind == "BPE" ? "byte-level BPE" : kind,
                           m_count);
    }

private:
    TokenizerParts m_parts;
    AddedTokens m_added;
    std::vector<const std::string*> m_tokens;  ///< by id; null: there is none
    std::size_t m_count = 0;
};

Result<std::vector<int>> PartsTokenizer::encode(std::string_view text) const
{
    if (!isUtf8(text))
        return failure(ErrorKind::InvalidArgument, "the text is no UTF-8; convert it first");
    std::vector<int> ids;
    WordCache cache(*m_parts.encoding);
    const auto push = [&](int id) { ids.push_back(id); };
    const Words encodeWord = [&](std::string_view word, bool) {
        return m_parts.encoding->cut(word, [&](std::string_view part) { return cache.append(part, ids); });
    };
    const auto encodePiece = [&](std::string_view piece, bool first) -> Result<void> {
        const std::string normal = TRY(normalised(std::string(piece), m_parts.normalisers));
        const auto encodeRest = [&](std::size_t begin, std::size_t end) {
            return m_parts.cutter.cut(std::string_view(normal).substr(begin, end - begin), first && begin == 0,
                                      encodeWord);
        };
        return m_added.split(normal, true, encodeRest, push);
    };
    return m_added
        .split(
            text, false,
            [&](std::size_t begin, std::size_t end) {
                return encodePiece(text.substr(begin, end - begin), begin == 0);
            },
            push)
        .map([&] { return std::move(ids); });
}

std::string PartsTokenizer::decode(std::span<const int> ids) const
{
    std::vector<std::string> tokens;
    for (const int id : ids) {
        const AddedToken* added = m_added.find(id);
        const bool known =
            id >= 0 && static_cast<std::size_t>(id) < m_tokens.size() && m_tokens[static_cast<std::size_t>(id)];
        if (known && !(added && added->special))
            tokens.push_back(*m_tokens[static_cast<std::size_t>(id)]);
    }
    const auto length = [&] {
        return std::accumulate(tokens.begin(), tokens.end(), std::size_t{0},
                               [](std::size_t sum, const std::string& token) { return sum + token.size(); });
    };
    const std::size_t most = (std::size_t{1} << 20) + 64 * length();
    for (const Decode& step : m_parts.decoders) {
        tokens = step(std::move(tokens));
        if (length() > most)  // a decoder that doubles its text again and again is none
            return {};
    }
    std::string text;
    for (const std::string& token : tokens)
        text += token;
    return repaired(text);
}

/// How tokens become text where the file does not say it: as its other parts let expect.
nlohmann::json expectedDecoder(const PreTokeniser& cutter, const WordEncoding& encoding)
{
    using nlohmann::json;
    if (cutter.byteLevel)
        return {{"type", "ByteLevel"}};
    json steps = json::array();
    if (cutter.underscores || encoding.fallsBackToBytes())
        steps.push_back({{"type", "Replace"}, {"pattern", {{"String", "\u2581"}}}, {"content", " "}});
    if (encoding.fallsBackToBytes())
        steps.push_back({{"type", "ByteFallback"}});
    return {{"type", "Sequence"}, {"decoders", steps}};
}

/// The ids that the library gives, whatever the file says: a token of the vocabulary keeps its id, others come behind
/// the vocabulary, one after another.
void assignIds(std::vector<AddedToken>& added, const WordEncoding& encoding)
{
    std::unordered_map<std::string, int> known;
    int next = static_cast<int>(encoding.ids().size());
    for (AddedToken& token : added) {
        const auto id = encoding.idOf(token.text);
        token.id = known.try_emplace(token.text, id ? *id : next).first->second;
        next = std::max(next, token.id + 1);
    }
}

/// Of {"single": [{"SpecialToken": {"id": "<s>"}}, {"Sequence": ...}], "special_tokens": {"<s>": {"ids": [1]}}}.
TextBegin beginOfTemplate(const nlohmann::json& made)
{
    const auto single = made.find("single");
    const auto special = [&](std::size_t place) {
        return single != made.end() && single->is_array() && place < single->size() && (*single)[place].is_object() &&
               (*single)[place].contains("SpecialToken");
    };
    if (!special(0))
        return {};
    TextBegin begin{.any = true};
    if (const nlohmann::json& first = (*single)[0]["SpecialToken"];
        !special(1) && first.is_object() && first.contains("id") && first["id"].is_string()) {
        const nlohmann::json::json_pointer ids =
            nlohmann::json::json_pointer("/special_tokens") / first["id"].get<std::string>() / "ids";
        if (made.contains(ids) && made[ids].is_array() && made[ids].size() == 1 && made[ids][0].is_number_unsigned() &&
            made[ids][0] <= largestTokenId)
            begin.token = made[ids][0].get<int>();
    }
    return begin;
}

}  // namespace

std::optional<TextBegin> beginOf(const nlohmann::json& postProcessor)
{
    if (!postProcessor.is_object())
        return std::nullopt;
    const auto type = postProcessor.find("type"), parts = postProcessor.find("processors");
    if (type == postProcessor.end())
        return std::nullopt;
    TextBegin begin;
    if (*type == "TemplateProcessing")
        begin = beginOfTemplate(postProcessor);
    if (*type == "RobertaProcessing" || *type == "BertProcessing")
        begin.any = true;
    if (*type == "Sequence" && parts != postProcessor.end() && parts->is_array())
        for (const nlohmann::json& part : *parts)
            if (const auto one = !part.contains("processors") ? beginOf(part) : std::nullopt; one && one->any)
                begin = *one;
    return begin;
}

Result<std::shared_ptr<const Tokenizer>> makeTokenizer(TokenizerParts parts, const std::string& path)
{
    auto added = TRY(AddedTokens::make(
        std::move(parts.added), [&](std::string text) { return normalised(std::move(text), parts.normalisers); },
        path + ": added_tokens"));
    return std::make_shared<const PartsTokenizer>(std::move(parts), std::move(added));
}

Result<TokenizerParts> partsOf(const nlohmann::json& json, const std::string& path)
{
    static const nlohmann::json none;
    const auto part = [&](const char* key) -> const nlohmann::json& {
        return json.is_object() && json.contains(key) ? json[key] : none;
    };
    TokenizerParts parts;
    parts.encoding = TRY(readWordEncoding(part("model"), path + ": model"));
    parts.normalisers = TRY(readNormaliser(part("normalizer"), path + ": normalizer"));
    parts.cutter = TRY(readPreTokeniser(part("pre_tokenizer"), path + ": pre_tokenizer"));
    parts.added = TRY(AddedTokens::read(part("added_tokens"), path + ": added_tokens"));
    assignIds(parts.added, *parts.encoding);
    const auto& decoder = part("decoder");
    parts.decoders = TRY(
        readDecoder(decoder.is_null() ? expectedDecoder(parts.cutter, *parts.encoding) : decoder, path + ": decoder"));
    parts.begin = beginOf(part("post_processor"));
    return parts;
}

Result<std::shared_ptr<const Tokenizer>> readTokenizerJson(std::string_view json, const std::string& path)
{
    const nlohmann::json parsed = TRY(parseJson(json, path));
    return makeTokenizer(TRY(partsOf(parsed, path)), path);
}

}  // namespace attnscope
