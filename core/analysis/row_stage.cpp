#include "core/analysis/stages.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

/// About a fifth of a second of products and exponentials on two cores: how often progress moves.
constexpr std::int64_t pairsPerBlock = std::int64_t(1) << 26;

/// Rows [begin, end) of every waiting method, appended to what it has.
Result<void> summariseBlock(const Stage& stage, const AttentionHead& head, std::vector<MethodRows*>& waiting,
                            std::int64_t begin, std::int64_t end)
{
    SummaryRequest request{
        .normaliser = stage.scenario.attention.normaliser, .passes = {}, .extras = stage.measure.extras};
    for (const MethodRows* method : waiting)
        request.passes.push_back({.prefix = head.keyCount,
                                  .firstRow = begin,
                                  .lastRow = end,
                                  .scale = {method->scale.begin() + begin, method->scale.begin() + end}});
    auto summaries = TRY(stage.engine.summarise(head, request, stage.stop));
    for (size_t m = 0; m < waiting.size(); ++m)
        waiting[m]->rows.insert(waiting[m]->rows.end(), summaries[m].begin(), summaries[m].end());
    return {};
}

}  // namespace

std::vector<std::int64_t> previewRows(const Region& region, int pixels)
{
    const std::int64_t height = region.rowEnd - region.rowBegin;
    const std::int64_t count = std::min<std::int64_t>(height, pixels);
    std::vector<std::int64_t> rows;
    for (std::int64_t r = 0; r < count; ++r)
        rows.push_back(region.rowBegin + (2 * r + 1) * height / (2 * count));
    return rows;
}

std::span<const RowSummary> countedRows(const MethodAnalysis& method)
{
    if (method.rows.empty())
        return {};
    return std::span(method.rows)
        .subspan(static_cast<std::size_t>(method.counted.first), static_cast<std::size_t>(method.counted.count()));
}

Result<double> solveMultiplier(const Stage& stage, const SampleKey& headKey, const AttentionHead& head, double n,
                               RowSet rows)
{
    const Scenario& scenario = stage.scenario;
    const std::int64_t keys = std::llround(n);
    const bool preview = scenario.view.preview;
    if (const auto exact = stage.cache.measuredMultipliers.find(multiplierKey(scenario, headKey, keys, false, rows)))
        return *exact;
    const std::int64_t most = preview ? rowsForPreview : rowsToSolveOn(keys);
    const auto solved = stage.cache.measuredMultipliers.get(
        multiplierKey(scenario, headKey, keys, preview, rows), [&]() -> Result<Result<double>> {
            Result<double> found = measuredMultiplier(head, scenario.attention.normaliser, scenario.nTrain,
                                                      scenario.temperature, stage.engine, stage.stop, most, rows)(n);
            if (!found && found.error().kind != ErrorKind::Undefined)
                return tl::unexpected<Error>(found.error());
            return found;
        });
    return *TRY(solved);
}

Result<RowScales> scalesOf(const Stage& stage, const AttentionHead& head, const Choice& method, const RowRange& rows,
                           const AttentionHead& whole, const SampleKey& wholeKey)
{
    const Scenario& scenario = stage.scenario;
    return rowScales(
        head, method,
        {.nTrain = scenario.nTrain,
         .temperature = scenario.temperature,
         .d = scenario.d,
         .measured = [&](double keys) { return solveMultiplier(stage, wholeKey, whole, keys, {scenario.view.rows}); }},
        rows.length, rows.begin, rows.end);
}

Result<std::vector<Shared<MethodRows>>> rowsStage(Stage& stage, const AttentionHead& head, const AttentionHead& whole)
{
    const std::vector<Choice>& methods = stage.scenario.methods;
    std::vector<Shared<MethodRows>> known(methods.size());
    std::vector<MethodRows> fresh(methods.size());
    std::vector<MethodRows*> waiting;
    for (size_t m = 0; m < methods.size(); ++m) {
        known[m] = stage.cache.rows.find(rowsKey(stage.scenario, methods[m]));
        if (known[m])
            continue;
        const RowRange all{head.keyCount, 0, head.queryCount()};
        static_cast<RowScales&>(fresh[m]) =
            TRY(scalesOf(stage, head, methods[m], all, whole, {.head = headKey(stage.scenario)}));
        if (!fresh[m].absent.empty())
            continue;
        fresh[m].rows.reserve(static_cast<size_t>(head.queryCount()));
        waiting.push_back(&fresh[m]);
    }
    const std::int64_t block = std::max<std::int64_t>(64, pairsPerBlock / std::max<std::int64_t>(1, head.keyCount));
    for (std::int64_t begin = 0; begin < head.queryCount() && !waiting.empty(); begin += block) {
        const std::int64_t end = std::min(begin + block, head.queryCount());
        TRY(summariseBlock(stage, head, waiting, begin, end));
        if (stage.progress)
            stage.progress(0.6 * static_cast<double>(end) / static_cast<double>(head.queryCount()));
    }
    for (size_t m = 0; m < methods.size(); ++m)
        if (!known[m])
            known[m] = stage.cache.rows.keep(rowsKey(stage.scenario, methods[m]), std::move(fresh[m]));
    return known;
}

void setMeans(MethodAnalysis& method, std::span<const RowSummary> rows, const BoundMeasure& measure)
{
    const BoundMeasure measures[] = {*bindMeasure({"shannon", {}, {}}), measure, *bindMeasure({"max_weight", {}, {}}),
                                     *bindMeasure({"top_mass", {{"k", 4}}, {}})};
    RowMean* const means[] = {&method.entropy, &method.measure, &method.largestWeight, &method.top4Mass};
    forEachInParallel(std::ssize(measures), 1, [&](std::int64_t i) { *means[i] = finiteMean(rows, measures[i]); });
}

}  // namespace attnscope
