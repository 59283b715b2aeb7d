#pragma once
// A heatmap at once: one query row a pixel row and one key a pixel, the middle ones. Without finished states it solves
// only the rows that it shows, and where even those are long, from every stride-th key: sum e^x is then taken to be
// ln(visible / looked at) larger than what was seen, and no weight larger than 1.

#include "core/attention/engine.h"
#include "core/attention/fast/tile_kernels.h"
#include "core/attention/normaliser.h"

namespace attnscope::fast {

Result<PooledMap> preview(const TileKernels&, const AttentionHead&, const PoolRequest&, const Normaliser&,
                          const std::stop_token&);

}  // namespace attnscope::fast
