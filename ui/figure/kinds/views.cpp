// What the window shows of a scenario: one of its views, or several as an arrangement, heatmaps above charts. The charts are
// the window's own (analysis_charts.h).

#include "ui/figure/analysis_charts.h"
#include "ui/figure/kinds/kinds.h"
#include "ui/figure/kinds/support.h"

#include <algorithm>
#include <array>

namespace attnscope {

namespace {

constexpr std::array<std::string_view, 4> viewNames{"heatmaps", "entropy", "dispersion", "heads"};

struct ViewsOptions {
    std::vector<std::string> views{"heatmaps", "entropy", "dispersion"};
    QString dispersion = QStringLiteral("sorted");
    bool approximations = false, log = true;
    double decades = 4;

    bool has(std::string_view view) const { return std::find(views.begin(), views.end(), view) != views.end(); }
};

void readViews(ObjectReader& reader, std::vector<std::string>& views)
{
    const nlohmann::json* list = reader.field("views");
    if (!list)
        return;
    const auto isView = [](const nlohmann::json& one) { return one.is_string() && std::find(viewNames.begin(), viewNames.end(), one.get<std::string>()) != viewNames.end(); };
    if (!list->is_array() || list->empty() || !std::all_of(list->begin(), list->end(), isView))
        return reader.fail("parameters.views must be a list of heatmaps, entropy, dispersion and heads");
    views = list->get<std::vector<std::string>>();
}

Result<ViewsOptions> readViewsOptions(const Recipe& recipe)
{
    ViewsOptions options;
    ObjectReader reader(recipe.parameters, "parameters");
    readViews(reader, options.views);
    std::string dispersion = options.dispersion.toStdString();
    reader.text("dispersion", dispersion);
    options.dispersion = text(dispersion);
    reader.boolean("approximations", options.approximations);
    reader.boolean("log", options.log);
    reader.number("decades", options.decades, 0.5, 30);
    const auto kinds = dispersionKinds();
    if (std::none_of(kinds.begin(), kinds.end(), [&](const DispersionKind& kind) { return kind.id == options.dispersion; }))
        reader.fail("parameters.dispersion must be sorted, largest, top4, top16 or needle, not '" + dispersion + "'");
    return reader.finish().map([&] { return options; });
}

Panel chartPanel(ChartSpec chart, const QString& title)
{
    Panel panel;
    panel.chart = std::move(chart);
    if (panel.chart.title.isEmpty())
        panel.chart.title = title;
    return panel;
}

std::vector<Panel> chartPanels(const Analysis& analysis, const ViewsOptions& options)
{
    std::vector<Panel> panels;
    if (options.has("entropy"))
        panels.push_back(chartPanel(entropyChart(analysis, options.approximations), {}));
    if (options.has("dispersion"))
        panels.push_back(chartPanel(dispersionChart(analysis, options.dispersion),
                                    options.dispersion == QLatin1String("sorted") ? QStringLiteral("Weights of row %1").arg(analysis.scenario.view.row) : QString()));
    if (options.has("heads"))
        panels.push_back(chartPanel(headsChart(analysis), QStringLiteral("Every head")));
    return panels;
}

Result<std::vector<Panel>> mapPanels(const Analysis& analysis, const ViewsOptions& options, const Recipe& recipe)
{
    std::vector<std::shared_ptr<const PooledMap>> maps;
    std::vector<QString> titles;
    std::vector<std::vector<RowBand>> absent;
    for (const MethodAnalysis& method : analysis.methods)
        if (method.absent.empty()) {
            maps.push_back(figureMap(analysis, method));
            titles.push_back(symbolsIn(text(method.label)));
            absent.push_back(rowsWithoutValue(method.rows, analysis.sampledRows, analysis.queryCount));
        }
    if (maps.empty())
        return failure(ErrorKind::Undefined, "no method of this scenario has a heatmap");
    const auto scale = figureScale(maps, options.log, options.decades, recipe);
    if (!scale)
        return tl::unexpected<Error>(scale.error());
    std::vector<Panel> panels;
    for (size_t i = 0; i < maps.size(); ++i) {
        Panel panel = mapPanel(maps[i], *scale, titles[i]);
        panel.absent = std::move(absent[i]);
        panel.sharesAxes = true;
        panel.chart.x.title = QStringLiteral("Key $j$");
        panel.chart.y.title = QStringLiteral("Query $i$");
        panels.push_back(std::move(panel));
    }
    return panels;
}

/// Few panels go side by side; else charts stand below the maps and share their columns.
void arrange(FigureContent& content, size_t mapCount)
{
    const size_t count = content.panels.size(), charts = count - mapCount;
    const auto place = [&](size_t i, size_t row, size_t column, size_t span) {
        content.panels[i].row = static_cast<int>(row);
        content.panels[i].column = static_cast<int>(column);
        content.panels[i].columnSpan = static_cast<int>(span);
        if (count > 1)
            content.panels[i].chart.letter = panelLetter(i);
    };
    const size_t columns = charts == 0 || mapCount > 2 ? std::max<size_t>(mapCount <= 4 ? mapCount : mapCount <= 6 ? 3 : 4, charts) : count <= 3 ? count : 2;
    if (charts == 0 || mapCount <= 2) {
        for (size_t i = 0; i < count; ++i)
            place(i, i / columns, i % columns, 1);
        return;
    }
    for (size_t i = 0; i < mapCount; ++i)
        place(i, i / columns, i % columns, 1);
    size_t column = 0;
    for (size_t k = 0; k < charts; ++k) {
        const size_t span = columns / charts + (k < columns % charts ? 1 : 0);
        place(mapCount + k, (mapCount + columns - 1) / columns, column, span);
        content.panels[mapCount + k].aspect = span > 1 ? 0.5 : 0.85;
        column += span;
    }
}

Result<FigureContent> buildViews(const Recipe& recipe, std::stop_token stop)
{
    const auto options = readViewsOptions(recipe);
    if (!options)
        return tl::unexpected<Error>(options.error());
    const auto analysis = analyse(recipe.scenario, stop);
    if (!analysis)
        return tl::unexpected<Error>(analysis.error());
    if (options->has("heads") && analysis->heads.empty())
        return failure(ErrorKind::Undefined, "this scenario has no heads to show: they come with a file of tensors");
    FigureContent content;
    if (options->has("heatmaps")) {
        auto maps = mapPanels(*analysis, *options, recipe);
        if (!maps)
            return tl::unexpected<Error>(maps.error());
        content.bar = FigureBar{maps->front().scale, QStringLiteral("Weight")};
        content.panels = std::move(*maps);
    }
    const size_t mapCount = content.panels.size();
    for (Panel& panel : chartPanels(*analysis, *options))
        content.panels.push_back(std::move(panel));
    arrange(content, mapCount);
    if (options->has("entropy") || options->has("dispersion"))
        for (size_t i = 0; i < analysis->methods.size(); ++i)
            content.legend.push_back(methodSeries(analysis->methods[i].method, i));
    return content;
}

}  // namespace

FigureKind viewsKind()
{
    return {{"views", "Views of the window", "", "", "What the window shows of a scenario: heatmaps, entropy against n, dispersion, heads; one of them or several.", {}, {}, {}, {}}, buildViews, "heatmaps"};
}

}  // namespace attnscope
