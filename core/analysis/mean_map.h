#pragma once
// The heatmap of a mean over heads. Means of cells are means of pixels; the largest cell of a mean is not the mean of
// the largest cells, so there the mean is made cell by cell, some rows at a time, and then pooled.

#include "core/attention/engine.h"
#include "core/base/error.h"

#include <span>
#include <stop_token>

namespace attnscope {

/// What a map needs to know of each head.
struct HeadForMap {
    const AttentionHead* head;
    std::span<const double> scale;  ///< as PoolRequest's
    std::span<const NormaliserState> states;
};

/// Pool::Max of the cells' mean over the heads, each counting alike; there is at least one. `request` says what is
/// asked for, but for the scale and the states, which are each head's own. Errors: those of Engine::pool.
Result<PooledMap> poolMeanOfHeads(const Engine& engine, std::span<const HeadForMap> heads, const PoolRequest& request,
                                  const std::stop_token& stop);

}  // namespace attnscope
