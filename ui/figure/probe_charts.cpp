#include "ui/figure/probe_charts.h"

#include "ui/figure/analysis_charts.h"
#include "ui/figure/extent.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope {

namespace {

void addRecallLine(ChartSpec& chart, std::span<const ProbeCell> cells, std::size_t policy, ChartSeries series,
                   SampleMean ProbeMeans::*value, double unit = 1)
{
    for (const ProbeCell& cell : cells)
        if (cell.policy == policy && !cell.scores.empty()) {
            const SampleMean mean = meansOf(cell, nullptr).*value;
            const double error = mean.standardError.value_or(std::nan(""));
            series.points.push_back({static_cast<double>(cell.n), unit * mean.mean, unit * (mean.mean - error),
                                     unit * (mean.mean + error)});
        }
    if (!series.points.empty())
        chart.series.push_back(std::move(series));
}

ChartSpec recallChartOf(std::span<const ProbeCell> cells, const std::vector<ProbeLine>& lines, double trainLength,
                        SampleMean ProbeMeans::*value, double unit = 1)
{
    constexpr int plainDashes = 3;
    ChartSpec chart;
    chart.x = lengthAxis();
    chart.legend = Legend::Below;
    if (trainLength > 0)
        chart.lines.push_back({Qt::Vertical, trainLength, u"$N$"_s, true});
    for (std::size_t policy = 0; policy < lines.size(); ++policy) {
        ChartSeries series{
            .label = lines[policy].label, .style = lines[policy].style, .shape = ChartSeries::Shape::LinePoints};
        if (lines[policy].position > 0)
            series.dashes = 1 + (lines[policy].position - 1) % plainDashes;
        series.open = lines[policy].position > 0;
        addRecallLine(chart, cells, policy, std::move(series), value, unit);
    }
    numberMeasuredLengths(chart);
    return chart;
}

/// Beyond the top or the bottom: at the end of it where the first line is further away.
void noteBeyond(ChartSpec& chart, double at, std::pair<double, double> range)
{
    const std::vector<ChartPoint>& line = chart.series.front().points;
    const bool below = at < range.first, atLeft = (line.front().y > line.back().y) == below;
    chart.y.range = range;
    chart.notes.push_back({atLeft ? line.front().x : line.back().x, below ? range.first : range.second,
                           (below ? u"chance lies below, at %1"_s : u"chance lies above, at %1"_s).arg(number(at)),
                           (atLeft ? Qt::AlignLeft : Qt::AlignRight) | (below ? Qt::AlignBottom : Qt::AlignTop)});
}

/// Where one stands who knows nothing: in sight, unless it is so far off that the lines would have little of the
/// height. Then a note says it.
void addChance(ChartSpec& chart, double at)
{
    if (chart.series.empty())
        return;
    constexpr double mostTimes = 4, margin = 0.05;
    Extent seen;
    takeOrdinates(seen, chart.series);
    const Extent lines = seen;
    const double height = lines.high - lines.low;
    seen.take(at);
    const auto [low, high] = seen;
    if (height > 0 && high - low > mostTimes * height)
        return noteBeyond(chart, at, {lines.low - margin * height, lines.high + margin * height});
    const double around = high > low ? margin * (high - low) : margin * std::max(1.0, std::abs(at));
    chart.y.range = {low - around, high + around};
    chart.lines.push_back({Qt::Horizontal, at, u"chance"_s, false});
}

}  // namespace

double needleValue(const ProbeCell& cell, const ProbeCell* against, bool probability, bool difference)
{
    const ProbeMeans means = meansOf(cell, against);
    if (!difference)
        return probability ? std::exp(-means.loss.mean) : 100 * means.right.mean;
    if (cell.policy == 0)
        return 0;
    return probability ? -means.lossChange.mean : 100 * means.rightChange.mean;
}

/// Where nothing differs any range will do.
ColourScale needleScale(std::span<const double> values, bool probability, bool difference, const ColourMap* map)
{
    if (!difference)
        return {.low = 0, .high = probability ? 1.0 : 100.0, .log = false, .map = map, .zeroIsBlank = false};
    double most = 0;
    for (const double value : values)
        if (std::isfinite(value))
            most = std::max(most, std::abs(value));
    return gainScale(most > 0 ? most : 1);
}

QString needleTitle(bool probability, bool difference)
{
    if (probability)
        return difference ? u"\u0394 ln $p$"_s : u"Geometric mean of $p$"_s;
    return difference ? u"\u0394 exact (points)"_s : u"Exact (%)"_s;
}

ChartSpec recallChart(std::span<const ProbeCell> cells, const std::vector<ProbeLine>& lines, double trainLength,
                      std::int64_t vocabulary)
{
    ChartSpec chart = recallChartOf(cells, lines, trainLength, &ProbeMeans::right, 100);
    chart.y.title = u"Right, second copy (%)"_s;
    if (vocabulary > 0)
        addChance(chart, 100 / static_cast<double>(vocabulary));
    return chart;
}

ChartSpec recallLossChart(std::span<const ProbeCell> cells, const std::vector<ProbeLine>& lines, double trainLength,
                          std::int64_t vocabulary)
{
    ChartSpec chart = recallChartOf(cells, lines, trainLength, &ProbeMeans::loss);
    chart.y.title = u"Loss (nats)"_s;
    ChartSeries first;
    first.name = u"first copy"_s;  // beside it, so that the legend is as high as that of the chart at its side
    first.style = ChartSeries::reference;
    if (!lines.empty())
        addRecallLine(chart, cells, 0, std::move(first), &ProbeMeans::firstLoss);
    if (!chart.series.empty() && chart.series.back().style == ChartSeries::reference) {
        const ChartSeries& drawn = chart.series.back();
        chart.notes.push_back({drawn.points.front().x, drawn.points.front().y, drawn.name});
    }
    if (vocabulary > 0)
        addChance(chart, std::log(static_cast<double>(vocabulary)));
    return chart;
}

}  // namespace attnscope
