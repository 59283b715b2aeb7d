#pragma once
// The fast engines: blocks of 64 rows over oneTBB's threads, each streaming tiles of keys through the kernels of one
// instruction set. tile_kernels.h tells how.

#include "core/attention/engine.h"
#include "core/attention/fast/tile_kernels.h"
#include "core/attention/normaliser.h"

namespace attnscope::fast {

Result<std::vector<std::vector<RowSummary>>> summarise(const TileKernels&, const AttentionHead&, const SummaryRequest&,
                                                       const std::stop_token&);
Result<PooledMap> pool(const TileKernels&, const AttentionHead&, const PoolRequest&, const std::stop_token&);
Result<void> attend(const TileKernels&, const AttentionHead&, const AttendRequest&, const std::stop_token&);

/// For a normaliser with a softmaxForm.
Result<std::vector<double>> meanRow(const TileKernels&, const AttentionHead&, const Normaliser&, const Choice&,
                                    std::span<const float> scale, std::span<const RowSummary> rows,
                                    const std::stop_token&);

/// Logits beyond this (before ALiBi's bias) cost float32 more digits than the tolerance has: such rows are done again
/// in double precision.
constexpr float largestLogit = 256;

/// Factors on z below this would make a logit that matters of `unseen`, which stands for a masked key.
constexpr float smallestScale = 1e-25f;
static_assert(-unseen * smallestScale > 100 * largestLogit);

}  // namespace attnscope::fast
