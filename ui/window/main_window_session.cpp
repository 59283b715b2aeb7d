// The window's session: what it is called, whether it is saved, how it comes back.

#include "ui/window/main_window.h"

#include "ui/window/controls/message_bar.h"
#include "ui/window/missing_tensors.h"
#include "ui/window/window_app.h"

#include <QCloseEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QToolButton>

namespace attnscope {

Session MainWindow::session() const
{
    Session session;
    session.scenario = m_document.scenario();
    session.look = m_document.look();
    session.geometry = saveGeometry().toBase64().toStdString();
    session.docks = exploreState().toBase64().toStdString();
    return session;
}

Session MainWindow::stateToKeep() const
{
    Session kept = session();
    kept.file = m_document.path().toStdString();
    return kept;
}

void MainWindow::resume(const Session& kept)
{
    const QString path = QString::fromStdString(kept.file);
    std::optional<Document::Content> saved = Document::Content{kept.scenario, kept.look};
    if (!path.isEmpty()) {
        const auto file = loadSession(path);
        saved = file ? std::optional(Document::Content{file->scenario, file->look}) : std::nullopt;  // none: what is here is nowhere else
    }
    m_document.reset(kept.scenario, path, saved);
    showSession(kept);
}

void MainWindow::restore(const Session& session, const QString& path)
{
    m_document.open(tr("Open session"), {session.scenario, session.look}, path);
    showSession(session);
}

/// All of a session but its scenario.
void MainWindow::showSession(const Session& session)
{
    m_document.setLook(session.look);
    if (!session.geometry.empty())
        restoreGeometry(QByteArray::fromBase64(QByteArray::fromStdString(session.geometry)));
    if (!session.docks.empty())
        restoreExplore(QByteArray::fromBase64(QByteArray::fromStdString(session.docks)));
    askForMissingTensors(*this);
}

void MainWindow::newSession()
{
    whenSaved([this] {
        Look look = m_document.look();
        look.annotations.clear();
        look.pins.clear();
        m_document.open(tr("New"), {firstScenario(), look});
        m_messages->hide();
    });
}

void MainWindow::openSession(const QString& path)
{
    whenSaved([this, path] {
        const auto loaded = loadSession(path);
        if (!loaded)
            return m_messages->say(MessageBar::Kind::Error, QString::fromStdString(loaded.error().message));
        m_messages->hide();
        restore(*loaded, QFileInfo(path).absoluteFilePath());
        emit fileOpened(path);
    });
}

bool MainWindow::saveSessionTo(const QString& path)
{
    const auto saved = attnscope::saveSession(session(), path);
    if (saved) {
        m_document.markSaved(QFileInfo(path).absoluteFilePath());
        emit fileOpened(path);
    }
    m_messages->say(saved ? MessageBar::Kind::Note : MessageBar::Kind::Error,
                    saved ? tr("Saved %1").arg(path) : QString::fromStdString(saved.error().message));
    return saved.has_value();
}

void MainWindow::saveSession()
{
    finishNote();
    if (m_document.path().isEmpty())
        saveSessionAs();
    else
        saveSessionTo(m_document.path());
}

void MainWindow::saveSessionAs()
{
    finishNote();
    const QString proposed = m_document.path().isEmpty() ? QStringLiteral("session.attnscope") : m_document.path();
    QString path = QFileDialog::getSaveFileName(this, tr("Save the session"), proposed, tr("Sessions (*.attnscope)"));
    if (path.isEmpty())
        return;
    if (!path.endsWith(QLatin1String(".attnscope")))  // by which Open knows a session
        path += QLatin1String(".attnscope");
    saveSessionTo(path);
}

/// At once, or after an answer where a session with a name would lose its changes. What has no name yet is kept for the next start.
void MainWindow::whenSaved(std::function<void()> then)
{
    if (m_asking)
        return m_asking->raise();
    finishNote();
    if (m_document.path().isEmpty() || !m_document.isModified())
        return then();
    m_asking = new QMessageBox(QMessageBox::NoIcon, tr("Save the changes?"), tr("The session \u201C%1\u201D has changes that are not saved.").arg(QFileInfo(m_document.path()).fileName()),
                               QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    m_asking->setAttribute(Qt::WA_DeleteOnClose);
    m_asking->setDefaultButton(QMessageBox::Save);
    connect(m_asking, &QMessageBox::finished, this, [this, then = std::move(then)](int answer) {
        m_asking.clear();
        if (answer == QMessageBox::Discard)
            m_document.discardChanges(tr("Discard changes"));
        else if (answer != QMessageBox::Save || !saveSessionTo(m_document.path()))
            return;
        then();
    });
    m_asking->open();
}

void MainWindow::showTitle()
{
    const QString path = m_document.path();
    setWindowTitle((path.isEmpty() ? tr("Untitled") : QFileInfo(path).completeBaseName()) + QStringLiteral("[*]"));
    setWindowModified(m_document.isModified());
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (isSaving()) {
        m_closesWhenSaved = true;
        m_messages->say(MessageBar::Kind::Note, tr("Still saving; the window closes when that is done"));
        return event->ignore();
    }
    finishNote();
    if (!m_document.path().isEmpty() && m_document.isModified()) {
        event->ignore();
        return whenSaved([this] { close(); });
    }
    emit closing();
    QMainWindow::closeEvent(event);
}

}  // namespace attnscope
