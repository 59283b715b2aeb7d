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

/// Fewer rows of long sequences: their entropies differ less, and the work at each length stays bounded.
Index rowsAt(Index length, const View& view)
{
    constexpr Index pairs = Index(1) << 18;
    return std::clamp<Index>(pairs / length, std::min(8, view.curveRows), view.curveRows);
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
Result<std::vector<double>> needleWeights(const Stage& stage, const AttentionHead& head, std::span<const Pass> passes, Index needle)
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
        ranges.push_back(head.mask.id != "full"            ? lastRows(head, length, rowsAt(length, scenario.view))
                         : scenario.source.id == "tensors" ? RowRange{length, 0, head.queryCount()}
                                                           : RowRange{length, 0, std::min(head.queryCount(), rowsAt(length, scenario.view))});
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

/// Splits off the rows of a method's own passes.
Result<MethodCurves> gather(const Stage& stage, const AttentionHead& head, std::span<const Pass> passes, std::span<std::vector<RowSummary>> rows, Index needle)
{
    MethodCurves made;
    made.rows.assign(std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
    for (const Pass& pass : passes)
        made.lengths.push_back(lengthOf(head, pass));
    if (needle < 0)
        return made;
    return needleWeights(stage, head, passes, needle).map([&](std::vector<double> weights) {
        made.needle = std::move(weights);
        return std::move(made);
    });
}

/// The curves of these methods; one call of the engine, which computes the products q.k once.
Result<std::vector<MethodCurves>> curvesOf(Stage& stage, const std::vector<Choice>& methods)
{
    const auto source = curveSource(stage);
    if (!source)
        return tl::unexpected<Error>(source.error());
    const auto head = curveHead(stage, **source);
    if (!head)
        return tl::unexpected<Error>(head.error());
    const std::vector<RowRange> ranges = rowRanges(**head, stage.scenario);
    SummaryRequest request{.normaliser = stage.scenario.attention.normaliser, .passes = {}, .order = stage.measure.order};
    std::vector<size_t> ends;
    for (const Choice& method : methods) {
        Result<std::vector<Pass>> passes = passesOf(stage, **head, method, ranges);
        if (!passes)
            return tl::unexpected<Error>(passes.error());
        request.passes.insert(request.passes.end(), std::make_move_iterator(passes->begin()), std::make_move_iterator(passes->end()));
        ends.push_back(request.passes.size());
    }
    auto rows = stage.engine.summarise(**head, request, stage.stop);
    if (!rows)
        return tl::unexpected<Error>(rows.error());
    std::vector<MethodCurves> made;
    for (size_t m = 0, begin = 0; m < methods.size(); begin = ends[m++]) {
        const size_t count = ends[m] - begin;
        Result<MethodCurves> curves = gather(stage, **head, std::span(request.passes).subspan(begin, count), std::span(*rows).subspan(begin, count), (*source)->needleKey);
        if (!curves)
            return tl::unexpected<Error>(curves.error());
        made.push_back(std::move(*curves));
    }
    if (stage.stopped())
        return failure(ErrorKind::Cancelled, "stopped");
    return made;
}

}  // namespace

Result<std::vector<Shared<MethodCurves>>> curveStage(Stage& stage)
{
    const std::vector<Choice>& methods = stage.scenario.methods;
    if (stage.scenario.source.id == "theory")
        return std::vector<Shared<MethodCurves>>(methods.size(), std::make_shared<const MethodCurves>());
    std::vector<Shared<MethodCurves>> curves(methods.size());
    std::vector<Choice> missing;
    for (size_t m = 0; m < methods.size(); ++m)
        if (curves[m] = stage.cache.curves.find(curveKey(stage.scenario, methods[m])); !curves[m])
            missing.push_back(methods[m]);
    if (missing.empty())
        return curves;
    Result<std::vector<MethodCurves>> made = curvesOf(stage, missing);
    if (!made)
        return tl::unexpected<Error>(made.error());
    for (size_t m = 0, next = 0; m < methods.size(); ++m)
        if (!curves[m])
            curves[m] = stage.cache.curves.keep(curveKey(stage.scenario, methods[m]), std::move((*made)[next++]));
    return curves;
}

}  // namespace attnscope
