// Column means of the renormalised rows. A task is a range of keys; it goes over all rows in order, so that a column's
// sum is the same on one thread and on many.

#include "core/attention/fast/fast_engine.h"

#include "core/attention/engine_support.h"
#include "core/attention/fast/weight_block.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attnscope::fast {

Result<std::vector<double>> meanRow(const TileKernels& kernels, const AttentionHead& head, const Normaliser& normaliser,
                                    const Choice& choice, std::span<const double> scale,
                                    std::span<const RowSummary> rows, const std::stop_token& stop)
{
    // p = w / mass is the weight under a shift that is ln mass larger; without mass there is none.
    std::vector<NormaliserState> states;
    double counted = 0;
    for (const RowSummary& row : rows) {
        states.push_back(row.state);
        states.back().shift += row.mass > 0 ? std::log(row.mass) : std::numeric_limits<double>::infinity();
        counted += row.mass > 0 ? 1 : 0;
    }
    const std::int64_t width =
        std::clamp<std::int64_t>(head.keyCount / 8 / tileKeys * tileKeys, tileKeys, 16 * tileKeys);
    const PoolRequest request{choice, scale, states, {}, 0, 0, Pool::Mean, false, true, {}};
    std::vector<int> column(static_cast<size_t>(tileKeys));
    std::iota(column.begin(), column.end(), 0);

    std::vector<double> mean(static_cast<size_t>(head.keyCount));
    const bool done = forEachBlock((head.keyCount + width - 1) / width, true, stop, [&](std::int64_t task) {
        const std::int64_t begin = task * width, end = std::min(head.keyCount, begin + width);
        Tile sums(static_cast<size_t>(width), Lanes{});
        for (std::int64_t row = 0; row < head.queryCount(); row += blockRows) {
            WeightBlock block(kernels, head, normaliser, request, row,
                              static_cast<int>(std::min<std::int64_t>(blockRows, head.queryCount() - row)));
            for (const Keys keys : block.tiles(begin, end)) {
                if (stop.stop_requested())
                    return;
                block.addWeights(keys, column.data(), std::span(sums).subspan(static_cast<size_t>(keys.first - begin)));
            }
        }
        for (std::int64_t key = begin; key < end; ++key) {
            const Lanes& lanes = sums[static_cast<size_t>(key - begin)];
            mean[static_cast<size_t>(key)] =
                std::accumulate(std::begin(lanes.at), std::end(lanes.at), 0.0) / std::max(counted, 1.0);
        }
    });
    if (!done)
        return cancelled();
    return mean;
}

}  // namespace attnscope::fast
