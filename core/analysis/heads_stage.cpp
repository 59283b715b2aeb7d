#include "core/analysis/stages.h"

namespace attnscope {

namespace {

constexpr int thumbnailPixels = 48;

Result<HeadAnalysis> analyseHead(const Stage& stage, const Source& source, int index)
{
    const Scenario& scenario = stage.scenario;
    const AttentionHead head = TRY(prepareHead(source.heads, index, scenario.attention));
    SampleKey key{.head = headKey(scenario)};
    key.head.head = index;
    const auto solve = [&](double n) { return solveMultiplier(stage, key, head, n); };
    const LengthRequest request{.attention = scenario.attention,
                                .methods = {scenario.methods.front()},
                                .lengths = headLengths(head.keyCount),
                                .nTrain = scenario.nTrain,
                                .temperature = scenario.temperature,
                                .engine = scenario.engine,
                                .measured = solve};
    const auto atLengths = TRY(lengthStatistics(head, scenario.d, request, stage.stop));
    HeadAnalysis result{.head = index, .numbers = numbersOf(atLengths), .map = {}};
    if (!result.numbers.absent.empty())
        return result;
    const LengthStatistics& whole = atLengths.back();
    result.numbers.roles = TRY(rolesOf(head, scenario.attention.normaliser, whole, source.heads.tokens));
    const MapCells thumbnail{{0, head.queryCount(), 0, head.keyCount}, thumbnailPixels, Pool::Max};
    result.map =
        TRY(mapOf(stage.engine, head, scenario.attention.normaliser, whole.scale, whole.rows, thumbnail, stage.stop));
    result.numbers.keepsEntropy = TRY(ifDefined(solve(static_cast<double>(head.keyCount))));
    return result;
}

}  // namespace

Result<Shared<std::vector<HeadAnalysis>>> headsStage(Stage& stage, const Source& source)
{
    return stage.cache.allHeads.get(allHeadsKey(stage.scenario), [&]() -> Result<std::vector<HeadAnalysis>> {
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
