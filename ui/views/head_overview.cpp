#include "ui/views/head_overview.h"

#include "core/analysis/head_numbers.h"
#include "ui/figure/extent.h"
#include "ui/plot/heatmap_paint.h"
#include "ui/plot/plot_style.h"
#include "ui/plot/ticks.h"
#include "ui/plot/typeset.h"
#include "ui/widgets/copy_data.h"
#include "ui/widgets/theme.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope {

namespace {
constexpr int barGap = 8, largestHeadCell = 40, lowHeadCell = 20, cellMargin = 2, headRamp = 8, leastHeadCell = 14;
constexpr int endOfBar = 16;       ///< beside it, for the half of its last number
constexpr double leastNats = 0.5;  ///< that all colours are of: heads that hardly differ look alike

// What holds text grows with it.
int layerRoom() { return withText(58); }
int headRoom() { return withText(20); }
int barTitle() { return withText(16); }
int barRoom() { return barGap + headRamp + withText(16); }

/// Of what is known.
Extent rangeOf(const HeadValues& values)
{
    Extent range;
    for (const std::vector<double>& layer : values)
        for (const double value : layer)
            range.take(value);
    return range;
}

ColourScale signedScale(double low, double high)
{
    return aroundZero(low <= high ? std::max({std::abs(low), std::abs(high), 1e-9}) : 1);
}

}  // namespace

HeadOverview::HeadOverview(QWidget* parent) : CellGrid(parent), m_measure(&headMeasures().front())
{
    setAccessibleName(u"Heads"_s);
    setToolTip(u"Every head of the model: a row a layer, a column a head. A click or the arrow keys choose one"_s);
    offerActions(this, {copying(u"Copy the data"_s, [this] { return asText(); })});
}

/// A row a layer, a column a head, at full precision.
QString HeadOverview::asText() const
{
    QString text = u"layer"_s;
    for (int head = 0; head < columns(); ++head)
        text += u"\thead %1"_s.arg(head);
    for (int layer = 0; layer < rows(); ++layer) {
        text += u"\n%1"_s.arg(nameOf(layer));
        for (int head = 0; head < columns(); ++head) {
            const double one = value({layer, head});
            text += std::isfinite(one) ? u"\t%1"_s.arg(one, 0, 'g', 17) : u"\t"_s;
        }
    }
    return text + QLatin1Char('\n');
}

void HeadOverview::setValues(HeadValues values, const ColourMap* map, const HeadMeasure& measure)
{
    auto [low, high] = rangeOf(values);
    if (low > high)  // no value at all
        low = high = 0;
    if (high - low <= 1e-6 * std::max(std::abs(low), std::abs(high))) {  // one value, but for its last digits
        low -= 0.5;
        high = low + 1;
    }
    if (const double missing = leastNats - (high - low);
        missing > 0 && !measure.hasSign && text(measure.unit).contains(u"nats")) {
        low = std::max(0.0, low - missing / 2);  // no measure of nats without a sign is below
        high = low + leastNats;
    }
    const ColourScale scale{.low = low, .high = high, .log = false, .map = map, .zeroIsBlank = false};
    m_sides = {};
    take(std::move(values), measure.hasSign ? signedScale(low, high) : scale, measure);
}

void HeadOverview::setDifference(HeadValues a, HeadValues b, const HeadMeasure& measure)
{
    HeadValues difference = b;
    for (std::size_t layer = 0; layer < b.size(); ++layer)
        for (std::size_t head = 0; head < b[layer].size(); ++head)
            difference[layer][head] = layer < a.size() && head < a[layer].size()
                                          ? b[layer][head] - a[layer][head]
                                          : std::numeric_limits<double>::quiet_NaN();
    const auto [low, high] = rangeOf(difference);
    m_sides = {std::move(a), std::move(b)};
    take(std::move(difference), signedScale(low, high), measure);
}

void HeadOverview::take(HeadValues values, ColourScale scale, const HeadMeasure& measure)
{
    m_values = std::move(values);
    m_scale = scale;
    m_measure = &measure;
    updateGeometry();
    update();
    tell();
}

void HeadOverview::setLayerNames(const QStringList& names)
{
    if (names == m_names)
        return;
    m_names = names;
    update();
    tell();
}

void HeadOverview::setChosen(int layer, int head)
{
    if (m_chosen == At{layer, head})
        return;
    m_chosen = {layer, head};
    update();
    tell();
}

QSize HeadOverview::sizeHint() const
{
    return {layerRoom() + columns() * 30, headRoom() + std::clamp(rows() * 30, 80, 360) + barRoom() + barTitle()};
}

int HeadOverview::wideHint() const
{
    constexpr int cell = 32, leastBar = 200;
    return layerRoom() + std::max(columns() * cell, leastBar) + endOfBar;
}

int HeadOverview::lowHint() const
{
    return headRoom() + std::clamp(rows() * withText(lowHeadCell), 80, 360) + barRoom() + barTitle() + cellMargin;
}

/// Where there is little height the cells have it: what the bar measures stands in the list above too.
int HeadOverview::titleRoom() const
{
    const int left = height() - headRoom() - barRoom() - barTitle() - cellMargin;
    return left < std::max(1, rows()) * leastHeadCell ? 0 : barTitle();
}

QRectF HeadOverview::cell(int layer, int head) const
{
    const double wide = std::min<double>(largestHeadCell * 2.4, (width() - layerRoom() - endOfBar) /
                                                                    static_cast<double>(std::max(1, columns())));
    const double tall =
        std::min<double>(largestHeadCell, (height() - headRoom() - barRoom() - titleRoom() - cellMargin) /
                                              static_cast<double>(std::max(1, rows())));
    return {layerRoom() + head * wide, headRoom() + layer * tall, wide, tall};
}

QString HeadOverview::reading(At at) const
{
    return u"%1, head %2: %3"_s.arg(titleOf(at.row)).arg(at.column).arg(valueOf(at));
}

QString HeadOverview::valueOf(At at) const
{
    const auto inWords = [&](const HeadValues& values) {
        const double value = values[static_cast<size_t>(at.row)][static_cast<size_t>(at.column)];
        return std::isfinite(value) ? text(m_measure->unit).arg(printed(formatNumber(value, 3))) : u"not known"_s;
    };
    if (m_sides.front().size() != m_values.size() || m_sides.back().size() != m_values.size())
        return inWords(m_values);
    return u"A %1, B %2"_s.arg(inWords(m_sides.front()), inWords(m_sides.back()));
}

/// What is measured, as its whole title where that has room.
QString HeadOverview::titleOfBar(int room) const
{
    const PlotStyle style = chartStyle();
    const auto ofWhat = [&](const char* words) {
        const QString title = text(words);
        return m_sides.back().empty() ? title : u"%1: B minus A"_s.arg(title);
    };
    const QString title = ofWhat(m_measure->title);
    return Typeset(title, style.font(style.small)).width() > room ? ofWhat(m_measure->label) : title;
}

QString HeadOverview::tip(int layer, int head) const
{
    const QString fact = layer < m_facts.size() ? u"<br>"_s + m_facts[layer].toHtmlEscaped() : QString();
    return u"<b>%1</b>%2<br>%3: %4<br><small>%5</small>"_s.arg(
        u"%1, head %2"_s.arg(titleOf(layer).toHtmlEscaped()).arg(head), fact, text(m_measure->label),
        valueOf({layer, head}), text(m_measure->about));
}

void HeadOverview::paint(QPainter& painter) const
{
    const Theme& theme = currentTheme();
    const QFontMetrics metrics(painter.font());
    const QRectF first = cell(0, 0);
    const int everyHead = std::max(1, static_cast<int>(std::ceil(20 / first.width()))),
              everyLayer = std::max(1, static_cast<int>(std::ceil(metrics.height() / first.height())));
    painter.drawText(QRectF(0, 0, layerRoom() - 8, headRoom() - 4), Qt::AlignRight | Qt::AlignVCenter, u"head"_s);
    for (int head = 0; head < columns(); head += everyHead)
        painter.drawText(QRectF(cell(0, head).left() - 20, 0, first.width() + 40, headRoom() - 4), Qt::AlignCenter,
                         QString::number(head));
    for (int layer = 0; layer < rows(); layer += everyLayer)
        painter.drawText(QRectF(0, cell(layer, 0).center().y() - withText(10), layerRoom() - 8, withText(20)),
                         Qt::AlignRight | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(nameOf(layer), Qt::ElideLeft, layerRoom() - 8));
    paintCells(painter, m_scale);
    paintFrame(painter, pointedAt(), theme.text, 1);
    paintFrame(painter, m_chosen, hasFocus() ? theme.accent : theme.text, 2);
    if (!rangeOf(m_values).any())
        return;
    const QRectF last = cell(rows() - 1, columns() - 1);
    const double right = std::min<double>(std::max(last.right(), first.left() + 200), width() - double(endOfBar));
    paintColourBar(
        painter, QRectF(first.left() + 1, last.bottom() + barGap + titleRoom(), right - first.left() - 2, headRamp),
        m_scale, titleRoom() > 0 ? titleOfBar(static_cast<int>(right - first.left())) : QString(), chartStyle());
}

void HeadOverview::keyPressEvent(QKeyEvent* event)
{
    if (const auto next = steppedFrom(m_chosen, *event))
        emit chosen(next->row, next->column);
    else
        CellGrid::keyPressEvent(event);
}

}  // namespace attnscope

#include "moc_head_overview.cpp"
