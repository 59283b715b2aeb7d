#include "ui/widgets/sheet.h"

#include "ui/plot/qt_text.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QEvent>
#include <QPainter>

namespace attnscope {

Sheet::Sheet(QWidget* window, float veil) : QWidget(window), m_frame(new QFrame(this)), m_veil(veil)
{
    m_frame->setObjectName(u"sheet"_s);
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
    placeFrame();
}

bool Sheet::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible())
        place();
    if (event->type() == QEvent::ShortcutOverride && isVisible() && watched->isWidgetType() &&
        isAncestorOf(static_cast<QWidget*>(watched))) {
        event->accept();  // it comes as a key, to what has the keyboard
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void Sheet::showEvent(QShowEvent*) { qApp->installEventFilter(this); }

void Sheet::hideEvent(QHideEvent*)
{
    qApp->removeEventFilter(this);
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
