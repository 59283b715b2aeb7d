#include "ui/plot/chart_title.h"
#include "ui/plot/legend.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/typeset.h"

#include <QFontMetricsF>
#include <QLineF>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr int mostAcross = 10, mostUp = 8;  // labels, however large the chart

double coordinate(double value, bool log) { return log ? std::log(value) : value; }

double fraction(double value, std::pair<double, double> range, bool log)
{
    const double low = coordinate(range.first, log), high = coordinate(range.second, log);
    return (coordinate(value, log) - low) / (high - low);
}

double fromFraction(double t, std::pair<double, double> range, bool log)
{
    const double low = coordinate(range.first, log), high = coordinate(range.second, log);
    const double value = low + t * (high - low);
    return log ? std::exp(value) : value;
}

struct Extent {
    bool log;
    double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
    void add(double value)
    {
        if (!std::isfinite(value) || (log && value <= 0))
            return;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    std::pair<double, double> padded(double share) const
    {
        if (!(low <= high))
            return log ? std::pair{1.0, 10.0} : std::pair{0.0, 1.0};
        if (share == 0 && low < high)
            return {low, high};
        const double a = coordinate(low, log), b = coordinate(high, log);
        if (b > a || log) {
            const double pad = b > a ? share * (b - a) : 0.5;
            return log ? std::pair{std::exp(a - pad), std::exp(b + pad)} : std::pair{a - pad, b + pad};
        }
        const double around = std::max(0.5, std::abs(a) * 0.1);  // of values that are all the same
        return {a < 0 ? a - around : std::max(0.0, a - around), a + around};
    }
};

bool isDiscrete(const ChartSeries& series)
{
    return series.shape == ChartSeries::Shape::Points || series.shape == ChartSeries::Shape::LinePoints ||
           series.shape == ChartSeries::Shape::Bars;
}

void chooseRanges(const ChartSpec& spec, ChartLayout& layout)
{
    Extent x{spec.x.log}, y{spec.y.log};
    bool discrete = spec.x.tickText == TickText::Lengths;  // charts side by side begin alike, with points or without
    for (const ChartSeries& series : spec.series) {
        discrete = discrete || (isDiscrete(series) && !series.points.empty());
        for (const ChartPoint& point : series.points)
            if (std::isfinite(point.y))
                x.add(point.x);
    }
    layout.xRange = spec.x.range.value_or(x.padded(discrete ? 0.03 : 0));
    for (const ChartSeries& series : spec.series)
        for (const ChartPoint& point : series.points)
            if (point.x >= layout.xRange.first && point.x <= layout.xRange.second) {
                y.add(point.y);
                y.add(point.low);
                y.add(point.high);
            }
    layout.yRange = spec.y.range.value_or(y.padded(0.05));
}

double widest(const Ticks& ticks, const QFont& font)
{
    double width = 0;
    for (const Tick& tick : ticks.major)
        width = std::max(width, Typeset(tick.text, font).width());
    return width;
}

Ticks ticksOf(const ChartAxis& axis, std::pair<double, double> range, int room)
{
    if (axis.hidden)
        return {};
    if (axis.ticks.empty())
        return chooseTicks(range.first, range.second, axis.log, axis.tickText, room);
    Ticks given;
    for (const Tick& tick : axis.ticks)
        if (const double t = fraction(tick.at, range, axis.log); t >= -1e-9 && t <= 1 + 1e-9)
            given.major.push_back(tick);
    return given;
}

/// The first and the last label of the fewest that are at least two; marks between them.
Ticks firstAndLast(const ChartAxis& axis, std::pair<double, double> range)
{
    for (int room = 3;; ++room) {
        Ticks ticks = ticksOf(axis, range, room);
        if (ticks.major.size() < 2 && room < mostAcross)
            continue;
        while (ticks.major.size() > 2) {
            ticks.minor.push_back(ticks.major[1].at);
            ticks.major.erase(ticks.major.begin() + 1);
        }
        return ticks;
    }
}

/// The words of its cells, shortened to a good one; none where they have no line each in such an extent.
std::optional<Ticks> wordsOf(const ChartAxis& axis, std::pair<double, double> range, double extent, const QFont& font)
{
    const QFontMetricsF metrics(font);
    if (axis.words.empty() || axis.hidden || extent < 0.9 * metrics.height() * static_cast<double>(axis.words.size()))
        return std::nullopt;
    Ticks words{.upright = true, .major = {}, .minor = {}};
    for (const Tick& word : axis.words)
        if (const double t = fraction(word.at, range, axis.log); t >= 0 && t <= 1)
            words.major.push_back({word.at, metrics.elidedText(word.text, Qt::ElideRight, 8 * font.pixelSize())
                                                .replace(QLatin1Char('$'), "\\$"_L1)});
    return words;
}

/// As many labels along the abscissa as stand apart.
Ticks abscissaTicks(const ChartAxis& axis, std::pair<double, double> range, double width, const QFont& font)
{
    if (auto words = wordsOf(axis, range, width, font))
        return std::move(*words);
    for (int room = std::clamp(static_cast<int>(width / (2.2 * font.pixelSize())), 2, mostAcross);; --room) {
        Ticks ticks = ticksOf(axis, range, room);
        double end = -std::numeric_limits<double>::infinity();
        bool apart = true;
        for (const Tick& tick : ticks.major) {
            const double half = Typeset(tick.text, font).width() / 2,
                         centre = fraction(tick.at, range, axis.log) * width;
            apart = apart && centre - half > end + 0.8 * font.pixelSize();
            end = centre + half;
        }
        if (apart || room <= 2 || !axis.ticks.empty())
            return (ticks.major.size() < 2 || !apart) && axis.ticks.empty() && !axis.hidden ? firstAndLast(axis, range)
                                                                                            : ticks;
    }
}

/// Labels up an ordinate have a line each: those with exponents need a higher one.
bool standApart(const Ticks& ticks, const ChartAxis& axis, std::pair<double, double> range, double height,
                const QFont& font)
{
    double end = -std::numeric_limits<double>::infinity();
    for (const Tick& tick : ticks.major) {
        const double half = 0.5 * std::max(1.1 * font.pixelSize(), Typeset(tick.text, font).height()),
                     centre = fraction(tick.at, range, axis.log) * height;
        if (centre - half < end)
            return false;
        end = centre + half;
    }
    return true;
}

/// As many labels up the ordinate as stand well apart, but three wherever so many have a line each.
Ticks ordinateTicks(const ChartAxis& axis, std::pair<double, double> range, double height, const QFont& font)
{
    if (auto words = wordsOf(axis, range, height, font))
        return std::move(*words);
    constexpr std::size_t enough = 3;
    int room = std::clamp(static_cast<int>(height / (2.2 * font.pixelSize())), 2, mostUp);
    Ticks ticks = ticksOf(axis, range, room);
    if (axis.hidden || !axis.ticks.empty())
        return ticks;
    while (room > 2 && !standApart(ticks, axis, range, height, font))
        ticks = ticksOf(axis, range, --room);
    if (ticks.major.size() > 1 && !standApart(ticks, axis, range, height, font))
        ticks = firstAndLast(axis, range);
    for (int more = room + 1; ticks.major.size() < enough && more <= mostUp; ++more)
        if (Ticks closer = ticksOf(axis, range, more);
            closer.major.size() > ticks.major.size() && standApart(closer, axis, range, height, font))
            ticks = std::move(closer);
    return ticks;
}

QMarginsF marginsAround(const ChartSpec& spec, const PlotStyle& style, const ChartLayout& layout, double leastLeft,
                        double leastTop)
{
    const QFont small = style.font(style.small);
    double left = style.gap / 2, bottom = style.gap / 2, right = style.gap;
    if (!spec.y.hidden)
        left += style.tick + style.gap * 0.6 + widest(layout.yTicks, small);
    if (!spec.y.title.isEmpty())
        left += Typeset(spec.y.title, style.font(style.text)).height() + style.gap;
    if (!spec.x.hidden) {
        bottom += style.tick + style.gap * 0.6 + heightBelow(layout.xTicks, small);
    }
    if (!spec.x.title.isEmpty())
        bottom += Typeset(spec.x.title, style.font(style.text)).height() + style.gap * 0.8;
    if (!spec.x.hidden && !layout.xTicks.upright && !layout.xTicks.major.empty())
        right = std::max(right, Typeset(layout.xTicks.major.back().text, small).width() / 2 + style.gap / 2);
    const QSizeF legend = legendSpace(spec, style, layout.frame.width());
    return {std::max(left, leastLeft), std::max(leastTop, roomAbove(spec, style, layout)), right + legend.width(),
            bottom + legend.height()};
}

}  // namespace

double heightBelow(const Ticks& abscissa, const QFont& font)
{
    double height = 0;
    for (const Tick& tick : abscissa.major) {
        const Typeset label(tick.text, font);
        height = std::max(height, abscissa.upright ? label.width() : label.height());
    }
    return height;
}

ChartTitle chartTitle(const ChartSpec& spec, const PlotStyle& style, const ChartLayout& layout)
{
    ChartTitle title;
    const Typeset letter(spec.letter, style.font(style.label, true));
    title.left =
        std::max(layout.frame.left(), layout.outer.left() + (letter.isEmpty() ? 0 : letter.width() + 1.5 * style.gap));
    title.step = 1.2 * style.text;
    if (!letter.isEmpty())
        title.height = 0.98 * style.label;
    if (spec.title.isEmpty())
        return title;
    title.lines = wrapped(spec.title, style.font(style.text), layout.outer.right() - title.left);
    const double below = title.step * static_cast<double>(title.lines.size() - 1);
    title.height = std::max(title.height, title.lines.front().height()) + below;
    return title;
}

double roomAbove(const ChartSpec& spec, const PlotStyle& style, const ChartLayout& layout)
{
    const double height = chartTitle(spec, style, layout).height;
    return style.gap + (height > 0 ? height + style.gap * 0.8 : 0);
}

ChartPlaces::Axis ChartPlaces::axisOf(std::pair<double, double> range, bool log)
{
    const double low = coordinate(range.first, log);
    return {log, low, coordinate(range.second, log) - low};
}

ChartPlaces::ChartPlaces(const ChartLayout& layout)
    : m_frame(layout.frame), m_x(axisOf(layout.xRange, layout.xLog)), m_y(axisOf(layout.yRange, layout.yLog))
{
}

QPointF ChartPlaces::operator()(double x, double y) const
{
    return {m_frame.left() + m_x.share(x) * m_frame.width(), m_frame.bottom() - m_y.share(y) * m_frame.height()};
}

QPointF ChartLayout::place(double x, double y) const { return ChartPlaces(*this)(x, y); }

QPointF ChartLayout::value(QPointF position) const
{
    return {fromFraction((position.x() - frame.left()) / frame.width(), xRange, xLog),
            fromFraction((frame.bottom() - position.y()) / frame.height(), yRange, yLog)};
}

ChartLayout layoutChart(const ChartSpec& spec, const PlotStyle& style, const QRectF& outer,
                        std::optional<QMarginsF> pinned, double leastLeft, double leastTop)
{
    ChartLayout layout;
    layout.outer = outer;
    layout.xLog = spec.x.log;
    layout.yLog = spec.y.log;
    chooseRanges(spec, layout);
    const QFont small = style.font(style.small);
    const double em = style.text;
    // The margins depend on the ticks and the ticks on the room between the margins: twice round is enough.
    layout.frame = outer.marginsRemoved({3 * em, 1.5 * em, em, 3 * em});
    for (int round = 0; round < 2; ++round) {
        layout.yTicks = ordinateTicks(spec.y, layout.yRange, layout.frame.height(), small);
        layout.xTicks = abscissaTicks(spec.x, layout.xRange, layout.frame.width(), small);
        layout.frame = outer.marginsRemoved(pinned.value_or(marginsAround(spec, style, layout, leastLeft, leastTop)));
        layout.frame.setSize(layout.frame.size().expandedTo({1, 1}));
    }
    return layout;
}

QMarginsF chartMargins(const ChartSpec& spec, const PlotStyle& style, const QRectF& outer)
{
    const ChartLayout layout = layoutChart(spec, style, outer);
    return {layout.frame.left() - outer.left(), layout.frame.top() - outer.top(), outer.right() - layout.frame.right(),
            outer.bottom() - layout.frame.bottom()};
}

double besideAbscissa(const ChartSpec& spec, const ChartSeries& series, const PlotStyle& style,
                      const ChartLayout& layout)
{
    const auto hasBar = [&](const ChartPoint& point) {  // that reaches out of its marker
        return std::isfinite(point.y) && point.low < point.high &&
               QLineF(layout.place(point.x, point.low), layout.place(point.x, point.high)).length() > style.marker;
    };
    const auto hasBars = [&](const ChartSeries& one) {
        return (one.shape == ChartSeries::Shape::Points || one.shape == ChartSeries::Shape::LinePoints) && !one.band &&
               !one.behind && !one.ghost && std::ranges::any_of(one.points, hasBar);
    };
    if (spec.trials || !hasBars(series))
        return 0;
    int count = 0, own = 0;
    std::vector<double> all;  // abscissae with a bar, once a series
    for (const ChartSeries& other : spec.series) {
        own = &other == &series ? count : own;
        count += hasBars(other) ? 1 : 0;
        for (const ChartPoint& point : other.points)
            if (hasBars(other) && hasBar(point))
                all.push_back(layout.place(point.x, layout.yRange.first).x());
    }
    std::ranges::sort(all);
    double spacing = layout.frame.width();
    bool shared = false;
    for (std::size_t i = 1; i < all.size(); ++i) {
        const double apart = all[i] - all[i - 1];
        shared = shared || apart < 1e-6;
        spacing = apart < 1e-6 ? spacing : std::min(spacing, apart);
    }
    return shared ? (own - (count - 1) / 2.0) * std::min(0.6 * style.marker, 0.6 * spacing / count) : 0;
}

std::optional<ChartHit> nearestPoint(const ChartSpec& spec, const ChartLayout& layout, QPointF position, double reach)
{
    ChartHit best{-1, -1, reach};
    for (size_t s = 0; s < spec.series.size(); ++s)
        for (size_t p = 0; !spec.series[s].ghost && p < spec.series[s].points.size(); ++p) {
            const ChartPoint& point = spec.series[s].points[p];
            const QPointF away = layout.place(point.x, point.y) - position;
            const double distance = std::hypot(away.x(), away.y());
            if (distance <= best.distance)
                best = {static_cast<int>(s), static_cast<int>(p), distance};
        }
    return best.series < 0 ? std::nullopt : std::optional(best);
}

}  // namespace attnscope
