#include "ui/window/views/head_overview.h"

#include "core/analysis/head_numbers.h"
#include "ui/plot/heatmap_paint.h"
#include "ui/plot/plot_style.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/typeset.h"
#include "ui/window/theme.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope {

namespace {
constexpr int layerRoom = 58, headRoom = 20, barRoom = 32, barTitle = 16, barGap = 8, largestHeadCell = 40,
              cellMargin = 2, headRamp = 8, lowHeight = 180;

/// The least and the largest that is known; none is: the first is above the second.
std::pair<double, double> rangeOf(const HeadValues& values)
{
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const std::vector<double>& layer : values)
        for (const double value : layer)
            if (std::isfinite(value)) {
                low = std::min(low, value);
                high = std::max(high, value);
            }
    return {low, high};
}

/// Of numbers whose sign tells something.
ColourScale aroundZero(double low, double high)
{
    const double most = low <= high ? std::max({std::abs(low), std::abs(high), 1e-9}) : 1;
    return {.low = -most,
            .high = most,
            .log = false,
            .map = findColourMap("diverging").value_or(nullptr),
            .zeroIsBlank = false};
}

}  // namespace

HeadOverview::HeadOverview(QWidget* parent) : QWidget(parent), m_measure(&headMeasures().front())
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Heads"));
    setToolTip(tr("Every head of the model: a row a layer, a column a head. A click or the arrow keys choose one"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void HeadOverview::setValues(HeadValues values, const ColourMap* map, const HeadMeasure& measure)
{
    const auto [low, high] = rangeOf(values);
    const ColourScale scale{
        .low = low, .high = high > low ? high : low + 1e-9, .log = false, .map = map, .zeroIsBlank = false};
    m_sides = {};
    take(std::move(values), measure.ofLosses ? aroundZero(low, high) : scale, measure);
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
    take(std::move(difference), aroundZero(low, high), measure);
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
    if (layer == m_layer && head == m_head)
        return;
    m_layer = layer;
    m_head = head;
    update();
    tell();
}

QSize HeadOverview::sizeHint() const
{
    return {layerRoom + heads() * 30, headRoom + std::clamp(layers() * 30, 80, 360) + barRoom + barTitle};
}

/// Where there is little height the cells have it: what the bar measures stands in the list above too.
int HeadOverview::titleRoom() const { return height() < lowHeight ? 0 : barTitle; }

QRectF HeadOverview::cell(int layer, int head) const
{
    const double wide = std::min<double>(largestHeadCell * 2.4, (width() - layerRoom - cellMargin) /
                                                                    static_cast<double>(std::max(1, heads())));
    const double tall = std::min<double>(largestHeadCell, (height() - headRoom - barRoom - titleRoom() - cellMargin) /
                                                              static_cast<double>(std::max(1, layers())));
    return {layerRoom + head * wide, headRoom + layer * tall, wide, tall};
}

std::pair<int, int> HeadOverview::at(QPointF position) const
{
    const QRectF first = cell(0, 0);
    const int head = static_cast<int>(std::floor((position.x() - first.left()) / first.width()));
    const int layer = static_cast<int>(std::floor((position.y() - first.top()) / first.height()));
    return head >= 0 && head < heads() && layer >= 0 && layer < layers() ? std::pair(layer, head) : std::pair(-1, -1);
}

QString HeadOverview::reading(int layer, int head) const
{
    if (layer < 0 || layer >= layers() || head < 0 || head >= heads())
        return {};
    return tr("%1, head %2: %3")
        .arg(layer < m_names.size() ? m_names[layer] : tr("Layer %1").arg(layer))
        .arg(head)
        .arg(valueOf(layer, head));
}

QString HeadOverview::valueOf(int layer, int head) const
{
    const auto inWords = [&](const HeadValues& values) {
        const double value = values[static_cast<size_t>(layer)][static_cast<size_t>(head)];
        return std::isfinite(value) ? attnscope::tr(m_measure->unit).arg(value, 0, 'g', 3) : tr("not known");
    };
    if (m_sides.front().size() != m_values.size() || m_sides.back().size() != m_values.size())
        return inWords(m_values);
    return tr("A %1, B %2").arg(inWords(m_sides.front()), inWords(m_sides.back()));
}

/// What is measured, as its whole title where that has room.
QString HeadOverview::titleOfBar(int room) const
{
    const PlotStyle style = chartStyle();
    const auto ofWhat = [&](const char* words) {
        const QString title = attnscope::tr(words);
        return m_sides.back().empty() ? title : tr("%1: B less A").arg(title);
    };
    const QString title = ofWhat(m_measure->title);
    return Typeset(title, style.font(style.small)).width() > room ? ofWhat(m_measure->label) : title;
}

QString HeadOverview::tip(int layer, int head) const
{
    return QStringLiteral("<b>%1</b><br>%2: %3<br><small>%4</small>")
        .arg(tr("%1, head %2")
                 .arg((layer < m_names.size() ? m_names[layer] : tr("Layer %1").arg(layer)).toHtmlEscaped())
                 .arg(head),
             attnscope::tr(m_measure->label), valueOf(layer, head), attnscope::tr(m_measure->about));
}

bool HeadOverview::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto [layer, head] = at(help->pos());
    if (layer < 0)
        return QWidget::event(event);  // what all of it is
    QToolTip::showText(help->globalPos(), tip(layer, head), this, cell(layer, head).toAlignedRect());
    return true;
}

void HeadOverview::paintEvent(QPaintEvent*)
{
    if (m_values.empty())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = currentTheme();
    const PlotStyle style = chartStyle();
    const QFont small = style.font(style.small);
    painter.setFont(small);
    painter.setPen(theme.muted);
    const QFontMetrics metrics(small);
    const QRectF first = cell(0, 0);
    const int everyHead = std::max(1, static_cast<int>(std::ceil(20 / first.width()))),
              everyLayer = std::max(1, static_cast<int>(std::ceil(metrics.height() / first.height())));
    painter.drawText(QRectF(0, 0, layerRoom - 8, headRoom - 4), Qt::AlignRight | Qt::AlignVCenter, tr("head"));
    for (int head = 0; head < heads(); head += everyHead)
        painter.drawText(QRectF(cell(0, head).left() - 20, 0, first.width() + 40, headRoom - 4), Qt::AlignCenter,
                         QString::number(head));
    for (int layer = 0; layer < layers(); layer += everyLayer)
        painter.drawText(QRectF(0, cell(layer, 0).center().y() - 10, layerRoom - 8, 20),
                         Qt::AlignRight | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(nameOf(layer), Qt::ElideLeft, layerRoom - 8));
    const double gap = first.height() > 9 && first.width() > 9 ? 1 : 0.25;
    bool any = false;
    for (int layer = 0; layer < layers(); ++layer)
        for (int head = 0; head < heads(); ++head) {
            const double value = m_values[static_cast<size_t>(layer)][static_cast<size_t>(head)];
            const QRectF box = cell(layer, head).adjusted(gap, gap, -gap, -gap);
            any = any || std::isfinite(value);
            painter.setPen(std::isfinite(value) ? QPen(Qt::NoPen) : QPen(theme.border));
            painter.setBrush(std::isfinite(value) ? QBrush(QColor(m_scale.colour(value))) : QBrush(theme.window));
            painter.drawRoundedRect(box, 3, 3);
        }
    painter.setBrush(Qt::NoBrush);
    const auto frame = [&](std::pair<int, int> of, const QColor& colour, double width) {
        painter.setPen(QPen(theme.surface, width + 2));
        painter.drawRoundedRect(cell(of.first, of.second).adjusted(1, 1, -1, -1), 3, 3);
        painter.setPen(QPen(colour, width));
        painter.drawRoundedRect(cell(of.first, of.second).adjusted(1, 1, -1, -1), 3, 3);
    };
    if (m_pointed.first >= 0)
        frame(m_pointed, theme.text, 1);
    if (m_layer >= 0 && m_layer < layers() && m_head < heads())
        frame({m_layer, m_head}, hasFocus() ? theme.accent : theme.text, 2);
    if (!any)
        return;
    const QRectF last = cell(layers() - 1, heads() - 1);
    const double right = std::min<double>(std::max(last.right(), first.left() + 200), width() - 16.0);
    paintColourBar(painter,
                   QRectF(first.left() + 1, last.bottom() + barGap + titleRoom(), right - first.left() - 2, headRamp),
                   m_scale, titleRoom() > 0 ? titleOfBar(static_cast<int>(width() - first.left())) : QString(), style);
}

void HeadOverview::mousePressEvent(QMouseEvent* event)
{
    if (const auto [layer, head] = at(event->position()); layer >= 0 && event->button() == Qt::LeftButton)
        emit chosen(layer, head);
}

void HeadOverview::mouseMoveEvent(QMouseEvent* event)
{
    const auto now = at(event->position());
    setCursor(now.first >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (now == m_pointed)
        return;
    m_pointed = now;
    emit pointed(reading(now.first, now.second));
    update();
}

void HeadOverview::leaveEvent(QEvent*)
{
    m_pointed = {-1, -1};
    emit pointed({});
    update();
}

void HeadOverview::keyPressEvent(QKeyEvent* event)
{
    const int right = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    const int down = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    if ((right == 0 && down == 0) || m_values.empty())
        return QWidget::keyPressEvent(event);
    emit chosen(std::clamp(m_layer + down, 0, layers() - 1), std::clamp(m_head + right, 0, heads() - 1));
}

void HeadOverview::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        update();
    QWidget::changeEvent(event);
}

/// A screen reader hears which head is chosen, and its number.
void HeadOverview::tell()
{
    const QString now = reading(m_layer, m_head);
    if (now == accessibleDescription())
        return;
    setAccessibleDescription(now);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

}  // namespace attnscope

#include "moc_head_overview.cpp"
