// Published tables, cell by cell as printed.

#include "ui/figure/kinds/support.h"

namespace attnscope {

namespace {

Panel panelOf(const PublishedTable& table)
{
    auto content = std::make_shared<TableContent>();
    content->columns.push_back(text(table.rowTitle));
    for (const std::string& column : table.columns) {
        // "1024 PPL" is a measure at a length; the measures at one length stand together.
        const size_t space = table.columnValues.empty() ? column.npos : column.find(' ');
        content->columns.push_back(text(space == column.npos ? column : column.substr(space + 1)));
        const QString group = space == column.npos ? QString() : u"$n = %1$"_s.arg(text(column.substr(0, space)));
        if (!content->groups.empty() && !group.isEmpty() && content->groups.back().title == group)
            ++content->groups.back().columns;
        else
            content->groups.push_back({group, 1});
    }
    for (const PublishedRow& row : table.rows) {
        content->rows.push_back({text(row.name)});
        for (const std::string& cell : row.cells)
            content->rows.back().push_back(text(cell));
        content->ruleAbove.push_back(row.ruleAbove);
    }
    return tablePanel(std::move(content), text(table.table));
}

}  // namespace

Result<FigureContent> buildPublishedTables(const Recipe& recipe, std::stop_token)
{
    ObjectReader reader(recipe.parameters, "parameters");
    const auto tables = TRY(readTables(reader));
    FigureContent content;
    for (const PublishedTable& table : tables) {
        addPanel(content, panelOf(table), content.panels.size(), 0, tables.size() > 1);
    }
    content.footnote = citation(tables);
    return content;
}

}  // namespace attnscope
