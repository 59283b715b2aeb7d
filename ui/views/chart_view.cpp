#include "ui/views/chart_view.h"

#include "ui/plot/legend.h"
#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/copy_data.h"
#include "ui/widgets/theme.h"

#include <QPainter>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace attnscope {

namespace {
constexpr double steppedBack = 0.25;  // opacity of what is not pointed at
constexpr double closest = 1e-6;      // of the whole axis
constexpr int mostLinedUp = 40;       // pixels: numbers of a few digits more, not names in place of numbers

/// A legend in a corner of a low frame would lie on the lines: they are named where the pointer is.
bool coversItsLines(const ChartSpec& spec, const QRectF& outer)
{
    constexpr double most = 0.5;  // of the frame's height
    if (spec.legend == Legend::None || spec.legend >= Legend::Right)
        return false;
    const ChartLayout layout = layoutChart(spec, chartStyle(), outer);
    return legendInside(spec, chartStyle(), layout).height() > most * layout.frame.height();
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
    offerActions(
        this,
        {{u"Show the whole chart"_s, [this] { fit(); }, {}, ViewAction::Part::View, Qt::Key_0},
         {u"Differences from here"_s, [this] { toggleSince(lastPointed()); }, {}, ViewAction::Part::View, Qt::Key_D},
         copying(u"Copy the data"_s, [this] { return chartData(m_spec); }),
         copying(
             u"Copy the values at the pointer"_s, [this] { return reading(); }, QKeySequence::Copy)});
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

void ChartView::setNamesInside(bool inside)
{
    if (inside != std::exchange(m_namesInside, inside))
        redraw();
}

/// The spec as it is on the screen: where its lines are named, the emphasis, the zoom and a held axis on it.
ChartSpec ChartView::painted() const
{
    ChartSpec spec = m_spec;
    if (m_namesAtEnds && spec.legend == Legend::Below && endsHaveRoom(spec, chartStyle(), size()))
        spec.legend = Legend::AtLineEnds;
    if (m_namesInside && spec.legend == Legend::Below)
        spec.legend = freeCorner(spec, chartStyle(), rect()).value_or(Legend::Below);
    if (coversItsLines(spec, rect()))
        spec.legend = Legend::None;
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
    if (m_layout)
        return *m_layout;
    const ChartSpec spec = painted();
    m_layout = layoutChart(spec, chartStyle(), rect());
    m_needed = m_layout->frame.left();
    m_neededAbove = m_layout->frame.top();
    if (m_ordinate > m_needed || m_above > m_neededAbove)
        m_layout = layoutChart(spec, chartStyle(), rect(), {}, m_ordinate, m_above);
    return *m_layout;
}

void ChartView::lineUp()
{
    const auto leftOf = [this](const ChartView& chart) { return chart.mapTo(window(), QPoint()).x(); };
    const double most = withText(mostLinedUp);
    std::vector<ChartView*> column;
    double ordinate = 0;
    for (ChartView* chart : window()->findChildren<ChartView*>())
        if (chart->isVisible() && std::abs(leftOf(*chart) - leftOf(*this)) < most) {
            chart->chartLayout();
            column.push_back(chart);
            ordinate = std::max(ordinate, leftOf(*chart) + chart->m_needed);
        }
    for (ChartView* chart : column) {
        const double left = ordinate - leftOf(*chart), wanted = left - chart->m_needed > most ? 0 : left;
        if (wanted == std::exchange(chart->m_ordinate, wanted))
            continue;
        chart->redraw();
    }
    std::vector<ChartView*> row;
    double above = 0;
    for (ChartView* chart :
         parentWidget() ? parentWidget()->findChildren<ChartView*>(Qt::FindDirectChildrenOnly) : QList<ChartView*>{})
        if (chart->isVisible() && chart->y() == y()) {
            chart->chartLayout();
            row.push_back(chart);
            above = std::max(above, chart->m_neededAbove);
        }
    for (ChartView* chart : row)
        if (const double wanted = row.size() > 1 ? above : 0; wanted != std::exchange(chart->m_above, wanted))
            chart->redraw();
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
    if (const std::pair before(m_needed, m_neededAbove);
        isVisible() && (chartLayout(), std::pair(m_needed, m_neededAbove) != before))
        lineUp();
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

void ChartView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (!fits(m_picture.size(), m_picture.devicePixelRatio()) ||
        (m_paintedVersion != m_version && isGrabbed(*this, painter))) {
        m_picture = QPixmap::fromImage(picture().image());
        m_paintedVersion = m_version;
    }
    painter.drawPixmap(0, 0, m_picture);
    painter.setRenderHint(QPainter::Antialiasing);
    drawMark(painter);
    m_focus.paint(painter, chartLayout().frame);
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

void ChartView::showEvent(QShowEvent* event)
{
    lineUp();
    QWidget::showEvent(event);
}

void ChartView::moveEvent(QMoveEvent* event)
{
    if (isVisible())
        lineUp();
    QWidget::moveEvent(event);
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
