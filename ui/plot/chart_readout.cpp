#include "ui/plot/chart_readout.h"

#include "core/base/choice.h"
#include "core/base/measured_text.h"
#include "ui/plot/legend.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/plot/typeset.h"

#include <QLineF>
#include <QObject>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace attnscope {

namespace {

bool isShown(const ChartPoint& point, const ChartLayout& layout)
{
    return std::isfinite(point.y) && (!layout.yLog || point.y > 0) && (!layout.xLog || point.x > 0);
}

bool isCurve(const ChartSeries& series)
{
    return series.shape == ChartSeries::Shape::Line || series.shape == ChartSeries::Shape::LinePoints;
}

/// Linear in pixels: what the eye reads off the curve.
std::optional<double> along(const ChartSeries& series, const ChartLayout& layout, double x)
{
    for (std::size_t i = 1; i < series.points.size(); ++i) {
        const ChartPoint &a = series.points[i - 1], &b = series.points[i];
        if (!isShown(a, layout) || !isShown(b, layout) || std::min(a.x, b.x) > x || std::max(a.x, b.x) < x ||
            a.x == b.x)
            continue;
        const QPointF from = layout.place(a.x, a.y), to = layout.place(b.x, b.y);
        const double at = layout.place(x, a.y).x();
        return layout.value({at, from.y() + (to.y() - from.y()) * (at - from.x()) / (to.x() - from.x())}).y();
    }
    return {};
}

std::optional<ChartReadout::Value> valueOf(const ChartSpec& spec, const ChartLayout& layout, int index, double x)
{
    const ChartSeries& series = spec.series[static_cast<std::size_t>(index)];
    for (const ChartPoint& point : series.points)
        if (point.x == x && isShown(point, layout))
            return ChartReadout::Value{index, point.y, false};
    if (spec.trials || (series.shape != ChartSeries::Shape::Points && !isCurve(series)))
        return {};
    const auto y = along(series, layout, x);
    return y ? std::optional(ChartReadout::Value{index, *y, true}) : std::nullopt;
}

std::optional<ChartReadout::Line> lineOf(const ChartSpec& spec, const ChartLayout& layout, int labelled, double x)
{
    const ChartSeries& named = spec.series[static_cast<std::size_t>(labelled)];
    ChartReadout::Line line{labelled, {}, {}};
    for (int i = 0; i < static_cast<int>(spec.series.size()); ++i) {
        const ChartSeries& series = spec.series[static_cast<std::size_t>(i)];
        if (i != labelled &&
            (series.ghost || !series.label.isEmpty() || series.style != named.style || series.style < 0))
            continue;
        auto& value = series.shape == ChartSeries::Shape::Points ? line.points : line.curve;
        if (!value || value->between)  // a point of its own comes before what is interpolated
            if (const auto found = valueOf(spec, layout, i, x); found && (!value || !found->between))
                value = found;
    }
    return line.curve || line.points ? std::optional(line) : std::nullopt;
}

/// That one alone, of however many at its abscissa.
ChartReadout nearestTrial(const ChartSpec& spec, const ChartLayout& layout, QPointF position)
{
    ChartReadout readout;
    readout.x = layout.value(position).x();
    readout.y = layout.value(position).y();
    double least = INFINITY;
    for (int i = 0; i < static_cast<int>(spec.series.size()); ++i) {
        const ChartSeries& series = spec.series[static_cast<std::size_t>(i)];
        const auto named = series.label.isEmpty()
                               ? std::ranges::find_if(spec.series,
                                                      [&](const ChartSeries& other) {
                                                          return !other.label.isEmpty() && other.style == series.style;
                                                      })
                               : spec.series.begin() + i;
        for (const ChartPoint& point : series.points) {
            const QPointF place = layout.place(point.x, point.y);
            const double away = QLineF(place, position).length();
            if (series.ghost || named == spec.series.end() || !isShown(point, layout) || away >= least ||
                !layout.frame.adjusted(-1, -1, 1, 1).contains(place))
                continue;
            least = away;
            readout.x = point.x;
            ChartReadout::Line line{static_cast<int>(named - spec.series.begin()), {}, {}};
            (series.shape == ChartSeries::Shape::Points ? line.points : line.curve) = {i, point.y, false};
            readout.lines = {line};
        }
    }
    return readout;
}

}  // namespace

ChartReadout readoutAt(const ChartSpec& spec, const ChartLayout& layout, QPointF position, double reach)
{
    ChartReadout readout;
    const bool whole = spec.x.tickText == TickText::Lengths;
    readout.x = layout.value(position).x();
    if (whole)
        readout.x = std::max(1.0, std::round(readout.x));
    if (spec.trials)
        return nearestTrial(spec, layout, position);
    double nearest = reach;
    const auto offer = [&](double x) {
        if (const double away = std::abs(layout.place(x, layout.yRange.first).x() - position.x());
            away < nearest && !(whole && x != std::round(x))) {
            nearest = away;
            readout.x = x;
        }
    };
    for (const ChartSeries& series : spec.series)
        for (const ChartPoint& point : series.points)
            if (isShown(point, layout))
                offer(point.x);
    for (const Tick& tick : layout.xTicks.major)
        offer(tick.at);
    for (const ReferenceLine& line : spec.lines)
        if (line.orientation == Qt::Vertical)
            offer(line.at);
    ChartReadout there = readoutOf(spec, layout, readout.x);
    there.y = layout.value(position).y();
    return there;
}

ChartReadout readoutOf(const ChartSpec& spec, const ChartLayout& layout, double x)
{
    ChartReadout readout;
    readout.x = x;
    for (std::size_t i = 0; i < spec.series.size(); ++i)
        if (!spec.series[i].label.isEmpty() && !spec.series[i].ghost)
            if (const auto line = lineOf(spec, layout, static_cast<int>(i), x))
                readout.lines.push_back(*line);
    return readout;
}

ChartReadout readoutSince(ChartReadout here, const ChartReadout& there)
{
    here.since = there.x;
    for (ChartReadout::Line& line : here.lines) {
        const auto before = std::ranges::find(there.lines, line.named, &ChartReadout::Line::named);
        line.change.reset();
        if (before == there.lines.end())
            continue;
        if (line.points && before->points)
            line.change = line.points->y - before->points->y;
        else if (line.curve && before->curve)
            line.change = line.curve->y - before->curve->y;
    }
    return here;
}

ChartReadout nearestLines(ChartReadout readout, const ChartLayout& layout, std::size_t most)
{
    if (readout.lines.size() <= most)
        return readout;
    const auto heightOf = [&](double y) { return layout.place(readout.x, y).y(); };
    const double here = readout.y ? heightOf(*readout.y) : layout.frame.top();
    const auto away = [&](const ChartReadout::Line& line) { return std::abs(heightOf(line.value().y) - here); };
    std::ranges::stable_sort(readout.lines, std::less(), away);
    readout.lines.resize(most);
    std::ranges::sort(readout.lines, std::less(), &ChartReadout::Line::named);
    return readout;
}

int linesFurther(const ChartSpec& spec, const ChartReadout& whole, const ChartReadout& near)
{
    const auto methods = [&](const ChartReadout& readout) {
        return std::ranges::count_if(readout.lines, [&](const ChartReadout::Line& line) {
            return spec.series[static_cast<std::size_t>(line.named)].style >= 0;
        });
    };
    return static_cast<int>(methods(whole) - methods(near));
}

bool ChartReadout::hasBoth() const
{
    return std::ranges::any_of(lines, [](const Line& line) { return line.curve && line.points; });
}

int linesOutside(const ChartSpec& spec, const ChartLayout& layout)
{
    const QRectF frame = layout.frame.adjusted(-1, -1, 1, 1);  // on its edge is within
    const QLineF edges[] = {{frame.topLeft(), frame.topRight()},
                            {frame.topRight(), frame.bottomRight()},
                            {frame.bottomRight(), frame.bottomLeft()},
                            {frame.bottomLeft(), frame.topLeft()}};
    const auto crosses = [&](const QLineF& stretch) {
        return std::ranges::any_of(edges, [&](const QLineF& edge) {
            return stretch.intersects(edge, nullptr) == QLineF::BoundedIntersection;
        });
    };
    std::set<int> all, within;
    for (const ChartSeries& series : spec.series) {
        if (series.style < 0 || series.ghost)
            continue;
        const bool joined = series.shape != ChartSeries::Shape::Points && series.shape != ChartSeries::Shape::Bars;
        std::optional<QPointF> before;
        for (const ChartPoint& point : series.points) {
            if (!isShown(point, layout)) {
                before.reset();
                continue;
            }
            all.insert(series.style);
            const QPointF place = layout.place(point.x, point.y);
            if (frame.contains(place) || (joined && before && crosses({*before, place})))
                within.insert(series.style);
            before = place;
        }
    }
    return static_cast<int>(all.size() - within.size());
}

/// Its bar or band says how many of its digits tell something.
static ColumnNumber asNumber(const ChartSpec& spec, const ChartReadout& readout, const ChartReadout::Value& value)
{
    const auto& points = spec.series[static_cast<std::size_t>(value.series)].points;
    const auto point = std::ranges::find(points, readout.x, &ChartPoint::x);
    const double error = point == points.end() ? NAN : std::max(point->high - point->y, point->y - point->low) / 2;
    return {value.y, std::isfinite(error) ? error : 0};
}

QString readoutNumber(const ChartSpec& spec, const ChartReadout& readout, const ChartReadout::Value& value)
{
    std::vector<ColumnNumber> column;
    for (const ChartReadout::Line& line : readout.lines)
        for (const auto& one : {line.curve, line.points})
            if (one && spec.series[static_cast<std::size_t>(one->series)].style >= 0)
                column.push_back(asNumber(spec, readout, *one));
    if (column.empty())  // of reference lines alone
        return printed(inThousands(formatNumber(value.y, 4)));
    return printed(inThousands(formatInColumn(asNumber(spec, readout, value), decimalsOfColumn(column))));
}

QString changeText(const ChartReadout& readout, double change)
{
    std::vector<ColumnNumber> column;
    for (const ChartReadout::Line& line : readout.lines)
        if (line.change)
            column.push_back({*line.change, 0});
    return (change > 0 ? u"+"_s : QString()) +
           printed(inThousands(formatInColumn({change, 0}, decimalsOfColumn(column))));
}

QString readoutText(const ChartSpec& spec, const ChartReadout& readout)
{
    QString text;
    const auto add = [&](const QString& name, const ChartReadout::Value& value) {
        text += u"%1\t%2\t%3%4\n"_s.arg(name, QString::fromStdString(formatNumber(readout.x)),
                                        QString::fromStdString(formatNumber(value.y)),
                                        value.between ? u"\t\u2248"_s : QString());
    };
    for (const ChartReadout::Line& line : readout.lines) {
        const QString name = plainText(spec.series[static_cast<std::size_t>(line.named)].label).simplified();
        const bool both = line.curve && line.points;
        if (line.curve)
            add(both ? u"%1, line"_s.arg(name) : name, *line.curve);
        if (line.points)
            add(both ? u"%1, points"_s.arg(name) : name, *line.points);
        if (line.change)
            text += u"%1\t%2\t%3\n"_s.arg(
                u"%1, change since %2"_s.arg(name, QString::fromStdString(formatNumber(readout.since.value_or(0)))),
                QString::fromStdString(formatNumber(readout.x)), QString::fromStdString(formatNumber(*line.change)));
    }
    return text;
}

/// Beside x, or where there is no room in the frame's other half; at the top, or at the bottom where the top is taken
/// or more points would be covered there; below the names of markers at the top.
static QRectF placeOfSheet(const ChartSpec& spec, const ChartLayout& layout, QSizeF size, double x, double away,
                           const QRectF& taken, const std::vector<QRectF>& markers)
{
    const QRectF& frame = layout.frame;
    QRectF sheet({x + away, frame.top() + away / 2}, size);
    if (sheet.right() > layout.outer.right())
        sheet.moveRight(x - away);
    if (sheet.left() < frame.left())
        x < frame.center().x() ? sheet.moveRight(layout.outer.right()) : sheet.moveLeft(frame.left() + away / 2);
    for (const QRectF& marker : markers)
        if (sheet.intersects(marker) && marker.bottom() + away / 2 + sheet.height() <= layout.outer.bottom())
            sheet.moveTop(marker.bottom() + away / 2);
    const QRectF below = sheet.translated(0, frame.bottom() - away / 2 - sheet.bottom());
    if (sheet.intersects(taken) != below.intersects(taken))
        return sheet.intersects(taken) ? below : sheet;
    const auto covered = [&](const QRectF& place) {
        std::ptrdiff_t points = 0;
        for (const ChartSeries& series : spec.series)
            if (!series.label.isEmpty() && !series.ghost)
                points += std::ranges::count_if(series.points, [&](const ChartPoint& point) {
                    return isShown(point, layout) && place.contains(layout.place(point.x, point.y));
                });
        return points;
    };
    QRectF place = below.top() > frame.top() && covered(below) < covered(sheet) ? below : sheet;
    place.moveBottom(std::min(place.bottom(), layout.outer.bottom()));
    place.moveTop(std::max(place.top(), layout.outer.top()));
    return place;
}

namespace {

QString abscissaText(const ChartSpec& spec, double x)
{
    return spec.x.tickText == TickText::Lengths ? lengthText(x) : printed(x);
}

/// A row of the sheet: a line's name and its values, one or two.
struct SheetRow {
    const ChartSeries* sample;
    Typeset name, curve, points, change;
};

Typeset valueText(const ChartSpec& spec, const ChartReadout& readout, const std::optional<ChartReadout::Value>& value,
                  const QFont& font)
{
    return Typeset(
        value ? (value->between ? u"\u2248 "_s : QString()) + readoutNumber(spec, readout, *value) : QString(), font);
}

}  // namespace

void paintReadout(QPainter& painter, const ChartSpec& spec, const PlotStyle& style, const ChartLayout& layout,
                  const ChartReadout& whole, const QRectF& taken)
{
    const double x = layout.place(whole.x, layout.yRange.first).x(), pad = 1.4 * style.gap, row = 1.45 * style.small,
                 swatch = 1.6 * style.small;
    const double besides = whole.hasBoth() ? 3 : 2, fit = std::floor((layout.outer.height() - pad) / row) - besides;
    const auto most = std::max({1.0, std::min(4.0, fit), std::floor(0.67 * layout.frame.height() / row) - besides});
    const ChartReadout readout = nearestLines(whole, layout, static_cast<std::size_t>(most));
    const int further = linesFurther(spec, whole, readout);
    if (readout.lines.empty() || x < layout.frame.left() || x > layout.frame.right())
        return;
    const QFont font = style.font(style.small), bold = style.font(style.small, true);
    const Typeset head(spec.x.title.isEmpty() ? u"$x$"_s : spec.x.title, font);
    const Typeset at(abscissaText(spec, readout.x), bold);
    const bool both = readout.hasBoth();
    const Typeset ofLines(u"line"_s, font), ofPoints(u"points"_s, font);
    std::vector<SheetRow> rows;
    const Typeset since(readout.since ? u"since %1"_s.arg(abscissaText(spec, *readout.since)) : QString(), font);
    double changes = since.width();
    double names = 0, curves = both ? ofLines.width() : 0, points = both ? ofPoints.width() : 0;
    for (const ChartReadout::Line& line : readout.lines) {
        const ChartSeries& sample =
            spec.series[static_cast<std::size_t>(both && line.curve ? line.curve->series : line.value().series)];
        rows.push_back({&sample, Typeset(spec.series[static_cast<std::size_t>(line.named)].label, font),
                        valueText(spec, whole, both ? line.curve : std::nullopt, font),
                        valueText(spec, whole, both ? line.points : std::optional(line.value()), font),
                        Typeset(line.change ? changeText(whole, *line.change) : QString(), font)});
        changes = std::max(changes, rows.back().change.width());
        names = std::max(names, rows.back().name.width());
        curves = std::max(curves, rows.back().curve.width());
        points = std::max(points, rows.back().points.width());
    }
    const Typeset others(further > 0 ? u"and %1 further away"_s.arg(further) : QString(), font);
    const double beyond = changes > 0 ? changes + 2 * style.gap : 0;  // the column of changes
    const double values = points + (both ? curves + 2 * style.gap : 0) + beyond;
    const double width = std::max({swatch + style.gap + names + 2 * style.gap + values,
                                   head.width() + 2 * style.gap + at.width() + beyond, others.width()}) +
                         2 * pad;
    const double height = row * (static_cast<double>(rows.size()) + (both ? 2 : 1) + (further > 0 ? 1 : 0)) + pad;
    const QRectF sheet =
        placeOfSheet(spec, layout, {width, height}, x, 2 * style.gap, taken, labelsOfMarkers(spec, style, layout));
    const double right = sheet.right() - pad - beyond, middle = right - points - 2 * style.gap;

    QPen rule(style.ink, style.thin);
    rule.setDashPattern({3, 3});
    painter.setPen(rule);
    painter.drawLine(QLineF(x, layout.frame.top(), x, layout.frame.bottom()));
    painter.setPen(QPen(style.grid, style.thin));
    painter.setBrush(style.background);
    painter.drawRoundedRect(sheet, style.gap * 0.8, style.gap * 0.8);
    double y = sheet.top() + pad / 2 + row / 2;
    painter.setPen(style.quiet);
    head.draw(painter, {sheet.left() + pad, y}, Qt::AlignLeft | Qt::AlignVCenter);
    painter.setPen(style.ink);
    at.draw(painter, {right, y}, Qt::AlignRight | Qt::AlignVCenter);
    painter.setPen(style.quiet);
    since.draw(painter, {sheet.right() - pad, y}, Qt::AlignRight | Qt::AlignVCenter);
    if (both) {
        y += row;
        painter.setPen(style.quiet);
        ofLines.draw(painter, {middle, y}, Qt::AlignRight | Qt::AlignVCenter);
        ofPoints.draw(painter, {right, y}, Qt::AlignRight | Qt::AlignVCenter);
    }
    for (const SheetRow& one : rows) {
        y += row;
        paintSample(painter, *one.sample, style, sheet.left() + pad, y, swatch);
        painter.setPen(style.ink);
        one.name.draw(painter, {sheet.left() + pad + swatch + style.gap, y}, Qt::AlignLeft | Qt::AlignVCenter);
        if (both)
            one.curve.draw(painter, {middle, y}, Qt::AlignRight | Qt::AlignVCenter);
        one.points.draw(painter, {right, y}, Qt::AlignRight | Qt::AlignVCenter);
        one.change.draw(painter, {sheet.right() - pad, y}, Qt::AlignRight | Qt::AlignVCenter);
    }
    painter.setPen(style.quiet);
    others.draw(painter, {sheet.left() + pad, y + row}, Qt::AlignLeft | Qt::AlignVCenter);
}

}  // namespace attnscope
