#include "ui/widgets/length_scrubber.h"

#include "ui/plot/qt_text.h"
#include "ui/widgets/accessible_number.h"
#include "ui/widgets/building.h"
#include "ui/widgets/theme.h"

#include <QAccessible>
#include <QMouseEvent>
#include <QPainter>
#include <QPaintEvent>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace attnscope {

namespace {

constexpr int usualHeight = 34, handleHeight = 18, sideMargin = 22;  // half of a number at the ends
constexpr int trackAt = 22;                                          // from above
constexpr double stopReach = 7;                                      // pixels from a mark that a drag stops at
constexpr double fine = 0.1;                                         // of the pointer's way, with Shift
constexpr int notch = 120;
constexpr int turnPauseMilliseconds = 600;  // after which another turn of the wheel is another step of undo

}  // namespace

LengthScrubber::LengthScrubber(const QString& name, const QString& sign, const QString& teaches, QWidget* parent)
    : QWidget(parent), m_sign(sign)
{
    tellSliderValues();
    setAccessibleName(name);
    setAccessibleDescription(teaches);
    setToolTip(teaches);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::SizeHorCursor);
    m_wheelRests.setSingleShot(true);
    m_wheelRests.setInterval(turnPauseMilliseconds);
    connect(&m_wheelRests, &QTimer::timeout, this, &LengthScrubber::finished);
}

QSize LengthScrubber::sizeHint() const { return {600, withText(usualHeight)}; }
QSize LengthScrubber::minimumSizeHint() const { return {200, withText(usualHeight)}; }

void LengthScrubber::setValue(double value)
{
    if (value == m_value)
        return;
    const QRectF before = handle();
    m_value = value;
    const double number = withText(64);  // which stands free again, or no longer
    update(before.united(handle()).adjusted(-number, 0, number, height()).toAlignedRect());
    QAccessibleValueChangeEvent changed(this, value);
    QAccessible::updateAccessibility(&changed);
}

void LengthScrubber::setScale(const NumberScale& scale)
{
    if (scale == m_scale)
        return;
    m_scale = scale;
    m_ticks.reset();
    update();
}

void LengthScrubber::setMarks(std::vector<Mark> marks)
{
    if (marks == m_marks)
        return;
    m_marks = std::move(marks);
    m_ticks.reset();
    update();
}

void LengthScrubber::enter(double value)
{
    take(m_namedStopsOnly ? magnetic(place(value)) : m_scale.clamped(value));
    emit finished();
}

QString LengthScrubber::valueText() const { return u"%1 = %2"_s.arg(m_sign, lengthText(m_value)); }

QRectF LengthScrubber::track() const
{
    const double side = withText(sideMargin), high = 4;
    return {side, withText(trackAt) - high / 2, width() - 2 * side, high};
}

double LengthScrubber::place(double value) const
{
    const QRectF along = track();
    return along.left() + m_scale.toFraction(value) * along.width();
}

double LengthScrubber::at(double place) const
{
    const QRectF along = track();
    return m_scale.fromFraction(std::clamp((place - along.left()) / along.width(), 0.0, 1.0));
}

/// Powers of two, the lengths with a name, and both ends.
std::vector<double> LengthScrubber::stops() const
{
    if (m_namedStopsOnly && !m_marks.empty()) {
        std::vector<double> named;
        std::ranges::transform(m_marks, std::back_inserter(named), &Mark::at);
        std::ranges::sort(named);
        return named;
    }
    std::vector<double> stops{m_scale.minimum};
    for (double power = 1; power <= m_scale.maximum; power *= 2)
        if (power > m_scale.minimum)
            stops.push_back(power);
    for (const Mark& mark : m_marks)
        if (mark.at >= m_scale.minimum && mark.at <= m_scale.maximum)
            stops.push_back(mark.at);
    stops.push_back(m_scale.maximum);
    std::ranges::sort(stops);
    return stops;
}

double LengthScrubber::magnetic(double where) const
{
    const std::vector<double> all = stops();
    const double nearest =
        *std::ranges::min_element(all, {}, [&](double stop) { return std::abs(place(stop) - where); });
    return m_namedStopsOnly || std::abs(place(nearest) - where) <= stopReach ? nearest : at(where);
}

/// By a key or the wheel.
double LengthScrubber::stepped(int steps, bool finely) const
{
    if (!m_namedStopsOnly)
        return finely ? m_scale.clamped(m_value + steps) : m_scale.stepped(m_value, steps);
    const std::vector<double> all = stops();
    const auto now = std::ranges::lower_bound(all, m_value) - all.begin();
    return all[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(now + steps, 0, std::ssize(all) - 1))];
}

/// The text of the length, above the point of the track where it is.
QRectF LengthScrubber::handle() const
{
    const QFont bold = demiBold(font());
    const double wide = QFontMetricsF(bold).horizontalAdvance(valueText()) + withText(16), middle = place(m_value);
    return {std::clamp(middle - wide / 2, 0.0, std::max(0.0, width() - wide)), 0, wide, double(withText(handleHeight))};
}

/// Kept from one length to the next.
const Ticks& LengthScrubber::ticks() const
{
    if (m_ticks)
        return *m_ticks;
    m_ticks.emplace();
    if (m_namedStopsOnly)
        for (const Mark& mark : m_marks)
            m_ticks->major.push_back({mark.at, mark.name});
    else
        m_ticks = chooseTicks(m_scale.minimum, m_scale.maximum, true, TickText::Lengths,
                              static_cast<int>(track().width() / withText(64)));
    const PlotStyle style = chartStyle();
    const QFontMetricsF metrics(style.font(style.small));
    m_tickWidths.clear();
    for (const Tick& major : m_ticks->major)
        m_tickWidths.push_back(metrics.horizontalAdvance(major.text));
    return *m_ticks;
}

/// Those that stand in what is painted anew.
void LengthScrubber::drawMarks(QPainter& painter, const QRectF& exposed) const
{
    const Theme& theme = currentTheme();
    const PlotStyle style = chartStyle();
    const QFont small = style.font(style.small);
    const QFontMetricsF metrics(small);
    painter.setFont(small);
    const QRectF along = track();
    const Ticks& ticks = this->ticks();
    const double tick = withText(4);
    painter.setPen(QPen(theme.outline, 1));
    const auto stroke = [&](double value, double length) {
        const double x = std::round(place(value)) + 0.5;
        painter.drawLine(QPointF(x, along.top() - length), QPointF(x, along.top()));
    };
    for (const double minor : ticks.minor)
        stroke(minor, tick);
    for (const Tick& major : ticks.major)
        stroke(major.at, tick);
    const double base = along.top() - tick - metrics.descent() - 1, apart = withText(4);
    std::vector<QRectF> taken{handle().adjusted(-3, 0, 3, 0)};
    const auto write = [&](double value, const QString& text, double wide) {
        const QRectF place =
            QRectF(std::clamp(this->place(value) - wide / 2, 0.0, std::max(0.0, width() - wide)), 0, wide, base + 1);
        const auto meets = [&](const QRectF& other) {
            return place.left() < other.right() && place.right() > other.left();
        };
        if (text.isEmpty() || std::ranges::any_of(taken, meets))
            return;
        taken.push_back(place.adjusted(-apart, 0, apart, 0));
        if (meets(exposed))
            painter.drawText(QPointF(place.left(), base), text);
    };
    painter.setPen(QPen(theme.accent, 1.5));
    for (const Mark& mark : m_marks)  // before the numbers, where both have not room
        if (!mark.isPlain && mark.at >= m_scale.minimum && mark.at <= m_scale.maximum) {
            const double x = place(mark.at), under = along.bottom() + 1;
            painter.drawLine(QPointF(x, under), QPointF(x, under + tick));
            write(mark.at, mark.name, metrics.horizontalAdvance(mark.name));
        }
    painter.setPen(theme.muted);
    for (std::size_t i = 0; i < ticks.major.size(); ++i)
        write(ticks.major[i].at, ticks.major[i].text, m_tickWidths[i]);
}

void LengthScrubber::drawHandle(QPainter& painter) const
{
    const Theme& theme = currentTheme();
    const QRectF along = track(), box = handle();
    const double x = place(m_value);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accent);
    painter.drawRoundedRect(box, 6, 6);
    painter.drawRect(QRectF(x - 1, box.bottom() - 1, 2, along.top() - box.bottom() + 2));
    painter.setPen(QPen(hasFocus() ? theme.text : theme.accent, hasFocus() ? 2 : 1.5));
    painter.setBrush(m_drag || underMouse() ? theme.accent : theme.surface);
    painter.drawEllipse(QPointF(x, along.center().y()), 5.5, 5.5);
    const QFont bold = demiBold(font());
    painter.setFont(bold);
    painter.setPen(theme.onAccent);
    painter.drawText(box, Qt::AlignCenter, valueText());
}

void LengthScrubber::paintEvent(QPaintEvent* event)
{
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF along = track();
    drawMarks(painter, event->rect());
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.border);
    painter.drawRoundedRect(along, 2, 2);
    painter.setBrush(theme.accent);
    painter.drawRoundedRect(QRectF(along.topLeft(), QPointF(place(m_value), along.bottom())), 2, 2);
    drawHandle(painter);
}

void LengthScrubber::take(double value)
{
    if (value == m_value)
        return;
    setValue(value);
    emit edited(value);
}

/// On the handle it is taken hold of where it is; elsewhere it comes to the pointer.
void LengthScrubber::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    endGesture();
    const double x = event->position().x();
    const bool held = handle().contains(event->position()) || std::abs(x - place(m_value)) <= stopReach;
    m_drag = Drag{x, held ? place(m_value) : x};
    if (!held)
        take(magnetic(x));
    update();
}

void LengthScrubber::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_drag)
        return;
    const bool finely = event->modifiers() & Qt::ShiftModifier;
    const QRectF along = track();
    m_drag->place += (event->position().x() - m_drag->pointer) * (finely ? fine : 1);
    m_drag->pointer = event->position().x();
    take(finely && !m_namedStopsOnly ? at(m_drag->place)
                                     : magnetic(std::clamp(m_drag->place, along.left(), along.right())));
}

void LengthScrubber::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        endGesture();
}

void LengthScrubber::endGesture()
{
    m_wheelRests.stop();
    m_drag.reset();
    update();
    emit finished();
}

void LengthScrubber::wheelEvent(QWheelEvent* event)
{
    m_turned += event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
    const int steps = m_turned / notch;
    m_turned -= steps * notch;
    if (steps != 0)
        take(stepped(steps, event->modifiers() & Qt::ShiftModifier));
    m_wheelRests.start();
    event->accept();
}

void LengthScrubber::keyPressEvent(QKeyEvent* event)
{
    const bool up = event->key() == Qt::Key_Right || event->key() == Qt::Key_Up;
    if (up || event->key() == Qt::Key_Left || event->key() == Qt::Key_Down) {
        const int step = up ? 1 : -1;
        return take(stepped(step, event->modifiers() & Qt::ShiftModifier));
    }
    const std::vector<double> all = stops();
    if (event->key() == Qt::Key_PageUp) {
        const auto next = std::ranges::upper_bound(all, m_value);
        return take(next == all.end() ? m_value : *next);
    }
    if (event->key() == Qt::Key_PageDown) {
        const auto next = std::ranges::lower_bound(all, m_value);
        return take(next == all.begin() ? m_value : *std::prev(next));
    }
    QWidget::keyPressEvent(event);
}

void LengthScrubber::keyReleaseEvent(QKeyEvent* event)
{
    if (!event->isAutoRepeat())
        emit finished();
    QWidget::keyReleaseEvent(event);
}

/// What is no longer seen gets no release.
void LengthScrubber::hideEvent(QHideEvent* event)
{
    if (m_drag)
        endGesture();
    QWidget::hideEvent(event);
}

void LengthScrubber::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange) {
        m_ticks.reset();
        updateGeometry();
    }
    QWidget::changeEvent(event);
}

void LengthScrubber::resizeEvent(QResizeEvent* event)
{
    m_ticks.reset();
    QWidget::resizeEvent(event);
}

}  // namespace attnscope

#include "moc_length_scrubber.cpp"
