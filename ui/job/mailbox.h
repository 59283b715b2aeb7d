#pragma once
// Hands work over to the thread that made the mailbox: posted from any thread, done there in order, from its event
// loop. What still waits when the mailbox goes is dropped. The work itself travels behind a mutex of ours: what passes
// through Qt's own queue is out of the thread sanitiser's sight, and it would report every hand-over as a race.

#include <QCoreApplication>
#include <QEvent>
#include <QObject>

#include <deque>
#include <functional>
#include <mutex>
#include <utility>

namespace attnscope {

class Mailbox final : public QObject {
public:
    void post(std::function<void()> work)
    {
        QEvent* const arrival = announcement();
        {
            const std::lock_guard lock(m_mutex);
            m_waiting.push_back(std::move(work));
        }
        QCoreApplication::postEvent(this, arrival);  // which owns it
    }

protected:
    void customEvent(QEvent*) override
    {
        std::function<void()> work;
        {
            const std::lock_guard lock(m_mutex);
            work = std::move(m_waiting.front());
            m_waiting.pop_front();
        }
        work();
    }

private:
    /// Travels in Qt's queue, so the thread sanitiser is told to look away, here and nowhere else; it finds the place
    /// by this name, so it is never inlined.
    [[gnu::noinline]] static QEvent* announcement() { return new QEvent(QEvent::User); }

    std::mutex m_mutex;
    std::deque<std::function<void()>> m_waiting;  // one for each event on its way
};

}  // namespace attnscope
