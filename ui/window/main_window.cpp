#include "ui/window/main_window.h"

#include "ui/window/controls/message_bar.h"
#include "ui/window/controls/methods_panel.h"
#include "ui/window/controls/scenario_panel.h"
#include "ui/window/open_tensors.h"
#include "ui/window/views/dispersion_view.h"
#include "ui/window/views/entropy_view.h"
#include "ui/window/views/heads_view.h"
#include "ui/window/views/heatmap_panel.h"
#include "ui/window/views/statistics_view.h"
#include "ui/window/window_actions.h"

#include <QApplication>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QMimeData>
#include <QProgressBar>
#include <QScrollArea>
#include <QStatusBar>
#include <QVBoxLayout>

namespace attnscope {

MainWindow::MainWindow(Scenario scenario, QWidget* parent) : QMainWindow(parent), m_document(std::move(scenario)), m_analyser(m_document)
{
    setWindowTitle(QStringLiteral("Attnscope"));
    setAcceptDrops(true);
    setContentsMargins(8, 0, 8, 0);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    buildCentre();
    buildDocks();
    buildStatusLine();
    new WindowActions(*this);
    resetLayout();

    connect(&m_analyser, &Analyser::arrived, this, &MainWindow::showAnalysis);
    connect(&m_analyser, &Analyser::failed, this, [this](const Error& error) {
        m_messages->say(MessageBar::Kind::Error, QString::fromStdString(error.message));
    });
    connect(&m_analyser, &Analyser::busyChanged, m_progress, &QWidget::setVisible);
    connect(&m_pointer, &Pointer::moved, this, [this](const Pointed& at) {
        m_analyser.probeRow(at.row >= 0 ? std::optional(at.row) : std::nullopt);
    });
    m_analyser.request();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildCentre()
{
    auto* centre = new QWidget;
    centre->setObjectName(QStringLiteral("centre"));
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    m_messages = new MessageBar;
    auto* card = new QFrame;
    card->setObjectName(QStringLiteral("card"));
    auto* inside = new QVBoxLayout(card);
    inside->setContentsMargins(0, 0, 0, 0);
    m_heatmaps = new HeatmapPanel(m_document, m_analyser, m_pointer);
    inside->addWidget(m_heatmaps);
    layout->addWidget(m_messages);
    layout->addWidget(card, 1);
    setCentralWidget(centre);
}

void MainWindow::buildDocks()
{
    m_scenario = new ScenarioPanel(m_document);
    connect(m_scenario, &ScenarioPanel::openRequested, this, &MainWindow::chooseFile);
    m_methods = new MethodsPanel(m_document, m_analyser);
    m_entropy = new EntropyView(m_document, m_analyser);
    m_dispersion = new DispersionView(m_analyser);
    m_statistics = new StatisticsView(m_analyser);
    m_heads = new HeadsView(m_document, m_analyser);
    addDock(QStringLiteral("scenario"), tr("Scenario"), m_scenario, true);
    addDock(QStringLiteral("methods"), tr("Methods"), m_methods, true);
    addDock(QStringLiteral("entropy"), tr("Entropy against n"), m_entropy, false);
    addDock(QStringLiteral("dispersion"), tr("Dispersion"), m_dispersion, false);
    addDock(QStringLiteral("statistics"), tr("Compare"), m_statistics, false);
    m_headsDock = addDock(QStringLiteral("heads"), tr("Heads"), m_heads, false);
}

QDockWidget* MainWindow::addDock(const QString& name, const QString& title, QWidget* content, bool scrolls)
{
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setAccessibleName(title);
    auto* heading = new QFrame;
    heading->setObjectName(QStringLiteral("dockTitle"));
    auto* line = new QHBoxLayout(heading);
    line->setContentsMargins(14, 8, 14, 6);
    line->addWidget(new QLabel(title));
    dock->setTitleBarWidget(heading);

    auto* body = new QFrame;
    body->setObjectName(QStringLiteral("dockBody"));
    auto* inside = new QVBoxLayout(body);
    inside->setContentsMargins(1, 0, 1, 2);
    if (scrolls) {
        auto* area = new QScrollArea;
        area->setWidgetResizable(true);
        area->setFrameShape(QFrame::NoFrame);
        area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        area->setWidget(content);
        inside->addWidget(area);
    } else {
        inside->addWidget(content);
    }
    dock->setWidget(body);
    m_docks.push_back(dock);
    return dock;
}

void MainWindow::resetLayout()
{
    for (QDockWidget* dock : m_docks) {
        removeDockWidget(dock);
        dock->setFloating(false);
    }
    const auto [scenario, methods, entropy, dispersion, statistics, heads] =
        std::tuple(m_docks[0], m_docks[1], m_docks[2], m_docks[3], m_docks[4], m_docks[5]);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    addDockWidget(Qt::LeftDockWidgetArea, scenario);
    splitDockWidget(scenario, methods, Qt::Vertical);
    addDockWidget(Qt::RightDockWidgetArea, entropy);
    splitDockWidget(entropy, dispersion, Qt::Vertical);
    addDockWidget(Qt::BottomDockWidgetArea, statistics);
    splitDockWidget(statistics, heads, Qt::Horizontal);
    for (QDockWidget* dock : m_docks)
        dock->show();
    showHeads(m_document.scenario().source.id == "tensors");
    resizeDocks({scenario, entropy}, {width() < 1400 ? 300 : 330, width() < 1400 ? 340 : 430}, Qt::Horizontal);
    resizeDocks({scenario, methods}, {3, 2}, Qt::Vertical);
    resizeDocks({entropy, dispersion}, {1, 1}, Qt::Vertical);
    resizeDocks({statistics}, {170}, Qt::Vertical);
}

void MainWindow::showHeads(bool visible) { m_headsDock->setVisible(visible); }

void MainWindow::buildStatusLine()
{
    m_facts = new QLabel;
    m_facts->setAccessibleName(tr("What was computed"));
    m_notes = new QLabel;
    m_notes->setAccessibleName(tr("Notes"));
    m_progress = new QProgressBar;
    m_progress->setRange(0, 0);
    m_progress->setFixedSize(90, 4);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Computing"));
    m_progress->hide();
    statusBar()->addWidget(m_facts);
    statusBar()->addWidget(m_notes, 1);
    statusBar()->addPermanentWidget(m_progress);
    statusBar()->setSizeGripEnabled(false);
}

void MainWindow::showAnalysis(const AnalysisPtr& analysis)
{
    if (m_messages->property("kind") == QLatin1String("error"))
        m_messages->hide();
    const bool preview = !analysis->sampledRows.empty();
    m_facts->setText(tr("%1 queries \u00D7 %2 keys, %3, %4 ms%5")
                         .arg(analysis->queryCount)
                         .arg(analysis->keyCount)
                         .arg(QString::fromStdString(analysis->engine))
                         .arg(analysis->milliseconds, 0, 'f', analysis->milliseconds < 10 ? 1 : 0)
                         .arg(preview ? tr(", preview") : QString()));
    QStringList notes;
    for (const std::string& note : analysis->notes)
        notes << QString::fromStdString(note);
    m_notes->setText(notes.join(QStringLiteral("; ")));
    m_notes->setToolTip(notes.join(QLatin1Char('\n')));
    const bool tensors = analysis->scenario.source.id == "tensors";
    if (tensors != m_headsDock->isVisible() && (tensors || m_heads->rowCount() == 0))
        showHeads(tensors);
}

void MainWindow::chooseFile()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Open tensors"), {},
                                                      tr("Tensors (*.safetensors *.npy *.npz);;All files (*)"));
    if (!path.isEmpty())
        openFile(path);
}

void MainWindow::openFile(const QString& path)
{
    const std::string name = path.toStdString();
    const auto file = offersOf(name);
    if (!file) {
        m_messages->say(MessageBar::Kind::Error, QString::fromStdString(file.error().message));
        return;
    }
    m_messages->hide();
    m_document.replace(tr("Open"), scenarioFor(m_document.scenario(), name, *file));
    m_document.endGesture();
    emit fileOpened(path);
}

void MainWindow::setTheme(ThemeChoice choice)
{
    applyTheme(*qApp, choice);
    if (m_analyser.current())
        emit m_analyser.arrived(m_analyser.current());
    emit themeChanged();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!urls.isEmpty() && urls.front().isLocalFile())
        openFile(urls.front().toLocalFile());
}

}  // namespace attnscope
