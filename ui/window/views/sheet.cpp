#include "ui/window/views/sheet.h"

#include "ui/window/theme.h"

#include <QApplication>
#include <QEvent>
#include <QFrame>
#include <QPainter>

namespace attnscope {

Sheet::Sheet(QWidget* window, float veil) : QWidget(window), m_frame(new QFrame(this)), m_veil(veil)
{
    m_frame->setObjectName(QStringLiteral("sheet"));
    window->installEventFilter(this);
    hide();
}

void Sheet::openAt(QWidget* focus)
{
    m_before = QApplication::focusWidget();
    place();
    raise();
    show();
    focus->setFocus();
}

void Sheet::place()
{
    setGeometry(parentWidget()->rect());
    m_frame->setGeometry(sheetGeometry());
}

bool Sheet::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible())
        place();
    return QWidget::eventFilter(watched, event);
}

void Sheet::hideEvent(QHideEvent*)
{
    if (m_before)
        m_before->setFocus();
}

void Sheet::paintEvent(QPaintEvent*)
{
    QColor veil = currentTheme().window;
    veil.setAlphaF(m_veil);
    QPainter(this).fillRect(rect(), veil);
}

}  // namespace attnscope

#include "moc_sheet.cpp"
