#include "core/analysis/stages.h"

#include "core/attention/normaliser.h"
#include "core/attention/row_detail.h"

#include <algorithm>

namespace attnscope {

namespace {

/// The mean row is a heatmap of a few bands, one key wide; bands are weighed by their height. Normalisers whose rows do
/// not sum to 1 go the slow way, row by row.
Result<std::vector<double>> meanRowOf(const Stage& stage, const MethodAnalysis& result, const AttentionHead& head)
{
    constexpr int bands = 16;
    const Choice& choice = stage.scenario.attention.normaliser;
    const Result<const Normaliser*> normaliser = findRow(normalisers(), choice.id, "normaliser");
    const bool allRowsSeeKeys =
        std::all_of(result.rows.begin(), result.rows.end(), [](const RowSummary& row) { return row.visible > 0; });
    if (!normaliser || !(*normaliser)->sumsToOne || !allRowsSeeKeys)
        return meanRow(head, choice, result.scale, result.rows, stage.stop);
    const std::vector<NormaliserState> states = statesOf(result.rows);
    const std::int64_t queries = head.queryCount(), rows = std::min<std::int64_t>(bands, queries);
    const auto map = TRY(stage.engine.pool(head,
                                           {.normaliser = choice,
                                            .scale = result.scale,
                                            .states = states,
                                            .region = {0, queries, 0, head.keyCount},
                                            .rows = static_cast<int>(rows),
                                            .columns = static_cast<int>(head.keyCount)},
                                           stage.stop));
    std::vector<double> mean(static_cast<size_t>(head.keyCount));
    for (std::int64_t band = 0; band < rows; ++band) {
        const double share =
            static_cast<double>((band + 1) * queries / rows - band * queries / rows) / static_cast<double>(queries);
        for (size_t key = 0; key < mean.size(); ++key)
            mean[key] += share * map.at(static_cast<int>(band), static_cast<int>(key));
    }
    return mean;
}

}  // namespace

Result<void> addMatrixStatistics(Stage& stage, MethodAnalysis& result, const AttentionHead& head)
{
    if (head.keyCount > mostKeysForMatrixStatistics)
        return {};
    const auto statistics = stage.cache.meanRows.get(rowsKey(stage.scenario, result.method),
                                                     [&]() -> Result<std::optional<MatrixStatistics>> {
                                                         const auto mean = TRY(meanRowOf(stage, result, head));
                                                         return matrixStatistics(mean, result.rows);
                                                     });
    result.matrix = *TRY(statistics);
    return {};
}

}  // namespace attnscope
