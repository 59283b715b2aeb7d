#pragma once
// The key of a chart: a sample of each labelled series beside its name, in a corner, below, at the right, or at the
// ends of the lines themselves (moved apart where they would overlap, with a thin leader back to the line).

#include "ui/plot/chart.h"
#include "ui/plot/typeset.h"

#include <QPen>
#include <QSizeF>

namespace attnscope {

/// What a series is drawn with.
struct SeriesLook {
    QPen pen;  ///< of the line
    QColor colour;
    double emphasis = 1;  ///< factor on the line width
    int marker = -1;      ///< Marker, or -1: none
};
SeriesLook lookOf(const ChartSeries&, const PlotStyle&);

/// Space that the legend needs beside (Right, AtLineEnds) or below the frame; empty for legends inside.
QSizeF legendSpace(const ChartSpec&, const PlotStyle&, double frameWidth);
/// Where that of a corner stands, over the curves; empty for others.
QRectF legendInside(const ChartSpec&, const PlotStyle&, const ChartLayout&);
/// The corner where that would lie on no point, in a chart that has `outer`; none: everywhere it would.
std::optional<Legend> freeCorner(ChartSpec, const PlotStyle&, const QRectF& outer);
void paintLegend(QPainter&, const ChartSpec&, const PlotStyle&, const ChartLayout&, double belowFrame);

/// Whether all names can stand at the ends of their lines, in a chart of this size: one above the other without
/// overlapping, and in no more than a third of its width.
bool endsHaveRoom(const ChartSpec&, const PlotStyle&, QSizeF chart);

/// A sample of a series, `width` wide, its middle at the height `y`.
void paintSample(QPainter&, const ChartSeries&, const PlotStyle&, double x, double y, double width);

/// Centres moved as little as possible so that neighbours are `apart` and all lie in [low, high].
std::vector<double> spreadApart(std::vector<double> centres, double apart, double low, double high);

/// One after the other, or in columns of equal width where one row does not have them all.
enum class LegendFlow { Rows, Columns };

/// Labels of series side by side in rows of at most `width`: the height that takes; drawn if a painter is given.
double flowLegend(QPainter*, const std::vector<ChartSeries>&, const PlotStyle&, QPointF topLeft, double width,
                  LegendFlow = LegendFlow::Rows);
/// Where each of those that have a label is, from the legend's top left.
std::vector<QRectF> legendPlaces(const std::vector<ChartSeries>&, const PlotStyle&, double width, LegendFlow);
/// Whose label or sample is there, from the legend's top left; -1: none.
int flowLegendAt(const std::vector<ChartSeries>&, const PlotStyle&, double width, QPointF at,
                 LegendFlow = LegendFlow::Rows);

}  // namespace attnscope
