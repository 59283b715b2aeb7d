// The workspaces as pages of the window, each made when it is first looked at, and what the window keeps of them.

#include "ui/plot/qt_text.h"
#include "ui/window/main_window.h"

#include "ui/window/controls/building.h"
#include "ui/window/controls/message_bar.h"
#include "ui/window/explore_page.h"
#include "ui/window/labs/lab_page.h"
#include "ui/window/labs/lab_sections.h"
#include "ui/window/model/model_page.h"
#include "ui/window/views/export_panel.h"
#include "ui/window/views/gallery_browser.h"
#include "ui/window/views/learn_view.h"
#include "ui/window/views/lesson_list.h"
#include "ui/window/views/manual_view.h"
#include "ui/window/views/reference_view.h"
#include "ui/window/workspaces.h"

#include <QDockWidget>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QTabBar>
#include <QTabWidget>

#include <algorithm>
#include <utility>

namespace attnscope {

namespace {

/// A pane of a page: a card with its name above what it holds.
QFrame* pane(const QString& title, QWidget* content)
{
    auto* made = new QFrame;
    made->setObjectName(u"card"_s);
    QLabel* heading = textLabel(title, "pane");
    heading->setContentsMargins(14, 0, 14, 0);
    inColumn(made, {heading, {content, 1}}, 6, {1, 8, 1, 2});
    made->setFocusProxy(content);
    return made;
}

QSplitter* sideBySide(const QString& name, QWidget* left, QWidget* right, int leftWidth, int width)
{
    auto* split = new QSplitter;
    split->setObjectName(name);
    split->setHandleWidth(paneGap);
    split->setChildrenCollapsible(false);
    split->addWidget(left);
    split->addWidget(right);
    split->setStretchFactor(1, 1);
    split->setSizes({leftWidth, width - leftWidth});
    return split;
}

}  // namespace

void MainWindow::buildPages()
{
    auto* centre = new QWidget;
    centre->setObjectName(u"centre"_s);
    m_pages = new QStackedWidget;
    inColumn(centre, {{m_pages, 1}}, 6);
    setCentralWidget(centre);
    for (const Workspace& workspace : workspaces())
        m_pages->addWidget(workspace.id == exploreWorkspace.toStdString()
                               ? &m_explore
                               : new QWidget);  // the others stand here once they are looked at
}

QWidget* MainWindow::page(const QString& workspace)
{
    const std::pair<QString, QWidget* (MainWindow::*)()> all[] = {{modelWorkspace, &MainWindow::makeModel},
                                                                  {labsWorkspace, &MainWindow::makeLabs},
                                                                  {figuresWorkspace, &MainWindow::makeFigures},
                                                                  {learnWorkspace, &MainWindow::makeLearn}};
    const int at = workspaceIndex(workspace.toStdString());
    for (const auto& [id, make] : all)
        if (id == workspace && !m_made.contains(id)) {
            m_made.insert(id);
            const QVariantMap sizes = paneSizes();
            QWidget* before = m_pages->widget(at);
            m_pages->insertWidget(at, (this->*make)());
            m_pages->removeWidget(before);
            delete before;
            restorePanes(sizes);
        }
    return m_pages->widget(at);
}

QWidget* MainWindow::makeModel()
{
    m_model = new ModelPage(m_bench, m_messages);
    connect(m_model, &ModelPage::fileAsked, this, &MainWindow::chooseModelFile);
    connect(m_model, &ModelPage::folderAsked, this, &MainWindow::chooseModelFolder);
    connect(m_model, &ModelPage::foundAsked, this, &MainWindow::openFile);
    connect(m_model, &ModelPage::manualAsked, this, [this] {
        showDock(u"manual"_s);
        manual().openPage(u"models"_s);
    });
    connect(m_model, &ModelPage::sourceAsked, this, &MainWindow::showSource);
    connect(m_model, &ModelPage::headKept, this, [this](const QString& path, int layer, int head) {
        setWorkspace(exploreWorkspace);
        m_tensors.openHead(path, layer, head);
    });
    return m_model;
}

QWidget* MainWindow::makeLabs()
{
    const QString runs = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + u"/labs"_s;
    m_labs = new LabPage(m_bench, m_messages, runs);
    if (m_document.look().labs.page.empty() &&
        RunStore(runs)
            .runs()
            .empty())  // until there are runs of one's own: what those found that come with the program
        m_labs->sections().show(u"scoreboard"_s);
    connect(m_labs, &LabPage::opened, this, [this] { setWorkspace(exploreWorkspace); });
    connect(m_labs, &LabPage::figureAsked, this, [this](const Recipe& recipe) {
        exportPanel().setRecipe(recipe);
        showDock(u"export"_s);
    });
    return pane(u"Labs"_s, m_labs);
}

/// One column of the gallery or two.
int MainWindow::galleryWidth() const { return width() < 1400 ? 300 : 556; }

QWidget* MainWindow::makeFigures()
{
    m_export = new ExportPanel(m_bench, m_messages, [this] { return m_explore.shownViews(); });
    m_gallery = new GalleryBrowser;
    connect(&analyser(), &Analyser::arrived, m_export, &ExportPanel::follow);  // there may be heads now
    for (const QDockWidget* shown : m_explore.docks())
        connect(shown, &QDockWidget::visibilityChanged, m_export, &ExportPanel::follow);
    connect(m_gallery, &GalleryBrowser::openRequested, this, &MainWindow::openFigure);
    connect(m_gallery, &GalleryBrowser::chosen, m_export, &ExportPanel::setRecipe);
    connect(m_export, &ExportPanel::previewed, m_gallery, [this] { m_gallery->mark(m_export->recipe()); });
    return sideBySide(figuresWorkspace, pane(u"Gallery"_s, m_gallery), pane(u"The figure"_s, m_export), galleryWidth(),
                      width());
}

QWidget* MainWindow::makeLearn()
{
    m_manual = new ManualView;
    m_reference = new ReferenceView(m_document, analyser());
    auto* lessons = new LessonList;
    connect(lessons, &LessonList::chosen, this, [this](int lesson) {
        showDock(u"learn"_s);
        m_explore.learn().openLesson(lesson);
        m_explore.learn().setFocus();
    });
    m_reading = new QTabWidget;
    m_reading->tabBar()->setDrawBase(false);
    m_reading->addTab(m_manual, u"Manual"_s);
    m_reading->addTab(m_reference, u"Methods reference"_s);
    auto* reading = new QFrame;
    reading->setObjectName(u"card"_s);
    inColumn(reading, {m_reading}, usualSpacing, {8, 4, 8, 2});
    reading->setFocusProxy(m_reading);
    return sideBySide(learnWorkspace, pane(u"Lessons"_s, lessons), reading, 480, width());
}

template <class Content>
Content& MainWindow::made(const QString& workspace, Content* const& content)
{
    page(workspace);
    return *content;
}

ModelPage& MainWindow::model() { return made(modelWorkspace, m_model); }
LabPage& MainWindow::labs() { return made(labsWorkspace, m_labs); }
GalleryBrowser& MainWindow::gallery() { return made(figuresWorkspace, m_gallery); }
ExportPanel& MainWindow::exportPanel() { return made(figuresWorkspace, m_export); }
ManualView& MainWindow::manual() { return made(learnWorkspace, m_manual); }

void MainWindow::resetLayout()
{
    m_explore.resetLayout();
    m_paneSizes.clear();
    if (auto* figures = m_pages->findChild<QSplitter*>(figuresWorkspace))
        figures->setSizes({galleryWidth(), width() - galleryWidth()});
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
