// One heatmap a method, one colour scale, the mean row entropy in the empty triangle.

#include "core/attention/masks.h"
#include "ui/figure/counted_rows.h"
#include "ui/figure/figure_kind.h"
#include "ui/figure/kinds/support.h"

namespace attnscope {

namespace {

struct MethodGridOptions {
    int columns = 0;
    double decades = 4;
    bool log = true;
    bool entropy = true;
};

Result<MethodGridOptions> readMethodGridOptions(const Recipe& recipe)
{
    MethodGridOptions options;
    ObjectReader reader(recipe.parameters, "parameters");
    reader.number("columns", options.columns, 0, 12);
    reader.number("decades", options.decades, 0.5, 30);
    reader.boolean("log", options.log);
    reader.boolean("entropy", options.entropy);
    return reader.finish().map([&] { return options; });
}

int columnsFor(size_t count) { return static_cast<int>(count <= 4 ? count : count <= 6 ? 3 : count <= 8 ? 4 : 5); }

/// `rows`: of which the entropy's mean is said; empty: it is not said.
Panel panelOf(const MethodAnalysis& method, std::shared_ptr<const PooledMap> map, const ColourScale& scale,
              const QString& rows, bool roomAbove)
{
    Panel panel = weightsPanel(map, scale, symbolsIn(text(method.label)));
    panel.absent = rowsWithoutValue(method.rows, {}, std::ssize(method.rows));
    if (!rows.isEmpty() && method.entropy.count > 0) {
        const QString words = u"$\\text{mean }H$ (%1) = %2"_s.arg(rows).arg(method.entropy.mean, 0, 'f', 2);
        if (roomAbove)
            panel.chart.notes.push_back({static_cast<double>(map->region.columnEnd),
                                         static_cast<double>(map->region.rowBegin) +
                                             0.04 * static_cast<double>(map->region.rowEnd - map->region.rowBegin),
                                         words, Qt::AlignRight | Qt::AlignTop, ChartSeries::reference});
        else
            panel.chart.title += u", "_s + words;
    }
    return panel;
}

}  // namespace

Result<FigureContent> methodGridContent(const Analysis& analysis, const Recipe& recipe)
{
    const auto options = TRY(readMethodGridOptions(recipe));
    std::vector<std::shared_ptr<const PooledMap>> maps;
    for (const MethodAnalysis& method : analysis.methods) {
        if (!method.absent.empty())
            return failure(ErrorKind::Undefined, method.label + ": " + method.absent);
        maps.push_back(maskedMap(analysis, method));
    }
    if (maps.empty())
        return failure(ErrorKind::InvalidArgument, "scenario.methods is empty; name at least one scale method");
    const ColourScale scale = TRY(figureScale(maps, options.log, options.decades, recipe));
    const auto columns = static_cast<size_t>(options.columns > 0 ? options.columns : columnsFor(maps.size()));
    const bool roomAbove = !looksAhead(recipe.scenario.attention.mask);

    const QString rows = options.entropy ? rowSetWords(analysis.scenario) : QString();
    FigureContent content;
    for (size_t i = 0; i < maps.size(); ++i) {
        Panel panel = panelOf(analysis.methods[i], maps[i], scale, rows, roomAbove);
        nameTokens(panel, analysis.tokens, analysis.queryTokens);
        addPanel(content, std::move(panel), i / columns, i % columns);
    }
    content.bars = {{scale, u"Weight"_s}};
    return content;
}

Result<FigureContent> buildMethodGrid(const Recipe& recipe, std::stop_token stop)
{
    TRY(readMethodGridOptions(recipe));  // what is wrong with them is said before anything is computed
    Scenario scenario = recipe.scenario;
    scenario.view.curvePoints = 0;
    scenario.view.table = false;
    const auto analysis = TRY(analyse(scenario, stop));
    return methodGridContent(analysis, recipe);
}

}  // namespace attnscope
