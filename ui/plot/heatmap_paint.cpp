#include "ui/plot/heatmap_paint.h"

#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/plot/typeset.h"

#include <QPainter>
#include <QPaintEngine>
#include <QTransform>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace attnscope {

namespace {

bool isRaster(const QPainter& painter)
{
    const QPaintEngine* engine = painter.paintEngine();
    return !engine || engine->type() == QPaintEngine::Raster || engine->type() == QPaintEngine::OpenGL2;
}

/// Each run of equal neighbours is one rectangle that reaches under its right and lower neighbours, which are painted
/// later: where two edges meet, viewers that smooth edges have no gap to show.
void paintRectangles(QPainter& painter, const QRectF& target, const QImage& cells)
{
    const double width = target.width() / cells.width(), height = target.height() / cells.height();
    painter.save();
    painter.setPen(Qt::NoPen);
    for (int row = 0; row < cells.height(); ++row) {
        const auto* line = reinterpret_cast<const QRgb*>(cells.constScanLine(row));
        const auto* next =
            row + 1 < cells.height() ? reinterpret_cast<const QRgb*>(cells.constScanLine(row + 1)) : nullptr;
        for (int from = 0, to; from < cells.width(); from = to) {
            to = from + 1;
            while (to < cells.width() && line[to] == line[from])
                ++to;
            if (qAlpha(line[from]) == 0)
                continue;
            const bool covered = to < cells.width() && qAlpha(line[to]) != 0;
            const bool coveredBelow =
                next && std::all_of(next + from, next + to, [](QRgb colour) { return qAlpha(colour) != 0; });
            const double over = 0.25;
            painter.setBrush(QColor::fromRgba(line[from]));
            painter.drawRect(QRectF(target.left() + from * width, target.top() + row * height,
                                    (to - from + (covered ? over : 0)) * width,
                                    (1 + (coveredBelow ? over : 0)) * height));
        }
    }
    painter.restore();
}

QImage enlarged(const QImage& cells, int factor)
{
    QImage image(cells.width() * factor, cells.height() * factor, cells.format());
    for (int row = 0; row < image.height(); ++row) {
        auto* out = reinterpret_cast<QRgb*>(image.scanLine(row));
        if (row % factor) {
            std::memcpy(out, image.constScanLine(row - 1), static_cast<size_t>(image.bytesPerLine()));
            continue;
        }
        const auto* in = reinterpret_cast<const QRgb*>(cells.constScanLine(row / factor));
        for (int column = 0; column < image.width(); ++column)
            out[column] = in[column / factor];
    }
    return image;
}

/// Whole device pixels, each of one cell: cell c covers the pixels from round(c W / n) up to the next cell's first.
void paintPixels(QPainter& painter, const QRectF& target, const QImage& cells)
{
    // From the painter's coordinates to pixels of its device. A widget's painter is redirected to its window: that
    // offset is not in here, nor does resetTransform() below take it away.
    const double ratio = painter.device()->devicePixelRatioF();
    const QTransform toDevice = painter.combinedTransform();  // with the device's pixel ratio in it
    const QRectF wanted = toDevice.mapRect(target);
    const QRect all(QPoint(qRound(wanted.left()), qRound(wanted.top())),
                    QPoint(qRound(wanted.right()) - 1, qRound(wanted.bottom()) - 1));
    QRect shown = all & QRect(0, 0, static_cast<int>(std::ceil(painter.device()->width() * ratio)),
                              static_cast<int>(std::ceil(painter.device()->height() * ratio)));
    if (painter.hasClipping())
        shown &= toDevice.mapRect(painter.clipBoundingRect()).toAlignedRect();
    if (shown.isEmpty() || cells.isNull())
        return;
    QImage image = cells;  // a cell a pixel, mostly: maps are pooled to the pixels that they have
    QPoint first = shown.topLeft() - all.topLeft();
    if (all.width() < cells.width() || all.height() < cells.height()) {
        image = cells.scaled(all.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    } else if (all.size() != cells.size()) {
        image = QImage(shown.size(), cells.format());
        first = {};
        const auto cellOf = [](int pixel, int extent, int count) {
            return std::clamp(static_cast<int>((pixel + 0.5) * count / extent), 0, count - 1);
        };
        std::vector<int> columns(static_cast<size_t>(shown.width()));
        for (int x = 0; x < shown.width(); ++x)
            columns[static_cast<size_t>(x)] = cellOf(shown.left() + x - all.left(), all.width(), cells.width());
        int before = -1;
        for (int y = 0; y < shown.height(); ++y) {
            const int row = cellOf(shown.top() + y - all.top(), all.height(), cells.height());
            auto* out = reinterpret_cast<QRgb*>(image.scanLine(y));
            const auto* in = reinterpret_cast<const QRgb*>(cells.constScanLine(row));
            if (row == before)
                std::memcpy(out, image.constScanLine(y - 1), static_cast<size_t>(image.bytesPerLine()));
            else
                for (int x = 0; x < shown.width(); ++x)
                    out[x] = in[columns[static_cast<size_t>(x)]];
            before = row;
        }
    }
    painter.save();
    painter.resetTransform();
    painter.drawImage(QRectF(QPointF(shown.topLeft()) / ratio, QSizeF(shown.size()) / ratio), image,
                      QRectF(first, shown.size()));
    painter.restore();
}

}  // namespace

namespace {

/// The place of a value on a logarithmic scale, without a logarithm a cell. Floats are ordered as their bits are, and
/// the upper bits are an exponent and the beginning of a mantissa, so they index a table of where to begin; the value
/// where the next colour begins decides, exactly. So many bits are dropped that no step of the table has two of those.
class LogIndex {
public:
    LogIndex(double low, double high)
    {
        for (int i = 0; i < 255; ++i)
            m_edges[static_cast<size_t>(i)] = static_cast<float>(low * std::pow(high / low, (i + 0.5) / 255));
        m_edges[255] = std::numeric_limits<float>::quiet_NaN();  // no value is beyond it
        while (!fillTable())
            --m_dropped;
    }

    size_t operator()(float value) const
    {
        if (!(value >= m_edges[0]))
            return 0;
        const size_t index = m_start[std::min<size_t>(cut(value) - m_first, m_start.size() - 1)];
        return index + static_cast<size_t>(m_edges[index] <= value);
    }

private:
    std::uint32_t cut(float value) const { return std::bit_cast<std::uint32_t>(value) >> m_dropped; }

    bool fillTable()
    {
        m_first = cut(m_edges[0]);
        m_start.resize(cut(m_edges[254]) - m_first + 1);
        int index = 0;
        for (size_t i = 0; i < m_start.size(); ++i) {
            const float smallest = std::bit_cast<float>((m_first + static_cast<std::uint32_t>(i)) << m_dropped);
            const int before = index;
            while (m_edges[static_cast<size_t>(index)] <= smallest)
                ++index;
            if (index > before + 1 && m_dropped > 0)
                return false;
            m_start[i] = static_cast<std::uint8_t>(index);
        }
        return m_dropped == 0 || index >= 254;
    }

    std::array<float, 256> m_edges{};
    int m_dropped = 15;  // leaves 256 steps an octave
    std::uint32_t m_first = 0;
    std::vector<std::uint8_t> m_start;
};

/// A cell of the image for every cell of the map; what is blank has no colour.
template <class Index>
void colourCells(QImage& image, const PooledMap& map, const ColourMap& colours, bool zeroIsBlank, const Index& indexOf)
{
    const float* in = map.values.data();
    for (int row = 0; row < map.rows; ++row) {
        auto* out = reinterpret_cast<QRgb*>(image.scanLine(row));
        for (int column = 0; column < map.columns; ++column, ++in)
            out[column] = std::isnan(*in) || (*in == 0 && zeroIsBlank) ? 0 : colours.colours[indexOf(*in)];
    }
}

}  // namespace

QImage heatmapImage(const PooledMap& map, const ColourScale& scale)
{
    // Colours are opaque and blank cells have none, so that nothing is lost in the form that is painted fastest.
    QImage image(std::max(1, map.columns), std::max(1, map.rows), QImage::Format_ARGB32_Premultiplied);
    if (map.values.empty())
        image.fill(Qt::transparent);
    const ColourMap& colours = scale.map ? *scale.map : colourMaps().front();
    if (scale.log && scale.low > 0 && scale.high > scale.low && std::isfinite(scale.high)) {
        colourCells(image, map, colours, scale.zeroIsBlank, LogIndex(scale.low, scale.high));
    } else {
        const auto offset = static_cast<float>(scale.low), factor = static_cast<float>(255 / (scale.high - scale.low));
        colourCells(image, map, colours, scale.zeroIsBlank, [offset, factor](float value) {
            const float place = (value - offset) * factor;
            return place > 0 ? static_cast<size_t>(std::min(place, 255.0F) + 0.5F) : 0;
        });
    }
    return image;
}

void paintCells(QPainter& painter, const QRectF& target, const QImage& cells)
{
    if (isRaster(painter)) {
        paintPixels(painter, target, cells);
    } else if (cells.width() * cells.height() <= vectorCells) {
        paintRectangles(painter, target, cells);
    } else {
        const double inches = target.width() / unitsPerPoint / 72;
        const int factor = std::clamp(static_cast<int>(std::ceil(inches * 600 / cells.width())), 1, 8);
        painter.save();
        painter.setRenderHint(QPainter::LosslessImageRendering);
        painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
        painter.drawImage(target, enlarged(cells, factor));
        painter.restore();
    }
}

void paintHeatmap(QPainter& painter, const QRectF& target, const PooledMap& map, const ColourScale& scale)
{
    if (map.rows > 0 && map.columns > 0)
        paintCells(painter, target, heatmapImage(map, scale));
}

bool showsMeans(const PooledMap& map)
{
    const Region& region = map.region;
    return map.pool == Pool::Mean &&
           (region.rowEnd - region.rowBegin > map.rows || region.columnEnd - region.columnBegin > map.columns);
}

double largestOf(std::span<const PooledMap* const> maps)
{
    // Positive floats are ordered as their bits are, and of whole numbers vectors take the most.
    constexpr auto infinite = std::bit_cast<std::int32_t>(std::numeric_limits<float>::infinity());
    std::int32_t high = 0;
    for (const PooledMap* map : maps)
        for (const float value : map->values) {
            const auto bits = std::bit_cast<std::int32_t>(value);
            const std::int32_t finite = bits < infinite ? bits : 0;
            high = finite > high ? finite : high;
        }
    return high > 0 ? std::bit_cast<float>(high) : 1;
}

ColourScale weightScale(double largest, bool log, const ColourMap* map, double decades)
{
    constexpr double roundOff = 1e-6;  // of a weight of 1, a float
    const double high = std::ceil(std::log10(largest) - roundOff), low = high - std::ceil(decades);
    return {.low = log ? std::pow(10, low) : 0,
            .high = log ? std::pow(10, high) : roundedUp(largest),
            .log = log,
            .map = map,
            .zeroIsBlank = true};
}

double allButOutermost(std::span<const PooledMap* const> maps)
{
    std::vector<float> sizes;
    for (const PooledMap* map : maps)
        for (const float value : map->values)
            if (const float size = std::abs(value); size > 0 && size <= std::numeric_limits<float>::max())
                sizes.push_back(size);
    if (sizes.empty())
        return 0;
    const auto place = sizes.begin() + static_cast<std::ptrdiff_t>(0.99 * double(sizes.size() - 1));
    std::nth_element(sizes.begin(), place, sizes.end());
    return *place;
}

double decadesFor(std::int64_t keys) { return std::max(4.0, std::log10(10 * double(std::max<std::int64_t>(1, keys)))); }

ColourScale pinnedScale(ColourScale scale, const std::optional<std::pair<double, double>>& range)
{
    if (range && (!scale.log || range->first > 0)) {
        scale.low = range->first;
        scale.high = range->second;
    }
    return scale;
}

namespace {

struct BarLabel {
    double at = 0;  ///< along the ramp, painter units
    Typeset text;
};

/// The ticks whose labels have room, from the first on; both ends where those are fewer than two, and on a short ramp.
std::vector<BarLabel> barLabels(const ColourScale& scale, const QRectF& ramp, int room, const QFont& font)
{
    const bool across = ramp.width() > ramp.height();
    const double least = std::min(scale.low, scale.high), most = std::max(scale.low, scale.high);
    const bool falls = scale.low > scale.high;  // the ramp rises all the same
    const auto place = [&](double value) {
        const double along = falls ? 1 - scale.place(value) : scale.place(value);
        return across ? ramp.left() + along * ramp.width() : ramp.bottom() - along * ramp.height();
    };
    std::vector<BarLabel> labels;
    for (const Tick& tick : chooseTicks(least, most, scale.log, TickText::Automatic, room).major) {
        BarLabel next{place(tick.at), Typeset(tick.text, font)};
        const double air = font.pixelSize() > 0 ? 0.4 * font.pixelSize() : 4;
        if (labels.empty() ||
            std::abs(next.at - labels.back().at) >=
                (across ? (next.text.width() + labels.back().text.width()) / 2 + air : next.text.height()))
            labels.push_back(std::move(next));
    }
    const auto ends = [&] {  // a short ramp has room for little more, and they say what its colours are
        return std::abs(labels.front().at - place(least)) < 1 && std::abs(labels.back().at - place(most)) < 1;
    };
    if ((labels.size() >= 2 && (room > 2 || ends())) || !(least < most))
        return labels;
    labels.clear();
    for (const double end : {least, most})
        labels.push_back({place(end), Typeset(endText(end), font)});
    return labels;
}

}  // namespace

QString endText(double value)
{
    if (const double size = std::abs(value), decade = std::round(std::log10(size));
        decade < -1 && std::abs(size / std::pow(10, decade) - 1) < 1e-9)
        return (value < 0 ? u"\u2212"_s : QString()) + powerOfTen(static_cast<int>(decade));
    QString text = QString::number(value, 'g', std::abs(value) >= 99.5 && std::abs(value) < 999.5 ? 3 : 2);
    const auto e = text.indexOf(QLatin1Char('e'));
    if (e >= 0)
        text = (text.left(e) == "1"_L1 ? QString() : text.left(e) + u"\u00D7"_s) + powerOfTen(text.mid(e + 1).toInt());
    return text.replace(QLatin1Char('-'), u"\u2212"_s);
}

Beyond valuesBeyond(std::span<const PooledMap* const> maps, const ColourScale& scale)
{
    const double rounding = 1e-6 * (scale.log ? scale.low : scale.high - scale.low);
    const auto low = static_cast<float>(scale.low - rounding), high = static_cast<float>(scale.high + rounding);
    const float blank = scale.zeroIsBlank ? 0 : std::numeric_limits<float>::quiet_NaN();  // equal to no value
    Beyond beyond;
    for (const PooledMap* map : maps) {
        int below = 0, above = 0;  // of every value, without branches, so that it runs on vectors
        for (const float value : map->values) {
            below |= int(value < low) & int(value != blank);
            above |= int(value > high);
        }
        beyond.low |= below != 0;
        beyond.high |= above != 0;
    }
    return beyond;
}

/// From the low end's or the high end's edge of the ramp on, in its colour.
static void paintTip(QPainter& painter, const QRectF& ramp, bool high, const QColor& colour, double reach)
{
    QPolygonF tip;
    if (ramp.width() > ramp.height()) {
        const double at = high ? ramp.right() : ramp.left();
        tip << QPointF(at, ramp.top()) << QPointF(at + (high ? reach : -reach), ramp.center().y())
            << QPointF(at, ramp.bottom());
    } else {
        const double at = high ? ramp.top() : ramp.bottom();
        tip << QPointF(ramp.left(), at) << QPointF(ramp.center().x(), at + (high ? -reach : reach))
            << QPointF(ramp.right(), at);
    }
    painter.setBrush(colour);
    painter.drawPolygon(tip);
    painter.setBrush(Qt::NoBrush);
}

/// The dark end of many colours is that of the ground: where the ramp begins is seen by its edge.
static void outlineRamp(QPainter& painter, const QRectF& ramp, Beyond beyond, double reach, const PlotStyle& style)
{
    const double half = style.thin / 2;
    painter.setPen(QPen(style.quiet, style.thin));
    painter.setBrush(Qt::NoBrush);
    const auto tip = [reach](bool is) { return is ? reach : 0; };
    const QRectF box = ramp.adjusted(half, half, -half, -half);
    QPolygonF edge;
    if (ramp.width() > ramp.height())
        edge << box.topLeft() << box.topRight() << QPointF(box.right() + tip(beyond.high), box.center().y())
             << box.bottomRight() << box.bottomLeft() << QPointF(box.left() - tip(beyond.low), box.center().y());
    else
        edge << box.topLeft() << QPointF(box.center().x(), box.top() - tip(beyond.high)) << box.topRight()
             << box.bottomRight() << QPointF(box.center().x(), box.bottom() + tip(beyond.low)) << box.bottomLeft();
    painter.drawPolygon(edge);
}

double tipOf(const QRectF& ramp, const PlotStyle& style)
{
    return std::min(0.7 * std::min(ramp.width(), ramp.height()), 1.3 * style.gap);
}

void paintRamp(QPainter& painter, const QRectF& ramp, const ColourScale& scale, const PlotStyle& style, Beyond beyond)
{
    const bool across = ramp.width() > ramp.height();
    const double length = across ? ramp.width() : ramp.height();
    const ColourScale shown = onGround(scale, style.dark);
    const ColourMap& map = shown.map ? *shown.map : colourMaps().front();
    const auto colourAt = [&](double along) {
        return QColor::fromRgb(map.at(scale.low > scale.high ? 1 - along : along));
    };
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    constexpr int steps = 64;
    for (int i = 0; i < steps; ++i) {
        const double from = length * i / steps, size = length - from;
        painter.fillRect(across ? QRectF(ramp.left() + from, ramp.top(), size, ramp.height())
                                : QRectF(ramp.left(), ramp.top() + from, ramp.width(), size),
                         colourAt(across ? (i + 0.5) / steps : 1 - (i + 0.5) / steps));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const double reach = tipOf(ramp, style);
    if (beyond.low)
        paintTip(painter, ramp, false, colourAt(0), reach);
    if (beyond.high)
        paintTip(painter, ramp, true, colourAt(1), reach);
    if (style.dark)
        outlineRamp(painter, ramp, beyond, reach, style);
    painter.restore();
}

double widthOfBar(double ramp, const ColourScale& scale, const QString& title, const PlotStyle& style)
{
    const QFont small = style.font(style.small);
    double widest = 0;
    for (const int room : {2, 4, 8, 16})  // ticks that are closer have more digits
        for (const BarLabel& label : barLabels(scale, {0, 0, ramp, room * 2.4 * style.small}, room, small))
            widest = std::max(widest, label.text.width());
    return std::max(Typeset(title, small).width(), ramp + style.tick + style.gap * 0.4 + widest);
}

void paintColourBar(QPainter& painter, const QRectF& ramp, const ColourScale& scale, const QString& title,
                    const PlotStyle& style, Beyond beyond)
{
    const bool across = ramp.width() > ramp.height();
    paintRamp(painter, ramp, scale, style, beyond);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(style.ink, style.thin, Qt::SolidLine, Qt::FlatCap));
    const QFont small = style.font(style.small);
    const double length = across ? ramp.width() : ramp.height();
    const int room = static_cast<int>(std::max(2.0, length / (across ? 3.5 * style.small : 2.4 * style.small)));
    const std::vector<BarLabel> labels = barLabels(scale, ramp, room, small);
    for (const BarLabel& label : labels) {
        if (across) {
            painter.drawLine(QLineF(label.at, ramp.bottom(), label.at, ramp.bottom() + style.tick * 0.7));
            label.text.draw(painter, {label.at, ramp.bottom() + style.tick + style.gap * 0.4},
                            Qt::AlignHCenter | Qt::AlignTop);
        } else {
            painter.drawLine(QLineF(ramp.right(), label.at, ramp.right() + style.tick * 0.7, label.at));
            label.text.draw(painter, {ramp.right() + style.tick + style.gap * 0.4, label.at},
                            Qt::AlignLeft | Qt::AlignVCenter);
        }
    }
    painter.setPen(style.ink);
    Typeset(title, style.font(style.small))
        .draw(painter, {ramp.left(), ramp.top() - style.gap * (across ? 0.5 : 1.6)}, Qt::AlignLeft | Qt::AlignBottom);
    painter.restore();
}

}  // namespace attnscope
