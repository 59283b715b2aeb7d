#pragma once
// Keeps the session on the disk while the window is open, and gives it back if the last window did not close by itself.
// One window at a time does so: a lock file says whether another is open or was killed.

#include "ui/window/session_file.h"

#include <QLockFile>
#include <QObject>
#include <QTimer>

#include <functional>
#include <optional>

namespace attnscope {

class Document;

class Autosave : public QObject {
    Q_OBJECT
public:
    /// Saves in `folder` some time after the document changes.
    Autosave(Document& document, const QString& folder, std::function<Session()> take, QObject* parent = nullptr);
    ~Autosave() override;

    /// What a window that was killed has left behind.
    std::optional<Session> recovered() const { return m_recovered; }
    void saveNow();

private:
    QString m_path;
    QLockFile m_lock;
    bool m_active = false;
    QTimer m_timer;
    std::function<Session()> m_take;
    std::optional<Session> m_recovered;
};

}  // namespace attnscope
