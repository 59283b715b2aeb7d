#include "ui/plot/legend.h"

#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

using Shape = ChartSeries::Shape;

double sampleWidth(const PlotStyle& style) { return 1.9 * style.text; }
double rowHeight(const PlotStyle& style) { return 1.3 * style.text; }
constexpr double nameStep = 0.92;  // from a name at a line's end to the next, in rows

struct Item {
    const ChartSeries* series;
    const ChartSeries* partner;  ///< null: it has none
    Typeset label;
};

/// Of points the line, and of a line the points, that have its style and no name of their own.
const ChartSeries* partnerOf(const ChartSeries& series, const std::vector<ChartSeries>& all)
{
    const auto isPoints = [](const ChartSeries& one) { return one.shape == Shape::Points; };
    const auto isPartner = [&](const ChartSeries& other) {
        return other.label.isEmpty() && !other.ghost && other.style == series.style &&
               other.shape != Shape::LinePoints && other.shape != Shape::Bars && isPoints(other) != isPoints(series);
    };
    const auto found =
        series.style == ChartSeries::reference || series.shape == Shape::LinePoints || series.shape == Shape::Bars
            ? all.end()
            : std::ranges::find_if(all, isPartner);
    return found == all.end() ? nullptr : &*found;
}

QList<qreal> plainDash(int which)
{
    static const QList<QList<qreal>> patterns{
        {4, 2.5}, {1.2, 1.8}, {9, 2.5, 1.2, 2.5}, {9, 2.5}, {4, 1.8, 1.2, 1.8, 1.2, 1.8}};
    return patterns[(which - 1) % patterns.size()];
}

std::vector<Item> itemsOf(const std::vector<ChartSeries>& all, const PlotStyle& style)
{
    std::vector<Item> items;
    for (const ChartSeries& series : all)
        if (!series.label.isEmpty())
            items.push_back({&series, partnerOf(series, all), Typeset(series.label, style.font(style.small))});
    return items;
}

double widest(const std::vector<Item>& items)
{
    double width = 0;
    for (const Item& item : items)
        width = std::max(width, item.label.width());
    return width;
}

void paintItem(QPainter& painter, const Item& item, const PlotStyle& style, QPointF leftMiddle)
{
    for (const ChartSeries* each : {item.partner, item.series})
        if (each)
            paintSample(painter, *each, style, leftMiddle.x(), leftMiddle.y(), sampleWidth(style));
    painter.setPen(style.ink);
    item.label.draw(painter, leftMiddle + QPointF(sampleWidth(style) + style.gap, 0), Qt::AlignLeft | Qt::AlignVCenter);
}

/// The last point of a series that lies inside the frame.
std::optional<QPointF> endOf(const ChartSeries& series, const ChartLayout& layout)
{
    for (auto point = series.points.rbegin(); point != series.points.rend(); ++point) {
        const QPointF at = layout.place(point->x, point->y);
        if (std::isfinite(at.x()) && std::isfinite(at.y()) && layout.frame.adjusted(-1, -1, 1, 1).contains(at))
            return at;
    }
    return std::nullopt;
}

void paintAtLineEnds(QPainter& painter, const std::vector<Item>& items, const PlotStyle& style,
                     const ChartLayout& layout)
{
    std::vector<QPointF> ends;
    std::vector<double> heights;
    for (const Item& item : items) {
        ends.push_back(endOf(*item.series, layout).value_or(layout.frame.bottomRight()));
        heights.push_back(ends.back().y());
    }
    const double low = layout.outer.top() + rowHeight(style) / 2;
    const std::vector<double> placed = spreadApart(heights, rowHeight(style) * nameStep, low,
                                                   std::max(low, layout.outer.bottom() - rowHeight(style) / 2));
    const double start = layout.frame.right() + 2.2 * style.gap;
    for (size_t i = 0; i < items.size(); ++i) {
        painter.setPen(QPen(style.quiet, style.thin, Qt::SolidLine, Qt::FlatCap));
        if (std::abs(placed[i] - ends[i].y()) > 0.1 * rowHeight(style))  // else nothing is between them
            painter.drawLine(QLineF(ends[i].x() + style.gap * 0.3, ends[i].y(), start - style.gap * 0.3, placed[i]));
        paintItem(painter, items[i], style, {start, placed[i]});
    }
}

/// As many as have room; the last line says how many there are besides.
void paintAtRight(QPainter& painter, const std::vector<Item>& items, const PlotStyle& style, const ChartLayout& layout)
{
    const auto fit = static_cast<size_t>(
        std::max(1.0, std::floor((layout.outer.bottom() - layout.frame.top()) / rowHeight(style) + 1e-6)));
    const size_t shown = items.size() <= fit ? items.size() : fit - 1;
    const auto middle = [&](size_t row) {
        return QPointF(layout.frame.right() + 2 * style.gap,
                       layout.frame.top() + rowHeight(style) * (static_cast<double>(row) + 0.5));
    };
    for (size_t i = 0; i < shown; ++i)
        paintItem(painter, items[i], style, middle(i));
    if (shown == items.size())
        return;
    painter.setPen(style.quiet);
    Typeset(u"and %1 more"_s.arg(items.size() - shown), style.font(style.small))
        .draw(painter, middle(shown) + QPointF(sampleWidth(style) + style.gap, 0), Qt::AlignLeft | Qt::AlignVCenter);
}

void paintInside(QPainter& painter, const ChartSpec& spec, const std::vector<Item>& items, const PlotStyle& style,
                 const ChartLayout& layout)
{
    const double pad = style.gap;
    const QRectF box = legendInside(spec, style, layout);
    QColor paper = style.background;
    paper.setAlphaF(0.82F);
    painter.fillRect(box, paper);
    for (size_t i = 0; i < items.size(); ++i)
        paintItem(painter, items[i], style,
                  {box.left() + pad, box.top() + pad / 2 + rowHeight(style) * (static_cast<double>(i) + 0.5)});
}

}  // namespace

/// As near to the ground as leaves this contrast to it.
static QColor blended(const QColor& colour, const QColor& ground, double least)
{
    constexpr int steps = 20;
    const auto mixed = [&](int part) {
        const auto channel = [&](int of, int below) { return below + (of - below) * part / steps; };
        return QColor(channel(colour.red(), ground.red()), channel(colour.green(), ground.green()),
                      channel(colour.blue(), ground.blue()));
    };
    int part = 1;
    while (part < steps && contrast(mixed(part), ground) < least)
        ++part;
    return mixed(part);
}

SeriesLook lookOf(const ChartSeries& series, const PlotStyle& style)
{
    SeriesLook look;
    MethodStyle method = methodStyle(series.style, style);
    const bool reference = series.style == ChartSeries::reference;
    if (reference)
        method = {style.quiet, {}, Marker::Circle};
    if (series.colour)
        method.colour = *series.colour;
    if (series.solid)
        method.dash.clear();
    if (series.dashes > 0)
        method.dash = plainDash(series.dashes);
    double opacity = series.opacity;
    look.emphasis = series.emphasis;
    if (series.behind) {  // no colour of a method, so that those that stand out are told apart
        constexpr double thin = 0.6;
        method.colour = blended(style.quiet, style.background, 3.2);
        method.dash.clear();
        look.emphasis *= thin;
    }
    if (opacity < 1)
        method.colour.setAlphaF(static_cast<float>(opacity));
    look.colour = method.colour;
    look.pen = methodPen(method, (reference ? style.thin : style.line) * look.emphasis);
    if (series.shape == Shape::Points || (series.shape == Shape::LinePoints && !series.behind))
        look.marker = static_cast<int>(method.marker);
    return look;
}

void paintSample(QPainter& painter, const ChartSeries& series, const PlotStyle& style, double x, double y, double width)
{
    const SeriesLook look = lookOf(series, style);
    if (series.shape == Shape::Bars) {
        painter.fillRect(QRectF(x + width * 0.25, y - style.text * 0.35, width * 0.5, style.text * 0.7), look.colour);
        return;
    }
    if (series.band && !series.behind) {
        QColor fill = look.colour;
        fill.setAlphaF(0.18F);
        painter.fillRect(QRectF(x, y - style.text * 0.3, width, style.text * 0.6), fill);
    }
    painter.setPen(look.pen);
    if (series.shape != Shape::Points)
        painter.drawLine(QLineF(x, y, x + width, y));
    if (look.marker >= 0) {
        painter.setPen(QPen(look.colour, style.thin));
        drawMarker(painter, static_cast<Marker>(look.marker), {x + width / 2, y}, style.marker,
                   series.open ? QColor(Qt::transparent) : look.colour);
    }
}

std::vector<double> spreadApart(std::vector<double> centres, double apart, double low, double high)
{
    // Neighbours that collide form a block about their mean; blocks that collide merge (pool-adjacent-violators).
    struct Block {
        double sum;
        int count;
        double start(double step) const { return sum / count - step * (count - 1) / 2; }
    };
    std::vector<size_t> order(centres.size());
    for (size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return centres[a] < centres[b]; });
    const double step =
        centres.size() > 1 ? std::min(apart, (high - low) / static_cast<double>(centres.size() - 1)) : apart;
    const auto bounded = [&](const Block& block) {
        return std::clamp(block.start(step), low, std::max(low, high - step * (block.count - 1)));
    };
    std::vector<Block> blocks;
    for (size_t i : order) {
        blocks.push_back({centres[i], 1});
        while (blocks.size() > 1) {
            const Block last = blocks.back(), before = blocks[blocks.size() - 2];
            if (bounded(before) + step * before.count <= bounded(last) + 1e-9)
                break;
            blocks.pop_back();
            blocks.back() = {before.sum + last.sum, before.count + last.count};
        }
    }
    size_t next = 0;
    for (const Block& block : blocks)
        for (int k = 0; k < block.count; ++k)
            centres[order[next++]] = bounded(block) + step * k;
    return centres;
}

namespace {

double widthOf(const Item& item, const PlotStyle& style) { return sampleWidth(style) + style.gap + item.label.width(); }

double apart(const PlotStyle& style) { return 3 * style.gap; }

/// Side by side, in rows of at most `width`.
std::vector<QRectF> inRows(const std::vector<Item>& items, const PlotStyle& style, double width)
{
    std::vector<QRectF> places;
    double x = 0, y = 0;
    for (const Item& item : items) {
        const double needed = widthOf(item, style);
        if (x > 0 && x + needed > width) {
            x = 0;
            y += rowHeight(style);
        }
        places.emplace_back(x, y, needed, rowHeight(style));
        x += needed + apart(style);
    }
    return places;
}

/// As many columns as the longest name leaves; where few are much longer than the others, each of these takes several.
int columnsOf(const std::vector<Item>& items, const PlotStyle& style, double width)
{
    constexpr double muchLonger = 1.5;
    std::vector<double> widths;
    for (const Item& item : items)
        widths.push_back(widthOf(item, style));
    std::ranges::sort(widths);
    const double most = widths[(widths.size() - 1) * 3 / 4];
    const double column = widths.back() > muchLonger * most ? most : widths.back();
    return std::max(1, static_cast<int>((width + apart(style)) / (column + apart(style))));
}

/// Columns of equal width, unless one row has room for all.
std::vector<QRectF> inColumns(const std::vector<Item>& items, const PlotStyle& style, double width)
{
    std::vector<QRectF> places = inRows(items, style, width);
    if (places.empty() || places.back().top() == 0)
        return places;
    const int columns = columnsOf(items, style, width);
    const double step = (width + apart(style)) / columns;
    int column = 0, row = 0;
    for (size_t i = 0; i < items.size(); ++i) {
        const double needed = widthOf(items[i], style);
        const int taken = std::clamp(static_cast<int>(std::ceil((needed + apart(style)) / step - 1e-9)), 1, columns);
        if (column + taken > columns) {
            column = 0;
            ++row;
        }
        places[i] = {column * step, row * rowHeight(style), needed, rowHeight(style)};
        column += taken;
    }
    return places;
}

std::vector<QRectF> placesOf(const std::vector<Item>& items, const PlotStyle& style, double width, LegendFlow flow)
{
    return flow == LegendFlow::Columns ? inColumns(items, style, width) : inRows(items, style, width);
}

}  // namespace

double flowLegend(QPainter* painter, const std::vector<ChartSeries>& series, const PlotStyle& style, QPointF topLeft,
                  double width, LegendFlow flow)
{
    const std::vector<Item> items = itemsOf(series, style);
    const std::vector<QRectF> places = placesOf(items, style, width, flow);
    for (size_t i = 0; painter && i < items.size(); ++i)
        paintItem(*painter, items[i], style, topLeft + QPointF(places[i].left(), places[i].center().y()));
    return places.empty() ? 0 : places.back().bottom();
}

std::vector<QRectF> legendPlaces(const std::vector<ChartSeries>& series, const PlotStyle& style, double width,
                                 LegendFlow flow)
{
    return placesOf(itemsOf(series, style), style, width, flow);
}

int flowLegendAt(const std::vector<ChartSeries>& series, const PlotStyle& style, double width, QPointF at,
                 LegendFlow flow)
{
    const std::vector<Item> items = itemsOf(series, style);
    const std::vector<QRectF> places = placesOf(items, style, width, flow);
    const auto found = std::ranges::find_if(places, [at](const QRectF& place) { return place.contains(at); });
    return found == places.end()
               ? -1
               : static_cast<int>(items[static_cast<size_t>(found - places.begin())].series - series.data());
}

bool endsHaveRoom(const ChartSpec& spec, const PlotStyle& style, QSizeF chart)
{
    constexpr double share = 1.0 / 3;
    const std::vector<Item> items = itemsOf(spec.series, style);
    ChartSpec named = spec;
    named.legend = Legend::AtLineEnds;
    return !items.empty() && legendSpace(named, style, 0).width() <= share * chart.width() &&
           rowHeight(style) * nameStep * static_cast<double>(items.size()) <= chart.height();
}

QSizeF legendSpace(const ChartSpec& spec, const PlotStyle& style, double frameWidth)
{
    const std::vector<Item> items = itemsOf(spec.series, style);
    if (items.empty())
        return {0, 0};
    switch (spec.legend) {
    case Legend::Right:
    case Legend::AtLineEnds:
        return {3 * style.gap + sampleWidth(style) + widest(items), 0};
    case Legend::Below:
        return {0, style.gap + flowLegend(nullptr, spec.series, style, {}, frameWidth)};
    default:
        return {0, 0};
    }
}

QRectF legendInside(const ChartSpec& spec, const PlotStyle& style, const ChartLayout& layout)
{
    const std::vector<Item> items = itemsOf(spec.series, style);
    if (items.empty() || spec.legend < Legend::TopLeft || spec.legend > Legend::BottomRight)
        return {};
    const double pad = style.gap;
    const QSizeF size(sampleWidth(style) + style.gap + widest(items) + 2 * pad,
                      rowHeight(style) * static_cast<double>(items.size()) + pad);
    QRectF box(layout.frame.topLeft() + QPointF(pad, 0), size);
    if (spec.legend == Legend::TopRight || spec.legend == Legend::BottomRight)
        box.moveRight(layout.frame.right());
    if (spec.legend == Legend::BottomLeft || spec.legend == Legend::BottomRight)
        box.moveBottom(layout.frame.bottom() - pad);
    return box;
}

std::optional<Legend> freeCorner(ChartSpec spec, const PlotStyle& style, const QRectF& outer)
{
    for (const Legend corner : {Legend::TopRight, Legend::TopLeft, Legend::BottomRight, Legend::BottomLeft}) {
        spec.legend = corner;
        const ChartLayout layout = layoutChart(spec, style, outer);
        const QRectF box = legendInside(spec, style, layout);
        const ChartPlaces place(layout);
        const bool hides = std::ranges::any_of(spec.series, [&](const ChartSeries& series) {
            return std::ranges::any_of(series.points,
                                       [&](const ChartPoint& point) { return box.contains(place(point.x, point.y)); });
        });
        if (!hides && layout.frame.contains(box))
            return corner;
    }
    return std::nullopt;
}

void paintLegend(QPainter& painter, const ChartSpec& spec, const PlotStyle& style, const ChartLayout& layout,
                 double belowFrame)
{
    const std::vector<Item> items = itemsOf(spec.series, style);
    if (items.empty())
        return;
    switch (spec.legend) {
    case Legend::None:
        break;
    case Legend::AtLineEnds:
        paintAtLineEnds(painter, items, style, layout);
        break;
    case Legend::Below:
        flowLegend(&painter, spec.series, style, {layout.frame.left(), belowFrame}, layout.frame.width());
        break;
    case Legend::Right:
        paintAtRight(painter, items, style, layout);
        break;
    default:
        paintInside(painter, spec, items, style, layout);
    }
}

}  // namespace attnscope
