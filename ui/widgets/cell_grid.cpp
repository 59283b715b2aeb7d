#include "ui/widgets/cell_grid.h"

#include "ui/widgets/theme.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace attnscope {

CellGrid::CellGrid(QWidget* parent) : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

CellGrid::At CellGrid::at(QPointF position) const
{
    const QRectF first = cell(0, 0);
    if (first.isEmpty())
        return {};  // no room
    const At on{static_cast<int>(std::floor((position.y() - first.top()) / first.height())),
                static_cast<int>(std::floor((position.x() - first.left()) / first.width()))};
    return has(on) ? on : At{};
}

void CellGrid::pointAt(At at)
{
    if (at == m_pointed)
        return;
    m_pointed = at;
    emit pointed(has(at) ? reading(at) : QString());
    update();
}

std::optional<CellGrid::At> CellGrid::steppedFrom(At at, const QKeyEvent& key) const
{
    const int right = key.key() == Qt::Key_Right ? 1 : key.key() == Qt::Key_Left ? -1 : 0;
    const int down = key.key() == Qt::Key_Down ? 1 : key.key() == Qt::Key_Up ? -1 : 0;
    if ((right == 0 && down == 0) || rows() == 0 || columns() == 0)
        return std::nullopt;
    return At{std::clamp(at.row + down, 0, rows() - 1), std::clamp(at.column + right, 0, columns() - 1)};
}

void CellGrid::paintEvent(QPaintEvent*)
{
    if (rows() == 0 || columns() == 0)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const PlotStyle style = chartStyle();
    painter.setFont(style.font(style.small));
    painter.setPen(currentTheme().muted);
    paint(painter);
}

void CellGrid::paintCells(QPainter& painter, const ColourScale& colours) const
{
    const ColourScale scale = onGround(colours, currentTheme().dark);
    const QRectF first = cell(0, 0);
    const double gap = first.height() > 9 && first.width() > 9 ? 1 : 0.25;
    for (int row = 0; row < rows(); ++row)
        for (int column = 0; column < columns(); ++column) {
            const double number = value({row, column});
            const bool known = std::isfinite(number);
            painter.setPen(known ? QPen(Qt::NoPen) : QPen(currentTheme().border));
            painter.setBrush(known ? QBrush(QColor(scale.colour(number))) : QBrush(currentTheme().window));
            painter.drawRoundedRect(cell(row, column).adjusted(gap, gap, -gap, -gap), 3, 3);
        }
}

/// With a rim of the page's colour, so that it is seen on any cell.
void CellGrid::paintFrame(QPainter& painter, At at, const QColor& colour, double width) const
{
    if (!has(at))
        return;
    painter.setBrush(Qt::NoBrush);
    for (const QPen& pen : {QPen(currentTheme().surface, width + 2), QPen(colour, width)}) {
        painter.setPen(pen);
        painter.drawRoundedRect(cell(at.row, at.column).adjusted(1, 1, -1, -1), 3, 3);
    }
}

void CellGrid::describe(const QString& words)
{
    if (words == accessibleDescription())
        return;
    setAccessibleDescription(words);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

bool CellGrid::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const At on = at(help->pos());
    if (!has(on))
        return QWidget::event(event);                                          // what all of it is
    const int below = static_cast<int>(cell(rows() - 1, on.column).bottom());  // it hides no cell
    QToolTip::showText(mapToGlobal(QPoint(help->pos().x(), below)), tip(on), this,
                       cell(on.row, on.column).toAlignedRect());
    return true;
}

void CellGrid::mousePressEvent(QMouseEvent* event)
{
    if (const At on = at(event->position()); has(on) && event->button() == Qt::LeftButton)
        pick(on);
}

void CellGrid::mouseMoveEvent(QMouseEvent* event)
{
    const At now = at(event->position());
    setCursor(has(now) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    pointAt(now);
}

}  // namespace attnscope

#include "moc_cell_grid.cpp"
