#include "ui/window/presentation.h"

#include "ui/plot/qt_text.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/theme.h"
#include "ui/window/main_window.h"
#include "ui/views/chart_view.h"
#include "ui/workbench/explore_view.h"
#include "ui/explore/heatmap_panel.h"
#include "ui/explore/learn_view.h"
#include "ui/explore/pin_strip.h"
#include "ui/window/workspaces.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLayout>
#include <QMenuBar>
#include <QStatusBar>
#include <QTimer>
#include <QToolBar>

#include <algorithm>
#include <utility>

namespace attnscope {

namespace {

constexpr int hintMilliseconds = 6000;
constexpr int lessonWidth = 256;  // beside a view

bool isChart(const QString& dock) { return findExploreChart(dock.toStdString()) != nullptr; }

/// Empty where the key leads to none.
QString viewOfKey(int key)
{
    for (const ExploreView& view : exploreViews())
        if (view.key == key)
            return view.id;
    return {};
}

/// "M maps, E entropy against n"
QString keysOfViews()
{
    QStringList keys;
    for (const ExploreView& view : exploreViews())
        keys << u"%1 %2"_s.arg(QChar(static_cast<char16_t>(view.key)),
                               view.title.front().toLower() + view.title.mid(1));
    return keys.join(u", "_s);
}

}  // namespace

Presentation::Presentation(MainWindow& window) : QObject(&window), m_window(window) {}

void Presentation::setOn(bool on)
{
    if (on == m_on)
        return;
    m_on = on;
    on ? enter() : leave();
    emit turned(on);
}

/// The view that had the keyboard is the one that is meant; a lesson speaks of all of them.
QString Presentation::focusedView() const
{
    for (const QDockWidget* dock : m_window.explore().docks())
        if (dock->isAncestorOf(QApplication::focusWidget()) && isChart(dock->objectName()))
            return dock->objectName();
    return hasLesson() ? everyView : mapsView;
}

/// Its text stands beside the view.
bool Presentation::hasLesson() const { return m_window.explore().learn().lesson() >= 0; }

void Presentation::enter()
{
    const QString view = focusedView();
    for (const Workspace& workspace : workspaces())
        m_window.page(text(workspace.id));  // what is made in large type would keep its sizes
    m_window.explore().setOnStage(true);
    m_state =
        m_window.windowState() & ~Qt::WindowFullScreen;  // which may still be that of the last time, on its way out
    m_hidden.clear();
    for (QWidget* bar : {static_cast<QWidget*>(m_window.menuBar()), static_cast<QWidget*>(m_window.statusBar())})
        if (!bar->isHidden())
            m_hidden.push_back(bar);
    for (QToolBar* bar : m_window.findChildren<QToolBar*>(QString(), Qt::FindDirectChildrenOnly))
        if (!bar->isHidden())
            m_hidden.push_back(bar);
    for (QWidget* bar : m_hidden)
        bar->hide();
    dress(true);
    setTextScale(*qApp, textScale);
    m_window.layout()->setSizeConstraint(QLayout::SetNoConstraint);  // a page in large type is no wider than the screen
    m_window.setMinimumSize(0, 0);
    m_window.showFullScreen();
    show(view);
    const QString hint = m_window.workspace() == exploreWorkspace
                             ? u"On stage: %1; Space steps through the %2; Esc ends it"_s.arg(
                                   keysOfViews(), hasLesson() ? u"lesson"_s : u"pins"_s)
                             : u"On stage: Esc ends it"_s;
    m_window.messages().say(MessageBar::Kind::Note, hint);
    QTimer::singleShot(hintMilliseconds, this, [this, hint] {
        if (m_window.messages().message() == hint)
            m_window.messages().hide();
    });
}

/// Without what is pressed and not looked at.
void Presentation::dress(bool onStage)
{
    m_window.explore().pinStrip().setOnStage(onStage);
    m_window.explore().heatmaps().setToolsVisible(!onStage);
    for (QDockWidget* dock : m_window.explore().docks())
        for (QAbstractButton* button :
             dock->titleBarWidget()->findChildren<QAbstractButton*>(QString(), Qt::FindDirectChildrenOnly))
            button->setVisible(!onStage);
}

void Presentation::leave()
{
    dress(false);
    m_window.explore().heatmaps().setReadingAbove(false);
    setTextScale(*qApp, 1);
    m_window.setWindowState(m_state);
    for (QWidget* bar : std::exchange(m_hidden, {}))
        bar->show();
    for (QDockWidget* dock : m_window.explore().docks())
        for (ChartView* lines : dock->findChildren<ChartView*>())
            lines->nameLines(false);
    m_window.explore().centralWidget()->show();
    m_window.explore().learn().setMinimumWidth(0);
    m_window.explore().setOnStage(false);
    m_window.layout()->setSizeConstraint(QLayout::SetDefaultConstraint);
    m_window.messages().hide();
}

void Presentation::show(const QString& view)
{
    m_view = view;
    QList<QDockWidget*> docks;
    const bool all = view == everyView, maps = all || view == mapsView;
    for (QDockWidget* dock : m_window.explore().docks()) {
        const QString& name = dock->objectName();
        const bool chart = isChart(name);
        if (chart)
            docks << dock;
        dock->setVisible((name == "learn"_L1 && hasLesson()) || (chart && (all || name == view)));
        if (name == view)
            dock->raise();  // it may be a tab
        for (ChartView* lines : dock->findChildren<ChartView*>())
            lines->nameLines(m_on && name == view);
    }
    m_window.explore().centralWidget()->setVisible(maps);
    m_window.explore().heatmaps().setReadingAbove(all);
    m_window.explore().centralWidget()->setFocus();
    // what is read keeps its lines, whatever maps and charts make of the rest
    m_window.explore().learn().setMinimumWidth(hasLesson() ? withText(lessonWidth) : 0);
    if (hasLesson()) {
        QList<QDockWidget*> columns{m_window.explore().dock(u"learn"_s)};
        QList<int> widths{withText(lessonWidth)};
        if (!maps && isChart(view)) {  // both would share the room of the maps
            columns << m_window.explore().dock(view);
            widths << m_window.width() - widths.front();
        }
        m_window.explore().resizeDocks(columns, widths, Qt::Horizontal);
    }
    if (!all)
        return;
    m_window.explore().resizeDocks(docks, QList<int>(docks.size(), m_window.width() * 2 / 5), Qt::Horizontal);
    m_window.explore().resizeDocks(docks, QList<int>(docks.size(), m_window.height() / 2), Qt::Vertical);
}

void Presentation::step(int by)
{
    if (hasLesson())
        return m_window.explore().learn().goToStep(
            std::min(m_window.explore().learn().step() + by, m_window.explore().learn().stepCount() - 1));
    const auto count = static_cast<int>(m_window.document().look().pins.size());
    if (count == 0)
        return;
    const int now = m_window.pins().current();
    m_window.pins().goTo(now < 0 ? (by > 0 ? 0 : count - 1) : (now + by + count) % count);
}

bool Presentation::takes(const QKeyEvent& key)
{
    if (!m_on)
        return false;
    if (key.key() == Qt::Key_Escape) {
        setOn(false);
        return true;
    }
    if (m_window.workspace() != exploreWorkspace)
        return false;
    const bool space = key.key() == Qt::Key_Space,
               back = key.key() == Qt::Key_PageUp || (space && key.modifiers() == Qt::ShiftModifier);
    if (back || space || key.key() == Qt::Key_PageDown) {
        step(back ? -1 : 1);
        return true;
    }
    const QString view = key.modifiers() == Qt::NoModifier ? viewOfKey(key.key()) : QString();
    if (!view.isEmpty())
        show(view);
    return !view.isEmpty();
}

}  // namespace attnscope

#include "moc_presentation.cpp"
