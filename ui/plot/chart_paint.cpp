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

std::vector<QPointF> placed(const ChartSeries& series, const ChartLayout& layout)
{
    std::vector<QPointF> points;
    points.reserve(series.points.size());
    const ChartPlaces place(layout);
    for (const ChartPoint& point : series.points) {
        const QPointF at = place(point.x, point.y);
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

void paintPoints(QPainter& painter, const ChartSeries& series, const PlotStyle& style, const ChartLayout& layout)
{
    const SeriesLook look = lookOf(series, style);
    const QRectF frame = layout.frame.adjusted(-0.5, -0.5, 0.5, 0.5);
    const ChartPlaces place(layout);
    painter.setPen(QPen(look.colour, style.thin, Qt::SolidLine, Qt::FlatCap));
    for (const ChartPoint& point : series.points) {
        const QPointF at = place(point.x, point.y);
        if (!isFinite(at) || !frame.contains(at))
            continue;
        if (!series.band && std::isfinite(point.low) && std::isfinite(point.high)) {
            QPointF low = place(point.x, point.low);
            if (!std::isfinite(low.y()))
                low.setY(layout.frame.bottom());  // a log axis goes down without end
            if (const auto bar = cut(QLineF(low, place(point.x, point.high)), layout.frame))
                painter.drawLine(*bar);
        }
        drawMarker(painter, static_cast<Marker>(look.marker), at,
                   style.marker * (series.emphasis < 1 ? series.emphasis : 1),
                   series.open ? QColor(Qt::transparent) : look.colour);
    }
}

void paintSeries(QPainter& painter, const ChartSpec& spec, const PlotStyle& style, const ChartLayout& layout)
{
    const std::ptrdiff_t bands = std::ranges::count_if(spec.series, &ChartSeries::band);
    for (const ChartSeries& series : spec.series)
        if (series.band)
            paintBand(painter, series, style, layout, bands);
    for (const ChartSeries& series : spec.series) {
        if (series.shape == Shape::Bars) {
            paintBars(painter, spec, series, style, layout);
            continue;
        }
        if (series.shape != Shape::Points) {
            painter.setPen(lookOf(series, style).pen);
            painter.setBrush(Qt::NoBrush);
            for (const QPolygonF& piece : piecesOf(placed(series, layout), layout.frame, style.print ? 2.0 : 0.5))
                painter.drawPolyline(style.print ? piece : withoutStraight(piece, 0.1));
        }
        if (series.shape == Shape::Points || series.shape == Shape::LinePoints)
            paintPoints(painter, series, style, layout);
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

struct LabelPlace {
    QPointF anchor;
    Qt::Alignment alignment;
};

/// Of all curves, between one point and the next; a point that is alone is as wide as its marker.
std::vector<QLineF> piecesOfCurves(const ChartSpec& spec, const PlotStyle& style, const ChartLayout& layout)
{
    const QPointF half(style.marker / 2, 0);
    std::vector<QLineF> pieces;
    for (const ChartSeries& series : spec.series) {
        const std::vector<QPointF> points = placed(series, layout);
        for (std::size_t i = 1; i < points.size(); ++i)
            if (isFinite(points[i - 1]) && isFinite(points[i]))
                pieces.emplace_back(points[i - 1], points[i]);
        if (points.size() == 1 && isFinite(points.front()))
            pieces.emplace_back(points.front() - half, points.front() + half);
    }
    return pieces;
}

std::ptrdiff_t crossing(const std::vector<QLineF>& pieces, const QRectF& box)
{
    return std::ranges::count_if(pieces, [&](const QLineF& piece) { return cut(piece, box).has_value(); });
}

/// Of the label of a vertical line: at its right, else at its left, else the same one line lower or at the bottom,
/// wherever it is inside the frame and crosses neither another vertical line nor a label before it, and the first of
/// those that the fewest curves pass; where there is no such place, the first that is on no label, over the line that
/// it crosses. `taken` gains its box.
LabelPlace placeOfLabel(QSizeF size, double x, const QRectF& frame, const PlotStyle& style,
                        const std::vector<double>& verticals, const std::vector<QLineF>& pieces,
                        std::vector<QRectF>& taken)
{
    const double off = style.gap * 0.7;
    LabelPlace first{}, over{};
    std::optional<QRectF> best, boxOver;
    std::ptrdiff_t fewest = 0;
    for (const double drop :
         {0.0, 1.15 * size.height(), 2.3 * size.height(), frame.height() - size.height() - style.gap})
        for (const bool left : {false, true}) {
            const QRectF box(left ? x - off - size.width() : x + off, frame.top() + style.gap / 2 + drop, size.width(),
                             size.height());
            const LabelPlace place{{left ? box.right() : box.left(), box.top()},
                                   (left ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop};
            const bool inside = box.left() >= frame.left() && box.right() <= frame.right();
            if (inside && first.alignment == Qt::Alignment())
                first = place;
            const bool crossed = std::any_of(verticals.begin(), verticals.end(),
                                             [&](double other) { return other > box.left() && other < box.right(); });
            const bool covered =
                std::any_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(box); });
            if (inside && !covered && !boxOver) {
                boxOver = box;
                over = place;
            }
            if (!inside || crossed || covered)
                continue;
            const std::ptrdiff_t passing = crossing(pieces, box);
            if (best && passing >= fewest)
                continue;
            best = box;
            fewest = passing;
            first = place;
        }
    if (best || boxOver)
        taken.push_back(best ? *best : *boxOver);
    return best || !boxOver ? first : over;
}

/// Of the label of a horizontal line: above or below it at its right, else at its left, wherever no label before it
/// stands and the fewest pieces of the curves pass. `taken` gains its box.
LabelPlace placeOnHorizontal(QSizeF size, double y, const QRectF& frame, const PlotStyle& style,
                             const std::vector<QLineF>& pieces, std::vector<QRectF>& taken)
{
    const double off = style.gap / 2;
    LabelPlace best{};
    QRectF chosen;
    std::ptrdiff_t fewest = -1;
    for (const Qt::AlignmentFlag side : {Qt::AlignRight, Qt::AlignLeft})
        for (const Qt::AlignmentFlag above : {Qt::AlignBottom, Qt::AlignTop}) {
            QRectF box({}, size);
            box.moveLeft(side == Qt::AlignRight ? frame.right() - off - size.width() : frame.left() + off);
            box.moveTop(above == Qt::AlignBottom ? y - off - size.height() : y + off);
            const std::ptrdiff_t covered = crossing(pieces, box.adjusted(-off, -off, off, off));
            const bool stands = std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(box); });
            if (stands || !frame.contains(box) || (fewest >= 0 && covered >= fewest))
                continue;
            fewest = covered;
            chosen = box;
            best = {{side == Qt::AlignRight ? box.right() : box.left(),
                     above == Qt::AlignBottom ? box.bottom() : box.top()},
                    side | above};
        }
    if (fewest >= 0)
        taken.push_back(chosen);
    return fewest >= 0 ? best : LabelPlace{{frame.right() - off, y - off}, Qt::AlignRight | Qt::AlignBottom};
}

/// Where a note of a curve stands: at its own point, or where that is on a vertical line, at the nearest place along
/// the curve where it is on none.
ChartNote besideVerticals(const ChartNote& note, const ChartSpec& spec, const PlotStyle& style,
                          const ChartLayout& layout, const std::vector<double>& verticals)
{
    constexpr double step = 3;
    const auto stands = [&](const ChartNote& at) {
        const QRectF box = textBoxOfNote(at, style, layout).adjusted(-style.gap / 2, 0, style.gap / 2, 0);
        return layout.frame.contains(box) &&
               std::ranges::none_of(verticals, [&](double x) { return x > box.left() && x < box.right(); });
    };
    const QPointF own = layout.place(note.x, note.y);
    if (verticals.empty() || !layout.frame.contains(own) || stands(note))
        return note;
    ChartNote best = note;
    double nearest = layout.frame.width();
    for (const ChartSeries& series : spec.series) {
        const std::vector<QPointF> points = placed(series, layout);
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
    return best;
}

void paintReferences(QPainter& painter, const ChartSpec& spec, const PlotStyle& style, const ChartLayout& layout)
{
    const QRectF& frame = layout.frame;
    std::vector<double> verticals;
    for (const ReferenceLine& line : spec.lines)
        if (line.orientation == Qt::Vertical)
            verticals.push_back(layout.place(line.at, layout.yRange.first).x());
    const std::vector<QLineF> pieces = spec.lines.empty() ? std::vector<QLineF>() : piecesOfCurves(spec, style, layout);
    std::vector<QLineF> crossed = pieces;  // and by the lines that stand up
    for (const double x : verticals)
        crossed.emplace_back(x, frame.top(), x, frame.bottom());
    struct Label {
        Typeset text;
        LabelPlace place;
        QPen pen;
    };
    std::vector<Label> labels;
    std::vector<QRectF> taken;
    for (const ReferenceLine& line : spec.lines) {
        const bool vertical = line.orientation == Qt::Vertical;
        const QPointF at =
            vertical ? layout.place(line.at, layout.yRange.first) : layout.place(layout.xRange.first, line.at);
        const QLineF drawn = vertical ? QLineF(at.x(), frame.top(), at.x(), frame.bottom())
                                      : QLineF(frame.left(), at.y(), frame.right(), at.y());
        if (!isFinite(at) || !cut(drawn, frame.adjusted(-0.5, -0.5, 0.5, 0.5)))
            continue;
        QPen pen(line.strong ? style.ink : style.quiet, style.thin, Qt::SolidLine, Qt::FlatCap);
        if (!line.strong)
            pen.setDashPattern({3, 2.5});
        painter.setPen(pen);
        painter.drawLine(drawn);
        const Typeset label(line.label, style.font(style.small));
        const QSizeF size(label.width(), label.height());
        labels.push_back({label,
                          vertical ? placeOfLabel(size, at.x(), frame, style, verticals, pieces, taken)
                                   : placeOnHorizontal(size, at.y(), frame, style, crossed, taken),
                          line.strong ? style.ink : style.quiet});
    }
    for (const Label& label : labels) {
        QRectF box({}, QSizeF(label.text.width(), label.text.height()));
        box.moveLeft(label.place.alignment & Qt::AlignRight ? label.place.anchor.x() - box.width()
                                                            : label.place.anchor.x());
        box.moveTop(label.place.alignment & Qt::AlignBottom ? label.place.anchor.y() - box.height()
                                                            : label.place.anchor.y());
        if (std::ranges::any_of(verticals, [&](double x) { return x > box.left() && x < box.right(); }))
            painter.fillRect(box.adjusted(-style.gap / 4, 0, style.gap / 4, 0), style.background);
        painter.setPen(label.pen);
        label.text.draw(painter, label.place.anchor, label.place.alignment);
    }
    for (const ChartNote& note : spec.notes)
        if (!note.away)
            paintNote(painter, besideVerticals(note, spec, style, layout, verticals), style, layout);
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

void paintChart(QPainter& painter, const ChartSpec& spec, const PlotStyle& style, const ChartLayout& layout)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    paintBehind(painter, spec, style, layout);
    paintReferences(painter, spec, style, layout);
    paintSeries(painter, spec, style, layout);
    paintAbscissa(painter, spec, style, layout);
    paintOrdinate(painter, spec, style, layout);
    for (const ChartNote& note : spec.notes)
        if (note.away)
            paintNote(painter, note, style, layout);
    paintTitles(painter, spec, style, layout);
    painter.restore();
}

}  // namespace attnscope
