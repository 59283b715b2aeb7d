#include "core/tensor/head_names.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace attnscope {

namespace {

struct Words {
    std::string_view query, key;
};
constexpr std::array<Words, 10> words{{
    {"query", "key"},
    {"queries", "keys"},
    {"Query", "Key"},
    {"q", "k"},
    {"Q", "K"},
    {"wq", "wk"},
    {"Wq", "Wk"},
    {"WQ", "WK"},
    {"qs", "ks"},
    {"xq", "xk"},
}};

struct Held {
    std::string_view name, holds;
};
constexpr std::array<Held, 17> heldNames{{
    {"logits", "logits"},
    {"attn_logits", "logits"},
    {"attention_logits", "logits"},
    {"scores", "logits"},
    {"attn_scores", "logits"},
    {"attention_scores", "logits"},
    {"hook_attn_scores", "logits"},
    {"weights", "weights"},
    {"attn_weights", "weights"},
    {"attention_weights", "weights"},
    {"attn", "weights"},
    {"attention", "weights"},
    {"attentions", "weights"},
    {"probs", "weights"},
    {"attention_probs", "weights"},
    {"pattern", "weights"},
    {"hook_pattern", "weights"},
}};

constexpr std::array<std::string_view, 6> layerWords{"layer", "layers", "block", "blocks", "blk", "l"};

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Every whole word `from` of the name, the last first, with `to` in its place.
void replaceWord(std::string_view name, std::string_view from, std::string_view to, std::vector<Counterpart>& out)
{
    for (std::size_t at = name.rfind(from); at != name.npos; at = at > 0 ? name.rfind(from, at - 1) : name.npos) {
        const std::size_t end = at + from.size();
        const bool whole = (at == 0 || !isLetter(name[at - 1])) && (end == name.size() || !isLetter(name[end]));
        if (whole)
            out.push_back({std::string(name.substr(0, at)).append(to).append(name.substr(end)), at, end});
    }
}

}  // namespace

std::vector<Counterpart> keyNames(std::string_view query)
{
    std::vector<Counterpart> names;
    for (const Words& pair : words)
        replaceWord(query, pair.query, pair.key, names);
    return names;
}

std::vector<Counterpart> queryNames(std::string_view key)
{
    std::vector<Counterpart> names;
    for (const Words& pair : words)
        replaceWord(key, pair.key, pair.query, names);
    return names;
}

std::string_view heldBy(std::string_view name)
{
    std::string last = lowered(name.substr(name.find_last_of("./") + 1));
    last.erase(
        std::find_if_not(last.rbegin(), last.rend(), [](char c) { return (c >= '0' && c <= '9') || c == '_'; }).base(),
        last.end());
    const auto row =
        std::find_if(heldNames.begin(), heldNames.end(), [&](const Held& held) { return held.name == last; });
    return row == heldNames.end() ? std::string_view{} : row->holds;
}

bool saysPreRope(std::string_view name)
{
    const std::string text = lowered(name);
    constexpr std::array<std::string_view, 6> signs{"pre_rope",    "pre-rope",  "prerope",
                                                    "before_rope", "unrotated", "no_rope"};
    return std::any_of(signs.begin(), signs.end(), [&](std::string_view sign) { return text.find(sign) != text.npos; });
}

std::string rotatedName(std::string_view query)
{
    const std::size_t hook = query.rfind("hook_q");
    return hook == query.npos ? std::string()
                              : std::string(query.substr(0, hook)) + "hook_rot_q" + std::string(query.substr(hook + 6));
}

std::optional<std::int64_t> layerNamed(std::string_view name)
{
    const std::string text = lowered(name);
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        while (at < text.size() && isLetter(text[at]))
            ++at;
        if (at == begin) {
            ++at;
            continue;
        }
        const std::string_view word = std::string_view(text).substr(begin, at - begin);
        const std::string_view between =
            at < text.size() && !isDigit(text[at]) ? std::string_view(text).substr(at, 1) : std::string_view();
        const std::size_t number = at + between.size();
        std::size_t end = number;
        while (end < text.size() && isDigit(text[end]))
            ++end;
        const bool separated = between.empty() || std::string_view("._-[ ").find(between) != between.npos;
        const bool whole = end == text.size() || !isLetter(text[end]);
        if (separated && whole &&
            (std::ranges::find(layerWords, word) != layerWords.end() || (word == "h" && between == ".")))
            if (const auto layer = numberFrom<std::int64_t>(std::string_view(text).substr(number, end - number)))
                return layer;
    }
    return std::nullopt;
}

std::string lowered(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
    return out;
}

}  // namespace attnscope
