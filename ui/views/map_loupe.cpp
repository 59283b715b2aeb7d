#include "ui/views/map_loupe.h"

#include "core/base/measured_text.h"
#include "ui/plot/plot_style.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/widgets/building.h"
#include "ui/widgets/theme.h"
#include "ui/views/cell_reading.h"
#include "ui/views/heatmap_plot.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace attnscope {

namespace {

constexpr int loupePadding = 8, loupeLine = 18, loupeGap = 16, loupeNames = 50;

/// In a cell: two digits that count.
ColumnNumber asNumber(double weight) { return {weight, 0, 2}; }

/// Of all cells, as far as there is room for them.
int decimalsOf(const PooledMap& map)
{
    constexpr int most = 4;
    std::vector<ColumnNumber> weights;
    std::ranges::transform(map.values, std::back_inserter(weights), asNumber);
    return std::min(most, decimalsOfColumn(weights).value_or(most));
}

/// Of what these leave nothing there is room for one digit and its power of ten.
QString shortWeight(double weight, int decimals)
{
    const bool lost = std::abs(weight) < 0.95 * std::pow(10, -decimals);
    return printed(lost ? formatNumber(weight, 1) : formatInColumn(asNumber(weight), decimals));
}

QString tokenBeside(std::span<const std::string> tokens, std::int64_t index)
{
    return index >= 0 && index < std::ssize(tokens)
               ? u" \u201C%1\u201D"_s.arg(text(tokens[static_cast<std::size_t>(index)]).simplified())
               : QString();
}

}  // namespace

Region loupeRegion(const Pointed& at, std::int64_t queries, std::int64_t keys, int margin)
{
    const std::int64_t reach = loupeCells / 2 + margin;
    return {std::max<std::int64_t>(0, at.row - reach), std::min(queries, at.row + reach + 1),
            std::max<std::int64_t>(0, at.key - reach), std::min(keys, at.key + reach + 1)};
}

QRect loupePlace(QSize size, QPoint pointer, const QRect& cell, const QRect& room, int gap)
{
    const QRect kept = cell.united(QRect(pointer, QSize(1, 1))).adjusted(-gap, -gap, gap, gap);
    const int right = kept.right() + 1, below = kept.bottom() + 1, left = kept.left() - size.width(),
              above = kept.top() - size.height();
    const auto within = [](int wanted, int first, int last) {
        return std::clamp(wanted, first, std::max(first, last));
    };
    const int x = within(right, room.left(), room.right() + 1 - size.width()),
              y = within(below, room.top(), room.bottom() + 1 - size.height());
    for (const QPoint corner : {QPoint(right, below), QPoint(right, above), QPoint(left, below), QPoint(left, above),
                                QPoint(right, y), QPoint(left, y), QPoint(x, below), QPoint(x, above)})
        if (const QRect place(corner, size); room.contains(place))
            return place;
    return {};
}

std::vector<std::pair<QString, QString>> loupeFacts(const Pointed& at, std::span<const std::string> tokens,
                                                    const RowDetail* row)
{
    std::vector<std::pair<QString, QString>> facts{
        {u"query"_s, countText(double(at.row)) + tokenBeside(tokens, at.row)},
        {u"key"_s, countText(double(at.key)) + tokenBeside(tokens, at.key)}};
    if (!row)
        return facts;
    const auto place = placeOf(*row, at.key);
    facts.emplace_back(u"weight"_s, place ? printed(row->weights[*place]) : u"masked"_s);
    facts.emplace_back(u"logit"_s, place ? printed(row->logits[*place]) : u"\u2013"_s);
    return facts;
}

MapLoupe::MapLoupe(QWidget* parent) : QWidget(parent)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setAccessibleName(u"Loupe"_s);
    QWidget::hide();
}

int MapLoupe::cellSide() const { return withText(38); }

QSize MapLoupe::sizeHint() const
{
    const int side = loupeCells * cellSide(), lines = m_reading.of.isEmpty() ? 4 : 5;
    return {side + 2 * withText(loupePadding), side + lines * withText(loupeLine) + 3 * withText(loupePadding)};
}

void MapLoupe::show(const HeatmapPlot& plot, LoupeReading reading)
{
    QWidget* window = plot.window();
    if (parentWidget() != window)
        setParent(window);
    m_reading = std::move(reading);
    const QPoint pointer = plot.mapTo(window, plot.lastPointed().toPoint());
    const ChartLayout layout = plot.chartLayout();
    const QRectF cell(layout.place(double(m_reading.at.key), double(m_reading.at.row)),
                      layout.place(double(m_reading.at.key + 1), double(m_reading.at.row + 1)));
    const QPoint corner = plot.mapTo(window, QPoint());
    QRect place;
    for (const QRect& room : {QRect(corner, plot.size()), window->rect()})
        if (place.isEmpty())
            place = loupePlace(sizeHint(), pointer, cell.toAlignedRect().translated(corner), room, withText(loupeGap));
    setVisible(!place.isEmpty());
    if (place.isEmpty())
        return;
    setGeometry(place);
    raise();
    update();
}

void MapLoupe::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = currentTheme();
    painter.setPen(QPen(theme.outline, 1));
    painter.setBrush(theme.surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);

    const int padding = withText(loupePadding), side = cellSide(), reach = loupeCells / 2;
    const PooledMap& map = m_reading.cells;
    QFont small = font();
    small.setPixelSize(withText(10));
    painter.setFont(small);
    const int decimals = decimalsOf(map);
    for (int down = 0; down < loupeCells; ++down)
        for (int across = 0; across < loupeCells; ++across) {
            const std::int64_t row = m_reading.at.row + down - reach, key = m_reading.at.key + across - reach;
            if (row < map.region.rowBegin || row >= map.region.rowEnd || key < map.region.columnBegin ||
                key >= map.region.columnEnd || map.values.empty())
                continue;
            const double weight = double(
                map.at(static_cast<int>(row - map.region.rowBegin), static_cast<int>(key - map.region.columnBegin)));
            if (std::isnan(weight) || (weight == 0 && m_reading.scale.zeroIsBlank))
                continue;
            const QRect cell(padding + across * side, padding + down * side, side, side);
            const QColor colour(m_reading.scale.colour(weight));
            painter.fillRect(cell, colour);
            painter.setPen(inkOn(colour));
            painter.drawText(cell, Qt::AlignCenter, shortWeight(weight, decimals));
        }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.border, 1));
    painter.drawRect(padding, padding, loupeCells * side, loupeCells * side);
    const QRect middle(padding + reach * side, padding + reach * side, side, side);
    for (const auto& [colour, width] : {std::pair(Qt::white, 4), std::pair(Qt::black, 2)}) {  // seen on any colour
        painter.setPen(QPen(colour, width));
        painter.drawRect(middle);
    }

    int y = 2 * padding + loupeCells * side;
    const int line = withText(loupeLine), names = withText(loupeNames);
    const QFont strong = demiBold(font());
    const int whole = width() - 2 * padding;
    if (!m_reading.of.isEmpty()) {
        painter.setFont(strong);
        painter.setPen(theme.text);
        painter.drawText(QRect(padding, y, whole, line), Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetrics(strong).elidedText(m_reading.of, Qt::ElideRight, whole));
        y += line;
    }
    for (const auto& [name, value] : m_reading.facts) {
        painter.setFont(font());
        painter.setPen(theme.muted);
        painter.drawText(QRect(padding, y, names, line), Qt::AlignLeft | Qt::AlignVCenter, name);
        painter.setFont(strong);
        painter.setPen(theme.text);
        const int wide = whole - names;
        painter.drawText(QRect(padding + names, y, wide, line), Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetrics(strong).elidedText(value, Qt::ElideRight, wide));
        y += line;
    }
}

}  // namespace attnscope

#include "moc_map_loupe.cpp"
