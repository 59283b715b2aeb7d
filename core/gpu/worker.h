#pragma once
// The one thread of the process that talks to OpenGL. Pieces of work queue up; whoever posts one waits for it, so the
// rows of two analyses take turns. It is never ended: a driver that was loaded after the program began is gone before
// the program's own objects are (NVIDIA's answers nothing then, and libepoxy ends the program), and what the device
// holds goes with the process.

#include "core/gpu/context.h"
#include "core/gpu/programs.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

namespace attnscope::gpu {

/// What a piece of work finds on the thread.
struct Workplace {
    std::unique_ptr<Context> context;
    Programs programs;
};

class Worker {
public:
    static Worker& instance();
    /// Runs `work` on the thread and waits for it. Opens the context first if nothing has; when that or the work itself
    /// fails with Unavailable, the context is closed for good and every later call fails with the same line.
    Result<void> run(const std::function<Result<void>(Workplace&)>& work);
    /// As run, for what only makes sense with an open context and cannot fail: giving buffers back.
    void tidy(const std::function<void()>& work);

private:
    Worker();
    [[noreturn]] void loop();
    void post(const std::function<void()>& work);
    Result<void> perform(const std::function<Result<void>(Workplace&)>& work);

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<const std::function<void()>*> m_queue;  ///< owned by those who wait for it
    const std::function<void()>* m_running = nullptr;
    std::optional<Workplace> m_workplace;  ///< this and m_failed: used on the thread alone
    std::optional<Error> m_failed;
};

}  // namespace attnscope::gpu
