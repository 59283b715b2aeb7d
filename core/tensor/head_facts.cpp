#include "core/base/text.h"
#include "core/tensor/head_file.h"
#include "core/tensor/head_names.h"

#include <charconv>
#include <cmath>

namespace attnscope {

namespace {

using Metadata = std::map<std::string, std::string>;

std::string valueOf(const Metadata& metadata, std::initializer_list<const char*> keys)
{
    for (const char* key : keys)
        if (const auto found = metadata.find(key); found != metadata.end())
            return lowered(found->second);
    return {};
}

std::optional<bool> truth(const std::string& text)
{
    if (text == "true" || text == "1" || text == "yes")
        return true;
    if (text == "false" || text == "0" || text == "no")
        return false;
    return std::nullopt;
}

/// The number that follows `word`, as in "base 10000", "theta=500000" or "trained at n=100".
std::optional<double> numberAfter(std::string_view text, std::string_view word)
{
    const std::size_t at = text.find(word);
    if (at == text.npos)
        return std::nullopt;
    std::string_view rest = text.substr(at + word.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(" :=n"), rest.size()));
    double value = 0;
    const bool read = std::from_chars(rest.data(), rest.data() + rest.size(), value).ec == std::errc{};
    return read && value > 0 && value < 1e12 ? std::optional(value) : std::nullopt;
}

bool says(std::string_view text, std::initializer_list<std::string_view> words)
{
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return text.find(word) != text.npos; });
}

/// By the tensor's own name and those beside it first; then by what the file says of its q and k.
std::optional<bool> rotatedOf(const TensorFile& file, std::string_view query, const std::string& rope)
{
    const Metadata& metadata = file.metadata();
    const std::string rotated = rotatedName(query);
    if (saysPreRope(query) || (!rotated.empty() && file.find(rotated)))
        return false;
    if (says(query, {"hook_rot_", "post_rope", "rotated"}))
        return true;
    if (const auto applied = truth(valueOf(metadata, {"rope_applied", "rotated", "post_rope"})))
        return applied;
    if (says(rope, {"post-rope", "post rope", "post_rope", "after rope", "applied"}))
        return true;
    if (says(rope, {"pre-rope", "pre rope", "pre_rope", "before rope", "not applied"}))
        return false;
    return std::nullopt;
}

/// Of one layer: "layer3.mask" and so on (HeadRecorder).
void addLayerFacts(const Metadata& metadata, const std::string& layer, HeadFacts& facts)
{
    const auto text = [&](const char* what) {
        const auto found = metadata.find(layer + what);
        return found == metadata.end() ? std::string() : found->second;
    };
    facts.position = text("positions");
    facts.mask = text("mask");
    facts.softCap = numberFrom<double>(text("soft_cap"));
    for (const std::string_view part : split(text("sinks"), ','))
        if (const auto sink = numberFrom<double>(trimmed(part)); sink && std::abs(*sink) <= 1000)
            facts.sinks.push_back(*sink);
}

}  // namespace

HeadFacts factsOf(const TensorFile& file, std::string_view query)
{
    const Metadata& metadata = file.metadata();
    HeadFacts facts;
    if (const auto model = metadata.find("model"); model != metadata.end())
        facts.model = model->second;
    facts.causal = truth(valueOf(metadata, {"causal", "is_causal"}));
    const std::string rope = valueOf(metadata, {"rope", "positions", "position"});
    facts.rotated = rotatedOf(file, query, rope);
    facts.ropeBase = numberAfter(valueOf(metadata, {"rope_base", "rope_theta"}), "");
    for (const std::string_view word : {"base", "theta"})
        if (!facts.ropeBase)
            facts.ropeBase = numberAfter(rope, word);
    const std::string pairs = rope + " " + valueOf(metadata, {"rope_pairs", "rope_style"});
    if (says(pairs, {"interleaved", "neighbour", "adjacent"}))
        facts.ropeInterleaved = true;
    else if (says(pairs, {"half", "halves", "neox"}))
        facts.ropeInterleaved = false;
    facts.trainedLength = trainedLengthOf(file);
    addLayerFacts(metadata, std::string(query.substr(0, query.find('.'))) + ".", facts);
    return facts;
}

std::optional<double> trainedLengthOf(const TensorFile& file)
{
    const Metadata& metadata = file.metadata();
    const auto field =
        numberAfter(valueOf(metadata, {"n_train", "trained_length", "max_position_embeddings", "context_length"}), "");
    return field ? field : numberAfter(valueOf(metadata, {"model"}), "trained at");
}

Choice ropeOf(const HeadFacts& facts)
{
    Choice rope{"rope", {}, {}};
    if (facts.ropeBase && *facts.ropeBase != 10000)
        rope.values["base"] = *facts.ropeBase;
    if (facts.ropeInterleaved == false)
        rope.values["interleaved"] = 0;
    return rope;
}

SuggestedView suggestedFor(const HeadFacts& facts, const HeadSizes& sizes)
{
    const bool queriesAndKeys = sizes.headSize > 0;  // positions are in finished logits
    return {.mask = {facts.causal.value_or(sizes.queries == sizes.keys) ? "causal" : "full", {}, {}},
            .position = queriesAndKeys && facts.rotated == false ? ropeOf(facts) : Choice{"none", {}, {}},
            .nTrain = facts.trainedLength};
}

}  // namespace attnscope
