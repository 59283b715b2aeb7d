#include "ui/views/chart_view.h"

#include "ui/plot/chart_readout.h"
#include "ui/plot/legend.h"
#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/input_filter.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/copy_data.h"

#include <QBackingStore>
#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEngine>
#include <QPainter>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace attnscope {

namespace {
constexpr double reach = 7;           // device-independent pixels
constexpr double keyStep = 1 / 96.0;  // of the axis
constexpr double steppedBack = 0.25;  // opacity of what is not pointed at
constexpr double wheelOctave = 360;   // of the wheel's units: twice as close
constexpr double keyZoom = 1.5;
constexpr double closest = 1e-6;  // of the whole axis

/// The frame, and what stands on it: a line's first point can be pointed at.
bool isIn(const ChartLayout& layout, QPointF at)
{
    constexpr double onIt = 2;
    return layout.frame.adjusted(-onIt, -onIt, onIt, onIt).contains(at);
}

}  // namespace

ChartView::ChartView(QWidget* parent) : QWidget(parent), m_outside(new QToolButton(this))
{
    m_outside->setAccessibleName(u"Show the whole chart"_s);
    m_outside->setToolTip(u"Show the whole chart (double click, or the key 0)"_s);
    m_outside->setProperty("framed", true);
    m_outside->hide();
    connect(m_outside, &QToolButton::clicked, this, &ChartView::fit);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    offerActions(this, {copying(u"Copy the data"_s, [this] { return chartData(m_spec); }),
                        copying(u"Copy the values at the pointer"_s, [this] { return reading(); }),
                        {u"Differences from here"_s, [this] { toggleSince(lastPointed()); }},
                        {u"Show the whole chart"_s, [this] { fit(); }}});
}

void ChartView::show(ChartSpec spec)
{
    const auto means = [](const ChartSpec& s) { return std::tuple(s.x.title, s.x.log, s.y.title, s.y.log); };
    if (means(spec) != means(m_spec))
        m_zoom.reset();
    if (std::tuple(spec.x.title, spec.x.log) != std::tuple(m_spec.x.title, m_spec.x.log))
        m_since.reset();  // of another axis
    m_legend = spec.legend;
    if (m_namesLines)
        spec.legend = Legend::Below;
    m_spec = std::move(spec);
    redraw();
}

void ChartView::nameLines(bool named)
{
    if (named == std::exchange(m_namesLines, named))
        return;
    ChartSpec spec = m_spec;
    spec.legend = m_legend;
    show(std::move(spec));
}

void ChartView::setNamesAtEnds(bool atEnds)
{
    if (atEnds != std::exchange(m_namesAtEnds, atEnds))
        redraw();
}

/// The spec as it is on the screen: where its lines are named, the emphasis, the zoom and a held axis on it.
ChartSpec ChartView::painted() const
{
    ChartSpec spec = m_spec;
    if (m_namesAtEnds && spec.legend == Legend::Below && endsHaveRoom(spec, chartStyle(), size()))
        spec.legend = Legend::AtLineEnds;
    const bool known =
        std::ranges::any_of(spec.series, [&](const ChartSeries& series) { return series.style == m_emphasis; });
    if (m_emphasis >= 0 && known)
        for (ChartSeries& series : spec.series)
            if (series.style >= 0 && series.style != m_emphasis)
                series.opacity *= steppedBack;
    if (m_zoom) {
        spec.x.range = m_zoom->x;
        spec.y.range = m_zoom->y;
    }
    if (m_heldRange)
        spec.x.range = m_heldRange;
    return spec;
}

const ChartLayout& ChartView::chartLayout() const
{
    if (!m_layout)
        m_layout = layoutChart(painted(), chartStyle(), rect());
    return *m_layout;
}

bool ChartView::fits(QSize pixels, double ratio) const
{
    return pixels == size() * devicePixelRatioF() && ratio == devicePixelRatioF();
}

/// The corner of the frame where a box of that size lies on no line across the chart nor on the legend, and on the
/// fewest points.
static QPoint placeInCorner(const ChartSpec& spec, const ChartLayout& layout, QSize size)
{
    constexpr int off = 4, label = 24;  // pixels: to the frame, and beside a line to the end of its label
    const std::pair<Qt::Corner, Legend> corners[] = {{Qt::TopRightCorner, Legend::TopRight},
                                                     {Qt::BottomRightCorner, Legend::BottomRight},
                                                     {Qt::TopLeftCorner, Legend::TopLeft},
                                                     {Qt::BottomLeftCorner, Legend::BottomLeft}};
    QPoint best;
    std::ptrdiff_t fewest = -1;
    for (const auto& [corner, legend] : corners) {
        QRect box({}, size);
        const QRect frame = layout.frame.toRect().adjusted(off, off, -off, -off);
        box.moveLeft(corner == Qt::TopLeftCorner || corner == Qt::BottomLeftCorner ? frame.left()
                                                                                   : frame.right() - size.width());
        box.moveTop(corner == Qt::TopLeftCorner || corner == Qt::TopRightCorner ? frame.top()
                                                                                : frame.bottom() - size.height());
        const QRectF around = QRectF(box).adjusted(-label, 0, label, 0);
        constexpr std::ptrdiff_t much = 1 << 20;
        std::ptrdiff_t covered = spec.legend == legend ? much : 0;
        for (const ReferenceLine& line : spec.lines) {
            const QPointF at = layout.place(line.orientation == Qt::Vertical ? line.at : layout.xRange.first,
                                            line.orientation == Qt::Vertical ? layout.yRange.first : line.at);
            const bool across = line.orientation == Qt::Vertical ? at.x() > around.left() && at.x() < around.right()
                                                                 : at.y() > around.top() && at.y() < around.bottom();
            const bool onLabel = line.orientation == Qt::Vertical && box.top() < frame.center().y();
            covered += !across ? 0 : onLabel ? 2 * much : much;
        }
        for (const ChartSeries& series : spec.series)
            covered += std::ranges::count_if(series.points, [&](const ChartPoint& point) {
                return around.contains(layout.place(point.x, point.y));
            });
        if (fewest < 0 || covered < fewest) {
            fewest = covered;
            best = box.topLeft();
        }
    }
    return best;
}

void ChartView::showOutside()
{
    const int count = m_zoom && !m_heldRange ? linesOutside(m_spec, chartLayout()) : 0;
    m_outside->setVisible(count > 0);
    if (count == 0)
        return;
    m_outside->setText(count == 1 ? u"1 line is out of sight: show all"_s
                                  : u"%1 lines are out of sight: show all"_s.arg(count));
    m_outside->setAccessibleName(m_outside->text());
    m_outside->adjustSize();
    m_outside->move(placeInCorner(m_spec, chartLayout(), m_outside->size()));
}

void ChartView::redraw()
{
    m_layout.reset();
    ++m_version;
    showOutside();
    if (isVisible() && fits(m_picture.size(), m_picture.devicePixelRatio()))
        return repaintLater();
    m_picture = QPixmap();
    update();
}

ChartView::Picture ChartView::picture() const
{
    return {painted(), chartLayout(), chartStyle(), size() * devicePixelRatioF(), devicePixelRatioF()};
}

QImage ChartView::Picture::image() const
{
    QImage image(pixels, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    image.fill(style.background);
    QPainter painter(&image);
    if (!spec.series.empty())  // axes of nothing would say that something is at 0
        paintChart(painter, spec, style, layout);
    return image;
}

/// What changes while the thread paints is painted after it: if it began again with every change, a steady drag would
/// show nothing.
void ChartView::repaintLater()
{
    if (m_paints)
        return;
    if (!m_painter)
        m_painter = std::make_unique<LatestJob<Painted>>([this](const Painted& painted) { take(painted); },
                                                         [](const Error&) { return Painted(); });
    m_paints = true;
    m_painter->start([picture = picture(), version = m_version](std::stop_token, const auto& publish) {
        publish({picture.image(), version});
    });
}

void ChartView::take(const Painted& painted)
{
    m_paints = false;
    if (painted.version > m_paintedVersion && fits(painted.image.size(), painted.image.devicePixelRatio())) {
        m_picture = QPixmap::fromImage(painted.image);
        m_paintedVersion = painted.version;
    } else if (painted.image.isNull()) {
        m_picture = QPixmap();  // no memory for it there: paintEvent() tries once more
    }
    if (m_paintedVersion != m_version && isVisible() && !m_picture.isNull())
        repaintLater();
    update();
}

void ChartView::setMark(ChartMark mark)
{
    if (mark == m_mark)
        return;
    m_mark = std::move(mark);
    update();
}

void ChartView::setEmphasis(int style)
{
    if (style == m_emphasis)
        return;
    m_emphasis = style;
    redraw();
}

ChartReadout ChartView::readout() const { return m_read ? readoutAtPlace(*m_read) : ChartReadout(); }

ChartReadout ChartView::readoutAtPlace(QPointF at) const
{
    ChartReadout here = readoutAt(m_spec, chartLayout(), at, reach);
    return m_since ? readoutSince(std::move(here), readoutOf(m_spec, chartLayout(), *m_since)) : here;
}

void ChartView::setSince(std::optional<double> x)
{
    if (x == m_since)
        return;
    m_since = x;
    update();
}

/// Where it stands already it goes.
void ChartView::toggleSince(QPointF at)
{
    const double x = readoutAt(m_spec, chartLayout(), at, reach).x;
    const double y = chartLayout().yRange.first;
    const bool there =
        m_since && std::abs(chartLayout().place(*m_since, y).x() - chartLayout().place(x, y).x()) < reach;
    setSince(there ? std::nullopt : std::optional(x));
}

QString ChartView::reading() const { return readoutText(m_spec, readout()); }

/// Painted into a picture, not onto the screen.
bool ChartView::isGrabbed(const QPainter& painter) const
{
    QBackingStore* screen = window()->backingStore();
    return !screen || painter.paintEngine()->paintDevice() != screen->paintDevice();
}

void ChartView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (!fits(m_picture.size(), m_picture.devicePixelRatio()) ||
        (m_paintedVersion != m_version && isGrabbed(painter))) {
        m_picture = QPixmap::fromImage(picture().image());
        m_paintedVersion = m_version;
    }
    painter.drawPixmap(0, 0, m_picture);
    painter.setRenderHint(QPainter::Antialiasing);
    drawMark(painter);
    if (m_pointer && m_draggedLine < 0 && !m_panning)
        paintReadout(painter, m_spec, chartStyle(), chartLayout(), readoutAtPlace(*m_pointer),
                     m_outside->isHidden() ? QRectF() : QRectF(m_outside->geometry()));
}

void ChartView::drawMark(QPainter& painter) const
{
    const ChartLayout& place = chartLayout();
    const Theme& theme = currentTheme();
    painter.save();
    painter.setClipRect(place.frame);
    if (m_mark.x && !m_pointer) {
        const double x = place.place(*m_mark.x, place.yRange.first).x();
        QPen pen(theme.text, 1);
        pen.setDashPattern({3, 3});
        painter.setPen(pen);
        painter.drawLine(QPointF(x, place.frame.top()), QPointF(x, place.frame.bottom()));
    }
    if (m_since) {
        const double x = place.place(*m_since, place.yRange.first).x();
        painter.setPen(QPen(theme.accent, 1.5));
        painter.drawLine(QPointF(x, place.frame.top()), QPointF(x, place.frame.bottom()));
    }
    for (const ChartMark::Point& point : m_mark.points) {
        const MethodStyle look = methodStyle(point.style, chartStyle());
        const QPointF at = place.place(point.at.x(), point.at.y());
        painter.setPen(QPen(look.colour, 1.5));
        painter.setBrush(theme.surface);
        painter.drawEllipse(at, 7, 7);
        painter.setPen(Qt::NoPen);
        drawMarker(painter, look.marker, at, 8, look.colour);
    }
    painter.restore();
}

/// What lies between two corners of the widget fills the frame; once that is everything, there is no zoom.
void ChartView::setZoom(QRectF corners)
{
    const ChartLayout whole = layoutChart(m_spec, chartStyle(), rect());
    const QPointF low = chartLayout().value(corners.bottomLeft()), high = chartLayout().value(corners.topRight());
    const ChartZoom wanted{{low.x(), high.x()}, {low.y(), high.y()}};
    const QPointF from = whole.place(wanted.x.first, wanted.y.first),
                  to = whole.place(wanted.x.second, wanted.y.second);  // in the whole chart
    if (!(to.x() - from.x() > closest * whole.frame.width()) || !(from.y() - to.y() > closest * whole.frame.height()))
        return;
    if (!QRectF(QPointF(from.x(), to.y()), QPointF(to.x(), from.y())).intersects(whole.frame))
        return;  // a pan that would leave the chart
    if (to.x() - from.x() >= whole.frame.width() && from.y() - to.y() >= whole.frame.height())
        return fit();
    m_zoom = wanted;
    redraw();
    emit zoomChanged();
}

void ChartView::showZoom(const std::optional<ChartZoom>& zoom)
{
    if (zoom == m_zoom)
        return;
    m_zoom = zoom;
    redraw();
}

void ChartView::point(QPointF at)
{
    m_read = at;
    m_pointer.reset();
    update();
}

void ChartView::zoom(double factor, QPointF about)
{
    const QRectF& frame = chartLayout().frame;
    setZoom(QRectF(about + (frame.topLeft() - about) / factor, about + (frame.bottomRight() - about) / factor));
}

void ChartView::fit()
{
    m_zoom.reset();
    redraw();
    emit zoomChanged();
}

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

void ChartView::resizeEvent(QResizeEvent* event)
{
    redraw();
    QWidget::resizeEvent(event);
}

void ChartView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        m_picture = QPixmap();
        redraw();
    }
    QWidget::changeEvent(event);
}

}  // namespace attnscope

#include "moc_chart_view.cpp"
