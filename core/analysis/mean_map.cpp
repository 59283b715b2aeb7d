#include "core/analysis/mean_map.h"

#include "core/attention/engine_support.h"

#include <algorithm>

namespace attnscope {

namespace {

constexpr std::int64_t cellsAtATime = std::int64_t{1} << 22;  ///< 16 MB of float32

/// The mean weight of every cell of the region.
Result<std::vector<float>> meanCells(const Engine& engine, std::span<const HeadForMap> heads,
                                     const PoolRequest& request, const Region& region, const std::stop_token& stop)
{
    std::vector<float> mean;
    for (const HeadForMap& one : heads) {
        PoolRequest cells = request;
        cells.scale = one.scale;
        cells.states = one.states;
        cells.region = region;
        cells.rows = static_cast<int>(region.rowEnd - region.rowBegin);
        cells.columns = static_cast<int>(region.columnEnd - region.columnBegin);
        cells.pool = Pool::Mean;
        cells.progress = {};
        const auto map = TRY(engine.pool(*one.head, cells, stop));
        mean.resize(map.values.size());
        for (size_t cell = 0; cell < mean.size(); ++cell)
            mean[cell] += map.values[cell] / static_cast<float>(heads.size());
    }
    return mean;
}

}  // namespace

Result<PooledMap> poolMeanOfHeads(const Engine& engine, std::span<const HeadForMap> heads, const PoolRequest& request,
                                  const std::stop_token& stop)
{
    const Region& region = request.region;
    const std::int64_t width = region.columnEnd - region.columnBegin;
    const auto rowBegin = [&](std::int64_t pixel) {
        return pixelBegin(region.rowBegin, region.rowEnd, request.rows, pixel);
    };
    const auto columnBegin = [&](std::int64_t pixel) { return pixelBegin(0, width, request.columns, pixel); };
    PooledMap map{region, request.rows, request.columns, Pool::Max, true, {}};
    map.values.resize(static_cast<size_t>(request.rows) * static_cast<size_t>(request.columns));
    for (std::int64_t begin = 0, end; begin < request.rows; begin = end) {
        end = begin + 1;  // rows of pixels at a time
        while (end < request.rows && (rowBegin(end + 1) - rowBegin(begin)) * width <= cellsAtATime)
            ++end;
        const auto cells = TRY(meanCells(engine, heads, request,
                                         {rowBegin(begin), rowBegin(end), region.columnBegin, region.columnEnd}, stop));
        for (std::int64_t p = begin; p < end; ++p)
            for (std::int64_t row = rowBegin(p) - rowBegin(begin); row < rowBegin(p + 1) - rowBegin(begin); ++row)
                for (std::int64_t c = 0; c < request.columns; ++c) {
                    const auto* const cell = cells.data() + row * width;
                    float& pixel = map.values[static_cast<size_t>(p * request.columns + c)];
                    pixel = std::max(pixel, *std::max_element(cell + columnBegin(c), cell + columnBegin(c + 1)));
                }
        if (request.progress)
            request.progress(static_cast<double>(end) / request.rows);
    }
    return map;
}

}  // namespace attnscope
