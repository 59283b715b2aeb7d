// Cosine attention: where its weight sits on the axis of cosines, against CosScale's alpha. Two kinds: the peak against
// alpha, theory and measured; and histograms above log heatmaps. Of the scenario's head, which is the same at every
// alpha; or of the networks that come with the program, each trained with its alpha.

#include "core/analysis/logit_histogram.h"
#include "core/analysis/source.h"
#include "core/model/model.h"
#include "core/theory/bounds.h"
#include "ui/figure/kinds/support.h"
#include "ui/plot/ticks.h"

#include <algorithm>

namespace attnscope {

namespace {

void readAlphas(ObjectReader& reader, std::vector<double>& alphas)
{
    reader.numbers("alphas", alphas, 0, 1e4);
    if (alphas.empty() || std::ranges::find(alphas, 0.0) != alphas.end())
        reader.fail("parameters.alphas must be a list of numbers above 0, up to 10000");
}

Scenario withAlpha(Scenario scenario, double alpha)
{
    scenario.attention.kernel = {"cosine", {{"alpha", alpha}}, {}};
    return scenario;
}

/// The network that comes with the program and was trained with that alpha.
std::string networkOf(double alpha) { return "cosine" + formatNumber(alpha); }

/// A layer of it, on the text that shipped heads are of.
Scenario ofNetwork(Scenario scenario, double alpha, int layer)
{
    const std::string prefix = "layer" + std::to_string(layer);
    scenario.source = {"tensors", {}, {}};
    scenario.tensors = {.path = networkOf(alpha),
                        .query = prefix + ".q_pre_rope",
                        .key = prefix + ".k_pre_rope",
                        .layout = {},
                        .holds = {},
                        .head = scenario.tensors.head};
    return withAlpha(std::move(scenario), alpha);
}

/// A network of each alpha comes with the program, and its heads have so many tokens. Errors: InvalidArgument.
Result<void> checkTrained(const std::vector<double>& alphas, std::int64_t n)
{
    for (const double alpha : alphas) {
        const ShippedModel* network = findShippedModel(networkOf(alpha));
        if (!network)
            return failure(ErrorKind::InvalidArgument, "parameters.alphas: no network with alpha = " +
                                                           formatNumber(alpha) + " comes with the program, which has " +
                                                           joined(shippedModels(), ", ", &ShippedModel::id));
        if (n > network->headTokens)
            return failure(ErrorKind::InvalidArgument, "heads of trained networks have " +
                                                           std::to_string(network->headTokens) + " tokens, not " +
                                                           std::to_string(n) + "; ask for so many or fewer");
    }
    return {};
}

/// The histogram of the cosines of such a scenario, weighted by attention, over rows spread evenly through the matrix:
/// of one head of `source`.
Result<LogitHistogram> cosines(const Source& source, int which, const Scenario& scenario, double alpha, int rowCount,
                               int bins)
{
    const AttentionHead head = TRY(prepareHead(source.heads, which, scenario.attention));
    std::vector<std::int64_t> rows;
    for (int i = 0; i < rowCount; ++i)
        rows.push_back(head.queryCount() * (2 * i + 1) / (2 * rowCount));
    auto histogram =
        logitHistogram(head, scenario.attention.normaliser, 1 / scenario.temperature, rows, -alpha, alpha, bins);
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
    panel.sharesAxes = true;
    ChartSpec& chart = panel.chart;
    chart.x.title = u"$\\cos \\theta$"_s;
    chart.x.range = {-1, 1};
    chart.x.ticks = {{-1, u"−1"_s}, {0, u"0"_s}, {1, u"1"_s}};
    chart.y.title = u"Share of weight"_s;
    chart.legend = Legend::None;
    ChartSeries bars{.label = u"share of weight"_s, .shape = ChartSeries::Shape::Bars, .colour = colour};
    for (size_t bin = 0; bin < histogram.share.size(); ++bin)
        bars.points.push_back({histogram.centre(bin), histogram.share[bin]});
    chart.series.push_back(bars);
    return panel;
}

}  // namespace

constexpr int pointsOfTheory = 264;

Result<FigureContent> buildCosinePeak(const Recipe& recipe, std::stop_token stop)
{
    std::vector<double> alphas{8, 16, 32, 64, 96, 128, 192, 256};
    std::vector<std::int64_t> lengths{256, 4096};
    int rows = 64, bins = 100;
    bool trained = false;
    ObjectReader reader(recipe.parameters, "parameters");
    readAlphas(reader, alphas);
    readLengths(reader, "lengths", lengths);
    reader.number("rows", rows, 1, 100000);
    reader.number("bins", bins, 2, 100000);
    reader.boolean("trained", trained);
    TRY(reader.finish());
    if (trained)
        TRY(checkTrained(alphas, lengths.empty() ? 0 : *std::ranges::max_element(lengths)));
    const int layers = trained ? TRY(openModel(networkOf(alphas.front()))).architecture.layers : 1;
    const double last = *std::ranges::max_element(alphas) * 33 / 32;

    FigureContent content;
    ChartSpec& chart = content.panels.emplace_back().chart;
    chart.x.title = u"CosScale $\\alpha$"_s;
    chart.x.range = {0, last};
    chart.y.title = u"Cosine where attention peaks, $x^\\star$"_s;
    chart.y.range = {0, 1};
    chart.legend = Legend::Below;
    ChartSeries theory{.label = u"Theory, $n \\to \\infty$"_s, .style = 0};
    for (int i = 1; i <= pointsOfTheory; ++i)
        theory.points.push_back({last * i / pointsOfTheory, cosinePeak(last * i / pointsOfTheory, recipe.scenario.d)});
    chart.series.push_back(theory);
    /// Of all heads of what `scenarioOf` says of each alpha.
    const auto addModes = [&](const QString& label, auto scenarioOf) -> Result<void> {
        ChartSeries points{
            .label = label, .style = static_cast<int>(chart.series.size()), .shape = ChartSeries::Shape::Points};
        for (const double alpha : alphas) {
            const Scenario scenario = scenarioOf(alpha);
            const Source source = TRY(openSource(scenario, scenario.n, scenario.n));
            for (int head = 0; head < source.heads.headCount(); ++head) {
                if (stop.stop_requested())
                    return failure(ErrorKind::Cancelled, "cancelled");
                points.points.push_back({alpha, TRY(cosines(source, head, scenario, alpha, rows, bins)).mode()});
            }
        }
        chart.series.push_back(std::move(points));
        return {};
    };
    for (const std::int64_t n : lengths) {
        Scenario scenario = recipe.scenario;
        scenario.n = n;
        const QString tokens = u"$n$ = "_s + countText(static_cast<double>(n));
        const auto random = [&](double alpha) { return withAlpha(scenario, alpha); };
        if (!trained)
            TRY(addModes(u"Histogram mode, "_s + tokens, random));
        for (int layer = 0; trained && layer < layers; ++layer)
            TRY(addModes(u"Trained heads, layer %1, %2"_s.arg(layer).arg(tokens),
                         [&](double alpha) { return ofNetwork(scenario, alpha, layer); }));
        if (trained && n == lengths.back()) {
            TRY(addModes(u"Random directions, "_s + tokens, random));
            chart.series.back().open = true;
        }
    }
    return content;
}

Result<FigureContent> buildCosineAngles(const Recipe& recipe, std::stop_token stop)
{
    std::vector<double> alphas{8, 16, 32, 64, 128, 256};
    int rows = 64, bins = 40, layer = -1;
    double decades = 6;
    ObjectReader reader(recipe.parameters, "parameters");
    readAlphas(reader, alphas);
    reader.number("rows", rows, 1, 100000);
    reader.number("bins", bins, 2, 1000);
    reader.number("decades", decades, 0.5, 30);
    reader.number("trained_layer", layer, 0, 1000);
    TRY(reader.finish());
    const bool trained = layer >= 0;
    if (trained)
        TRY(checkTrained(alphas, recipe.scenario.n));

    FigureContent content;
    std::vector<std::shared_ptr<const PooledMap>> maps;
    double highest = 0;
    for (size_t i = 0; i < alphas.size(); ++i) {
        const Scenario scenario =
            trained ? ofNetwork(recipe.scenario, alphas[i], layer) : withAlpha(recipe.scenario, alphas[i]);
        const Source source = TRY(openSource(scenario, scenario.n, scenario.n));
        const auto histogram =
            TRY(cosines(source, trained ? scenario.tensors.head : 0, scenario, alphas[i], rows, bins));
        const auto analysis = TRY(analyse(scenario, stop));
        maps.push_back(maskedMap(analysis, analysis.methods.front()));
        content.columnTitles.push_back(u"$\\alpha = %1$"_s.arg(alphas[i]));
        for (double share : histogram.share)
            highest = std::max(highest, share);
        addPanel(content, histogramPanel(histogram, ordinalColour(i, alphas.size(), recipe)), 0, i, i == 0);
    }
    for (Panel& panel : content.panels)
        panel.chart.y.range = {0, highest * 1.05};
    const auto shared = TRY(figureScale(maps, true, decades, recipe));
    for (size_t i = 0; i < maps.size(); ++i) {
        Panel panel = weightsPanel(maps[i], shared, QString());
        panel.chart.x.ticks.erase(panel.chart.x.ticks.begin() + 1);
        if (i == 0)
            panel.chart.letter = panelLetter(1);
        addPanel(content, std::move(panel), 1, i, false);
    }
    content.bars = {{shared, u"Weight"_s}};
    return content;
}

}  // namespace attnscope
