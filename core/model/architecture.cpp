#include "core/model/architecture.h"

#include "core/model/model_type.h"

namespace attnscope {

namespace {

std::string labelOf(const Architecture& a)
{
    const auto type = findRow(modelTypes(), a.type, "model_type");
    return type ? (*type)->label : a.type;
}

}  // namespace

std::string describe(const Architecture& a)
{
    const auto number = [](std::int64_t n) { return std::to_string(n); };
    const std::string shared = a.keyHeads == a.heads
                                   ? number(a.heads) + " heads"
                                   : number(a.heads) + " query heads on " + number(a.keyHeads) + " key heads";
    return labelOf(a) + (a.causal ? ": " : " encoder: ") + number(a.layers) + (a.layers == 1 ? " layer" : " layers") +
           ", width " + number(a.width) + ", " + shared + " of size " + number(a.headSize) + ", vocabulary " +
           number(a.vocabulary) + ", trained at " + number(a.trainLength);
}

Choice maskOf(const Architecture& architecture, int layer)
{
    if (!architecture.causal)
        return {"full", {}, {}};
    const std::int64_t window = architecture.windows.empty() ? 0 : architecture.windows[static_cast<size_t>(layer)];
    return window == 0 ? Choice{"causal", {}, {}} : Choice{"window", {{"w", static_cast<double>(window)}}, {}};
}

std::int64_t parameterCount(const Architecture& a)
{
    const std::int64_t width = a.width, inner = a.inner, queries = std::int64_t{a.heads} * a.headSize,
                       keys = std::int64_t{a.keyHeads} * a.headSize;
    const std::int64_t norm = width * (a.norm == Norm::Layer ? 2 : 1);
    std::int64_t layer =
        width * (2 * queries + 2 * keys) + width * inner * (a.gated ? 3 : 2) + norm * (a.twoSidedNorms ? 4 : 2);
    layer += (a.queryKeyBias ? queries + 2 * keys : 0) + (a.outputBias ? width : 0) +
             (a.feedBias ? inner * (a.gated ? 2 : 1) + width : 0);
    layer += a.headNorms ? 2 * std::int64_t{a.headSize} : 0;
    return a.layers * layer + norm + std::int64_t{a.vocabulary} * width * (a.tiedEmbeddings ? 1 : 2) +
           a.learnedPositions * width;
}

}  // namespace attnscope
