#include "core/sweep/worker_pool.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace attnscope {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds patience{20};  // for a lab to leave its checkpoint

std::string takeAll(int descriptor)
{
    std::string text;
    std::array<char, 65536> buffer;
    ::lseek(descriptor, 0, SEEK_SET);
    for (ssize_t got; (got = ::read(descriptor, buffer.data(), buffer.size())) > 0;)
        text.append(buffer.data(), static_cast<std::size_t>(got));
    ::close(descriptor);
    return text;
}

std::string lastLine(const std::string& text)
{
    const std::size_t end = text.find_last_not_of("\n\r ");
    if (end == text.npos)
        return {};
    const std::size_t before = text.find_last_of("\n\r", end);
    return text.substr(before == text.npos ? 0 : before + 1, end - (before == text.npos ? 0 : before + 1) + 1);
}

std::string inOneLine(const std::string& text)
{
    std::string all;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (const std::size_t end = line.find_last_not_of("\r "); end != line.npos)
            all += (all.empty() ? "" : "; ") + line.substr(0, end + 1);
    return all;
}

/// Part `which` of `of` of the cores that this process may use; all of them where there are too few.
cpu_set_t shareOfCores(int which, int of)
{
    cpu_set_t all, share;
    CPU_ZERO(&share);
    if (::sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < of)
        return all;
    int seen = 0;
    for (int core = 0; core < CPU_SETSIZE; ++core)
        if (CPU_ISSET(core, &all) && seen++ * of / CPU_COUNT(&all) == which)
            CPU_SET(core, &share);
    return share;
}

class ProcessPool final : public WorkerPool {
public:
    ProcessPool(std::string program, int jobs) : m_program(std::move(program)), m_slots(static_cast<std::size_t>(jobs))
    {
    }
    ~ProcessPool() override { stop(); }

    bool free() const override
    {
        return std::ranges::any_of(m_slots, [](const Slot& slot) { return slot.process == 0; });
    }

    void give(const SweepTask& task) override
    {
        const auto slot = std::ranges::find(m_slots, 0, &Slot::process);
        const auto which = static_cast<int>(slot - m_slots.begin());
        *slot = {.process = 0,
                 .task = task.number,
                 .output = ::memfd_create("rows", MFD_CLOEXEC),
                 .messages = ::memfd_create("messages", MFD_CLOEXEC),
                 .started = Clock::now()};
        std::vector<char*> words{const_cast<char*>("attnscope")};
        for (const std::string& argument : task.arguments)
            words.push_back(const_cast<char*>(argument.c_str()));
        words.push_back(nullptr);
        const cpu_set_t cores = shareOfCores(which, static_cast<int>(m_slots.size()));
        const pid_t parent = ::getpid();
        sigset_t stops, before;
        sigemptyset(&stops);
        sigaddset(&stops, SIGINT);
        sigaddset(&stops, SIGTERM);
        ::pthread_sigmask(SIG_BLOCK, &stops, &before);  // or a stop between fork and exec would reach this program's
        const pid_t process = slot->output < 0 || slot->messages < 0 ? -1 : ::fork();  // handler there, and be lost
        if (process == 0) {  // only what a signal handler may call
            ::signal(SIGINT, SIG_DFL);
            ::signal(SIGTERM, SIG_DFL);
            ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (::getppid() != parent)
                ::_exit(1);
            ::setpgid(0, 0);  // Ctrl-C is this program's to pass on
            ::sched_setaffinity(0, sizeof cores, &cores);
            const int nothing = ::open("/dev/null", O_RDONLY);
            ::dup2(nothing, STDIN_FILENO);
            ::dup2(slot->output, STDOUT_FILENO);
            ::dup2(slot->messages, STDERR_FILENO);
            ::execv(m_program.c_str(), words.data());
            ::_exit(127);
        }
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
        if (process < 0) {
            m_failed.push_back(
                {task.number, {}, std::string("no process could be started: ") + std::strerror(errno), 0});
            for (const int descriptor : {slot->output, slot->messages})
                if (descriptor >= 0)
                    ::close(descriptor);
        }
        slot->process = std::max(process, 0);
    }

    std::vector<SweepOutcome> collect() override
    {
        std::vector<SweepOutcome> ended = std::exchange(m_failed, {});
        for (Slot& slot : m_slots) {
            int status = 0;
            if (slot.process == 0 || ::waitpid(slot.process, &status, WNOHANG) != slot.process)
                continue;
            SweepOutcome outcome{slot.task,
                                 takeAll(slot.output),
                                 {},
                                 std::chrono::duration<double>(Clock::now() - slot.started).count()};
            const std::string messages = takeAll(slot.messages), said = lastLine(messages);
            if (WIFSIGNALED(status))
                outcome.error = fmt::format("ended by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
            else if (WEXITSTATUS(status) != 0)
                outcome.error =
                    said.empty() ? fmt::format("ended with status {} and no word", WEXITSTATUS(status)) : said;
            else
                outcome.notes = inOneLine(messages);
            slot.process = 0;
            ended.push_back(std::move(outcome));
        }
        return ended;
    }

    void stop() override
    {
        for (const Slot& slot : m_slots)
            if (slot.process > 0)
                ::kill(slot.process, SIGINT);
        const auto deadline = Clock::now() + patience;
        for (Slot& slot : m_slots) {
            while (slot.process > 0 && ::waitpid(slot.process, nullptr, WNOHANG) == 0) {
                if (Clock::now() > deadline)
                    ::kill(slot.process, SIGKILL);
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            }
            if (slot.process > 0) {
                ::close(slot.output);
                ::close(slot.messages);
            }
            slot.process = 0;
        }
    }

private:
    struct Slot {
        pid_t process = 0;
        std::int64_t task = 0;
        int output = -1, messages = -1;
        Clock::time_point started{};
    };
    std::string m_program;
    std::vector<Slot> m_slots;
    std::vector<SweepOutcome> m_failed;
};

}  // namespace

std::unique_ptr<WorkerPool> processPool(std::string program, int jobs)
{
    return std::make_unique<ProcessPool>(std::move(program), jobs);
}

}  // namespace attnscope
