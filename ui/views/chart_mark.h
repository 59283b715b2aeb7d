#pragma once
// What a chart marks while the pointer is somewhere else: a line at a length, the points of the curves there, or one
// key's place among the weights by rank.

#include "core/analysis/analysis.h"
#include "ui/plot/chart.h"
#include "ui/workbench/pointer.h"

#include <QPointF>

#include <optional>
#include <vector>

namespace attnscope {

struct ChartMark {
    struct Point {
        QPointF at;
        int style = 0;
        bool operator==(const Point&) const = default;
    };
    std::optional<double> x;  ///< in the chart's units
    std::vector<Point> points;
    bool operator==(const ChartMark&) const = default;
};

/// At x, what the chart reads there: of a line with a curve and points, both.
ChartMark markAtLength(const ChartSpec& spec, const ChartLayout& layout, double x);

/// The key among the sorted weights of the chosen row, once for every method.
ChartMark markAtKey(const Analysis& analysis, std::int64_t key);

/// The number of keys that is pointed at: a length on a curve, or what a row of a map sees. Empty: none.
std::optional<double> pointedLength(const Analysis& analysis, const Pointed& at);

}  // namespace attnscope
