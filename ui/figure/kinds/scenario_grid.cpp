// The same scenario with changes, side by side: each panel is the first method's heatmap of the scenario after its own
// changes (fields as in a recipe), with an enlarged part where one is asked for.

#include "core/analysis/scenario_json.h"
#include "ui/figure/kinds/kinds.h"
#include "ui/figure/kinds/support.h"
#include "ui/plot/heatmap_paint.h"

#include <algorithm>

namespace attnscope {

namespace {

struct Variant {
    std::string label;
    Scenario scenario;
};

struct Options {
    std::vector<Variant> variants;
    int columns = 0;
    double decades = 4;
    bool log = true;
};

Result<Variant> variantFrom(const nlohmann::json& object, const std::string& path, const Recipe& recipe)
{
    Variant variant;
    ObjectReader reader(object, path);
    reader.text("label", variant.label);
    nlohmann::json scenario = toJson(recipe.scenario);
    if (const nlohmann::json* changes = reader.field("scenario"))
        scenario.merge_patch(*changes);
    if (auto read = scenarioFromJson(scenario, path + ".scenario"))
        variant.scenario = *read;
    else
        reader.fail(read.error());
    return reader.finish().map([&] { return variant; });
}

Result<Options> readOptions(const Recipe& recipe)
{
    Options options;
    ObjectReader reader(recipe.parameters, "parameters");
    reader.number("columns", options.columns, 0, 12);
    reader.number("decades", options.decades, 0.5, 30);
    reader.boolean("log", options.log);
    if (const nlohmann::json* list = reader.field("variants"))
        for (size_t i = 0; i < list->size(); ++i) {
            auto variant = variantFrom((*list)[i], "parameters.variants[" + std::to_string(i) + "]", recipe);
            if (!variant)
                return tl::unexpected<Error>(variant.error());
            options.variants.push_back(*variant);
        }
    if (options.variants.empty())
        reader.fail("parameters.variants is missing; give a list of {\"label\": ..., \"scenario\": {changes}}");
    if (options.columns == 0)
        options.columns = static_cast<int>(std::min<size_t>(4, options.variants.size()));
    return reader.finish().map([&] { return options; });
}

Result<FigureContent> build(const Recipe& recipe, std::stop_token stop)
{
    const auto options = readOptions(recipe);
    if (!options)
        return tl::unexpected<Error>(options.error());
    std::vector<std::shared_ptr<const PooledMap>> maps;
    for (const Variant& variant : options->variants) {
        const auto analysis = analyse(variant.scenario, stop);
        if (!analysis)
            return tl::unexpected<Error>(analysis.error());
        if (analysis->methods.empty() || !analysis->methods.front().absent.empty())
            return failure(ErrorKind::Undefined, variant.label + ": the first method has no value here");
        maps.push_back(figureMap(*analysis, analysis->methods.front()));
    }
    const auto shared = figureScale(maps, options->log, options->decades, recipe);
    if (!shared)
        return tl::unexpected<Error>(shared.error());
    FigureContent content;
    for (size_t i = 0; i < maps.size(); ++i) {
        Panel panel = mapPanel(maps[i], *shared, toQt(options->variants[i].label));
        panel.row = static_cast<int>(i) / options->columns;
        panel.column = static_cast<int>(i) % options->columns;
        panel.sharesAxes = true;
        panel.chart.letter = panelLetter(i);
        panel.chart.x.title = QStringLiteral("Key $j$");
        panel.chart.y.title = QStringLiteral("Query $i$");
        content.panels.push_back(std::move(panel));
    }
    content.bar = ColourBar{*shared, QStringLiteral("Weight")};
    return content;
}

}  // namespace

FigureKind scenarioGridKind()
{
    return {{"scenario_grid", "Heatmaps of several scenarios", "", "", "One heatmap for each of a list of changes to the scenario.", {}, {}, {}, {}}, build};
}

}  // namespace attnscope
