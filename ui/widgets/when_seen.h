#pragma once
// Asleep while nobody sees it: brings a widget up to date at once where it is visible, else once when it is shown.

#include <QEvent>
#include <QWidget>

#include <functional>
#include <utility>

namespace attnscope {

class WhenSeen : public QObject {
public:
    /// Lives as long as the widget.
    WhenSeen(QWidget* widget, std::function<void()> update)
        : QObject(widget), m_widget(*widget), m_update(std::move(update))
    {
        widget->installEventFilter(this);
    }

    void operator()()
    {
        m_due = !m_widget.isVisible();
        if (!m_due)
            m_update();
    }

protected:
    bool eventFilter(QObject*, QEvent* event) override
    {
        if (event->type() == QEvent::Show && std::exchange(m_due, false))
            m_update();
        return false;
    }

private:
    QWidget& m_widget;
    std::function<void()> m_update;
    bool m_due = false;
};

}  // namespace attnscope
