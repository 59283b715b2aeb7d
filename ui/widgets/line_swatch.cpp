#include "ui/widgets/line_swatch.h"

#include "ui/plot/method_style.h"
#include "ui/widgets/theme.h"

#include <QHash>
#include <QPainter>

#include <algorithm>
#include <numeric>

namespace attnscope {

namespace {

constexpr double swatchLine = 2.25, strongLine = 4.5, swatchMarker = 6, strongMarker = 10;

/// Whole periods of the pattern, as near to their own length as they fit, and a marker that hides none of its gaps: of
/// dashes alone the middle one is under it, of dashes and dots the dots.
QPen penThatFits(const MethodStyle& style, double width, double length)
{
    QPen pen = methodPen(style, width);
    if (style.dash.isEmpty())
        return pen;
    const double first = style.dash.front(), period = std::accumulate(style.dash.begin(), style.dash.end(), 0.0);
    const int step = style.dash.size() == 2 ? 2 : 1;
    const int periods = std::max(step, step * qRound((length / width - first) / period / step));
    const double scale = length / width / (periods * period + first);
    QList<qreal> dash = style.dash;
    for (qreal& part : dash)
        part *= scale;
    pen.setDashPattern(dash);
    return pen;
}

void drawSwatch(QPainter& painter, const QRectF& all, int number, bool strong)
{
    const MethodStyle style = methodStyle(number, chartStyle());
    const QRectF line = all.adjusted(LineSwatch::air, 0, -LineSwatch::air, 0);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(penThatFits(style, strong ? strongLine : swatchLine, line.width()));
    painter.drawLine(QLineF({line.left(), line.center().y()}, {line.right(), line.center().y()}));
    drawMarker(painter, style.marker, line.center(), strong ? strongMarker : swatchMarker, style.colour);
}

}  // namespace

LineSwatch::LineSwatch(QWidget* parent) : QWidget(parent) { setFixedSize(swatchSize); }

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
    drawSwatch(painter, rect(), m_style, m_strong);
}

QIcon LineSwatch::icon(int style)
{
    static QHash<std::pair<int, QRgb>, QIcon> known;
    const MethodStyle look = methodStyle(style, chartStyle());
    QIcon& icon = known[{style, look.colour.rgb()}];
    if (!icon.isNull())
        return icon;
    constexpr int fine = 2;  // device pixels
    QPixmap pixmap(swatchSize * fine);
    pixmap.setDevicePixelRatio(fine);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    drawSwatch(painter, QRectF(QPointF(), swatchSize), style, false);
    painter.end();
    return icon = QIcon(pixmap);
}

}  // namespace attnscope
