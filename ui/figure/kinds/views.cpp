// What the window shows of a scenario: one of its views, or several as an arrangement, heatmaps above charts. The
// charts are the window's own (analysis_charts.h).

#include "core/analysis/scenario_json.h"
#include "core/analysis/scenario_words.h"
#include "core/base/text.h"
#include "core/document/look_json.h"
#include "ui/figure/chart_look.h"
#include "ui/figure/counted_rows.h"
#include "ui/figure/explore_charts.h"
#include "ui/figure/kinds/support.h"
#include "ui/figure/map_pictures.h"
#include "ui/figure/views_recipe.h"
#include "ui/plot/ticks.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace attnscope {

namespace {

/// The maps and every chart.
std::vector<std::string> mapsAndCharts()
{
    std::vector<std::string> names{"heatmaps"};
    for (const ExploreChart& chart : exploreCharts())
        names.push_back(chart.id);
    return names;
}

std::vector<std::string> viewNames()
{
    std::vector<std::string> names = mapsAndCharts();
    names.push_back("heads");
    return names;
}

struct ViewsOptions {
    std::vector<std::string> views = mapsAndCharts();
    double decades = 0;  ///< below the largest weight; 0: as many as the window shows
    std::optional<MethodPair> difference;
    Look look;  ///< what of it is painted

    bool has(std::string_view view) const { return std::find(views.begin(), views.end(), view) != views.end(); }
};

bool isView(const std::string& name)
{
    const auto names = viewNames();
    return std::ranges::find(names, name) != names.end();
}

bool isDispersion(const std::string& id)
{
    return std::ranges::any_of(dispersionKinds(),
                               [&](const DispersionKind& kind) { return kind.id.toStdString() == id; });
}

template <class Fields, class Options>
void optionsFields(Fields& fields, Options& options, const std::vector<Choice>& methods)
{
    fields.texts("views", options.views);
    fields.require("views", !options.views.empty() && std::ranges::all_of(options.views, isView),
                   "be a list of " + joined(viewNames(), ", "));
    auto& look = options.look;
    fields.text("dispersion", look.dispersion);
    fields.require("dispersion", isDispersion(look.dispersion),
                   "be sorted, largest, top4, top16 or needle, not '" + look.dispersion + "'");
    fields.boolean("approximations", look.approximations);
    fields.boolean("theory", look.theory);
    fields.boolean("all_heads", look.allHeads);
    fields.boolean("log", look.maps.log);
    fields.number("decades", options.decades, 0, 30);
    const auto rises = [](const auto& pair) { return !pair || pair->first < pair->second; };
    fields.pair("pinned", look.maps.pinned, 0, 1e300);
    fields.require("pinned", rises(look.maps.pinned), "rise");
    fields.pair("pinned_difference", look.maps.pinnedDifference, -1e300, 1e300);
    fields.require("pinned_difference", rises(look.maps.pinnedDifference), "rise");
    sidesField(fields, "difference", options.difference, methods);
    fields.objects("pins", look.pins, "scenarios", Look::mostPins,
                   [](auto& one, auto& pin) { scenarioFields(one, pin); });
    annotationsField(fields, look.annotations);
    zoomsField(fields, look.zooms);
}

Result<ViewsOptions> readViewsOptions(const Recipe& recipe)
{
    ViewsOptions options;
    ObjectReader reader(recipe.parameters, "parameters");
    optionsFields(reader, options, recipe.scenario.methods);
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

/// Theory has no rows, and so no weights of one.
bool isEmpty(const ChartSpec& chart)
{
    return std::ranges::all_of(chart.series, [](const ChartSeries& series) { return series.points.empty(); });
}

/// Those that have anything to show.
std::vector<Panel> chartPanels(const Analysis& analysis, const std::vector<Analysis>& pins, const ViewsOptions& options)
{
    const Look& look = options.look;
    std::vector<Panel> panels;
    for (const ExploreChart& one : exploreCharts())
        if (options.has(one.id)) {
            ChartSpec chart = one.chart(analysis, look);
            if (isEmpty(chart))
                continue;
            if (one.showsMethods(analysis, look))
                for (size_t i = 0; i < pins.size(); ++i)  // numbered as in the window
                    addGhost(chart, one.ofPin(pins[i], look), static_cast<int>(i) + 1);
            panels.push_back(chartPanel(withLook(std::move(chart), look, one.name(analysis.scenario, look)),
                                        one.printed(analysis, look)));
        }
    if (options.has("heads"))
        panels.push_back(chartPanel(headsChart(analysis), u"Every head, %1"_s.arg(rowSetWords(analysis.scenario))));
    return panels;
}

/// Of the methods before this one the first that has its lines in every chart, whatever is drawn of them; -1: none.
int firstEqual(const std::vector<ChartSpec>& charts, const std::vector<int>& styles, std::size_t method)
{
    for (std::size_t other = 0; other < method; ++other)
        if (!charts.empty() && std::ranges::all_of(charts, [&](const ChartSpec& chart) {
                return sameLines(chart, styles[method], styles[other]);
            }))
            return static_cast<int>(other);
    return -1;
}

/// Every method as the first chart that has them draws it.
std::vector<ChartSeries> legendOfMethods(const Analysis& analysis, const ViewsOptions& options)
{
    std::vector<ChartSeries> legend;
    std::vector<ChartSpec> charts;
    for (const ExploreChart& one : exploreCharts())
        if (options.has(one.id) && one.showsMethods(analysis, options.look))
            charts.push_back(one.chart(analysis, options.look));
    if (charts.empty())
        return legend;
    const std::vector<ChartSeries>& drawn = charts.front().series;
    const std::vector<int> styles = methodStyles(analysis.scenario.methods);
    for (std::size_t i = 0; i < analysis.methods.size(); ++i) {
        const ChartSeries method = methodSeries(analysis.scenario.methods, i);
        const std::size_t before = legend.size();
        for (const ChartSeries& series : drawn)
            if (series.style == method.style) {
                legend.push_back(series);
                legend.back().label.clear();
                legend.back().points.clear();
            }
        if (legend.size() == before)
            legend.push_back(method);
        const int equal = firstEqual(charts, styles, i);
        legend.back().label =
            equal < 0 ? method.label : u"%1 = %2"_s.arg(method.label, text(analysis.methods[equal].label));
    }
    return legend;
}

/// Whose the numbers at thin lines are.
QString pinsInWords(const Scenario& scenario, const ViewsOptions& options)
{
    if (std::ranges::none_of(exploreCharts(), [&](const ExploreChart& chart) { return options.has(chart.id); }))
        return {};
    QStringList words;
    for (std::size_t i = 0; i < options.look.pins.size(); ++i) {
        const auto changes = scenarioDifferences(scenario, options.look.pins[i]);
        words << u"%1: %2."_s.arg(i + 1).arg(changes.empty() ? u"the same"_s : numbersIn(text(joined(changes, ", "))));
    }
    return words.isEmpty() ? QString() : u"Thin lines are pins. "_s + words.join(u' ');
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
    const size_t columns = charts == 0 || mapCount > 2 ? std::max<size_t>(mapCount <= 4   ? mapCount
                                                                          : mapCount <= 6 ? 3
                                                                                          : 4,
                                                                          charts)
                           : count <= 3 ? count
                                        : 2;
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

}  // namespace

Result<FigureContent> buildViews(const Recipe& recipe, std::stop_token stop)
{
    return analyse(recipe.scenario, stop).and_then([&](const Analysis& analysis) {
        return figureOfViews(recipe, analysis, stop);
    });
}

Result<FigureContent> figureOfViews(const Recipe& recipe, const Analysis& analysis, std::stop_token stop)
{
    const auto options = TRY(readViewsOptions(recipe));
    if (options.has("heads") && analysis.heads.empty())
        return failure(ErrorKind::Undefined, "this scenario has no heads to show: they come with a file of tensors");
    if (options.difference && !placesOfMethods(recipe.scenario.methods, options.difference))
        return failure(ErrorKind::InvalidArgument, "parameters.difference must name two of scenario.methods");
    FigureContent content;
    const bool charts = options.views.size() > (options.has("heatmaps") ? 1u : 0u);
    if (options.has("heatmaps") && (!charts || std::ranges::any_of(analysis.methods, hasMap)))
        TRY(addMapPanels(content, analysis, options.look, options.difference, options.decades, recipe));
    const size_t mapCount = content.panels.size();
    std::vector<Analysis> pins;
    for (Scenario pin : options.look.pins) {
        pin.view.measure = recipe.scenario.view.measure;
        pin.view.rows = recipe.scenario.view.rows;
        pins.push_back(TRY(analyse(pin, stop)));
    }
    for (Panel& panel : chartPanels(analysis, pins, options))
        content.panels.push_back(std::move(panel));
    if (content.panels.empty())
        return failure(ErrorKind::Undefined, "these views have nothing to show; choose another source, method or view");
    arrange(content, mapCount);
    content.legend = legendOfMethods(analysis, options);
    content.footnote = pinsInWords(recipe.scenario, options);
    return content;
}

Recipe viewsRecipe(const std::vector<std::string>& views, const Scenario& scenario, const Look& look)
{
    Recipe recipe;
    recipe.name = "figure";
    recipe.kind = "views";
    recipe.source = "Attnscope";
    recipe.scenario = scenario;
    recipe.scenario.view.pixels = std::min(recipe.scenario.view.pixels, View{}.pixels);
    recipe.scenario.view.preview = false;
    recipe.colours = look.maps.colourMap;
    recipe.methodColours = look.colours;
    ViewsOptions options;
    options.views = views;
    options.look = look;
    if (look.maps.difference && !scenario.methods.empty()) {
        const auto [first, second] = placesOfDifference(scenario.methods, look.maps.sides);
        options.difference = MethodPair(methodName(scenario.methods, first), methodName(scenario.methods, second));
        if (look.maps.sides && options.difference != look.maps.sides)
            options.look.maps.pinnedDifference.reset();  // of others
    }
    ObjectWriter writer;
    optionsFields(writer, options, scenario.methods);
    recipe.parameters = std::move(writer).json();
    return recipe;
}

std::optional<Look> lookOfViews(const Recipe& recipe, Look now)
{
    const auto options = readViewsOptions(recipe);
    if (recipe.kind != "views" || !options)
        return {};
    const Look& then = options->look;
    now.maps.colourMap = recipe.colours;
    now.colours = recipe.methodColours;
    now.maps.log = then.maps.log;
    now.maps.pinned = then.maps.pinned;
    now.maps.pinnedDifference = then.maps.pinnedDifference;
    now.maps.difference = options->difference.has_value();
    const std::vector<Choice>& methods = recipe.scenario.methods;
    if (options->difference && methods.size() >= 2) {
        now.maps.sides = options->difference;
        if (placesOfDifference(methods, now.maps.sides) == placesOfDifference(methods, {}))
            now.maps.sides.reset();  // those that stand there where nobody has chosen
    }
    now.dispersion = then.dispersion;
    now.approximations = then.approximations;
    now.allHeads = then.allHeads;
    now.theory = then.theory;
    now.pins = then.pins;
    now.annotations = then.annotations;
    now.zooms = then.zooms;
    return now;
}

}  // namespace attnscope
