#include "ui/window/open_tensors.h"

#include <algorithm>

namespace attnscope {

namespace {

Result<TensorOffer> sizesOf(const TensorFile& file, const HeadCandidate& candidate)
{
    TensorOffer offer{candidate};
    TensorSelection selection{file.path(), candidate.query, candidate.key, candidate.layout, candidate.holds};
    const auto layout = layoutOf(file, selection);
    const auto query = file.find(candidate.query);
    const auto key = file.find(candidate.key.empty() ? candidate.query : candidate.key);
    if (!layout || !query || !key)
        return tl::unexpected<Error>(!layout ? layout.error() : !query ? query.error() : key.error());
    const auto& axes = (*layout)->axes;
    if ((*query)->shape.size() != axes.size() || (*key)->shape.size() != axes.size())
        return failure(ErrorKind::DataError, candidate.query + ": its shape does not fit the layout " + (*layout)->id);
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        if (axes[axis] == Axis::Heads)
            offer.heads = (*query)->shape[axis];
        else if (axes[axis] == (candidate.holds.empty() ? Axis::Tokens : Axis::Dim))
            offer.tokens = (*key)->shape[axis];
        if (axes[axis] == Axis::Dim && candidate.holds.empty())
            offer.headSize = static_cast<int>((*query)->shape[axis]);
    }
    return offer;
}

Choice positionOf(const HeadCandidate& candidate, const HeadFacts& facts)
{
    if (!candidate.preRope && facts.rotated.value_or(true))
        return {"none", {}, {}};
    Choice rope{"rope", {}, {}};
    if (facts.ropeBase && *facts.ropeBase != 10000)
        rope.values["base"] = *facts.ropeBase;
    return rope;
}

}  // namespace

Result<OfferedFile> offersOf(const std::string& path)
{
    const auto file = openHeadFile(path);
    if (!file)
        return tl::unexpected<Error>(file.error());
    OfferedFile out;
    Error last{ErrorKind::DataError, path + ": no tensors named like queries and keys (q and k, query and key, q_proj and k_proj)"};
    for (const HeadCandidate& candidate : findCandidates(*file)) {
        if (auto offer = sizesOf(*file, candidate))
            out.offers.push_back(std::move(*offer));
        else
            last = offer.error();
    }
    if (out.offers.empty())
        return tl::unexpected<Error>(last);
    out.facts = factsOf(*file, out.offers.front().candidate.query);
    return out;
}

Scenario scenarioFor(Scenario base, const std::string& path, const OfferedFile& file, std::size_t index)
{
    const TensorOffer& offer = file.offers[index];
    const bool sameFile = base.source.id == "tensors" && base.tensors.path == path;
    const int head = sameFile ? std::min<int>(base.tensors.head, static_cast<int>(offer.heads) - 1) : 0;
    base.source = {"tensors", {}, {}};
    base.tensors = {path, offer.candidate.query, offer.candidate.key, offer.candidate.layout, offer.candidate.holds, head};
    base.n = sameFile ? std::min(base.n, offer.tokens) : offer.tokens;
    if (offer.headSize > 0)
        base.d = offer.headSize;
    if (file.facts.trainedLength && !sameFile)
        base.nTrain = *file.facts.trainedLength;
    else if (!sameFile)
        base.nTrain = std::min(base.nTrain, double(offer.tokens));
    if (!sameFile) {
        base.attention.mask = {file.facts.causal.value_or(true) ? "causal" : "full", {}, {}};
        base.attention.position = positionOf(offer.candidate, file.facts);
    }
    base.view.row = -1;
    base.view.region = {};
    base.view.curveFirst = std::clamp<std::int64_t>(offer.tokens / 32, 2, 16);
    base.view.curveLast = offer.tokens;
    return base;
}

Scenario withSource(Scenario base, const Choice& source)
{
    const View usual;
    base.source = source;
    base.view.row = -1;
    base.view.region = {};
    base.view.curveFirst = usual.curveFirst;
    base.view.curveLast = source.id == "theory" ? 1'000'000'000 : usual.curveLast;
    if (source.id != "theory")
        base.n = std::min<std::int64_t>(base.n, 1 << 20);
    return base;
}

}  // namespace attnscope
