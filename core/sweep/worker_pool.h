#pragma once
// Who does the tasks of a sweep: processes of this program on this machine, or ranks of MPI, each of which runs one
// such process at a time. A task that fails, or whose process crashes, is an outcome like any other.

#include "core/base/error.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnscope {

struct SweepTask {
    std::int64_t number = 0;
    std::vector<std::string> arguments;
};

struct SweepOutcome {
    std::int64_t task = 0;
    std::string rows;   ///< its standard output
    std::string error;  ///< empty: none. Else the last line of its standard error, or what ended it
    double seconds = 0;
    std::string notes = {};  ///< of what did not fail: the lines of its standard error, "; " between them
};

class WorkerPool {
public:
    virtual ~WorkerPool() = default;
    virtual bool free() const = 0;
    virtual void give(const SweepTask& task) = 0;     ///< only where one is free
    virtual std::vector<SweepOutcome> collect() = 0;  ///< what has ended since; does not wait
    virtual void stop() = 0;                          ///< interrupts whatever runs, and waits for its end
};

/// `program` is started with each task's arguments, at most `jobs` at a time, each on its share of the cores. The
/// processes end with this one.
std::unique_ptr<WorkerPool> processPool(std::string program, int jobs);

/// Messages between ranks. What MPI needs of it is in a module that is loaded only where ranks are (mpi_transport.cpp).
struct Transport {
    int rank = 0, size = 1;
    virtual ~Transport() = default;
    virtual void send(int to, std::string_view message) = 0;
    virtual std::optional<std::pair<int, std::string>> receive() = 0;  ///< from whom; does not wait
};

/// Does mpirun or srun start several of this program?
bool startedAsRanks();
/// Errors: Unavailable (a build without MPI).
Result<std::unique_ptr<Transport>> openTransport();

/// Rank 0's: every other rank and one process of its own.
std::unique_ptr<WorkerPool> rankPool(Transport& transport, std::string program);
/// What the other ranks do until rank 0 ends it.
void serveTasks(Transport& transport, std::string program);

}  // namespace attnscope
