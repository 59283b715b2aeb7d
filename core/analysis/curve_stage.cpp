#include "core/analysis/stage_keys.h"
#include "core/analysis/stages.h"

#include "core/base/length_list.h"
#include "core/tensor/synthetic_source.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

using Index = std::int64_t;

/// The queries to look at for the first n tokens, as rows of a head: [begin, end).
struct RowRange {
    Index length = 0, begin = 0, end = 0;
};

/// The synthetic source of the scenario, or null.
const SyntheticSource* syntheticOf(const Scenario& scenario)
{
    return findRow(syntheticSources(), scenario.source.id, "source").value_or(nullptr);
}

/// Where order means nothing and the mask is at most causal, every query may look at all n keys.
bool anyQuerySeesAll(const Scenario& scenario)
{
    const SyntheticSource* source = syntheticOf(scenario);
    return source && !source->hasOrder && scenario.attention.position.id == "none" &&
           (scenario.attention.mask.id == "causal" || scenario.attention.mask.id == "full");
}

/// The last rows of the first n tokens: all see nearly n keys under a causal mask. At most a quarter of them.
RowRange lastRows(const AttentionHead& head, Index length, Index most)
{
    Index end = head.queryCount();
    while (end > 0 && head.position(end - 1) >= length)
        --end;
    const Index count = std::clamp<Index>(length / 4, 1, most);
    return {length, std::max<Index>(0, end - count), end};
}

/// The passes at those lengths at which the method has a value.
Result<std::vector<Pass>> passesOf(const Stage& stage, const AttentionHead& head, const Choice& method, const std::vector<RowRange>& ranges)
{
    std::vector<Pass> passes;
    for (const RowRange& range : ranges) {
        const Result<std::vector<float>> scale = scaleOf(stage, head, method, range.length, range.end);
        if (scale)
            passes.push_back({.prefix = range.length, .firstRow = range.begin, .lastRow = range.end, .scale = {scale->begin() + range.begin, scale->end()}});
        else if (scale.error().kind != ErrorKind::Undefined)
            return tl::unexpected<Error>(scale.error());
    }
    return passes;
}

/// Mean weight of the matching key over a few rows of each range.
Result<std::vector<double>> needleWeights(const Stage& stage, const AttentionHead& head, const std::vector<Pass>& passes, Index needle)
{
    constexpr Index rowsLooked = 8;
    std::vector<double> means;
    for (const Pass& pass : passes) {
        double sum = 0;
        const Index count = std::min(rowsLooked, pass.lastRow - pass.firstRow);
        for (Index r = 0; r < count && !stage.stopped(); ++r) {
            const Result<RowDetail> detail = rowDetail(head, stage.scenario.attention.normaliser, pass.firstRow + r, pass.prefix, pass.scale[static_cast<size_t>(r)]);
            if (!detail)
                return tl::unexpected<Error>(detail.error());
            const auto found = std::lower_bound(detail->keys.begin(), detail->keys.end(), needle);
            if (found != detail->keys.end() && *found == needle)
                sum += detail->weights[static_cast<size_t>(found - detail->keys.begin())];
        }
        means.push_back(count > 0 ? sum / static_cast<double>(count) : 0);
    }
    return means;
}

Result<Shared<Source>> curveSource(Stage& stage)
{
    const Scenario& scenario = stage.scenario;
    return stage.cache.curveSources.get(curveSourceKey(scenario), [&] {
        const SyntheticSource* source = syntheticOf(scenario);
        const Index keys = source && source->finishedLogits ? std::min<Index>(scenario.view.curveLast, 4096) : scenario.view.curveLast;
        return openSource(scenario, keys, anyQuerySeesAll(scenario) || (source && source->finishedLogits) ? scenario.view.curveRows : keys);
    });
}

std::vector<RowRange> rowRanges(const AttentionHead& head, const Scenario& scenario)
{
    const Index last = std::min(scenario.view.curveLast, head.keyCount);
    const Index first = std::min(scenario.view.curveFirst, last);
    std::vector<RowRange> ranges;
    for (const Index length : logSpacedLengths(first, last, std::max(2, scenario.view.curvePoints)))
        ranges.push_back(head.mask.id == "full" ? RowRange{length, 0, head.queryCount()} : lastRows(head, length, scenario.view.curveRows));
    return ranges;
}

/// The rows of any range, once.
std::vector<Index> rowsOf(const std::vector<RowRange>& ranges)
{
    std::vector<Index> rows;
    for (const RowRange& range : ranges)
        for (Index row = rows.empty() ? range.begin : std::max(range.begin, rows.back() + 1); row < range.end; ++row)
            rows.push_back(row);
    return rows;
}

Result<Shared<AttentionHead>> curveHead(Stage& stage, const Source& source)
{
    return stage.cache.curveHeads.get(curveHeadKey(stage.scenario), [&]() -> Result<AttentionHead> {
        AttentionSpec spec = stage.scenario.attention;
        if (anyQuerySeesAll(stage.scenario))
            spec.mask = Choice{"full", {}, {}};
        Result<AttentionHead> head = prepareHead(source.heads, std::clamp(stage.scenario.tensors.head, 0, source.heads.headCount() - 1), spec);
        if (head && stage.scenario.source.id != "tensors" && head->mask.id != "full")
            return sampleRows(*head, rowsOf(rowRanges(*head, stage.scenario)));
        return head;
    });
}

/// Where on the axis of n a pass belongs: the tokens that its rows have behind them.
double lengthOf(const AttentionHead& head, const Pass& pass)
{
    if (head.mask.id == "full")
        return static_cast<double>(pass.prefix);
    double sum = 0;
    for (Index row = pass.firstRow; row < pass.lastRow; ++row)
        sum += static_cast<double>(head.position(row) + 1);
    return sum / static_cast<double>(std::max<Index>(1, pass.lastRow - pass.firstRow));
}

Result<MethodCurves> curvesOf(const Stage& stage, const AttentionHead& head, const Choice& method, Index needle)
{
    MethodCurves made;
    const Result<std::vector<Pass>> passes = passesOf(stage, head, method, rowRanges(head, stage.scenario));
    if (!passes)
        return tl::unexpected<Error>(passes.error());
    auto rows = stage.engine.summarise(head, {.normaliser = stage.scenario.attention.normaliser, .passes = *passes, .order = stage.measure.order}, stage.stop);
    if (!rows)
        return tl::unexpected<Error>(rows.error());
    made.rows = std::move(*rows);
    for (const Pass& pass : *passes)
        made.lengths.push_back(lengthOf(head, pass));
    if (needle >= 0) {
        Result<std::vector<double>> weights = needleWeights(stage, head, *passes, needle);
        if (!weights)
            return tl::unexpected<Error>(weights.error());
        made.needle = std::move(*weights);
    }
    if (stage.stopped())
        return failure(ErrorKind::Cancelled, "stopped");
    return made;
}

}  // namespace

Result<std::vector<Shared<MethodCurves>>> curveStage(Stage& stage)
{
    std::vector<Shared<MethodCurves>> curves;
    for (const Choice& method : stage.scenario.methods) {
        auto curve = stage.cache.curves.get(curveKey(stage.scenario, method), [&]() -> Result<MethodCurves> {
            if (stage.scenario.source.id == "theory")
                return MethodCurves{};
            const auto source = curveSource(stage);
            if (!source)
                return tl::unexpected<Error>(source.error());
            const auto head = curveHead(stage, **source);
            if (!head)
                return tl::unexpected<Error>(head.error());
            return curvesOf(stage, **head, method, (*source)->needleKey);
        });
        if (!curve)
            return tl::unexpected<Error>(curve.error());
        curves.push_back(std::move(*curve));
    }
    return curves;
}

}  // namespace attnscope
