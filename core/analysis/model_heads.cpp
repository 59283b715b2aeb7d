#include "core/analysis/model_heads.h"

#include "core/analysis/length_statistics.h"
#include "core/analysis/stages.h"
#include "core/attention/engines.h"
#include "core/tensor/token_labels.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

/// One entry a layer, and in each one a head.
bool isOf(const Architecture& architecture, const HeadValues& values)
{
    return std::ssize(values) == architecture.layers &&
           std::ranges::all_of(values, [&](const auto& layer) { return std::ssize(layer) == architecture.heads; });
}

}  // namespace

Result<Analysis> analyseModelHead(const PreparedHead& prepared, ModelHeadView view, const std::stop_token& stop)
{
    const Engine* engine = TRY(chooseEngine(view.engine));
    const AttentionHead& head = prepared.head;
    Analysis analysis;
    analysis.scenario.attention.mask = head.mask;
    analysis.scenario.attention.normaliser = prepared.normaliser;
    analysis.queryCount = head.queryCount();
    analysis.keyCount = head.keyCount;
    analysis.tokens = std::move(view.tokens);
    analysis.queryTokens = lastLabels(analysis.tokens, analysis.queryCount);
    if (view.region.rowEnd <= view.region.rowBegin)
        view.region = {0, head.queryCount(), 0, head.keyCount};
    MethodAnalysis& method = analysis.methods.emplace_back();
    method.method = std::move(view.method);
    method.scale = prepared.scale;
    method.rows = TRY(summariesOf(head, prepared.normaliser, *engine, head.keyCount, 0, prepared.scale, stop));
    method.map = TRY(mapOf(*engine, head, prepared.normaliser, prepared.scale, method.rows,
                           {.region = view.region, .pixels = view.pixels}, stop));
    return analysis;
}

std::vector<std::vector<HeadNumbers>> headNumbers(const Architecture& architecture, const StudyResult& study,
                                                  std::int64_t n, std::size_t policy)
{
    HeadNumbers unknown;
    unknown.absent = "no window has run yet";
    std::vector<std::vector<HeadNumbers>> numbers(
        static_cast<std::size_t>(architecture.layers),
        std::vector<HeadNumbers>(static_cast<std::size_t>(architecture.heads), unknown));
    const auto each = [&](const auto& set) {
        for (std::size_t layer = 0; layer < numbers.size(); ++layer)
            for (std::size_t head = 0; head < numbers[layer].size(); ++head)
                set(numbers[layer][head], layer, head);
    };
    std::vector<double> logarithms;  // ln n, and the entropies there
    std::vector<HeadValues> means;
    for (const StudyCell& cell : study.cells) {
        if (cell.policy != policy || cell.windows.empty())
            continue;
        HeadValues mean = meanEntropies(cell);
        if (!isOf(architecture, mean) || std::ssize(cell.logKeys) != architecture.layers)
            continue;  // a study of another model
        logarithms.push_back(std::log(static_cast<double>(cell.n)));
        means.push_back(std::move(mean));
        if (cell.n == n)
            each([&](HeadNumbers& one, std::size_t layer, std::size_t head) {
                one.absent.clear();
                one.entropy = means.back()[layer][head];
                one.share = one.entropy / cell.logKeys[layer];
                one.roles = meanRoles(cell, layer, head);
            });
    }
    if (means.size() >= 2)
        each([&](HeadNumbers& one, std::size_t layer, std::size_t head) {
            std::vector<double> entropies;
            for (const HeadValues& mean : means)
                entropies.push_back(mean[layer][head]);
            one.slope = slopeOf(logarithms, entropies);
        });
    return numbers;
}

std::string headRowsInWords(const StudyCell& cell)
{
    if (cell.windows.empty())
        return {};
    const std::int64_t counted = cell.windows.front()->counted;
    const std::size_t windows = cell.windows.size();
    return labelOf(RowSet{.last = counted < cell.n ? counted : 0}) +
           (windows == 1 ? " of one window" : fmt::format(" of {} windows", windows));
}

Result<std::vector<std::optional<double>>> keepsEntropy(const CapturedHeads& captured, int layer, double nTrain,
                                                        const std::string& engineId, const std::stop_token& stop)
{
    const Engine* engine = TRY(chooseEngine(engineId));
    std::vector<std::optional<double>> multipliers;
    for (int head = 0; captured.has(layer) && head < captured.layers[static_cast<std::size_t>(layer)].headCount();
         ++head) {
        const PreparedHead prepared = TRY(prepareCaptured(captured, layer, head));
        const std::int64_t n = prepared.head.keyCount;
        const auto keeps = measuredMultiplier(prepared.head, prepared.normaliser, nTrain, 1, *engine, stop,
                                              rowsToSolveOn(n), {}, prepared.plain);
        multipliers.push_back(TRY(ifDefined(keeps(static_cast<double>(n)))));
    }
    return multipliers;
}

}  // namespace attnscope
