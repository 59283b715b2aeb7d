#pragma once
// What `tune` found, as rows: a kind each, in one table of CSV or JSON, in a table a kind for people.

#include "app/commands/result_writer.h"
#include "core/tuning/tuning.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace attnscope {

struct TuneRow {
    std::string kind;         ///< answer, verdict, place, tried, published, surface, theory, head, correlation, export
    std::vector<Cell> cells;  ///< of tuneColumns(), without the kind
};

std::vector<Column> tuneColumns();
std::vector<TuneRow> tuneRows(const TuneReport& report);

/// One that is not of the search: what an export asks for, and its loss on the verdict's windows.
TuneRow exportRow(const std::string& target, const Setting& setting, const TunedAt& at, std::optional<double> loss,
                  const std::string& note);

void writeTuneRows(std::ostream& out, Format format, const std::vector<TuneRow>& rows);

}  // namespace attnscope
