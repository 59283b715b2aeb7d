// Cosine attention: where its weight sits on the axis of cosines, against CosScale's alpha. Two kinds: the peak against alpha,
// theory and measured; and histograms above log heatmaps.

#include "core/analysis/logit_histogram.h"
#include "core/analysis/source.h"
#include "core/theory/bounds.h"
#include "ui/figure/kinds/kinds.h"
#include "ui/figure/kinds/support.h"

#include <algorithm>

namespace attnscope {

namespace {

void readAlphas(ObjectReader& reader, std::vector<double>& alphas)
{
    const nlohmann::json* list = reader.field("alphas");
    if (!list)
        return;
    alphas.clear();
    for (const nlohmann::json& alpha : *list)
        alphas.push_back(alpha.is_number() ? alpha.get<double>() : 0);
    for (double alpha : alphas)
        if (!(alpha > 0))
            return reader.fail("parameters.alphas must be numbers above 0");
}

Scenario withAlpha(Scenario scenario, double alpha)
{
    scenario.attention.kernel = {"cosine", {{"alpha", alpha}}, {}};
    return scenario;
}

/// The histogram of cosines, weighted by attention, over rows spread evenly through the matrix.
Result<LogitHistogram> cosines(const Scenario& scenario, double alpha, int rowCount, int bins)
{
    const Source source = TRY(openSource(scenario, scenario.n, scenario.n));
    const AttentionHead head = TRY(prepareHead(source.heads, 0, withAlpha(scenario, alpha).attention));
    std::vector<std::int64_t> rows;
    for (int i = 0; i < rowCount; ++i)
        rows.push_back(head.queryCount() * (2 * i + 1) / (2 * rowCount));
    auto histogram = logitHistogram(head, scenario.attention.normaliser, 1 / scenario.temperature, rows, -alpha, alpha, bins);
    if (histogram) {
        histogram->low = -1;
        histogram->high = 1;
    }
    return histogram;
}

Panel histogramPanel(const LogitHistogram& histogram, const QColor& colour)
{
    Panel panel;
    panel.aspect = 0.6;
    ChartSpec& chart = panel.chart;
    chart.x.title = QStringLiteral("$\\cos \\theta$");
    chart.x.range = {-1, 1};
    chart.x.ticks = {{-1, QStringLiteral("−1")}, {0, QStringLiteral("0")}, {1, QStringLiteral("1")}};
    chart.legend = Legend::None;
    ChartSeries bars;
    bars.label = QStringLiteral("share of weight");
    bars.shape = ChartSeries::Shape::Bars;
    bars.colour = colour;
    for (size_t bin = 0; bin < histogram.share.size(); ++bin)
        bars.points.push_back({histogram.centre(bin), histogram.share[bin]});
    chart.series.push_back(bars);
    return panel;
}

}  // namespace

Result<FigureContent> buildCosinePeak(const Recipe& recipe, std::stop_token stop)
{
    std::vector<double> alphas{8, 16, 32, 64, 96, 128, 192, 256};
    std::vector<std::int64_t> lengths{256, 4096};
    int rows = 64, bins = 100;
    ObjectReader reader(recipe.parameters, "parameters");
    readAlphas(reader, alphas);
    readLengths(reader, "lengths", lengths);
    reader.number("rows", rows, 1, 100000);
    reader.number("bins", bins, 2, 100000);
    TRY(reader.finish());

    FigureContent content;
    Panel panel;
    ChartSpec& chart = panel.chart;
    chart.x.title = QStringLiteral("CosScale $\\alpha$");
    chart.x.range = {0, 264};
    chart.y.title = QStringLiteral("Cosine where attention peaks, $x^\\star$");
    chart.y.range = {0, 1};
    chart.legend = Legend::Below;
    ChartSeries theory;
    theory.label = QStringLiteral("Theory, $n \\to \\infty$");
    theory.style = 0;
    for (int i = 1; i <= 264; ++i)
        theory.points.push_back({static_cast<double>(i), cosinePeak(i, recipe.scenario.d)});
    chart.series.push_back(theory);
    for (size_t k = 0; k < lengths.size(); ++k) {
        ChartSeries points;
        points.label = QStringLiteral("Histogram mode, $n = %1$").arg(lengths[k]);
        points.style = static_cast<int>(k + 1);
        points.shape = ChartSeries::Shape::Points;
        Scenario scenario = recipe.scenario;
        scenario.n = lengths[k];
        for (double alpha : alphas) {
            if (stop.stop_requested())
                return failure(ErrorKind::Cancelled, "cancelled");
            const auto histogram = TRY(cosines(scenario, alpha, rows, bins));
            points.points.push_back({alpha, histogram.mode()});
        }
        chart.series.push_back(points);
    }
    content.panels.push_back(std::move(panel));
    return content;
}

Result<FigureContent> buildCosineAngles(const Recipe& recipe, std::stop_token stop)
{
    std::vector<double> alphas{8, 16, 32, 64, 128, 256};
    int rows = 64, bins = 40;
    double decades = 6;
    ObjectReader reader(recipe.parameters, "parameters");
    readAlphas(reader, alphas);
    reader.number("rows", rows, 1, 100000);
    reader.number("bins", bins, 2, 1000);
    reader.number("decades", decades, 0.5, 30);
    TRY(reader.finish());

    FigureContent content;
    std::vector<std::shared_ptr<const PooledMap>> maps;
    double highest = 0;
    for (size_t i = 0; i < alphas.size(); ++i) {
        const auto histogram = TRY(cosines(recipe.scenario, alphas[i], rows, bins));
        const auto analysis = TRY(analyse(withAlpha(recipe.scenario, alphas[i]), stop));
        maps.push_back(maskedMap(analysis, analysis.methods.front()));
        Panel panel = histogramPanel(histogram, ordinalColour(i, alphas.size(), recipe));
        panel.column = static_cast<int>(i);
        panel.sharesAxes = true;
        content.columnTitles.push_back(QStringLiteral("$\\alpha = %1$").arg(alphas[i]));
        panel.chart.y.title = QStringLiteral("Share of weight");
        if (i == 0)
            panel.chart.letter = panelLetter(0);
        for (double share : histogram.share)
            highest = std::max(highest, share);
        content.panels.push_back(std::move(panel));
    }
    for (Panel& panel : content.panels)
        panel.chart.y.range = {0, highest * 1.05};
    const auto shared = TRY(figureScale(maps, true, decades, recipe));
    for (size_t i = 0; i < maps.size(); ++i) {
        Panel panel = mapPanel(maps[i], shared, QString());
        panel.row = 1;
        panel.column = static_cast<int>(i);
        panel.chart.x.title = QStringLiteral("Key $j$");
        panel.chart.x.ticks.erase(panel.chart.x.ticks.begin() + 1);
        panel.chart.y.title = QStringLiteral("Query $i$");
        panel.sharesAxes = true;
        if (i == 0)
            panel.chart.letter = panelLetter(1);
        content.panels.push_back(std::move(panel));
    }
    content.bars = {{shared, QStringLiteral("Weight")}};
    return content;
}

}  // namespace attnscope
