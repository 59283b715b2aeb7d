#include "ui/window/autosave.h"

#include "core/base/replace_file.h"
#include "ui/job/save_queue.h"
#include "ui/plot/qt_text.h"
#include "ui/workbench/document.h"

#include <QFile>

#include <filesystem>
#include <system_error>
#include <utility>

namespace attnscope {

namespace {

constexpr int delayMilliseconds = 1500;

/// In place of what is there, at once.
bool moveFile(const QString& from, const QString& to)
{
    std::error_code failed;
    std::filesystem::rename(QFile::encodeName(from).toStdString(), QFile::encodeName(to).toStdString(), failed);
    return !failed;
}

}  // namespace

Autosave::Autosave(const QString& folder, SaveQueue& saves, QObject* parent)
    : QObject(parent), m_saves(saves), m_folder(folder)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(delayMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &Autosave::save);
    (void)makeFolder(folder.toStdString());  // without it there is no place to take
    for (int place = 1; place <= mostWindows && !m_lock; ++place)
        takePlace(folder + (place == 1 ? u"/autosave"_s : u"/autosave-%1"_s.arg(place)));
    if (!m_lock || !QFile::exists(m_path))
        return;
    if (auto session = loadSession(m_path))
        m_left = std::move(*session);
    else
        moveFile(m_path, m_path + u".unreadable"_s);
}

bool Autosave::takePlace(const QString& path)
{
    auto lock = std::make_unique<QLockFile>(path + u".lock"_s);
    const bool locked = QFile::exists(lock->fileName());
    lock->setStaleLockTime(0);  // only the death of its process makes it stale
    if (!lock->tryLock(0))
        return false;
    m_lock = std::move(lock);
    m_path = path + u".attnscope"_s;
    m_killed = locked;
    return true;
}

QString Autosave::previousPath(const QString& folder) { return folder + u"/previous.attnscope"_s; }

void Autosave::setAside()
{
    if (m_left && moveFile(m_path, previousPath(m_folder)))
        m_left.reset();
}

void Autosave::watch(Document& document, std::function<Session()> take)
{
    m_take = std::move(take);
    for (const auto change : {&Document::changed, &Document::lookChanged})
        connect(&document, change, this, [this] {
            if (!m_timer.isActive())
                m_timer.start();
        });
}

void Autosave::saveNow()
{
    m_failed = false;
    save();
}

void Autosave::save()
{
    if (!m_lock || !m_take)
        return;
    Session session = m_take();
    if (session == m_asked)
        return;
    m_asked = session;
    m_saves.add(
        u"the window's state"_s, this,
        [session = std::move(session), path = m_path] {
            return saveSession(session, path);  // whole or not at all: on a full disk the state before stays
        },
        [this](const Result<void>& saved) {
            const bool before = std::exchange(m_failed, !saved);
            if (saved)
                return;
            m_asked.reset();
            if (!before)
                emit failed(QString::fromStdString(saved.error().message));
        });
}

}  // namespace attnscope

#include "moc_autosave.cpp"
