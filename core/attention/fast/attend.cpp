#include "core/attention/fast/fast_engine.h"

#include "core/attention/engine_support.h"
#include "core/attention/fast/output_block.h"
#include "core/attention/reference_engine.h"

#include <algorithm>

namespace attnscope::fast {

Result<void> attend(const TileKernels& kernels, const AttentionHead& head, const AttendRequest& request,
                    const std::stop_token& stop)
{
    const auto normaliser = TRY(checkedNormaliser(head, request));
    if (needsDefinition(head, *normaliser, request.normaliser))
        return reference::attend(head, request, stop);

    // Values that lie far apart, columns of a wide matrix, fight for the same places of a cache.
    const std::int64_t rows = request.output.rows();
    const bool apart = request.values.outerStride() != request.values.cols() && rows >= blockRows;
    const Matrix near = apart ? Matrix(request.values) : Matrix();
    const MatrixView values = apart ? MatrixView(near) : request.values;
    const bool done = forEachBlock((rows + blockRows - 1) / blockRows, request.parallel, stop, [&](std::int64_t block) {
        const std::int64_t first = block * blockRows;
        const int count = static_cast<int>(std::min<std::int64_t>(blockRows, rows - first));
        OutputBlock(kernels, head, request, *normaliser, values, request.firstRow + first, count).run(stop);
    });
    if (!done)
        return cancelled();
    return {};
}

}  // namespace attnscope::fast
