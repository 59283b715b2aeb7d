// The ways between the workspaces and through their parts, by name, by key and by what is opened.

#include "ui/plot/qt_text.h"
#include "ui/window/main_window.h"

#include "ui/widgets/building.h"
#include "ui/widgets/focus_frame.h"
#include "ui/widgets/message_bar.h"
#include "ui/explore/explore_page.h"
#include "ui/labs/lab_page.h"
#include "ui/model/model_page.h"
#include "ui/figures/export_panel.h"
#include "ui/figures/gallery_browser.h"
#include "ui/learn/manual_view.h"
#include "ui/views/note_pad.h"
#include "ui/learn/reference_view.h"
#include "ui/widgets/sheet.h"
#include "ui/window/file_opener.h"
#include "ui/window/workspaces.h"

#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabWidget>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace attnscope {

/// That has a part of that name; null: it is a dock of Explore.
static const Workspace* workspaceWith(const QString& part)
{
    const auto all = workspaces();
    const auto found =
        std::ranges::find_if(all, [&](const Workspace& one) { return std::ranges::count(one.parts, part); });
    return found == all.end() ? nullptr : &*found;
}

void MainWindow::setWorkspace(const QString& id) { attnscope::setWorkspace(m_document, id); }

/// A message stands on the status line. Of several lines, or on stage, where there is none, it would stand on buttons:
/// the page makes room for it.
void MainWindow::giveFoot(int covered)
{
    const int air = m_presentation.isOn() ? 6 : 2, line = m_presentation.isOn() ? 0 : statusBar()->height();
    const int over = covered - line, above = over > air ? over + air : 0;
    const bool passes = workspace() == exploreWorkspace && !m_presentation.isOn() && !m_messages.showsError();
    centralWidget()->layout()->setContentsMargins(0, 0, 0, passes ? 0 : above);
}

/// What the document says, if it is not shown yet.
void MainWindow::showWorkspace()
{
    const QString id = workspace();
    if (id == m_shownWorkspace)
        return;
    const bool hadKeys = !m_shownWorkspace.isEmpty() && (!focusWidget() || m_pages->isAncestorOf(focusWidget()));
    if (m_shownWorkspace == exploreWorkspace)
        m_failureStands = m_analysisFailed && m_messages.message() == m_saidFailure;
    m_shownWorkspace = id;
    m_pages->setCurrentWidget(page(id).widget);
    m_computed->setVisible(id == exploreWorkspace);  // the line below every workspace is where messages stand
    giveFoot(0);
    m_messages.hide();  // it was said of where one was
    if (id == exploreWorkspace && m_analysisFailed && m_failureStands && analyser().isSettled())
        sayFailure();
    centralWidget()->setFocusProxy(m_pages->currentWidget());
    for (QDockWidget* one : m_explore.docks())
        one->toggleViewAction()->setEnabled(id == exploreWorkspace);
    if (hadKeys)
        m_pages->currentWidget()->setFocus();
    nameWhatIsInFront();
    emit workspaceShown(id);
}

void MainWindow::nameWhatIsInFront()
{
    m_session.setInFront(m_shownWorkspace == figuresWorkspace ? exportPanel().file() : QString());
}

void MainWindow::showDock(const QString& name)
{
    const Workspace* workspace = workspaceWith(name);
    if (!workspace)
        return m_explore.showDock(name);
    setWorkspace(text(workspace->id));
    QWidget* shown = part(name);
    if (auto* tabs = shown->parentWidget() ? qobject_cast<QTabWidget*>(shown->parentWidget()->parentWidget()) : nullptr)
        tabs->setCurrentWidget(shown);
    if (workspace->parts.size() > 1)
        shown->setFocus();
}

void MainWindow::exportFigure()
{
    const QString waits = exportPanel().showWhatIsIn(workspace());
    showDock(u"export"_s);
    if (!waits.isEmpty())
        m_messages.say(MessageBar::Kind::Note, waits);
}

/// Where a method comes from.
void MainWindow::showSource(const QString& method)
{
    showDock(u"reference"_s);
    reference().showPart(method);
}

bool MainWindow::isPartShown(const QString& name) const
{
    const Workspace* of = workspaceWith(name);
    if (!of)
        return workspace() == exploreWorkspace && !m_explore.dock(name)->isHidden();
    if (workspace().toStdString() != of->id)
        return false;
    const WorkspacePage& made = m_made[static_cast<std::size_t>(workspaceIndex(of->id))];
    return made.parts[static_cast<std::size_t>(std::ranges::find(of->parts, name) - of->parts.begin())]->isVisibleTo(
        made.widget);
}

/// Of the workspace that is shown: the maps and the docks of Explore, the panes of another.
std::vector<QWidget*> MainWindow::parts() const
{
    QWidget* shown = m_pages->currentWidget();
    if (shown == &m_explore) {
        std::vector<QWidget*> all{m_explore.centralWidget()};
        for (QDockWidget* dock : m_explore.docks())
            if (dock->isVisible())
                all.push_back(dock->widget());
        return all;
    }
    std::vector<QWidget*> all;
    if (const auto* split =
            qobject_cast<QSplitter*>(shown) ? qobject_cast<QSplitter*>(shown) : shown->findChild<QSplitter*>())
        for (int i = 0; i < split->count(); ++i)
            if (split->widget(i)->isVisible())
                all.push_back(split->widget(i));
    return all.empty() ? std::vector<QWidget*>{shown} : all;
}

void MainWindow::focusNextPart(int by)
{
    const std::vector<QWidget*> all = parts();
    const auto here = std::find_if(all.begin(), all.end(),
                                   [](const QWidget* part) { return part->isAncestorOf(QApplication::focusWidget()); });
    const auto count = std::ssize(all), at = here == all.end() ? -by : here - all.begin();
    QWidget* part = all[static_cast<size_t>((at + by + count) % count)];
    if (auto* dock = qobject_cast<QDockWidget*>(part->parentWidget()))
        dock->raise();
    for (QWidget* next = part->nextInFocusChain(); next != part; next = next->nextInFocusChain())
        if (part->isAncestorOf(next) && next->isVisible() && next->isEnabled() &&
            (next->focusPolicy() & Qt::TabFocus) == Qt::TabFocus)
            return next->setFocus(Qt::TabFocusReason);
}

void MainWindow::writeNote()
{
    setWorkspace(exploreWorkspace);
    NotePad* last = nullptr;
    for (NotePad* pad : findChildren<NotePad*>())
        if (pad->isOnScreen() && (!last || std::pair(pad->isUnderPointer(), pad->visited()) >
                                               std::pair(last->isUnderPointer(), last->visited())))
            last = pad;
    if (!last)
        return m_messages.say(MessageBar::Kind::Note,
                              u"A note is written at a point: point at a chart or a map, then press T"_s);
    last->writeAtPointer();
}

/// On stage the keys are the presenter's, and a digit shows that pin while it is held, wherever the keyboard is but in
/// a text.
bool MainWindow::takesKey(const QKeyEvent& key)
{
    for (const QWidget* inside = QApplication::focusWidget(); inside; inside = inside->parentWidget())
        if (qobject_cast<const Sheet*>(inside))
            return false;
    const bool pressed = key.type() == QEvent::KeyPress;
    if (pressed && m_presentation.takes(key))
        return true;
    const int pin =
        (key.modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier && key.key() >= Qt::Key_1 && key.key() <= Qt::Key_9
            ? key.key() - Qt::Key_1
            : -1;
    if (!pressed && !key.isAutoRepeat() && key.key() >= Qt::Key_1 && key.key() <= Qt::Key_9)
        m_letGo.start();  // whatever else is held by now
    if (pin < 0 || workspace() != exploreWorkspace || m_document.look().pins.empty())
        return false;
    if (pressed) {
        m_letGo.stop();
        if (pins().flipped() != pin)
            pins().flipTo(pin);
    }
    return true;
}

/// Escape leads out of a field, and of numbers it takes back what is typed. Return leads out of numbers too, which are
/// taken over by then; what is refused stays where it can be mended, and the field says why.
void MainWindow::keyPressEvent(QKeyEvent* event)
{
    QWidget* at = focusWidget();
    QLineEdit* numbers = numbersTypedAt(at);
    const auto* list = qobject_cast<QComboBox*>(at);
    const bool inField =
        numbers || qobject_cast<QLineEdit*>(at) || qobject_cast<QPlainTextEdit*>(at) || (list && list->isEditable());
    const bool takesBack = event->key() == Qt::Key_Escape,
               takesOver = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    while (takesBack && numbers && numbers->isUndoAvailable())
        numbers->undo();
    const bool refused = takesOver && numbers && at->property("wrong").toBool();
    if (refused)
        QToolTip::showText(at->mapToGlobal(QPoint(0, at->height())), at->toolTip(), at);
    if ((takesBack && inField) || (takesOver && numbers && !refused))
        return leave(*at);
    QMainWindow::keyPressEvent(event);
}

bool MainWindow::focusNextPrevChild(bool next) { return focusNextIn(*this, next); }

/// The keys are the window's again; in Explore, those of its maps too.
void MainWindow::leave(QWidget& field)
{
    field.clearFocus();
    if (m_explore.isVisible() && m_explore.isAncestorOf(&field))
        m_explore.setFocus();
}

/// A key that is let go elsewhere is not heard of here.
void MainWindow::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::ActivationChange && !isActiveWindow())
        pins().flipBack();
    QMainWindow::changeEvent(event);
}

void MainWindow::openModel(const QString& folder, const std::function<void()>& opened)
{
    m_messages.forgetFile();
    m_opener.openModel(folder, [this, folder, opened](const FoundFile&) {
        setWorkspace(modelWorkspace);
        model().open(folder);
        if (opened)
            opened();
    });
}

}  // namespace attnscope
