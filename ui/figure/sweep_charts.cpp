#include "ui/figure/sweep_charts.h"

#include "ui/figure/analysis_charts.h"
#include "ui/figure/extent.h"
#include "ui/figure/labels.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/plot/typeset.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

/// A column's name as a title: "n" is a symbol, "entropy_mean" two words.
QString columnTitle(const std::string& column)
{
    QString title = text(column);
    if (title == "n"_L1 || title == "d"_L1)
        return u"$%1$"_s.arg(title);
    return title.remove(QLatin1Char('$')).replace(QLatin1Char('_'), QLatin1Char(' '));
}

template <class Do>
void forPoints(const SweepView& view, Do&& run)
{
    for (const SweepView::Facet& facet : view.facets)
        for (const SweepView::Line& line : facet.lines)
            for (const SweepPoint& point : line.points)
                run(point);
}

/// What all facets need, with a little room.
std::pair<double, double> rangeOf(const SweepView& view, bool log)
{
    Extent seen;
    forPoints(view, [&](const SweepPoint& point) {
        const double error = point.standardError.value_or(0);
        seen.take(log && point.mean - error <= 0 ? point.mean : point.mean - error);
        seen.take(point.mean + error);
    });
    const auto [low, high] = seen;
    if (log)
        return {low / std::pow(high / low, 0.05) / 1.02, high * std::pow(high / low, 0.05) * 1.02};
    const double room = high > low ? 0.05 * (high - low) : std::max(0.05 * std::abs(high), 1e-6);
    return {low - room, high + room};
}

QString lineLabel(const std::string& value, const std::string& column)
{
    const QString label = policyLabel(text(value));
    bool isNumber = false;
    label.toDouble(&isNumber);
    return isNumber ? u"%1 = %2"_s.arg(columnTitle(column), label) : label;
}

}  // namespace

QString columnWords(const std::string& column) { return plainText(columnTitle(column)); }

bool spansOctaves(const SweepView& view)
{
    Extent seen;
    forPoints(view, [&](const SweepPoint& point) { seen.take(point.x); });
    return view.xNames.empty() && seen.low > 0 && seen.high >= 8 * seen.low;
}

std::vector<ChartSpec> sweepCharts(const SweepView& view, const SweepChoice& choice, bool logX, bool logY)
{
    bool any = false, xAboveZero = view.xNames.empty(), yAboveZero = true;
    forPoints(view, [&](const SweepPoint& point) {
        any = true;
        xAboveZero = xAboveZero && point.x > 0;
        yAboveZero = yAboveZero && point.mean > 0;
    });
    if (!any)
        return {};
    std::vector<QString> names;
    for (const std::string& colour : view.colours)
        names.push_back(text(colour));
    const std::vector<int> styles = variantStyles(names);
    std::vector<bool> drawn(names.size());  // in any facet
    bool whole = view.xNames.empty();
    for (const SweepView::Facet& facet : view.facets)
        for (std::size_t line = 0; line < facet.lines.size(); ++line)
            for (const SweepPoint& point : facet.lines[line].points) {
                drawn[line] = true;
                whole = whole && point.x == std::floor(point.x);
            }
    std::vector<ChartSpec> charts;
    for (const SweepView::Facet& facet : view.facets) {
        ChartSpec chart;
        chart.title = choice.facet.empty() ? QString() : lineLabel(facet.value, choice.facet);
        chart.x.title = sentence(columnTitle(choice.x));
        chart.y.title = sentence(columnTitle(choice.y));
        chart.x.log = logX && xAboveZero;
        chart.x.tickText = whole && chart.x.log ? TickText::Lengths : TickText::Automatic;
        chart.y.log = logY && yAboveZero;
        chart.y.range = rangeOf(view, chart.y.log);
        for (std::size_t i = 0; i < view.xNames.size(); ++i)
            chart.x.ticks.push_back({static_cast<double>(i), policyLabel(text(view.xNames[i]))});
        if (!view.xNames.empty())
            chart.x.range = std::pair(-0.5, static_cast<double>(view.xNames.size()) - 0.5);
        for (std::size_t line = 0; line < facet.lines.size(); ++line) {
            ChartSeries series{
                .label = choice.colour.empty() ? QString() : lineLabel(facet.lines[line].value, choice.colour),
                .style = styles[line],
                .shape = view.xNames.empty() ? ChartSeries::Shape::LinePoints : ChartSeries::Shape::Points};
            if (!drawn[line])
                continue;
            for (const SweepPoint& point : facet.lines[line].points) {
                const double error = point.standardError.value_or(0);
                series.points.push_back(pointWithError(point.x, point.mean, error > 0 ? error : std::nan("")));
            }
            chart.series.push_back(std::move(series));
        }
        chart.legend = view.facets.size() == 1 && !choice.colour.empty() ? Legend::Below : Legend::None;
        charts.push_back(std::move(chart));
    }
    return charts;
}

QString sweepWords(const SweepView& view, const SweepChoice& choice)
{
    QStringList over, words;
    for (const SweepView::Averaged& one : view.averaged)
        over << u"%1 (%2 values)"_s.arg(columnWords(one.column)).arg(one.values);
    if (view.repeats)
        over << u"rows that agree in all of these"_s;
    const QString last = over.size() > 1 ? over.takeLast() : QString();
    if (!over.isEmpty())
        words << u"Each point is the mean of %1 over %2; bars are one standard error of it."_s.arg(
            columnWords(choice.y), over.join(u", "_s) + (last.isEmpty() ? QString() : u" and %1"_s.arg(last)));
    else
        words << u"Each point is one row; nothing is averaged."_s;
    if (view.facetsLeftOut > 0)
        words << u"%1 of %2 values of %3 are shown."_s.arg(view.facets.size())
                     .arg(view.facets.size() + view.facetsLeftOut)
                     .arg(columnWords(choice.facet));
    if (view.linesLeftOut > 0)
        words << u"%1 of %2 values of %3 have a line."_s.arg(view.colours.size())
                     .arg(view.colours.size() + view.linesLeftOut)
                     .arg(columnWords(choice.colour));
    if (view.rowsWithoutValue > 0)
        words << u"%1 rows without a number are left out."_s.arg(countText(double(view.rowsWithoutValue)));
    return words.join(QLatin1Char(' '));
}

}  // namespace attnscope
