#include "ui/views/heatmap_plot.h"

#include "ui/figure/map_pictures.h"
#include "ui/plot/chart_note.h"
#include "ui/plot/heatmap_plottable.h"
#include "ui/plot/mask_edges.h"
#include "ui/plot/method_style.h"
#include "ui/plot/plot_style.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/widgets/input_filter.h"
#include "ui/widgets/theme.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr int leftMargin = 17, bottomMargin = 16, topMargin = 2, rightMargin = 1, stripGap = 2;
constexpr int narrowStrip = 12, usualStrip = 28, wideStrip = 48;
constexpr int tickLength = 3, numberGap = 2;                      // from the frame to the numbers
constexpr int tokenWidth = 64, tokenHeight = 52, tokenLine = 13;  // pixels that a token's text takes

QSharedPointer<QCPAxisTickerText> ticksOf(const std::vector<AxisNumber>& numbers)
{
    auto ticker = QSharedPointer<QCPAxisTickerText>::create();
    for (const AxisNumber& number : numbers)
        ticker->addTick(number.at, QString());
    return ticker;
}

}  // namespace

ViewAction wholeMatrix(std::function<void()> show)
{
    return {u"Whole matrix"_s, std::move(show), {}, ViewAction::Part::View, Qt::Key_0};
}

QSize HeatmapPlot::surroundings()
{
    return {withText(leftMargin) + stripGap + withText(narrowStrip) + rightMargin, topMargin + withText(bottomMargin)};
}

int HeatmapPlot::leftOfMap() { return withText(leftMargin); }

int HeatmapPlot::stripRoom() { return withText(wideStrip) - withText(narrowStrip); }

HeatmapPlot::HeatmapPlot(QWidget* parent) : QCustomPlot(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setNoAntialiasingOnDrag(false);
    setPlottingHint(QCP::phImmediateRefresh, false);  // all views are painted at once, not each by itself
    buildAxes();
    restyle();
}

void HeatmapPlot::buildAxes()
{
    plotLayout()->clear();
    plotLayout()->setColumnSpacing(0);
    plotLayout()->setRowSpacing(0);
    m_frame = new QCPAxisRect(this, false);
    m_strip = new QCPAxisRect(this, false);
    plotLayout()->addElement(0, 0, m_frame);
    plotLayout()->addElement(0, 1, m_strip);
    for (QCPAxisRect* rect : {m_frame, m_strip}) {
        rect->setAutoMargins(QCP::msNone);
        rect->addAxes(QCPAxis::atLeft | QCPAxis::atBottom);
        rect->axis(QCPAxis::atLeft)->setRangeReversed(true);
        for (QCPAxis* axis : rect->axes()) {
            axis->setLayer(u"axes"_s);
            axis->grid()->setVisible(false);
            axis->setTickLength(0, tickLength);
            axis->setTickLabels(false);  // numbers are drawn by drawNumbers(), inside the ends
            axis->setSubTicks(false);
        }
    }
    for (QCPAxis* axis : m_strip->axes())
        axis->setTickLengthOut(0);
    m_strip->axis(QCPAxis::atLeft)->setTicks(false);
    m_strip->axis(QCPAxis::atBottom)->setTicks(false);
    m_map = new HeatmapPlottable(m_frame->axis(QCPAxis::atBottom), m_frame->axis(QCPAxis::atLeft));
    m_entropies = std::make_unique<EntropyGraph>(m_strip);
    layer(u"overlay"_s)->setMode(QCPLayer::lmLogical);  // nothing is in it: one picture in place of two
}

void HeatmapPlot::restyle()
{
    const Theme& theme = currentTheme();
    const PlotStyle style = chartStyle();
    setBackground(theme.surface);
    for (QCPAxis* axis : m_frame->axes() + m_strip->axes()) {
        axis->setBasePen(QPen(theme.border, 1));
        axis->setTickPen(QPen(theme.outline, 1));
        axis->setTickLabelFont(style.font(style.small));
        axis->setTickLabelColor(theme.muted);
        axis->setTickLabelPadding(numberGap);
    }
}

void HeatmapPlot::setPicture(const MapPicture& picture)
{
    m_values = picture.weights ? picture.weights : picture.map;
    m_map->setMap(picture.map, picture.scale, picture.image);
    const Theme& theme = currentTheme();
    m_map->setAbsentRows(picture.absent, theme.surface, theme.muted);
    // Dark colours of small weights, and of no difference, would be lost in a dark ground: a line parts them from what
    // is masked, or a ground of its own where masked cells lie everywhere among them.
    m_edges = theme.dark ? edgesOfMask(*picture.map) : std::vector<QLineF>();
    constexpr int most = 6;  // a side
    const bool scattered = std::ssize(m_edges) > most * (picture.map->rows + picture.map->columns);
    if (scattered)
        m_edges.clear();
    m_frame->setBackground(scattered ? QBrush(theme.outline.darker(125)) : QBrush());
}

void HeatmapPlot::setData(const Analysis& analysis, std::size_t method, const MapPicture& picture, int style)
{
    const MethodAnalysis& shown = analysis.methods[method];
    setPicture(picture);
    m_entropies->setRows(analysis, shown, methodStyle(style, chartStyle()).colour);
    m_entropies->arrange(side());
    m_strip->axis(QCPAxis::atBottom)->setRange(0, std::log(double(std::max<std::int64_t>(2, analysis.keyCount))));
    m_strip->setVisible(true);
    replot(QCustomPlot::rpQueuedReplot);
}

void HeatmapPlot::setMap(const MapPicture& picture)
{
    setPicture(picture);
    m_entropies->clear();
    m_strip->setVisible(false);  // it has none
    replot(QCustomPlot::rpQueuedReplot);
}

void HeatmapPlot::setRegion(const Region& region)
{
    if (region != m_region) {
        m_region = region;
        m_numberedSide = 0;
        takeTokensIn();
    }
    layOutAxes();
}

/// What the axes say of this region, beside a map of this size.
void HeatmapPlot::layOutAxes()
{
    if (m_region == Region{} || m_numberedSide == side())
        return;
    m_numberedSide = side();
    const auto [rowBegin, rowEnd, columnBegin, columnEnd] = m_region;
    QCPAxis *keys = m_frame->axis(QCPAxis::atBottom), *queries = m_frame->axis(QCPAxis::atLeft);
    keys->setRange(double(columnBegin), double(columnEnd));
    for (QCPAxisRect* rect : {m_frame, m_strip})
        rect->axis(QCPAxis::atLeft)->setRange(double(rowBegin), double(rowEnd));
    m_entropies->arrange(side());
    const QFontMetricsF metrics(keys->tickLabelFont());
    m_keyNumbers = m_showsTokens ? std::vector<AxisNumber>() : axisNumbers(columnBegin, columnEnd, side(), metrics);
    m_queryNumbers = m_showsTokens || (rowBegin == columnBegin && rowEnd == columnEnd)
                         ? m_keyNumbers
                         : axisNumbers(rowBegin, rowEnd, side(), metrics);
    for (QCPAxis* axis : {keys, queries})
        axis->setTickLabels(m_showsTokens);
    keys->setTickLabelRotation(m_showsTokens ? -90 : 0);
    keys->setTicker(m_showsTokens ? ticker(m_keyTokens, columnBegin, columnEnd, bottomRoom() - 8)
                                  : ticksOf(m_keyNumbers));
    queries->setTicker(m_showsTokens ? ticker(m_queryTokens, rowBegin, rowEnd, leftRoom() - 8)
                                     : ticksOf(m_queryNumbers));
    replot(QCustomPlot::rpQueuedReplot);
}

void HeatmapPlot::setTokens(const std::vector<std::string>& keys, const std::vector<std::string>& queries)
{
    if (keys == m_keyTokens && queries == m_queryTokens)
        return;
    m_keyTokens = keys;
    m_queryTokens = queries;
    m_numberedSide = 0;
    takeTokensIn();
}

/// Tokens stand at the axes where every cell has a line for its own, beside the room that they take themselves; else
/// the map has that.
void HeatmapPlot::takeTokensIn()
{
    const std::int64_t cells = std::max(m_region.columnEnd - m_region.columnBegin, m_region.rowEnd - m_region.rowBegin);
    const bool shows = !m_keyTokens.empty() && cells > 0 &&
                       cells * tokenLine <= sideWithin(withText(tokenWidth), withText(tokenHeight));
    if (shows == m_showsTokens)
        return;
    m_showsTokens = shows;
    m_numberedSide = 0;
    fitFrame();
}

int HeatmapPlot::leftRoom() const { return withText(m_showsTokens ? tokenWidth : leftMargin); }

int HeatmapPlot::bottomRoom() const { return withText(m_showsTokens ? tokenHeight : bottomMargin); }

/// The tokens' text at their cells.
QSharedPointer<QCPAxisTickerText> HeatmapPlot::ticker(const std::vector<std::string>& tokens, std::int64_t first,
                                                      std::int64_t last, int room) const
{
    auto ticks = QSharedPointer<QCPAxisTickerText>::create();
    const QFontMetrics metrics(m_frame->axis(QCPAxis::atLeft)->tickLabelFont());
    for (std::int64_t i = first; i < std::min(last, std::ssize(tokens)); ++i)
        ticks->addTick(double(i) + 0.5,
                       metrics.elidedText(tokenText(tokens[static_cast<std::size_t>(i)]), Qt::ElideRight, room));
    return ticks;
}

void HeatmapPlot::setChosenRow(std::int64_t row)
{
    if (row == m_chosenRow)
        return;
    m_chosenRow = row;
    update();
}

void HeatmapPlot::setPointed(const Pointed& at)
{
    if (at.row == m_pointed.row && at.key == m_pointed.key && at.length == m_pointed.length)
        return;
    m_pointed = at;
    update();
}

const PooledMap& HeatmapPlot::map() const
{
    static const PooledMap none;
    return m_values ? *m_values : none;
}

void HeatmapPlot::setNotes(std::vector<ChartNote> notes)
{
    if (notes.empty() && m_notes.empty())
        return;
    m_notes = std::move(notes);
    update();
}

ChartLayout HeatmapPlot::chartLayout() const
{
    ChartLayout layout;
    layout.outer = rect();
    layout.frame = frame();
    layout.xRange = {double(m_region.columnBegin), double(m_region.columnEnd)};
    layout.yRange = {double(m_region.rowEnd), double(m_region.rowBegin)};  // queries run downwards
    return layout;
}

/// The chosen row, the crosshair, and the first tokens up to the length that is pointed at: what the curves speak of
/// there.
void HeatmapPlot::drawPointed(QPainter& painter) const
{
    const Theme& theme = currentTheme();
    const QRectF frame = m_frame->rect(), strip = m_strip->rect();
    const ChartLayout layout = chartLayout();
    const auto across = [&](std::int64_t row) {
        const double y = layout.place(0, double(row) + 0.5).y();
        for (const QRectF& part : {frame, strip})
            if (y >= part.top() && y <= part.bottom() && (part == frame || m_strip->visible()))
                painter.drawLine(QPointF(part.left(), y), QPointF(part.right(), y));
    };
    if (m_chosenRow >= 0) {
        painter.setPen(QPen(theme.accent, 1.5));
        across(m_chosenRow);
    }
    QPen cross(theme.text, 1);
    cross.setDashPattern({3, 3});
    painter.setPen(cross);
    if (m_pointed.row >= 0)
        across(m_pointed.row);
    painter.setClipRect(frame);
    if (m_pointed.key >= 0) {
        const double x = layout.place(double(m_pointed.key) + 0.5, 0).x();
        painter.drawLine(QPointF(x, frame.top()), QPointF(x, frame.bottom()));
    }
    if (m_pointed.length >= 1 && m_pointed.length <= double(map().region.columnEnd))
        painter.drawRect(QRectF(layout.place(0, 0), layout.place(m_pointed.length, m_pointed.length)));
    painter.setClipping(false);
}

std::vector<std::pair<double, QString>> HeatmapPlot::stripLabels() const
{
    if (!m_strip->visible() || m_entropies->line().data()->isEmpty())
        return {};
    const QFontMetricsF metrics(m_frame->axis(QCPAxis::atBottom)->tickLabelFont());
    const QRectF strip = m_strip->rect();
    const QString most = QString::number(m_strip->axis(QCPAxis::atBottom)->range().upper, 'f', 1);
    std::vector<std::pair<double, QString>> labels{{strip.left() + 1, u"0"_s},
                                                   {strip.center().x() - metrics.horizontalAdvance(u'H') / 2, u"H"_s},
                                                   {strip.right() - metrics.horizontalAdvance(most), most}};
    if (strip.width() < withText(wideStrip))
        labels = {labels[1]};
    const double taken = m_frame->rect().left() + (m_keyNumbers.empty() ? 0 : m_keyNumbers.back().to);
    std::erase_if(labels, [&](const auto& label) { return label.first <= taken + metrics.averageCharWidth(); });
    return labels;
}

void HeatmapPlot::drawEdges(QPainter& painter) const
{
    if (m_edges.empty())
        return;
    const ChartLayout layout = chartLayout();
    painter.setClipRect(m_frame->rect());
    painter.setPen(currentTheme().outline);
    for (const QLineF& edge : m_edges)
        painter.drawLine(layout.place(edge.x1(), edge.y1()), layout.place(edge.x2(), edge.y2()));
    painter.setClipping(false);
}

/// Upright below the map, and along its left side upwards.
void HeatmapPlot::drawNumbers(QPainter& painter) const
{
    const QRectF frame = m_frame->rect();
    const QFont font = m_frame->axis(QCPAxis::atBottom)->tickLabelFont();
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(currentTheme().muted);
    const double below = frame.bottom() + tickLength + numberGap + metrics.ascent();
    for (const AxisNumber& number : m_keyNumbers)
        painter.drawText(QPointF(frame.left() + number.from, below), number.text);
    for (const auto& [left, label] : stripLabels())
        painter.drawText(QPointF(left, below), label);
    painter.rotate(-90);
    for (const AxisNumber& number : m_queryNumbers)
        painter.drawText(QPointF(-frame.top() - number.to, frame.left() - tickLength - numberGap - metrics.descent()),
                         number.text);
    painter.rotate(90);
}

/// The map as it was drawn, and over it what moves: a pointer or a note that moves draws no map.
void HeatmapPlot::paintEvent(QPaintEvent* event)
{
    QCustomPlot::paintEvent(event);
    if (m_region == Region{})
        return;
    QPainter painter(this);
    drawNumbers(painter);
    drawEdges(painter);
    drawPointed(painter);
    m_focus.paint(painter, m_frame->rect());
    if (m_notes.empty())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    const PlotStyle style = chartStyle();
    const ChartLayout layout = chartLayout();
    for (const ChartNote& note : m_notes)
        paintNote(painter, note, style, layout);
}

QRect HeatmapPlot::frame() const { return m_frame->rect(); }

QPointF HeatmapPlot::toMatrix(QPointF position) const
{
    return {m_frame->axis(QCPAxis::atBottom)->pixelToCoord(position.x()),
            m_frame->axis(QCPAxis::atLeft)->pixelToCoord(position.y())};
}

std::optional<std::int64_t> HeatmapPlot::stripRowAt(QPointF position) const
{
    if (!m_strip->visible() || !m_strip->rect().contains(position.toPoint()))
        return {};
    const auto row = static_cast<std::int64_t>(std::floor(toMatrix(position).y()));
    return row >= m_region.rowBegin && row < m_region.rowEnd ? std::optional(row) : std::nullopt;
}

void HeatmapPlot::mousePressEvent(QMouseEvent* event)
{
    m_pressed = event->button() == Qt::LeftButton && frame().contains(event->pos());
    m_dragging = false;
    m_pressedAt = m_lastAt = event->position();
    QWidget::mousePressEvent(event);
}

void HeatmapPlot::mouseMoveEvent(QMouseEvent* event)
{
    m_lastPointed = event->position();
    if (m_pressed && (m_dragging || (event->position() - m_pressedAt).manhattanLength() > clickReach)) {
        m_dragging = true;
        setCursor(Qt::ClosedHandCursor);
        emit panned(toMatrix(m_lastAt) - toMatrix(event->position()));
        m_lastAt = event->position();
        return;
    }
    setCursor(frame().contains(event->pos()) ? Qt::CrossCursor : Qt::ArrowCursor);
    if (const auto cell = m_map->cellAt(event->position()))
        emit pointed({.row = cell->query, .key = cell->key}, event->position());
    else if (const auto row = stripRowAt(event->position()))
        emit pointed({.row = *row}, event->position());
    else
        emit left();
}

void HeatmapPlot::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_dragging)
        emit finished();
    else if (const auto cell = m_map->cellAt(event->position()); m_pressed && cell)
        emit rowChosen(cell->query);
    else if (const auto row = stripRowAt(event->position()); row && event->button() == Qt::LeftButton)
        emit rowChosen(*row);
    m_pressed = m_dragging = false;
    setCursor(Qt::CrossCursor);
    QWidget::mouseReleaseEvent(event);
}

void HeatmapPlot::mouseDoubleClickEvent(QMouseEvent*) { emit doubleClicked(); }

void HeatmapPlot::wheelEvent(QWheelEvent* event)
{
    if (frame().contains(event->position().toPoint()))
        emit zoomed(std::exp2(event->angleDelta().y() / 360.0), toMatrix(event->position()));
    event->accept();
}

void HeatmapPlot::keyPressEvent(QKeyEvent* event)
{
    const QPointF centre = toMatrix(m_frame->rect().center());
    const double width = m_frame->axis(QCPAxis::atBottom)->range().size();
    const int page = event->modifiers() & Qt::ShiftModifier ? 16 : 1;
    switch (event->key()) {
    case Qt::Key_Up:
        emit rowStepped(-page);
        break;
    case Qt::Key_Down:
        emit rowStepped(page);
        break;
    case Qt::Key_PageUp:
        emit rowStepped(-64);
        break;
    case Qt::Key_PageDown:
        emit rowStepped(64);
        break;
    case Qt::Key_Left:
        emit panned({-width / 10, 0});
        break;
    case Qt::Key_Right:
        emit panned({width / 10, 0});
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        emit zoomed(1.5, centre);
        break;
    case Qt::Key_Minus:
        emit zoomed(1 / 1.5, centre);
        break;
    case Qt::Key_0:
        emit fitted();
        break;
    default:
        return QCustomPlot::keyPressEvent(event);
    }
    emit finished();
}

bool HeatmapPlot::event(QEvent* event)
{
    if (losesPointer(*event))
        emit left();
    return QCustomPlot::event(event);
}

void HeatmapPlot::resizeEvent(QResizeEvent* event)
{
    takeTokensIn();
    fitFrame();
    layOutAxes();
    QCustomPlot::resizeEvent(event);
}

int HeatmapPlot::side() const { return sideWithin(leftRoom(), bottomRoom()); }

/// A map that is large enough leaves the strip the room in which it says what it is between.
int HeatmapPlot::sideWithin(int left, int bottom) const
{
    constexpr int smallest = 40, enough = 300;
    const auto beside = [&](int strip) {
        return std::min(width() - left - stripGap - withText(strip) - rightMargin, height() - topMargin - bottom);
    };
    return std::max({smallest, std::min(beside(narrowStrip), withText(enough)), beside(wideStrip)});
}

int HeatmapPlot::pixels() const { return static_cast<int>(std::lround(side() * devicePixelRatioF())); }

/// The map is square whatever the widget is; the strip stands at its right, in one of three widths, as there is room.
void HeatmapPlot::fitFrame()
{
    const int side = this->side(), left = leftRoom();
    const int below = std::max(bottomRoom(), height() - topMargin - side);
    const int room = width() - left - side - stripGap - rightMargin;
    const int wide = withText(room >= withText(wideStrip)    ? wideStrip
                              : room >= withText(usualStrip) ? usualStrip
                                                             : narrowStrip);
    m_frame->setMinimumMargins({});
    m_frame->setMargins({left, topMargin, stripGap, below});
    m_strip->setMargins({0, topMargin, std::max(rightMargin, width() - left - side - stripGap - wide), below});
    m_frame->setMinimumSize(side, side);
    m_frame->setMaximumSize(side, side);
    m_strip->setMinimumSize(wide, side);
    m_strip->setMaximumSize(wide, side);
    if (std::exchange(m_side, side) != side)
        emit pixelsChanged();
}

void HeatmapPlot::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        restyle();
        m_numberedSide = 0;
        fitFrame();
        layOutAxes();
        replot(QCustomPlot::rpQueuedReplot);
    }
    QCustomPlot::changeEvent(event);
}

}  // namespace attnscope

#include "moc_heatmap_plot.cpp"
