#pragma once
// The window's session: what it is called, whether it is saved, how it comes back. A session is the document, where the
// window and the docks of Explore stand, and the file that it is kept in.

#include "core/document/session.h"

#include <QObject>
#include <QPointer>
#include <QString>

#include <functional>

class QMessageBox;
class QWidget;

namespace attnscope {

class Document;
class ExplorePage;
class MessageBar;

class WindowSession : public QObject {
    Q_OBJECT
public:
    WindowSession(QWidget& window, ExplorePage& explore, Document& document, MessageBar& messages);

    Session current() const;
    /// With the file that it goes on being in.
    Session toKeep() const;
    /// As the last window was: no step of undo.
    void resume(const Session& kept);
    /// A step of undo; `path`: the session's file, if it has one.
    void restore(const Session& session, const QString& path = {});
    void beginAnew();
    void open(const QString& path);
    /// Into its file, which is asked for where there is none.
    void save();
    void saveAs();
    /// A session with a name has changes that its file has not.
    bool wouldLose() const;
    /// At once, or after an answer where changes would be lost. What has no name yet is kept for the next start.
    void whenSaved(std::function<void()> then);

signals:
    void shown();                          ///< another session is in the window
    void fileOpened(const QString& path);  ///< or saved

private:
    void show(const Session& session);
    void showTitle();
    bool saveTo(const QString& path);

    QWidget& m_window;
    ExplorePage& m_explore;
    Document& m_document;
    MessageBar& m_messages;
    QPointer<QMessageBox> m_asking;  ///< what is to become of changes
};

}  // namespace attnscope
