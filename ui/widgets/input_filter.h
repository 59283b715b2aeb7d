#pragma once
// What a wheel or a key does that is meant for something else than the control that it reaches first. A wheel that
// scrolls a panel passes over lists and sliders: it changes none that has not the focus. A field in which nothing is
// typed that could be undone leaves undo and redo to the window, and every key of the window's own that is no editing
// of text. The second press of a double click whose first put another page there does nothing. A tool tip is broken
// into lines. The pointer leaves a window that a dialog covers.

#include <QEvent>
#include <QObject>
#include <QPointer>
#include <QWidget>

#include <functional>

class QKeyEvent;

namespace attnscope {

/// Sees every event of the program from the application on.
class InputFilter : public QObject {
    Q_OBJECT
public:
    /// `takesKey`: asked of every key that is pressed or let go in this window where no text is typed; true: nothing
    /// else gets it.
    explicit InputFilter(std::function<bool(const QKeyEvent&)> takesKey, QWidget* window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool isOfTheWindow(const QObject* watched) const;
    bool isMeantForAnotherPage(const QObject* watched, QEvent::Type type);

    std::function<bool(const QKeyEvent&)> m_takesKey;
    QWidget* m_window;
    QPointer<const QWidget> m_pressed;  ///< last
    bool m_passedOver = false;          ///< it, and so its release too
};

/// Has a view no pointer over it any more? Leave need not come where a menu or a dialog takes the pointer away.
inline bool losesPointer(const QEvent& event)
{
    return event.type() == QEvent::Leave || event.type() == QEvent::ContextMenu ||
           event.type() == QEvent::WindowDeactivate;
}

}  // namespace attnscope
