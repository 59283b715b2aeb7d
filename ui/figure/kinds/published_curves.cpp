// Published tables as charts, one row of panels a table: always as published, with the paper and the table named below.
// Cells such as ">500" have no place on an axis: they leave gaps, and a line below the panels counts them.

#include "ui/figure/kinds/kinds.h"
#include "ui/figure/kinds/support.h"
#include "ui/figure/published.h"

#include <algorithm>
#include <map>

namespace attnscope {

namespace {

/// What the columns of a table measure: the words after the length, "128 PPL"; or one nameless measure.
std::vector<std::string> measuresOf(const PublishedTable& table)
{
    std::vector<std::string> measures;
    for (const std::string& column : table.columns) {
        const size_t space = column.find(' ');
        const std::string measure = space == column.npos ? "" : column.substr(space + 1);
        if (std::find(measures.begin(), measures.end(), measure) == measures.end())
            measures.push_back(measure);
    }
    return measures;
}

struct Naming {
    QString title;
    bool log;
};

Naming namingOf(const std::string& measure)
{
    if (measure == "PPL")
        return {QStringLiteral("Perplexity"), true};
    return {measure == "ACC" ? QStringLiteral("Accuracy") : QStringLiteral("Accuracy (%)"), false};
}

Panel panelOf(const PublishedTable& table, const std::string& measure)
{
    Panel panel;
    ChartSpec& chart = panel.chart;
    chart.x = lengthAxis();
    chart.y.title = namingOf(measure).title;
    chart.y.log = namingOf(measure).log;
    for (size_t r = 0; r < table.rows.size(); ++r) {
        ChartSeries series;
        series.label = text(table.rowTitle == "CosScale" ? "CosScale " + table.rows[r].name : table.rows[r].name);
        series.style = static_cast<int>(r);
        series.shape = ChartSeries::Shape::LinePoints;
        for (size_t c = 0; c < table.columns.size(); ++c)
            if (measure.empty() || table.columns[c].ends_with(" " + measure))
                if (const auto value = table.rows[r].number(c))
                    series.points.push_back({table.columnValues[c], *value});
        chart.series.push_back(series);
    }
    return panel;
}

/// "Not drawn, since a bound has no place on an axis: >500 (7 cells), <0.1 (1 cell)."; empty where every cell is a number.
QString withoutPlace(const std::vector<PublishedTable>& tables)
{
    std::map<std::string, int> bounds;
    for (const PublishedTable& table : tables)
        for (const PublishedRow& row : table.rows)
            for (size_t c = 0; c < row.cells.size(); ++c)
                if (!row.cells[c].empty() && !row.number(c))
                    ++bounds[row.cells[c]];
    QStringList list;
    for (const auto& [cell, count] : bounds)
        list << QStringLiteral("%1 (%2 %3)").arg(text(cell)).arg(count).arg(count == 1 ? QStringLiteral("cell") : QStringLiteral("cells"));
    return list.isEmpty() ? QString() : QStringLiteral(" Not drawn, since a bound has no place on an axis: %1.").arg(list.join(QStringLiteral(", ")));
}

Result<FigureContent> buildPublishedCurves(const Recipe& recipe, std::stop_token)
{
    ObjectReader reader(recipe.parameters, "parameters");
    double aspect = 0.72;
    reader.number("aspect", aspect, 0.1, 10);
    const auto tables = readTables(reader);
    if (!tables)
        return tl::unexpected<Error>(tables.error());

    FigureContent content;
    for (size_t row = 0; row < tables->size(); ++row) {
        const PublishedTable& table = (*tables)[row];
        const std::vector<std::string> measures = measuresOf(table);
        for (size_t column = 0; column < measures.size(); ++column) {
            Panel panel = panelOf(table, measures[column]);
            panel.row = static_cast<int>(row);
            panel.column = static_cast<int>(column);
            panel.aspect = aspect;
            panel.chart.legend = measures.size() == 1 ? Legend::AtLineEnds : column + 1 == measures.size() ? Legend::Right : Legend::None;
            if (tables->size() * measures.size() > 1)
                panel.chart.letter = panelLetter(content.panels.size());
            if (column == 0)
                panel.chart.title = text(tables->size() > 1 ? table.table : "");
            content.panels.push_back(std::move(panel));
        }
    }
    content.footnote = citation(*tables) + withoutPlace(*tables);
    return content;
}

}  // namespace

FigureKind publishedCurvesKind()
{
    return {{"published_curves", "Published tables as charts", "", "", "Numbers as papers printed them, against length.", {}, {}, {}, {}}, buildPublishedCurves};
}

}  // namespace attnscope
