// Entropy against n, head by head: of a tensors file (scenario.tensors.path), or of synthetic heads of several kinds.
// The line above all is ln n, which no row can exceed.

#include "core/analysis/length_statistics.h"
#include "core/analysis/source.h"
#include "ui/figure/kinds/support.h"
#include "ui/plot/ticks.h"

#include <algorithm>

namespace attnscope {

namespace {

/// Mean row entropy of one head at every length that it has.
Result<ChartSeries> curveOf(const HeadSet& heads, int head, const Scenario& scenario, std::vector<std::int64_t> lengths,
                            std::stop_token stop)
{
    std::erase_if(lengths, [&](std::int64_t n) { return n > heads.keyCount(); });
    LengthRequest request;
    request.attention = scenario.attention;
    request.methods = {scenario.methods.front()};
    request.lengths = lengths;
    request.nTrain = scenario.nTrain;
    request.temperature = scenario.temperature;
    request.engine = scenario.engine;
    const auto statistics = TRY(lengthStatistics(heads, head, request, stop));
    ChartSeries series;
    for (const LengthStatistics& one : statistics)
        series.points.push_back({static_cast<double>(one.n), entropyMean(one.rows).mean});
    return series;
}

}  // namespace

Result<FigureContent> buildHeadEntropy(const Recipe& recipe, std::stop_token stop)
{
    std::vector<std::int64_t> lengths;
    std::vector<Choice> sources;
    ObjectReader reader(recipe.parameters, "parameters");
    readLengths(reader, "lengths", lengths, "16:2048:x2");
    reader.choices("sources", sources, sourceEntries(), "source");
    TRY(reader.finish());

    if (recipe.scenario.methods.empty())
        return failure(ErrorKind::InvalidArgument, "scenario.methods is empty; name one scale method");
    Scenario scenario = recipe.scenario;
    const bool fromFile = !scenario.tensors.path.empty();
    if (fromFile)
        scenario.source = {"tensors", {}, {}};
    if (fromFile || sources.empty())
        sources = {scenario.source};
    const std::int64_t longest = *std::max_element(lengths.begin(), lengths.end());

    FigureContent content;
    ChartSpec& chart = content.panels.emplace_back().chart;
    chart.x = lengthAxis();
    chart.y.title = u"Mean entropy of all rows (nats)"_s;
    chart.legend = Legend::AtLineEnds;
    chart.series.push_back(entropyOfUniform({lengths.begin(), lengths.end()}));
    for (const Choice& choice : sources) {
        scenario.source = choice;
        const auto source = TRY(openSource(scenario, longest, longest));
        const std::int64_t tokens = source.heads.keyCount(), shortest = *std::ranges::min_element(lengths);
        if (tokens < shortest)
            return failure(ErrorKind::InvalidArgument,
                           "the heads have {} tokens, and parameters.lengths begins at {}; give shorter ones", tokens,
                           shortest);
        if (tokens < longest)
            content.footnote =
                u"The heads have %1 tokens; what lies beyond is left out."_s.arg(countText(double(tokens)));
        for (int head = 0; head < source.heads.headCount(); ++head) {
            auto series = TRY(curveOf(source.heads, head, scenario, lengths, stop));
            series.label = fromFile ? u"Head %1"_s.arg(head) : symbolsIn(text(describeChoice(sourceEntries(), choice)));
            series.style = static_cast<int>(chart.series.size()) - 1;
            chart.series.push_back(series);
        }
    }
    return content;
}

}  // namespace attnscope
