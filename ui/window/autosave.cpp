#include "ui/window/autosave.h"

#include "core/base/replace_file.h"
#include "ui/job/save_queue.h"
#include "ui/plot/qt_text.h"
#include "ui/workbench/document.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <filesystem>
#include <map>
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

const QString previousName = u"previous"_s, suffix = u".attnscope"_s;

/// previous.attnscope is 0, previous-7.attnscope is 7; -1: another file.
int numberOf(const QString& name)
{
    const QStringView rest = QStringView(name).mid(previousName.size()).chopped(suffix.size());
    bool good = false;
    const int number = rest.isEmpty() ? 0 : rest.startsWith(QLatin1Char('-')) ? rest.mid(1).toInt(&good) : -1;
    return rest.isEmpty() || (good && number > 0) ? number : -1;
}

/// A path for one more, above all that there are.
QString nextPrevious(const QString& folder)
{
    const QStringList there = Autosave::previousPaths(folder);
    const int number = there.isEmpty() ? 1 : numberOf(QFileInfo(there.front()).fileName()) + 1;
    return folder + u"/%1-%2%3"_s.arg(previousName).arg(number).arg(suffix);
}

void removeOldPrevious(const QString& folder)
{
    for (const QString& old : Autosave::previousPaths(folder).mid(Autosave::mostPrevious))
        QFile::remove(old);
}

/// That name, or the first that is free with a number after it.
QString freePath(const QString& wanted)
{
    QString path = wanted;
    for (int number = 2; QFile::exists(path); ++number)
        path = wanted + u"-%1"_s.arg(number);
    return path;
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
    auto session = loadSession(m_path);
    if (session) {
        m_left = std::move(*session);
        return;
    }
    const QString aside = freePath(m_path + u".unreadable"_s);
    m_unreadable = u"%1 (%2)"_s.arg(moveFile(m_path, aside) ? aside : m_path, text(session.error().message));
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

QStringList Autosave::previousPaths(const QString& folder)
{
    std::map<int, QString, std::greater<>> paths;
    for (const QString& name : QDir(folder).entryList({previousName + u"*"_s + suffix}, QDir::Files))
        if (const int number = numberOf(name); number >= 0)
            paths.emplace(number, folder + QLatin1Char('/') + name);
    QStringList newestFirst;
    for (const auto& [number, path] : paths)
        newestFirst << path;
    return newestFirst;
}

void Autosave::setAside()
{
    if (!m_left || !moveFile(m_path, nextPrevious(m_folder)))
        return;
    m_left.reset();
    removeOldPrevious(m_folder);
}

void Autosave::keepAlso(const Session& session)
{
    m_saves.add(
        u"what was in the window before"_s, this,
        [session, folder = m_folder] {
            const QStringList there = previousPaths(folder);
            if (!there.isEmpty())
                if (const auto last = loadSession(there.front()); last && *last == session)
                    return Result<void>();
            return saveSession(session, nextPrevious(folder)).map([&] { removeOldPrevious(folder); });
        },
        [this](const Result<void>& saved) {
            if (!saved)
                emit failed(text(saved.error().message));
        });
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
                emit failed(text(saved.error().message));
        });
}

}  // namespace attnscope

#include "moc_autosave.cpp"
