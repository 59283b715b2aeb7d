#pragma once
// The fast engines: blocks of 64 rows over oneTBB's threads, each streaming tiles of keys through the kernels of one
// instruction set. tile_kernels.h tells how.

#include "core/attention/engine.h"
#include "core/attention/fast/tile_kernels.h"
#include "core/attention/normaliser.h"

#include <algorithm>
#include <limits>

namespace attnscope::fast {

Result<std::vector<std::vector<RowSummary>>> summarise(const TileKernels&, const AttentionHead&, const SummaryRequest&,
                                                       const std::stop_token&);
Result<PooledMap> pool(const TileKernels&, const AttentionHead&, const PoolRequest&, const std::stop_token&);
Result<void> attend(const TileKernels&, const AttentionHead&, const AttendRequest&, const std::stop_token&);

/// Heads that tiles cannot tell anything of: a key that is not finite spoils every row, and the reference knows what
/// the limits are; and there are normalisers that need every digit of a logit.
inline bool needsDefinition(const AttentionHead& head, const Normaliser& normaliser, const Choice& choice)
{
    return !head.keysAreFinite() || (normaliser.steep && normaliser.steep(Parameters(normaliser, choice)));
}

/// For a normaliser with a softmaxForm.
Result<std::vector<double>> meanRow(const TileKernels&, const AttentionHead&, const Normaliser&, const Choice&,
                                    std::span<const double> scale, std::span<const RowSummary> rows,
                                    const std::stop_token&);

/// Logits beyond this (before ALiBi's bias) cost float32 more digits than the tolerance has: such rows are done again
/// in double precision.
constexpr float largestLogit = 256;

/// Products below this, of all keys of a row, have lost digits: far enough above the smallest normal number for sums of
/// smaller terms.
constexpr float leastProduct = 1e-30f;

/// Factors on z below this would make a logit that matters of `unseen`, which stands for a masked key.
constexpr float smallestScale = 1e-25f;
static_assert(-unseen * smallestScale > 100 * largestLogit);

/// Factors on z beyond this make logits that matter of products so small that float32 has lost their digits: such rows
/// are done again in double precision.
constexpr double largestScale = 1e30;

/// The nearest float32 that is finite.
inline float finiteFloat(double x)
{
    constexpr double most = std::numeric_limits<float>::max();
    return static_cast<float>(std::clamp(x, -most, most));
}

}  // namespace attnscope::fast
