#include "ui/window/controls/elided.h"

#include "ui/plot/qt_text.h"
#include "ui/window/theme.h"

#include <QAbstractItemView>
#include <QAbstractTextDocumentLayout>
#include <QHelpEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QStyleOption>
#include <QStylePainter>
#include <QTextDocument>
#include <QTextDocumentFragment>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

/// The whole text above what the widget teaches.
void showWhole(QHelpEvent* event, QWidget* widget, const QString& whole)
{
    const QString teaches = widget->toolTip();
    QToolTip::showText(event->globalPos(),
                       teaches.isEmpty() || teaches == whole ? whole.toHtmlEscaped()
                                                             : u"<b>%1</b><br>%2"_s.arg(whole.toHtmlEscaped(), teaches),
                       widget);
}

QString factsInLine(const QStringList& facts) { return facts.join(u" &nbsp;&nbsp; "_s); }

void setLine(QTextDocument& line, const QFont& font, const QString& html)
{
    line.setDefaultFont(font);
    line.setDocumentMargin(0);
    line.setHtml(html);
}

}  // namespace

void ElidedLabel::setText(const QString& text)
{
    if (text == m_text)
        return;
    m_text = text;
    m_advance = -1;
    setAccessibleName(text);  // QLabel's own text is not this one
    if (sizePolicy().horizontalPolicy() == QSizePolicy::Ignored)
        update();
    else
        QLabel::setText(text);
}

void ElidedLabel::setShortText(const QString& text)
{
    m_short = text;
    update();
}

bool ElidedLabel::isElided() const
{
    if (m_advance < 0)
        m_advance = fontMetrics().horizontalAdvance(m_text);
    return m_advance > contentsRect().width();
}

bool ElidedLabel::event(QEvent* event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        m_advance = -1;
    if (event->type() != QEvent::ToolTip || !isElided())
        return QLabel::event(event);
    showWhole(static_cast<QHelpEvent*>(event), this, text());
    return true;
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    const bool elided = isElided();
    const QString& most = elided && !m_short.isEmpty() ? m_short : text();
    const QString shown = elided ? fontMetrics().elidedText(most, m_mode, contentsRect().width()) : most;
    if (shown == u"\u2026"_s)
        return;  // it would say nothing
    QPainter painter(this);
    style()->drawItemText(&painter, contentsRect(), int(Qt::AlignVCenter) | int(alignment() & Qt::AlignHorizontal_Mask),
                          palette(), isEnabled(), shown, foregroundRole());
}

void FactLine::setFacts(const QStringList& facts)
{
    if (facts == m_facts)
        return;
    m_facts = facts;
    setAccessibleName(QTextDocumentFragment::fromHtml(text()).toPlainText());
    update();
}

QString FactLine::text() const { return factsInLine(m_facts); }

qsizetype FactLine::shown() const
{
    QTextDocument line;
    const int room = width() - fontMetrics().horizontalAdvance(u" \u2026"_s);
    for (qsizetype count = m_facts.size(); count > 1; --count) {
        setLine(line, font(), factsInLine(m_facts.first(count)));
        if (line.idealWidth() <= (count == m_facts.size() ? width() : room))
            return count;
    }
    return std::min<qsizetype>(1, m_facts.size());
}

bool FactLine::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || shown() == m_facts.size())
        return QWidget::event(event);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), u"%1<hr>%2"_s.arg(text(), toolTip()), this);
    return true;
}

void FactLine::paintEvent(QPaintEvent*)
{
    const qsizetype count = shown();
    QTextDocument line;
    setLine(line, font(), factsInLine(m_facts.first(count)) + (count < m_facts.size() ? u" \u2026"_s : QString()));
    QPainter painter(this);
    painter.translate(0, (height() - line.size().height()) / 2);
    QAbstractTextDocumentLayout::PaintContext context;
    context.palette = palette();
    context.palette.setColor(QPalette::Text, palette().color(QPalette::WindowText));
    line.documentLayout()->draw(&painter, context);
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
    return fontMetrics()
        .boundingRect(QRect(0, 0, std::max(1, width), QWIDGETSIZE_MAX), Qt::TextWordWrap | Qt::TextWrapAnywhere, m_text)
        .height();
}

QSize WrappedLabel::sizeHint() const { return {200, heightForWidth(width())}; }

void WrappedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    style()->drawItemText(&painter, rect(), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap | Qt::TextWrapAnywhere,
                          palette(), isEnabled(), m_text, foregroundRole());
}

ElidedList::ElidedList(QWidget* parent) : QComboBox(parent)
{
    constexpr int mostItems = 24;
    setMaxVisibleItems(mostItems);
    view()->setItemDelegate(new QStyledItemDelegate(this));  // which the style sheet speaks to
    connect(this, &QComboBox::currentTextChanged, this, &QWidget::updateGeometry);
}

void ElidedList::showPopup()
{
    view()->setMinimumWidth(view()->sizeHintForColumn(0) + 2 * view()->frameWidth() +
                            (count() > maxVisibleItems() ? style()->pixelMetric(QStyle::PM_ScrollBarExtent) : 0) + 8);
    QComboBox::showPopup();
}

QSize ElidedList::sizeHint() const
{
    ensurePolished();                                                          // the style sheet has its font
    const double text = QFontMetricsF(font()).horizontalAdvance(shownText());  // of which a fraction elides it all
    return {static_cast<int>(std::ceil(text)) + around(), QComboBox::sizeHint().height()};
}

QSize ElidedList::minimumSizeHint() const
{
    return {around() + 5 * fontMetrics().averageCharWidth(), QComboBox::sizeHint().height()};
}

/// By the style itself, whichever it is: what it does not leave to the text of a list of any width.
int ElidedList::around() const
{
    constexpr int any = 400;
    return any - textRoom(any);
}

int ElidedList::textRoom(int width) const
{
    QStyleOptionComboBox option;
    initStyleOption(&option);
    option.rect.setWidth(width);
    return style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).width() - 2;
}

QString ElidedList::shownText() const { return currentText().isEmpty() ? placeholderText() : currentText(); }

QString ElidedList::elidedText() const
{
    return fontMetrics().elidedText(shownText(), Qt::ElideRight, textRoom(width()));
}

bool ElidedList::isElided() const { return elidedText() != shownText(); }

bool ElidedList::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || !isElided())
        return QComboBox::event(event);
    showWhole(static_cast<QHelpEvent*>(event), this, currentText());
    return true;
}

/// As wide as its text in another font.
void ElidedList::changeEvent(QEvent* event)
{
    QComboBox::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        updateGeometry();
}

void ElidedList::paintEvent(QPaintEvent*)
{
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    option.currentText = elidedText();
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

}  // namespace attnscope

#include "moc_elided.cpp"
