#include "ui/window/views/chart_view.h"

#include "ui/plot/method_style.h"
#include "ui/window/theme.h"
#include "ui/window/views/copy_data.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attnscope {

namespace {
constexpr double reach = 7;  // device-independent pixels
constexpr double keyStep = 1 / 96.0;  // of the axis
constexpr double steppedBack = 0.25;  // opacity of what is not pointed at
}

/// Above everything, in a paint buffer of its own.
class ChartMarkLayer : public QCPLayerable {
public:
    explicit ChartMarkLayer(QCustomPlot& plot) : QCPLayerable(&plot, QStringLiteral("pointer")) { setParent(&plot); }
    ChartMark mark;

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(true); }
    QRect clipRect() const override { return mParentPlot->axisRect()->rect(); }

    void draw(QCPPainter* painter) override
    {
        const ChartLayout layout = shownLayout(*mParentPlot);
        if (layout.frame.isEmpty())
            return;
        const Theme& theme = currentTheme();
        if (mark.x) {
            const double x = layout.place(*mark.x, layout.yRange.first).x();
            QPen pen(theme.text, 1);
            pen.setDashPattern({3, 3});
            painter->setPen(pen);
            painter->drawLine(QPointF(x, layout.frame.top()), QPointF(x, layout.frame.bottom()));
        }
        for (const ChartMark::Point& point : mark.points) {
            const QPointF centre = layout.place(point.at.x(), point.at.y());
            painter->setPen(QPen(theme.surface, 1.5));
            painter->setBrush(methodStyle(point.style, theme.dark).colour);
            painter->drawEllipse(centre, 4.5, 4.5);
        }
    }
};

ChartView::ChartView(QWidget* parent) : QCustomPlot(parent)
{
    addLayer(QStringLiteral("pointer"));
    layer(QStringLiteral("pointer"))->setMode(QCPLayer::lmBuffered);
    m_mark = new ChartMarkLayer(*this);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setNoAntialiasingOnDrag(false);
    setPlottingHint(QCP::phImmediateRefresh, false);  // all views are painted at once, not each by itself
    offerActions(this, {copying(tr("Copy the data"), [this] { return chartData(m_spec); })});
}

void ChartView::show(ChartSpec spec)
{
    m_spec = std::move(spec);
    redraw();
}

const ChartMark& ChartView::mark() const { return m_mark->mark; }

void ChartView::setMark(ChartMark mark)
{
    if (mark == m_mark->mark)
        return;
    m_mark->mark = std::move(mark);
    layer(QStringLiteral("pointer"))->replot();
}

void ChartView::setEmphasis(int style)
{
    if (style == m_emphasis)
        return;
    m_emphasis = style;
    redraw();
}

void ChartView::redraw()
{
    const bool known = std::any_of(m_spec.series.begin(), m_spec.series.end(), [&](const ChartSeries& series) { return series.style == m_emphasis; });
    ChartSpec spec = m_spec;
    if (m_emphasis >= 0 && known)
        for (ChartSeries& series : spec.series)
            if (series.style >= 0 && series.style != m_emphasis)
                series.opacity *= steppedBack;
    if (m_heldRange)
        spec.x.range = m_heldRange;
    applyChart(*this, spec, windowStyle(currentTheme().dark));
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
    if (event->button() == Qt::LeftButton) {
        m_draggedLine = strongLineAt(event->position());
        if (m_draggedLine >= 0)
            m_heldRange = shownLayout(*this).xRange;
    }
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
        endDrag();
    else if (event->button() == Qt::LeftButton && layout.frame.contains(event->position()))
        emit clicked(layout.value(event->position()), nearestPoint(m_spec, layout, event->position(), 2 * reach));
    QWidget::mouseReleaseEvent(event);
}

void ChartView::endDrag()
{
    const int line = std::exchange(m_draggedLine, -1);
    m_heldRange.reset();
    emit lineReleased(line);
    redraw();
}

/// What is no longer seen gets no release.
void ChartView::hideEvent(QHideEvent* event)
{
    if (m_draggedLine >= 0)
        endDrag();
    QCustomPlot::hideEvent(event);
}

/// Left and right move the first strong line, with Alt the second.
void ChartView::keyPressEvent(QKeyEvent* event)
{
    const int direction = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    int wanted = event->modifiers() & Qt::AltModifier ? 1 : 0;
    const ChartLayout layout = shownLayout(*this);
    for (std::size_t i = 0; direction != 0 && i < m_spec.lines.size(); ++i) {
        const ReferenceLine& line = m_spec.lines[i];
        if (!line.strong || line.orientation != Qt::Vertical || wanted-- > 0)
            continue;
        const QPointF place = layout.place(line.at, layout.yRange.first);
        const double step = direction * keyStep * layout.frame.width() * (event->modifiers() & Qt::ShiftModifier ? 8 : 1);
        const double value = layout.value(place + QPointF(step, 0)).x();
        m_steppedLine = static_cast<int>(i);
        emit lineDragged(m_steppedLine, std::abs(value - line.at) < 1 ? line.at + direction : value);
        return;
    }
    QCustomPlot::keyPressEvent(event);
}

void ChartView::keyReleaseEvent(QKeyEvent* event)
{
    if (m_steppedLine >= 0 && !event->isAutoRepeat())
        emit lineReleased(std::exchange(m_steppedLine, -1));
    QCustomPlot::keyReleaseEvent(event);
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

#include "moc_chart_view.cpp"  // here, where QCustomPlot has been read already
