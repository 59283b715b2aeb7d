// The entropy of one scale method on several sources of queries and keys: exact where it is known, and measured, with
// what the middle four fifths of the rows have.

#include "core/analysis/source.h"
#include "ui/figure/kinds/support.h"

namespace attnscope {

Result<FigureContent> buildEntropySources(const Recipe& recipe, std::stop_token stop)
{
    std::vector<Choice> sources;
    ObjectReader reader(recipe.parameters, "parameters");
    reader.choices("sources", sources, sourceEntries(), "source");
    if (sources.empty())
        reader.fail("parameters.sources is missing; give a list such as [\"gaussian\", \"dependent\"]");
    TRY(reader.finish());
    FigureContent content;
    ChartSpec& chart = content.panels.emplace_back().chart;
    chart.x = lengthAxis();
    chart.y.title = u"Expected entropy $\\E H$ (nats)"_s;
    chart.legend = Legend::TopLeft;
    int style = 0;
    for (const Choice& choice : sources) {
        Scenario scenario = recipe.scenario;
        scenario.source = choice;
        const auto analysis = TRY(analyse(scenario, stop));
        const QString label = symbolsIn(text(describeChoice(sourceEntries(), choice)));
        if (!analysis.methods.front().exact.empty())
            chart.series.push_back(fromCurve(analysis.methods.front().exact, label + u", exact"_s, style++));
        ChartSeries measured = fromCurve(analysis.methods.front().measured, label + u", sampled"_s, style++);
        measured.shape = ChartSeries::Shape::Points;
        chart.series.push_back(measured);
    }
    return content;
}

}  // namespace attnscope
