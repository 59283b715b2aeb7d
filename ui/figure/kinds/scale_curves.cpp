// Scale methods against n: multipliers, their ratio to the one at N, or the factor lambda on q.k; published points
// beside.

#include "ui/figure/kinds/support.h"
#include "ui/plot/method_style.h"

#include <array>

namespace attnscope {

namespace {

constexpr std::array<std::string_view, 3> quantities{"ratio", "multiplier", "lambda"};
constexpr std::array<std::string_view, 4> legends{"line_ends", "top_left", "bottom_right", "below"};
constexpr std::array<Legend, 4> legendOf{Legend::AtLineEnds, Legend::TopLeft, Legend::BottomRight, Legend::Below};

struct ScaleCurvesOptions {
    size_t quantity = 0, legend = 0;
    std::vector<std::int64_t> lengths;
    bool logX = true, logY = true, markTraining = true;
    double aspect = 0.66;
    std::string published;
};

Result<ScaleCurvesOptions> readScaleCurvesOptions(const Recipe& recipe)
{
    ScaleCurvesOptions options;
    ObjectReader reader(recipe.parameters, "parameters");
    reader.word("quantity", options.quantity, quantities);
    reader.word("legend", options.legend, legends);
    readLengths(reader, "lengths", options.lengths, "16:65536:x2");
    reader.boolean("log_x", options.logX);
    reader.boolean("log_y", options.logY);
    reader.boolean("mark_training", options.markTraining);
    reader.number("aspect", options.aspect, 0.1, 10);
    reader.text("published", options.published);
    return reader.finish().map([&] { return options; });
}

QString ordinate(size_t quantity)
{
    switch (quantity) {
    case 0:
        return u"Multiplier relative to training, $m(n)/m(N)$"_s;
    case 1:
        return u"Multiplier $m(n)$"_s;
    default:
        return u"Scale $\\lambda(n) = m(n)/\\sqrt{d}$"_s;
    }
}

Result<ChartSeries> seriesOf(size_t place, const Recipe& recipe, const ScaleCurvesOptions& options)
{
    const auto multiplier = TRY(multiplierOf(recipe.scenario.methods[place], recipe.scenario));
    const double unit = options.quantity == 0   ? TRY(multiplier(recipe.scenario.nTrain))
                        : options.quantity == 2 ? std::sqrt(static_cast<double>(recipe.scenario.d))
                                                : 1;
    return sampled(methodSeries(recipe.scenario.methods, place), {options.lengths.begin(), options.lengths.end()},
                   [&](double n) { return multiplier(n).value_or(std::nan("")) / unit; });
}

}  // namespace

Result<FigureContent> buildScaleCurves(const Recipe& recipe, std::stop_token stop)
{
    const auto options = TRY(readScaleCurvesOptions(recipe));
    FigureContent content;
    Panel& panel = content.panels.emplace_back();
    panel.aspect = options.aspect;
    ChartSpec& chart = panel.chart;
    chart.x = lengthAxis();
    chart.x.log = options.logX;
    chart.y.title = ordinate(options.quantity);
    chart.y.log = options.logY;
    chart.legend = legendOf[options.legend];
    if (options.markTraining)
        chart.lines.push_back(trainLengthLine(recipe.scenario));
    for (size_t i = 0; i < recipe.scenario.methods.size(); ++i) {
        if (stop.stop_requested())
            return failure(ErrorKind::Cancelled, "cancelled");
        chart.series.push_back(TRY(seriesOf(i, recipe, options)));
    }
    if (!options.published.empty()) {
        if (options.quantity != 2)
            return failure(ErrorKind::InvalidArgument,
                           "parameters.published is of \u03BB; it stands beside parameters.quantity \"lambda\" alone");
        const auto table = TRY(publishedTable(options.published));
        for (size_t row = 0; row < table.rows.size(); ++row) {
            ChartSeries points{.label = text(table.rows[row].name + ", as published"),
                               .style = freeStyle(recipe.scenario.methods, static_cast<int>(row)),
                               .shape = ChartSeries::Shape::Points};
            for (size_t column = 0; column < table.columnValues.size(); ++column)
                if (const auto value = table.rows[row].number(column))
                    points.points.push_back({table.columnValues[column], *value});
            chart.series.push_back(points);
        }
        content.footnote = citation({table});
    }
    return content;
}

}  // namespace attnscope
