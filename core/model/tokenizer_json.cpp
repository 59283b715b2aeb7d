// A tokenizer.json as the `tokenizers` library writes it: added tokens are taken out of the text first, then
// normaliser, pre-tokeniser and byte pair encoding.

#include "core/model/tokenizer.h"

#include "core/base/json_reader.h"
#include "core/model/byte_pair_encoding.h"
#include "core/model/text_pieces.h"
#include "core/tensor/byte_source.h"

#include <algorithm>
#include <array>

namespace attnscope {

namespace {

const std::string markedSpace = "\u2581";

struct AddedToken {
    std::string text;
    int id = 0;
    bool special = false;
};

/// How ids become text again.
struct Decoder {
    bool byteLevel = false, byteFallback = false, marksSpaces = false;
    bool dropsFirstSpace = false;
};

class JsonTokenizer final : public Tokenizer {
public:
    static Result<std::shared_ptr<const Tokenizer>> read(const nlohmann::json& json, const std::string& path);

    Result<std::vector<int>> encode(std::string_view text) const override;
    std::string decode(std::span<const int> ids) const override;
    std::string describe() const override
    {
        return std::string(m_cutter.byteLevel          ? "byte-level BPE, "
                           : m_encoding.byteFallback() ? "BPE with byte fallback, "
                                                       : "BPE, ") +
               std::to_string(m_tokens.size()) + " tokens";
    }

private:
    explicit JsonTokenizer(BytePairEncoding encoding) : m_encoding(std::move(encoding)) {}
    Result<void> readAdded(const nlohmann::json& given, const std::string& path);
    Result<void> readDecoder(const nlohmann::json& given, const std::string& path);
    const AddedToken* addedAt(std::string_view text, size_t at) const;
    Result<void> encodePiece(std::string_view piece, bool first, std::vector<int>& ids) const;
    void appendToken(int id, std::string& out) const;

    BytePairEncoding m_encoding;
    std::vector<Normalise> m_normalisers;
    PreTokeniser m_cutter;
    Decoder m_decoder;
    std::array<std::vector<AddedToken>, 256> m_added;  ///< by their first byte, the longest first
    std::unordered_map<int, std::string> m_tokens;     ///< by id
    std::unordered_map<int, AddedToken> m_addedById;
};

Result<std::shared_ptr<const Tokenizer>> JsonTokenizer::read(const nlohmann::json& json, const std::string& path)
{
    const auto part = [&](const char* key) {
        return json.is_object() && json.contains(key) ? json[key] : nlohmann::json();
    };
    BytePairEncoding encoding = TRY(BytePairEncoding::read(part("model"), path + ": model"));
    auto tokenizer = std::shared_ptr<JsonTokenizer>(new JsonTokenizer(std::move(encoding)));
    for (const auto& [token, id] : tokenizer->m_encoding.ids())
        tokenizer->m_tokens.emplace(id, token);
    tokenizer->m_normalisers = TRY(readNormaliser(part("normalizer"), path + ": normalizer"));
    tokenizer->m_cutter = TRY(readPreTokeniser(part("pre_tokenizer"), path + ": pre_tokenizer"));
    TRY(tokenizer->readAdded(part("added_tokens"), path + ": added_tokens"));
    TRY(tokenizer->readDecoder(part("decoder"), path + ": decoder"));
    return std::shared_ptr<const Tokenizer>(std::move(tokenizer));
}

Result<void> JsonTokenizer::readAdded(const nlohmann::json& given, const std::string& path)
{
    if (given.is_null())
        return {};
    if (!given.is_array())
        return failure(ErrorKind::InvalidArgument, path + " must be a list");
    for (size_t i = 0; i < given.size(); ++i) {
        AddedToken token;
        bool strips = false, alsoStrips = false, wordsAlone = false;
        ObjectReader fields(given[i], path + "[" + std::to_string(i) + "]");
        fields.text("content", token.text);
        fields.number("id", token.id, 0, 1 << 22);
        fields.boolean("special", token.special);
        fields.boolean("lstrip", strips);
        fields.boolean("rstrip", alsoStrips);
        fields.boolean("single_word", wordsAlone);
        TRY(fields.status());
        if (strips || alsoStrips || wordsAlone)
            return failure(ErrorKind::Unavailable,
                           path + ": " + inQuotes(token.text) +
                               " takes the spaces beside it, or words alone, which is not run here");
        if (token.text.empty())
            return failure(ErrorKind::InvalidArgument, path + "[" + std::to_string(i) + "].content must not be empty");
        m_tokens[token.id] = token.text;
        m_addedById[token.id] = token;
        m_added[static_cast<unsigned char>(token.text.front())].push_back(std::move(token));
    }
    for (std::vector<AddedToken>& tokens : m_added)
        std::stable_sort(tokens.begin(), tokens.end(),
                         [](const AddedToken& a, const AddedToken& b) { return a.text.size() > b.text.size(); });
    return {};
}

Result<void> JsonTokenizer::readDecoder(const nlohmann::json& given, const std::string& path)
{
    m_decoder = {.byteLevel = m_cutter.byteLevel,
                 .byteFallback = m_encoding.byteFallback(),
                 .marksSpaces = m_cutter.underscores};
    std::vector<nlohmann::json> members;
    const auto typeOf = [](const nlohmann::json& one) {
        return one.is_object() && one.contains("type") && one["type"].is_string() ? one["type"].get<std::string>()
                                                                                  : std::string();
    };
    if (typeOf(given) == "Sequence" && given.contains("decoders") && given["decoders"].is_array())
        members.assign(given["decoders"].begin(), given["decoders"].end());
    else if (!given.is_null())
        members.push_back(given);
    for (const nlohmann::json& member : members) {
        const std::string type = typeOf(member);
        if (type == "Strip" ||
            (type == "Metaspace" && member.value("prepend_scheme", nlohmann::json("always")) != "never"))
            m_decoder.dropsFirstSpace = true;
        if (type == "Metaspace" || type == "Replace")
            m_decoder.marksSpaces = true;
        else if (type != "ByteLevel" && type != "ByteFallback" && type != "Fuse" && type != "Strip")
            return failure(ErrorKind::Unavailable, path + " is of type '" + type.substr(0, 40) +
                                                       "', which is not run here; what is run: Sequence, ByteLevel, "
                                                       "ByteFallback, Fuse, Metaspace, Replace, Strip");
    }
    return {};
}

const AddedToken* JsonTokenizer::addedAt(std::string_view text, size_t at) const
{
    for (const AddedToken& token : m_added[static_cast<unsigned char>(text[at])])
        if (text.substr(at).starts_with(token.text))
            return &token;
    return nullptr;
}

Result<void> JsonTokenizer::encodePiece(std::string_view piece, bool first, std::vector<int>& ids) const
{
    if (piece.empty())
        return {};
    std::string text(piece);
    for (const Normalise& normalise : m_normalisers)
        text = TRY(normalise(std::move(text)));
    std::vector<std::string> words{std::move(text)};
    for (const Cut& cut : m_cutter.cuts) {
        std::vector<std::string> smaller;
        for (size_t w = 0; w < words.size(); ++w) {
            std::vector<std::string> parts = TRY(cut(std::move(words[w]), first && w == 0));
            std::move(parts.begin(), parts.end(), std::back_inserter(smaller));
        }
        words = std::move(smaller);
    }
    for (const std::string& word : words)
        TRY(m_encoding.encode(word, ids));
    return {};
}

Result<std::vector<int>> JsonTokenizer::encode(std::string_view text) const
{
    if (!isUtf8(text))
        return failure(ErrorKind::InvalidArgument, "the text is no UTF-8; convert it first");
    std::vector<int> ids;
    size_t begin = 0;
    for (size_t at = 0; at < text.size();) {
        const AddedToken* added = addedAt(text, at);
        if (!added) {
            ++at;
            continue;
        }
        TRY(encodePiece(text.substr(begin, at - begin), begin == 0, ids));
        ids.push_back(added->id);
        begin = at += added->text.size();
    }
    TRY(encodePiece(text.substr(begin), begin == 0, ids));
    return ids;
}

void JsonTokenizer::appendToken(int id, std::string& out) const
{
    if (const auto added = m_addedById.find(id); added != m_addedById.end()) {
        out += added->second.special ? "" : added->second.text;
        return;
    }
    const auto found = m_tokens.find(id);
    if (found == m_tokens.end())
        return;
    const std::string& token = found->second;
    unsigned byte = 0;
    if (m_decoder.byteFallback && token.size() == 6 && std::sscanf(token.c_str(), "<0x%2X>", &byte) == 1) {
        out += static_cast<char>(byte);
        return;
    }
    for (size_t at = 0; at < token.size();) {
        const auto lead = static_cast<unsigned char>(token[at]);
        const std::string_view character = std::string_view(token).substr(at, lead < 0x80   ? 1
                                                                              : lead < 0xe0 ? 2
                                                                              : lead < 0xf0 ? 3
                                                                                            : 4);
        at += character.size();
        const int letter = m_decoder.byteLevel ? letterByte(character) : -1;
        if (letter >= 0)
            out += static_cast<char>(letter);
        else if (m_decoder.marksSpaces && character == markedSpace)
            out += ' ';
        else
            out += character;
    }
}

std::string JsonTokenizer::decode(std::span<const int> ids) const
{
    std::string out;
    for (const int id : ids)
        appendToken(id, out);
    if (m_decoder.dropsFirstSpace && out.starts_with(' '))
        out.erase(0, 1);
    return repaired(out);
}

}  // namespace

Result<std::shared_ptr<const Tokenizer>> readTokenizerJson(std::string_view json, const std::string& path)
{
    return parseJson(json, path).and_then([&](const nlohmann::json& parsed) {
        return JsonTokenizer::read(parsed, path);
    });
}

}  // namespace attnscope
