#include "core/attention/fast/preview.h"

#include "core/attention/engine_support.h"
#include "core/attention/fast/block_summary.h"
#include "core/attention/fast/weight_block.h"
#include "core/attention/row_logits.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attnscope::fast {

namespace {

constexpr std::int64_t logitBudget = std::int64_t{1} << 26;  ///< looked at for states: about 50 ms
constexpr std::int64_t slowBudget = std::int64_t{1} << 20;   ///< the same for normalisers that sort

std::int64_t middle(std::int64_t begin, std::int64_t end, std::int64_t pixels, std::int64_t index)
{
    return std::midpoint(pixelBegin(begin, end, pixels, index), pixelBegin(begin, end, pixels, index + 1) - 1);
}

/// Keys 0, stride, 2 stride, ... of [begin, end).
std::int64_t multiplesIn(std::int64_t begin, std::int64_t end, std::int64_t stride)
{
    return std::max<std::int64_t>((end + stride - 1) / stride - (begin + stride - 1) / stride, 0);
}

double unseenShare(const VisibleKeys& visible, std::int64_t stride)
{
    const std::int64_t seen = multiplesIn(0, visible.sinkEnd, stride) + multiplesIn(visible.begin, visible.end, stride);
    return seen == 0 ? 0 : std::log(static_cast<double>(visible.count()) / static_cast<double>(seen));
}

/// Softmax and its kin, from the sums of a summary.
bool estimateSums(const TileKernels& kernels, const AttentionHead& rows, const PoolRequest& request,
                  const Normaliser& normaliser, std::vector<NormaliserState>& states, const std::stop_token& stop)
{
    const std::int64_t stride = std::max<std::int64_t>(1, rows.queryCount() * rows.keyCount / logitBudget);
    const SummaryRequest summary{
        request.normaliser,
        {Pass{rows.keyCount, 0, rows.queryCount(), {request.scale.begin(), request.scale.end()}}},
        {},
        request.parallel};
    std::vector<std::vector<RowSummary>> out(1, std::vector<RowSummary>(states.size()));
    const bool done =
        forEachBlock((rows.queryCount() + blockRows - 1) / blockRows, request.parallel, stop, [&](std::int64_t block) {
            const std::int64_t first = block * blockRows;
            BlockSummary(kernels, rows, summary, normaliser, first,
                         static_cast<int>(std::min<std::int64_t>(blockRows, rows.queryCount() - first)), out)
                .run(stop, stride);
        });
    for (size_t row = 0; row < states.size(); ++row) {
        states[row] = out[0][row].state;
        states[row].shift +=
            stride == 1 ? 0 : unseenShare(rows.visible(static_cast<std::int64_t>(row), rows.keyCount), stride);
    }
    return done;
}

/// Any normaliser, solved on the keys that were looked at.
bool estimateByRows(const AttentionHead& rows, const PoolRequest& request, const Normaliser& normaliser,
                    std::vector<NormaliserState>& states, const std::stop_token& stop)
{
    const Parameters parameters(normaliser, request.normaliser);
    const std::int64_t stride = std::max<std::int64_t>(1, rows.queryCount() * rows.keyCount / slowBudget);
    return forEachBlock(rows.queryCount(), request.parallel, stop, [&](std::int64_t row) {
        if (!hasScale(request.scale[static_cast<size_t>(row)]))
            return;
        const VisibleKeys visible = rows.visible(row, rows.keyCount);
        std::vector<double> logits;
        const double scale = request.scale[static_cast<size_t>(row)];
        for (std::int64_t key = 0; key < rows.keyCount; key += stride)
            if (visible.sees(key))
                logits.push_back(logitOf(rows, row, key, scale));
        if (!logits.empty())
            states[static_cast<size_t>(row)] = normaliser.solve(logits, parameters);
    });
}

}  // namespace

Result<PooledMap> preview(const TileKernels& kernels, const AttentionHead& head, const PoolRequest& request,
                          const Normaliser& normaliser, const std::stop_token& stop)
{
    const Region& region = request.region;
    std::vector<std::int64_t> sampled;
    std::vector<double> scale;
    std::vector<NormaliserState> states(static_cast<size_t>(request.rows));
    for (int r = 0; r < request.rows; ++r) {
        const std::int64_t row = middle(region.rowBegin, region.rowEnd, request.rows, r);
        sampled.push_back(row);
        scale.push_back(request.scale[static_cast<size_t>(row)]);
        if (!request.states.empty())
            states[static_cast<size_t>(r)] = request.states[static_cast<size_t>(row)];
    }
    const AttentionHead rows = sampleRows(head, sampled);
    PoolRequest sample = request;
    sample.scale = scale;
    if (request.states.empty() &&
        !(normaliser.softmaxForm ? estimateSums(kernels, rows, sample, normaliser, states, stop)
                                 : estimateByRows(rows, sample, normaliser, states, stop)))
        return cancelled();
    sample.states = states;

    PooledMap map{region, request.rows, request.columns, request.pool, false, {}};
    map.values.resize(static_cast<size_t>(map.rows) * static_cast<size_t>(map.columns));
    const float most = normaliser.softmaxForm ? 1.0f : std::numeric_limits<float>::infinity();
    const std::int64_t blocks = (request.rows + blockRows - 1) / blockRows;
    ProgressCounter progress(request.progress, blocks);
    const bool done = forEachBlock(blocks, request.parallel, stop, [&](std::int64_t index) {
        const std::int64_t first = index * blockRows;
        const int count = static_cast<int>(std::min<std::int64_t>(blockRows, request.rows - first));
        WeightBlock block(kernels, rows, normaliser, sample, first, count);
        Tile pixels(static_cast<size_t>(request.columns), Lanes{});
        for (int c = 0; c < request.columns && !stop.stop_requested(); ++c)
            block.addWeights({middle(region.columnBegin, region.columnEnd, request.columns, c), 1, 1}, &c, pixels);
        turnOver(pixels, count, map.values.data() + first * request.columns,
                 [most](float w, int) { return std::min(most, w); });
        progress.step();
    });
    if (!done)
        return cancelled();
    return map;
}

}  // namespace attnscope::fast
