// The module attnscope_mpi.so: messages between ranks by OpenMPI. It is loaded only under mpirun or srun, so that the
// program needs no MPI elsewhere.

#include "core/sweep/worker_pool.h"

#define OMPI_SKIP_MPICXX
#include <mpi.h>

namespace {

class MpiTransport final : public attnscope::Transport {
public:
    MpiTransport()
    {
        MPI_Init(nullptr, nullptr);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
    }
    ~MpiTransport() override { MPI_Finalize(); }

    void send(int to, std::string_view message) override
    {
        MPI_Send(message.data(), static_cast<int>(message.size()), MPI_BYTE, to, 0, MPI_COMM_WORLD);
    }

    std::optional<std::pair<int, std::string>> receive() override
    {
        int there = 0, bytes = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
        if (!there)
            return {};
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        std::string message(static_cast<std::size_t>(bytes), '\0');
        MPI_Recv(message.data(), bytes, MPI_BYTE, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return std::pair(status.MPI_SOURCE, std::move(message));
    }
};

}  // namespace

extern "C" attnscope::Transport* attnscopeTransport();
extern "C" attnscope::Transport* attnscopeTransport() { return new MpiTransport; }
