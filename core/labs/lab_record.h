#pragma once
// What a run has found, as far as it is: what the window shows of it while it runs, and what is kept of it in its
// folder (run.json), finished or stopped, so that runs can be compared later.
//
//   {"schema": "attnscope_lab/1", "lab": "eie:epochs=100", "fraction": 1, "stage": "", "finished": true,
//    "tables": {"curve": {"columns": ["n", ...], "rows": [[100, ...], ...]}}, "pictures": [...], "tours": [...],
//    "packings": [...], "files": [...]}

#include "core/labs/lab.h"

namespace attnscope {

constexpr const char* recordName = "run.json";

struct LabRecord {
    Choice choice;
    std::string stage = {};
    double fraction = 0;
    LabPhase phase = {};  ///< while it runs
    bool finished = false;
    std::vector<LabRow> rows = {};
    std::vector<LabRow> live = {};  ///< those that the next update replaces
    std::vector<LabPicture> pictures = {};
    std::vector<LabTours> tours = {};
    std::vector<LabPackings> packings = {};
    std::vector<LabFile> files = {};
};

/// The update put into the record: rows and files added, live rows and pictures in place of what was there.
void take(LabRecord& record, const LabUpdate& update);

/// Of a run that goes on: each of its tables as it was `before`, until it has found as many rows again, which are the
/// same; pictures and files until there are some. What it had found is not lost where it is stopped earlier.
LabRecord withFoundBefore(LabRecord now, const LabRecord& before);

/// Errors: NotWritable.
Result<void> saveRecord(const std::string& folder, const LabRecord& record);

/// Of at most 64 MiB. Errors: those of readText, UnknownName (a lab that this program has not), InvalidArgument, each
/// naming the file.
Result<LabRecord> readRecord(const std::string& folder);

/// Of several folders, in their order.
std::vector<Result<LabRecord>> readRecords(std::span<const std::string> folders);

/// The record as JSON; files are written relative to the folder.
std::string recordText(LabRecord record, const std::string& folder);

/// The record that this text is; `path` names it in messages, files are relative to the folder.
Result<LabRecord> parseRecord(std::string_view text, const std::string& path, const std::string& folder);

/// The tables that the rows belong to, in order.
std::vector<std::string> tablesOf(const std::vector<LabRow>& rows);

}  // namespace attnscope
