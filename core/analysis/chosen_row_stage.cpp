#include "core/analysis/stages.h"

#include "core/attention/row_detail.h"
#include "core/base/parallel.h"

#include <numeric>

namespace attnscope {

Result<void> addChosenRows(Stage& stage, std::vector<MethodAnalysis>& methods, const AttentionHead& head)
{
    const AttentionHead chosen = sampleRows(head, std::span(&stage.scenario.view.row, 1));
    SummaryRequest request{
        .normaliser = stage.scenario.attention.normaliser, .passes = {}, .extras = stage.measure.extras};
    std::vector<MethodAnalysis*> scaled;
    for (MethodAnalysis& method : methods) {
        if (!method.absent.empty())
            continue;
        RowScales scales =
            TRY(scalesOf(stage, chosen, method.method, {head.keyCount, 0, 1}, head, {.head = headKey(stage.scenario)}));
        if (!scales.absent.empty())
            continue;
        if (method.worked.empty() && hasScale(scales.scale.front()))  // solved on these tensors, not by a formula of n
            method.worked = "m = " + formatNumber(scales.scale.front() * stage.scenario.temperature, 4);
        request.passes.push_back(
            {.prefix = head.keyCount, .firstRow = 0, .lastRow = 1, .scale = std::move(scales.scale)});
        scaled.push_back(&method);
    }
    if (scaled.empty())
        return {};
    const auto summaries = TRY(stage.engine.summarise(chosen, request, stage.stop));
    std::vector<double> scales;
    for (const Pass& pass : request.passes)
        scales.push_back(pass.scale.front());
    auto details = TRY(rowDetails(chosen, request.normaliser, 0, head.keyCount, scales));
    for (size_t m = 0; m < scaled.size(); ++m) {
        scaled[m]->chosen = std::move(details[m]);
        scaled[m]->chosenSummary = summaries[m].front();
    }
    return {};
}

namespace {

/// p of the row, which sums to 1; empty where no key has any weight.
std::vector<double> sharesOf(std::vector<double> weights)
{
    const double mass = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (!(mass >= RowSummary::leastMass))
        return {};
    for (double& weight : weights)
        weight /= mass;
    return weights;
}

}  // namespace

void compareChosenRows(Analysis& analysis)
{
    forEachInParallel(std::ssize(analysis.methods), 1, [&](std::int64_t m) {
        MethodAnalysis& method = analysis.methods[size_t(m)];
        method.ranked = rankedWeights(sharesOf(method.chosen.weights));
        method.fromFirst = rowDistance(method.chosen, analysis.methods.front().chosen);
    });
}

}  // namespace attnscope
