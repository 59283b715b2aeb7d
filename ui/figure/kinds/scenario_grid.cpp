// The same scenario with changes, side by side: each panel is the first method's heatmap of the scenario after its own
// changes (fields as in a recipe), with an enlarged part where one is asked for.

#include "core/analysis/scenario_json.h"
#include "ui/figure/kinds/support.h"

#include <algorithm>
#include <optional>

namespace attnscope {

namespace {

struct Variant {
    std::string label;
    Scenario scenario;
    std::optional<Region> mark;
    std::string markLabel;
};

/// A square of tokens, [first, end): of keys and of queries.
std::optional<Region> regionFrom(const nlohmann::json& range, const std::string& path, ObjectReader& reader)
{
    if (!range.is_array() || range.size() != 2 || !range[0].is_number_integer() || !range[1].is_number_integer() ||
        range[0].get<std::int64_t>() >= range[1].get<std::int64_t>()) {
        reader.fail(path + " must be [first, end], whole numbers with first < end");
        return std::nullopt;
    }
    const auto first = range[0].get<std::int64_t>(), end = range[1].get<std::int64_t>();
    return Region{first, end, first, end};
}

/// An open square about the marked tokens, large enough to be seen, and its name at its upper right.
void addMark(Panel& panel, const Region& mark, const QString& label)
{
    ChartSeries series{.style = 1,
                       .shape = ChartSeries::Shape::Points,
                       .open = true,
                       .points = {{static_cast<double>(mark.columnBegin + mark.columnEnd) / 2,
                                   static_cast<double>(mark.rowBegin + mark.rowEnd) / 2}}};
    const double away = 0.015 * static_cast<double>(panel.map->region.columnEnd - panel.map->region.columnBegin);
    panel.chart.notes.push_back(
        {series.points[0].x + away, series.points[0].y - away, label, Qt::AlignLeft | Qt::AlignBottom, series.style});
    panel.chart.series.push_back(std::move(series));
}

Result<Variant> variantFrom(const nlohmann::json& object, const std::string& path, const Recipe& recipe)
{
    Variant variant;
    ObjectReader reader(object, path);
    reader.text("label", variant.label);
    reader.text("mark_label", variant.markLabel);
    if (const nlohmann::json* mark = reader.field("mark"))
        variant.mark = regionFrom(*mark, path + ".mark", reader);
    nlohmann::json scenario = toJson(recipe.scenario);
    if (const nlohmann::json* changes = reader.field("scenario"))
        scenario.merge_patch(*changes);
    if (auto read = scenarioFromJson(scenario, path + ".scenario"))
        variant.scenario = *read;
    else
        reader.fail(read.error());
    return reader.finish().map([&] { return variant; });
}

}  // namespace

Result<FigureContent> buildScenarioGrid(const Recipe& recipe, std::stop_token stop)
{
    std::vector<Variant> variants;
    std::vector<std::string> columnTitles, rowTitles;
    size_t columns = 0;
    double decades = 4;
    bool log = true;
    ObjectReader reader(recipe.parameters, "parameters");
    reader.number("columns", columns, 0, 12);
    reader.number("decades", decades, 0.5, 30);
    reader.boolean("log", log);
    reader.texts("column_titles", columnTitles);
    reader.texts("row_titles", rowTitles);
    if (const nlohmann::json* list = reader.field("variants"); list && list->is_array())
        for (size_t i = 0; i < list->size(); ++i)
            variants.push_back(TRY(variantFrom((*list)[i], "parameters.variants[" + std::to_string(i) + "]", recipe)));
    if (variants.empty())
        reader.fail("parameters.variants is missing; give a list of {\"label\": ..., \"scenario\": {changes}}");
    TRY(reader.finish());
    if (columns == 0)
        columns = std::min<size_t>(4, variants.size());
    std::vector<std::shared_ptr<const PooledMap>> maps;
    for (const Variant& variant : variants) {
        const auto analysis = TRY(analyse(variant.scenario, stop));
        if (analysis.methods.empty())
            return failure(ErrorKind::InvalidArgument,
                           variant.label + ": scenario.methods is empty; name at least one scale method");
        if (const MethodAnalysis& first = analysis.methods.front(); !first.absent.empty())
            return failure(ErrorKind::Undefined, variant.label + ": " + first.label + ": " + first.absent +
                                                     "; name another method first, or another n");
        maps.push_back(maskedMap(analysis, analysis.methods.front()));
    }
    const auto shared = TRY(figureScale(maps, log, decades, recipe));
    FigureContent content;
    for (const std::string& title : columnTitles)
        content.columnTitles.push_back(text(title));
    for (const std::string& title : rowTitles)
        content.rowTitles.push_back(text(title));
    for (size_t i = 0; i < maps.size(); ++i) {
        Panel panel = weightsPanel(maps[i], shared, text(variants[i].label));
        if (variants[i].mark)
            addMark(panel, *variants[i].mark, text(variants[i].markLabel));
        addPanel(content, std::move(panel), i / columns, i % columns, columnTitles.empty());
    }
    content.bars = {{shared, u"Weight"_s}};
    return content;
}

}  // namespace attnscope
