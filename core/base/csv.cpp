#include "core/base/csv.h"

#include "core/base/text.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace attnscope {

std::string noFormula(std::string_view text)
{
    const bool formula = !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos &&
                         !numberFrom<double>(text.substr(text.starts_with('+') ? 1 : 0));
    return std::string(formula ? "'" : "").append(text);
}

std::string inDoubledQuotes(std::string_view text)
{
    std::string doubled(text);
    for (std::size_t at = 0; (at = doubled.find('"', at)) != doubled.npos; at += 2)
        doubled.insert(at, 1, '"');
    return '"' + doubled + '"';
}

std::string csvText(std::string_view text)
{
    const std::string cell = noFormula(text);
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return cell;
    return inDoubledQuotes(cell);
}

std::vector<std::vector<std::string>> csvRecords(std::string_view text, char separator)
{
    std::vector<std::vector<std::string>> records;
    std::vector<std::string> record;
    std::string cell;
    bool quoted = false, any = false;
    const auto endCell = [&] { record.push_back(std::exchange(cell, {})); };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool endsLine = c == '\n' || (c == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'));
        any = any || !endsLine;
        if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"')
            cell += text[++i];
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && c == separator)
            endCell();
        else if (!quoted && endsLine) {
            endCell();
            records.push_back(std::exchange(record, {}));
            any = false;
        } else if (quoted || c != '\r')
            cell += c;
    }
    if (any) {
        endCell();
        records.push_back(std::move(record));
    }
    return records;
}

std::string CsvTable::text(std::size_t row, std::string_view column) const
{
    const auto place = static_cast<std::size_t>(std::ranges::find(columns, column) - columns.begin());
    return place < std::min(columns.size(), rows[row].size()) ? rows[row][place] : std::string();
}

double CsvTable::number(std::size_t row, std::string_view column) const
{
    return numberFrom<double>(text(row, column)).value_or(std::numeric_limits<double>::quiet_NaN());
}

CsvTable csvTable(std::string_view text)
{
    std::vector<std::vector<std::string>> records = csvRecords(text);
    if (records.empty())
        return {};
    return {std::move(records.front()),
            {std::make_move_iterator(records.begin() + 1), std::make_move_iterator(records.end())}};
}

}  // namespace attnscope
