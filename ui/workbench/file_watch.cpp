#include "ui/workbench/file_watch.h"

#include <utility>

namespace attnscope {

FileWatch::FileWatch(QObject* parent, std::chrono::milliseconds between)
    : QObject(parent), m_job([this](Stamps now) { take(std::move(now)); }, [](const Error&) { return Stamps(); })
{
    m_next.setInterval(between);
    connect(&m_next, &QTimer::timeout, this, &FileWatch::look);
}

void FileWatch::watch(std::vector<std::string> paths)
{
    if (paths == m_paths)
        return;
    m_paths = std::move(paths);
    m_job.cancel();
    m_looks = false;
    m_begins = true;
    m_next.stop();
    if (m_paths.empty())
        return;
    look();
    m_next.start();
}

/// One at a time: where a disk does not answer, the looks wait with it.
void FileWatch::look()
{
    if (std::exchange(m_looks, true))
        return;
    m_job.start([paths = m_paths](std::stop_token, const auto& publish) {
        Stamps all;
        for (const std::string& path : paths) {
            const Stamps some = stampsIn(path);
            all.insert(all.end(), some.begin(), some.end());
        }
        publish(std::move(all));
    });
}

void FileWatch::take(Stamps now)
{
    m_looks = false;
    if (std::exchange(m_begins, false))
        m_known = m_last = now;
    const bool rests = now == std::exchange(m_last, now);
    if (!rests || now == m_known || now.empty())
        return;
    m_known = std::move(now);
    emit written();
}

}  // namespace attnscope

#include "moc_file_watch.cpp"
