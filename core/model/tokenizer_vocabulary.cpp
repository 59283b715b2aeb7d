// A tokeniser from a vocabulary as GGUF files hold it (their specification: tokenizer.ggml.model, .tokens, .scores,
// .token_type, .merges, .pre, .add_space_prefix).

#include "core/model/word_encoding.h"
#include "core/model/published_splits.h"
#include "core/model/tokenizer_parts.h"

namespace attnscope {

namespace {

using nlohmann::json;

const char* const spaceMark = "\u2581";

enum TokenType { Normal = 1, Unknown, Control, UserDefined, Unused, Byte };

/// Phi-3's tokens take the spaces behind them, all but three. GGUF files do not say it; the model's tokenizer.json
/// does.
bool takesSpacesBehind(const std::string& model, const std::string& token)
{
    const bool isPhi3 = model.find("phi-3") != model.npos || model.find("phi3") != model.npos;
    return isPhi3 && token != "<unk>" && token != "<s>" && token != "<|endoftext|>";
}

/// What is found in a text as it stands: control tokens, which are no text themselves, and those that users defined.
std::vector<AddedToken> addedAmong(const Vocabulary& vocabulary)
{
    std::string name = vocabulary.name;
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    std::vector<AddedToken> added;
    for (std::size_t id = 0; id < vocabulary.types.size(); ++id) {
        const int type = vocabulary.types[id];
        if ((type == Unknown || type == Control || type == UserDefined) && !vocabulary.tokens[id].empty())
            added.push_back({.text = vocabulary.tokens[id],
                             .id = static_cast<int>(id),
                             .special = type != UserDefined,
                             .rightStrip = takesSpacesBehind(name, vocabulary.tokens[id])});
    }
    return added;
}

json idsByToken(const std::vector<std::string>& tokens)
{
    json ids = json::object();
    for (std::size_t id = 0; id < tokens.size(); ++id)
        ids[tokens[id]] = id;
    return ids;
}

Result<TokenizerParts> piecesMergedByScore(const Vocabulary& vocabulary, const std::string& path)
{
    TokenizerParts parts;
    json normalisers = json::array(), decoders = json::array();
    if (vocabulary.addSpacePrefix)
        normalisers.push_back({{"type", "Prepend"}, {"prepend", spaceMark}});
    normalisers.push_back({{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", spaceMark}});
    decoders.push_back({{"type", "Replace"}, {"pattern", {{"String", spaceMark}}}, {"content", " "}});
    decoders.push_back({{"type", "ByteFallback"}});
    decoders.push_back({{"type", "Fuse"}});
    if (vocabulary.addSpacePrefix)
        decoders.push_back({{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}});
    parts.encoding = TRY(scoredPairs(vocabulary.tokens, vocabulary.scores, vocabulary.unknown, path));
    parts.normalisers = TRY(readNormaliser({{"type", "Sequence"}, {"normalizers", normalisers}}, path));
    parts.decoders = TRY(readDecoder({{"type", "Sequence"}, {"decoders", decoders}}, path));
    return parts;
}

/// The pieces whose scores sum to the most (Kudo 2018), as XLM-RoBERTa has them.
Result<TokenizerParts> piecesByScore(const Vocabulary& vocabulary, const std::string& path)
{
    if (vocabulary.scores.size() != vocabulary.tokens.size())
        return failure(ErrorKind::InvalidArgument, "{}: {} tokens with {} scores are no vocabulary of pieces", path,
                       vocabulary.tokens.size(), vocabulary.scores.size());
    TokenizerParts parts;
    json pieces = json::array(), steps = json::array();
    for (std::size_t id = 0; id < vocabulary.tokens.size(); ++id)
        pieces.push_back(json::array({vocabulary.tokens[id], vocabulary.scores[id]}));
    json model{{"type", "Unigram"}, {"vocab", std::move(pieces)}};
    if (vocabulary.unknown)
        model["unk_id"] = *vocabulary.unknown;
    parts.encoding = TRY(readWordEncoding(model, path));
    if (vocabulary.spacesFold) {
        steps.push_back({{"type", "Strip"}});
        steps.push_back({{"type", "Replace"}, {"pattern", {{"Regex", " {2,}"}}}, {"content", " "}});
    }
    if (vocabulary.addSpacePrefix)
        steps.push_back({{"type", "Prepend"}, {"prepend", spaceMark}});
    steps.push_back({{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", spaceMark}});
    if (!vocabulary.characterMap.empty())
        parts.normalisers.push_back(TRY(mapCharacters(vocabulary.characterMap, path + ": tokenizer.ggml")));
    for (Normalise& step : TRY(readNormaliser({{"type", "Sequence"}, {"normalizers", steps}}, path)))
        parts.normalisers.push_back(std::move(step));
    parts.cutter = TRY(readPreTokeniser(
        {{"type", "Metaspace"}, {"replacement", spaceMark}, {"prepend_scheme", "never"}, {"split", true}}, path));
    parts.decoders = TRY(readDecoder({{"type", "Metaspace"},
                                      {"replacement", spaceMark},
                                      {"prepend_scheme", vocabulary.addSpacePrefix ? "always" : "never"}},
                                     path));
    return parts;
}

Result<TokenizerParts> byteLevelPairs(const Vocabulary& vocabulary, const std::string& path)
{
    TokenizerParts parts;
    // no normal form: where the model's own tokenizer.json asks for one, GGUF files do not say so, and llama.cpp asks
    // none
    const PublishedSplit split = TRY(publishedSplit(vocabulary.preTokeniser, path));
    parts.encoding = TRY(readBytePairs({{"type", "BPE"},
                                        {"vocab", idsByToken(vocabulary.tokens)},
                                        {"merges", vocabulary.merges},
                                        {"ignore_merges", split.wholeWords}},
                                       path));
    parts.cutter = TRY(readPreTokeniser(split.preTokeniser, path));
    parts.decoders = TRY(readDecoder({{"type", "ByteLevel"}}, path));
    return parts;
}

/// Tokens that begin a word carry the mark of a space; those within one carry none. WordPiece marks the others.
Result<TokenizerParts> wordPieces(const Vocabulary& vocabulary, const std::string& path)
{
    TokenizerParts parts;
    std::vector<std::string> tokens = vocabulary.tokens;
    for (std::size_t id = 0; id < tokens.size(); ++id) {
        if (tokens[id].starts_with(spaceMark))
            tokens[id].erase(0, std::string_view(spaceMark).size());
        else if (id >= vocabulary.types.size() || vocabulary.types[id] == Normal)
            tokens[id].insert(0, "##");
    }
    const auto unknown = static_cast<std::size_t>(vocabulary.unknown.value_or(0));
    if (unknown >= tokens.size())
        return failure(ErrorKind::InvalidArgument, path + ": the unknown token is none of the vocabulary's");
    parts.encoding = TRY(
        readWordEncoding({{"type", "WordPiece"}, {"vocab", idsByToken(tokens)}, {"unk_token", tokens[unknown]}}, path));
    parts.normalisers =
        TRY(readNormaliser({{"type", "BertNormalizer"},
                            {"lowercase", vocabulary.lowerCase},
                            {"strip_accents", vocabulary.withoutAccents.value_or(vocabulary.lowerCase)}},
                           path));
    parts.cutter = TRY(readPreTokeniser({{"type", "BertPreTokenizer"}}, path));
    parts.decoders = TRY(readDecoder({{"type", "WordPiece"}}, path));
    return parts;
}

}  // namespace

Result<std::shared_ptr<const Tokenizer>> tokenizerFromVocabulary(const Vocabulary& vocabulary, const std::string& path)
{
    if (vocabulary.tokens.empty() || vocabulary.tokens.size() > largestTokenId ||
        (!vocabulary.types.empty() && vocabulary.types.size() != vocabulary.tokens.size()))
        return failure(ErrorKind::InvalidArgument, "{}: {} tokens with {} types are no vocabulary", path,
                       vocabulary.tokens.size(), vocabulary.types.size());
    TokenizerParts parts =
        TRY(vocabulary.model == "llama"  ? piecesMergedByScore(vocabulary, path)
            : vocabulary.model == "t5"   ? piecesByScore(vocabulary, path)
            : vocabulary.model == "gpt2" ? byteLevelPairs(vocabulary, path)
            : vocabulary.model == "bert"
                ? wordPieces(vocabulary, path)
                : failure(ErrorKind::Unavailable,
                          "{}: its tokeniser is of the kind '{}', which is not run here; what is run: llama, t5, "
                          "gpt2, bert; give token ids instead of a text",
                          path, vocabulary.model.substr(0, 40)));
    parts.added = addedAmong(vocabulary);
    return makeTokenizer(std::move(parts), path);
}

}  // namespace attnscope
