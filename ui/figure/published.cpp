#include "ui/figure/published.h"

#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "ui/plot/qt_text.h"

#include <QDir>
#include <QFile>

#include <charconv>

void loadFigureResources();

namespace attnscope {

namespace {

using nlohmann::json;

Result<PublishedRow> rowFromJson(const json& object, const std::string& path)
{
    PublishedRow row;
    ObjectReader reader(object, path);
    reader.text("name", row.name);
    reader.boolean("rule_above", row.ruleAbove);
    reader.texts("cells", row.cells);
    return reader.finish().map([&] { return row; });
}

}  // namespace

std::optional<double> PublishedRow::number(size_t column) const
{
    if (column >= cells.size() || cells[column].empty())
        return std::nullopt;
    double value = 0;
    const std::string& cell = cells[column];
    const auto [end, status] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    return status == std::errc{} ? std::optional(value) : std::nullopt;
}

Result<PublishedTable> publishedTable(std::string_view id)
{
    loadFigureResources();
    const std::string name(id);
    QFile file(u":/published/%1.json"_s.arg(QString::fromStdString(name)));
    if (name.find('/') != name.npos || !file.open(QIODevice::ReadOnly))
        return failure(ErrorKind::UnknownName,
                       "unknown published table '" + name + "'; known: " + joined(publishedTables(), ", "));
    const auto object = TRY(parseJson(file.readAll().toStdString(), "published table " + name));
    PublishedTable table;
    table.id = name;
    ObjectReader reader(object, name);
    reader.text("paper", table.paper);
    reader.text("table", table.table);
    reader.text("title", table.title);
    reader.text("file", table.file);
    reader.text("row_title", table.rowTitle);
    reader.texts("columns", table.columns);
    reader.numbers("column_values", table.columnValues, -1e300, 1e300);
    if (const json* rows = reader.field("rows"))
        for (size_t i = 0; i < rows->size(); ++i) {
            auto row = TRY(rowFromJson((*rows)[i], name + ".rows[" + std::to_string(i) + "]"));
            if (row.cells.size() != table.columns.size())
                reader.fail(name + ".rows[" + std::to_string(i) + "] has " + std::to_string(row.cells.size()) +
                            " cells for " + std::to_string(table.columns.size()) + " columns");
            table.rows.push_back(row);
        }
    return reader.finish().map([&] { return table; });
}

std::vector<std::string> publishedTables()
{
    loadFigureResources();
    std::vector<std::string> ids;
    for (const QString& file : QDir(u":/published"_s).entryList({u"*.json"_s}, QDir::Files, QDir::Name))
        ids.push_back(file.chopped(5).toStdString());
    return ids;
}

QString citation(const std::vector<PublishedTable>& tables)
{
    std::string text = "As published: ";
    for (size_t i = 0; i < tables.size(); ++i) {
        const bool samePaper = i > 0 && tables[i].paper == tables[i - 1].paper;
        text += (i > 0 ? "; " : "") + (samePaper ? "" : tables[i].paper + ", ") + tables[i].table;
    }
    return QString::fromStdString(text + ".");
}

}  // namespace attnscope
