#pragma once
// Numbers as papers printed them (resources/published/ID.json): always drawn as published, never as ours.

#include "core/base/error.h"

#include <QString>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

struct PublishedRow {
    std::string name;                ///< markup
    std::vector<std::string> cells;  ///< as printed; empty: none
    bool ruleAbove = false;
    /// The leading number of a cell: "0.374", "27.9 (0.3)", "98.9%".
    std::optional<double> number(size_t column) const;
};

struct PublishedTable {
    std::string id, paper, table, title, file;  ///< file: the paper's text, for the test that checks the cells
    std::string rowTitle;
    std::vector<std::string> columns;  ///< without the rows' names
    std::vector<double> columnValues;  ///< where columns are lengths
    std::vector<PublishedRow> rows;
};

Result<PublishedTable> publishedTable(std::string_view id);
std::vector<std::string> publishedTables();

/// "As published: PAPER, TABLE 1; TABLE 2."
QString citation(const std::vector<PublishedTable>& tables);

}  // namespace attnscope
