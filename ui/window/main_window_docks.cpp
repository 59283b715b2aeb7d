// Explore's parts as docks: what they are, and where they stand at first.

#include "ui/window/main_window.h"

#include "ui/window/controls/building.h"
#include "ui/window/controls/message_bar.h"
#include "ui/window/controls/methods_panel.h"
#include "ui/window/controls/scenario_panel.h"
#include "ui/window/tensors/file_heads_view.h"
#include "ui/window/tensors/tensors_panel.h"
#include "ui/window/views/dispersion_view.h"
#include "ui/window/views/entropy_view.h"
#include "ui/window/views/heads_view.h"
#include "ui/window/views/learn_view.h"
#include "ui/window/views/statistics_view.h"
#include "ui/window/workspaces.h"

#include <QDockWidget>
#include <QSplitter>
#include <QStackedWidget>

namespace attnscope {

void MainWindow::buildDocks()
{
    m_scenario = new ScenarioPanel(m_document, m_offers);
    connect(m_scenario, &ScenarioPanel::exampleRequested, this, &MainWindow::openShippedHeads);
    connect(m_scenario, &ScenarioPanel::openRequested, this, &MainWindow::chooseFile);
    connect(m_scenario, &ScenarioPanel::tensorsRequested, this, [this] { showDock(QStringLiteral("tensors")); });
    m_methods = new MethodsPanel(m_document, m_analyser, m_pointer);
    connect(m_methods, &MethodsPanel::sourceAsked, this, &MainWindow::showSource);
    connect(m_methods, &MethodsPanel::refused, this, [this](const QString& why) { m_messages->say(MessageBar::Kind::Note, why); });
    m_entropy = new EntropyView(m_document, m_analyser, m_pointer, m_pins);
    m_dispersion = new DispersionView(m_document, m_analyser, m_pointer, m_pins);
    m_statistics = new StatisticsView(m_analyser, m_pointer);
    m_heads = new HeadsView(m_document, m_analyser);
    m_tensors = new TensorsPanel(m_document, m_offers);
    addDock(QStringLiteral("scenario"), tr("Scenario"), m_scenario, true);
    addDock(QStringLiteral("methods"), tr("Methods"), m_methods, true);
    addDock(QStringLiteral("entropy"), tr("Entropy against n"), m_entropy);
    addDock(QStringLiteral("dispersion"), tr("Dispersion"), m_dispersion);
    addDock(QStringLiteral("statistics"), tr("Compare"), m_statistics);
    addDock(QStringLiteral("heads"), tr("Heads"), m_heads);
    m_fileHeads = new FileHeadsView(m_document, m_offers);
    addDock(QStringLiteral("all heads"), tr("All heads"), m_fileHeads);
    connect(m_explore, &QMainWindow::tabifiedDockWidgetActivated, this, &MainWindow::giveRoom);
    addDock(QStringLiteral("tensors"), tr("Tensors of the file"), m_tensors);
    m_learn = new LearnView(m_document);
    addDock(QStringLiteral("learn"), tr("Lesson"), m_learn);
}

QDockWidget* MainWindow::addDock(const QString& name, const QString& title, QWidget* content, bool scrolls)
{
    auto* dock = new QDockWidget(title, m_explore);
    dock->setObjectName(name);
    dock->setAccessibleName(title);
    auto* heading = new QFrame;
    heading->setObjectName(QStringLiteral("dockTitle"));
    QToolButton* close = iconButton(QStringLiteral("close"), tr("Hide %1").arg(title), tr("Hide %1; the View menu shows it again").arg(title), 12);
    close->setProperty("quiet", true);
    connect(close, &QToolButton::clicked, dock, &QWidget::hide);
    inRow(heading, {{new QLabel(title), 1}, close}, usualSpacing, {14, 6, 8, 4});
    dock->setTitleBarWidget(heading);

    auto* body = new QFrame;
    body->setObjectName(QStringLiteral("dockBody"));
    inColumn(body, {scrolls ? scrolled(content) : content}, usualSpacing, {1, 0, 1, 2});
    dock->setWidget(body);
    m_docks.push_back(dock);
    return dock;
}

/// A grid of heads and its table take more height than a line or two of numbers.
void MainWindow::giveRoom(QDockWidget* raised)
{
    if (const int enough = height() / 3; raised == dock(QStringLiteral("all heads")) && raised->height() < enough)
        m_explore->resizeDocks({raised}, {enough}, Qt::Vertical);
}

QDockWidget* MainWindow::dock(const QString& name) const
{
    for (QDockWidget* dock : m_docks)
        if (dock->objectName() == name)
            return dock;
    return nullptr;
}

void MainWindow::resetLayout()
{
    for (QDockWidget* dock : m_docks) {
        m_explore->removeDockWidget(dock);
        dock->setFloating(false);
    }
    QDockWidget *scenario = dock(QStringLiteral("scenario")), *methods = dock(QStringLiteral("methods")), *entropy = dock(QStringLiteral("entropy")), *dispersion = dock(QStringLiteral("dispersion")),
                *statistics = dock(QStringLiteral("statistics")), *heads = dock(QStringLiteral("heads")), *learn = dock(QStringLiteral("learn")), *all = dock(QStringLiteral("all heads")), *file = dock(QStringLiteral("tensors"));
    m_explore->setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    m_explore->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    m_explore->addDockWidget(Qt::LeftDockWidgetArea, scenario);
    m_explore->splitDockWidget(scenario, methods, Qt::Vertical);
    m_explore->tabifyDockWidget(methods, learn);
    m_explore->addDockWidget(Qt::RightDockWidgetArea, entropy);
    m_explore->splitDockWidget(entropy, dispersion, Qt::Vertical);
    m_explore->addDockWidget(Qt::BottomDockWidgetArea, statistics);
    m_explore->tabifyDockWidget(statistics, heads);
    m_explore->tabifyDockWidget(heads, all);
    m_explore->tabifyDockWidget(all, file);
    const bool tensors = m_document.scenario().ofFile(), tall = height() >= 820;
    for (QDockWidget* shown : {scenario, methods, entropy, dispersion})
        shown->show();
    learn->hide();
    file->hide();
    statistics->setVisible(tall);
    heads->setVisible(tensors);
    all->setVisible(tensors);
    m_explore->resizeDocks({scenario, entropy}, {width() < 1400 ? 312 : 330, width() < 1400 ? 330 : 430}, Qt::Horizontal);
    m_explore->resizeDocks({scenario, methods}, {3, 2}, Qt::Vertical);
    m_explore->resizeDocks({entropy, dispersion}, {1, 1}, Qt::Vertical);
    m_explore->resizeDocks({tall ? statistics : heads}, {tall ? 170 : 190}, Qt::Vertical);
    m_paneSizes.clear();
    if (auto* figures = m_pages->findChild<QSplitter*>(figuresWorkspace))
        figures->setSizes({galleryWidth(), width() - galleryWidth()});
}

}  // namespace attnscope
