#include "core/sweep/sweep.h"

#include "core/base/folder_lock.h"
#include "core/base/replace_file.h"
#include "core/base/text.h"
#include "core/sweep/sweep_rows.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds pollInterval{1};
constexpr std::int64_t mostTasksOfStopped = 10'000;  // tables of more take seconds; the journal has what was found

/// Makes the folder this sweep's own, or finds that it is.
Result<void> claimFolder(const SweepRun& run)
{
    std::error_code ignored;
    const fs::path spec = fs::path(run.folder) / "sweep.json";
    const auto holdsSomething = [&] {
        return std::ranges::any_of(fs::directory_iterator(run.folder, ignored), [](const fs::directory_entry& entry) {
            return !entry.path().filename().string().starts_with('.');
        });
    };
    if (!fs::exists(spec, ignored)) {
        if (holdsSomething())
            return failure(ErrorKind::NotWritable,
                           run.folder + " is not empty and holds no sweep; give a new or an empty folder");
        return replaceFile(spec.string(), run.spec);
    }
    if (!run.resume)
        return failure(ErrorKind::NotWritable,
                       run.folder + " holds a sweep already; go on with it (--resume), or give another folder");
    std::ifstream file(spec, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str() == run.spec
               ? Result<void>()
               : failure(ErrorKind::NotWritable,
                         run.folder + " holds another sweep (its sweep.json differs); give another folder");
}

SweepTask taskOf(const SweepSpec& spec, const SweepRun& run, std::int64_t number)
{
    SweepTask task{number, spec.argumentsOf(number)};
    task.arguments.push_back("--format=csv");
    if (spec.command == "lab") {
        std::string name = std::to_string(number);
        name.insert(0, 6 - std::min<std::size_t>(6, name.size()), '0');
        task.arguments.insert(task.arguments.end(),
                              {"--out", (fs::absolute(run.folder) / "runs" / name).string(), "--resume"});
    }
    return task;
}

/// But for those that name a file of the task's own run, which every lab writes.
std::string withoutFiles(const std::string& notes, const SweepRun& run)
{
    const std::string runs = (fs::absolute(run.folder) / "runs").string() + "/";
    std::vector<std::string> kept = partsOf(notes, ';');
    std::erase_if(kept, [&](const std::string& note) { return note.empty() || note.starts_with(runs); });
    return joined(kept, "; ");
}

}  // namespace

Result<SweepResult> runSweep(const SweepSpec& spec, const SweepRun& run, WorkerPool& pool, std::stop_token stop,
                             const std::function<void(const SweepProgress&)>& progress)
{
    TRY(makeFolder(run.folder));
    const FolderLock lock = TRY(FolderLock::take(run.folder));
    TRY(claimFolder(run));
    auto journal = TRY(SweepJournal::open((fs::path(run.folder) / "journal.jsonl").string()));

    SweepOutcomes outcomes;
    for (const auto& [task, outcome] : journal.found())
        if (task < spec.tasks() && outcome.error.empty())
            outcomes.emplace(task, outcome);
    SweepProgress now{spec.tasks(), std::ssize(outcomes), 0};
    const auto tell = [&] {
        if (progress)
            progress(now);
    };
    tell();
    std::int64_t next = 0, running = 0;
    const auto dealOut = [&] {
        while (pool.free()) {
            while (next < spec.tasks() && outcomes.contains(next))
                ++next;
            if (next == spec.tasks())
                return;
            pool.give(taskOf(spec, run, next++));
            ++running;
        }
    };
    for (dealOut(); running > 0 && !stop.stop_requested(); dealOut()) {
        const std::vector<SweepOutcome> ended = pool.collect();
        if (ended.empty())
            std::this_thread::sleep_for(pollInterval);
        for (SweepOutcome outcome : ended) {
            outcome.notes = withoutFiles(outcome.notes, run);
            if (const Result<void> kept = journal.add(outcome); !kept) {
                pool.stop();
                return tl::unexpected(kept.error());
            }
            --running;
            ++(outcome.error.empty() ? now.done : now.failed);
            outcomes[outcome.task] = outcome;
            tell();
        }
    }
    pool.stop();
    if (!stop.stop_requested() || spec.tasks() <= mostTasksOfStopped)
        TRY(writeSweepTables(run.folder, spec, outcomes));
    TRY(unlessStopped(stop));
    SweepResult result{now, {}};
    for (const auto& [task, outcome] : outcomes)
        if (!outcome.error.empty() && result.firstError.empty())
            result.firstError = fmt::format("task {}: {}", task, outcome.error);
    return result;
}

}  // namespace attnscope
