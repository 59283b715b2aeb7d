#include "ui/window/main_window.h"

#include "ui/figure/chart_look.h"
#include "ui/figure/live_figure.h"
#include "ui/plot/typeset.h"
#include "ui/window/controls/building.h"
#include "ui/window/controls/elided.h"
#include "ui/window/controls/input_filter.h"
#include "ui/window/controls/message_bar.h"
#include "ui/window/controls/progress_line.h"
#include "ui/window/explore_page.h"
#include "ui/window/labs/lab_page.h"
#include "ui/window/model/model_page.h"
#include "ui/window/tensor_opener.h"
#include "ui/window/views/note_pad.h"
#include "ui/window/views/export_panel.h"
#include "ui/window/views/gallery_browser.h"
#include "ui/window/views/manual_view.h"
#include "ui/window/views/reference_view.h"
#include "ui/window/workspaces.h"
#include "ui/window/window_actions.h"
#include "ui/window/window_session.h"

#include <QApplication>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QMimeData>
#include <QStatusBar>
#include <QTextDocument>

#include <algorithm>
#include <utility>

namespace attnscope {

MainWindow::MainWindow(Scenario scenario, QWidget* parent)
    : QMainWindow(parent), m_document(std::move(scenario)), m_analyser(m_document), m_pins(m_document, m_analyser),
      m_offers(m_document), m_messages(*new MessageBar),
      m_explore(*new ExplorePage(m_document, m_analyser, m_pointer, m_pins, m_offers)),
      m_session(*new WindowSession(*this, m_explore, m_document, m_messages)),
      m_tensors(*new TensorOpener(*this, m_explore, m_document, m_offers, m_messages))
{
    setAcceptDrops(true);
    qApp->installEventFilter(new InputFilter([this](const QKeyEvent& key) { return takesKey(key); }, this));
    setContentsMargins(8, 0, 8, 0);
    connect(&m_explore, &ExplorePage::said, this, [this](const QString& message, bool wrong) {
        m_messages.say(wrong ? MessageBar::Kind::Error : MessageBar::Kind::Note, message);
    });
    connect(&m_explore, &ExplorePage::exampleAsked, this, &MainWindow::openShippedHeads);
    connect(&m_explore, &ExplorePage::fileAsked, this, &MainWindow::chooseFile);
    connect(&m_explore, &ExplorePage::sourceAsked, this, &MainWindow::showSource);
    connect(&m_explore, &ExplorePage::lessonsAsked, this, [this] { setWorkspace(learnWorkspace); });
    buildPages();
    buildStatusLine();
    new WindowActions(*this);
    resetLayout();
    connect(&m_document, &Document::lookChanged, this, &MainWindow::showWorkspace);
    connect(&m_document, &Document::lookChanged, this,
            [this] { setMethodColours(*qApp, coloursOf(m_document.look().colours)); });
    showWorkspace();

    connect(&m_analyser, &Analyser::arrived, this, &MainWindow::showAnalysis);
    connect(&m_analyser, &Analyser::failed, this, [this](const Error& error) {
        m_analysisFailed = true;
        if (!m_tensors.askForMissing())
            m_messages.say(MessageBar::Kind::Error, QString::fromStdString(error.message));
    });
    connect(&m_tensors, &TensorOpener::opened, this, &MainWindow::fileOpened);
    connect(&m_session, &WindowSession::fileOpened, this, &MainWindow::fileOpened);
    connect(&m_session, &WindowSession::shown, this, [this] {
        if (!m_offers.fault().isEmpty())
            m_offers.readAgain();  // it may have been mended since
        if (m_model && !m_model->runner().error().isEmpty())
            m_model->runner().openAgain();
        m_tensors.askForMissing();
    });
    connect(&m_offers, &FileOffers::opened, this,
            [this] { m_analyser.request(); });  // the same file, with other values
    connect(&m_analyser, &Analyser::cancelled, this, [this] { showFacts(true); });
    connect(&m_pointer, &Pointer::moved, this,
            [this](const Pointed& at) { m_analyser.probeRow(at.row >= 0 ? std::optional(at.row) : std::nullopt); });
    m_analyser.request();
}

MainWindow::~MainWindow()
{
    for (QDockWidget* shown : m_explore.docks())
        if (m_export)
            shown->disconnect(m_export);  // which asks this window what it shows
}

void MainWindow::buildStatusLine()
{
    m_facts = elidedCaption(tr("What was computed"));
    m_notes = new ElidedLabel;
    m_notes->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_notes->setAccessibleDescription(tr("Notes"));
    m_progress = new ProgressLine(m_analyser);
    statusBar()->addWidget(m_facts, 2);
    statusBar()->addWidget(m_notes, 3);
    statusBar()->addPermanentWidget(m_progress);
    statusBar()->setSizeGripEnabled(false);
}

void MainWindow::showAnalysis(const AnalysisPtr& analysis)
{
    if (std::exchange(m_analysisFailed, false) && m_messages.property("kind") == QLatin1String("error"))
        m_messages.hide();  // that one is over; what was said of a file stays until it is read
    showFacts(false);
    QStringList notes;
    for (const std::string& note : analysis->notes)
        notes << QString::fromStdString(note);
    m_notes->setText(notes.join(QStringLiteral("; ")));
    m_notes->setToolTip(Qt::convertFromPlainText(notes.join(QLatin1Char('\n'))));
}

void MainWindow::showFacts(bool cancelled)
{
    const AnalysisPtr& analysis = m_analyser.current();
    if (!analysis)
        return m_facts->setText(cancelled ? tr("cancelled") : QString());
    const bool preview = !analysis->sampledRows.empty();
    const QString state = !cancelled
                              ? (preview ? tr(", preview of %1 rows").arg(analysis->sampledRows.size()) : QString())
                          : preview ? tr(", preview of sampled rows: the rest was cancelled")
                                    : tr(", as before: what was asked for since was cancelled");
    if (analysis->queryCount == 0)
        return m_facts->setText(
            analysis->methods.empty() ? QString() : tr("exact theory, %1 ms").arg(analysis->milliseconds, 0, 'f', 1));
    m_facts->setText(tr("%1 queries \u00D7 %2 keys, %3, %4 ms%5")
                         .arg(analysis->queryCount)
                         .arg(analysis->keyCount)
                         .arg(QString::fromStdString(analysis->engine))
                         .arg(analysis->milliseconds, 0, 'f', analysis->milliseconds < 10 ? 1 : 0)
                         .arg(state));
}

QString MainWindow::facts() const { return m_facts->text(); }

void MainWindow::chooseFile()
{
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open"), {},
        tr("Tensors, sessions and sweeps (*.safetensors *.npy *.npz *.attnscope sweep.json);;All files (*)"));
    if (!path.isEmpty())
        openFile(path);
}

void MainWindow::openShippedHeads(const QString& id)
{
    setWorkspace(exploreWorkspace);
    m_tensors.open(id);
}

void MainWindow::openFile(const QString& path)
{
    if (openFolder(path))
        return;
    if (!path.endsWith(QStringLiteral(".attnscope"), Qt::CaseInsensitive))
        return m_tensors.open(path);
    m_session.open(path);
}

void MainWindow::chooseModel()
{
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Open a model's folder"),
                                                             QString::fromStdString(m_document.look().model.folder));
    if (!folder.isEmpty())
        openFile(folder);
}

void MainWindow::openFigure(const Recipe& recipe)
{
    const auto live = liveFigure(recipe);
    if (!live)
        return m_messages.say(MessageBar::Kind::Error, tr("Nothing of this figure can be shown in Explore; export it"));
    m_document.replaceOnce(tr("Open figure"), live->scenario);
    const QString view = QString::fromStdString(live->view);
    setWorkspace(exploreWorkspace);
    if (m_explore.dock(view))
        showDock(view);
    m_messages.say(MessageBar::Kind::Note, tr("%1 (%2)").arg(plainText(QString::fromStdString(recipe.title)),
                                                             plainText(QString::fromStdString(recipe.source))));
}

void MainWindow::setTheme(ThemeChoice choice)
{
    applyTheme(*qApp, choice);  // which every part hears of as a change of the palette
}

bool MainWindow::isSaving() const { return (m_export && m_export->isSaving()) || (m_labs && m_labs->isSaving()); }

/// What was asked for is on the disk, or the message bar says why it is not: then the window stays.
void MainWindow::closeWhenSaved()
{
    if (m_messages.showsError())
        m_closesWhenSaved = false;
    else if (!isSaving() && std::exchange(m_closesWhenSaved, false))
        close();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (isSaving()) {
        m_closesWhenSaved = true;
        m_messages.say(MessageBar::Kind::Note, tr("Still saving; the window closes when that is done"));
        return event->ignore();
    }
    finishNotes(*this);
    if (m_session.wouldLose()) {
        event->ignore();
        return m_session.whenSaved([this] { close(); });
    }
    emit closing();
    QMainWindow::closeEvent(event);
}

/// Of what is dropped; addresses of other machines are none.
static QStringList localFiles(const QMimeData& dropped)
{
    QStringList files;
    for (const QUrl& url : dropped.urls())
        if (url.isLocalFile())
            files << url.toLocalFile();
    return files;
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!localFiles(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QStringList files = localFiles(*event->mimeData());
    if (files.size() == 1)
        return openFile(files.front());
    if (!files.isEmpty())
        m_messages.say(MessageBar::Kind::Error,
                       tr("The window looks at one file, and these are %1; drop one of them. Queries and keys can "
                          "stand together in one .npz, a model is a folder.")
                           .arg(files.size()));
}

}  // namespace attnscope

#include "moc_main_window.cpp"
