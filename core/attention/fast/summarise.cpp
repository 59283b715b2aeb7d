#include "core/attention/fast/fast_engine.h"

#include "core/attention/engine_support.h"
#include "core/attention/fast/block_summary.h"
#include "core/attention/fast/whole_rows.h"
#include "core/attention/reference_engine.h"

#include <algorithm>

namespace attnscope::fast {

namespace {

/// Rows of a block, a function of how many there are alone, so that sums are the same on any number of cores. Few rows,
/// of a preview, are half a block at a time: more cores share them, and under a causal mask those in front pass fewer
/// keys.
std::int64_t rowsAtOnce(std::int64_t rows) { return rows < 8 * blockRows ? blockRows / 2 : blockRows; }

}  // namespace

Result<std::vector<std::vector<RowSummary>>> summarise(const TileKernels& kernels, const AttentionHead& head,
                                                       const SummaryRequest& request, const std::stop_token& stop)
{
    const auto normaliser = TRY(checkedNormaliser(head, request));
    if (needsDefinition(head, *normaliser, request.normaliser))
        return reference::summarise(head, request, stop);

    RowsOfPasses rows = rowsOfPasses(head, request);
    const std::int64_t begin = rows.begin, end = rows.end;
    const std::int64_t most = normaliser->softmaxForm ? rowsAtOnce(end - begin) : blockRows;
    const bool done = forEachBlock(
        (std::max<std::int64_t>(end - begin, 0) + most - 1) / most, request.parallel, stop, [&](std::int64_t block) {
            const std::int64_t first = begin + block * most;
            const int count = static_cast<int>(std::min(most, end - first));
            if (normaliser->softmaxForm)
                BlockSummary(kernels, head, request, *normaliser, first, count, rows.summaries).run(stop);
            else
                summariseWholeRows(kernels, head, request, *normaliser, first, count, rows.summaries, stop);
        });
    if (!done)
        return cancelled();
    return std::move(rows.summaries);
}

}  // namespace attnscope::fast
