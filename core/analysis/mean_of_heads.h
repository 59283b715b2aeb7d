#pragma once
// Several heads of a layer shown as one. Maps, weights of the chosen row and the statistics of every row are means over
// the heads, each head counting alike; spreads and curves are over the rows of all of them, so that their means are
// too.

#include "core/analysis/analysis_cache.h"
#include "core/attention/engine.h"
#include "core/statistics/measures.h"

#include <span>
#include <stop_token>

namespace attnscope {

/// Of the same scenario, head by head, with the same method; `heads` is not empty. A method that has no value for one
/// of the heads has none for the mean. What is no mean over heads (the multiplier that keeps the entropy) is left out.
MethodAnalysis meanOfHeads(std::span<const MethodAnalysis> heads, const BoundMeasure& measure);

/// The rows of all heads at every length at which each of them has a value.
MethodCurves joinedCurves(std::span<const std::shared_ptr<const MethodCurves>> heads);

/// What a map needs to know of each head.
struct HeadForMap {
    const AttentionHead* head;
    std::span<const double> scale;  ///< as PoolRequest's
    std::span<const NormaliserState> states;
};

/// Pool::Max of the cells' mean over the heads, each counting alike; there is at least one. Means of cells are means of
/// pixels; the largest cell of a mean is not the mean of the largest cells, so the mean is made cell by cell, some rows
/// at a time, and then pooled. `request` says what is asked for, but for the scale and the states, which are each
/// head's own. Errors: those of Engine::pool.
Result<PooledMap> poolMeanOfHeads(const Engine& engine, std::span<const HeadForMap> heads, const PoolRequest& request,
                                  const std::stop_token& stop);

}  // namespace attnscope
