#include "ui/window/main_window.h"

#include "core/model/check_model.h"
#include "core/model/model.h"
#include "core/sweep/sweep_folder.h"
#include "core/tensor/byte_source.h"
#include "ui/widgets/file_to_save.h"
#include "ui/figure/chart_look.h"
#include "ui/figure/figure.h"
#include "ui/figure/views_recipe.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/plot/typeset.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/input_filter.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/progress_line.h"
#include "ui/labs/lab_page.h"
#include "ui/model/model_page.h"
#include "ui/window/file_follower.h"
#include "ui/window/file_opener.h"
#include "ui/views/note_pad.h"
#include "ui/figures/export_panel.h"
#include "ui/figures/gallery_browser.h"
#include "ui/explore/learn_view.h"
#include "ui/learn/manual_view.h"
#include "ui/learn/reference_view.h"
#include "ui/window/window_actions.h"

#include <QApplication>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QStatusBar>
#include <QTextDocument>
#include <QTimer>

#include <utility>

namespace attnscope {

static constexpr int wordsAfter = 300;  // milliseconds: what is written sooner needs none

MainWindow::MainWindow(Workbench& bench, QWidget* parent)
    : QMainWindow(parent), m_bench(bench), m_document(bench.document), m_messages(*new MessageBar(this)),
      m_explore(*new ExplorePage(bench)),
      m_session(*new WindowSession(*this, m_explore, m_document, bench.saves, m_messages)),
      m_tensors(*new TensorOpener(*this, m_explore, m_document, bench.offers, m_messages)),
      m_opener(*new FileOpener(m_messages, checkModel, this)), m_follower(*new FileFollower(bench, m_messages, this))
{
    setAcceptDrops(true);
    qApp->installEventFilter(new InputFilter([this](const QKeyEvent& key) { return takesKey(key); }, this));
    setContentsMargins(8, 0, 8, 0);
    constexpr int betweenRepeats = 40;  // ms, at least, from a key's release to its press
    m_letGo.setSingleShot(true);
    m_letGo.setInterval(betweenRepeats);
    connect(&m_letGo, &QTimer::timeout, &pins(), &Pins::flipBack);
    connect(&m_explore, &ExplorePage::said, this,
            [this](const QString& message, MessageBar::Kind kind) { m_messages.say(kind, message); });
    m_explore.learn().leaveBy([this](std::function<void()> then) { m_session.whenVisitSaved(std::move(then)); });
    connect(&m_explore.learn(), &LearnView::left, this, [this](const Scenario& changed) {
        m_messages.say(MessageBar::Kind::Note, u"The lesson is closed, and what you had before it is back."_s,
                       {{u"Take along what it showed"_s, u"The scenario as you left it in the lesson; undo goes back"_s,
                         [this, changed] { m_document.replaceOnce(u"From the lesson"_s, changed); }}});
    });
    connect(&m_explore, &ExplorePage::exampleAsked, this, &MainWindow::openShippedHeads);
    connect(&m_explore, &ExplorePage::fileAsked, this, &MainWindow::chooseFile);
    connect(&m_explore, &ExplorePage::sourceAsked, this, &MainWindow::showSource);
    connect(&m_explore, &ExplorePage::saveAsked, this,
            [this](const QString& view) { exportPanel().chooseFileOf(view.toStdString()); });
    connect(&m_explore, &ExplorePage::lessonsAsked, this, [this] { setWorkspace(learnWorkspace); });
    buildPages();
    buildStatusLine();
    new WindowActions(*this);
    resetLayout();
    connect(&m_messages, &MessageBar::covers, this, &MainWindow::giveFoot);
    connect(&m_document, &Document::lookChanged, this, &MainWindow::showWorkspace);
    connect(&m_document, &Document::lookChanged, this,
            [this] { setMethodColours(*qApp, coloursOf(m_document.look().colours)); });
    showWorkspace();

    connect(&bench.analyser, &Analyser::arrived, this, &MainWindow::showAnalysis);
    connect(&bench.analyser, &Analyser::failed, this, [this](const Error& error) {
        m_analysisFailed = m_failureStands = true;
        m_answerBefore = analyser().answer();
        m_failure = text(error.message);
        sayFailure();
    });
    connect(&m_tensors, &TensorOpener::opened, this, &MainWindow::fileOpened);
    connect(&m_tensors, &TensorOpener::modelFound, this, [this](const QString& folder, const QString& path) {
        openModel(folder, [this, folder, path] {
            emit fileOpened(folder);
            m_messages.sayOfFile(
                MessageBar::Kind::Note,
                u"%1 holds the weights of a model, not queries and keys of tokens: its folder is opened, as a "
                "model. Run it on a text, and look at a head in Explore"_s.arg(QFileInfo(path).fileName()));
        });
    });
    connect(&m_session, &WindowSession::leaves, &m_opener, &FileOpener::forget);
    connect(&m_session, &WindowSession::shown, &m_opener, &FileOpener::forget);
    connect(&m_explore.learn(), &LearnView::begins, &m_opener, &FileOpener::forget);
    connect(&m_session, &WindowSession::fileOpened, this, &MainWindow::fileOpened);
    connect(&m_session, &WindowSession::shown, this, [this] {
        if (!offers().fault().isEmpty())
            offers().readAgain();  // it may have been mended since
        if (!m_bench.model.error().isEmpty())
            m_bench.model.openAgain();
        if (workspace() == exploreWorkspace)
            m_tensors.askForMissing();
    });
    connect(&bench.offers, &FileOffers::opened, &bench.analyser,
            &Analyser::request);  // the same file, with other values
    connect(&bench.analyser, &Analyser::cancelled, this, [this] { showFacts(true); });
    connect(&bench.pointer, &Pointer::moved, this,
            [this](const Pointed& at) { analyser().probeRow(at.row >= 0 ? std::optional(at.row) : std::nullopt); });
    connect(&bench.saves, &SaveQueue::emptied, this, &MainWindow::closeWhenSaved);
    connect(&bench.lab, &LabRunner::ended, this, &MainWindow::closeWhenSaved);
    analyser().request();
}

/// Parts that are deleted while they are on the screen say that they leave it, to others that may be gone.
MainWindow::~MainWindow() { hide(); }

void MainWindow::buildStatusLine()
{
    m_facts = elidedCaption(u"What was computed"_s);
    m_notes = new ElidedLabel;
    m_notes->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_notes->setAccessibleDescription(u"Notes"_s);
    m_progress = new ProgressLine(analyser());
    m_computed = new QWidget;
    keepPlace(*m_progress);  // else the maps have another height while something is computed
    inRow(m_computed, {{m_facts, 2}, {m_notes, 3}, m_progress});
    statusBar()->addWidget(m_computed, 1);
    statusBar()->setSizeGripEnabled(false);
}

/// Where it is seen that nothing was computed.
void MainWindow::sayFailure()
{
    if (workspace() != exploreWorkspace)
        return;
    const Scenario& scenario = m_document.scenario();
    if (scenario.ofFile() && scenario.tensors.path.empty())  // nothing is wrong yet
        m_messages.say(MessageBar::Kind::Note, u"Opened tensors are those of a file, and none is open"_s,
                       {{u"Open\u2026"_s, u"A file with queries and keys, or a model"_s, [this] { chooseFile(); }}});
    else if (!m_tensors.askForMissing())
        m_messages.say(MessageBar::Kind::Error, m_failure);
    m_saidFailure = m_messages.message();
}

void MainWindow::showAnalysis(const AnalysisPtr& analysis)
{
    if (m_analysisFailed && analyser().answer() != m_answerBefore) {
        m_analysisFailed = false;
        m_answerBefore.reset();  // that one is over; what was said of a file stays until it is read
        m_failureStands = false;
        if (m_messages.showsError() && m_messages.message() == m_saidFailure)
            m_messages.hide();
    }
    showFacts(false);
    QStringList notes;
    for (const std::string& note : analysis->notes)
        notes << text(note);
    m_notes->setText(notes.join(u"; "_s));
    m_notes->setVisible(!notes.isEmpty());  // their room is that of the facts
    m_notes->setToolTip(Qt::convertFromPlainText(notes.join(QLatin1Char('\n'))));
}

void MainWindow::showFacts(bool cancelled)
{
    const AnalysisPtr& analysis = analyser().current();
    if (!analysis)
        return m_facts->setText(cancelled ? u"cancelled"_s : QString());
    const bool preview = !analysis->sampledRows.empty();
    const QString state =
        !cancelled
            ? (preview ? u", preview of %1 rows"_s.arg(countText(double(analysis->sampledRows.size()))) : QString())
        : preview ? u", preview of sampled rows: the rest was cancelled"_s
                  : u", as before: what was asked for since was cancelled"_s;
    if (analysis->queryCount == 0)
        return m_facts->setText(
            analysis->methods.empty() ? QString() : u"exact theory, %1 ms"_s.arg(analysis->milliseconds, 0, 'f', 1));
    m_facts->setText(u"%1 queries \u00D7 %2 keys, %3, %4 ms%5"_s.arg(countText(double(analysis->queryCount)))
                         .arg(countText(double(analysis->keyCount)))
                         .arg(text(analysis->engine))
                         .arg(analysis->milliseconds, 0, 'f', analysis->milliseconds < 10 ? 1 : 0)
                         .arg(state));
}

QString MainWindow::facts() const { return m_facts->text(); }

void MainWindow::chooseFile()
{
    const QString path = fileOrFolderToOpen(
        *this, u"Open a file, or a model's folder"_s, {},
        u"Tensors, models, sessions, figures and sweeps (*.safetensors *.npy *.npz "
        "*.gguf *.attnscope *.pdf *.svg *.png sweep.json);;All files (*)"_s,
        [](const QString& folder) { return isModel(folder.toStdString()) || isSweepFolder(folder.toStdString()); });
    if (!path.isEmpty())
        openFile(path);
}

void MainWindow::openShippedHeads(const QString& id)
{
    m_opener.forget();
    m_messages.forgetFile();
    setWorkspace(exploreWorkspace);
    m_tensors.open(id);
}

void MainWindow::openFile(const QString& path)
{
    m_opener.forget();
    m_messages.forgetFile();
    m_opener.open(path, [this](const FoundFile& found) { openFound(found); });
}

void MainWindow::openFound(const FoundFile& found)
{
    switch (found.kind) {
    case FoundFile::Kind::Tensors:
        return m_tensors.open(found.path);
    case FoundFile::Kind::Session:
        return m_session.open(found.path);
    case FoundFile::Kind::Figure:
        return openExported(*found.recipe, found.path);
    case FoundFile::Kind::Sweep:
        setWorkspace(labsWorkspace);
        labs().openSweep(found.path);
        break;
    case FoundFile::Kind::Model:
        setWorkspace(modelWorkspace);
        model().open(found.path);
        break;
    }
    emit fileOpened(found.path);
}

void MainWindow::chooseModelFile()
{
    const QString path = fileToOpen(*this, u"Open a GGUF file"_s, text(m_document.look().model.folder),
                                    u"Models (*.gguf);;All files (*)"_s);
    if (!path.isEmpty())
        openFile(path);
}

void MainWindow::chooseModelFolder()
{
    const QString folder =
        folderToChoose(*this, u"Open a model's folder"_s, text(m_document.look().model.folder), u"model"_s);
    if (!folder.isEmpty())
        openFile(folder);
}

void MainWindow::openFigure(const Recipe& recipe)
{
    const auto live = liveFigure(recipe);
    if (!live)
        return m_messages.sayOfFile(MessageBar::Kind::Error,
                                    u"Nothing of this figure can be shown in Explore; export it"_s);
    m_session.whenSaved([this, recipe, live = *live] {
        m_document.replaceSession(u"Open figure"_s, {live.scenario, m_document.look()});
        const QString view = text(live.view);
        setWorkspace(exploreWorkspace);
        if (m_explore.dock(view))
            showDock(view);
        m_messages.sayOfFile(MessageBar::Kind::Note,
                             u"%1 (%2)"_s.arg(plainText(text(recipe.title)), plainText(text(recipe.source))));
    });
}

/// A figure that the program wrote: of the window as it was, its scenario and its look; of another kind in Explore,
/// where it has something to show, else on the page of figures.
void MainWindow::openExported(const Recipe& recipe, const QString& path)
{
    emit fileOpened(path);
    const bool ofWindow = lookOfViews(recipe, m_document.look()).has_value();
    if (!ofWindow && !liveFigure(recipe)) {
        exportPanel().setRecipe(recipe, path);
        return showDock(u"export"_s);
    }
    if (!ofWindow)
        return openFigure(recipe);
    m_session.whenSaved([this, recipe, path] {
        m_document.replaceSession(u"Open figure"_s, {recipe.scenario, *lookOfViews(recipe, m_document.look())});
        setWorkspace(exploreWorkspace);
        m_messages.say(MessageBar::Kind::Done, u"Opened; the window is as %1 shows it"_s.arg(path));
    });
}

void MainWindow::setTheme(ThemeChoice choice)
{
    applyTheme(*qApp, choice);  // which every part hears of as a change of the palette
}

void MainWindow::followDesktop(bool dark)
{
    followDesktopColours(dark);
    if (chosenTheme() == ThemeChoice::System && currentTheme().dark != dark)
        setTheme(ThemeChoice::System);
}

/// Is something being written, or a lab on its way to a checkpoint?
bool MainWindow::isWorking() const { return m_bench.saves.isBusy() || m_bench.lab.isRunning(); }

/// What was asked for is on the disk, or the message bar says why it is not: then the window stays.
void MainWindow::closeWhenSaved()
{
    if (m_messages.showsError()) {
        if (std::exchange(m_closesWhenSaved, false))
            emit staysOpen();
    } else if (!isWorking() && std::exchange(m_closesWhenSaved, false))
        close();
}

void MainWindow::sayWhyItIsOpen()
{
    if (!m_closesWhenSaved || m_messages.showsError())
        return;
    const QString run = QFileInfo(text(m_bench.lab.run().folder)).fileName();
    const QString why = m_bench.lab.isRunning()
                            ? u"Keeping what the run %1 has learned: Resume goes on from there"_s.arg(run)
                            : u"Still saving %1"_s.arg(m_bench.saves.waiting().join(u", "_s));
    m_messages.say(MessageBar::Kind::Note, u"%1; the window closes when that is done"_s.arg(why),
                   {{u"Keep it open"_s, u"Do not close the window"_s, [this] {
                         m_closesWhenSaved = false;
                         emit staysOpen();
                     }}});
    m_messages.stay();
}

void MainWindow::sayNotKept(const QString& why)
{
    const QString message = u"This window cannot be kept for the next start: %1"_s.arg(why);
    if (!m_closesWhenSaved)
        return m_messages.say(MessageBar::Kind::Error, message);
    m_messages.say(MessageBar::Kind::Error, message,
                   {{u"Close anyway"_s, u"What is in no session of its own is lost"_s, [this] {
                         m_closesAnyway = true;
                         close();
                     }}});
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_session.isKept([this] { close(); }))
        return event->ignore();
    m_presentation.setOn(false);  // what is kept is the window, not the stage
    if (!m_closesAnyway) {
        if (!m_closesWhenSaved)
            m_messages.hide();  // an error that is read by now does not keep it open; what cannot be saved says so anew
        emit closing();
        m_bench.lab.cancel();
        if (isWorking()) {
            if (std::exchange(m_closesWhenSaved, true))
                return event->ignore();
            if (m_bench.lab.isRunning())
                sayWhyItIsOpen();
            else
                QTimer::singleShot(wordsAfter, this, &MainWindow::sayWhyItIsOpen);
            return event->ignore();
        }
    }
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
        m_messages.sayOfFile(MessageBar::Kind::Error,
                             u"The window looks at one file, and these are %1; drop one of them. Queries and keys can "
                             "stand together in one .npz, a model is a folder or a .gguf file."_s.arg(files.size()));
}

}  // namespace attnscope

#include "moc_main_window.cpp"
