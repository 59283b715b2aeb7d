#include "ui/plot/chart_readout.h"
#include "ui/views/chart_view.h"
#include "ui/widgets/input_filter.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attnscope {

namespace {
constexpr double keyStep = 1 / 96.0;  // of the axis
constexpr double wheelOctave = 360;   // of the wheel's units: twice as close
constexpr double keyZoom = 1.5;

/// The frame, and what stands on it: a line's first point can be pointed at.
bool isIn(const ChartLayout& layout, QPointF at)
{
    constexpr double onIt = 2;
    return layout.frame.adjusted(-onIt, -onIt, onIt, onIt).contains(at);
}

}  // namespace

int ChartView::strongLineAt(QPointF position) const
{
    const ChartLayout& place = chartLayout();
    for (std::size_t i = 0; i < m_spec.lines.size(); ++i) {
        const ReferenceLine& line = m_spec.lines[i];
        if (line.strong && line.orientation == Qt::Vertical && place.frame.contains(position) &&
            std::abs(place.place(line.at, place.yRange.first).x() - position.x()) < reach)
            return static_cast<int>(i);
    }
    return -1;
}

void ChartView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    if (event->modifiers() & Qt::ShiftModifier && isIn(chartLayout(), event->position()))
        return toggleSince(event->position());
    m_draggedLine = strongLineAt(event->position());
    if (m_draggedLine >= 0) {
        m_heldRange = chartLayout().xRange;
        m_heldFrame = chartLayout().frame;
    } else if (isIn(chartLayout(), event->position()))
        m_pressed = m_panned = event->position();
}

void ChartView::mouseMoveEvent(QMouseEvent* event)
{
    const ChartLayout& place = chartLayout();
    const QPointF at = event->position();
    if (m_draggedLine >= 0) {
        ChartLayout held = place;  // labels that come and go beside the frame do not move what the pointer means
        held.frame = m_heldFrame;
        emit lineDragged(m_draggedLine, std::clamp(held.value(at).x(), held.xRange.first,
                                                   held.xRange.second));  // where it can be taken hold of again
        return;
    }
    if (m_pressed && m_zoom && (m_panning || (at - *m_pressed).manhattanLength() > clickReach)) {
        m_panning = true;
        setCursor(Qt::ClosedHandCursor);
        setZoom(place.frame.translated(m_panned - at));
        m_panned = at;
        return;
    }
    setCursor(strongLineAt(at) >= 0 ? Qt::SplitHCursor : Qt::ArrowCursor);
    read(at);
}

/// Of what lies under the pointer.
void ChartView::read(QPointF at)
{
    const ChartLayout& place = chartLayout();
    if (!isIn(place, at)) {
        m_pointer.reset();
        update();
        emit left();
        return;
    }
    m_pointer = m_read = at;
    update();
    emit hovered({readout().x, place.value(at).y()}, nearestPoint(m_spec, place, at, 2 * reach));
}

void ChartView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return QWidget::mouseReleaseEvent(event);
    const bool pressed = std::exchange(m_pressed, {}).has_value(), panned = std::exchange(m_panning, false);
    if (m_draggedLine >= 0)
        endDrag();
    else if (pressed && !panned && isIn(chartLayout(), event->position()))
        emit clicked(chartLayout().value(event->position()),
                     nearestPoint(m_spec, chartLayout(), event->position(), 2 * reach));
    setCursor(Qt::ArrowCursor);
    read(event->position());  // it may have moved since, held
}

/// On a line that can be dragged it is a press like any other: a hand that lets go and takes hold again is that fast.
void ChartView::mouseDoubleClickEvent(QMouseEvent* event)
{
    strongLineAt(event->position()) >= 0 ? mousePressEvent(event) : fit();
}

void ChartView::wheelEvent(QWheelEvent* event)
{
    if (!isIn(chartLayout(), event->position()) || (m_zoomsWithControl && !(event->modifiers() & Qt::ControlModifier)))
        return event->ignore();
    zoom(std::exp2(event->angleDelta().y() / wheelOctave), event->position());
    event->accept();
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
    m_pressed.reset();
    m_panning = false;
    if (m_draggedLine >= 0)
        endDrag();
    lineUp();
    QWidget::hideEvent(event);
}

/// Left and right move the first strong line, with Alt the second.
void ChartView::moveLine(int direction, Qt::KeyboardModifiers modifiers)
{
    int wanted = modifiers & Qt::AltModifier ? 1 : 0;
    const ChartLayout place = chartLayout();
    for (std::size_t i = 0; i < m_spec.lines.size(); ++i) {
        const ReferenceLine& line = m_spec.lines[i];
        if (!line.strong || line.orientation != Qt::Vertical || wanted-- > 0)
            continue;
        const QPointF at = place.place(line.at, place.yRange.first);
        const double step = direction * keyStep * place.frame.width() * (modifiers & Qt::ShiftModifier ? 8 : 1);
        const double value = place.value(at + QPointF(step, 0)).x();
        m_steppedLine = static_cast<int>(i);
        emit lineDragged(m_steppedLine, std::abs(value - line.at) < 1 ? line.at + direction : value);
        return;
    }
}

void ChartView::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy) && m_read)
        return QGuiApplication::clipboard()->setText(reading());
    const QPointF centre = chartLayout().frame.center();
    switch (event->key()) {
    case Qt::Key_Left:
        return moveLine(-1, event->modifiers());
    case Qt::Key_Right:
        return moveLine(1, event->modifiers());
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoom(keyZoom, centre);
    case Qt::Key_Minus:
        return zoom(1 / keyZoom, centre);
    case Qt::Key_0:
        return fit();
    case Qt::Key_D:
        return toggleSince(lastPointed());
    default:
        QWidget::keyPressEvent(event);
    }
}

void ChartView::keyReleaseEvent(QKeyEvent* event)
{
    if (m_steppedLine >= 0 && !event->isAutoRepeat())
        emit lineReleased(std::exchange(m_steppedLine, -1));
    QWidget::keyReleaseEvent(event);
}

bool ChartView::event(QEvent* event)
{
    if (losesPointer(*event)) {
        m_pointer.reset();
        update();
        emit left();
    }
    return QWidget::event(event);
}

}  // namespace attnscope
