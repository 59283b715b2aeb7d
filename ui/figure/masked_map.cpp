#include "ui/figure/map_pictures.h"

#include "core/attention/masks.h"
#include "ui/figure/figure_content.h"
#include "ui/plot/ticks.h"

#include <algorithm>
#include <limits>

namespace attnscope {

std::shared_ptr<const PooledMap> maskedMap(const Analysis& analysis, const MethodAnalysis& method)
{
    auto map = std::make_shared<PooledMap>(method.map);
    const auto mask = findRow(masks(), analysis.scenario.attention.mask.id, "mask");
    if (!mask || !hasCells(*map))
        return map;
    const Parameters parameters(**mask, analysis.scenario.attention.mask);
    const Region& region = map->region;
    const auto edge = [](std::int64_t begin, std::int64_t end, int place, int count) {
        return begin + place * (end - begin) / count;
    };
    std::vector<std::int64_t> edges(static_cast<size_t>(map->columns) + 1);
    for (int column = 0; column <= map->columns; ++column)
        edges[static_cast<size_t>(column)] = edge(region.columnBegin, region.columnEnd, column, map->columns);
    for (int row = 0; row < map->rows; ++row) {
        VisibleKeys seen{0, analysis.keyCount, 0};  // of all queries of the row: what neighbours see touches
        for (std::int64_t query = edge(region.rowBegin, region.rowEnd, row, map->rows);
             query < edge(region.rowBegin, region.rowEnd, row + 1, map->rows); ++query) {
            const VisibleKeys keys =
                (*mask)->visible(query + analysis.keyCount - analysis.queryCount, analysis.keyCount, parameters);
            seen.sinkEnd = std::max(seen.sinkEnd, keys.sinkEnd);
            if (keys.begin < keys.end) {
                seen.begin = std::min(seen.begin, keys.begin);
                seen.end = std::max(seen.end, keys.end);
            }
        }
        for (int column = 0; column < map->columns; ++column) {
            const std::int64_t first = edges[static_cast<size_t>(column)],
                               last = edges[static_cast<size_t>(column) + 1];
            if (!(first < seen.sinkEnd || (first < seen.end && last > seen.begin)))
                map->values[static_cast<size_t>(row * map->columns + column)] = std::numeric_limits<float>::quiet_NaN();
        }
    }
    return map;
}

bool hasMap(const MethodAnalysis& method) { return method.absent.empty() && hasCells(method.map); }

void nameTokens(Panel& panel, const std::vector<std::string>& keys, const std::vector<std::string>& queries)
{
    const PooledMap& map = *panel.map;
    const auto name = [](ChartAxis& axis, const std::vector<std::string>& tokens, std::int64_t begin, std::int64_t end,
                         int cells) {
        if (end - begin != cells || std::ssize(tokens) < end)
            return;
        for (std::int64_t i = begin; i < end; ++i)
            axis.words.push_back({static_cast<double>(i) + 0.5, tokenText(tokens[static_cast<size_t>(i)])});
    };
    name(panel.chart.x, keys, map.region.columnBegin, map.region.columnEnd, map.columns);
    name(panel.chart.y, queries, map.region.rowBegin, map.region.rowEnd, map.rows);
}

}  // namespace attnscope
