#include "ui/job/latest_job.h"

namespace attnscope {

void LatestWorker::start(Work work)
{
    if (!m_thread.joinable())
        m_thread = std::jthread([this](std::stop_token quit) { loop(quit); });
    {
        const std::lock_guard lock(m_mutex);
        m_running.request_stop();
        m_waiting = std::move(work);
        m_waitingGeneration = ++m_generation;
    }
    m_wake.notify_one();
}

void LatestWorker::cancel()
{
    const std::lock_guard lock(m_mutex);
    m_running.request_stop();
    m_waiting = nullptr;
    ++m_generation;
}

void LatestWorker::loop(std::stop_token quit)
{
    for (;;) {
        Work work;
        std::uint64_t generation = 0;
        std::stop_token stop;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, quit, [this] { return static_cast<bool>(m_waiting); }))
                return;
            work = std::exchange(m_waiting, nullptr);
            generation = m_waitingGeneration;
            m_running = std::stop_source();
            stop = m_running.get_token();
        }
        work(stop, generation);
    }
}

}  // namespace attnscope
