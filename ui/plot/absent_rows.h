#pragma once
// Rows of attention that have no value: they see no key, or their method has no scale for them. A weight of 0 would say
// that they see keys, so in a map they are hatched.

#include "core/attention/engine.h"
#include "core/attention/row_summary.h"

#include <QColor>
#include <QRectF>

#include <cstdint>
#include <span>
#include <vector>

class QPainter;

namespace attnscope {

/// Query rows begin .. end - 1.
struct RowBand {
    std::int64_t begin = 0, end = 0;
    bool operator==(const RowBand&) const = default;
};

/// Of `queryCount` rows, those without a value, neighbours joined, rising. `sampled`: the rows that were looked at,
/// each then standing for those nearer to it than to the next; empty: all of them.
std::vector<RowBand> rowsWithoutValue(std::span<const RowSummary> rows, std::span<const std::int64_t> sampled,
                                      std::int64_t queryCount);

/// Rows that are in either.
std::vector<RowBand> joined(std::vector<RowBand> a, std::span<const RowBand> b);

/// Hatches the bands over the map of `region`, which lies in `target` (painter units): at least one unit high, on
/// `paper`.
void paintRowBands(QPainter& painter, const QRectF& target, const Region& region, std::span<const RowBand> bands,
                   const QColor& paper, const QColor& ink);

}  // namespace attnscope
