#include "ui/widgets/line_swatch.h"

#include "ui/plot/method_style.h"
#include "ui/widgets/theme.h"

#include <QHash>
#include <QPainter>

namespace attnscope {

LineSwatch::LineSwatch(QWidget* parent) : QWidget(parent) { setFixedSize(30, 16); }

void LineSwatch::showStyle(int style)
{
    if (style == m_style)
        return;
    m_style = style;
    update();
}

void LineSwatch::setStrong(bool strong)
{
    if (strong == m_strong)
        return;
    m_strong = strong;
    update();
}

void LineSwatch::paintEvent(QPaintEvent*)
{
    if (m_style < 0)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const MethodStyle style = methodStyle(m_style, chartStyle());
    painter.setPen(methodPen(style, m_strong ? 4.5 : 2.25));
    painter.drawLine(QPointF(2, height() / 2.0), QPointF(width() - 2, height() / 2.0));
    drawMarker(painter, style.marker, rect().toRectF().center(), m_strong ? 11 : 7, style.colour);
}

QIcon LineSwatch::icon(int style)
{
    static QHash<std::pair<int, QRgb>, QIcon> known;
    const MethodStyle look = methodStyle(style, chartStyle());
    QIcon& icon = known[{style, look.colour.rgb()}];
    if (!icon.isNull())
        return icon;
    QPixmap pixmap(36, 24);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(methodPen(look, 4));
    painter.drawLine(2, 12, 34, 12);
    painter.end();
    return icon = QIcon(pixmap);
}

}  // namespace attnscope
