#pragma once
// For what is read and not watched: numbers in tables and lines of text, which nobody can follow at every step of a drag, and whose
// glyphs cost more of a step than the pictures do. What comes within the pause after the last run waits for its end; of several
// that wait the last is run.

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>
#include <utility>

namespace attnscope {

class Unhurried : public QObject {
public:
    static constexpr int pauseMilliseconds = 100;

    explicit Unhurried(QObject* parent) : QObject(parent)
    {
        m_timer.setSingleShot(true);
        QObject::connect(&m_timer, &QTimer::timeout, this, [this] { run(std::exchange(m_waiting, {}), true); });
    }

    void run(std::function<void()> what, bool now)
    {
        if (!now && m_since.isValid() && m_since.elapsed() < pauseMilliseconds) {
            m_waiting = std::move(what);
            if (!m_timer.isActive())
                m_timer.start(pauseMilliseconds - static_cast<int>(m_since.elapsed()));
            return;
        }
        m_timer.stop();
        m_waiting = {};
        m_since.start();
        what();
    }

private:
    QTimer m_timer;
    QElapsedTimer m_since;
    std::function<void()> m_waiting;
};

}  // namespace attnscope
