// Published tables as charts, one row of panels a table: always as published, with the paper and the table named below.
// Cells such as ">500" have no place on an axis: they leave gaps, and a line below the panels counts them.

#include "ui/figure/kinds/support.h"

namespace attnscope {

namespace {

Panel panelOf(const PublishedTable& table, const std::string& measure)
{
    Panel panel;
    panel.chart.x = lengthAxis();
    panel.chart.y = measureAxis(measure);
    for (size_t r = 0; r < table.rows.size(); ++r) {
        panel.chart.series.push_back(
            {.label = text(table.rowTitle == "CosScale" ? "CosScale " + table.rows[r].name : table.rows[r].name),
             .style = static_cast<int>(r),
             .shape = ChartSeries::Shape::LinePoints,
             .points = publishedPoints(table, table.rows[r], measure)});
    }
    return panel;
}

}  // namespace

Result<FigureContent> buildPublishedCurves(const Recipe& recipe, std::stop_token)
{
    ObjectReader reader(recipe.parameters, "parameters");
    double aspect = 0.72;
    reader.number("aspect", aspect, 0.1, 10);
    const auto tables = TRY(readTables(reader));

    FigureContent content;
    std::vector<PublishedRow> drawn;
    for (size_t row = 0; row < tables.size(); ++row) {
        const PublishedTable& table = tables[row];
        const std::vector<std::string> measures = measuresOf(table);
        drawn.insert(drawn.end(), table.rows.begin(), table.rows.end());
        for (size_t column = 0; column < measures.size(); ++column) {
            Panel panel = panelOf(table, measures[column]);
            panel.aspect = aspect;
            panel.chart.legend = measures.size() == 1            ? Legend::AtLineEnds
                                 : column + 1 == measures.size() ? Legend::Right
                                                                 : Legend::None;
            if (column == 0)
                panel.chart.title = text(tables.size() > 1 ? table.table : "");
            addPanel(content, std::move(panel), row, column, tables.size() * measures.size() > 1);
        }
    }
    content.footnote = citation(tables) + boundsNotDrawn(drawn);
    return content;
}

}  // namespace attnscope
