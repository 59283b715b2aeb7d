#pragma once
// Runs the latest request on a thread of its own and shows nothing else. A new request stops the one before it through
// its stop_token; whatever a stopped request still publishes is dropped on the receiving side, where a generation
// counter decides. Destroying a LatestJob while it computes, or while results wait in the mailbox, is safe and shows
// nothing more. What the work throws, when memory ends, is shown too: as the value that `failed` makes of the error.
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

/// The thread of a LatestJob. It begins with the first request.
class LatestWorker {
public:
    /// Runs on the worker thread; `generation` is what isLatest() knows it by.
    using Work = std::function<void(std::stop_token, std::uint64_t generation)>;

    void start(Work work);
    void cancel();
    bool isLatest(std::uint64_t generation) const { return m_generation == generation; }

private:
    void loop(std::stop_token quit);

    std::atomic<std::uint64_t> m_generation = 0;
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    Work m_waiting;
    std::uint64_t m_waitingGeneration = 0;
    std::stop_source m_running;
    std::jthread m_thread;  // last: stopped and joined before the members that it uses go
};

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
        m_worker.start([this, work = std::move(work)](std::stop_token stop, std::uint64_t generation) {
            try {
                work(stop, [this, generation](Value value) { deliver(generation, std::move(value)); });
            } catch (...) {
                deliver(generation, m_failed(thrownError()));
            }
        });
    }

    /// Nothing that was asked for so far will be shown.
    void cancel() { m_worker.cancel(); }

private:
    void deliver(std::uint64_t generation, Value value)
    {
        if (!m_worker.isLatest(generation))
            return;
        m_mailbox.post([this, generation, shared = std::make_shared<Value>(std::move(value))] {
            if (m_worker.isLatest(generation))
                m_show(std::move(*shared));
        });
    }

    Show m_show;
    Failed m_failed;
    Mailbox m_mailbox;
    LatestWorker m_worker;  // last: joined before the members that its work uses go
};

}  // namespace attnscope
