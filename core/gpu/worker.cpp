#include "core/gpu/worker.h"

#include <algorithm>
#include <thread>

namespace attnscope::gpu {

Worker& Worker::instance()
{
    static Worker& worker = *new Worker;  // see worker.h
    return worker;
}

Worker::Worker()
{
    std::thread([this] { loop(); }).detach();
}

void Worker::loop()
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [&] { return !m_queue.empty(); });
        m_running = m_queue.front();
        m_queue.pop_front();
        lock.unlock();
        (*m_running)();
        lock.lock();
        m_running = nullptr;
        m_changed.notify_all();
    }
}

void Worker::post(const std::function<void()>& work)
{
    std::unique_lock lock(m_mutex);
    m_queue.push_back(&work);
    m_changed.notify_all();
    m_changed.wait(lock, [&] { return m_running != &work && std::ranges::find(m_queue, &work) == m_queue.end(); });
}

Result<void> Worker::run(const std::function<Result<void>(Workplace&)>& work)
{
    Result<void> result;
    post([&] { result = perform(work); });
    return result;
}

void Worker::tidy(const std::function<void()>& work)
{
    post([&] {
        if (m_workplace)
            work();
    });
}

Result<void> Worker::perform(const std::function<Result<void>(Workplace&)>& work)
{
    const auto attempt = [&]() -> Result<void> {
        if (!m_workplace) {
            auto context = TRY(Context::open());
            m_workplace.emplace();
            m_workplace->context = std::move(context);
            m_workplace->programs = TRY(Programs::compile());
        }
        return work(*m_workplace);
    };
    if (m_failed)
        return tl::unexpected(*m_failed);
    Result<void> result = attempt();
    if (!result && result.error().kind == ErrorKind::Unavailable) {
        m_failed = result.error();
        m_workplace.reset();
    }
    return result;
}

}  // namespace attnscope::gpu
