#include "core/gpu/worker.h"

#include <algorithm>

namespace attnscope::gpu {

Worker& Worker::instance()
{
    static Worker worker;
    return worker;
}

Worker::Worker() : m_thread([this] { loop(); }) {}

Worker::~Worker()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_ending = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

void Worker::loop()
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [&] { return m_ending || !m_queue.empty(); });
        if (m_queue.empty())
            break;
        m_running = m_queue.front();
        m_queue.pop_front();
        lock.unlock();
        (*m_running)();
        lock.lock();
        m_running = nullptr;
        m_changed.notify_all();
    }
    m_workplace.reset();  // on the thread whose context it is
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
