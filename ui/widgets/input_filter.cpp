#include "ui/widgets/input_filter.h"

#include "ui/widgets/tool_tips.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainterPath>
#include <QScrollBar>
#include <QTimer>

#include <utility>

namespace attnscope {

namespace {

constexpr double popupRadius = 4;  ///< of the style sheet's QMenu, QToolTip and lists: no mask has half pixels

/// A control whose value a wheel would change.
QWidget* turnedByWheel(QObject* object)
{
    if (auto* list = qobject_cast<QComboBox*>(object))
        return list;
    if (auto* number = qobject_cast<QAbstractSpinBox*>(object))
        return number;
    auto* slider = qobject_cast<QAbstractSlider*>(object);
    return qobject_cast<QScrollBar*>(slider) ? nullptr : slider;
}

/// Undo and redo of the field's own text, where it has none to give back.
bool isIdleUndo(const QLineEdit& field, const QKeyEvent& key)
{
    if (key.matches(QKeySequence::Undo))
        return !field.isUndoAvailable();
    return key.matches(QKeySequence::Redo) && !field.isRedoAvailable();
}

/// Of a window below a dialog nobody is told that the pointer leaves, if a menu had it when the dialog came: what is
/// shown at the pointer would stay.
void leaveAll(const QWidget& window)
{
    for (QWidget* widget : window.findChildren<QWidget*>())
        if (widget->testAttribute(Qt::WA_UnderMouse)) {
            QEvent leave(QEvent::Leave);
            QCoreApplication::sendEvent(widget, &leave);
        }
}

/// Menus, lists and tips have the corners of a card, with or without a compositor.
void roundCorners(QObject* object)
{
    auto* popup = qobject_cast<QWidget*>(object);
    if (!popup || (popup->windowType() != Qt::Popup && popup->windowType() != Qt::ToolTip))
        return;
    QPainterPath card;
    card.addRoundedRect(popup->rect(), popupRadius, popupRadius);
    popup->setMask(QRegion(card.toFillPolygon().toPolygon()));
}

}  // namespace

InputFilter::InputFilter(std::function<bool(const QKeyEvent&)> takesKey, QWidget* window)
    : QObject(window), m_takesKey(std::move(takesKey)), m_window(window)
{
}

/// What has the keyboard there, unless it is typed into.
bool InputFilter::isOfTheWindow(const QObject* watched) const
{
    const auto* widget = qobject_cast<const QWidget*>(watched);
    const QWidget* focus = m_window->focusWidget() ? m_window->focusWidget() : m_window;
    return widget == focus && m_window->isActiveWindow() && !widget->testAttribute(Qt::WA_InputMethodEnabled);
}

/// The second press of a double click reaches what lies below the pointer by then, which the hand has not seen.
bool InputFilter::isMeantForAnotherPage(const QObject* watched, QEvent::Type type)
{
    const auto* widget = qobject_cast<const QWidget*>(watched);
    if (!widget)
        return false;
    if (type == QEvent::MouseButtonRelease)
        return std::exchange(m_passedOver, false);
    m_passedOver = type == QEvent::MouseButtonDblClick && m_pressed && !m_pressed->isVisible();
    if (!m_passedOver)
        m_pressed = widget;
    return m_passedOver;
}

bool InputFilter::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::Polish:  // passing over it gives it no focus either
        if (QWidget* control = turnedByWheel(watched); control && control->focusPolicy() == Qt::WheelFocus)
            control->setFocusPolicy(Qt::StrongFocus);
        return false;
    case QEvent::Resize:
    case QEvent::Show:  // lists take their mask off where they are laid out
        roundCorners(watched);
        return false;
    case QEvent::Wheel:
        // a list that was clicked once keeps the keyboard: a wheel that passes over it later is meant for the page
        if (const QWidget* control = turnedByWheel(watched);
            control && (!control->hasFocus() || qobject_cast<const QComboBox*>(control))) {
            event->ignore();  // and so it goes on to what lies around the control
            return true;
        }
        return false;
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick:
    case QEvent::MouseButtonRelease:
        return isMeantForAnotherPage(watched, event->type());
    case QEvent::ShortcutOverride:
        if (const auto* field = qobject_cast<QLineEdit*>(watched);
            field && isIdleUndo(*field, *static_cast<QKeyEvent*>(event))) {
            event->ignore();
            return true;
        }
        return false;
    case QEvent::KeyPress:
    case QEvent::KeyRelease:
        return isOfTheWindow(watched) && m_takesKey(*static_cast<QKeyEvent*>(event));
    case QEvent::WindowBlocked:
        if (watched == m_window)
            leaveAll(*m_window);
        return false;
    case QEvent::ToolTip:  // once it is shown, whoever does that
        QTimer::singleShot(0, this, &wrapShownTip);
        return false;
    default:
        return false;
    }
}

}  // namespace attnscope

#include "moc_input_filter.cpp"
