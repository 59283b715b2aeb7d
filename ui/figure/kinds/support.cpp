#include "ui/figure/kinds/support.h"

#include "core/base/length_list.h"
#include "core/base/each.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/samples.h"
#include "ui/plot/heatmap_paint.h"
#include "ui/plot/method_style.h"
#include "ui/plot/ticks.h"

#include <QFile>

#include <algorithm>
#include <map>

namespace attnscope {

void addPanel(FigureContent& content, Panel panel, size_t row, size_t column, bool lettered)
{
    panel.row = static_cast<int>(row);
    panel.column = static_cast<int>(column);
    if (lettered)
        panel.chart.letter = panelLetter(content.panels.size());
    content.panels.push_back(std::move(panel));
}

ChartSeries methodSeries(const std::vector<Choice>& methods, size_t place)
{
    return {.label = methodLabel(methods[place]), .style = methodStyles(methods)[place]};
}

ChartSeries entropyOfUniform(const std::vector<double>& n)
{
    return sampled({.label = u"$\\ln n$, uniform weights"_s, .style = ChartSeries::reference}, n,
                   [](double length) { return std::log(length); });
}

ChartSeries fromCurve(const Curve& curve, const QString& label, int style)
{
    return {.label = label, .style = style, .points = pointsOf(curve)};
}

void readLengths(ObjectReader& reader, std::string_view key, std::vector<std::int64_t>& target,
                 const std::string& example)
{
    nlohmann::json value = "";
    reader.any(key, value);
    if (!value.is_string() && !value.is_number_integer())
        return reader.fail(reader.pathOf(key) + " must be a LIST such as \"512,1024\" or \"512:4096:x2\"");
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();  // one length
    if (text.empty() && !example.empty() && target.empty())
        return reader.fail(reader.pathOf(key) + " is missing; give a LIST such as \"" + example + "\"");
    if (text.empty())
        return;
    if (auto lengths = parseLengths(text))
        target = *lengths;
    else
        reader.fail({lengths.error().kind, reader.pathOf(key) + ": " + lengths.error().message});
}

ReferenceLine trainLengthLine(const Scenario& scenario)
{
    return {Qt::Vertical, scenario.nTrain, u"$N$ = %1"_s.arg(countText(scenario.nTrain)), false};
}

Result<std::vector<PublishedTable>> readTables(ObjectReader& reader)
{
    std::vector<std::string> ids;
    reader.texts("tables", ids);
    if (ids.empty())
        reader.fail("parameters.tables is missing; give a list of published tables");
    TRY(reader.finish());
    std::vector<PublishedTable> tables;
    for (const std::string& id : ids)
        tables.push_back(TRY(publishedTable(id)));
    return tables;
}

std::vector<std::string> measuresOf(const PublishedTable& table)
{
    return eachOnce(table.columns, [](const std::string& column) {
        return column.find(' ') == column.npos ? "" : column.substr(column.find(' ') + 1);
    });
}

ChartAxis measureAxis(const std::string& measure)
{
    ChartAxis axis;
    axis.log = measure == "PPL";
    axis.title = axis.log ? u"Perplexity"_s : measure == "ACC" ? u"Accuracy"_s : u"Accuracy (%)"_s;
    return axis;
}

std::vector<ChartPoint> publishedPoints(const PublishedTable& table, const PublishedRow& row,
                                        const std::string& measure)
{
    std::vector<ChartPoint> points;
    for (size_t c = 0; c < table.columns.size(); ++c)
        if (measure.empty() || table.columns[c].ends_with(" " + measure))
            if (const auto value = row.number(c))
                points.push_back({table.columnValues[c], *value});
    return points;
}

QString boundsNotDrawn(const std::vector<PublishedRow>& rows)
{
    std::map<std::string, int> bounds;
    for (const PublishedRow& row : rows)
        for (size_t c = 0; c < row.cells.size(); ++c)
            if (!row.cells[c].empty() && !row.number(c))
                ++bounds[row.cells[c]];
    QStringList list;
    for (const auto& [cell, count] : bounds)
        list << u"%1 (%2 %3)"_s.arg(text(cell)).arg(count).arg(count == 1 ? u"cell"_s : u"cells"_s);
    return list.isEmpty() ? QString()
                          : u" Not drawn, since a bound has no place on an axis: %1."_s.arg(list.join(u", "_s));
}

void addRuns(std::vector<BoardRun>& runs, const std::vector<BoardRun>& more)
{
    for (const BoardRun& run : more) {
        const auto there =
            std::ranges::find_if(runs, [&](const BoardRun& other) { return other.record.choice == run.record.choice; });
        if (there == runs.end())
            runs.push_back(run);
        else if (run.record.finished && !there->record.finished)
            *there = run;
    }
}

RunsAsked readRunsAsked(ObjectReader& reader)
{
    RunsAsked asked;
    reader.boolean("shipped", asked.shipped);
    reader.texts("runs", asked.folders);
    if (std::ranges::find(asked.folders, std::string()) != asked.folders.end())
        reader.fail("parameters.runs must be a list of folders of runs");
    return asked;
}

Result<std::vector<BoardRun>> RunsAsked::read() const
{
    auto runs = shipped ? TRY(shippedRuns()) : std::vector<BoardRun>();
    return runsIn(folders).map([&](const std::vector<BoardRun>& given) {
        addRuns(runs, given);
        return runs;
    });
}

tl::unexpected<Error> LabResults::lacks(std::size_t row, const std::string& columns) const
{
    return failure(ErrorKind::DataError,
                   path + ": line " + std::to_string(row + 2) + " has no " + columns + "; give " + what);
}

Result<LabResults> readResults(const Recipe& recipe, const std::string& shipped, const std::string& what)
{
    LabResults results{.table = {}, .path = shipped, .what = what};
    ObjectReader reader(recipe.parameters, "parameters");
    reader.text("results", results.path);
    TRY(reader.finish());
    QFile file(text(results.path));
    if (!file.open(QIODevice::ReadOnly))
        return failure(ErrorKind::NotReadable,
                       results.path + " cannot be read; give " + what + " in parameters.results");
    results.table = csvTable(file.readAll().toStdString());
    if (results.table.rows.empty())
        return failure(ErrorKind::DataError, results.path + " has no rows; give " + what + " in parameters.results");
    return results;
}

RunsMean meanOfRuns(std::span<const double> values, double within)
{
    const SampleMean mean = sampleMean(values);
    return {mean.mean, mean.standardError.value_or(within)};
}

Result<std::function<Result<double>(double n)>> multiplierOf(const Choice& method, const Scenario& scenario)
{
    return bindScale(method).map([d = scenario.d, nTrain = scenario.nTrain, tau = scenario.temperature](
                                     const auto& bound) -> std::function<Result<double>(double)> {
        return [=](double n) { return bound(lastRowOf(n, nTrain, d, tau)); };
    });
}

Result<ColourScale> figureScale(const std::vector<std::shared_ptr<const PooledMap>>& maps, bool log, double decades,
                                const Recipe& recipe)
{
    std::vector<const PooledMap*> all;
    for (const auto& map : maps)
        all.push_back(map.get());
    return findColourMap(recipe.colours).map([&](const ColourMap* colours) {
        ColourScale scale = weightScale(largestOf(all), log, colours, decades);
        scale.zeroIsBlank = false;
        return scale;
    });
}

QColor ordinalColour(size_t index, size_t count, const Recipe& recipe)
{
    const auto map = findColourMap(recipe.colours);
    const double t = count > 1 ? static_cast<double>(index) / static_cast<double>(count - 1) : 0;
    const bool dark = printStyle(recipe.style).map([](const PlotStyle& style) { return style.dark; }).value_or(false);
    return QColor::fromRgb((map ? *map : &colourMaps().front())->at(dark ? 0.35 + 0.65 * t : 0.05 + 0.7 * t));
}

}  // namespace attnscope
