#include "core/attention/suggested_view.h"

#include "core/attention/masks.h"
#include "core/attention/positions.h"
#include "core/scaling/scale_method.h"

#include <algorithm>

namespace attnscope {

AttentionSpec suggestedAttention(const HeadFacts& facts, const HeadSizes& sizes)
{
    const SuggestedView view = suggestedFor(facts, sizes);
    AttentionSpec spec{.position = view.position, .mask = view.mask, .normaliser = view.normaliser};
    if (sizes.headSize == 0)
        return spec;  // finished logits: whatever the model did is in them
    if (const auto mask = parseChoice(std::string_view(facts.mask), masks(), "mask"); mask && checkedMask(*mask))
        spec.mask = *mask;
    if (const auto position = parseChoice(std::string_view(facts.position), positions(), "position"))
        spec.position = *position;
    if (facts.softCap && *facts.softCap >= smallestSoftCap && *facts.softCap <= largestSoftCap)
        spec.softCap = *facts.softCap;
    if (std::ssize(facts.sinks) == sizes.heads)
        spec.normaliser = {"softmax1", {}, {}};
    return spec;
}

double suggestedTrainLength(const HeadFacts& facts, const HeadSizes& sizes)
{
    return facts.trainedLength.value_or(std::min(usualTrainLength, static_cast<double>(sizes.keys)));
}

}  // namespace attnscope
