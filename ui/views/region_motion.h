#pragma once
// How zooming and panning move the region that the heatmaps show. Regions are whole cells inside the matrix, at least
// `closest` cells wide and high; the whole matrix is written as Region{}.

#include "core/attention/engine.h"

#include <QPointF>

namespace attnscope {

inline constexpr std::int64_t closestCells = 8;

/// Region{} spelled out.
Region wholeRegion(std::int64_t queries, std::int64_t keys);

/// Closer by `factor`, the point `about` (x: key, y: query) staying where it is. Never beyond the matrix.
Region zoomedRegion(const Region& shown, const Region& whole, double factor, QPointF about);

/// Moved by (keys, queries), stopping at the matrix's edges.
Region pannedRegion(const Region& shown, const Region& whole, QPointF by);

}  // namespace attnscope
