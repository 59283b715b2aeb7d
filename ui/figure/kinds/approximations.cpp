// The papers' approximations of the expected entropy beside the exact curve: against lambda at one n, against n at the
// usual scale, and how far they are from it there. Beyond the freezing line the mean field is wrong.

#include "core/theory/approximations.h"
#include "core/theory/expected_row.h"
#include "ui/figure/kinds/support.h"

#include <algorithm>

namespace attnscope {

namespace {

/// The exact curve first, then each approximation that says something about this density.
template <class Exact, class At>
std::vector<ChartSeries> curves(const LogitDensity& density, const std::vector<double>& x, Exact exact, At at)
{
    std::vector<ChartSeries> all;
    all.push_back(sampled({.label = u"Exact"_s, .style = 0, .solid = true, .emphasis = 1.5}, x, exact));
    int style = 1;
    for (const Approximation& form : approximations()) {
        ChartSeries series{.label = symbolsIn(text(form.label)), .style = style++};
        bool says = false;
        for (double value : x) {
            const auto [n, lambda] = at(value);
            const std::optional<double> entropy = form.entropy(density, n, lambda);
            says = says || entropy;
            series.points.push_back({value, entropy.value_or(std::nan(""))});
        }
        if (says)
            all.push_back(series);
    }
    return all;
}

/// How far each approximation is from the first series, the exact one.
std::vector<ChartSeries> distances(std::vector<ChartSeries> all)
{
    const ChartSeries exact = all.front();
    all.erase(all.begin());
    for (ChartSeries& series : all)
        for (size_t i = 0; i < series.points.size(); ++i)
            series.points[i].y = std::abs(series.points[i].y - exact.points[i].y);
    return all;
}

}  // namespace

Result<FigureContent> buildApproximations(const Recipe& recipe, std::stop_token stop)
{
    double n = 1024, largestLambda = 0.7;
    std::vector<std::int64_t> known;
    std::string law = "gaussian";
    ObjectReader reader(recipe.parameters, "parameters");
    reader.number("n", n, 2, 1e12);
    reader.number("largest_lambda", largestLambda, 1e-6, 100);
    readLengths(reader, "lengths", known, "16:1e6:41");
    reader.text("density", law);
    TRY(reader.finish());
    const auto density = TRY(logitDensity(law, recipe.scenario.d));

    FigureContent content;
    Panel scales, lengths;
    std::vector<double> lambda;
    for (int i = 1; i <= 120; ++i)
        lambda.push_back(largestLambda * i / 120);
    scales.chart.title = u"$n = %1$, $d = %2$"_s.arg(n, 0, 'f', 0).arg(recipe.scenario.d);
    scales.chart.x.title = u"Scale $\\lambda$"_s;
    scales.chart.x.range = {0, largestLambda};
    scales.chart.y.title = u"Expected entropy $\\E H$ (nats)"_s;
    scales.chart.y.range = {0, std::log(n) * 1.02};
    scales.chart.legend = Legend::None;
    scales.chart.series = curves(
        density, lambda,
        [&](double value) { return stop.stop_requested() ? std::nan("") : expectedEntropy(density, n, value); },
        [&](double value) { return std::pair(n, value); });
    scales.chart.lines.push_back({Qt::Vertical, freezingScale(density, n), u"freezes"_s, false});

    const double usual = 1 / std::sqrt(static_cast<double>(recipe.scenario.d));
    const std::vector<double> all(known.begin(), known.end());
    const ExpectedRow row(density, usual, *std::min_element(all.begin(), all.end()),
                          *std::max_element(all.begin(), all.end()));
    lengths.chart.title = u"$\\lambda = 1/\\sqrt{d}$"_s;
    lengths.chart.x = lengthAxis();
    lengths.chart.y.title = u"Expected entropy $\\E H$ (nats)"_s;
    lengths.chart.y.range = {0, std::log(all.back()) * 1.02};
    lengths.chart.legend = Legend::None;
    lengths.chart.series = curves(
        density, all, [&](double length) { return row.entropy(length); },
        [&](double length) { return std::pair(length, usual); });
    if (stop.stop_requested())
        return failure(ErrorKind::Cancelled, "cancelled");
    Panel errors;
    errors.chart.title = u"Error at $\\lambda = 1/\\sqrt{d}$"_s;
    errors.chart.x = lengthAxis();
    errors.chart.y.title = u"Distance from exact (nats)"_s;
    errors.chart.y.log = true;
    errors.chart.legend = Legend::None;
    errors.chart.series = distances(lengths.chart.series);
    content.legend = scales.chart.series;
    for (ChartSeries& series : content.legend)
        series.points.clear();
    size_t column = 0;
    for (Panel* panel : {&scales, &lengths, &errors})
        addPanel(content, std::move(*panel), 0, column++);
    return content;
}

}  // namespace attnscope
