#pragma once
// Normalisers that must see a whole row before they can weigh a key (sparsemax sorts it): the products come from tiles
// and are kept, 64 x n floats, and each row goes through the definition, summariseRow.

#include "core/attention/engine.h"
#include "core/attention/fast/tile_kernels.h"
#include "core/attention/normaliser.h"

#include <stop_token>
#include <vector>

namespace attnscope::fast {

void summariseWholeRows(const TileKernels&, const AttentionHead&, const SummaryRequest&, const Normaliser&, std::int64_t firstRow, int rowCount,
                        std::vector<std::vector<RowSummary>>& out, const std::stop_token&);

}  // namespace attnscope::fast
