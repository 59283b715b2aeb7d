#include "app/commands/result_writer.h"

#include "ui/plot/qt_text.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace attnscope {

namespace {

template <class Held>
bool holds(const Cell& cell)
{
    return std::holds_alternative<Held>(cell);
}

void put(std::string& out, std::uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; ++i)
        out += static_cast<char>(value >> (8 * i) & 0xff);
}

/// One column: its NumPy type, and how a cell is written.
class Field {
public:
    Field(std::size_t column, const std::vector<std::vector<Cell>>& rows) : m_column(column)
    {
        const auto all = [&](auto fits) {
            return std::all_of(rows.begin(), rows.end(), [&](const auto& row) { return fits(row[column]); });
        };
        if (all(holds<std::int64_t>))
            m_type = "<i8";
        else if (!rows.empty() && all(holds<bool>))
            m_type = "|b1";
        else if (!all([](const Cell& cell) { return !holds<std::string>(cell) && !holds<bool>(cell); })) {
            m_width = 1;
            for (const auto& row : rows)
                m_width = std::max(m_width, textOf(row[column]).size());
            m_type = "<U" + std::to_string(m_width);
        }
    }

    const std::string& type() const { return m_type; }

    void write(std::string& out, const std::vector<Cell>& row) const
    {
        const Cell& cell = row[m_column];
        if (m_type == "<i8")
            put(out, static_cast<std::uint64_t>(std::get<std::int64_t>(cell)), 8);
        else if (m_type == "|b1")
            put(out, std::get<bool>(cell), 1);
        else if (m_width > 0)
            writeText(out, textOf(cell));
        else
            put(out, std::bit_cast<std::uint64_t>(numberOf(cell)), 8);
    }

private:
    static std::u32string textOf(const Cell& cell)
    {
        if (const std::string* utf8 = std::get_if<std::string>(&cell))
            return text(*utf8).toStdU32String();
        if (const bool* flag = std::get_if<bool>(&cell))
            return *flag ? U"yes" : U"no";
        return {};
    }
    static double numberOf(const Cell& cell)
    {
        if (const double* number = std::get_if<double>(&cell))
            return *number;
        const std::int64_t* whole = std::get_if<std::int64_t>(&cell);
        return whole ? static_cast<double>(*whole) : std::nan("");
    }
    void writeText(std::string& out, const std::u32string& text) const
    {
        for (std::size_t i = 0; i < m_width; ++i)
            put(out, i < text.size() ? text[i] : 0, 4);
    }

    std::size_t m_column, m_width = 0;
    std::string m_type = "<f8";
};

}  // namespace

std::string npyTable(const std::vector<std::string>& names, const std::vector<std::vector<Cell>>& rows)
{
    std::vector<Field> fields;
    std::string header = "{'descr': [";
    for (std::size_t c = 0; c < names.size(); ++c) {
        fields.emplace_back(c, rows);
        header += (c ? ", ('" : "('") + names[c] + "', '" + fields.back().type() + "')";
    }
    header += fmt::format("], 'fortran_order': False, 'shape': ({},), }}", rows.size());
    const bool large = header.size() > 60000;
    const std::size_t before = large ? 12 : 10;
    header += std::string(63 - (before + header.size()) % 64, ' ') + '\n';
    std::string out = std::string("\x93NUMPY") + (large ? '\2' : '\1') + '\0';
    put(out, header.size(), large ? 4 : 2);
    out += header;
    for (const std::vector<Cell>& row : rows)
        for (const Field& field : fields)
            field.write(out, row);
    return out;
}

}  // namespace attnscope
