// The window's parts as docks: what they are, and where they stand at first.

#include "ui/window/main_window.h"

#include "ui/window/controls/message_bar.h"
#include "ui/window/controls/methods_panel.h"
#include "ui/window/controls/scenario_panel.h"
#include "ui/window/icons.h"
#include "ui/window/labs/lab_page.h"
#include "ui/window/tensors/tensors_panel.h"
#include "ui/window/views/dispersion_view.h"
#include "ui/window/views/entropy_view.h"
#include "ui/window/views/export_panel.h"
#include "ui/window/views/gallery_browser.h"
#include "ui/window/views/heads_view.h"
#include "ui/window/views/learn_view.h"
#include "ui/window/views/manual_view.h"
#include "ui/window/views/reference_view.h"
#include "ui/window/views/statistics_view.h"

#include <QApplication>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QStandardPaths>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace attnscope {

void MainWindow::buildDocks()
{
    m_scenario = new ScenarioPanel(m_document, m_offers);
    connect(m_scenario, &ScenarioPanel::openRequested, this, &MainWindow::chooseFile);
    connect(m_scenario, &ScenarioPanel::tensorsRequested, this, [this] { showDock(QStringLiteral("tensors")); });
    m_methods = new MethodsPanel(m_document, m_analyser, m_pointer);
    connect(m_methods, &MethodsPanel::sourceAsked, this, [this](const QString& id) {
        showDock(QStringLiteral("reference"));
        m_reference->scrollToAnchor(id);
    });
    connect(m_methods, &MethodsPanel::refused, this, [this](const QString& why) { m_messages->say(MessageBar::Kind::Note, why); });
    m_entropy = new EntropyView(m_document, m_analyser, m_pointer);
    m_dispersion = new DispersionView(m_document, m_analyser, m_pointer);
    m_statistics = new StatisticsView(m_analyser, m_pointer);
    m_heads = new HeadsView(m_document, m_analyser);
    m_tensors = new TensorsPanel(m_document, m_offers);
    addDock(QStringLiteral("scenario"), tr("Scenario"), m_scenario, true);
    addDock(QStringLiteral("methods"), tr("Methods"), m_methods, true);
    addDock(QStringLiteral("entropy"), tr("Entropy against n"), m_entropy);
    addDock(QStringLiteral("dispersion"), tr("Dispersion"), m_dispersion);
    addDock(QStringLiteral("statistics"), tr("Compare"), m_statistics);
    addDock(QStringLiteral("heads"), tr("Heads"), m_heads);
    addDock(QStringLiteral("tensors"), tr("Tensors of the file"), m_tensors);
    m_learn = new LearnView(m_document);
    m_manual = new ManualView;
    m_reference = new ReferenceView(m_document, m_analyser);
    m_export = new ExportPanel(m_document, *m_messages, [this] { return shownViews(); });
    connect(&m_analyser, &Analyser::arrived, m_export, &ExportPanel::follow);  // there may be heads now
    m_gallery = new GalleryBrowser;
    connect(m_gallery, &GalleryBrowser::openRequested, this, &MainWindow::openFigure);
    connect(m_gallery, &GalleryBrowser::exportRequested, this, [this](const Recipe& recipe) {
        m_export->setRecipe(recipe);
        showDock(QStringLiteral("export"));
    });
    addDock(QStringLiteral("learn"), tr("Learn"), m_learn);
    addDock(QStringLiteral("manual"), tr("Manual"), m_manual);
    addDock(QStringLiteral("reference"), tr("Methods reference"), m_reference);
    addDock(QStringLiteral("export"), tr("Export a figure"), m_export);
    m_labs = new LabPage(m_document, *m_messages, QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/labs"));
    addDock(QStringLiteral("labs"), tr("Labs"), m_labs);
    connect(m_labs, &LabPage::opened, this, [this] { activateWindow(); });
    addDock(QStringLiteral("gallery"), tr("Gallery of figures"), m_gallery);
    connect(m_export, &ExportPanel::done, this, &MainWindow::closeWhenSaved);
    connect(m_labs, &LabPage::done, this, &MainWindow::closeWhenSaved);
    for (const QDockWidget* shown : m_docks)
        connect(shown, &QDockWidget::visibilityChanged, m_export, &ExportPanel::follow);
}

QDockWidget* MainWindow::addDock(const QString& name, const QString& title, QWidget* content, bool scrolls)
{
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setAccessibleName(title);
    auto* heading = new QFrame;
    heading->setObjectName(QStringLiteral("dockTitle"));
    auto* line = new QHBoxLayout(heading);
    line->setContentsMargins(14, 6, 8, 4);
    auto* caption = new QLabel(title);
    auto* close = new QToolButton;
    close->setIcon(icon(QStringLiteral("close")));
    close->setIconSize({12, 12});
    close->setProperty("quiet", true);
    close->setToolTip(tr("Hide %1; the View menu shows it again").arg(title));
    close->setAccessibleName(tr("Hide %1").arg(title));
    connect(close, &QToolButton::clicked, dock, &QWidget::hide);
    line->addWidget(caption, 1);
    line->addWidget(close);
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

QDockWidget* MainWindow::dock(const QString& name) const
{
    for (QDockWidget* dock : m_docks)
        if (dock->objectName() == name)
            return dock;
    return nullptr;
}

void MainWindow::showDock(const QString& name)
{
    QDockWidget* shown = dock(name);
    if (shown->isFloating() && shown->pos().isNull()) {  // never shown, and not every window manager finds it a place
        shown->resize(shown->size().boundedTo(size() - QSize(80, 80)));
        shown->move(frameGeometry().center() - shown->rect().center());
    }
    if (name == QLatin1String("learn") && shown->isHidden() && !shown->isFloating())  // a page to read takes more room than a list
        resizeDocks({dock(QStringLiteral("scenario")), shown}, {2, 3}, Qt::Vertical);
    shown->show();
    shown->raise();
    shown->widget()->setFocus();
}

void MainWindow::focusNextPart(int by)
{
    std::vector<QWidget*> parts{centralWidget()};
    for (QDockWidget* dock : m_docks)
        if (dock->isVisible())
            parts.push_back(dock->widget());
    const auto here = std::find_if(parts.begin(), parts.end(), [](const QWidget* part) { return part->isAncestorOf(QApplication::focusWidget()); });
    const auto count = std::ssize(parts), at = here == parts.end() ? -by : here - parts.begin();
    QWidget* part = parts[static_cast<size_t>((at + by + count) % count)];
    if (auto* dock = qobject_cast<QDockWidget*>(part->parentWidget()))
        dock->raise();
    for (QWidget* next = part->nextInFocusChain(); next != part; next = next->nextInFocusChain())
        if (part->isAncestorOf(next) && next->isVisible() && next->isEnabled() && (next->focusPolicy() & Qt::TabFocus) == Qt::TabFocus)
            return next->setFocus(Qt::TabFocusReason);
}

void MainWindow::resetLayout()
{
    for (QDockWidget* dock : m_docks) {
        removeDockWidget(dock);
        dock->setFloating(false);
    }
    QDockWidget *scenario = dock(QStringLiteral("scenario")), *methods = dock(QStringLiteral("methods")), *entropy = dock(QStringLiteral("entropy")), *dispersion = dock(QStringLiteral("dispersion")),
                *statistics = dock(QStringLiteral("statistics")), *heads = dock(QStringLiteral("heads")), *learn = dock(QStringLiteral("learn"));
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    addDockWidget(Qt::LeftDockWidgetArea, scenario);
    splitDockWidget(scenario, methods, Qt::Vertical);
    tabifyDockWidget(methods, learn);
    addDockWidget(Qt::RightDockWidgetArea, entropy);
    splitDockWidget(entropy, dispersion, Qt::Vertical);
    addDockWidget(Qt::BottomDockWidgetArea, statistics);
    tabifyDockWidget(statistics, heads);
    const std::pair<const char*, QSize> sheets[] = {{"tensors", {1060, 460}}, {"manual", {680, 640}}, {"reference", {660, 640}}, {"export", {760, 640}}, {"labs", {1100, 720}}, {"gallery", {880, 760}}};
    for (const auto& [name, size] : sheets) {
        QDockWidget* sheet = dock(QLatin1String(name));
        addDockWidget(Qt::RightDockWidgetArea, sheet);
        sheet->setFloating(true);
        sheet->resize(size);
        sheet->hide();
    }
    const bool tensors = m_document.scenario().source.id == "tensors", tall = height() >= 820;
    for (QDockWidget* shown : {scenario, methods, entropy, dispersion})
        shown->show();
    learn->hide();
    statistics->setVisible(tall);
    heads->setVisible(tensors);
    resizeDocks({scenario, entropy}, {width() < 1400 ? 312 : 330, width() < 1400 ? 330 : 430}, Qt::Horizontal);
    resizeDocks({scenario, methods}, {3, 2}, Qt::Vertical);
    resizeDocks({entropy, dispersion}, {1, 1}, Qt::Vertical);
    resizeDocks({tall ? statistics : heads}, {tall ? 170 : 190}, Qt::Vertical);
}

}  // namespace attnscope
