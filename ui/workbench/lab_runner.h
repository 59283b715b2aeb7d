#pragma once
// Runs one lab on a thread of its own. What it has found so far is record(); changed() comes a few times a second while
// it trains. Pausing holds the lab in its progress callback, cancelling leaves a checkpoint; so does closing the
// window.

#include "core/labs/lab_record.h"
#include "ui/job/mailbox.h"
#include "ui/job/pace.h"

#include <QElapsedTimer>
#include <QObject>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace attnscope {

class LabRunner : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    ~LabRunner() override;

    /// Only while nothing runs.
    void start(const LabRun& run);
    void setPaused(bool paused);
    void cancel();

    bool isRunning() const { return m_running; }
    bool isPaused() const { return m_paused; }
    const LabRun& run() const { return m_run; }
    const LabRecord& record() const { return m_record; }
    /// "40 s left at this pace", "7 s left at this pace, then tests"; empty while there is nothing to judge by.
    QString timeLeft() const;

signals:
    void changed();
    /// `problem` is empty after a run that finished or was cancelled.
    void ended(const QString& problem);

private:
    void work(std::stop_token stop);
    void show();
    qint64 worked() const { return m_before + (m_paused ? 0 : m_clock.elapsed()); }
    void end(const Result<LabResult>& result);

    LabRun m_run;
    LabRecord m_record;  ///< the GUI thread's copy
    bool m_running = false, m_paused = false;
    Pace m_pace;
    QElapsedTimer m_clock;
    qint64 m_before = 0;  ///< milliseconds of work before the clock was last started

    Mailbox m_mailbox;
    std::mutex m_mutex;  ///< guards what follows
    std::condition_variable_any m_goOn;
    LabRecord m_news;
    LabRecord m_found;  ///< by a run that goes on, before
    bool m_held = false, m_posted = false;
    std::jthread m_thread;
};

}  // namespace attnscope
