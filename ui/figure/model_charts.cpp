#include "ui/figure/model_charts.h"

#include "ui/figure/analysis_charts.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr double ghostOpacity = 0.28;
constexpr int placeRanges = 18;

const QString& nameOf(const StudyLine& line) { return line.name.isEmpty() ? line.label : line.name; }

/// Of its range, places counted from 1.
/// A line, or of one range alone its point.
void addPlaces(ChartSpec& chart, ChartSeries series)
{
    series.band = series.points.size() > 1;
    series.shape = series.band ? ChartSeries::Shape::Line : ChartSeries::Shape::Points;
    if (!series.points.empty())
        chart.series.push_back(std::move(series));
}

double middleOf(const PlaceLoss& place) { return static_cast<double>(place.first + place.last) / 2 + 1; }

ChartSeries emptyLine(const StudyLine& line)
{
    ChartSeries series{.label = line.ghost ? QString() : line.label,
                       .name = nameOf(line),
                       .style = line.style,
                       .shape = line.ghost ? ChartSeries::Shape::Line : ChartSeries::Shape::LinePoints};
    if (line.ghost)
        series.opacity = ghostOpacity;
    if (line.beside)
        series.dashes = 1;
    series.open = line.beside;
    return series;
}

ChartSpec emptyChart(bool perplexity, double trainLength)
{
    ChartSpec chart;
    chart.x = lengthAxis();
    chart.y.title = perplexity ? u"Perplexity"_s : u"Loss (nats)"_s;
    chart.y.log = perplexity;
    chart.legend = Legend::Below;
    if (trainLength > 0)
        chart.lines.push_back({Qt::Vertical, trainLength, u"$N$"_s, true});
    return chart;
}

}  // namespace

ChartPoint qualityPoint(double x, double loss, std::optional<double> standardError, bool perplexity)
{
    const auto shown = [&](double value) { return perplexity ? std::exp(value) : value; };
    const double error = standardError.value_or(std::nan(""));
    return {x, shown(loss), shown(loss - error), shown(loss + error)};
}

ChartSpec qualityChart(const std::vector<StudyCell>& cells, const std::vector<StudyLine>& lines, bool perplexity,
                       double trainLength)
{
    ChartSpec chart = emptyChart(perplexity, trainLength);
    // a model that says no tokens has entropies alone
    const bool entropies = std::ranges::any_of(
        cells, [](const StudyCell& cell) { return cell.quality() && !std::isfinite(cell.quality()->loss); });
    if (entropies) {
        chart.y.title = u"Mean entropy (nats)"_s;
        chart.y.log = false;
    }
    for (const bool ghosts : {true, false})  // they lie below
        for (size_t policy = 0; policy < lines.size(); ++policy) {
            if (lines[policy].ghost != ghosts)
                continue;
            ChartSeries series = emptyLine(lines[policy]);
            for (const StudyCell& cell : cells)
                if (cell.policy == policy)
                    if (const auto quality = cell.quality())
                        series.points.push_back(entropies ? ChartPoint{static_cast<double>(cell.n), quality->entropy}
                                                          : qualityPoint(static_cast<double>(cell.n), quality->loss,
                                                                         ghosts ? std::nullopt : quality->standardError,
                                                                         perplexity));
            if (!series.points.empty())
                chart.series.push_back(std::move(series));
        }
    if (std::ranges::any_of(chart.series, [](const ChartSeries& one) { return one.label.isEmpty(); })) {
        ChartSeries others;  // one name for all of them, and no line
        others.label = u"faint: other positions"_s;
        others.style = ChartSeries::reference;
        others.opacity = ghostOpacity;
        chart.series.push_back(std::move(others));
    }
    numberMeasuredLengths(chart);
    return chart;
}

namespace {

QString placeTitle(std::int64_t n)
{
    return n > 0 ? u"Place in the window of %1 tokens"_s.arg(countText(static_cast<double>(n)))
                 : u"Place in the window"_s;
}

}  // namespace

ChartSpec placeChart(const std::vector<StudyCell>& cells, const std::vector<StudyLine>& lines, std::int64_t n,
                     bool perplexity, double trainLength)
{
    ChartSpec chart = emptyChart(perplexity, trainLength < static_cast<double>(n) ? trainLength : 0);
    chart.x.title = placeTitle(n);
    chart.legend = Legend::None;  // it stands beside the chart against n, whose legend names the same lines
    for (size_t policy = 0; policy < lines.size(); ++policy)
        for (const StudyCell& cell : cells) {
            if (cell.policy != policy || cell.n != n || lines[policy].ghost)
                continue;
            ChartSeries series = emptyLine(lines[policy]);
            for (const PlaceLoss& place : lossByPlace(cell, placeRanges))
                series.points.push_back(
                    qualityPoint(middleOf(place), place.loss.mean, place.loss.standardError, perplexity));
            addPlaces(chart, std::move(series));
        }
    return chart;
}

ChartSpec differenceChart(const std::vector<StudyCell>& cells, const std::vector<StudyLine>& lines, std::int64_t n,
                          std::size_t a, std::size_t b, double trainLength)
{
    ChartSpec chart = emptyChart(false, trainLength < static_cast<double>(n) ? trainLength : 0);
    chart.x.title = placeTitle(n);
    chart.y.title = u"Loss, B minus A (nats)"_s;
    chart.legend = Legend::None;
    chart.lines.push_back({Qt::Horizontal, 0, QString(), false});
    const auto cellOf = [&](std::size_t policy) {
        return std::ranges::find_if(cells, [&](const StudyCell& cell) { return cell.n == n && cell.policy == policy; });
    };
    const auto one = cellOf(a), other = cellOf(b);
    if (one == cells.end() || other == cells.end() || b >= lines.size())
        return chart;
    ChartSeries series = emptyLine(lines[b]);
    series.name = u"%1 minus %2"_s.arg(nameOf(lines[b]), nameOf(lines[a]));
    for (const PlaceLoss& place : differenceByPlace(*other, *one, placeRanges))
        series.points.push_back(qualityPoint(middleOf(place), place.loss.mean, place.loss.standardError, false));
    addPlaces(chart, std::move(series));
    return chart;
}

}  // namespace attnscope
