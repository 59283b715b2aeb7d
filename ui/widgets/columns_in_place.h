#pragma once
// The first columns of a table stay at its left while the others scroll sideways beneath them: a row keeps its name.

#include <functional>

class QTableView;

namespace attnscope {

/// How many columns name a row is asked whenever the table scrolls; as many of them stay as three fifths of it have
/// room for, and at least one. Of a table that has its model.
void keepInPlace(QTableView& table, std::function<int()> columns);

}  // namespace attnscope
