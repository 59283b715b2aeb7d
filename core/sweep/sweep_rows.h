#pragma once
// A sweep's results: the journal, a line a finished task as they come, from which an interrupted sweep goes on; and one
// tidy table made of it at the end, in the order of the tasks, so that it is the same whoever did them and when.
//
//   journal.jsonl  {"task": 12, "seconds": 0.4, "error": "", "rows": "n,d,...\n...", "notes": ""}
//   rows.csv       task, the axes that vary, the command's own columns (those of all tasks together)
//   tasks.csv      task, the axes that vary, status, error, notes (what a task that did not fail said)
//   rows.sqlite    the tables rows and tasks (with seconds and the command line); numbers as numbers, what is absent as
//                  NULL

#include "core/base/csv.h"
#include "core/sweep/worker_pool.h"
#include "core/sweep/sweep_spec.h"

#include <map>

namespace attnscope {

using SweepOutcomes = std::map<std::int64_t, SweepOutcome>;

class SweepJournal {
public:
    /// Opens or makes the file. What a killed program left of a line is ignored. Errors: NotWritable, NotReadable.
    static Result<SweepJournal> open(const std::string& path);
    SweepJournal(SweepJournal&& other) noexcept
        : m_descriptor(std::exchange(other.m_descriptor, -1)), m_path(std::move(other.m_path)),
          m_found(std::move(other.m_found))
    {
    }
    SweepJournal& operator=(SweepJournal&&) = delete;
    ~SweepJournal();

    /// The last outcome of each task that was there before.
    const SweepOutcomes& found() const { return m_found; }
    /// Errors: NotWritable.
    Result<void> add(const SweepOutcome& outcome);

private:
    SweepJournal() = default;
    int m_descriptor = -1;
    std::string m_path;
    SweepOutcomes m_found;
};

/// What the journal holds, the last outcome of each task; nothing of a file that is not there. `whole`: its last line
/// is. Errors: NotReadable.
Result<SweepOutcomes> readOutcomes(const std::string& path, bool& whole);

/// What rows.csv holds.
CsvTable sweepTable(const SweepSpec& spec, const SweepOutcomes& outcomes);

/// How many axes vary: as many columns follow the task's.
std::size_t varyingAxes(const SweepSpec& spec);

/// Writes rows.csv, tasks.csv and rows.sqlite into the folder. Errors: NotWritable.
Result<void> writeSweepTables(const std::string& folder, const SweepSpec& spec, const SweepOutcomes& outcomes);

}  // namespace attnscope
