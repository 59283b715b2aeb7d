#include "ui/window/window_session.h"

#include "ui/plot/qt_text.h"
#include "ui/widgets/file_to_save.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/value_table.h"
#include "ui/job/save_queue.h"
#include "ui/explore/explore_page.h"
#include "ui/explore/heatmap_panel.h"
#include "ui/model/model_controls.h"
#include "ui/workbench/session_file.h"
#include "ui/views/note_pad.h"
#include "ui/window/window_app.h"

#include <QFileInfo>
#include <QMessageBox>
#include <QScrollArea>
#include <QScrollBar>

#include <utility>

namespace attnscope {

/// What is typed and not taken yet.
static void finishEdits(const QWidget& window)
{
    finishNotes(window);
    for (ModelControls* controls : window.findChildren<ModelControls*>())
        controls->finishTyping();
}

void restorePlace(QWidget& window, const QByteArray& geometry)
{
    if (window.isFullScreen())
        return;  // on stage
    window.restoreGeometry(geometry);
    window.setWindowState(window.windowState() & ~Qt::WindowFullScreen);
}

void untilNextStep(MessageBar& messages, Document& document)
{
    auto* once = new QObject(&messages);
    QObject::connect(&document, &Document::historyChanged, once,
                     [&messages, &document, once, said = messages.message(), step = document.undoName()] {
                         if (document.undoName() == step)
                             return;
                         if (messages.message() == said)
                             messages.hide();
                         once->deleteLater();
                     });
}

WindowSession::WindowSession(QWidget& window, ExplorePage& explore, Document& document, SaveQueue& saves,
                             MessageBar& messages)
    : QObject(&window), m_window(window), m_explore(explore), m_document(document), m_saves(saves), m_messages(messages)
{
    connect(&document, &Document::changed, this, &WindowSession::showTitle);
    connect(&document, &Document::historyChanged, this, &WindowSession::showTitle);
    connect(&document, &Document::lookChanged, this, &WindowSession::showTitle);  // notes and pins
    connect(&document, &Document::replacing, this, [this] {
        if (m_document.path().isEmpty() && m_document.isModified())
            emit leftUntitled(toKeep());
    });
    showTitle();
}

Session WindowSession::current() const
{
    Session session;
    session.scenario = m_document.scenario();
    session.look = m_document.look();
    session.geometry = m_window.saveGeometry().toBase64().toStdString();
    session.docks = m_explore.arrangement().state().toBase64().toStdString();
    return session;
}

Session WindowSession::toKeep() const
{
    Session kept = current();
    const Document::Content own = m_instead && !m_document.isVisiting() ? *m_instead : m_document.own();
    kept.scenario = own.scenario;
    kept.look = own.look;
    kept.file = m_document.ownPath().toStdString();
    kept.unchanged = !m_instead && !m_document.isOwnModified();
    return kept;
}

/// What the file of a kept session has, and where it has none what a window begins with: all else is in no file.
static std::optional<Document::Content> savedOf(const Session& kept)
{
    if (kept.file.empty()) {
        if (kept.unchanged)
            return Document::Content{kept.scenario, kept.look};
        Look look;
        look.model.folder = kept.look.model.folder;  // that it is open is no work
        return Document::Content{firstScenario(), look};
    }
    const auto file = loadSession(text(kept.file));
    return file ? std::optional(Document::Content{file->scenario, file->look})
                : std::nullopt;  // none: what is here is nowhere else
}

void WindowSession::resume(const Session& kept)
{
    m_document.reset({kept.scenario, kept.look}, text(kept.file), savedOf(kept));
    show(kept);
}

void WindowSession::restore(const Session& session, const QString& path)
{
    m_document.open(u"Open session"_s, {session.scenario, session.look}, path);
    show(session);
}

void WindowSession::openKept(const QString& path)
{
    whenSaved([this, path] {
        const auto kept = loadSession(path);
        if (!kept)
            return m_messages.sayOfFile(MessageBar::Kind::Error, text(kept.error().message));
        m_messages.hide();
        m_document.open(u"The window as it was left"_s, {kept->scenario, kept->look}, text(kept->file), savedOf(*kept));
        show(*kept);
    });
}

/// All of a session but its scenario.
void WindowSession::show(const Session& session)
{
    m_document.setLook(session.look);
    if (!session.geometry.empty())
        restorePlace(m_window, QByteArray::fromBase64(QByteArray::fromStdString(session.geometry)));
    if (!session.docks.empty())
        m_explore.arrangement().restore(QByteArray::fromBase64(QByteArray::fromStdString(session.docks)));
    emit shown();
}

void WindowSession::beginAnew()
{
    whenSaved([this] {
        if (QWidget* typed = m_window.focusWidget())
            typed->clearFocus();  // what is being typed is over
        const bool leaves = m_document.isModified();
        m_document.open(u"New"_s, {firstScenario(), Look()});
        m_explore.heatmaps().showAll();
        for (ValueTable* table : m_window.findChildren<ValueTable*>())
            table->forgetSort();
        m_explore.closeFilePanels();
        for (QScrollArea* area : m_explore.findChildren<QScrollArea*>())
            area->verticalScrollBar()->setValue(0);
        if (m_explore.isVisible())
            m_explore.setFocus();
        m_messages.hide();
        if (leaves)
            m_messages.say(MessageBar::Kind::Done, u"A new session. Undo brings the last one back."_s,
                           {{u"Undo"_s, u"The session before"_s, [this] {
                                 if (m_document.undoName() == u"New"_s)
                                     m_document.undo();
                             }}});
        untilNextStep(m_messages, m_document);
    });
}

void WindowSession::open(const QString& path)
{
    whenSaved([this, path] {
        const auto loaded = loadSession(path);
        if (!loaded)
            return m_messages.sayOfFile(MessageBar::Kind::Error, text(loaded.error().message));
        m_messages.hide();
        restore(*loaded, QFileInfo(path).absoluteFilePath());
        emit fileOpened(path);
    });
}

/// `then` comes once it is on the disk, and never where it cannot be.
void WindowSession::saveTo(const QString& path, std::function<void()> then)
{
    m_saves.add(
        QFileInfo(path).fileName(), this, [session = current(), path] { return saveSession(session, path); },
        [this, path, mark = m_document.savedMark(), then = std::move(then)](const Result<void>& saved) {
            if (!saved)
                return m_messages.say(MessageBar::Kind::Error, text(saved.error().message));
            mark(QFileInfo(path).absoluteFilePath());
            m_messages.say(MessageBar::Kind::Done, u"Saved %1"_s.arg(path));
            emit fileOpened(path);
            if (then)
                then();
        });
}

void WindowSession::save()
{
    finishEdits(m_window);
    if (m_document.path().isEmpty())
        saveAs();
    else
        saveTo(m_document.path());
}

void WindowSession::saveAs()
{
    finishEdits(m_window);
    const QString proposed = m_document.path().isEmpty() ? u"session.attnscope"_s : m_document.path();
    const QString path = fileToSave(m_window, u"Save the session"_s, proposed, u"Sessions (*.attnscope)"_s);
    if (!path.isEmpty())
        saveTo(path);
}

bool WindowSession::wouldLose() const { return !m_document.path().isEmpty() && m_document.isModified(); }

void WindowSession::whenSaved(std::function<void()> then)
{
    if (!isKept(then))
        return;
    emit leaves();
    then();
}

void WindowSession::whenVisitSaved(std::function<void()> then)
{
    finishEdits(m_window);
    if (!m_document.isVisiting() || !wouldLose())
        then();
    else
        ask([this, then] { whenVisitSaved(then); });
}

/// First of a visit that has a name, then of what it put aside.
bool WindowSession::isKept(std::function<void()> then)
{
    if (m_asking) {
        m_asking->raise();
        return false;
    }
    finishEdits(m_window);
    if (!m_document.isVisitOwn() && !(m_document.isVisiting() && wouldLose()))
        m_document.endVisit();
    if (!wouldLose())
        return true;
    ask([this, then] { whenSaved(then); });
    return false;
}

/// Save, discard or cancel; `then` comes with nothing left to lose.
void WindowSession::ask(std::function<void()> then)
{
    if (m_asking)
        return m_asking->raise();
    m_asking = new QMessageBox(
        QMessageBox::NoIcon, u"Save the changes?"_s,
        u"The session \u201C%1\u201D has changes that are not saved."_s.arg(QFileInfo(m_document.path()).fileName()),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, &m_window);
    m_asking->setAttribute(Qt::WA_DeleteOnClose);
    m_asking->setDefaultButton(QMessageBox::Save);
    connect(m_asking, &QMessageBox::finished, this, [this, then = std::move(then)](int answer) {
        m_asking.clear();
        if (answer == QMessageBox::Save)
            return saveTo(m_document.path(), then);
        if (answer != QMessageBox::Discard)
            return;
        m_document.discardChanges(u"Discard changes"_s);
        then();
    });
    m_asking->open();
}

void WindowSession::setInFront(const QString& file)
{
    m_inFront = file;
    showTitle();
}

/// A figure's file, the session's, a lesson, or what is open in the workspace that is shown.
QString WindowSession::title() const
{
    if (!m_inFront.isEmpty())
        return QFileInfo(m_inFront).fileName();
    if (!m_document.path().isEmpty())
        return QFileInfo(m_document.path()).completeBaseName();
    if (m_document.isVisiting())
        return u"Lesson: %1"_s.arg(m_document.visited());
    const std::string &tensors = m_document.scenario().tensors.path, &model = m_document.look().model.folder;
    const bool ofTensors = m_document.scenario().ofFile() && !tensors.empty();
    const std::string& shown = m_document.look().workspace;
    const bool inExplore = shown == exploreWorkspace.toStdString(),
               inModel = shown == modelWorkspace.toStdString() && !model.empty();
    const QString open = QFileInfo(text(inModel      ? model
                                        : ofTensors  ? tensors
                                        : !inExplore ? model
                                                     : std::string()))
                             .fileName();
    return open.isEmpty() ? u"Untitled"_s : open;
}

void WindowSession::showTitle()
{
    m_window.setWindowTitle(title() + u"[*]"_s);
    m_window.setWindowModified(m_inFront.isEmpty() && m_document.isModified() &&
                               !(m_document.path().isEmpty() && m_document.isVisiting()));
}

}  // namespace attnscope

#include "moc_window_session.cpp"
