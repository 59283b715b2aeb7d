#pragma once
// Two maps against each other, cell by cell: a - b, or the ratio as log10(a / b), which tells apart small weights too.

#include "core/attention/engine.h"
#include "ui/plot/heatmap_paint.h"

#include <optional>

namespace attnscope {

enum class Difference { Linear, LogRatio };

/// No value where the maps do not show the same region in the same cells. Cells that are 0 in both are 0 (blank); a
/// ratio with 0 on one side only is an end of the scale, +-3.
std::optional<PooledMap> differenceMap(const PooledMap& a, const PooledMap& b, Difference kind);

/// Symmetric about 0, wide enough for all but the outermost hundredth of the cells that differ.
ColourScale differenceScale(const PooledMap& map, const ColourMap* colours);

/// Of a difference or a ratio: which ends do values lie beyond? Ratios are cut at 1000, so that those which are there
/// may be farther.
Beyond differencesBeyond(const PooledMap& map, const ColourScale& scale);

}  // namespace attnscope
