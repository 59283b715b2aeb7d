#include "core/attention/fast/whole_rows.h"

#include "core/attention/fast/fast_engine.h"
#include "core/attention/fast/query_block.h"
#include "core/attention/row_logits.h"
#include "core/attention/summarise_row.h"

#include <algorithm>
#include <cmath>

namespace attnscope::fast {

namespace {

/// The products of 64 rows with all of the first keys: z[key].at[row].
Tile allProducts(QueryBlock& block, std::int64_t keyCount, const std::stop_token& stop)
{
    Tile z(static_cast<size_t>(keyCount));
    for (const Keys keys : block.tiles(0, keyCount)) {
        if (stop.stop_requested())
            break;
        block.products(keys, z[static_cast<size_t>(keys.first)].at);
    }
    return z;
}

/// As readRowLogits, from finished products. False: they are too large for float32.
bool readLogits(const AttentionHead& head, const Tile& z, int lane, std::int64_t row, std::int64_t prefix, double scale, RowLogits& out)
{
    out.visible = head.visible(row, prefix);
    out.logits.resize(static_cast<size_t>(out.visible.count()));
    bool small = true;
    for (std::int64_t index = 0; index < std::ssize(out.logits); ++index) {
        const std::int64_t key = out.key(index);
        double x = scale * static_cast<double>(z[static_cast<size_t>(key)].at[lane]);
        small &= std::abs(x) <= static_cast<double>(largestLogit);
        out.logits[static_cast<size_t>(index)] = biasedLogit(head, row, key, x);
    }
    return small;
}

}  // namespace

void summariseWholeRows(const TileKernels& kernels, const AttentionHead& head, const SummaryRequest& request, const Normaliser& normaliser,
                        std::int64_t firstRow, int rowCount, std::vector<std::vector<RowSummary>>& out, const std::stop_token& stop)
{
    std::int64_t longest = 0;
    for (const Pass& pass : request.passes)
        if (pass.firstRow < firstRow + rowCount && pass.lastRow > firstRow)
            longest = std::max(longest, pass.prefix);
    QueryBlock block(head, kernels, firstRow, rowCount);
    const Tile z = allProducts(block, longest, stop);
    const Parameters parameters(normaliser, request.normaliser);

    RowLogits logits;
    for (size_t p = 0; p < request.passes.size(); ++p) {
        const Pass& pass = request.passes[p];
        for (std::int64_t row = std::max(firstRow, pass.firstRow); row < std::min(firstRow + rowCount, pass.lastRow); ++row) {
            if (stop.stop_requested())
                return;
            const size_t index = static_cast<size_t>(row - pass.firstRow);
            const int lane = static_cast<int>(row - firstRow);
            if (!hasScale(pass.scale[index]))
                continue;
            const double scale = static_cast<double>(pass.scale[index]);
            if (!readLogits(head, z, lane, row, pass.prefix, scale, logits))
                readRowLogits(head, row, pass.prefix, scale, logits);
            out[p][index] = summariseRow(logits.logits, logits.visible, head.position(row), normaliser, parameters, request.order);
        }
    }
}

}  // namespace attnscope::fast
