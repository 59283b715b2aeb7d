#pragma once
// What figures show of an analysis's maps: what is masked differs from what is zero, and tokens have their texts.

#include "core/analysis/analysis.h"
#include "ui/figure/figure_content.h"

#include <memory>

namespace attnscope {

/// Cells that no query of theirs can see are absent (NaN), so that a weight of 0, or one too small for a float, is not
/// taken for a mask. Draw it with a scale that paints zeros.
std::shared_ptr<const PooledMap> maskedMap(const Analysis& analysis, const MethodAnalysis& method);

/// A token's text at each key and query of the panel's map, for where they have room; none where a cell is several
/// tokens.
void nameTokens(Panel& panel, const Analysis& analysis);

}  // namespace attnscope
