#include "ui/explore/pin_card.h"

#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/theme.h"

#include <QMouseEvent>
#include <QPainter>
#include <QTimerEvent>

#include <algorithm>
#include <utility>

namespace attnscope {

namespace {

constexpr int holdMilliseconds = 180;  // a click is shorter
constexpr int inset = 6;

}  // namespace

QStringList pinLines(const QString& words, const QFontMetrics& letters, int firstRoom, int room, int most)
{
    const auto left = [&](const QStringList& lines) { return lines.isEmpty() ? firstRoom : room; };
    QStringList lines, rest = unbroken(words).split(u' ', Qt::SkipEmptyParts);
    QString line;
    while (!rest.isEmpty() && lines.size() < most - 1) {
        const QString longer = line.isEmpty() ? rest.front() : line + u' ' + rest.front();
        const bool fits = letters.horizontalAdvance(longer) <= left(lines);
        if (fits || line.isEmpty()) {  // a name of a file says most with its beginning and its end
            line = fits ? longer : letters.elidedText(longer, Qt::ElideMiddle, left(lines));
            rest.removeFirst();
        }
        if (!fits)
            lines << std::exchange(line, {});
    }
    rest.prepend(line);
    rest.removeAll(QString());
    if (!rest.isEmpty())  // which shows that there is more
        lines << letters.elidedText(rest.join(u' '), rest.size() > 1 ? Qt::ElideRight : Qt::ElideMiddle, left(lines));
    return lines;
}

PinCard::PinCard(int number, QWidget* parent) : QAbstractButton(parent), m_number(number)
{
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
}

/// As wide as its words in one line, up to some.
QSize PinCard::sizeHint() const
{
    const int high = withText(window()->height() < lowWindow ? 42 : 60),
              words = fontMetrics().horizontalAdvance(u"%1   %2"_s.arg(m_number).arg(m_words));
    return {std::clamp(high + 2 * inset + words, withText(120), withText(236)), high};
}

void PinCard::show(const QImage& map, const QString& words, bool isShown)
{
    m_map = map;
    if (words != m_words)
        updateGeometry();
    m_words = words;
    m_isShown = isShown;
    setAccessibleName(u"Pin %1: %2"_s.arg(m_number).arg(words));
    setToolTip(
        u"Pin %1: %2\nClick: go back to it. Hold it, or the key %1: see it while it is held."_s.arg(m_number).arg(
            words));
    update();
}

void PinCard::mousePressEvent(QMouseEvent* event)
{
    QAbstractButton::mousePressEvent(event);
    if (event->button() == Qt::LeftButton)
        m_timer = startTimer(holdMilliseconds);
}

void PinCard::timerEvent(QTimerEvent* event)
{
    if (event->timerId() != m_timer)
        return QAbstractButton::timerEvent(event);
    killTimer(std::exchange(m_timer, 0));
    m_held = true;
    emit held();
}

void PinCard::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_timer)
        killTimer(std::exchange(m_timer, 0));
    if (std::exchange(m_held, false)) {
        setDown(false);  // it was looked at, not chosen
        emit letGo();
        return;
    }
    QAbstractButton::mouseReleaseEvent(event);
}

void PinCard::paintEvent(QPaintEvent*)
{
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(QPen(hasFocus() || m_isShown ? theme.accent : theme.border, hasFocus() || m_isShown ? 2 : 1));
    painter.setBrush(underMouse() || isDown() ? theme.window : theme.surface);
    painter.drawRoundedRect(box, 6, 6);

    const int side = height() - 2 * inset;
    const QRect picture(inset, inset, side, side);
    painter.fillRect(picture, theme.window);
    if (!m_map.isNull())
        painter.drawImage(picture, m_map);

    const int left = picture.right() + 1 + inset + 2;
    const QFontMetrics metrics = fontMetrics();
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    const QString number = QString::number(m_number);
    const int indent = QFontMetrics(bold).horizontalAdvance(number) + 6;

    const int mostLines = std::max(1, (height() - inset) / metrics.height()), room = width() - inset - left;
    const QStringList lines = pinLines(m_words, metrics, room - indent, room, mostLines);
    double y = (height() - static_cast<int>(lines.size()) * metrics.height()) / 2 + metrics.ascent();
    painter.setFont(bold);
    painter.setPen(theme.text);
    painter.drawText(QPointF(left, y), number);
    painter.setFont(font());
    painter.setPen(theme.muted);
    for (int line = 0; line < lines.size(); ++line, y += metrics.height())
        painter.drawText(QPointF(left + (line == 0 ? indent : 0), y), lines[line]);
}

}  // namespace attnscope

#include "moc_pin_card.cpp"
