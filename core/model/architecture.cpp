#include "core/model/architecture.h"

#include "core/attention/masks.h"
#include "core/attention/positions.h"
#include "core/base/text.h"
#include "core/model/families/families.h"

#include <algorithm>
#include <vector>

namespace attnscope {

namespace {

std::string labelOf(const Architecture& a)
{
    const auto family = findRow(families(), a.type, "model_type");
    return family ? (*family)->label : a.type;
}

/// The texts of the layers, each once, with how many layers have it where not all have.
template <class TextOf>
std::string ofLayers(const Architecture& a, const TextOf& textOf)
{
    std::vector<std::pair<std::string, int>> counts;
    for (const LayerSpec& layer : a.specs) {
        const std::string text = textOf(layer);
        const auto found = std::find_if(counts.begin(), counts.end(), [&](const auto& c) { return c.first == text; });
        if (found == counts.end())
            counts.emplace_back(text, 1);
        else
            ++found->second;
    }
    if (counts.size() == 1)
        return counts.front().first;
    return joined(counts, "; ",
                  [&](const auto& c) { return fmt::format("{} in {} of {} layers", c.first, c.second, a.layers); });
}

const OwnPosition& positionIn(const Architecture& a)
{
    static const OwnPosition none;
    const auto any =
        std::ranges::find_if(a.specs, [](const LayerSpec& layer) { return hasPositions(layer.position.choice); });
    return any == a.specs.end() ? none : any->position;
}

std::string inWords(const OwnPosition& position)
{
    const auto row = findRow(positions(), position.choice.id, "position");
    return !position.called.empty() ? position.called : row ? std::string((*row)->label) : position.choice.id;
}

}  // namespace

const Choice& Architecture::position() const { return positionIn(*this).choice; }
const OwnPosition& Architecture::ownPosition() const { return positionIn(*this); }

std::string describe(const Architecture& a)
{
    const auto number = [](std::int64_t n) { return std::to_string(n); };
    const std::string shared = a.keyHeads == a.heads ? number(a.heads) + " heads"
                                                     : number(a.heads) + " query heads on " + number(a.keyHeads) +
                                                           (a.keyHeads == 1 ? " key head" : " key heads");
    return labelOf(a) + (a.causal ? ": " : " encoder: ") + number(a.layers) + (a.layers == 1 ? " layer" : " layers") +
           ", width " + number(a.width) + ", " + shared + " of size " + number(a.headSize) + ", vocabulary " +
           number(a.vocabulary) + ", trained at " + number(a.trainLength);
}

std::string describePositions(const Architecture& a)
{
    const std::string own = ofLayers(a, [](const LayerSpec& layer) {
        const OwnPosition& position = layer.position;
        return formatChoice(position.choice) + (position.beyond ? ", beyond N " + formatChoice(*position.beyond)
                                                : position.dynamic > 0
                                                    ? ", beyond N ntk with s = " + formatNumber(position.dynamic) +
                                                          " n/N - " + formatNumber(position.dynamic - 1)
                                                    : "");
    });
    return a.learnedPositions > 0 ? fmt::format("learned, {}", a.learnedPositions) : own;
}

std::string positionInWords(const Architecture& a)
{
    if (a.learnedPositions > 0)
        return "learned";
    return inWords(positionIn(a));
}

std::string positionsInWords(const Architecture& a)
{
    return a.learnedPositions > 0 ? "learned"
                                  : ofLayers(a, [](const LayerSpec& layer) { return inWords(layer.position); });
}

std::string describeMasks(const Architecture& a)
{
    return ofLayers(a, [](const LayerSpec& layer) { return formatChoice(layer.mask); });
}

const Choice& maskOf(const Architecture& architecture, int layer)
{
    return architecture.specs.at(static_cast<size_t>(layer)).mask;
}

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
