#include "core/model/architecture.h"

#include "core/attention/positions.h"
#include "core/model/families/families.h"

#include <algorithm>

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

}  // namespace attnscope
