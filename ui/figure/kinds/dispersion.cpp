// Softmax disperses: with bounded logits every weight lies between e^-gap / n and e^gap / n (Lemma 2.1), so the largest
// weight and the mass of the top k fall like 1 / n, and the sorted weights of one row sink as a whole.

#include "core/analysis/curve_sample.h"
#include "core/theory/bounds.h"
#include "ui/figure/counted_rows.h"
#include "ui/figure/kinds/support.h"
#include "ui/plot/ticks.h"

#include <algorithm>

namespace attnscope {

namespace {

/// Mean over rows of the largest weight and of the top k against n, inside the lemma's bounds for the largest gap seen.
Panel curvesPanel(const MethodAnalysis& method, double gap)
{
    Panel panel;
    ChartSpec& chart = panel.chart;
    chart.x = lengthAxis();
    chart.y.title = u"Attention weight"_s;
    chart.y.log = true;
    chart.legend = Legend::BottomLeft;
    ChartSeries bounds{
        .label = u"$e^{-\\delta}/n \\le p \\le e^{\\delta}/n$"_s, .style = ChartSeries::reference, .band = true};
    for (const CurvePoint& point : method.largest) {
        const WeightBounds bound = dispersionBounds(point.n, gap);
        bounds.points.push_back({point.n, 1 / point.n, bound.lower, bound.upper});
    }
    chart.series.push_back(fromCurve(method.top16, u"Top 16 weights together"_s, 2));
    chart.series.push_back(fromCurve(method.top4, u"Top 4 weights together"_s, 1));
    chart.series.push_back(fromCurve(method.largest, u"Largest weight"_s, 0));
    for (ChartSeries& series : chart.series)
        for (ChartPoint& point : series.points)
            point.low = point.high = std::nan("");
    chart.series.push_back(bounds);
    chart.title = u"Logits within $\\delta = %1$"_s.arg(gap, 0, 'g', 3);
    return panel;
}

ChartSeries sortedRow(const MethodAnalysis& method, std::int64_t n, QColor shade)
{
    std::vector<double> weights = method.chosen.weights;
    std::sort(weights.begin(), weights.end(), std::greater<>());
    ChartSeries series;
    series.label = u"$n$ = %1"_s.arg(countText(static_cast<double>(n)));
    series.colour = shade;
    series.solid = true;
    // Evenly spaced in log of the rank: what a log axis can show.
    double next = 1;
    for (size_t rank = 1; rank <= weights.size(); ++rank)
        if (static_cast<double>(rank) >= next || rank == weights.size()) {
            series.points.push_back({static_cast<double>(rank), weights[rank - 1]});
            next = std::max(next * 1.03, static_cast<double>(rank + 1));
        }
    return series;
}

}  // namespace

Result<FigureContent> buildDispersion(const Recipe& recipe, std::stop_token stop)
{
    std::vector<std::int64_t> rowLengths{16, 128, 1024, 8192};
    ObjectReader reader(recipe.parameters, "parameters");
    readLengths(reader, "row_lengths", rowLengths);
    TRY(reader.finish());

    Panel rows;
    ChartSpec& chart = rows.chart;
    chart.title = u"Weights of the last row, sorted"_s;
    chart.x.title = u"Rank"_s;
    chart.x.log = true;
    chart.y.title = u"Attention weight"_s;
    chart.y.log = true;
    chart.legend = Legend::TopRight;
    double gap = 0;
    for (size_t i = 0; i < rowLengths.size(); ++i) {
        Scenario scenario = recipe.scenario;
        scenario.n = rowLengths[i];
        scenario.view.curvePoints = 0;
        scenario.view.table = false;
        scenario.view.pixels = 1;
        const auto analysis = TRY(analyse(scenario, stop));
        chart.series.push_back(
            sortedRow(analysis.methods.front(), scenario.n, ordinalColour(i, rowLengths.size(), recipe)));
        for (const RowSummary& row : analysis.methods.front().rows)
            if (row.visible > 0)
                gap = std::max(gap, row.logitMax - row.logitMin);
    }
    const auto analysis = TRY(analyse(recipe.scenario, stop));
    FigureContent content;
    addPanel(content, curvesPanel(analysis.methods.front(), gap), 0, 0);
    const auto& curve = analysis.methods.front().largest;
    const bool some =
        std::ranges::any_of(curve, [&](const CurvePoint& point) { return isOfSomeRows(recipe.scenario, point.n); });
    content.footnote = u"Against $n$: means over %1%2."_s.arg(
        rowSetWords(recipe.scenario),
        some ? u"; of more than %1 tokens over some of them"_s.arg(countText(double(curveCountsAllRowsUpTo)))
             : QString());
    rows.chart.y.range = content.panels.front().chart.y.range;
    addPanel(content, std::move(rows), 0, 1);
    return content;
}

}  // namespace attnscope
