#pragma once
// Does everything that it is given, one after the other in the order of asking, on a thread of its own: what must not
// be lost, such as the writing of files. Nothing replaces what waits, and destroying the queue finishes it first; only
// what is left to be shown then is dropped. What a work throws, when memory ends, is shown as the value that `failed`
// makes of the error.
//
//   SerialQueue<Result<QString>> saving([this](const Result<QString>& saved) { say(saved); },
//                                       [](const Error& error) { return tl::unexpected(error); });
//   saving.add([picture, path] { return save(picture, path); });

#include "ui/job/mailbox.h"

#include "core/base/thrown.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace attnscope {

template <class Value>
class SerialQueue {
public:
    using Show = std::function<void(Value)>;
    /// Runs on the worker thread.
    using Work = std::function<Value()>;
    using Failed = std::function<Value(const Error&)>;

    /// `show` is called on the thread that makes the queue, from its event loop, once for each work; `failed` on the
    /// worker thread.
    SerialQueue(Show show, Failed failed)
        : m_show(std::move(show)), m_failed(std::move(failed)), m_worker([this](std::stop_token quit) { loop(quit); })
    {
    }

    SerialQueue(const SerialQueue&) = delete;
    SerialQueue& operator=(const SerialQueue&) = delete;

    void add(Work work)
    {
        ++m_unfinished;
        {
            const std::lock_guard lock(m_mutex);
            m_waiting.push_back(std::move(work));
        }
        m_wake.notify_one();
    }

    /// Is there anything that has not been shown yet?
    bool isBusy() const { return m_unfinished > 0; }

private:
    Value done(const Work& work) const
    try {
        return work();
    } catch (...) {
        return m_failed(thrownError());
    }

    void loop(std::stop_token quit)
    {
        for (;;) {
            Work work;
            {
                std::unique_lock lock(m_mutex);
                m_wake.wait(lock, quit, [this] { return !m_waiting.empty(); });
                if (m_waiting.empty())
                    return;
                work = std::move(m_waiting.front());
                m_waiting.pop_front();
            }
            m_mailbox.post([this, value = std::make_shared<Value>(done(work))] {
                --m_unfinished;
                m_show(std::move(*value));
            });
        }
    }

    Show m_show;
    Failed m_failed;
    int m_unfinished = 0;  // touched on the thread that made the queue only
    Mailbox m_mailbox;
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::deque<Work> m_waiting;
    std::jthread m_worker;  // last: told to end, and joined when nothing waits, before the members that it uses go
};

}  // namespace attnscope
