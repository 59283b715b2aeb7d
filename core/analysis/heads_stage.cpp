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
    const RowSet rows{scenario.view.rows};
    const LengthRequest request{.attention = scenario.attention,
                                .methods = {scenario.methods.front()},
                                .lengths = headLengths(head.keyCount),
                                .nTrain = scenario.nTrain,
                                .temperature = scenario.temperature,
                                .engine = scenario.engine,
                                .measured = [&](double n) { return solveMultiplier(stage, key, head, n, rows); }};
    const auto atLengths = TRY(lengthStatistics(head, scenario.d, request, stage.stop));
    HeadAnalysis result{.head = index, .numbers = {}, .map = {}};
    result.numbers = TRY(numbersOf(head, scenario.attention.normaliser, rows, atLengths, source.heads.tokens));
    if (!result.numbers.absent.empty())
        return result;
    const LengthStatistics& whole = atLengths.back();
    const MapCells thumbnail{{0, head.queryCount(), 0, head.keyCount}, thumbnailPixels, Pool::Max};
    result.map =
        TRY(mapOf(stage.engine, head, scenario.attention.normaliser, whole.scale, whole.rows, thumbnail, stage.stop));
    if (static_cast<double>(head.keyCount) < scenario.nTrain) {
        result.numbers.notKept = belowTrainLength;
        return result;
    }
    const Result<double> keeps = solveMultiplier(stage, key, head, static_cast<double>(head.keyCount), rows);
    result.numbers.keepsEntropy = TRY(ifDefined(keeps));
    if (!keeps)
        result.numbers.notKept = keeps.error().message;
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
