#include "ui/widgets/focus_frame.h"

#include "ui/widgets/theme.h"

#include <QApplication>
#include <QBackingStore>
#include <QDockWidget>
#include <QFocusEvent>
#include <QPaintEngine>
#include <QPainter>
#include <QStyleHints>

namespace attnscope {

FocusFrame::FocusFrame(QWidget& view) : m_view(view) { view.installEventFilter(this); }

bool FocusFrame::eventFilter(QObject*, QEvent* event)
{
    const bool comes = event->type() == QEvent::FocusIn, goes = event->type() == QEvent::FocusOut;
    if (!comes && !goes)
        return false;
    const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
    if (reason == Qt::ActiveWindowFocusReason || reason == Qt::PopupFocusReason || reason == Qt::MenuBarFocusReason)
        return false;  // it comes back as it went
    m_shown = comes &&
              (reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason);
    m_view.update();
    return false;
}

void FocusFrame::paint(QPainter& painter, const QRectF& inside) const
{
    if (!m_shown || !m_view.hasFocus() || isGrabbed(m_view, painter))
        return;
    constexpr double thick = 2;
    QPen pen(currentTheme().accent, thick);
    pen.setJoinStyle(Qt::MiterJoin);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(inside.adjusted(-thick / 2, -thick / 2, thick / 2, thick / 2));
}

bool isGrabbed(const QWidget& view, const QPainter& painter)
{
    QBackingStore* screen = view.window()->backingStore();
    return !screen || painter.paintEngine()->paintDevice() != screen->paintDevice();
}

/// Does Tab stop at it?
static bool stopsAt(const QWidget& control, const QWidget& window)
{
    const bool all = QGuiApplication::styleHints()->tabFocusBehavior() == Qt::TabFocusAllControls;
    const Qt::FocusPolicy wanted = all ? Qt::TabFocus : Qt::StrongFocus;
    if ((control.focusPolicy() & wanted) != wanted || control.focusProxy() || control.isWindow() ||
        !control.isEnabled() || !control.isVisibleTo(&window))
        return false;
    for (const QWidget* around = &control; around != &window; around = around->parentWidget())
        if (qobject_cast<const QDockWidget*>(around) && !around->geometry().intersects(around->parentWidget()->rect()))
            return false;  // behind another, where Qt lays it beside the page
    return true;
}

bool focusNextIn(QWidget& window, bool next)
{
    const auto after = [next](const QWidget& control) {
        return next ? control.nextInFocusChain() : control.previousInFocusChain();
    };
    const QWidget& from = window.focusWidget() ? *window.focusWidget() : window;
    for (QWidget* to = after(from); to && to != &from; to = after(*to))
        if (window.isAncestorOf(to) && stopsAt(*to, window)) {
            to->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
            return true;
        }
    return false;
}

}  // namespace attnscope
