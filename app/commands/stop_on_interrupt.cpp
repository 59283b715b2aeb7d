#include "app/commands/stop_on_interrupt.h"

#include <atomic>
#include <chrono>
#include <csignal>

namespace attnscope {

namespace {
std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // or a signal handler could not set it

void interrupt(int)
{
    interrupted = true;
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

StopOnInterrupt::StopOnInterrupt()
{
    interrupted = false;
    m_beforeInterrupt = std::signal(SIGINT, interrupt);
    m_beforeTermination = std::signal(SIGTERM, interrupt);
    m_watch = std::jthread([this](std::stop_token over) {
        while (!over.stop_requested() && !interrupted)
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        if (interrupted)
            m_stop.request_stop();
    });
}

StopOnInterrupt::~StopOnInterrupt()
{
    std::signal(SIGINT, m_beforeInterrupt);
    std::signal(SIGTERM, m_beforeTermination);
}

}  // namespace attnscope
