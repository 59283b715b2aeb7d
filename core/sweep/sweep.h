#pragma once
// A sweep: every task of a product of options, dealt out to whoever is free, its results in a folder. Whatever becomes
// of one task, the others are done; what was done stays done when the program is stopped or killed, and `resume` does
// the rest.

#include "core/sweep/worker_pool.h"
#include "core/sweep/sweep_spec.h"

#include <functional>
#include <stop_token>

namespace attnscope {

struct SweepProgress {
    std::int64_t tasks = 0, done = 0, failed = 0;
};

struct SweepRun {
    std::string spec;  ///< the text of SPEC.json, kept in the folder as sweep.json
    std::string folder;
    bool resume = false;  ///< goes on with what the folder holds, if anything; failed tasks are tried again
};

struct SweepResult {
    SweepProgress progress;
    std::string firstError;  ///< "task 3: ..."; empty: none failed
};

/// Labs keep their runs in FOLDER/runs/NUMBER, and go on from their checkpoints there. Errors: InvalidArgument (the
/// folder holds something else), NotWritable, Cancelled (the tables hold what is done).
Result<SweepResult> runSweep(const SweepSpec& spec, const SweepRun& run, WorkerPool& pool, std::stop_token stop,
                             const std::function<void(const SweepProgress&)>& progress);

}  // namespace attnscope
