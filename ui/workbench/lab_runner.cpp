#include "ui/workbench/lab_runner.h"

#include "core/base/thrown.h"
#include "ui/plot/qt_text.h"

namespace attnscope {

LabRunner::~LabRunner()
{
    m_thread.request_stop();
    if (m_thread.joinable())
        m_thread.join();  // until the checkpoint is written
}

void LabRunner::start(const LabRun& run)
{
    if (m_thread.joinable())
        m_thread.join();
    m_run = run;
    m_record = m_news = LabRecord{.choice = run.choice, .stage = "preparing"};
    m_found = {};
    m_running = true;
    m_paused = m_held = m_posted = false;
    m_pace.begin();
    m_before = 0;
    m_clock.start();
    emit changed();
    try {
        m_thread = std::jthread([this](std::stop_token stop) { work(std::move(stop)); });
    } catch (...) {
        end(tl::unexpected<Error>(thrownError()));
    }
}

void LabRunner::work(std::stop_token stop)
{
    if (m_run.resume)
        if (auto before = readRecord(m_run.folder)) {
            const std::lock_guard lock(m_mutex);
            m_found = std::move(*before);
            if (!std::exchange(m_posted, true))
                m_mailbox.post([this] { show(); });
        }
    const auto progress = [this, stop](const LabUpdate& update) {
        std::unique_lock lock(m_mutex);
        take(m_news, update);
        if (!std::exchange(m_posted, true))
            m_mailbox.post([this] { show(); });
        m_goOn.wait(lock, stop, [this] { return !m_held; });
    };
    const auto result =
        std::make_shared<const Result<LabResult>>(caught([&] { return runLab(m_run, stop, progress); }));
    m_mailbox.post([this, result] { end(*result); });
}

void LabRunner::show()
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_record.phase != m_news.phase)
            m_pace.begin();
        m_record = withFoundBefore(m_news, m_found);
        m_posted = false;
    }
    m_pace.add(m_record.fraction, worked());
    emit changed();
}

void LabRunner::end(const Result<LabResult>& result)
{
    m_running = m_paused = false;
    {
        const std::lock_guard lock(m_mutex);
        m_record = withFoundBefore(m_news, m_found);
    }
    if (result) {
        m_record.rows = result->rows;
        m_record.live.clear();
        m_record.files = result->files;
        m_record.finished = true;
        m_record.fraction = 1;
    }
    const bool wrong = !result && result.error().kind != ErrorKind::Cancelled;
    emit changed();
    emit ended(wrong ? text(result.error().message) : QString());
}

void LabRunner::setPaused(bool paused)
{
    if (!m_running || paused == m_paused)
        return;
    m_paused = paused;
    if (paused)
        m_before += m_clock.elapsed();
    else
        m_clock.start();
    {
        const std::lock_guard lock(m_mutex);
        m_held = paused;
    }
    m_goOn.notify_all();
    emit changed();
}

void LabRunner::cancel() { m_thread.request_stop(); }

QString LabRunner::timeLeft() const
{
    const LabPhase& phase = m_record.phase;
    const QString left = m_running ? m_pace.left(worked(), phase.until) : QString();
    return left.isEmpty() || phase.next.empty() ? left : u"%1, then %2"_s.arg(left, text(phase.next));
}

}  // namespace attnscope

#include "moc_lab_runner.cpp"
