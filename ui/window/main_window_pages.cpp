// The workspaces as pages of the window, and the ways between them.

#include "ui/window/main_window.h"

#include "core/model/model.h"
#include "core/sweep/sweep_folder.h"
#include "ui/window/controls/message_bar.h"
#include "ui/window/labs/lab_page.h"
#include "ui/window/model/model_page.h"
#include "ui/window/views/export_panel.h"
#include "ui/window/theme.h"
#include "ui/window/views/chart_view.h"
#include "ui/window/views/dispersion_view.h"
#include "ui/window/views/entropy_view.h"
#include "ui/window/views/gallery_browser.h"
#include "ui/window/views/heatmap_panel.h"
#include "ui/window/views/learn_view.h"
#include "ui/window/views/lesson_list.h"
#include "ui/window/views/manual_view.h"
#include "ui/window/views/note_pad.h"
#include "ui/window/views/reference_view.h"
#include "ui/window/workspaces.h"

#include <QApplication>
#include <QDockWidget>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace attnscope {

namespace {

constexpr int stateVersion = 5;  // of Explore's docks: other versions are left alone
constexpr int paneGap = 8;

/// A pane of a page: a card with its name above what it holds.
QFrame* pane(const QString& title, QWidget* content)
{
    auto* made = new QFrame;
    made->setObjectName(QStringLiteral("card"));
    auto* column = new QVBoxLayout(made);
    column->setContentsMargins(1, 8, 1, 2);
    column->setSpacing(6);
    auto* heading = new QLabel(title);
    heading->setProperty("role", "pane");
    heading->setContentsMargins(14, 0, 14, 0);
    column->addWidget(heading);
    column->addWidget(content, 1);
    made->setFocusProxy(content);
    return made;
}

QSplitter* sideBySide(const QString& name, QWidget* left, QWidget* right, int leftWidth)
{
    auto* split = new QSplitter;
    split->setObjectName(name);
    split->setHandleWidth(paneGap);
    split->setChildrenCollapsible(false);
    split->addWidget(left);
    split->addWidget(right);
    split->setStretchFactor(1, 1);
    split->setSizes({leftWidth, 3 * leftWidth});
    return split;
}

const QString exploreId = QStringLiteral("explore"), modelId = QStringLiteral("model"), labsId = QStringLiteral("labs"), figuresId = QStringLiteral("figures"), learnId = QStringLiteral("learn");

/// The workspace of a part that is no dock of Explore.
QString workspaceOf(const QString& part)
{
    static const std::pair<const char*, QString> all[] = {{"model", modelId},   {"labs", labsId},    {"gallery", figuresId},
                                                          {"export", figuresId}, {"manual", learnId}, {"reference", learnId}};
    for (const auto& [name, workspace] : all)
        if (part == QLatin1String(name))
            return workspace;
    return {};
}

}  // namespace

void MainWindow::buildPages()
{
    auto* centre = new QWidget;
    centre->setObjectName(QStringLiteral("centre"));
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    m_pages = new QStackedWidget;
    layout->addWidget(m_messages);
    layout->addWidget(m_pages, 1);
    setCentralWidget(centre);

    m_export = new ExportPanel(m_document, *m_messages, [this] { return shownViews(); });
    m_gallery = new GalleryBrowser;
    m_labs = new LabPage(m_document, *m_messages, QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/labs"));
    m_manual = new ManualView;
    m_reference = new ReferenceView(m_document, m_analyser);
    auto* lessons = new LessonList;
    connect(lessons, &LessonList::chosen, this, [this](int lesson) {
        showDock(QStringLiteral("learn"));
        m_learn->openLesson(lesson);
        m_learn->setFocus();
    });
    m_reading = new QTabWidget;
    m_reading->tabBar()->setDrawBase(false);
    m_reading->addTab(m_manual, tr("Manual"));
    m_reading->addTab(m_reference, tr("Methods reference"));
    auto* reading = new QFrame;
    reading->setObjectName(QStringLiteral("card"));
    auto* column = new QVBoxLayout(reading);
    column->setContentsMargins(8, 4, 8, 2);
    column->addWidget(m_reading);
    reading->setFocusProxy(m_reading);

    m_pages->addWidget(m_explore);
    m_pages->addWidget(new QWidget);  // the Model workspace stands here once it is looked at
    m_pages->addWidget(pane(tr("Labs"), m_labs));
    m_pages->addWidget(sideBySide(figuresId, pane(tr("Gallery"), m_gallery), pane(tr("The figure"), m_export), 600));
    m_pages->addWidget(sideBySide(learnId, pane(tr("Lessons"), lessons), reading, 360));
    connectPages();
}

void MainWindow::connectPages()
{
    connect(&m_analyser, &Analyser::arrived, m_export, &ExportPanel::follow);  // there may be heads now
    for (const QDockWidget* shown : m_docks)
        connect(shown, &QDockWidget::visibilityChanged, m_export, &ExportPanel::follow);
    connect(m_gallery, &GalleryBrowser::openRequested, this, &MainWindow::openFigure);
    connect(m_gallery, &GalleryBrowser::exportRequested, m_export, &ExportPanel::setRecipe);
    connect(m_export, &ExportPanel::done, this, &MainWindow::closeWhenSaved);
    connect(m_labs, &LabPage::done, this, &MainWindow::closeWhenSaved);
    connect(m_labs, &LabPage::opened, this, [this] { setWorkspace(exploreId); });
    connect(m_labs, &LabPage::figureAsked, this, [this](const Recipe& recipe) {
        m_export->setRecipe(recipe);
        showDock(QStringLiteral("export"));
    });
    connect(m_learn, &LearnView::partsNamed, this, [this](const QStringList& names) {
        for (const QString& name : names)
            if (QDockWidget* named = dock(name)) {
                named->show();
                named->raise();
            }
    });
    connect(m_learn, &LearnView::listAsked, this, [this] {
        setWorkspace(learnId);
        dock(QStringLiteral("learn"))->hide();
    });
}

ModelPage& MainWindow::model()
{
    if (!m_model) {
        m_model = new ModelPage(m_document, m_analyser, m_pointer, *m_messages);
        connect(m_model, &ModelPage::folderAsked, this, &MainWindow::chooseModel);
        connect(m_model, &ModelPage::manualAsked, this, [this] {
            showDock(QStringLiteral("manual"));
            m_manual->openPage(QStringLiteral("models"));
        });
        connect(m_model, &ModelPage::sourceAsked, this, &MainWindow::showSource);
        connect(m_model, &ModelPage::headKept, this, &MainWindow::lookAtHead);
        QWidget* before = m_pages->widget(workspaceIndex("model"));
        m_pages->insertWidget(workspaceIndex("model"), m_model);
        m_pages->removeWidget(before);
        delete before;
    }
    return *m_model;
}

void MainWindow::setWorkspace(const QString& id)
{
    m_document.editLook([&](Look& look) { look.workspace = id.toStdString(); });
}

/// What the document says, if it is not shown yet.
void MainWindow::showWorkspace()
{
    const QString id = workspace();
    if (id == m_shownWorkspace)
        return;
    const bool hadKeys = !m_shownWorkspace.isEmpty() && (!focusWidget() || m_pages->isAncestorOf(focusWidget()));
    m_shownWorkspace = id;
    if (id == modelId)
        model();
    m_pages->setCurrentIndex(workspaceIndex(id.toStdString()));
    statusBar()->setVisible(id == exploreId && !m_presentation.isOn());  // it speaks of what Explore computes
    centralWidget()->layout()->setContentsMargins(0, 0, 0, id == exploreId ? 0 : paneGap);
    if (!m_messages->showsError())
        m_messages->hide();  // it was said of where one was
    centralWidget()->setFocusProxy(m_pages->currentWidget());
    for (QDockWidget* one : m_docks)
        one->toggleViewAction()->setEnabled(id == exploreId);
    if (hadKeys)
        m_pages->currentWidget()->setFocus();
    emit workspaceShown(id);
}

void MainWindow::showDock(const QString& name)
{
    if (const QString page = workspaceOf(name); !page.isEmpty()) {
        setWorkspace(page);
        const std::pair<const char*, QWidget*> parts[] = {{"gallery", m_gallery}, {"export", m_export}, {"manual", m_manual}, {"reference", m_reference}};
        for (const auto& [part, widget] : parts)
            if (name == QLatin1String(part)) {
                if (page == learnId)
                    m_reading->setCurrentWidget(widget);
                widget->setFocus();
            }
        return;
    }
    setWorkspace(exploreId);
    QDockWidget* shown = dock(name);
    const bool opens = shown->isHidden();
    shown->show();
    shown->raise();
    if (opens && name == QLatin1String("learn"))  // a page to read takes more room than a list
        m_explore->resizeDocks({dock(QStringLiteral("scenario")), shown}, {2, 3}, Qt::Vertical);
    if (opens && name == QLatin1String("tensors"))  // as do tables to choose from
        m_explore->resizeDocks({shown}, {height() / 2}, Qt::Vertical);
    shown->widget()->setFocus();
}

/// Where a method comes from.
void MainWindow::showSource(const QString& method)
{
    showDock(QStringLiteral("reference"));
    m_reference->scrollToAnchor(method);
}

bool MainWindow::isPartShown(const QString& name) const
{
    if (const QString page = workspaceOf(name); !page.isEmpty())
        return workspace() == page && (page != learnId || m_reading->currentWidget() == (name == QLatin1String("manual") ? static_cast<QWidget*>(m_manual) : m_reference));
    return workspace() == exploreId && !dock(name)->isHidden();
}

/// Of the workspace that is shown: the maps and the docks of Explore, the panes of another.
std::vector<QWidget*> MainWindow::parts() const
{
    QWidget* page = m_pages->currentWidget();
    if (page == m_explore) {
        std::vector<QWidget*> all{m_explore->centralWidget()};
        for (QDockWidget* dock : m_docks)
            if (dock->isVisible())
                all.push_back(dock->widget());
        return all;
    }
    std::vector<QWidget*> all;
    if (const auto* split = qobject_cast<QSplitter*>(page) ? qobject_cast<QSplitter*>(page) : page->findChild<QSplitter*>())
        for (int i = 0; i < split->count(); ++i)
            all.push_back(split->widget(i));
    return all.empty() ? std::vector<QWidget*>{page} : all;
}

void MainWindow::focusNextPart(int by)
{
    const std::vector<QWidget*> all = parts();
    const auto here = std::find_if(all.begin(), all.end(), [](const QWidget* part) { return part->isAncestorOf(QApplication::focusWidget()); });
    const auto count = std::ssize(all), at = here == all.end() ? -by : here - all.begin();
    QWidget* part = all[static_cast<size_t>((at + by + count) % count)];
    if (auto* dock = qobject_cast<QDockWidget*>(part->parentWidget()))
        dock->raise();
    for (QWidget* next = part->nextInFocusChain(); next != part; next = next->nextInFocusChain())
        if (part->isAncestorOf(next) && next->isVisible() && next->isEnabled() && (next->focusPolicy() & Qt::TabFocus) == Qt::TabFocus)
            return next->setFocus(Qt::TabFocusReason);
}

void MainWindow::writeNote()
{
    setWorkspace(exploreId);
    NotePad* last = nullptr;
    for (NotePad* pad : findChildren<NotePad*>())
        if (pad->isOnScreen() && (!last || pad->visited() > last->visited()))
            last = pad;
    if (last)
        last->writeAtPointer();
}

QByteArray MainWindow::exploreState() const { return m_explore->saveState(stateVersion); }

void MainWindow::restoreExplore(const QByteArray& state) { m_explore->restoreState(state, stateVersion); }

QVariantMap MainWindow::paneSizes() const
{
    QVariantMap sizes;
    for (const QSplitter* split : m_pages->findChildren<QSplitter*>())
        if (!split->objectName().isEmpty())
            sizes[split->objectName()] = split->saveState();
    return sizes;
}

void MainWindow::restorePanes(const QVariantMap& sizes)
{
    for (QSplitter* split : m_pages->findChildren<QSplitter*>())
        if (const auto kept = sizes.find(split->objectName()); kept != sizes.end())
            split->restoreState(kept->toByteArray());
}

QPixmap MainWindow::picture() const
{
    return m_pages->currentWidget() == m_explore ? m_explore->centralWidget()->grab() : m_pages->currentWidget()->grab();
}

/// One below the other, in the middle, on the surface that they stand on.
static QImage stacked(const std::vector<QPixmap>& pictures, Qt::Orientation along)
{
    constexpr double air = 12;
    QSizeF size;
    double ratio = 1;
    for (const QPixmap& picture : pictures) {
        const QSizeF one = picture.deviceIndependentSize();
        size = along == Qt::Vertical ? QSizeF(std::max(size.width(), one.width()), size.height() + one.height() + air) : QSizeF(size.width() + one.width() + air, std::max(size.height(), one.height()));
        ratio = std::max(ratio, picture.devicePixelRatio());
    }
    QImage all((size * ratio).toSize(), QImage::Format_RGB32);
    all.setDevicePixelRatio(ratio);
    all.fill(currentTheme().surface);
    QPainter painter(&all);
    double at = 0;
    for (const QPixmap& picture : pictures) {
        const QSizeF one = picture.deviceIndependentSize();
        painter.drawPixmap(along == Qt::Vertical ? QPointF((size.width() - one.width()) / 2, at) : QPointF(at, (size.height() - one.height()) / 2), picture);
        at += (along == Qt::Vertical ? one.height() : one.width()) + air;
    }
    return all;
}

QImage MainWindow::viewPicture(const QString& view) const
{
    if (view == QLatin1String("entropy"))
        return m_entropy->chart()->grab().toImage();
    if (view == QLatin1String("dispersion"))
        return m_dispersion->chart()->grab().toImage();
    const QImage maps = stacked(m_heatmaps->pictures(), Qt::Vertical);
    if (view == QLatin1String("maps"))
        return maps;
    return stacked({QPixmap::fromImage(maps), QPixmap::fromImage(stacked({m_entropy->chart()->grab(), m_dispersion->chart()->grab()}, Qt::Vertical))}, Qt::Horizontal);
}

/// On stage the keys are the presenter's, and a digit shows that pin while it is held, wherever the keyboard is but in a text.
bool MainWindow::takesKey(const QKeyEvent& key)
{
    const bool pressed = key.type() == QEvent::KeyPress;
    if (pressed && m_presentation.takes(key))
        return true;
    const int pin = (key.modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier && key.key() >= Qt::Key_1 && key.key() <= Qt::Key_9 ? key.key() - Qt::Key_1 : -1;
    if (pin < 0 || workspace() != exploreId || m_document.look().pins.empty())
        return false;
    if (!key.isAutoRepeat())
        pressed ? m_pins.flipTo(pin) : m_pins.flipBack();
    return true;
}

/// Escape leads home from wherever nothing else wanted it.
void MainWindow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && workspace() != exploreId)
        return setWorkspace(exploreId);
    QMainWindow::keyPressEvent(event);
}

/// A key that is let go elsewhere is not heard of here.
void MainWindow::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::ActivationChange && !isActiveWindow())
        m_pins.flipBack();
    QMainWindow::changeEvent(event);
}

/// A folder is a sweep's or a model's; one of the files that a sweep writes stands for its folder.
bool MainWindow::openFolder(const QString& path)
{
    const QFileInfo given(path);
    const bool ofSweep = given.isFile() && (given.fileName() == QLatin1String(sweepSpecName) || given.fileName() == QLatin1String(sweepJournalName) || given.fileName() == QLatin1String(sweepRowsName));
    const QString folder = ofSweep ? given.absolutePath() : path;
    if (!QFileInfo(folder).isDir())
        return false;
    if (isSweepFolder(folder.toStdString())) {
        setWorkspace(labsId);
        m_labs->openSweep(folder);
        emit fileOpened(folder);
        return true;
    }
    if (ofSweep)
        return false;
    setWorkspace(modelId);
    model().open(path);
    emit fileOpened(path);
    return true;
}

}  // namespace attnscope
