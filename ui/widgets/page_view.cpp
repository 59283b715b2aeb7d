#include "ui/widgets/page_view.h"

#include "ui/plot/qt_text.h"
#include "ui/widgets/theme.h"

#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyle>
#include <QWheelEvent>

#include <utility>

namespace attnscope {

namespace {
constexpr int pageMargin = 6;

/// The page, in a hair line: where paper ends on a ground of its own colour, and a softer end on another.
class Paper : public QLabel {
protected:
    void paintEvent(QPaintEvent* event) override
    {
        QLabel::paintEvent(event);
        const QPixmap page = pixmap();
        if (page.isNull())
            return;
        QPainter painter(this);
        painter.setPen(QPen(currentTheme().outline, 1));
        painter.drawRect(style()->itemPixmapRect(rect(), Qt::AlignCenter, page).adjusted(-1, -1, 0, 0));
    }
};

}

PageView::PageView(QWidget* parent) : QScrollArea(parent), m_page(new Paper)
{
    setWidget(m_page);
    setWidgetResizable(true);
    m_page->setAlignment(Qt::AlignCenter);
    m_page->setWordWrap(true);  // what is said in a page's place
    m_page->setProperty("role", "caption");
    m_page->setMargin(pageMargin);
    m_page->setAccessibleDescription(u"Preview of the figure"_s);
    setToolTip(u"With Ctrl the wheel makes it larger or smaller; drag a page that is larger than its room"_s);
}

void PageView::show(const QImage& image, double ratio)
{
    QPixmap page = QPixmap::fromImage(image);
    page.setDevicePixelRatio(ratio);
    m_page->setPixmap(page);
    m_page->setAccessibleName(u"The figure"_s);
}

void PageView::say(const QString& text)
{
    m_page->setText(text);
    m_page->setAccessibleName({});  // the text
}

QSize PageView::room() const { return maximumViewportSize() - QSize(2 * pageMargin, 2 * pageMargin); }

void PageView::wheelEvent(QWheelEvent* event)
{
    if (!(event->modifiers() & Qt::ControlModifier))
        return QScrollArea::wheelEvent(event);
    if (event->angleDelta().y() != 0)
        emit zoomAsked(event->angleDelta().y() > 0 ? 1 : -1);
    event->accept();
}

void PageView::mousePressEvent(QMouseEvent* event) { m_held = event->position().toPoint(); }

void PageView::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint by = event->position().toPoint() - std::exchange(m_held, event->position().toPoint());
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - by.x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() - by.y());
}

void PageView::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    emit roomChanged();
}

}  // namespace attnscope

#include "moc_page_view.cpp"
