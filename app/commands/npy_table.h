#pragma once
// Rows of results as a NumPy file with a field a column (format 1.0 or 2.0, little endian, packed).

#include "app/commands/result_writer.h"

#include <string>
#include <vector>

namespace attnscope {

/// The whole file. A column is <i8 where every cell is a whole number, <f8 where they are numbers or absent (NaN), ?
/// where all are flags, else text: <U, as wide as the longest, absent ones empty.
std::string npyTable(const std::vector<std::string>& names, const std::vector<std::vector<Cell>>& rows);

}  // namespace attnscope
