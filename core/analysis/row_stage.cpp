#include "core/analysis/length_statistics.h"
#include "core/analysis/stage_keys.h"
#include "core/analysis/stages.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace attnscope {

namespace {

/// About a fifth of a second of products and exponentials on two cores: how often progress moves.
constexpr std::int64_t pairsPerBlock = std::int64_t(1) << 26;

/// Rows [begin, end) of every waiting method, appended to what it has.
Result<void> summariseBlock(const Stage& stage, const AttentionHead& head, std::vector<MethodRows*>& waiting, std::int64_t begin, std::int64_t end)
{
    SummaryRequest request{.normaliser = stage.scenario.attention.normaliser, .passes = {}, .extras = stage.measure.extras};
    for (const MethodRows* method : waiting)
        request.passes.push_back({.prefix = head.keyCount, .firstRow = begin, .lastRow = end,
                                  .scale = {method->scale.begin() + begin, method->scale.begin() + end}});
    auto summaries = TRY(stage.engine.summarise(head, request, stage.stop));
    for (size_t m = 0; m < waiting.size(); ++m)
        waiting[m]->rows.insert(waiting[m]->rows.end(), summaries[m].begin(), summaries[m].end());
    return {};
}

/// An eighth more at most, so that a hand that drags n upwards does not have everything made again at every step.
std::int64_t withRoomToGrow(std::int64_t n)
{
    const std::int64_t unit = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(n))) / 8);
    return (n + unit - 1) / unit * unit;
}

/// q and k of a sequence that may be made longer than asked for: 256 MB at most.
bool fitsInMemory(const Scenario& scenario) { return scenario.n * scenario.d <= std::int64_t(1) << 25; }

}  // namespace

Result<Shared<Source>> sourceStage(Stage& stage)
{
    const Scenario& scenario = stage.scenario;
    if (!beginsLongerOnes(scenario) || !fitsInMemory(scenario))
        return stage.cache.sources.get(sourceKey(scenario), [&] { return openSource(scenario, scenario.n, scenario.n); });
    Scenario anyLength = sourceKey(scenario);
    anyLength.n = 0;
    Shared<Source> longest = stage.cache.longest.find(anyLength);
    if (!longest || longest->heads.keyCount() < scenario.n) {
        Source source = TRY(longest ? lengthened(*longest, scenario, withRoomToGrow(scenario.n)) : openSource(scenario, scenario.n, scenario.n));
        longest = stage.cache.longest.keep(anyLength, std::move(source));
    }
    return longest;
}

Result<Shared<AttentionHead>> headStage(Stage& stage, const Shared<Source>& source)
{
    const HeadSet& heads = source->heads;
    const int head = std::clamp(stage.scenario.tensors.head, 0, std::max(0, heads.headCount() - 1));
    const AttentionSpec& spec = stage.scenario.attention;
    Scenario key = headKey(stage.scenario);
    if (!beginsLongerOnes(stage.scenario))
        // one of many heads takes a copy of its keys, or the others would stay in memory as long as it does
        return stage.cache.heads.get(key, [&] { return heads.headCount() == 1 ? prepareHead({source, &heads}, head, spec) : prepareHead(heads, head, spec); });
    const std::int64_t n = key.n;
    key.n = heads.keyCount();
    const auto longest = TRY(stage.cache.longestHeads.get(key, [&] { return prepareHead({source, &heads}, head, spec); }));
    if (key.n == n)
        return longest;
    key.n = n;
    return stage.cache.heads.get(key, [&]() -> Result<AttentionHead> { return firstTokens(*longest, n, n); });
}

std::vector<std::int64_t> previewRows(const Region& region, int pixels)
{
    const std::int64_t height = region.rowEnd - region.rowBegin;
    const std::int64_t count = std::min<std::int64_t>(height, pixels);
    std::vector<std::int64_t> rows;
    for (std::int64_t r = 0; r < count; ++r)
        rows.push_back(region.rowBegin + (2 * r + 1) * height / (2 * count));
    return rows;
}

Result<double> solveMultiplier(const Stage& stage, const Scenario& headKey, const AttentionHead& head, double n)
{
    const Scenario& scenario = stage.scenario;
    const bool preview = scenario.view.preview;
    Scenario key = headKey;
    key.attention.normaliser = scenario.attention.normaliser;
    key.nTrain = scenario.nTrain;
    key.temperature = scenario.temperature;
    key.engine = scenario.engine;
    key.view.row = std::llround(n);  // the stage has no row: its place holds n
    const auto exact = stage.cache.measuredMultipliers.find(key);
    if (exact)
        return *exact;
    key.view.preview = preview;
    const std::int64_t most = preview ? rowsForPreview : n > mostKeysForSolving ? rowsForSolving : 0;
    const auto solved = stage.cache.measuredMultipliers.get(key, [&]() -> Result<Result<double>> {
        Result<double> found = measuredMultiplier(head, scenario.attention.normaliser, scenario.nTrain, scenario.temperature, stage.engine, stage.stop, most)(n);
        if (!found && found.error().kind != ErrorKind::Undefined)
            return tl::unexpected<Error>(found.error());
        return found;
    });
    return *TRY(solved);
}

Result<RowScales> scalesOf(const Stage& stage, const AttentionHead& head, const Choice& method, const RowRange& rows, const AttentionHead& whole,
                           const Scenario& wholeKey)
{
    const Scenario& scenario = stage.scenario;
    return rowScales(head, method, {.nTrain = scenario.nTrain, .temperature = scenario.temperature, .d = scenario.d,
                                    .measured = [&](double keys) { return solveMultiplier(stage, wholeKey, whole, keys); }}, rows.length, rows.begin, rows.end);
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
        Result<RowScales> scales = scalesOf(stage, head, methods[m], {head.keyCount, 0, head.queryCount()}, whole, headKey(stage.scenario));
        if (scales) {
            fresh[m].scale = std::move(scales->scale);
            fresh[m].partly = std::move(scales->partly);
            fresh[m].rows.reserve(static_cast<size_t>(head.queryCount()));
            waiting.push_back(&fresh[m]);
        } else if (scales.error().kind == ErrorKind::Undefined) {
            fresh[m].absent = scales.error().message;
        } else {
            return tl::unexpected<Error>(scales.error());
        }
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

std::vector<NormaliserState> statesOf(const std::vector<RowSummary>& rows)
{
    std::vector<NormaliserState> states;
    states.reserve(rows.size());
    for (const RowSummary& row : rows)
        states.push_back(row.state);
    return states;
}

Result<PooledMap> mapOf(const Engine& engine, const AttentionHead& head, const Choice& normaliser, std::span<const float> scale, const std::vector<RowSummary>& rows, const MapCells& cells,
                        const std::stop_token& stop)
{
    const std::vector<NormaliserState> states = statesOf(rows);
    const Region& region = cells.region;
    const auto count = [&](std::int64_t extent) { return static_cast<int>(std::min<std::int64_t>(extent, std::max(1, cells.pixels))); };
    return engine.pool(head, {.normaliser = normaliser, .scale = scale, .states = states, .region = region, .rows = count(region.rowEnd - region.rowBegin),
                              .columns = count(region.columnEnd - region.columnBegin), .pool = cells.pool, .preview = cells.preview, .progress = {}}, stop);
}

Result<Shared<PooledMap>> mapStage(Stage& stage, const AttentionHead& head, const Choice& method, const MethodRows& rows)
{
    const View& view = stage.scenario.view;
    return stage.cache.maps.get(mapKey(stage.scenario, method), [&]() -> Result<PooledMap> {
        Region region = view.region;
        if (view.preview) {  // the head holds the sampled rows alone
            region.rowBegin = 0;
            region.rowEnd = head.queryCount();
        }
        auto map = mapOf(stage.engine, head, stage.scenario.attention.normaliser, rows.scale, rows.rows, {region, view.pixels, view.pool, view.preview}, stage.stop);
        if (map)
            map->region = view.region;
        return map;
    });
}

SampleMean finiteMean(const std::vector<RowSummary>& rows, const BoundMeasure& measure)
{
    return meanOverRows(rows, [&](const RowSummary& row) {
        const std::optional<double> value = measure(row);
        return value && std::isfinite(*value) ? value : std::nullopt;
    });
}

void setMeans(MethodAnalysis& method, const std::vector<RowSummary>& rows, const BoundMeasure& measure)
{
    const BoundMeasure measures[] = {*bindMeasure({"shannon", {}, {}}), measure, *bindMeasure({"max_weight", {}, {}}), *bindMeasure({"top_mass", {{"k", 4}}, {}})};
    SampleMean* const means[] = {&method.entropy, &method.measure, &method.largestWeight, &method.top4Mass};
    forEachInParallel(std::ssize(measures), 1, [&](std::int64_t i) { *means[i] = finiteMean(rows, measures[i]); });
}

}  // namespace attnscope
