// The exact expected entropy of a row against n under each scale method; published scales beside.

#include "core/theory/expected_row.h"
#include "ui/figure/kinds/support.h"
#include "ui/plot/method_style.h"

namespace attnscope {

namespace {

/// E H at each (n, lambda): lambda that are not there leave gaps.
Result<ChartSeries> entropies(const LogitDensity& density, ChartSeries series, const std::vector<double>& n,
                              const std::vector<double>& lambda)
{
    std::vector<double> knownN, knownLambda;
    for (size_t i = 0; i < n.size(); ++i)
        if (std::isfinite(lambda[i])) {
            knownN.push_back(n[i]);
            knownLambda.push_back(lambda[i]);
        }
    const auto values = TRY(expectedCurve({"shannon", {}, {}}, density, knownN, knownLambda));
    for (size_t i = 0, known = 0; i < n.size(); ++i)
        series.points.push_back({n[i], std::isfinite(lambda[i]) ? values[known++] : std::nan("")});
    return series;
}

Result<ChartSeries> methodEntropies(size_t place, const LogitDensity& density, const Recipe& recipe,
                                    const std::vector<double>& n)
{
    const auto multiplier = TRY(multiplierOf(recipe.scenario.methods[place], recipe.scenario));
    std::vector<double> lambda;
    for (double length : n)
        lambda.push_back(multiplier(length).value_or(std::nan("")) /
                         (recipe.scenario.temperature * std::sqrt(static_cast<double>(recipe.scenario.d))));
    return entropies(density, methodSeries(recipe.scenario.methods, place), n, lambda);
}

}  // namespace

Result<FigureContent> buildEntropyCurves(const Recipe& recipe, std::stop_token stop)
{
    std::vector<std::int64_t> lengths;
    std::string law = "gaussian", published;
    bool logX = true;
    double aspect = 0.8;
    ObjectReader reader(recipe.parameters, "parameters");
    readLengths(reader, "lengths", lengths, "16:1e9:49");
    reader.text("density", law);
    reader.text("published", published);
    reader.boolean("log_x", logX);
    reader.number("aspect", aspect, 0.1, 10);
    TRY(reader.finish());

    const auto density = TRY(logitDensity(law, recipe.scenario.d));
    const std::vector<double> n(lengths.begin(), lengths.end());

    FigureContent content;
    Panel& panel = content.panels.emplace_back();
    panel.aspect = aspect;
    ChartSpec& chart = panel.chart;
    chart.x = lengthAxis();
    chart.x.log = logX;
    chart.y.title = u"Expected entropy $\\E H$ (nats)"_s;
    chart.legend = Legend::AtLineEnds;
    chart.series.push_back(entropyOfUniform(n));
    for (size_t i = 0; i < recipe.scenario.methods.size(); ++i) {
        if (stop.stop_requested())
            return failure(ErrorKind::Cancelled, "cancelled");
        chart.series.push_back(TRY(methodEntropies(i, density, recipe, n)));
    }
    if (!published.empty()) {
        const auto table = TRY(publishedTable(published));
        for (size_t row = 0; row < table.rows.size(); ++row) {
            ChartSeries points{.label = text(table.rows[row].name) + u", at its published $\\lambda$"_s,
                               .style = freeStyle(recipe.scenario.methods, static_cast<int>(row)),
                               .shape = ChartSeries::Shape::LinePoints};
            std::vector<double> lambda;
            for (size_t column = 0; column < table.columnValues.size(); ++column)
                lambda.push_back(table.rows[row].number(column).value_or(std::nan("")));
            chart.series.push_back(TRY(entropies(density, points, table.columnValues, lambda)));
        }
        content.footnote = citation({table}).replace(u"As published"_s, u"Published scale"_s) +
                           u" The entropies are exact for "_s + text(density.label) + u"."_s;
    }
    chart.lines.push_back(trainLengthLine(recipe.scenario));
    return content;
}

}  // namespace attnscope
