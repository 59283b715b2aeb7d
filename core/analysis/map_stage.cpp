#include "core/analysis/mean_of_heads.h"
#include "core/analysis/stages.h"

#include <algorithm>

namespace attnscope {

std::vector<NormaliserState> statesOf(const std::vector<RowSummary>& rows)
{
    std::vector<NormaliserState> states;
    states.reserve(rows.size());
    for (const RowSummary& row : rows)
        states.push_back(row.state);
    return states;
}

Result<PooledMap> mapOf(const Engine& engine, const AttentionHead& head, const Choice& normaliser,
                        std::span<const double> scale, const std::vector<RowSummary>& rows, const MapCells& cells,
                        const std::stop_token& stop)
{
    const std::vector<NormaliserState> states = statesOf(rows);
    const Region& region = cells.region;
    const auto count = [&](std::int64_t extent) {
        return static_cast<int>(std::min<std::int64_t>(extent, std::max(1, cells.pixels)));
    };
    return engine.pool(head,
                       {.normaliser = normaliser,
                        .scale = scale,
                        .states = states,
                        .region = region,
                        .rows = count(region.rowEnd - region.rowBegin),
                        .columns = count(region.columnEnd - region.columnBegin),
                        .pool = cells.pool,
                        .preview = cells.preview},
                       stop);
}

Result<Shared<PooledMap>> mapStage(Stage& stage, const AttentionHead& head, const Choice& method,
                                   const MethodRows& rows)
{
    const View& view = stage.scenario.view;
    return stage.cache.maps.get(mapKey(stage.scenario, method), [&]() -> Result<PooledMap> {
        Region region = view.region;
        if (view.preview) {  // the head holds the sampled rows alone
            region.rowBegin = 0;
            region.rowEnd = head.queryCount();
        }
        auto map = mapOf(stage.engine, head, stage.scenario.attention.normaliser, rows.scale, rows.rows,
                         {region, view.pixels, view.pool, view.preview}, stage.stop);
        if (map)
            map->region = view.region;
        return map;
    });
}

bool needsJointMap(const Scenario& scenario)
{
    return !scenario.tensors.mean.empty() && scenario.view.pool == Pool::Max && !scenario.view.preview;
}

Result<void> addJointMap(Stage& stage, MethodAnalysis& mean, std::span<const MethodAnalysis> methods,
                         std::span<const Shared<AttentionHead>> heads)
{
    if (!mean.absent.empty())
        return {};
    const auto map = stage.cache.maps.get(jointMapKey(stage.scenario, mean.method), [&]() -> Result<PooledMap> {
        std::vector<std::vector<NormaliserState>> states;
        std::vector<HeadForMap> each;
        for (const MethodAnalysis& method : methods)
            states.push_back(statesOf(method.rows));
        for (size_t h = 0; h < methods.size(); ++h)
            each.push_back({heads[h].get(), methods[h].scale, states[h]});
        const View& view = stage.scenario.view;
        const auto pixels = [&](std::int64_t extent) {
            return static_cast<int>(std::min<std::int64_t>(extent, view.pixels));
        };
        return poolMeanOfHeads(stage.engine, each,
                               {.normaliser = stage.scenario.attention.normaliser,
                                .region = view.region,
                                .rows = pixels(view.region.rowEnd - view.region.rowBegin),
                                .columns = pixels(view.region.columnEnd - view.region.columnBegin)},
                               stage.stop);
    });
    return map.map([&](const Shared<PooledMap>& made) { mean.map = *made; });
}

}  // namespace attnscope
