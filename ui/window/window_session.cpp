#include "ui/window/window_session.h"

#include "ui/window/controls/message_bar.h"
#include "ui/window/document.h"
#include "ui/window/explore_page.h"
#include "ui/window/session_file.h"
#include "ui/window/views/note_pad.h"
#include "ui/window/window_app.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

#include <optional>
#include <utility>

namespace attnscope {

WindowSession::WindowSession(QWidget& window, ExplorePage& explore, Document& document, MessageBar& messages)
    : QObject(&window), m_window(window), m_explore(explore), m_document(document), m_messages(messages)
{
    connect(&document, &Document::changed, this, &WindowSession::showTitle);
    connect(&document, &Document::historyChanged, this, &WindowSession::showTitle);
    connect(&document, &Document::lookChanged, this, &WindowSession::showTitle);  // notes and pins
    showTitle();
}

Session WindowSession::current() const
{
    Session session;
    session.scenario = m_document.scenario();
    session.look = m_document.look();
    session.geometry = m_window.saveGeometry().toBase64().toStdString();
    session.docks = m_explore.layoutState().toBase64().toStdString();
    return session;
}

Session WindowSession::toKeep() const
{
    Session kept = current();
    kept.file = m_document.path().toStdString();
    return kept;
}

void WindowSession::resume(const Session& kept)
{
    const QString path = QString::fromStdString(kept.file);
    std::optional<Document::Content> saved = Document::Content{kept.scenario, kept.look};
    if (!path.isEmpty()) {
        const auto file = loadSession(path);
        saved = file ? std::optional(Document::Content{file->scenario, file->look})
                     : std::nullopt;  // none: what is here is nowhere else
    }
    m_document.reset(kept.scenario, path, saved);
    show(kept);
}

void WindowSession::restore(const Session& session, const QString& path)
{
    m_document.open(tr("Open session"), {session.scenario, session.look}, path);
    show(session);
}

/// All of a session but its scenario.
void WindowSession::show(const Session& session)
{
    m_document.setLook(session.look);
    if (!session.geometry.empty())
        m_window.restoreGeometry(QByteArray::fromBase64(QByteArray::fromStdString(session.geometry)));
    if (!session.docks.empty())
        m_explore.restoreLayout(QByteArray::fromBase64(QByteArray::fromStdString(session.docks)));
    emit shown();
}

void WindowSession::beginAnew()
{
    whenSaved([this] {
        Look look = m_document.look();
        look.annotations.clear();
        look.pins.clear();
        m_document.open(tr("New"), {firstScenario(), look});
        m_messages.hide();
    });
}

void WindowSession::open(const QString& path)
{
    whenSaved([this, path] {
        const auto loaded = loadSession(path);
        if (!loaded)
            return m_messages.say(MessageBar::Kind::Error, QString::fromStdString(loaded.error().message));
        m_messages.hide();
        restore(*loaded, QFileInfo(path).absoluteFilePath());
        emit fileOpened(path);
    });
}

bool WindowSession::saveTo(const QString& path)
{
    const auto saved = saveSession(current(), path);
    if (saved) {
        m_document.markSaved(QFileInfo(path).absoluteFilePath());
        emit fileOpened(path);
    }
    m_messages.say(saved ? MessageBar::Kind::Note : MessageBar::Kind::Error,
                   saved ? tr("Saved %1").arg(path) : QString::fromStdString(saved.error().message));
    return saved.has_value();
}

void WindowSession::save()
{
    finishNotes(m_window);
    if (m_document.path().isEmpty())
        saveAs();
    else
        saveTo(m_document.path());
}

void WindowSession::saveAs()
{
    finishNotes(m_window);
    const QString proposed = m_document.path().isEmpty() ? QStringLiteral("session.attnscope") : m_document.path();
    QString path =
        QFileDialog::getSaveFileName(&m_window, tr("Save the session"), proposed, tr("Sessions (*.attnscope)"));
    if (path.isEmpty())
        return;
    if (!path.endsWith(QLatin1String(".attnscope")))  // by which Open knows a session
        path += QLatin1String(".attnscope");
    saveTo(path);
}

bool WindowSession::wouldLose() const { return !m_document.path().isEmpty() && m_document.isModified(); }

void WindowSession::whenSaved(std::function<void()> then)
{
    if (m_asking)
        return m_asking->raise();
    finishNotes(m_window);
    if (!wouldLose())
        return then();
    m_asking = new QMessageBox(
        QMessageBox::NoIcon, tr("Save the changes?"),
        tr("The session \u201C%1\u201D has changes that are not saved.").arg(QFileInfo(m_document.path()).fileName()),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, &m_window);
    m_asking->setAttribute(Qt::WA_DeleteOnClose);
    m_asking->setDefaultButton(QMessageBox::Save);
    connect(m_asking, &QMessageBox::finished, this, [this, then = std::move(then)](int answer) {
        m_asking.clear();
        if (answer == QMessageBox::Discard)
            m_document.discardChanges(tr("Discard changes"));
        else if (answer != QMessageBox::Save || !saveTo(m_document.path()))
            return;
        then();
    });
    m_asking->open();
}

void WindowSession::showTitle()
{
    const QString path = m_document.path();
    m_window.setWindowTitle((path.isEmpty() ? tr("Untitled") : QFileInfo(path).completeBaseName()) +
                            QStringLiteral("[*]"));
    m_window.setWindowModified(m_document.isModified());
}

}  // namespace attnscope

#include "moc_window_session.cpp"
