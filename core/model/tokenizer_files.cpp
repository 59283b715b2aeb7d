#include "core/model/tokenizer_files.h"

#include "core/base/json_reader.h"
#include "core/model/published_splits.h"
#include "core/model/tokenizer_parts.h"
#include "core/tensor/byte_source.h"

#include <charconv>
#include <filesystem>
#include <set>

namespace attnscope {

namespace {

using nlohmann::json;

constexpr std::uint64_t longestFile = 64 << 20;

std::string pathIn(const std::string& folder, const char* name)
{
    return (std::filesystem::path(folder) / name).string();
}

/// A file of JSON; null where there is none.
Result<json> readBeside(const std::string& folder, const char* name)
{
    const std::string path = pathIn(folder, name);
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
        return json();
    return readText(path, longestFile).and_then([&](const std::string& text) { return parseJson(text, path); });
}

/// The lines of a text, without their ends.
std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::size_t length = end - at - (end > at && text[end - 1] == '\r' ? 1 : 0);
        lines.push_back(text.substr(at, length));
        at = end + 1;
    }
    return lines;
}

/// The names of special tokens in a configuration: "bos_token": "<s>", or {"content": "<s>"}, or a list of those.
void collectSpecial(const json& config, std::set<std::string>& names)
{
    const auto add = [&](const json& one) {
        const json& content = one.is_object() && one.contains("content") ? one["content"] : one;
        if (content.is_string() && !content.get_ref<const std::string&>().empty())
            names.insert(content.get<std::string>());
    };
    for (const char* key : {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token",
                            "additional_special_tokens"}) {
        if (!config.is_object() || !config.contains(key))
            continue;
        if (config[key].is_array())
            std::for_each(config[key].begin(), config[key].end(), add);
        else
            add(config[key]);
    }
}

/// "added_tokens_decoder": {"320": {"content": ...}}, as a list with ids.
Result<json> listOfDecoder(const json& decoder, const std::string& path)
{
    json list = json::array();
    if (!decoder.is_object())
        return failure(ErrorKind::InvalidArgument, path + " must be an object {id: token}");
    for (const auto& [key, token] : decoder.items()) {
        int id = -1;
        const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), id);
        if (error != std::errc() || end != key.data() + key.size() || !token.is_object())
            return failure(ErrorKind::InvalidArgument, "{}.{} must be a token under its id", path, key);
        list.push_back(token);
        list.back()["id"] = id;
    }
    return list;
}

}  // namespace

Result<json> readTokenizerConfig(const std::string& folder)
{
    return readBeside(folder, "tokenizer_config.json").map([](json config) {
        return config.is_object() ? std::move(config) : json::object();
    });
}

Result<std::vector<AddedToken>> addedBeside(const std::string& folder,
                                            const std::function<std::optional<int>(const std::string&)>& idOf,
                                            const std::vector<std::string>& usual)
{
    const json config = TRY(readTokenizerConfig(folder)), special = TRY(readBeside(folder, "special_tokens_map.json")),
               more = TRY(readBeside(folder, "added_tokens.json"));
    std::vector<AddedToken> tokens;
    if (config.contains("added_tokens_decoder")) {
        const std::string path = pathIn(folder, "tokenizer_config.json") + ": added_tokens_decoder";
        tokens = TRY(AddedTokens::read(TRY(listOfDecoder(config["added_tokens_decoder"], path)), path));
    }
    std::set<std::string> names, known;
    for (const json* one : {&config, &special})
        collectSpecial(*one, names);
    if (names.empty())
        names.insert(usual.begin(), usual.end());
    for (const AddedToken& token : tokens)
        known.insert(token.text);
    const auto add = [&](const std::string& name, int id) {
        if (known.insert(name).second)
            tokens.push_back({.text = name, .id = id, .special = names.contains(name)});
    };
    if (!more.is_null() && !more.is_object())
        return failure(ErrorKind::InvalidArgument,
                       pathIn(folder, "added_tokens.json") + " must be an object {token: id}");
    for (const auto& [name, id] : more.items()) {
        if (!id.is_number_unsigned() || id.get<std::uint64_t>() > largestTokenId)
            return failure(ErrorKind::InvalidArgument, "{}: the id of {} must be a whole number up to {}",
                           pathIn(folder, "added_tokens.json"), inQuotes(name), largestTokenId);
        add(name, id.get<int>());
    }
    for (const std::string& name : names)
        if (const auto id = idOf(name))
            add(name, *id);
    return tokens;
}

namespace {

/// A tokenizer.json that these files amount to, with what is added beside them.
Result<std::shared_ptr<const Tokenizer>> tokenizerWithAdded(const json& whole, const std::string& folder,
                                                            const std::string& path,
                                                            const std::vector<std::string>& usual,
                                                            std::optional<TextBegin> begin = {})
{
    TokenizerParts parts = TRY(partsOf(whole, path));
    parts.begin = begin;
    parts.added = TRY(addedBeside(
        folder, [&](const std::string& token) { return parts.encoding->idOf(token); }, usual));
    return makeTokenizer(std::move(parts), path);
}

bool flag(const json& config, const char* key, bool otherwise)
{
    return config.contains(key) && config[key].is_boolean() ? config[key].get<bool>() : otherwise;
}

}  // namespace

Result<std::shared_ptr<const Tokenizer>> openMerges(const std::string& folder)
{
    const std::string path = pathIn(folder, "vocab.json");
    const json config = TRY(readTokenizerConfig(folder));
    const json vocabulary = TRY(readBeside(folder, "vocab.json"));
    std::string kind = config.contains("tokenizer_class") && config["tokenizer_class"].is_string()
                           ? config["tokenizer_class"].get<std::string>()
                           : "GPT2Tokenizer";
    if (kind.ends_with("Fast"))
        kind.resize(kind.size() - 4);
    const std::set<std::string> asGpt2{"GPT2Tokenizer",       "RobertaTokenizer", "BartTokenizer",
                                       "LongformerTokenizer", "CodeGenTokenizer", "GPTNeoXTokenizer"};
    if (kind != "Qwen2Tokenizer" && !asGpt2.contains(kind))
        return failure(
            ErrorKind::Unavailable,
            "{}: vocab.json and merges.txt of a {} are not run here; save its tokenizer.json, or give token ids",
            pathIn(folder, "tokenizer_config.json"), kind.substr(0, 40));
    if (vocabulary.is_object() && vocabulary.contains("a</w>"))
        return failure(ErrorKind::Unavailable, path +
                                                   ": its words end in </w>, so it is no byte-level vocabulary; save "
                                                   "its tokenizer.json, or give token ids");
    json merges = json::array();
    for (std::string& line : linesOf(TRY(readText(pathIn(folder, "merges.txt"), longestFile))))
        if (!line.empty() && !(merges.empty() && line.starts_with("#version")))
            merges.push_back(std::move(line));
    const PublishedSplit split = TRY(publishedSplit(kind == "Qwen2Tokenizer" ? "qwen2" : "gpt-2", path));
    const json spaced{{"type", "ByteLevel"}, {"add_prefix_space", flag(config, "add_prefix_space", false)}};
    const bool asQwen = kind == "Qwen2Tokenizer";
    const std::set<std::string> ofEncoders{"RobertaTokenizer", "BartTokenizer", "LongformerTokenizer"};
    return tokenizerWithAdded({{"normalizer", asQwen ? json{{"type", "NFC"}} : json()},
                               {"pre_tokenizer", asQwen ? split.preTokeniser : spaced},
                               {"decoder", {{"type", "ByteLevel"}}},
                               {"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", merges}}}},
                              folder, path, {"<|endoftext|>"}, TextBegin{.any = ofEncoders.contains(kind)});
}

Result<std::shared_ptr<const Tokenizer>> openWordPieces(const std::string& folder)
{
    const std::string path = pathIn(folder, "vocab.txt");
    const json config = TRY(readTokenizerConfig(folder));
    json vocabulary = json::object();
    const std::vector<std::string> lines = linesOf(TRY(readText(path, longestFile)));
    for (std::size_t id = 0; id < lines.size(); ++id)
        vocabulary[lines[id]] = id;
    json normaliser{{"type", "BertNormalizer"},
                    {"lowercase", flag(config, "do_lower_case", true)},
                    {"handle_chinese_chars", flag(config, "tokenize_chinese_chars", true)}};
    if (config.contains("strip_accents"))
        normaliser["strip_accents"] = config["strip_accents"];
    return tokenizerWithAdded({{"normalizer", normaliser},
                               {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
                               {"decoder", {{"type", "WordPiece"}}},
                               {"model", {{"type", "WordPiece"}, {"vocab", vocabulary}, {"unk_token", "[UNK]"}}}},
                              folder, path, {"[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]"});
}

}  // namespace attnscope
