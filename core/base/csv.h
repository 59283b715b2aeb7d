#pragma once
// Comma-separated values (RFC 4180), written and read.

#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

/// With an apostrophe before what a spreadsheet would take for a formula (=, +, -, @ or a tab first, and no number):
/// names come out of files that somebody else may have written.
std::string noFormula(std::string_view text);

/// In quotes, each quote within it twice: as CSV has it, and SQL, and the text of a Choice.
std::string inDoubledQuotes(std::string_view text);
/// That, in quotes where it must be.
std::string csvText(std::string_view text);

/// Records, the head first; lines end in a line feed, a carriage return or both.
std::vector<std::vector<std::string>> csvRecords(std::string_view text, char separator = ',');

/// Cells as texts; what is absent is empty.
struct CsvTable {
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;

    std::string
    text(std::size_t row,
         std::string_view column) const;  ///< empty where there is no such column, or the row ends before it
    double number(std::size_t row, std::string_view column) const;  ///< NaN where there is no number
};

/// The first record names the columns; rows may be shorter or longer than it.
CsvTable csvTable(std::string_view text);

}  // namespace attnscope
