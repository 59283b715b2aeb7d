#include "core/analysis/stage_keys.h"
#include "core/analysis/stages.h"

#include "core/attention/masks.h"
#include "core/base/length_list.h"

#include <algorithm>

namespace attnscope {

namespace {

constexpr int thumbnailPixels = 48;
constexpr int curvePoints = 9;

/// All rows over the first n' tokens for a few n', the whole head last: one call of the engine.
Result<HeadAnalysis> analyseHead(const Stage& stage, const Source& source, int index)
{
    const AttentionHead head = TRY(prepareHead(source.heads, index, stage.scenario.attention));
    const Choice& method = stage.scenario.methods.front();
    Scenario key = headKey(stage.scenario);
    key.tensors.head = index;
    SummaryRequest request{.normaliser = stage.scenario.attention.normaliser, .passes = {}};
    for (const std::int64_t length : logSpacedLengths(std::min<std::int64_t>(8, head.keyCount), head.keyCount, curvePoints)) {
        std::int64_t end = head.queryCount();
        while (end > 0 && !seesAllKeys(head.mask) && head.position(end - 1) >= length)
            --end;
        if (auto scales = TRY(ifDefined(scalesOf(stage, head, method, {length, 0, end}, head, key))))
            request.passes.push_back({.prefix = length, .firstRow = 0, .lastRow = end, .scale = std::move(scales->scale)});
    }
    HeadAnalysis result;
    result.head = index;
    auto rows = TRY(stage.engine.summarise(head, request, stage.stop));
    const auto meanOf = [](const std::vector<RowSummary>& of, const char* measure) { return finiteMean(of, *bindMeasure({measure, {}, {}})); };
    for (size_t p = 0; p < request.passes.size(); ++p) {
        const SampleMean entropy = meanOf(rows[p], "shannon");
        if (entropy.count > 0)
            result.entropyCurve.push_back({static_cast<double>(request.passes[p].prefix), entropy.mean, entropy.standardError.value_or(0)});
    }
    if (request.passes.empty() || request.passes.back().prefix != head.keyCount)
        return result;  // the method has no value at n

    const std::vector<RowSummary>& all = rows.back();
    result.entropy = meanOf(all, "shannon");
    result.effectiveTokens = meanOf(all, "effective_tokens").mean;
    result.maxWeight = meanOf(all, "max_weight").mean;
    result.sinkMass = meanOf(all, "sink_mass").mean;
    result.meanDistance = meanOf(all, "mean_distance").mean;
    result.map = TRY(mapOf(stage.engine, head, request.normaliser, request.passes.back().scale, all, {{0, head.queryCount(), 0, head.keyCount}, thumbnailPixels, Pool::Max}, stage.stop));
    result.keepsEntropy = TRY(ifDefined(solveMultiplier(stage, key, head, static_cast<double>(head.keyCount))));
    return result;
}

}  // namespace

Result<Shared<std::vector<HeadAnalysis>>> headsStage(Stage& stage, const Source& source)
{
    Scenario key = rowsKey(stage.scenario, stage.scenario.methods.front());
    key.tensors.head = 0;
    key.view = View{};
    return stage.cache.allHeads.get(key, [&]() -> Result<std::vector<HeadAnalysis>> {
        std::vector<HeadAnalysis> heads;
        for (int h = 0; h < source.heads.headCount(); ++h) {
            heads.push_back(TRY(analyseHead(stage, source, h)));
            if (stage.progress)
                stage.progress(0.9 + 0.1 * (h + 1) / source.heads.headCount());
        }
        return heads;
    });
}

}  // namespace attnscope
