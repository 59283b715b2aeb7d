#include "core/model/published_splits.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace attnscope {

namespace {

using Expressions = std::span<const char* const>;

// a text goes through all expressions of a list, one after another
constexpr std::array gpt2{R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)"};
constexpr std::array llama3{
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"};
constexpr std::array qwen2{
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"};
constexpr std::array seedCoder{
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+)"};
constexpr std::array gpt4o{
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
    R"(\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"};
constexpr std::array tekken{R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|)"
                            R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|)"
                            R"(\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"};
constexpr std::array deepseek3{
    R"(\p{N}{1,3})", "[一-龥぀-ゟ゠-ヿ]+",
    R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"};
constexpr std::array digitsThenGpt2{R"(\p{N})", gpt2[0]};
constexpr std::array falcon{R"([\p{P}\$\+<=>\^~\|`]+)", gpt2[0], "[0-9][0-9][0-9]"};
constexpr std::array severalOfOld{R"([\p{P}\$\+<=>\^~\|]+)", gpt2[0], R"(\p{N}+)", "[0-9][0-9][0-9]"};
constexpr std::array bloom{" ?[^(\\s|.,!?…。，、।۔،)]+"};

struct NamedSplit {
    std::string_view name;
    Expressions expressions;
    bool wholeWords = false;  ///< PublishedSplit::wholeWords
};
const std::array<NamedSplit, 33> namedSplits{{
    {"default", severalOfOld},
    {"", severalOfOld},
    {"gpt-2", gpt2},
    {"phi-2", gpt2},
    {"olmo", gpt2},
    {"mpt", gpt2},
    {"jais", gpt2},
    {"trillion", gpt2},
    {"exaone4", gpt2},
    {"modern-bert", gpt2},
    {"llama3", llama3, true},
    {"llama-v3", llama3, true},
    {"llama-bpe", llama3, true},
    {"falcon3", llama3, true},
    {"dbrx", llama3},
    {"smaug-bpe", llama3},
    {"chatglm-bpe", llama3},
    {"glm4", llama3},
    {"qwen2", qwen2},
    {"deepseek-r1-qwen", qwen2},
    {"stablelm2", qwen2},
    {"gpt-4o", gpt4o},
    {"llama4", gpt4o},
    {"minimax-m2", gpt4o},
    {"seed-coder", seedCoder},
    {"tekken", tekken, true},
    {"deepseek-v3", deepseek3},
    {"starcoder", digitsThenGpt2},
    {"smollm", digitsThenGpt2},
    {"command-r", digitsThenGpt2},
    {"refact", digitsThenGpt2},
    {"falcon", falcon},
    {"bloom", bloom},
}};

/// src/llama-vocab.cpp of llama.cpp, also of those whose splits are not known here.
constexpr std::array<std::string_view, 11> withBeginToken{"llama3",       "llama-v3",  "llama-bpe", "falcon3",
                                                          "falcon-h1",    "pixtral",   "midm-2.0",  "lfm2",
                                                          "jina-v5-nano", "chameleon", "tekken"};

}  // namespace

bool beginsTexts(std::string_view name) { return std::ranges::find(withBeginToken, name) != withBeginToken.end(); }

Result<PublishedSplit> publishedSplit(const std::string& name, const std::string& path)
{
    using nlohmann::json;
    const auto found =
        std::find_if(namedSplits.begin(), namedSplits.end(), [&](const NamedSplit& one) { return one.name == name; });
    if (found == namedSplits.end()) {
        std::string known;
        for (const NamedSplit& one : namedSplits)
            if (!one.name.empty())
                known += (known.empty() ? "" : ", ") + std::string(one.name);
        return failure(ErrorKind::Unavailable,
                       "{}: the tokeniser cuts texts as '{}' does, which is not known here; known: {}; give token ids "
                       "instead of a text",
                       path, name.substr(0, 40), known);
    }
    json steps = json::array();
    for (const char* expression : found->expressions)
        steps.push_back(
            {{"type", "Split"}, {"pattern", {{"Regex", expression}}}, {"behavior", "Isolated"}, {"invert", false}});
    steps.push_back({{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}});
    PublishedSplit split;
    split.preTokeniser = {{"type", "Sequence"}, {"pretokenizers", steps}};
    split.wholeWords = found->wholeWords;
    return split;
}

}  // namespace attnscope
