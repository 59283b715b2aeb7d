#pragma once
// Runs the latest request on a thread of its own and shows nothing else. A new request stops the one before it through
// its stop_token; whatever a stopped request still publishes is dropped on the receiving side, where a generation
// counter decides. Destroying a LatestJob while it computes, or while results wait in the mailbox, is safe and shows
// nothing more. The thread begins with the first request. What the work throws, when memory ends, is shown too: as the
// value that `failed` makes of the error.
//
//   LatestJob<Picture> job([this](Picture picture) { show(std::move(picture)); },
//                          [](const Error& error) { return Picture(error); });
//   job.start([request](std::stop_token stop, const auto& publish) {
//       publish(preview(request));
//       publish(exact(request, stop));
//   });

#include "ui/job/mailbox.h"

#include "core/base/thrown.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace attnscope {

template <class Value>
class LatestJob {
public:
    using Show = std::function<void(Value)>;
    using Publish = std::function<void(Value)>;
    using Failed = std::function<Value(const Error&)>;
    /// Runs on the worker thread; may publish several times, each better than the last.
    using Work = std::function<void(std::stop_token, const Publish&)>;

    /// `show` is called on the thread that makes the job, from its event loop; `failed` on the worker thread.
    LatestJob(Show show, Failed failed) : m_show(std::move(show)), m_failed(std::move(failed)) {}

    ~LatestJob() { cancel(); }

    LatestJob(const LatestJob&) = delete;
    LatestJob& operator=(const LatestJob&) = delete;

    /// Replaces whatever runs or waits.
    void start(Work work)
    {
        if (!m_worker.joinable())
            m_worker = std::jthread([this](std::stop_token quit) { loop(quit); });
        {
            const std::lock_guard lock(m_mutex);
            m_running.request_stop();
            m_waiting = std::move(work);
            m_waitingGeneration = ++m_generation;
        }
        m_wake.notify_one();
    }

    /// Nothing that was asked for so far will be shown.
    void cancel()
    {
        const std::lock_guard lock(m_mutex);
        m_running.request_stop();
        m_waiting = nullptr;
        ++m_generation;
    }

private:
    void loop(std::stop_token quit)
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
            try {
                work(stop, [this, generation](Value value) { deliver(generation, std::move(value)); });
            } catch (...) {
                deliver(generation, m_failed(thrownError()));
            }
        }
    }

    void deliver(std::uint64_t generation, Value value)
    {
        if (m_generation != generation)
            return;
        m_mailbox.post([this, generation, shared = std::make_shared<Value>(std::move(value))] {
            if (m_generation == generation)
                m_show(std::move(*shared));
        });
    }

    Show m_show;
    Failed m_failed;
    Mailbox m_mailbox;
    std::atomic<std::uint64_t> m_generation = 0;
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    Work m_waiting;
    std::uint64_t m_waitingGeneration = 0;
    std::stop_source m_running;
    std::jthread m_worker;  // last: stopped and joined before the members that it uses go
};

}  // namespace attnscope
