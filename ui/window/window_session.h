#pragma once
// The window's session: what it is called, whether it is saved, how it comes back. A session is the document, where the
// window and the docks of Explore stand, and the file that it is kept in.

#include "core/document/session.h"
#include "ui/workbench/document.h"

#include <QObject>
#include <QPointer>
#include <QString>

#include <functional>
#include <optional>

class QMessageBox;
class QWidget;

namespace attnscope {

class ExplorePage;
class MessageBar;
class SaveQueue;

/// Where the window was, but never over the whole screen, which is the stage's.
void restorePlace(QWidget& window, const QByteArray& geometry);

/// What was said last, with an offer to take a step back, goes at the next step: then the offer is of no use.
void untilNextStep(MessageBar& messages, Document& document);

class WindowSession : public QObject {
    Q_OBJECT
public:
    WindowSession(QWidget& window, ExplorePage& explore, Document& document, SaveQueue& saves, MessageBar& messages);

    Session current() const;
    /// With the file that it goes on being in.
    Session toKeep() const;
    /// While something passing moves what is shown: this is what toKeep() says meanwhile.
    void keepInstead(std::optional<Document::Content> own) { m_instead = std::move(own); }
    /// As the last window was: no step of undo.
    void resume(const Session& kept);
    /// A step of undo; `path`: the session's file, if it has one.
    void restore(const Session& session, const QString& path = {});
    /// One that an Autosave kept, as a step of undo.
    void openKept(const QString& path);
    void beginAnew();
    void open(const QString& path);
    /// Into its file, which is asked for where there is none.
    void save();
    void saveAs();
    /// A session with a name has changes that its file has not.
    bool wouldLose() const;
    /// At once, or after an answer where changes would be lost. What has no name yet is kept for the next start.
    void whenSaved(std::function<void()> then);
    /// The same of what is visited alone, which has changes of its own once it was saved under a name.
    void whenVisitSaved(std::function<void()> then);
    /// What is in front is no session but this file, in the title too; empty: it is the session.
    void setInFront(const QString& file);
    /// True: nothing would be lost. Else it is asked about, and `then` may come.
    bool isKept(std::function<void()> then);

signals:
    void leaves();                              ///< nothing of it would be lost, and something else comes in its place
    void shown();                               ///< another session is in the window
    void fileOpened(const QString& path);       ///< or saved
    void leftUntitled(const Session& session);  ///< with work in it that is in no file, for another session

private:
    void ask(std::function<void()> then);
    void show(const Session& session);
    QString title() const;
    void showTitle();
    void saveTo(const QString& path, std::function<void()> then = {});

    QWidget& m_window;
    ExplorePage& m_explore;
    Document& m_document;
    SaveQueue& m_saves;
    MessageBar& m_messages;
    std::optional<Document::Content> m_instead;
    QString m_inFront;
    QPointer<QMessageBox> m_asking;  ///< what is to become of changes
};

}  // namespace attnscope
