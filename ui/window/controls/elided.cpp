#include "ui/window/controls/elided.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStyleOption>
#include <QStylePainter>
#include <QToolTip>

#include <algorithm>

namespace attnscope {

namespace {

/// The whole text above what the widget teaches.
void showWhole(QHelpEvent* event, QWidget* widget, const QString& whole)
{
    const QString teaches = widget->toolTip();
    QToolTip::showText(event->globalPos(), teaches.isEmpty() || teaches == whole ? whole.toHtmlEscaped()
                                           : QStringLiteral("<b>%1</b><br>%2").arg(whole.toHtmlEscaped(), teaches), widget);
}

}  // namespace

void ElidedLabel::setText(const QString& text)
{
    if (text == m_text)
        return;
    m_text = text;
    setAccessibleName(text);  // QLabel's own text is not this one
    if (sizePolicy().horizontalPolicy() == QSizePolicy::Ignored)
        update();
    else
        QLabel::setText(text);
}

bool ElidedLabel::isElided() const { return fontMetrics().horizontalAdvance(text()) > contentsRect().width(); }

bool ElidedLabel::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || !isElided())
        return QLabel::event(event);
    showWhole(static_cast<QHelpEvent*>(event), this, text());
    return true;
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    const QString shown = isElided() ? fontMetrics().elidedText(text(), m_mode, contentsRect().width()) : text();
    if (shown == QStringLiteral("\u2026"))
        return;  // it would say nothing
    QPainter painter(this);
    style()->drawItemText(&painter, contentsRect(), int(Qt::AlignVCenter) | int(alignment() & Qt::AlignHorizontal_Mask), palette(), isEnabled(), shown, foregroundRole());
}

WrappedLabel::WrappedLabel(QWidget* parent) : QLabel(parent)
{
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void WrappedLabel::setText(const QString& text)
{
    if (text == m_text)
        return;
    const int before = heightForWidth(width());
    m_text = text;
    m_height = {-1, 0};
    setAccessibleName(text);
    if (heightForWidth(width()) != before)
        updateGeometry();
    update();
}

int WrappedLabel::heightForWidth(int width) const
{
    if (m_height.first != width)
        m_height = {width, measuredHeight(width)};
    return m_height.second;
}

void WrappedLabel::changeEvent(QEvent* event)
{
    m_height = {-1, 0};  // the font may be another
    QLabel::changeEvent(event);
}

int WrappedLabel::measuredHeight(int width) const
{
    return fontMetrics().boundingRect(QRect(0, 0, std::max(1, width), QWIDGETSIZE_MAX), Qt::TextWordWrap | Qt::TextWrapAnywhere, m_text).height();
}

QSize WrappedLabel::sizeHint() const { return {200, heightForWidth(width())}; }

void WrappedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    style()->drawItemText(&painter, rect(), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap | Qt::TextWrapAnywhere, palette(), isEnabled(), m_text, foregroundRole());
}

ElidedList::ElidedList(QWidget* parent) : QComboBox(parent)
{
    connect(this, &QComboBox::currentTextChanged, this, &QWidget::updateGeometry);
}

QSize ElidedList::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(currentText().isEmpty() ? placeholderText() : currentText()) + around(), QComboBox::sizeHint().height()};
}

QSize ElidedList::minimumSizeHint() const { return {around() + 2 * fontMetrics().averageCharWidth(), QComboBox::sizeHint().height()}; }

int ElidedList::around() const { return property("compact").toBool() ? 28 : 40; }

int ElidedList::textRoom() const
{
    QStyleOptionComboBox option;
    initStyleOption(&option);
    return style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).width() - 2;
}

bool ElidedList::isElided() const { return fontMetrics().horizontalAdvance(currentText()) > textRoom(); }

bool ElidedList::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || !isElided())
        return QComboBox::event(event);
    showWhole(static_cast<QHelpEvent*>(event), this, currentText());
    return true;
}

void ElidedList::paintEvent(QPaintEvent*)
{
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    if (currentIndex() < 0)
        option.currentText = placeholderText();
    option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideRight, textRoom());
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

}  // namespace attnscope

#include "moc_elided.cpp"
