#include "ui/widgets/number_control.h"

#include "ui/plot/qt_text.h"
#include "ui/widgets/accessible_number.h"
#include "ui/widgets/building.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QSignalBlocker>
#include <QSlider>
#include <QTextDocument>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attnscope {

namespace {
constexpr int sliderSteps = 1200;
constexpr int wheelPauseMilliseconds = 600;  // after which another turn is another step of undo
}

NumberControl::NumberControl(const QString& caption, const NumberScale& scale, const QString& teaches, QWidget* parent)
    : QWidget(parent), m_scale(scale), m_teaches(teaches), m_value(scale.minimum),
      m_slider(new QSlider(Qt::Horizontal)), m_field(new QLineEdit), m_caption(captionFor(m_field, caption, teaches))
{
    tellSliderValues();
    inRow(this, {m_caption, {m_slider, 1}, m_field}, 8);
    m_caption->setFixedWidth(captionWidth);
    m_field->setFixedWidth(72);
    m_field->setAlignment(Qt::AlignRight);
    takesNumbers(*m_field);
    described(m_slider, caption, teaches)
        ->setMinimumWidth(24);  // in a narrow window the field is whole, and the slider gives way
    m_slider->setRange(0, sliderSteps);
    m_slider->setPageStep(sliderSteps / 20);
    m_slider->setAccessibleDescription(teaches);
    m_field->setAccessibleName(caption + u", typed"_s);
    m_field->setAccessibleDescription(teaches);
    m_slider->installEventFilter(this);
    m_field->installEventFilter(this);
    m_caption->installEventFilter(this);
    m_caption->setCursor(Qt::SizeHorCursor);
    m_caption->setToolTip(teaches);
    setToolTip(teaches);
    setFocusProxy(m_slider);

    connect(m_slider, &QSlider::valueChanged, this, [this](int step) {
        const double place = step / double(sliderSteps);
        take(m_slider->isSliderDown() ? m_scale.fromPixel(place, m_slider->width())
                                      : m_scale.fromFraction(place));  // the wheel turns by less than a pixel
    });
    m_wheelRests.setSingleShot(true);
    m_wheelRests.setInterval(wheelPauseMilliseconds);
    connect(&m_wheelRests, &QTimer::timeout, this, &NumberControl::finished);
    connect(m_field, &QLineEdit::textEdited, this, [this] {
        const bool wrong = !m_scale.read(m_field->text()) && !meansToFollow(m_field->text());
        markField(wrong);
        if (wrong)
            sayBelowField(m_field->toolTip());
        else
            QToolTip::hideText();
    });
    connect(m_field, &QLineEdit::editingFinished, this, &NumberControl::readField);
    markField(false);
    showValue();
}

QWidget* NumberControl::captionLabel() const { return m_caption; }
QString NumberControl::valueText() const { return m_field->text(); }

void NumberControl::setValue(double value)
{
    if (std::exchange(m_value, value) != value || m_following)
        withdraw();  // what was refused is of no use any more; and who follows says what
    showValue();
}

void NumberControl::setScale(const NumberScale& scale)
{
    m_scale = scale;
    withdraw();
    showValue();
}

void NumberControl::letFollow(const QString& name)
{
    m_followedName = name;
    m_follow =
        toolButton(u"= "_s + name, u"Follow %1 again"_s.arg(name), u"%1: follow %2"_s.arg(m_caption->text(), name));
    layout()->addWidget(m_follow);
    connect(m_follow, &QToolButton::clicked, this, &NumberControl::follow);
    setFollowing(true);
}

void NumberControl::setFollowing(bool following)
{
    if (following == m_following)
        return;
    m_following = following;
    if (m_follow)
        m_follow->setVisible(!following);
    withdraw();
    showValue();
}

void NumberControl::follow()
{
    setFollowing(true);
    emit followed();
    emit finished();
}

bool NumberControl::meansToFollow(const QString& typed) const
{
    QString name = typed.simplified();
    if (name.startsWith(QLatin1Char('=')))
        name = name.mid(1).trimmed();
    return !m_followedName.isEmpty() && name == m_followedName;
}

QString NumberControl::followingTip() const
{
    if (m_followedName.isEmpty())
        return {};
    return m_following ? u"; follows %1 until a number is typed, %2 now"_s.arg(m_followedName, m_scale.write(m_value))
                       : u"; type %1 to follow it again"_s.arg(m_followedName);
}

QString NumberControl::shownText() const { return m_following ? u"= "_s + m_followedName : m_scale.write(m_value); }

void NumberControl::setSliderVisible(bool visible)
{
    m_slider->setVisible(visible);
    setFocusProxy(visible ? static_cast<QWidget*>(m_slider) : m_field);
}

bool NumberControl::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::KeyPress:
        return stepByKey(watched, *static_cast<QKeyEvent*>(event));
    case QEvent::KeyRelease:
        if (!static_cast<QKeyEvent*>(event)->isAutoRepeat())
            emit finished();
        break;
    case QEvent::MouseButtonPress:
        emit finished();  // whatever went on before has ended
        if (const auto& press = *static_cast<QMouseEvent*>(event);
            watched == m_caption && press.button() == Qt::LeftButton) {
            m_scrubbedAt = press.globalPosition().x();
            m_scrubbed = m_scale.toFraction(m_value);
            return true;
        }
        break;
    case QEvent::MouseMove:
        if (watched == m_caption && m_scrubbedAt)
            scrub(*static_cast<QMouseEvent*>(event));
        break;
    case QEvent::MouseButtonRelease:
        m_scrubbedAt.reset();
        emit finished();
        if (watched == m_field && m_following && !m_field->hasSelectedText())
            m_field->selectAll();  // it is no number to edit, but one can be typed in its place
        break;
    case QEvent::FocusOut:
        if (watched == m_field && m_refused &&
            static_cast<QFocusEvent*>(event)->reason() != Qt::ActiveWindowFocusReason)
            withdraw();
        break;
    case QEvent::Wheel:
        m_wheelRests.start();
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

/// A caption that is dragged sideways moves its number: as a long slider would, with Shift as one ten times as long.
void NumberControl::scrub(const QMouseEvent& move)
{
    const int length =
        move.modifiers() & Qt::ShiftModifier ? 8000 : 800;  // pixels from one end of the scale to the other
    const double by = (move.globalPosition().x() - *m_scrubbedAt) / length;
    m_scrubbedAt = move.globalPosition().x();
    m_scrubbed = std::clamp(m_scrubbed + by, 0.0, 1.0);
    take(m_scale.fromPixel(m_scrubbed, length));
    showValue();
}

bool NumberControl::stepByKey(QObject* watched, const QKeyEvent& key)
{
    if (watched == m_field && key.key() == Qt::Key_Escape) {
        withdraw();
        m_field->setText(shownText());
        QToolTip::hideText();
        return false;
    }
    const bool slider = watched == m_slider;
    const int many = key.modifiers() & Qt::ShiftModifier ? 12 : 1;
    int steps = 0;
    if (key.key() == Qt::Key_Up || (slider && key.key() == Qt::Key_Right))
        steps = many;
    else if (key.key() == Qt::Key_Down || (slider && key.key() == Qt::Key_Left))
        steps = -many;
    if (steps == 0)
        return false;
    take(m_scale.stepped(m_value, steps));
    showValue();
    return true;
}

void NumberControl::take(double value)
{
    if (value == m_value && !m_following)
        return;
    m_value = value;
    withdraw();
    setFollowing(false);
    m_field->setText(shownText());
    emit edited(m_value);
}

void NumberControl::enter(double value)
{
    take(m_scale.clamped(value));
    showValue();
    emit finished();
}

/// What does not read stays as it was typed, in red, as long as the keyboard is there to mend it, and the number does
/// not change elsewhere; then it is as it was.
void NumberControl::readField()
{
    const QString typed = m_field->text();
    if (meansToFollow(typed)) {
        follow();
    } else if (const auto value = m_scale.read(typed); value && typed != shownText()) {
        take(*value);
        emit finished();
    } else if (!value && typed != shownText() && !typed.trimmed().isEmpty()) {
        m_refused = true;
        markField(true);
        QTimer::singleShot(0, this, [this, why = m_field->toolTip()] {
            sayBelowField(why);
        });  // once the keyboard is elsewhere, which ends what is said
        if (m_field->hasFocus())
            return;
    }
    withdraw();
    m_field->setText(shownText());
    showValue();
}

void NumberControl::withdraw()
{
    if (std::exchange(m_refused, false))
        m_field->setText(shownText());
    markField(false);
}

void NumberControl::sayBelowField(const QString& what)
{
    QToolTip::showText(m_field->mapToGlobal(QPoint(0, m_field->height())), what, m_field);
}

void NumberControl::markField(bool wrong)
{
    setState(*m_field, "wrong", wrong);
    m_field->setToolTip(wrong ? Qt::convertFromPlainText(u"%1 cannot be used: expected %2"_s.arg(
                                                             m_field->text(), m_scale.expectation().toLower()),
                                                         Qt::WhiteSpaceNormal)
                              : u"%1\n%2%3"_s.arg(m_teaches, m_scale.expectation(), followingTip()));
}

void NumberControl::showValue()
{
    const QSignalBlocker blocker(m_slider);
    m_slider->setValue(static_cast<int>(std::lround(m_scale.toFraction(m_value) * sliderSteps)));
    const QString text = shownText();
    if (!m_refused && text != m_field->text() &&
        (!m_field->hasFocus() || !m_field->isModified() || m_scale.read(m_field->text())))
        m_field->setText(text);
}

}  // namespace attnscope

#include "moc_number_control.cpp"
