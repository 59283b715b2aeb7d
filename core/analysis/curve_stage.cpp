#include "core/analysis/curve_sample.h"
#include "core/analysis/stages.h"
#include "core/attention/normaliser.h"
#include "core/attention/row_logits.h"
#include "core/rows/rows.h"

#include <algorithm>

namespace attnscope {

namespace {

using Index = std::int64_t;

/// The passes at those lengths at which the method has a value.
Result<std::vector<Pass>> passesOf(const Stage& stage, const CurveSample& sample, const Choice& method)
{
    std::vector<Pass> passes;
    for (const RowRange& range : sample.ranges) {
        RowScales scales = TRY(scalesOf(stage, sample.head, method, range, sample.whole, sampleKey(stage.scenario)));
        if (!scales.absent.empty())
            continue;
        for (Index row = range.begin; row < range.end && !range.rows.empty(); ++row)
            if (!std::ranges::binary_search(range.rows, row))  // looked at for other lengths
                scales.scale[static_cast<size_t>(row - range.begin)] = noScale;
        passes.push_back(
            {.prefix = range.length, .firstRow = range.begin, .lastRow = range.end, .scale = std::move(scales.scale)});
    }
    return passes;
}

/// Mean p of the matching key, its share of the row's weight, over the rows of each pass that has it among its keys.
Curve needleWeights(const AttentionHead& head, const Normaliser& normaliser, const Choice& choice,
                    std::span<const Pass> passes, const MethodCurves& curves, Index needle)
{
    const Parameters parameters(normaliser, choice);
    Curve means;
    for (size_t p = 0; p < passes.size(); ++p) {
        if (needle >= passes[p].prefix)
            continue;
        std::vector<double> weights;
        for (Index row = passes[p].firstRow; row < passes[p].lastRow; ++row) {
            const size_t r = static_cast<size_t>(row - passes[p].firstRow);
            const bool sees = head.visible(row, passes[p].prefix).sees(needle);
            const RowSummary& summary = curves.rows[p][r];
            if (summary.visible > 0 && summary.mass > 0)
                weights.push_back(sees ? normaliser.weight(logitOf(head, row, needle, passes[p].scale[r]),
                                                           summary.state, parameters) /
                                             summary.mass
                                       : 0.0);
        }
        if (const RowMean mean = rowMean(std::move(weights)); mean.count > 0)
            means.push_back(pointOf(curves.lengths[p], mean));
    }
    return means;
}

/// Splits off the rows of a method's own passes.
MethodCurves gather(const Stage& stage, const AttentionHead& head, const Normaliser& normaliser,
                    std::span<const Pass> passes, std::span<std::vector<RowSummary>> rows, Index needle)
{
    MethodCurves made;
    made.rows.assign(std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
    for (const Pass& pass : passes)
        made.lengths.push_back(static_cast<double>(pass.prefix));
    if (needle >= 0)
        made.needle = needleWeights(head, normaliser, stage.scenario.attention.normaliser, passes, made, needle);
    return made;
}

/// The curves of these methods; one call of the engine, which computes the products q.k once.
Result<std::vector<MethodCurves>> curvesOf(Stage& stage, const std::vector<Choice>& methods)
{
    const auto sample =
        TRY(stage.cache.curveSamples.get(sampleKey(stage.scenario), [&] { return sampleForCurve(stage.scenario); }));
    const AttentionHead& head = sample->head;
    SummaryRequest request{
        .normaliser = stage.scenario.attention.normaliser, .passes = {}, .extras = stage.measure.extras};
    std::vector<size_t> ends;
    for (const Choice& method : methods) {
        std::vector<Pass> passes = TRY(passesOf(stage, *sample, method));
        request.passes.insert(request.passes.end(), std::make_move_iterator(passes.begin()),
                              std::make_move_iterator(passes.end()));
        ends.push_back(request.passes.size());
    }
    auto rows = TRY(stage.engine.summarise(head, request, stage.stop));
    const Normaliser* normaliser = TRY(findRow(normalisers(), request.normaliser.id, "normaliser"));
    std::vector<MethodCurves> made;
    for (size_t m = 0, begin = 0; m < methods.size(); begin = ends[m++]) {
        const size_t count = ends[m] - begin;
        made.push_back(gather(stage, head, *normaliser, std::span(request.passes).subspan(begin, count),
                              std::span(rows).subspan(begin, count), sample->needleKey));
    }
    if (stage.stopped())
        return stopped();
    return made;
}

bool measuresCurves(const Scenario& scenario) { return !scenario.ofTheory() && scenario.view.curvePoints > 0; }

}  // namespace

bool knowsCurves(const Stage& stage)
{
    return !measuresCurves(stage.scenario) || std::ranges::all_of(stage.scenario.methods, [&](const Choice& method) {
        return stage.cache.curves.find(curveKey(stage.scenario, method)) != nullptr;
    });
}

Result<std::vector<Shared<MethodCurves>>> curveStage(Stage& stage)
{
    const std::vector<Choice>& methods = stage.scenario.methods;
    if (!measuresCurves(stage.scenario))
        return std::vector<Shared<MethodCurves>>(methods.size(), std::make_shared<const MethodCurves>());
    std::vector<Shared<MethodCurves>> curves(methods.size());
    std::vector<Choice> missing;
    for (size_t m = 0; m < methods.size(); ++m)
        if (curves[m] = stage.cache.curves.find(curveKey(stage.scenario, methods[m])); !curves[m])
            missing.push_back(methods[m]);
    if (missing.empty())
        return curves;
    std::vector<MethodCurves> made = TRY(curvesOf(stage, missing));
    for (size_t m = 0, next = 0; m < methods.size(); ++m)
        if (!curves[m])
            curves[m] = stage.cache.curves.keep(curveKey(stage.scenario, methods[m]), std::move(made[next++]));
    return curves;
}

}  // namespace attnscope
