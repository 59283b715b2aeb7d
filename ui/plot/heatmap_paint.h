#pragma once
// Drawing of pooled maps on any painter; heatmap_plottable.h puts them into a QCustomPlot. Rows (queries) run
// downwards, columns (keys) to the right. On screen an image is enlarged cell by cell in the device's own pixels; in
// print up to `vectorCells` cells become filled rectangles and more a lossless image of whole multiples of the cells.

#include "core/attention/engine.h"
#include "ui/plot/colour_map.h"
#include "ui/plot/plot_style.h"

#include <QImage>
#include <QRectF>

#include <optional>
#include <span>
#include <utility>

class QPainter;

namespace attnscope {

inline constexpr int vectorCells = 32 * 32;

/// One pixel a cell; blank cells are transparent.
QImage heatmapImage(const PooledMap&, const ColourScale&);

/// The map over `target` (painter units).
void paintHeatmap(QPainter&, const QRectF& target, const PooledMap&, const ColourScale&);
/// The same from heatmapImage's result, for whoever keeps it.
void paintCells(QPainter&, const QRectF& target, const QImage& cells);

/// Are its cells means of several weights?
bool showsMeans(const PooledMap& map);

/// The largest positive value of all; 1 if there is none.
double largestOf(std::span<const PooledMap* const> maps);

/// The size that no value but the outermost hundredth exceeds, of those that are not 0; 0 if there are none.
double allButOutermost(std::span<const PooledMap* const> maps);

/// One colour scale for maps of weights up to `largest`: log from the next power of ten down by so many decades, or the
/// next whole number of them, or linear from 0 to the next round number. So what moves the largest cell a little, the
/// pixels that a map is pooled to, leaves the colours alone.
ColourScale weightScale(double largest, bool log, const ColourMap* map = nullptr, double decades = 4);

/// So many decades reach from a weight of 1 to a tenth of the uniform weight 1/n, and at least four: a row that
/// disperses is seen to.
double decadesFor(std::int64_t keys);

/// The scale over this range instead, if there is one; a log scale keeps its own where the range begins at 0.
ColourScale pinnedScale(ColourScale scale, const std::optional<std::pair<double, double>>& range);

/// Do values lie below the scale's low end, above its high one? They have that end's colour. Masked cells, 0 where that
/// is blank, count for neither.
struct Beyond {
    bool low = false, high = false;
};
Beyond valuesBeyond(std::span<const PooledMap* const> maps, const ColourScale&);

/// Two significant digits, short: an end of the range is no round number. Markup.
QString endText(double value);

/// How far a tip reaches beyond that end of the ramp.
double tipOf(const QRectF& ramp, const PlotStyle&);
/// The colours alone, and a tip at an end that values lie beyond.
void paintRamp(QPainter&, const QRectF& ramp, const ColourScale&, const PlotStyle&, Beyond beyond = {});

/// How far a vertical bar with a ramp of this width reaches to the right with its labels and title, however high.
double widthOfBar(double ramp, const ColourScale&, const QString& title, const PlotStyle&);

/// The ramp with its ticks and title, and a tip at an end that values lie beyond: horizontal (labels below) if wider
/// than high, else vertical (labels to the right).
void paintColourBar(QPainter&, const QRectF& ramp, const ColourScale&, const QString& title, const PlotStyle&,
                    Beyond beyond = {});

}  // namespace attnscope
