#pragma once
// Keeps the state of the window on the disk, while it is open and for the next start. Every window that is open has a
// place of its own in the folder: a file, and a lock that says whether the window lives, was closed, or was killed.

#include "ui/workbench/session_file.h"

#include <QLockFile>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

namespace attnscope {

class Document;
class SaveQueue;

class Autosave : public QObject {
    Q_OBJECT
public:
    static constexpr int mostWindows = 16, mostPrevious = 5;

    /// Takes the first place in `folder` that no open window has. What lies there is read, and kept until something
    /// newer is: where it cannot be read it is moved aside, and unreadable() says where to.
    Autosave(const QString& folder, SaveQueue& saves, QObject* parent = nullptr);

    /// What the last window in this place left.
    const std::optional<Session>& left() const { return m_left; }
    /// It did not close by itself.
    bool wasKilled() const { return m_killed; }
    /// What was there and could not be read: where it lies now, and why. Empty: nothing.
    const QString& unreadable() const { return m_unreadable; }
    /// Puts what was left among the previous states, for a window that begins with something else.
    void setAside();
    /// Among the previous states, through the queue, unless it is the last of them: what is in no file, and another
    /// session comes.
    void keepAlso(const Session& session);
    /// Those in a folder, numbered files, the newest first; of more than mostPrevious the oldest go.
    static QStringList previousPaths(const QString& folder);

    /// Saves from now on some time after the document changes.
    void watch(Document& document, std::function<Session()> take);
    /// Through the queue; nothing where it is on the disk already as it is.
    void saveNow();

signals:
    void failed(const QString& message);  ///< once, until it goes well or saveNow() asks again

private:
    bool takePlace(const QString& path);
    void save();

    SaveQueue& m_saves;
    QString m_folder, m_path, m_unreadable;
    std::unique_ptr<QLockFile> m_lock;  ///< null: there was no place
    QTimer m_timer;
    std::function<Session()> m_take;
    std::optional<Session> m_left;
    std::optional<Session> m_asked;  ///< that it was last asked to write, and nothing wrong was heard of
    bool m_killed = false, m_failed = false;
};

}  // namespace attnscope
