#include "ui/plot/chart_readout.h"

#include "core/base/choice.h"
#include "ui/plot/legend.h"
#include "ui/plot/typeset.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr int digits = 4;

QString number(double value) { return QString::fromStdString(formatNumber(value, digits)).replace(QLatin1Char('-'), QChar(0x2212)); }

bool isShown(const ChartPoint& point, const ChartLayout& layout)
{
    return std::isfinite(point.y) && (!layout.yLog || point.y > 0) && (!layout.xLog || point.x > 0);
}

bool isCurve(const ChartSeries& series) { return series.shape == ChartSeries::Shape::Line || series.shape == ChartSeries::Shape::LinePoints; }

/// Linear in pixels: what the eye reads off the curve.
std::optional<double> along(const ChartSeries& series, const ChartLayout& layout, double x)
{
    for (std::size_t i = 1; i < series.points.size(); ++i) {
        const ChartPoint &a = series.points[i - 1], &b = series.points[i];
        if (!isShown(a, layout) || !isShown(b, layout) || std::min(a.x, b.x) > x || std::max(a.x, b.x) < x || a.x == b.x)
            continue;
        const QPointF from = layout.place(a.x, a.y), to = layout.place(b.x, b.y);
        const double at = layout.place(x, a.y).x();
        return layout.value({at, from.y() + (to.y() - from.y()) * (at - from.x()) / (to.x() - from.x())}).y();
    }
    return {};
}

std::optional<ChartReadout::Line> lineOf(const ChartSpec& spec, const ChartLayout& layout, int labelled, double x)
{
    const ChartSeries& named = spec.series[static_cast<std::size_t>(labelled)];
    std::vector<int> same{labelled};
    for (int i = 0; i < static_cast<int>(spec.series.size()); ++i)
        if (const ChartSeries& series = spec.series[static_cast<std::size_t>(i)]; series.label.isEmpty() && series.style == named.style && series.style >= 0)
            same.push_back(i);
    for (const int i : same)
        for (const ChartPoint& point : spec.series[static_cast<std::size_t>(i)].points)
            if (point.x == x && isShown(point, layout))
                return ChartReadout::Line{labelled, i, point.y, false};
    for (const int i : same)
        if (const ChartSeries& series = spec.series[static_cast<std::size_t>(i)]; isCurve(series))
            if (const auto y = along(series, layout, x))
                return ChartReadout::Line{labelled, i, *y, true};
    return {};
}

}  // namespace

ChartReadout readoutAt(const ChartSpec& spec, const ChartLayout& layout, QPointF position, double reach)
{
    ChartReadout readout;
    const bool whole = spec.x.tickText == TickText::Lengths;
    readout.x = layout.value(position).x();
    if (whole)
        readout.x = std::max(1.0, std::round(readout.x));
    double nearest = reach;
    const auto offer = [&](double x) {
        if (const double away = std::abs(layout.place(x, layout.yRange.first).x() - position.x()); away < nearest && !(whole && x != std::round(x))) {
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
    for (std::size_t i = 0; i < spec.series.size(); ++i)
        if (!spec.series[i].label.isEmpty())
            if (const auto line = lineOf(spec, layout, static_cast<int>(i), readout.x))
                readout.lines.push_back(*line);
    return readout;
}

QString readoutText(const ChartSpec& spec, const ChartReadout& readout)
{
    QString text;
    for (const ChartReadout::Line& line : readout.lines)
        text += QStringLiteral("%1\t%2\t%3%4\n")
                    .arg(plainText(spec.series[static_cast<std::size_t>(line.named)].label).simplified(), QString::fromStdString(formatNumber(readout.x)),
                         QString::fromStdString(formatNumber(line.y)), line.between ? QStringLiteral("\t\u2248") : QString());
    return text;
}

/// Beside x, or where there is no room in the frame's other half; at the top, or at the bottom where it then covers fewer points.
static QRectF placeOfSheet(const ChartSpec& spec, const ChartLayout& layout, QSizeF size, double x, double away)
{
    const QRectF& frame = layout.frame;
    QRectF sheet({x + away, frame.top() + away / 2}, size);
    if (sheet.right() > layout.outer.right())
        sheet.moveRight(x - away);
    if (sheet.left() < frame.left())
        x < frame.center().x() ? sheet.moveRight(layout.outer.right()) : sheet.moveLeft(frame.left() + away / 2);
    const QRectF below = sheet.translated(0, frame.bottom() - away / 2 - sheet.bottom());
    const auto covered = [&](const QRectF& place) {
        std::ptrdiff_t points = 0;
        for (const ChartSeries& series : spec.series)
            if (!series.label.isEmpty())
                points += std::ranges::count_if(series.points, [&](const ChartPoint& point) { return isShown(point, layout) && place.contains(layout.place(point.x, point.y)); });
        return points;
    };
    return below.top() > frame.top() && covered(below) < covered(sheet) ? below : sheet;
}

void paintReadout(QPainter& painter, const ChartSpec& spec, const PlotStyle& style, const ChartLayout& layout, const ChartReadout& readout)
{
    const double x = layout.place(readout.x, layout.yRange.first).x(), pad = 1.4 * style.gap, row = 1.45 * style.small, swatch = 1.6 * style.small;
    if (readout.lines.empty() || x < layout.frame.left() || x > layout.frame.right())
        return;
    const QFont font = style.font(style.small), bold = style.font(style.small, true);
    const Typeset head(spec.x.title.isEmpty() ? QStringLiteral("$x$") : spec.x.title, font);
    const Typeset at(spec.x.tickText == TickText::Lengths ? lengthText(readout.x) : number(readout.x), bold);
    std::vector<std::pair<Typeset, Typeset>> cells;
    double names = 0, values = 0;
    for (const ChartReadout::Line& line : readout.lines) {
        cells.emplace_back(Typeset(spec.series[static_cast<std::size_t>(line.named)].label, font), Typeset((line.between ? QStringLiteral("\u2248 ") : QString()) + number(line.y), font));
        names = std::max(names, cells.back().first.width());
        values = std::max(values, cells.back().second.width());
    }
    const double width = std::max(swatch + style.gap + names + 2 * style.gap + values, head.width() + 2 * style.gap + at.width()) + 2 * pad;
    const QRectF sheet = placeOfSheet(spec, layout, {width, row * (static_cast<double>(cells.size()) + 1) + pad}, x, 2 * style.gap);

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
    at.draw(painter, {sheet.right() - pad, y}, Qt::AlignRight | Qt::AlignVCenter);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        y += row;
        paintSample(painter, spec.series[static_cast<std::size_t>(readout.lines[i].series)], style, sheet.left() + pad, y, swatch);
        painter.setPen(style.ink);
        cells[i].first.draw(painter, {sheet.left() + pad + swatch + style.gap, y}, Qt::AlignLeft | Qt::AlignVCenter);
        cells[i].second.draw(painter, {sheet.right() - pad, y}, Qt::AlignRight | Qt::AlignVCenter);
    }
}

}  // namespace attnscope
