#include "core/sweep/worker_pool.h"

#include "core/base/json_reader.h"
#include "core/base/json_text.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include <dlfcn.h>

namespace attnscope {

namespace {

using nlohmann::json;

constexpr std::chrono::milliseconds idle{2};  // MPI's own waiting would keep a core busy

class RankPool final : public WorkerPool {
public:
    RankPool(Transport& transport, std::string program)
        : m_transport(transport), m_own(processPool(std::move(program), 1))
    {
        for (int rank = transport.size - 1; rank > 0; --rank)
            m_idle.push_back(rank);
    }
    ~RankPool() override { stop(); }

    bool free() const override { return !m_idle.empty() || m_own->free(); }

    void give(const SweepTask& task) override
    {
        if (m_idle.empty())
            return m_own->give(task);
        m_transport.send(m_idle.back(), jsonText(json{{"task", task.number}, {"arguments", task.arguments}}));
        m_idle.pop_back();
    }

    std::vector<SweepOutcome> collect() override
    {
        std::vector<SweepOutcome> ended = m_own->collect();
        while (const auto message = m_transport.receive()) {
            const json outcome = parseJson(message->second, "a rank's message").value();
            ended.push_back({outcome["task"], outcome["rows"], outcome["error"], outcome["seconds"], outcome["notes"]});
            m_idle.push_back(message->first);
        }
        return ended;
    }

    void stop() override
    {
        m_own->stop();
        for (int rank = 1; rank < m_transport.size && !m_stopped; ++rank)
            m_transport.send(rank, jsonText(json{{"end", true}}));
        m_stopped = true;
    }

private:
    Transport& m_transport;
    std::unique_ptr<WorkerPool> m_own;
    std::vector<int> m_idle;
    bool m_stopped = false;
};

}  // namespace

bool startedAsRanks()
{
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_NAMESPACE"})
        if (const char* value = std::getenv(name); value && *value)
            return true;
    return false;
}

Result<std::unique_ptr<Transport>> openTransport()
{
    std::error_code ignored;
    const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
    for (const auto& path : {here / "attnscope_mpi.so", here.parent_path() / "lib/attnscope/attnscope_mpi.so"})
        if (void* module =
                ::dlopen(path.c_str(),
                         RTLD_NOW | RTLD_GLOBAL))  // OpenMPI's own modules look for its symbols among the global ones
            if (const auto make = reinterpret_cast<Transport* (*)()>(::dlsym(module, "attnscopeTransport")))
                return std::unique_ptr<Transport>(make());
    return failure(ErrorKind::Unavailable,
                   "this build has no MPI: on Debian, apt install libopenmpi-dev openmpi-bin, then configure and build "
                   "again; or run without mpirun, on this machine's cores (--jobs)");
}

std::unique_ptr<WorkerPool> rankPool(Transport& transport, std::string program)
{
    return std::make_unique<RankPool>(transport, std::move(program));
}

void serveTasks(Transport& transport, std::string program)
{
    const auto pool = processPool(std::move(program), 1);
    for (;;) {
        const auto message = transport.receive();
        if (message) {
            const json task = parseJson(message->second, "a rank's message").value();
            if (task.contains("end"))
                return pool->stop();
            pool->give({task["task"], task["arguments"]});
        }
        for (const SweepOutcome& outcome : pool->collect())
            transport.send(0, jsonText(json{{"task", outcome.task},
                                            {"rows", outcome.rows},
                                            {"error", outcome.error},
                                            {"seconds", outcome.seconds},
                                            {"notes", outcome.notes}}));
        if (!message)
            std::this_thread::sleep_for(idle);
    }
}

}  // namespace attnscope
