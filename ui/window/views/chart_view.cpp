#include "ui/window/views/chart_view.h"

#include "ui/window/theme.h"

#include <QMouseEvent>

#include <cmath>

namespace attnscope {

namespace {
constexpr double reach = 7;  // device-independent pixels
}

ChartView::ChartView(QWidget* parent) : QCustomPlot(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setNoAntialiasingOnDrag(false);
}

void ChartView::show(ChartSpec spec)
{
    m_spec = std::move(spec);
    redraw();
}

void ChartView::redraw()
{
    applyChart(*this, m_spec, windowStyle(currentTheme().dark));
    replot(QCustomPlot::rpQueuedReplot);
}

int ChartView::strongLineAt(QPointF position) const
{
    const ChartLayout layout = shownLayout(*this);
    for (std::size_t i = 0; i < m_spec.lines.size(); ++i) {
        const ReferenceLine& line = m_spec.lines[i];
        if (line.strong && line.orientation == Qt::Vertical && layout.frame.contains(position) &&
            std::abs(layout.place(line.at, layout.yRange.first).x() - position.x()) < reach)
            return static_cast<int>(i);
    }
    return -1;
}

void ChartView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        m_draggedLine = strongLineAt(event->position());
    QWidget::mousePressEvent(event);
}

void ChartView::mouseMoveEvent(QMouseEvent* event)
{
    const ChartLayout layout = shownLayout(*this);
    if (layout.frame.isEmpty())
        return;
    const QPointF value = layout.value(event->position());
    if (m_draggedLine >= 0) {
        emit lineDragged(m_draggedLine, value.x());
        return;
    }
    setCursor(strongLineAt(event->position()) >= 0 ? Qt::SplitHCursor : Qt::ArrowCursor);
    if (layout.frame.contains(event->position()))
        emit hovered(value, nearestPoint(m_spec, layout, event->position(), 2 * reach));
    else
        emit left();
}

void ChartView::mouseReleaseEvent(QMouseEvent* event)
{
    const ChartLayout layout = shownLayout(*this);
    if (m_draggedLine >= 0)
        emit lineReleased(m_draggedLine);
    else if (event->button() == Qt::LeftButton && layout.frame.contains(event->position()))
        emit clicked(layout.value(event->position()), nearestPoint(m_spec, layout, event->position(), 2 * reach));
    m_draggedLine = -1;
    QWidget::mouseReleaseEvent(event);
}

void ChartView::leaveEvent(QEvent* event)
{
    emit left();
    QCustomPlot::leaveEvent(event);
}

void ChartView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        redraw();
    QCustomPlot::changeEvent(event);
}

}  // namespace attnscope
