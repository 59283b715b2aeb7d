#include "ui/labs/board_view.h"

#include "ui/figure/labels.h"
#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/copy_data.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>

#include <algorithm>

namespace attnscope {

namespace {

constexpr double markerRoom = 18, edge = 6, topEdge = 1,
                 loosest = 1.35;  // device-independent pixels; of a row's natural height

/// Its type is the window's, not the smaller one of charts' ticks.
PlotStyle boardStyle()
{
    PlotStyle style = chartStyle();
    style.small = style.text;
    return style;
}

/// Tabs between, a row a method; markup goes.
QString boardData(const BoardTable& table)
{
    QString data = u"method"_s;
    for (const BoardTable::Place& place : table.places)
        data += u"\t%1, n/N=%2"_s.arg(text(place.task), text(formatNumber(place.ratio)));
    for (std::size_t row = 0; row < table.methods.size(); ++row) {
        data += QLatin1Char('\n') + text(table.methods[row]);
        for (std::size_t place = 0; place < table.places.size(); ++place) {
            const double shade = table.content->marks[row][place + 1].shade;
            data += QLatin1Char('\t') + (row == 0               ? table.content->rows[row][place + 1]
                                         : std::isfinite(shade) ? text(formatNumber(shade))
                                                                : QString());
        }
    }
    return data + QLatin1Char('\n');
}

}  // namespace

BoardView::BoardView(QWidget* parent) : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(u"Scoreboard"_s);
    setToolTip(QString());
    offerActions(this, {copying(u"Copy the data"_s, [this] { return boardData(m_table); })});
}

void BoardView::waitFor(const QString& what)
{
    m_waitsFor = what;
    m_picture = {};
    update();
}

void BoardView::show(BoardTable table)
{
    m_waitsFor.clear();
    const auto before =
        m_spot ? std::optional(std::pair(m_table.methods[m_spot->row], m_table.places[m_spot->place])) : std::nullopt;
    m_table = std::move(table);
    m_spot.reset();
    std::vector<QString> methods;
    for (const std::string& method : m_table.methods)
        methods.push_back(text(method));
    m_styles = variantStyles(methods);
    place();
    if (before)
        point(before->first, before->second);
}

void BoardView::point(const std::string& method, const BoardTable::Place& place)
{
    const auto row = std::ranges::find(m_table.methods, method);
    const auto column = std::ranges::find(m_table.places, place);
    const bool there = row != m_table.methods.end() && column != m_table.places.end();
    m_spot = there ? std::optional(Spot{static_cast<std::size_t>(row - m_table.methods.begin()),
                                        static_cast<std::size_t>(column - m_table.places.begin())})
                   : std::nullopt;
    update();
}

QRectF BoardView::frame() const
{
    const QRectF room = QRectF(rect()).adjusted(edge + markerRoom, topEdge, -edge, -edge);
    return {room.left(), room.top(), room.width(), std::clamp(room.height(), m_natural, loosest * m_natural)};
}

QSize BoardView::sizeHint() const { return {700, static_cast<int>(frame().height() + 2 * edge)}; }

/// As high as it must be, so that what stands around it scrolls, and as wide as its widest group needs.
void BoardView::place()
{
    if (m_table.content) {
        const PlotStyle style = boardStyle();
        const double least = leastTableWidth(*m_table.content, style), around = 2 * edge + markerRoom;
        m_natural = tableHeight(*m_table.content, style, std::max(least, width() - around));
        setMinimumSize(static_cast<int>(std::ceil(least + around)), static_cast<int>(std::ceil(m_natural + 2 * edge)));
        m_cells = tableCells(*m_table.content, style, frame());
        m_parts = tableParts(*m_table.content, style, frame());
    }
    m_picture = {};
    updateGeometry();
    update();
}

/// How much of the names has been scrolled away at the left, and of the titles above; they are painted there again.
QPoint BoardView::scrolledAway() const
{
    return m_cells.empty() ? QPoint() : QPoint(std::max(0, -x()), std::max(0, -y()));
}

double BoardView::nameRoom() const { return m_cells.empty() ? 0 : m_cells.front().front().right(); }

/// Headings with their lines, and what everything is compared with: vanilla's row, where it stands there.
QRectF BoardView::pinned(const TablePart& part) const
{
    QRectF all = part.headings.adjusted(0, -1, 0, 1);
    if (!part.names.empty() && isVanilla(m_table.methods[part.names.front().first]))
        all.setBottom(part.names.front().second.bottom() + 1);
    return all;
}

/// They stay at the upper edge until those of the next part push them away.
BoardView::Headings BoardView::headings() const
{
    const double edgeOfSight = scrolledAway().y();
    const auto next =
        std::ranges::upper_bound(m_parts, edgeOfSight, {}, [](const TablePart& part) { return part.headings.top(); });
    if (next == m_parts.begin())
        return {};
    const QRectF from = pinned(*std::prev(next));
    const double top =
        next == m_parts.end() ? edgeOfSight : std::min(edgeOfSight, next->headings.top() - from.height());
    return {from, QRectF({from.left(), std::max(top, from.top())}, from.size())};
}

void BoardView::bringIntoSight(const Spot& spot)
{
    auto* area = parentWidget() ? qobject_cast<QScrollArea*>(parentWidget()->parentWidget()) : nullptr;
    const QRectF at = cell(spot);
    if (!area || at.isNull())
        return;
    const auto scroll = [](QScrollBar* bar, double from, double to, double room) {
        const double least = std::ceil(to + edge - room);
        bar->setValue(static_cast<int>(std::clamp<double>(bar->value(), least, std::max(least, from))));
    };
    auto part =
        std::ranges::upper_bound(m_parts, at.top(), {}, [](const TablePart& one) { return one.headings.top(); });
    if (part == m_parts.begin())
        return;
    const QRectF stays = pinned(*std::prev(part));
    scroll(area->horizontalScrollBar(), at.left() - nameRoom(), at.right(), area->viewport()->width());
    QScrollBar* down = area->verticalScrollBar();
    scroll(down, at.top() - stays.height(), at.bottom(), area->viewport()->height());
    down->setSingleStep(std::max(1, qRound(at.height())));
    if (const double rows = (down->value() - stays.top()) / at.height(); rows > 0)  // no row is cut above
        down->setValue(static_cast<int>(std::floor(stays.top() - 1 + std::ceil(rows - 0.1) * at.height())));
}

void BoardView::moveEvent(QMoveEvent* event)
{
    QWidget::moveEvent(event);
    update();
}

QRectF BoardView::cell(const Spot& spot) const { return m_cells[spot.row][spot.place + 1]; }

void BoardView::resizeEvent(QResizeEvent*) { place(); }

void BoardView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        place();
    QWidget::changeEvent(event);
}

void BoardView::drawPicture()
{
    const Theme& theme = currentTheme();
    m_picture = QPixmap(size() * devicePixelRatioF());
    m_picture.setDevicePixelRatio(devicePixelRatioF());
    m_picture.fill(theme.surface);
    QPainter painter(&m_picture);
    if (!m_table.content) {
        painter.setPen(theme.muted);
        painter.drawText(QRectF(rect()), Qt::AlignCenter, m_waitsFor);
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    const PlotStyle style = boardStyle();
    paintTable(painter, *m_table.content, style, frame());
    for (const TablePart& part : m_parts)
        drawKey(painter, part, style);
    painter.setPen(Qt::NoPen);
    for (const TablePart& part : m_parts)
        for (const auto& [row, name] : part.names) {
            const MethodStyle look = methodStyle(m_styles[row], theme.dark);
            drawMarker(painter, look.marker, {name.left() - markerRoom / 2 - 1, name.center().y()}, style.marker,
                       look.colour);
        }
}

/// What the colours say: fields of some gains, above the names of a part, where nothing else stands.
void BoardView::drawKey(QPainter& painter, const TablePart& part, const PlotStyle& style) const
{
    constexpr double gains[] = {-30, -10, 0, 10, 30}, widest = 38, before = 12;
    if (part.names.empty())
        return;
    const QRectF headings = part.headings, name = part.names.front().second;
    const double row = name.height(), across = std::min(widest, (name.width() - before) / std::size(gains));
    if (headings.height() < 2.5 * row)
        return;
    painter.setFont(style.font(chartStyle().small));
    painter.setPen(style.quiet);
    painter.drawText(QRectF(headings.left(), headings.top(), name.width(), row), Qt::AlignLeft | Qt::AlignVCenter,
                     u"Gain (% or points)"_s);
    QRectF field(headings.left(), headings.top() + row, across, 0.8 * row);
    for (const double gain : gains) {
        const QColor colour = shadeColour(*m_table.content, style, gain);
        painter.fillRect(field, colour);
        painter.setPen(inkOn(colour));
        painter.drawText(field, Qt::AlignCenter, gainText(gain));
        field.translate(across, 0);
    }
    painter.setPen(QPen(currentTheme().border, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(headings.left(), field.top(), field.left() - headings.left(), field.height()));
}

/// The table is painted once; what is pointed at goes over it.
void BoardView::paintEvent(QPaintEvent*)
{
    if (m_picture.isNull() || m_picture.devicePixelRatio() != devicePixelRatioF())
        drawPicture();
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_picture);
    if (m_spot && !cell(*m_spot).isNull()) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(currentTheme().text, 2));
        painter.drawRoundedRect(cell(*m_spot).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    }
    const auto again = [&](const QRectF& from, QPointF to) {
        painter.drawPixmap(QRectF(to, from.size()), m_picture,
                           QRectF(from.topLeft() * devicePixelRatioF(), from.size() * devicePixelRatioF()));
    };
    const double away = scrolledAway().x();
    if (away > 0)
        again({0, 0, nameRoom(), double(height())}, {away, 0});
    if (const auto [from, at] = headings(); at.top() > from.top()) {
        again({0, from.top(), double(width()), from.height()}, {0, at.top()});
        if (away > 0)
            again({0, from.top(), nameRoom(), from.height()}, {away, at.top()});
    }
}

std::optional<BoardView::Spot> BoardView::spotAt(QPointF position) const
{
    if (position.x() < scrolledAway().x() + nameRoom())
        return {};
    if (const auto [from, at] = headings(); at.contains(position))
        position.ry() -= at.top() - from.top();
    for (std::size_t row = 0; row < m_cells.size(); ++row)
        for (std::size_t column = 1; column < m_cells[row].size(); ++column)
            if (m_cells[row][column].contains(position))
                return Spot{row, column - 1};
    return {};
}

void BoardView::move(Spot to)
{
    if (m_spot == to)
        return;
    m_spot = to;
    update();
    emit pointed(text(m_table.methods[to.row]));
}

void BoardView::mouseMoveEvent(QMouseEvent* event)
{
    const auto at = spotAt(event->position());
    setCursor(at ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (at)
        move(*at);
}

void BoardView::mousePressEvent(QMouseEvent* event)
{
    const auto at = spotAt(event->position());
    if (event->button() != Qt::LeftButton || !at)
        return QWidget::mousePressEvent(event);
    move(*at);
    emit chosen();
}

/// The next cell that there is, in that direction: a method that has nothing in a part of the table does not stand
/// there.
BoardView::Spot BoardView::nextSpot(const Spot& from, int down, int across) const
{
    Spot at = from;
    do {
        at.row += static_cast<std::size_t>(down);  // from 0 up it is beyond the end
        at.place += static_cast<std::size_t>(across);
    } while (at.row < m_table.methods.size() && at.place < m_table.places.size() && cell(at).isNull());
    return at.row < m_table.methods.size() && at.place < m_table.places.size() ? at : from;
}

void BoardView::keyPressEvent(QKeyEvent* event)
{
    const int across = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    const int down = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_spot)
        emit chosen();
    else if ((across || down) && !m_table.methods.empty() && !m_table.places.empty()) {
        move(m_spot ? nextSpot(*m_spot, down, across) : Spot{});
        bringIntoSight(*m_spot);
    } else
        QWidget::keyPressEvent(event);
}

}  // namespace attnscope

#include "moc_board_view.cpp"
