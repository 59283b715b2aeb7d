#include "ui/window/main_window.h"

#include "core/model/model.h"
#include "core/model/shipped_heads.h"
#include "ui/figure/chart_look.h"
#include "ui/figure/live_figure.h"
#include "ui/plot/typeset.h"
#include "ui/window/controls/building.h"
#include "ui/window/controls/elided.h"
#include "ui/window/controls/input_filter.h"
#include "ui/window/controls/message_bar.h"
#include "ui/window/controls/methods_panel.h"
#include "ui/window/controls/progress_line.h"
#include "ui/window/controls/scenario_panel.h"
#include "ui/window/labs/lab_page.h"
#include "ui/window/missing_tensors.h"
#include "ui/window/tensors/tensors_panel.h"
#include "ui/window/views/dispersion_view.h"
#include "ui/window/views/entropy_view.h"
#include "ui/window/views/export_panel.h"
#include "ui/window/views/gallery_browser.h"
#include "ui/window/views/heads_view.h"
#include "ui/window/views/heatmap_panel.h"
#include "ui/window/views/learn_view.h"
#include "ui/window/views/manual_view.h"
#include "ui/window/views/pin_strip.h"
#include "ui/window/views/reference_view.h"
#include "ui/window/views/statistics_view.h"
#include "ui/window/window_actions.h"

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

MainWindow::MainWindow(Scenario scenario, QWidget* parent) : QMainWindow(parent), m_document(std::move(scenario)), m_analyser(m_document), m_pins(m_document, m_analyser), m_offers(m_document)
{
    setAcceptDrops(true);
    qApp->installEventFilter(new InputFilter([this](const QKeyEvent& key) { return takesKey(key); }, this));
    setContentsMargins(8, 0, 8, 0);
    buildExplore();
    buildDocks();
    buildPages();
    buildStatusLine();
    new WindowActions(*this);
    resetLayout();
    connect(&m_document, &Document::lookChanged, this, &MainWindow::showWorkspace);
    connect(&m_document, &Document::lookChanged, this, [this] { setMethodColours(*qApp, coloursOf(m_document.look().colours)); });
    showWorkspace();

    connect(&m_document, &Document::changed, this, &MainWindow::showTitle);
    connect(&m_document, &Document::historyChanged, this, &MainWindow::showTitle);
    connect(&m_document, &Document::lookChanged, this, &MainWindow::showTitle);  // notes and pins
    showTitle();
    connect(&m_document, &Document::changed, this, [this] {  // what was said of a file goes with it
        const auto& file = m_offers.current();
        const Scenario& now = m_document.scenario();
        if (!m_openedNotice.isEmpty() && (!now.ofFile() || !file || now.tensors.path != file->file.path() || now.nTrain != m_openedAs.nTrain || now.attention != m_openedAs.attention))
            if (m_messages->message() == std::exchange(m_openedNotice, {}))
                m_messages->hide();
    });
    connect(&m_analyser, &Analyser::arrived, this, &MainWindow::showAnalysis);
    connect(&m_analyser, &Analyser::failed, this, [this](const Error& error) {
        m_analysisFailed = true;
        if (!askForMissingTensors(*this))
            m_messages->say(MessageBar::Kind::Error, QString::fromStdString(error.message));
    });
    connect(&m_offers, &FileOffers::opened, this, &MainWindow::lookAt);
    connect(&m_offers, &FileOffers::located, this, &MainWindow::takeLocated);
    connect(&m_offers, &FileOffers::failed, this, [this](const Error& error) {
        m_messages->say(MessageBar::Kind::Error, QString::fromStdString(error.message));
    });
    connect(&m_analyser, &Analyser::cancelled, this, [this] { showFacts(true); });
    connect(&m_pointer, &Pointer::moved, this, [this](const Pointed& at) {
        m_analyser.probeRow(at.row >= 0 ? std::optional(at.row) : std::nullopt);
    });
    m_analyser.request();
}

MainWindow::~MainWindow()
{
    for (QDockWidget* shown : m_docks)
        if (m_export)
            shown->disconnect(m_export);  // which asks this window what it shows
}

void MainWindow::buildExplore()
{
    m_messages = new MessageBar;
    m_explore = new QMainWindow(nullptr, Qt::Widget);
    m_explore->setObjectName(QStringLiteral("explore"));
    m_explore->setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    auto* card = new QFrame;
    card->setObjectName(QStringLiteral("card"));
    m_heatmaps = new HeatmapPanel(m_document, m_analyser, m_pointer);
    connect(m_heatmaps, &HeatmapPanel::saidAbout, this, [this](const QString& message, bool wrong) {
        m_messages->say(wrong ? MessageBar::Kind::Error : MessageBar::Kind::Note, message);
    });
    m_pinStrip = new PinStrip(m_document, m_pins);
    inColumn(card, {{m_heatmaps, 1}, m_pinStrip}, 0);
    card->setFocusProxy(m_heatmaps);
    m_explore->setCentralWidget(card);
    m_explore->setFocusProxy(m_heatmaps);
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
    if (std::exchange(m_analysisFailed, false) && m_messages->property("kind") == QLatin1String("error"))
        m_messages->hide();  // that one is over; what was said of a file stays until it is read
    showFacts(false);
    QStringList notes;
    for (const std::string& note : analysis->notes)
        notes << QString::fromStdString(note);
    m_notes->setText(notes.join(QStringLiteral("; ")));
    m_notes->setToolTip(Qt::convertFromPlainText(notes.join(QLatin1Char('\n'))));
    if (analysis->heads.empty() && !m_document.scenario().ofFile())
        for (const char* of : {"heads", "all heads"})
            dock(QString::fromLatin1(of))->hide();
}

void MainWindow::showFacts(bool cancelled)
{
    const AnalysisPtr& analysis = m_analyser.current();
    if (!analysis)
        return m_facts->setText(cancelled ? tr("cancelled") : QString());
    const bool preview = !analysis->sampledRows.empty();
    const QString state = !cancelled ? (preview ? tr(", preview of %1 rows").arg(analysis->sampledRows.size()) : QString())
                          : preview  ? tr(", preview of sampled rows: the rest was cancelled")
                                     : tr(", as before: what was asked for since was cancelled");
    if (analysis->queryCount == 0)
        return m_facts->setText(analysis->methods.empty() ? QString() : tr("exact theory, %1 ms").arg(analysis->milliseconds, 0, 'f', 1));
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
        this, tr("Open"), {}, tr("Tensors, sessions and sweeps (*.safetensors *.npy *.npz *.attnscope sweep.json);;All files (*)"));
    if (!path.isEmpty())
        openFile(path);
}

void MainWindow::openShippedHeads(const QString& id)
{
    setWorkspace(QStringLiteral("explore"));
    m_offers.open(id);
}

void MainWindow::openFile(const QString& path)
{
    if (openFolder(path))
        return;
    if (!path.endsWith(QStringLiteral(".attnscope"), Qt::CaseInsensitive))
        return m_offers.open(path);
    openSession(path);
}

void MainWindow::chooseModel()
{
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Open a model's folder"), QString::fromStdString(m_document.look().model.folder));
    if (!folder.isEmpty())
        openFile(folder);
}

void MainWindow::lookAtHead(const QString& path, int layer, int head)
{
    setWorkspace(QStringLiteral("explore"));
    m_askedHead = {layer, head};
    m_offers.open(path);
}

/// What was taken from the file, and what was taken for granted.
static QString openedWith(const HeadFacts& facts, const HeadCandidate& candidate, const Scenario& scenario)
{
    const QString mask = QString::fromStdString(scenario.attention.mask.id);
    QStringList said;
    said << (facts.trainedLength ? MainWindow::tr("trained at N = %1, as the file says").arg(scenario.nTrain)
                                 : MainWindow::tr("N = %1, as the file does not say what it was trained at").arg(scenario.nTrain));
    said << (facts.causal ? MainWindow::tr("mask: %1, as the file says").arg(mask)
                          : MainWindow::tr("mask: %1, as the file does not say").arg(mask));
    if (!facts.rotated)
        said << MainWindow::tr("positions: taken to be in q and k, as the file does not say");
    if (candidate.projection)
        said.prepend(MainWindow::tr("these look like the weights of a layer, not what it makes of tokens: a row is a dimension of the model"));
    return MainWindow::tr("Opened; ") + said.join(QStringLiteral("; "));
}

/// Shows the first pair at once; what the file leaves open is asked beside it.
void MainWindow::lookAt(const OfferedFilePtr& file)
{
    const QString path = QString::fromStdString(file->file.path());
    if (file->offers.empty()) {
        m_tensors->choose(file);
        m_messages->say(MessageBar::Kind::Note, tr("No tensors of %1 are named like queries and keys; choose them in the list of its tensors").arg(path));
        showDock(QStringLiteral("tensors"));
        return;
    }
    Scenario before = m_document.scenario();
    before.tensors = {};  // a file that is opened again is new
    const auto [layer, head] = std::exchange(m_askedHead, {-1, -1});
    const auto offer = layer >= 0 && layer < std::ssize(file->offers) ? static_cast<std::size_t>(layer) : 0;
    Scenario opened = scenarioFor(std::move(before), *file, offer);
    if (head >= 0)
        opened.tensors.head = head;
    m_document.replaceOnce(tr("Open"), std::move(opened));
    const HeadFacts facts = factsOf(*file, m_document.scenario().tensors);
    m_messages->say(MessageBar::Kind::Note, openedWith(facts, file->offers.front().candidate, m_document.scenario()),
                    {{tr("Tensors…"),
                      tr("Which tensors are queries and keys, in what order their axes stand, and what the file does not say about mask and positions"),
                      [this] { showDock(QStringLiteral("tensors")); }}});
    m_openedNotice = m_messages->message();
    m_openedAs = m_document.scenario();
    dock(QStringLiteral("all heads"))->setVisible(file->offers.size() > 1);
    showDock(QStringLiteral("heads"));
    m_explore->resizeDocks({dock(QStringLiteral("heads"))}, {height() / 4}, Qt::Vertical);
    if (!namesShippedHeads(file->file.path()))  // a name in the list of recent files is a path
        emit fileOpened(path);
}

void MainWindow::openFigure(const Recipe& recipe)
{
    const auto live = liveFigure(recipe);
    if (!live)
        return m_messages->say(MessageBar::Kind::Error, tr("Nothing of this figure can be shown in Explore; export it"));
    m_document.replaceOnce(tr("Open figure"), live->scenario);
    const QString view = QString::fromStdString(live->view);
    setWorkspace(QStringLiteral("explore"));
    if (dock(view))
        showDock(view);
    m_messages->say(MessageBar::Kind::Note, tr("%1 (%2)").arg(plainText(QString::fromStdString(recipe.title)), plainText(QString::fromStdString(recipe.source))));
}

/// What a figure of the window shows.
std::vector<std::string> MainWindow::shownViews() const
{
    std::vector<std::string> views{"heatmaps"};
    for (const char* name : {"entropy", "dispersion"})
        if (!dock(QString::fromLatin1(name))->isHidden())
            views.push_back(name);
    if (m_analyser.current() && !m_analyser.current()->heads.empty() && !dock(QStringLiteral("heads"))->isHidden())
        views.push_back("heads");
    return views;
}

void MainWindow::setTheme(ThemeChoice choice)
{
    applyTheme(*qApp, choice);  // which every part hears of as a change of the palette
}

bool MainWindow::isSaving() const { return (m_export && m_export->isSaving()) || (m_labs && m_labs->isSaving()); }

/// What was asked for is on the disk, or the message bar says why it is not: then the window stays.
void MainWindow::closeWhenSaved()
{
    if (m_messages->showsError())
        m_closesWhenSaved = false;
    else if (!isSaving() && std::exchange(m_closesWhenSaved, false))
        close();
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
        m_messages->say(MessageBar::Kind::Error, tr("The window looks at one file, and these are %1; drop one of them. Queries and keys can stand together in one .npz, a model is a folder.").arg(files.size()));
}

}  // namespace attnscope

#include "moc_main_window.cpp"
