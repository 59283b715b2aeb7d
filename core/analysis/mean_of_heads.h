#pragma once
// Several heads of a layer shown as one. Maps, weights of the chosen row and the statistics of every row are means over
// the heads, each head counting alike; spreads and curves are over the rows of all of them, so that their means are
// too.

#include "core/analysis/analysis_cache.h"
#include "core/statistics/measures.h"

#include <span>

namespace attnscope {

/// Of the same scenario, head by head, with the same method; `heads` is not empty. A method that has no value for one
/// of the heads has none for the mean. What is no mean over heads (the multiplier that keeps the entropy) is left out.
MethodAnalysis meanOfHeads(std::span<const MethodAnalysis> heads, const BoundMeasure& measure);

/// The rows of all heads at every length at which each of them has a value.
MethodCurves joinedCurves(std::span<const std::shared_ptr<const MethodCurves>> heads);

}  // namespace attnscope
