#include "app/commands/result_writer.h"

#include "app/commands/command.h"
#include "core/base/choice.h"
#include "core/base/csv.h"
#include "core/base/json_text.h"
#include "core/base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <ostream>
#include <utility>

namespace attnscope {

namespace {

using nlohmann::json;

bool absent(const Cell& cell)
{
    const double* number = std::get_if<double>(&cell);
    return std::holds_alternative<std::monostate>(cell) || (number && !std::isfinite(*number));
}

std::string cellText(const Cell& cell)
{
    if (absent(cell))
        return "null";
    const auto value = std::visit(
        [](const auto& held) -> json {
            if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>)
                return nullptr;
            else if constexpr (std::is_same_v<std::decay_t<decltype(held)>, double>)
                return held + 0.0;  // no "-0.0"
            else
                return held;
        },
        cell);
    return jsonText(value);
}

std::string csvCell(const Cell& cell)
{
    if (absent(cell))
        return {};
    const std::string* text = std::get_if<std::string>(&cell);
    return text ? csvText(*text) : cellText(cell);
}

std::string tableText(const Cell& cell)
{
    if (absent(cell))
        return "-";
    if (const double* number = std::get_if<double>(&cell))
        return formatNumber(*number + 0.0, 6);
    if (const bool* flag = std::get_if<bool>(&cell))
        return *flag ? "yes" : "no";
    if (!std::holds_alternative<std::string>(cell))
        return cellText(cell);
    return oneLine(std::get<std::string>(cell));
}

/// Columns on the screen: code points, each taken as one wide.
size_t width(const std::string& text) { return lettersOf(text); }

}  // namespace

ResultWriter::ResultWriter(std::ostream& out, Format format, std::vector<Column> columns)
    : m_out(out), m_format(format), m_columns(std::move(columns))
{
}

void ResultWriter::add(std::vector<Cell> row)
{
    assert(row.size() == m_columns.size());
    begin();
    if (m_format == Format::Table || m_format == Format::Npy) {
        m_rows.push_back(std::move(row));
        return;
    }
    if (m_format == Format::Json)
        m_out << (m_first ? "\n{" : ",\n{");
    for (size_t c = 0; c < row.size(); ++c) {
        if (m_format == Format::Json)
            m_out << (c ? ", " : "") << jsonText(json(m_columns[c].id)) << ": " << cellText(row[c]);
        else
            m_out << (c ? "," : "") << csvCell(row[c]);
    }
    m_out << (m_format == Format::Json ? "}" : "\n");
    m_first = false;
}

void ResultWriter::finish()
{
    begin();
    if (m_format == Format::Table)
        writeTable();
    else if (m_format == Format::Npy)
        writeNpy();
    else if (m_format == Format::Json)
        m_out << (m_first ? "]}\n" : "\n]}\n");
    m_out.flush();
}

void ResultWriter::begin()
{
    if (std::exchange(m_begun, true))
        return;
    if (m_format == Format::Json)
        m_out << R"({"schema": "attnscope/1", "rows": [)";
    for (size_t c = 0; m_format == Format::Csv && c < m_columns.size(); ++c)
        m_out << csvText(m_columns[c].id) << (c + 1 < m_columns.size() ? "," : "\n");
}

void ResultWriter::writeTable()
{
    std::vector<size_t> widths(m_columns.size());
    std::vector<bool> isText(m_columns.size()), shown(m_columns.size());
    for (size_t c = 0; c < m_columns.size(); ++c) {
        widths[c] = width(m_columns[c].id);
        shown[c] = m_columns[c].shown == Shown::Always;
        for (const auto& row : m_rows) {
            widths[c] = std::max(widths[c], width(tableText(row[c])));
            isText[c] = isText[c] || std::holds_alternative<std::string>(row[c]);
            shown[c] = shown[c] || (m_columns[c].shown == Shown::IfAny && !absent(row[c]));
        }
    }
    const auto writeLine = [&](const auto& textOf) {
        std::string line;
        for (size_t c = 0; c < m_columns.size(); ++c) {
            if (!shown[c])
                continue;
            const std::string text = textOf(c);
            const std::string space(widths[c] - width(text), ' ');
            line += (line.empty() ? "" : "  ") + (isText[c] ? text + space : space + text);
        }
        m_out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
    };
    writeLine([&](size_t c) { return m_columns[c].id; });
    for (const auto& row : m_rows)
        writeLine([&](size_t c) { return tableText(row[c]); });
}

void ResultWriter::writeNpy()
{
    std::vector<std::string> names;
    for (const Column& column : m_columns)
        names.push_back(column.id);
    m_out << npyTable(names, m_rows);
}

}  // namespace attnscope
