#include "core/model/layer_words.h"

#include "core/attention/masks.h"
#include "core/attention/positions.h"
#include "core/base/text.h"

#include <algorithm>
#include <vector>

namespace attnscope {

namespace {

std::string positionOf(const Architecture& a, const LayerSpec& spec)
{
    const Choice& choice = spec.position.choice;
    if (!hasPositions(choice))
        return a.learnedPositions > 0 ? "learned positions" : "no positions";
    const auto row = findRow(positions(), choice.id, "position");
    if (!row)
        return choice.id;
    const std::string words = spec.position.called.empty() ? std::string((*row)->label) : spec.position.called;
    const bool based = std::ranges::any_of((*row)->parameters, [](const Parameter& of) { return of.id == "base"; });
    return based ? words + ", base " + formatNumber(Parameters(**row, choice)["base"]) : words;
}

std::string maskIn(const Choice& mask)
{
    const auto number = [&](const char* key) {
        const auto value = mask.values.find(key);
        return value == mask.values.end() ? std::string() : formatNumber(value->second);
    };
    if (mask.id == "causal")
        return "sees all keys before it";
    if (mask.id == "full")
        return "sees all keys";
    if (mask.id == "window")
        return "window of " + number("w") + " keys";
    if (mask.id == "documents" && !number("length").empty())
        return "chunks of " + number("length") + " keys";
    return formatChoice(mask);
}

}  // namespace

std::string layerInWords(const Architecture& a, int layer)
{
    const LayerSpec& spec = a.specs.at(static_cast<size_t>(layer));
    std::vector<std::string> words{positionOf(a, spec), maskIn(spec.mask)};
    if (spec.method.id != "vanilla")
        words.emplace_back("a temperature that changes with the place");
    if (spec.logitFactor != 1)
        words.push_back("logits times " + formatNumber(spec.logitFactor, 3) + " beside 1/sqrt(d)");
    if (spec.logitCap > 0)
        words.push_back("soft-cap " + formatNumber(spec.logitCap));
    if (!spec.sinks.empty())
        words.emplace_back("a sink a head");
    if (spec.headNorm != HeadNorm::None)
        words.emplace_back("norms of queries and keys");
    if (spec.latent)
        words.emplace_back("queries, keys and values through narrow vectors");
    if (spec.experts)
        words.push_back(fmt::format("{} of {} experts", spec.experts->chosen, spec.experts->count));
    return joined(words, "; ");
}

Result<void> checkLayer(const Architecture& architecture, int layer)
{
    if (layer >= 0 && layer < architecture.layers)
        return {};
    return failure(ErrorKind::InvalidArgument, "there is no layer {}; the layers are 0 to {}", layer,
                   architecture.layers - 1);
}

}  // namespace attnscope
