#pragma once
// Runs what it is given at most once a pause. What comes within the pause after the last run waits for its end; of
// several that wait the last is run. It is for numbers in tables and lines of text, which nobody can read at every step
// of a drag, and whose glyphs cost more of a step than the pictures do.

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <chrono>
#include <functional>
#include <utility>

namespace attnscope {

class Throttle : public QObject {
public:
    static constexpr int pauseMilliseconds = 100;

    explicit Throttle(QObject* parent, std::chrono::milliseconds pause = std::chrono::milliseconds(pauseMilliseconds))
        : QObject(parent), m_pause(pause.count())
    {
        m_timer.setSingleShot(true);
        QObject::connect(&m_timer, &QTimer::timeout, this, [this] { run(std::exchange(m_waiting, {}), true); });
    }

    void run(std::function<void()> what, bool now)
    {
        if (!now && m_since.isValid() && m_since.elapsed() < m_pause) {
            m_waiting = std::move(what);
            if (!m_timer.isActive())
                m_timer.start(static_cast<int>(m_pause - m_since.elapsed()));
            return;
        }
        m_timer.stop();
        m_waiting = {};
        m_since.start();
        what();
    }

private:
    qint64 m_pause;  ///< ms
    QTimer m_timer;
    QElapsedTimer m_since;
    std::function<void()> m_waiting;
};

}  // namespace attnscope
