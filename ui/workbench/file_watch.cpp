#include "ui/workbench/file_watch.h"

#include "core/base/thrown.h"

#include <thread>
#include <utility>

namespace attnscope {

FileWatch::FileWatch(QObject* parent, std::chrono::milliseconds between) : QObject(parent)
{
    m_next.setInterval(between);
    connect(&m_next, &QTimer::timeout, this, &FileWatch::look);
}

void FileWatch::watch(const std::string& what, Look look, const std::optional<Stamps>& asRead)
{
    const bool same = m_next.isActive() && what == m_what;
    if (asRead || !same)
        m_known = asRead;
    if (same)
        return;
    m_what = what;
    m_look = std::move(look);
    m_last.reset();
    m_found = {};
    this->look();
    m_next.start();
}

void FileWatch::rest()
{
    m_next.stop();
    m_found = {};
}

/// One at a time: where a disk does not answer, the looks wait with it.
void FileWatch::look()
{
    if (m_found.valid()) {
        if (m_found.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
            return;
        take(m_found.get());
    }
    if (!m_look)
        return;
    std::promise<Stamps> found;
    m_found = found.get_future();
    const Result<void> begun = caught([&]() -> Result<void> {
        std::thread([found = std::move(found), look = m_look]() mutable {
            Stamps stamps;
            const Result<void> looked = caught([&]() -> Result<void> {
                stamps = look();
                return {};
            });
            found.set_value(looked ? std::move(stamps) : Stamps());
        }).detach();  // it has nothing of the window's
        return {};
    });
    if (!begun)
        m_found = {};  // without memory for a thread: at the next time
}

void FileWatch::take(Stamps now)
{
    if (!m_known)
        m_known = now;
    const bool rests = m_last == now;
    m_last = now;
    if (!rests || now.empty() || now == *m_known)
        return;
    m_known = std::move(now);
    emit written();
}

}  // namespace attnscope

#include "moc_file_watch.cpp"
