#pragma once
// What a chart reads at one abscissa: a value a line of its legend, to be shown beside the pointer and copied as text.

#include "ui/plot/chart.h"

#include <optional>
#include <vector>

namespace attnscope {

struct ChartReadout {
    struct Value {
        int series = 0;  ///< that has it: of the line's style, perhaps without a label
        double y = 0;
        bool between = false;  ///< interpolated between two of its points
    };
    /// Series of one style are one line: a curve (exact, say), points that stand for themselves (measured, say), or
    /// both.
    struct Line {
        int named = 0;  ///< the series whose label it has
        std::optional<Value> curve, points;
        std::optional<double> change = {};  ///< from where `since` is; of points, else of curves
        const Value& value() const { return points ? *points : *curve; }
    };
    double x = 0;
    std::optional<double> y = {};      ///< the position's ordinate
    std::vector<Line> lines;           ///< in the order of the legend
    std::optional<double> since = {};  ///< another abscissa, of which the changes are
    bool hasBoth() const;              ///< some line has a curve and points
};

/// At the abscissa of the point, number of the axis or vertical line nearest to `position` across, or where none is
/// within `reach` (painter units) at the position's own; on an axis of lengths always a whole number. Of trials:
/// the nearest one in the frame, however far it is, and nothing else.
ChartReadout readoutAt(const ChartSpec&, const ChartLayout&, QPointF position, double reach);

/// At exactly x. What has no point there is interpolated, linearly in what the axes show; what does not reach there is
/// left out, as ghosts are.
ChartReadout readoutOf(const ChartSpec&, const ChartLayout&, double x);

/// With how far every line has come since the other readout, where both have a value of it.
ChartReadout readoutSince(ChartReadout here, const ChartReadout& there);

/// Of more lines than `most` those nearest to the position, in what the axes show; still in the order of the legend.
ChartReadout nearestLines(ChartReadout, const ChartLayout&, std::size_t most);

/// How many methods' lines the whole has that those near it have not: reference lines are no methods.
int linesFurther(const ChartSpec&, const ChartReadout& whole, const ChartReadout& near);

/// Lines of methods of which nothing is within the frame, as a zoom may leave them: neither a point nor a part of a
/// stretch between two. One a style; ghosts are none.
int linesOutside(const ChartSpec&, const ChartLayout&);

/// One of its values, with the decimals that a column of all of them has in a table.
QString readoutNumber(const ChartSpec&, const ChartReadout&, const ChartReadout::Value&);

/// With its sign, and the decimals that all changes have.
QString changeText(const ChartReadout&, double change);

/// A row a value: name, x, y, separated by tabs; interpolated values have "≈" in a fourth column. Of a line with both,
/// the name says which. The change since another abscissa is in a row of its own, with both of these.
QString readoutText(const ChartSpec&, const ChartReadout&);

/// A rule at x and beside it a sheet with the values, which stays off `taken` where it can. Of more lines than go into
/// two thirds of the frame those nearest to the position, and how many there are besides.
void paintReadout(QPainter&, const ChartSpec&, const PlotStyle&, const ChartLayout&, const ChartReadout&,
                  const QRectF& taken = {});

}  // namespace attnscope
