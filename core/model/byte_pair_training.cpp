#include "core/model/byte_pair_training.h"

#include "core/base/json_text.h"
#include "core/model/byte_letters.h"
#include "core/model/text_pieces.h"
#include "core/model/unicode_text.h"

#include <map>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace attnscope {

namespace {

constexpr int firstByte = 1, firstMerge = 257;

/// A word as tokens, and how often the text has it.
struct CountedWord {
    std::vector<int> tokens;
    std::int64_t count = 0;
};

/// The words of the text, cut line by line, in the alphabet of byte-level vocabularies.
Result<std::map<std::string, std::int64_t>> countWords(std::string_view text, const nlohmann::json& cutter)
{
    const auto pieces = TRY(readPreTokeniser(cutter, "tokenizer.json: pre_tokenizer"));
    std::map<std::string, std::int64_t> counts;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t newline = text.find('\n', at), end = newline == text.npos ? text.size() : newline + 1;
        TRY(pieces.cut(text.substr(at, end - at), at == 0, [&](std::string_view word, bool) -> Result<void> {
            ++counts[std::string(word)];
            return {};
        }));
        at = end;
    }
    return counts;
}

/// Puts `merged` in place of every `pair` of the word.
void mergeIn(std::vector<int>& tokens, std::pair<int, int> pair, int merged)
{
    std::size_t to = 0;
    for (std::size_t from = 0; from < tokens.size(); ++to) {
        const bool here = from + 1 < tokens.size() && tokens[from] == pair.first && tokens[from + 1] == pair.second;
        tokens[to] = here ? merged : tokens[from];
        from += here ? 2 : 1;
    }
    tokens.resize(to);
}

}  // namespace

Result<std::string> trainByteLevelTokenizer(std::string_view text, int vocabulary, const std::stop_token& stop)
{
    if (vocabulary < firstMerge)
        return failure(ErrorKind::InvalidArgument, "a byte-level vocabulary has 257 tokens at least");
    if (!isUtf8(text))
        return failure(ErrorKind::InvalidArgument, "the text is no UTF-8; convert it first");
    const nlohmann::ordered_json cutter{
        {"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", true}};
    const auto counts = TRY(countWords(text, cutter));

    std::vector<std::string> names{beginTokenText};
    std::map<std::string, int> letters;  // and, later, what they are merged to
    for (int byte = 0; byte < 256; ++byte) {
        names.push_back(byteLetter(static_cast<unsigned char>(byte)));
        letters[names.back()] = firstByte + byte;
    }
    std::vector<CountedWord> words;
    for (const auto& [word, count] : counts) {
        CountedWord counted{{}, count};
        for (std::size_t at = 0; at < word.size();) {
            const std::size_t length =
                static_cast<unsigned char>(word[at]) < 0x80 ? 1 : 2;  // the alphabet's letters have one or two bytes
            counted.tokens.push_back(letters.at(word.substr(at, length)));
            at += length;
        }
        words.push_back(std::move(counted));
    }
    nlohmann::ordered_json merges = nlohmann::ordered_json::array();
    while (static_cast<int>(names.size()) < vocabulary) {
        TRY(unlessStopped(stop));
        std::map<std::pair<int, int>, std::int64_t> pairs;
        for (const CountedWord& word : words)
            for (std::size_t i = 0; i + 1 < word.tokens.size(); ++i)
                pairs[{word.tokens[i], word.tokens[i + 1]}] += word.count;
        std::pair<std::pair<int, int>, std::int64_t> best{{}, 1};
        for (const auto& pair : pairs)
            if (pair.second > best.second)
                best = pair;
        if (best.second < 2)
            break;
        const std::string &left = names[static_cast<std::size_t>(best.first.first)],
                          &right = names[static_cast<std::size_t>(best.first.second)];
        const std::string joined = left + right;
        merges.push_back(left + " " + right);
        const auto [token, fresh] =
            letters.emplace(joined, static_cast<int>(names.size()));  // another pair may have made the same one
        const int merged = token->second;
        if (fresh)
            names.push_back(joined);
        for (CountedWord& word : words)
            mergeIn(word.tokens, best.first, merged);
    }
    nlohmann::ordered_json ids = nlohmann::ordered_json::object();
    for (std::size_t id = 0; id < names.size(); ++id)
        ids[names[id]] = id;
    const nlohmann::ordered_json begin{{"id", 0},         {"content", beginTokenText}, {"single_word", false},
                                       {"lstrip", false}, {"rstrip", false},           {"normalized", false},
                                       {"special", true}};
    const nlohmann::ordered_json decoder{
        {"type", "ByteLevel"}, {"add_prefix_space", true}, {"trim_offsets", true}, {"use_regex", true}};
    const nlohmann::ordered_json model{{"type", "BPE"},
                                       {"dropout", nullptr},
                                       {"unk_token", nullptr},
                                       {"continuing_subword_prefix", nullptr},
                                       {"end_of_word_suffix", nullptr},
                                       {"fuse_unk", false},
                                       {"byte_fallback", false},
                                       {"vocab", ids},
                                       {"merges", merges}};
    const nlohmann::ordered_json whole{{"version", "1.0"},
                                       {"truncation", nullptr},
                                       {"padding", nullptr},
                                       {"added_tokens", nlohmann::ordered_json::array({begin})},
                                       {"normalizer", nullptr},
                                       {"pre_tokenizer", cutter},
                                       {"post_processor", nullptr},
                                       {"decoder", decoder},
                                       {"model", model}};
    return jsonText(whole, 1) + "\n";
}

}  // namespace attnscope
