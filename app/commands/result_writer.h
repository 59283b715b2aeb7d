#pragma once
// Rows of results, as an aligned table for people, CSV or JSON. JSON is one object, {"schema": "attnscope/1", "rows":
// [{flat}]}. CSV and JSON carry numbers at full precision (the shortest text that reads back as the same double) and
// are written as the rows come; the table rounds to 6 significant digits. An absent value, NaN and infinity are null in
// JSON, empty in CSV, and "-" in the table. Texts in CSV: core/base/csv.h. In a file they may also be a NumPy table,
// numpy.load(...)["entropy"], with a field a column: whole numbers i8, numbers f8 (absent: NaN), flags ?, texts U.

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace attnscope {

using Cell = std::variant<std::monostate, std::string, std::int64_t, double, bool>;

enum class Format { Table, Csv, Json, Npy };

/// Empty where there is no value: of an optional or a Result.
template <class Maybe>
Cell cellOf(const Maybe& value)
{
    return value ? Cell{*value} : Cell{};
}
inline Cell textCell(std::string text) { return text.empty() ? Cell{} : Cell{std::move(text)}; }

/// A number that is whole, written without a point.
inline Cell wholeCell(double value) { return static_cast<std::int64_t>(value); }

/// Where the table shows a column; CSV and JSON have them all.
enum class Shown { Always, IfAny, Never };

struct Column {
    Column(std::string name, Shown where = Shown::Always) : id(std::move(name)), shown(where) {}
    Column(const char* name) : id(name) {}
    std::string id;
    Shown shown = Shown::Always;
};
inline Column ifAny(std::string name) { return {std::move(name), Shown::IfAny}; }
inline Column neverInTable(std::string name) { return {std::move(name), Shown::Never}; }

class ResultWriter {
public:
    ResultWriter(std::ostream& out, Format format, std::vector<Column> columns);

    /// One cell a column.
    void add(std::vector<Cell> row);

    /// Writes what is still to be written: the table, or the end of the object.
    void finish();

private:
    void begin();
    void writeTable();
    void writeNpy();

    std::ostream& m_out;
    Format m_format;
    std::vector<Column> m_columns;
    std::vector<std::vector<Cell>> m_rows;  ///< widths need all rows
    bool m_begun = false;
    bool m_first = true;
};

/// The rows as a NumPy file with a field a column (format 1.0 or 2.0, little endian, packed). A column is <i8 where
/// every cell is a whole number, <f8 where they are numbers or absent (NaN), ? where all are flags, else text: <U, as
/// wide as the longest, absent ones empty.
std::string npyTable(const std::vector<std::string>& names, const std::vector<std::vector<Cell>>& rows);

}  // namespace attnscope
