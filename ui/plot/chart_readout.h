#pragma once
// What a chart reads at one abscissa: a value a line of its legend, to be shown beside the pointer and copied as text.

#include "ui/plot/chart.h"

#include <vector>

namespace attnscope {

struct ChartReadout {
    struct Line {
        int named = 0;         ///< the series whose label it has
        int series = 0;        ///< the one that has the value: of the same style, perhaps without a label
        double y = 0;
        bool between = false;  ///< interpolated between two points of its curve
    };
    double x = 0;
    std::vector<Line> lines;   ///< in the order of the legend
};

/// At the abscissa of the point, number of the axis or vertical line nearest to `position` across, or where none is within `reach` (painter
/// units) at the position's own; on an axis of lengths always a whole number. A line without a point there is interpolated along its curve, linearly in what
/// the axes show; one that does not reach there is left out. Series of one style are one line: measured points come before the curve that they lie on.
ChartReadout readoutAt(const ChartSpec&, const ChartLayout&, QPointF position, double reach);

/// A row a line: name, x, y, separated by tabs; interpolated values have "≈" in a fourth column.
QString readoutText(const ChartSpec&, const ChartReadout&);

/// A rule at x and beside it a sheet with the values.
void paintReadout(QPainter&, const ChartSpec&, const PlotStyle&, const ChartLayout&, const ChartReadout&);

}  // namespace attnscope
