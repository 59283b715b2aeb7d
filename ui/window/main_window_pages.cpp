// The workspaces as pages of the window, each made when it is first looked at, and what the window keeps of them.

#include "ui/explore/explore_page.h"
#include "ui/figures/export_panel.h"
#include "ui/figures/gallery_browser.h"
#include "ui/labs/lab_page.h"
#include "ui/learn/manual_view.h"
#include "ui/learn/reference_view.h"
#include "ui/model/model_page.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/side_by_side.h"
#include "ui/window/main_window.h"

#include <QStackedWidget>

#include <algorithm>

namespace attnscope {

void MainWindow::buildPages()
{
    auto* centre = new QWidget;
    centre->setObjectName(u"centre"_s);
    m_pages = new QStackedWidget;
    inColumn(centre, {{m_pages, 1}}, 6);
    setCentralWidget(centre);
    for ([[maybe_unused]] const Workspace& each : workspaces())
        m_pages->addWidget(new QWidget);  // until it is looked at
    m_made.resize(workspaces().size());
    page(exploreWorkspace);  // what is opened anywhere is shown there
}

WorkspacePage& MainWindow::page(const QString& workspace)
{
    const int at = workspaceIndex(workspace.toStdString());
    WorkspacePage& made = m_made[static_cast<std::size_t>(at)];
    if (!made.widget) {
        const QVariantMap sizes = paneSizes();
        made = workspaces()[static_cast<std::size_t>(at)].make(*this);
        QWidget* before = m_pages->widget(at);
        m_pages->insertWidget(at, made.widget);
        m_pages->removeWidget(before);
        delete before;
        restorePanes(sizes);
    }
    return made;
}

QWidget* MainWindow::part(const QString& name)
{
    for (const Workspace& each : workspaces())
        if (const auto found = std::ranges::find(each.parts, name); found != each.parts.end())
            return page(text(each.id)).parts[static_cast<std::size_t>(found - each.parts.begin())];
    return nullptr;
}

ModelPage& MainWindow::model() { return static_cast<ModelPage&>(*part(u"model"_s)); }
LabPage& MainWindow::labs() { return static_cast<LabPage&>(*part(u"labs"_s)); }
GalleryBrowser& MainWindow::gallery() { return static_cast<GalleryBrowser&>(*part(u"gallery"_s)); }
ExportPanel& MainWindow::exportPanel() { return static_cast<ExportPanel&>(*part(u"export"_s)); }
ManualView& MainWindow::manual() { return static_cast<ManualView&>(*part(u"manual"_s)); }
ReferenceView& MainWindow::reference() { return static_cast<ReferenceView&>(*part(u"reference"_s)); }

void MainWindow::resetLayout()
{
    m_explore.resetLayout();
    m_paneSizes.clear();
    for (SideBySide* split : m_pages->findChildren<SideBySide*>())
        split->reset(width());
}

QVariantMap MainWindow::paneSizes() const
{
    QVariantMap sizes = m_paneSizes;  // of pages that were not looked at too
    for (const QSplitter* split : m_pages->findChildren<QSplitter*>())
        if (!split->objectName().isEmpty())
            sizes[split->objectName()] = split->saveState();
    return sizes;
}

void MainWindow::restorePanes(const QVariantMap& sizes)
{
    m_paneSizes = sizes;
    for (QSplitter* split : m_pages->findChildren<QSplitter*>())
        if (const auto kept = sizes.find(split->objectName()); kept != sizes.end())
            split->restoreState(kept->toByteArray());
}

QPixmap MainWindow::picture() const
{
    return m_pages->currentWidget() == &m_explore ? m_explore.picture() : m_pages->currentWidget()->grab();
}

}  // namespace attnscope
