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
    const std::string sinks = text("sinks");
    for (const std::string_view part : split(sinks, ','))
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

namespace {

/// One row of every head, one head's after another's.
Result<std::vector<float>> rowOfHeads(const TensorFile& file, const TensorInfo& tensor, const Layout& layout,
                                      std::int64_t batch, std::int64_t row)
{
    Box box = boxOfBatch(layout, tensor.shape, batch);
    for (std::size_t a = 0; a < layout.axes.size(); ++a)
        if (layout.axes[a] == Axis::Tokens)
            box.begin[a] = row, box.count[a] = 1;
    return file.read<float>(tensor, box);
}

/// Sums within what rounding to bfloat16 leaves of 1.
constexpr double sumsToOneWithin = 0.01;

}  // namespace

HeadFacts factsOf(const TensorFile& file, const TensorSelection& selection)
{
    HeadFacts facts = factsOf(file, selection.query);
    if (selection.holds != "weights")
        return facts;
    const auto tensor = file.find(selection.query);
    const auto layout = layoutOf(file, selection);
    const auto sizes = sizesOf(file, selection);
    if (!tensor || !layout || !sizes || sizes->keys < 1 || sizes->queries < 1)
        return facts;
    const std::int64_t keys = sizes->keys, last = sizes->queries - 1;
    bool ahead = false, one = true;
    for (const std::int64_t row : {std::int64_t{0}, last / 2, last}) {
        const auto values = rowOfHeads(file, **tensor, **layout, selection.batch, row);
        if (!values)
            return facts;
        const std::int64_t place = row + keys - sizes->queries;
        for (std::int64_t head = 0; head * keys < std::ssize(*values); ++head) {
            const auto weights =
                std::span(*values).subspan(static_cast<std::size_t>(head * keys), static_cast<std::size_t>(keys));
            double sum = 0;
            for (std::int64_t key = 0; key < keys; ++key) {
                sum += static_cast<double>(weights[static_cast<std::size_t>(key)]);
                ahead |= key > place && weights[static_cast<std::size_t>(key)] > 0;
            }
            one &= std::abs(sum - 1) <= sumsToOneWithin || sum == 0;  // a row of padding
        }
    }
    facts.rowsSumToOne = one;
    if (!facts.causal && sizes->queries == keys && keys > 1)
        facts.causal = !ahead;
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
            .normaliser = {facts.rowsSumToOne == false ? "as_given" : "softmax", {}, {}}};
}

}  // namespace attnscope
