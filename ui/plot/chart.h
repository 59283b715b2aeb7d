#pragma once
// A chart is a plain value, ChartSpec. layoutChart finds its place, paintChart draws it on any painter: the same code
// makes the window's views, the export preview and the files. Texts are markup (typeset.h).

#include "ui/plot/plot_style.h"
#include "ui/plot/ticks.h"

#include <QMarginsF>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

class QPainter;

namespace attnscope {

struct ChartPoint {
    double x = 0, y = 0;
    double low = std::numeric_limits<double>::quiet_NaN();  ///< of the band or error bar; NaN: none
    double high = std::numeric_limits<double>::quiet_NaN();
    /// Two NaNs compare equal.
    bool operator==(const ChartPoint& other) const
    {
        const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
        return same(x, other.x) && same(y, other.y) && same(low, other.low) && same(high, other.high);
    }
};

struct ChartSeries {
    enum class Shape { Line, Points, LinePoints, Step, Bars };
    static constexpr int reference = -1;  ///< style of what is not a method: thin, quiet

    QString label = {};  ///< empty: not in the legend
    QString name = {};   ///< of every series, where its label does not tell it from others
    int style = 0;       ///< of methodStyle() (method_style.h), or reference
    Shape shape = Shape::Line;
    bool band = false;    ///< fill from low to high; otherwise points draw error bars where low, high are given
    bool solid = false;   ///< without the style's dash
    int dashes = 0;       ///< 1 to 5: a plain dash instead of the style's, each unlike the others
    bool open = false;    ///< markers that are not filled
    double emphasis = 1;  ///< factor on the line width
    double opacity = 1;
    bool ghost = false;   ///< of another moment, behind what is there now: seen, not read
    bool behind = false;  ///< one of a crowd beneath those that stand out: thin in one grey, no data to read
    std::optional<QColor> colour = {};    ///< instead of the style's
    std::vector<ChartPoint> points = {};  ///< in drawing order; not finite (or not positive on a log axis): a gap

    const QString& known() const { return name.isEmpty() ? label : name; }
};

struct ChartAxis {
    QString title = {};
    QString shortTitle = {};  ///< of an ordinate that is shorter than its title; empty: there is none
    bool log = false;
    std::optional<std::pair<double, double>> range = {};  ///< empty: what the series need, with a margin
    TickText tickText = TickText::Automatic;
    std::vector<Tick> ticks = {};  ///< not empty: these instead
    std::vector<Tick> words = {};  ///< plain texts of its cells: instead of both where each has a line of its own
    bool grid = false;
    bool hidden = false;  ///< neither line nor labels
};

/// A line across the chart, vertical at x or horizontal at y.
struct ReferenceLine {
    Qt::Orientation orientation = Qt::Vertical;
    double at = 0;
    QString label;        ///< at its end, inside the frame
    bool strong = false;  ///< a marker that can be dragged: in longer dashes, its label in ink
};

/// A shaded stretch of the abscissa, with a few words at its top.
struct ShadedRange {
    double from = 0, to = 0;
    QString label;
};

struct ChartNote {
    double x = 0, y = 0;
    QString text;
    Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignBottom;  ///< which side of the text lies at (x, y)
    int style = ChartSeries::reference;                         ///< whose colour
    std::optional<QPointF> away =
        std::nullopt;  ///< an annotation: from (x, y) to the middle of its text, in its height, with an arrow
};

enum class Legend { None, TopLeft, TopRight, BottomLeft, BottomRight, Right, Below, AtLineEnds };

struct ChartSpec {
    QString letter;  ///< "a": bold, before the title
    QString title;
    ChartAxis x, y;
    std::vector<ChartSeries> series;
    std::vector<ReferenceLine> lines;
    std::vector<ShadedRange> shaded;
    std::vector<ChartNote> notes;
    Legend legend = Legend::TopLeft;
    bool trials = false;  ///< every point is a trial of its own: one is read, and nothing between two
};

/// Where everything is. Pinned margins make the frames of neighbouring charts line up.
struct ChartLayout {
    QRectF outer;  ///< all of it
    QRectF frame;  ///< what the axes enclose
    std::pair<double, double> xRange, yRange;
    bool xLog = false, yLog = false;
    Ticks xTicks, yTicks;

    QPointF place(double x, double y) const;  ///< data to painter
    QPointF value(QPointF position) const;    ///< painter to data
};

/// ChartLayout::place() of many points: the ends of the axes are worked out once.
class ChartPlaces {
public:
    explicit ChartPlaces(const ChartLayout& layout);
    QPointF operator()(double x, double y) const;

private:
    struct Axis {
        bool log;
        double low, span;  ///< coordinates: logarithms on a log axis
        double share(double value) const { return ((log ? std::log(value) : value) - low) / span; }
    };
    static Axis axisOf(std::pair<double, double> range, bool log);
    QRectF m_frame;
    Axis m_x, m_y;
};

/// Without pinned margins there is as much around the frame as stands there, and `leastLeft` at its left
/// and `leastTop` above it.
ChartLayout layoutChart(const ChartSpec&, const PlotStyle&, const QRectF& outer, std::optional<QMarginsF> pinned = {},
                        double leastLeft = 0, double leastTop = 0);
QMarginsF chartMargins(const ChartSpec&, const PlotStyle&, const QRectF& outer);
void paintChart(QPainter&, const ChartSpec&, const PlotStyle&, const ChartLayout&);
/// Where the names of the strong vertical lines stand that are in the frame, in their order.
std::vector<QRectF> labelsOfMarkers(const ChartSpec&, const PlotStyle&, const ChartLayout&);

/// How far beside its abscissa a series is drawn, painter units: error bars of several series at one abscissa stand
/// side by side, so that each is seen.
double besideAbscissa(const ChartSpec&, const ChartSeries&, const PlotStyle&, const ChartLayout&);

struct ChartHit {
    int series = -1, point = -1;
    double distance = 0;  ///< painter units
};
/// The point nearest to a position, within `reach`; none of a ghost.
std::optional<ChartHit> nearestPoint(const ChartSpec&, const ChartLayout&, QPointF position, double reach);

}  // namespace attnscope
