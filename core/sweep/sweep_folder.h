#pragma once
// A sweep's folder as it stands now, to be looked at: while the sweep runs its journal, which grows; afterwards the
// same rows. A folder with rows.csv alone is read too, whoever wrote it.

#include "core/sweep/sweep_rows.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

struct SweepFolder {
    std::string name;     ///< the folder's own
    std::string command;  ///< "entropy"; empty: not known
    CsvTable table;
    std::vector<std::string> axes;  ///< columns of the table that the sweep varies; empty: not known
    std::int64_t tasks = 0;         ///< 0: not known
    std::int64_t done = 0, failed = 0;
    std::string firstError;  ///< "task 3: ..."
};

/// The files of a sweep's folder that tell what it has found, those first that are read first.
inline constexpr const char* sweepSpecName = "sweep.json";
inline constexpr const char* sweepJournalName = "journal.jsonl";
inline constexpr const char* sweepRowsName = "rows.csv";

bool isSweepFolder(const std::string& path);

/// Errors: NotFound (no sweep there), NotReadable, HeaderTooLarge (over 64 MiB of rows), DataError (no table: what line
/// is wrong), those of parseSweepSpec.
Result<SweepFolder> readSweepFolder(const std::string& path);

/// A table of comma-separated values; `path` begins the messages. Errors: DataError.
Result<CsvTable> parseSweepTable(std::string_view text, const std::string& path);

}  // namespace attnscope
