#include "ui/plot/chart_note.h"
#include "ui/plot/chart_title.h"
#include "ui/plot/legend.h"
#include "ui/plot/method_style.h"
#include "ui/plot/polyline.h"
#include "ui/plot/typeset.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <optional>

namespace attnscope {

namespace {

using Shape = ChartSeries::Shape;

std::vector<QPointF> placed(const ChartSpec& spec, const ChartSeries& series, const PlotStyle& style,
                            const ChartLayout& layout)
{
    const QPointF beside(besideAbscissa(spec, series, style, layout), 0);
    std::vector<QPointF> points;
    points.reserve(series.points.size());
    const ChartPlaces place(layout);
    for (const ChartPoint& point : series.points) {
        const QPointF at = place(point.x, point.y) + beside;
        if (series.shape == Shape::Step && !points.empty())
            points.emplace_back(at.x(), points.back().y());
        points.push_back(at);
    }
    return points;
}

/// `bands`: of how many series there are: they may lie on each other, so that edges say whose each is, and all together
/// are no darker than one.
void paintBand(QPainter& painter, const ChartSeries& series, const PlotStyle& style, const ChartLayout& layout,
               std::ptrdiff_t bands)
{
    constexpr float alone = 0.18F, edge = 0.45F;
    std::vector<QPointF> above, below;
    const ChartPlaces place(layout);
    for (const ChartPoint& point : series.points) {
        const QPointF low = place(point.x, point.low), high = place(point.x, point.high);
        if (!std::isfinite(low.x()) || std::isnan(point.low) || std::isnan(point.high))
            continue;
        above.push_back(high);
        below.push_back(low);
    }
    QColor colour = lookOf(series, style).colour;
    if (bands > 1) {
        colour.setAlphaF(edge);
        painter.setPen(QPen(colour, style.thin));
        for (const std::vector<QPointF>* side : {&above, &below})
            for (const QPolygonF& piece : piecesOf(*side, layout.frame, 0))
                painter.drawPolyline(piece);
    }
    QPolygonF between(QList<QPointF>(above.begin(), above.end()));
    between.append(QList<QPointF>(below.rbegin(), below.rend()));
    for (QPointF& corner : between)
        if (!std::isfinite(corner.y()))  // 0 on a logarithmic axis
            corner.setY(layout.frame.bottom());
    colour.setAlphaF(alone / static_cast<float>(bands));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(cut(between, layout.frame));
}

void paintBars(QPainter& painter, const ChartSpec& spec, const ChartSeries& series, const PlotStyle& style,
               const ChartLayout& layout)
{
    int count = 0, place = 0;
    double spacing = layout.frame.width();
    for (const ChartSeries& other : spec.series) {
        if (other.shape != Shape::Bars)
            continue;
        if (&other == &series)
            place = count;
        ++count;
        for (size_t i = 1; i < other.points.size(); ++i)
            spacing = std::min(
                spacing, std::abs(layout.place(other.points[i].x, 1).x() - layout.place(other.points[i - 1].x, 1).x()));
    }
    const double width = spacing * 0.8 / count;
    for (const ChartPoint& point : series.points) {
        const QPointF top = layout.place(point.x, point.y);
        if (!isFinite(top))
            continue;
        const QRectF bar(QPointF(top.x() + (place - count / 2.0) * width, top.y()),
                         QPointF(top.x() + (place + 1 - count / 2.0) * width, layout.frame.bottom()));
        painter.fillRect(bar.normalized() & layout.frame, lookOf(series, style).colour);
    }
}

/// With a cap at each end that is in the frame.
void paintErrorBar(QPainter& painter, QPointF low, QPointF high, double cap, const QRectF& frame)
{
    if (!std::isfinite(low.y()))
        low.setY(frame.bottom());  // a log axis goes down without end
    const auto bar = cut(QLineF(low, high), frame);
    if (!bar)
        return;
    painter.drawLine(*bar);
    for (const QPointF end : {low, high})
        if (end.y() > frame.top() && end.y() < frame.bottom())
            painter.drawLine(QLineF(end - QPointF(cap, 0), end + QPointF(cap, 0)));
}

void paintPoints(QPainter& painter, const ChartSpec& spec, const ChartSeries& series, const PlotStyle& style,
                 const ChartLayout& layout)
{
    const QPointF beside(besideAbscissa(spec, series, style, layout), 0);
    const SeriesLook look = lookOf(series, style);
    const QRectF frame = layout.frame.adjusted(-0.5, -0.5, 0.5, 0.5);
    const ChartPlaces place(layout);
    painter.setPen(QPen(look.colour, style.thin, Qt::SolidLine, Qt::FlatCap));
    for (const ChartPoint& point : series.points) {
        const QPointF at = place(point.x, point.y);
        if (!isFinite(at) || !frame.contains(at))
            continue;
        if (!series.band && !series.behind && std::isfinite(point.low) && std::isfinite(point.high))
            paintErrorBar(painter, place(point.x, point.low) + beside, place(point.x, point.high) + beside,
                          0.35 * style.marker, layout.frame);
        drawMarker(painter, static_cast<Marker>(look.marker), at + beside, style.marker * std::min(1.0, look.emphasis),
                   series.open ? QColor(Qt::transparent) : look.colour);
    }
}

void paintSeries(QPainter& painter, const ChartSpec& spec, const PlotStyle& style, const ChartLayout& layout)
{
    const std::ptrdiff_t bands = std::ranges::count_if(spec.series, &ChartSeries::band);
    for (const ChartSeries& series : spec.series)
        if (series.band && !series.behind)
            paintBand(painter, series, style, layout, bands);
    std::vector<const ChartSeries*> inOrder;
    for (const bool behind : {true, false})
        for (const ChartSeries& series : spec.series)
            if (series.behind == behind)
                inOrder.push_back(&series);
    for (const ChartSeries* each : inOrder) {
        const ChartSeries& series = *each;
        if (series.shape == Shape::Bars) {
            paintBars(painter, spec, series, style, layout);
            continue;
        }
        if (series.shape != Shape::Points) {
            painter.setPen(lookOf(series, style).pen);
            painter.setBrush(Qt::NoBrush);
            for (const QPolygonF& piece :
                 piecesOf(placed(spec, series, style, layout), layout.frame, style.print ? 2.0 : 0.5))
                painter.drawPolyline(style.print ? piece : withoutStraight(piece, 0.1));
        }
        if (lookOf(series, style).marker >= 0)
            paintPoints(painter, spec, series, style, layout);
    }
}

void paintBehind(QPainter& painter, const ChartSpec& spec, const PlotStyle& style, const ChartLayout& layout)
{
    const QRectF& frame = layout.frame;
    for (const ShadedRange& range : spec.shaded) {
        const double from = std::clamp(layout.place(range.from, layout.yRange.first).x(), frame.left(), frame.right());
        const double to = std::clamp(layout.place(range.to, layout.yRange.first).x(), frame.left(), frame.right());
        if (!(to > from))
            continue;
        painter.fillRect(QRectF(from, frame.top(), to - from, frame.height()), style.grid);
        painter.setPen(style.quiet);
        Typeset(range.label, style.font(style.small))
            .draw(painter, {(from + to) / 2, frame.top() + style.gap / 2}, Qt::AlignHCenter | Qt::AlignTop);
    }
    painter.setPen(QPen(style.grid, style.thin));
    if (spec.x.grid)
        for (const Tick& tick : layout.xTicks.major)
            painter.drawLine(
                QLineF(layout.place(tick.at, 1).x(), frame.top(), layout.place(tick.at, 1).x(), frame.bottom()));
    if (spec.y.grid)
        for (const Tick& tick : layout.yTicks.major) {
            const double y = layout.place(layout.xRange.first, tick.at).y();
            painter.drawLine(QLineF(frame.left(), y, frame.right(), y));
        }
}

/// What a label must not stand on: each series cut into the straight pieces that are drawn of it.
std::vector<std::vector<QLineF>> curvesOf(const ChartSpec& spec, const PlotStyle& style, const ChartLayout& layout)
{
    const QPointF half(style.marker / 2, 0), up(0, style.marker / 2);
    const ChartPlaces place(layout);
    std::vector<std::vector<QLineF>> curves;
    for (const ChartSeries& series : spec.series) {
        const QPointF beside(besideAbscissa(spec, series, style, layout), 0);
        std::vector<QLineF>& pieces = curves.emplace_back();
        const std::vector<QPointF> points = placed(spec, series, style, layout);
        const bool joined = series.shape != Shape::Points && series.shape != Shape::Bars;
        if (joined)
            for (const QPolygonF& piece : piecesOf(points, layout.frame, 1))
                for (qsizetype i = 1; i < piece.size(); ++i)
                    pieces.emplace_back(piece[i - 1], piece[i]);
        const bool marked = !joined || series.shape == Shape::LinePoints || points.size() == 1;
        for (std::size_t i = 0; marked && i < series.points.size(); ++i) {
            const ChartPoint& point = series.points[i];
            const QPointF at = place(point.x, point.y) + beside, low = place(point.x, point.low) + beside,
                          high = place(point.x, point.high) + beside;
            if (!isFinite(at))
                continue;
            pieces.emplace_back(at - half, at + half);
            pieces.emplace_back(at - up,
                                series.shape == Shape::Bars ? QPointF(at.x(), layout.frame.bottom()) : at + up);
            if (!series.band && isFinite(low) && isFinite(high))
                pieces.emplace_back(low, high);
        }
    }
    return curves;
}

/// How many of the curves pass a box.
double crossing(const std::vector<std::vector<QLineF>>& curves, const QRectF& box)
{
    return static_cast<double>(std::ranges::count_if(curves, [&](const std::vector<QLineF>& pieces) {
        return std::ranges::any_of(pieces, [&](const QLineF& piece) { return cut(piece, box).has_value(); });
    }));
}

/// Where the label of a line might stand, and how far that is from the usual place, in tenths of the way.
struct LabelPlace {
    QRectF box;
    double away;
};

/// Of a vertical line: at its right or left, at the top, lower, and at the bottom.
std::vector<LabelPlace> besideVertical(QSizeF size, double x, const QRectF& frame, const PlotStyle& style)
{
    const double off = style.gap * 0.7;
    std::vector<LabelPlace> places;
    double away = 0;
    for (const double drop :
         {0.0, 1.15 * size.height(), 2.3 * size.height(), frame.height() - size.height() - style.gap})
        for (const double left : {x + off, x - off - size.width()})
            places.push_back({QRectF({left, frame.top() + style.gap / 2 + drop}, size), away += 0.1});
    return places;
}

/// Of a horizontal line: above or below it at its right or left end, a little farther from it, and along it.
std::vector<LabelPlace> alongHorizontal(QSizeF size, double y, const QRectF& frame, const PlotStyle& style)
{
    constexpr double below = 0.1, atLeft = 0.2, step = 0.125;
    const double off = style.gap / 2, right = frame.right() - off - size.width(), left = frame.left() + off;
    std::vector<LabelPlace> places;
    for (const double lift : {0.0, 0.3, 0.6, 0.9})
        for (double along = 0; along <= 1; along += step)
            for (const bool above : {true, false})
                places.push_back({QRectF({right + along * (left - right), above ? y - off - (1 + lift) * size.height()
                                                                                : y + off + lift * size.height()},
                                         size),
                                  3 * lift + (along < 1 ? 4 * along : atLeft) + (above ? 0 : below)});
    return places;
}

/// The other lines that a chart has beside the one whose label it is.
bool isCrossedBy(const std::vector<QLineF>& lines, const QRectF& box)
{
    return std::ranges::any_of(lines, [&](const QLineF& line) { return cut(line, box).has_value(); });
}

/// The place that is inside the frame, on no label before it, on no other line nor so near to one that it might be
/// that one's, and where the fewest curves pass; where there is no such place, as much of it as there is, in this
/// order. None: all are on other labels.
std::optional<QRectF> placeOfLabel(std::vector<LabelPlace> places, const QRectF& frame, const PlotStyle& style,
                                   const std::vector<std::vector<QLineF>>& curves, const std::vector<QLineF>& others,
                                   std::vector<QRectF>& taken)
{
    constexpr double outside = 1e5, covered = 1e4, crossed = 1e3, passed = 100, mistaken = 150;
    std::ranges::sort(places, {}, &LabelPlace::away);
    const double near = 1.5 * style.gap, air = style.gap / 2;
    QRectF best;
    double least = std::numeric_limits<double>::infinity();
    for (const LabelPlace& place : places) {
        const QRectF& box = place.box;
        double cost = place.away;
        if (!frame.contains(box))
            cost += outside;
        if (std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(box); }))
            cost += covered;
        if (isCrossedBy(others, box))
            cost += crossed;
        else if (isCrossedBy(others, box.adjusted(-near, -air, near, air)))
            cost += mistaken;
        if (cost < least)
            cost += passed * crossing(curves, box.adjusted(-style.gap, -air / 2, style.gap, air / 2));
        if (cost < least) {
            least = cost;
            best = box;
        }
        if (least < passed)
            break;  // all that follow are farther away
    }
    if (least >= covered && std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(best); }))
        return {};
    taken.push_back(best);
    return best;
}

/// Where a note of a curve stands: at its own point, or where that is on a vertical line or at the label of one, at the
/// nearest place along the curve where it is on none; nowhere: there is no such place.
std::optional<ChartNote> besideVerticals(const ChartNote& note, const ChartSpec& spec, const PlotStyle& style,
                                         const ChartLayout& layout, const std::vector<double>& verticals,
                                         const std::vector<QRectF>& markers)
{
    constexpr double step = 3;
    const auto isFree = [&](const ChartNote& at) {
        const double air = style.gap / 2;
        const QRectF box = textBoxOfNote(at, style, layout).adjusted(-air, 0, air, 0);
        return std::ranges::none_of(markers, [&](const QRectF& marker) { return marker.intersects(box); });
    };
    const auto stands = [&](const ChartNote& at) {
        const QRectF box = textBoxOfNote(at, style, layout).adjusted(-style.gap, 0, style.gap, 0);
        return layout.frame.contains(box) && isFree(at) &&
               std::ranges::none_of(verticals, [&](double x) { return x > box.left() && x < box.right(); });
    };
    const QPointF own = layout.place(note.x, note.y);
    if (verticals.empty() || !layout.frame.contains(own) || stands(note))
        return note;
    ChartNote best = note;
    double nearest = layout.frame.width();
    for (const ChartSeries& series : spec.series) {
        const std::vector<QPointF> points = placed(spec, series, style, layout);
        for (std::size_t i = 1; i < points.size(); ++i) {
            const QLineF piece(points[i - 1], points[i]);
            if (series.style != note.style || !isFinite(piece.p1()) || !isFinite(piece.p2()))
                continue;
            const double length = piece.length(),
                         middle =
                             length > 0 ? QPointF::dotProduct(own - piece.p1(), piece.p2() - piece.p1()) / length : 0,
                         reach = layout.frame.width() + layout.frame.height();  // no farther than the frame
            const double from = std::max(0.0, middle - reach), to = std::min(length, middle + reach);
            for (double along = from; along < to; along += step) {
                const QPointF at = piece.pointAt(along / length), value = layout.value(at);
                ChartNote moved = note;
                moved.x = value.x();
                moved.y = value.y();
                if (const double away = QLineF(own, at).length(); away < nearest && stands(moved)) {
                    nearest = away;
                    best = moved;
                }
            }
        }
    }
    return isFree(best) ? std::optional(best) : std::nullopt;
}

/// Of a line across the chart, where it lies in the frame.
std::optional<QLineF> lineOf(const ReferenceLine& line, const ChartLayout& layout)
{
    const QRectF& frame = layout.frame;
    const bool vertical = line.orientation == Qt::Vertical;
    const QPointF at =
        vertical ? layout.place(line.at, layout.yRange.first) : layout.place(layout.xRange.first, line.at);
    const QLineF drawn = vertical ? QLineF(at.x(), frame.top(), at.x(), frame.bottom())
                                  : QLineF(frame.left(), at.y(), frame.right(), at.y());
    return isFinite(at) && cut(drawn, frame.adjusted(-0.5, -0.5, 0.5, 0.5)) ? std::optional(drawn) : std::nullopt;
}

bool isMarker(const ReferenceLine& line)
{
    return line.strong && line.orientation == Qt::Vertical && !line.label.isEmpty();
}

std::vector<QLineF> othersThan(const QLineF& own, const ChartSpec& spec, const ChartLayout& layout)
{
    std::vector<QLineF> others;
    for (const ReferenceLine& other : spec.lines)
        if (const auto drawn = lineOf(other, layout); drawn && *drawn != own)
            others.push_back(*drawn);
    return others;
}

/// Returns where other words are: the markers' labels, the notes, and the legend.
std::vector<QRectF> paintReferences(QPainter& painter, const ChartSpec& spec, const PlotStyle& style,
                                    const ChartLayout& layout)
{
    std::vector<double> verticals;
    const std::vector<QRectF> markers = labelsOfMarkers(spec, style, layout);
    std::vector<QRectF> words = markers;
    words.push_back(legendInside(spec, style, layout));
    for (const ReferenceLine& line : spec.lines) {
        if (line.orientation == Qt::Vertical)
            verticals.push_back(layout.place(line.at, layout.yRange.first).x());
        QPen pen(style.quiet, style.thin, Qt::SolidLine, Qt::FlatCap);
        pen.setDashPattern(line.strong ? QList<qreal>{7, 3} : QList<qreal>{3, 2.5});
        painter.setPen(pen);
        if (const auto drawn = lineOf(line, layout))
            painter.drawLine(*drawn);
    }
    for (const ChartNote& note : spec.notes)
        if (!note.away) {
            const auto stands = besideVerticals(note, spec, style, layout, verticals, markers);
            if (!stands)
                continue;
            paintNote(painter, *stands, style, layout);
            words.push_back(textBoxOfNote(*stands, style, layout));
        }
    return words;
}

void paintLabel(QPainter& painter, const ReferenceLine& line, const Typeset& label, const QRectF& box, bool onPaper,
                float opacity, const PlotStyle& style)
{
    QColor paper = style.background;
    paper.setAlphaF(opacity);
    if (onPaper)
        painter.fillRect(box.adjusted(-style.gap / 4, 0, style.gap / 4, 0), paper);
    painter.setPen(line.strong ? style.ink : style.quiet);
    label.draw(painter, box.topLeft() + QPointF(0, label.ascent()));
}

/// Over the curves: where one passes all the same, there is paper about the letters. `taken`: by other words.
void paintLabelsOfLines(QPainter& painter, const ChartSpec& spec, const PlotStyle& style, const ChartLayout& layout,
                        std::vector<QRectF> taken)
{
    if (std::ranges::all_of(spec.lines, [](const ReferenceLine& line) { return line.label.isEmpty(); }))
        return;
    const auto curves = curvesOf(spec, style, layout);
    const std::vector<QRectF> markers = labelsOfMarkers(spec, style, layout);
    std::size_t marker = 0;
    for (const ReferenceLine& line : spec.lines) {
        const auto own = lineOf(line, layout);
        const Typeset label(line.label, style.font(style.small));
        if (!own || label.isEmpty())
            continue;
        if (isMarker(line)) {
            const QRectF& box = markers[marker++];
            paintLabel(painter, line, label, box, crossing(curves, box) > 0, 0.85F, style);
            continue;
        }
        const std::vector<QLineF> others = othersThan(*own, spec, layout);
        const QSizeF size(label.width(), label.height());
        const auto box =
            placeOfLabel(line.orientation == Qt::Vertical ? besideVertical(size, own->x1(), layout.frame, style)
                                                          : alongHorizontal(size, own->y1(), layout.frame, style),
                         layout.frame, style, curves, others, taken);
        if (!box)
            continue;
        const bool passed = crossing(curves, *box) > 0;
        paintLabel(painter, line, label, *box, passed || isCrossedBy(others, *box), passed ? 0.85F : 1.0F, style);
    }
}

void paintAbscissa(QPainter& painter, const ChartSpec& spec, const PlotStyle& style, const ChartLayout& layout)
{
    const QRectF& frame = layout.frame;
    if (spec.x.hidden)
        return;
    painter.setPen(QPen(style.ink, style.thin, Qt::SolidLine, Qt::FlatCap));
    const double half = style.thin / 2;
    painter.drawLine(QLineF(frame.left() - half, frame.bottom(), frame.right() + half, frame.bottom()));
    for (double at : layout.xTicks.minor)
        painter.drawLine(QLineF(layout.place(at, 1).x(), frame.bottom(), layout.place(at, 1).x(),
                                frame.bottom() + style.tick * 0.55));
    for (const Tick& tick : layout.xTicks.major) {
        const double x = layout.place(tick.at, 1).x();
        painter.drawLine(QLineF(x, frame.bottom(), x, frame.bottom() + style.tick));
        const Typeset label(tick.text, style.font(style.small));
        const double top = frame.bottom() + style.tick + style.gap * 0.6;
        if (layout.xTicks.upright)
            label.drawUpwards(painter, {x, top + label.width() / 2});
        else
            label.draw(painter, {x, top}, Qt::AlignHCenter | Qt::AlignTop);
    }
}

void paintOrdinate(QPainter& painter, const ChartSpec& spec, const PlotStyle& style, const ChartLayout& layout)
{
    const QRectF& frame = layout.frame;
    if (spec.y.hidden)
        return;
    painter.setPen(QPen(style.ink, style.thin, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(QLineF(frame.left(), frame.top(), frame.left(), frame.bottom()));
    const auto height = [&](double at) { return layout.place(layout.xRange.first, at).y(); };
    for (double at : layout.yTicks.minor)
        painter.drawLine(QLineF(frame.left() - style.tick * 0.55, height(at), frame.left(), height(at)));
    for (const Tick& tick : layout.yTicks.major) {
        painter.drawLine(QLineF(frame.left() - style.tick, height(tick.at), frame.left(), height(tick.at)));
        Typeset(tick.text, style.font(style.small))
            .draw(painter, {frame.left() - style.tick - style.gap * 0.6, height(tick.at)},
                  Qt::AlignRight | Qt::AlignVCenter);
    }
}

/// Beside the middle of the axis; a title longer than the axis is shortened, else reaches down, up where nothing else
/// stands there, and one longer than the chart is smaller.
void paintOrdinateTitle(QPainter& painter, const ChartSpec& spec, const PlotStyle& style, const ChartLayout& layout)
{
    const QRectF &frame = layout.frame, &outer = layout.outer;
    const double top = spec.letter.isEmpty() && spec.title.isEmpty() ? outer.top() : frame.top(),
                 bottom = outer.bottom();
    const QFont font = style.font(style.text);
    Typeset up(spec.y.title, font);
    if (up.isEmpty())
        return;
    if (up.width() > frame.height() && !spec.y.shortTitle.isEmpty())
        up = Typeset(spec.y.shortTitle, font);
    const double left = outer.left() + up.height() / 2 + style.gap * 0.25;
    if (up.width() > bottom - top) {
        QFont smaller = font;
        smaller.setPixelSize(std::max(1, static_cast<int>(font.pixelSize() * (bottom - top) / up.width())));
        up = Typeset(up.width() < Typeset(spec.y.title, font).width() ? spec.y.shortTitle : spec.y.title, smaller);
    }
    const double half = up.width() / 2, beside = std::max(frame.center().y(), frame.top() + half);
    up.drawUpwards(painter, {left, std::max(top + half, std::min(beside, bottom - half))});
}

void paintTitles(QPainter& painter, const ChartSpec& spec, const PlotStyle& style, const ChartLayout& layout)
{
    const QRectF &frame = layout.frame, &outer = layout.outer;
    painter.setPen(style.ink);
    const QFont text = style.font(style.text);
    const ChartTitle title = chartTitle(spec, style, layout);
    double line = outer.top() + style.gap * 0.4 +
                  std::max(0.76 * style.label, title.lines.empty() ? 0 : title.lines.front().ascent());
    Typeset(spec.letter, style.font(style.label, true)).draw(painter, {outer.left(), line});
    for (const Typeset& words : title.lines) {
        words.draw(painter, {title.left, line});
        line += title.step;
    }
    const Typeset across(spec.x.title, text);
    double below = frame.bottom() + (spec.x.hidden ? 0 : style.tick + style.gap * 0.6);
    if (!spec.x.hidden)
        below += heightBelow(layout.xTicks, style.font(style.small));
    if (!across.isEmpty()) {
        across.draw(painter, {frame.center().x(), below + style.gap * 0.8}, Qt::AlignHCenter | Qt::AlignTop);
        below += style.gap * 0.8 + across.height();
    }
    paintOrdinateTitle(painter, spec, style, layout);
    paintLegend(painter, spec, style, layout, below + style.gap);
}

}  // namespace

/// At the top, at the right of its line where the frame and the next line leave it room there, else at its left; a
/// line or two lower where curves pass both, and nowhere else: it is looked for at the top.
std::vector<QRectF> labelsOfMarkers(const ChartSpec& spec, const PlotStyle& style, const ChartLayout& layout)
{
    constexpr int upper = 6;  // of the places beside a vertical line
    if (std::ranges::none_of(spec.lines, isMarker))
        return {};
    const auto curves = curvesOf(spec, style, layout);
    std::vector<QRectF> labels, taken{legendInside(spec, style, layout)};
    for (const ReferenceLine& line : spec.lines) {
        const auto own = lineOf(line, layout);
        const Typeset label(line.label, style.font(style.small));
        if (!isMarker(line) || !own || label.isEmpty())
            continue;
        const QSizeF size(label.width(), label.height());
        std::vector<LabelPlace> places = besideVertical(size, own->x1(), layout.frame, style);
        places.resize(std::min(places.size(), std::size_t(upper)));
        const QRectF usual = places.front().box;
        labels.push_back(
            placeOfLabel(std::move(places), layout.frame, style, curves, othersThan(*own, spec, layout), taken)
                .value_or(usual));
    }
    return labels;
}

QPointF freePlace(const ChartNote& note, const ChartSpec& spec, const PlotStyle& style, const ChartLayout& layout)
{
    constexpr double crossed = 1, outside = 10, covered = 5, farther = 0.01;
    const auto curves = curvesOf(spec, style, layout);
    std::vector<QLineF> lines;
    for (const ReferenceLine& line : spec.lines)
        if (const auto drawn = lineOf(line, layout))
            lines.push_back(*drawn);
    std::vector<QRectF> words{legendInside(spec, style, layout)};
    for (const ChartNote& other : spec.notes)
        words.push_back(other.away ? boxOfNote(other, style, layout) : textBoxOfNote(other, style, layout));
    const QPointF own = note.away.value_or(QPointF(3, -2.5)), point = layout.place(note.x, note.y);
    const double wide = boxOfNote(note, style, layout).width() / 2 / style.text + 2, high = std::abs(own.y());
    std::vector<QPointF> places{own};
    for (const double right : {own.x(), -own.x(), 0.0})
        for (const double up : {own.y(), -own.y()})
            places.emplace_back(right, up);
    places.insert(places.end(),
                  {{wide, 0.0}, {-wide, 0.0}, {wide, -high}, {-wide, -high}, {wide, high}, {-wide, high}});
    QPointF best = own;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < places.size(); ++i) {
        ChartNote at = note;
        at.away = places[i];
        const QRectF box = boxOfNote(at, style, layout);
        const QPointF meant = point + places[i] * style.text;  // it is moved into the frame
        double cost = farther * static_cast<double>(i) + crossed * crossing(curves, box) +
                      crossed * static_cast<double>(std::ranges::count_if(
                                    lines, [&](const QLineF& line) { return cut(line, box).has_value(); }));
        if (QLineF(meant, box.center()).length() > 1 || box.contains(point))
            cost += outside;
        if (std::ranges::any_of(words, [&](const QRectF& other) { return other.intersects(box); }))
            cost += covered;
        if (cost < least) {
            least = cost;
            best = places[i];
        }
    }
    return best;
}

void paintChart(QPainter& painter, const ChartSpec& spec, const PlotStyle& style, const ChartLayout& layout)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    paintBehind(painter, spec, style, layout);
    std::vector<QRectF> words = paintReferences(painter, spec, style, layout);
    paintSeries(painter, spec, style, layout);
    paintLabelsOfLines(painter, spec, style, layout, std::move(words));
    paintAbscissa(painter, spec, style, layout);
    paintOrdinate(painter, spec, style, layout);
    for (const ChartNote& note : spec.notes)
        if (note.away)
            paintNote(painter, note, style, layout);
    paintTitles(painter, spec, style, layout);
    painter.restore();
}

}  // namespace attnscope
