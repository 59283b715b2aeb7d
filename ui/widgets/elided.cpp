#include "ui/widgets/elided.h"

#include "ui/plot/qt_text.h"
#include "ui/widgets/theme.h"

#include <QAbstractItemView>
#include <QAbstractTextDocumentLayout>
#include <QHelpEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QStyledItemDelegate>
#include <QStyleOption>
#include <QStylePainter>
#include <QTextBlockFormat>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextDocumentFragment>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attnscope {

namespace {

/// Where the list was given a separator, a thin line: the style sheet, which has the other rows, knows none.
class ListRow : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        constexpr int lineAndAir = 9;
        return isLine(index) ? QSize(0, lineAndAir) : QStyledItemDelegate::sizeHint(option, index);
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        if (!isLine(index))
            return QStyledItemDelegate::paint(painter, option, index);
        constexpr int air = 8;
        painter->fillRect(option.rect.left() + air, option.rect.center().y(), option.rect.width() - 2 * air, 1,
                          currentTheme().border);
    }

private:
    static bool isLine(const QModelIndex& index)  // as QComboBox::insertSeparator() marks it
    {
        return index.data(Qt::AccessibleDescriptionRole) == u"separator"_s;
    }
};

/// The whole text above what the widget teaches.
void showWhole(QHelpEvent* event, QWidget* widget, const QString& whole)
{
    const QString teaches = widget->toolTip();
    QToolTip::showText(event->globalPos(),
                       teaches.isEmpty() || teaches == whole ? whole.toHtmlEscaped()
                                                             : u"<b>%1</b><br>%2"_s.arg(whole.toHtmlEscaped(), teaches),
                       widget);
}

/// Than the window's type, where there is little room.
QFont smaller(QFont font)
{
    font.setPixelSize(QFontInfo(font).pixelSize() * 11 / 13);
    return font;
}

/// From one line to the next, where there are several in the height of one.
int closeLine(const QFont& font) { return QFontMetrics(font).ascent() + 1; }

/// A line that begins with one of them begins at the edge.
QString factsInLine(const QStringList& facts) { return facts.join(u"&nbsp;&nbsp;&nbsp; "_s); }

/// A line breaks between them alone, which stand closer in small type. No tag of theirs has an attribute.
QString factsToBreak(QStringList facts, bool small = false)
{
    for (QString& fact : facts)
        fact.replace(u' ', QChar(QChar::Nbsp));
    return small ? facts.join(u"&nbsp;&nbsp; "_s) : factsInLine(facts);
}

/// How many lines it takes in this width, each of this height.
int layLines(QTextDocument& text, const QFont& font, const QString& html, int width, int lineHeight)
{
    text.setDefaultFont(font);
    text.setDocumentMargin(0);
    text.setHtml(html);
    QTextBlockFormat close;
    close.setLineHeight(lineHeight, QTextBlockFormat::FixedHeight);
    QTextCursor all(&text);
    all.select(QTextCursor::Document);
    all.mergeBlockFormat(close);
    text.setTextWidth(width);
    return static_cast<int>(std::round(text.size().height() / lineHeight));
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

void ElidedLabel::setShortTexts(const QStringList& texts)
{
    m_short = texts;
    update();
}

bool ElidedLabel::fits(const QString& text, const QFont& in) const
{
    return QFontMetrics(in).horizontalAdvance(text) <= contentsRect().width();
}

QFont ElidedLabel::usedFont() const { return m_small ? smaller(font()) : font(); }

void ElidedLabel::setSmall(bool small)
{
    if (small == std::exchange(m_small, small))
        return;
    m_advance = -1;
    update();
}

void ElidedLabel::setShort(bool isShort)
{
    if (isShort != std::exchange(m_isShort, isShort))
        update();
}

bool ElidedLabel::needsSmall() const { return !fits(m_text, font()) && fits(m_text, smaller(font())); }

bool ElidedLabel::fitsShort(qsizetype index) const
{
    return index < m_short.size() && fits(m_short[index], smaller(font()));
}

bool ElidedLabel::isElided() const
{
    if (m_advance < 0)
        m_advance = QFontMetrics(usedFont()).horizontalAdvance(m_text);
    return m_advance > contentsRect().width();
}

QString ElidedLabel::shown() const
{
    if (!isElided() && (!m_isShort || m_short.isEmpty()))
        return m_text;
    for (const QString& text : m_short)
        if (fits(text, usedFont()))
            return text;
    const QString& most = m_short.isEmpty() ? m_text : m_short.back();
    const QString shown = QFontMetrics(usedFont()).elidedText(most, m_mode, contentsRect().width());
    constexpr qsizetype saysNothing = 2;  // "l\u2026"
    return shown.size() <= saysNothing && shown.endsWith(QChar(0x2026)) ? QString() : shown;
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
    QPainter painter(this);
    painter.setFont(usedFont());
    style()->drawItemText(&painter, contentsRect(), int(Qt::AlignVCenter) | int(alignment() & Qt::AlignHorizontal_Mask),
                          palette(), isEnabled(), shown(), foregroundRole());
}

void FactLine::setFacts(const QStringList& facts, qsizetype spare)
{
    if (facts == m_facts && spare == m_spare)
        return;
    m_facts = facts;
    m_spare = spare;
    QTextDocument lines;
    m_small = m_small || !fitsOneLine(lines);
    setAccessibleName(QTextDocumentFragment::fromHtml(text()).toPlainText());
    update();
}

void FactLine::resizeEvent(QResizeEvent* event)
{
    constexpr int wholeReading = 90;  // letters: what is pointed at next has the size of what stands there now
    QTextDocument lines;
    m_small = width() < wholeReading * fontMetrics().averageCharWidth() || !fitsOneLine(lines);
    QWidget::resizeEvent(event);
}

QString FactLine::text() const { return factsInLine(m_facts); }

qsizetype FactLine::shown() const
{
    QTextDocument lines;
    return fill(lines);
}

bool FactLine::fitsOneLine(QTextDocument& lines) const
{
    return layLines(lines, font(), factsToBreak(m_facts), width(), fontMetrics().height()) <= 1;
}

/// As many of them as there is room for: in one line, else in several of smaller type.
qsizetype FactLine::fill(QTextDocument& lines) const
{
    if (!m_small && fitsOneLine(lines))
        return m_facts.size();
    const QFont small = smaller(font());
    const int lineHeight = closeLine(small), most = std::max(1, height() / lineHeight);
    const auto fits = [&](const QStringList& facts, const QString& more) {
        return layLines(lines, small, factsToBreak(facts, true) + more, width(), lineHeight) <= most;
    };
    if (fits(m_facts, {}))
        return m_facts.size();
    const QStringList needed = m_facts.mid(m_spare);
    if (m_spare > 0 && fits(needed, {}))
        return needed.size();
    const QString more = u"%1\u2026"_s.arg(QChar(QChar::Nbsp));
    qsizetype count = needed.size() - 1;
    while (!fits(needed.first(std::max<qsizetype>(1, count)), count > 0 ? more : QString()) && count > 1)
        --count;
    return std::max<qsizetype>(1, count);
}

QSize FactLine::sizeHint() const
{
    constexpr int air = 6;
    return {200, std::max(fontMetrics().height() + air, 2 * closeLine(smaller(font())))};
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
    QTextDocument lines;
    fill(lines);
    QPainter painter(this);
    painter.translate(0, std::max(0.0, (height() - lines.size().height()) / 2));  // level with what is beside it
    QAbstractTextDocumentLayout::PaintContext context;
    context.palette = palette();
    context.palette.setColor(QPalette::Text, palette().color(QPalette::WindowText));
    lines.documentLayout()->draw(&painter, context);
}

namespace {

/// Takes every "^2", "^0.5" and "^(−2/64)" out of the text but for what is raised, in one line with what it is a power
/// of; the ranges of that.
QList<QTextLayout::FormatRange> takeExponents(QString& text)
{
    static const QRegularExpression exponent(
        u"\\^(?:\\(([^()^]*)\\)|([−-]?(?:\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?|\\w+)))"_s,
        QRegularExpression::UseUnicodePropertiesOption);
    QTextCharFormat raised;
    raised.setVerticalAlignment(QTextCharFormat::AlignSuperScript);
    QList<QTextLayout::FormatRange> ranges;
    for (QRegularExpressionMatch found = exponent.match(text); found.hasMatch();
         found = exponent.match(text, ranges.back().start)) {
        QString power;
        for (const QChar letter : found.captured(found.lastCapturedIndex()))
            power.append(QChar(0x2060)).append(letter);  // a joiner: no line ends before it
        text.replace(found.capturedStart(), found.capturedLength(), power);
        ranges.push_back({static_cast<int>(found.capturedStart()), static_cast<int>(power.size()), raised});
    }
    return ranges;
}

}  // namespace

WrappedLabel::WrappedLabel(QWidget* parent) : QLabel(parent)
{
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void WrappedLabel::setFormula(const QString& formula)
{
    m_isFormula = true;
    setText(formula);
}

void WrappedLabel::setText(const QString& text)
{
    if (text == m_text)
        return;
    const int before = heightForWidth(width());
    m_text = text;
    m_laidFor = -1;
    setAccessibleName(text);
    if (heightForWidth(width()) != before)
        updateGeometry();
    update();
}

int WrappedLabel::heightForWidth(int width) const
{
    lay(width);
    return m_height;
}

void WrappedLabel::setRoomOf(const QString& formula)
{
    m_roomOf = formula;
    m_laidFor = -1;
    updateGeometry();
}

QString WrappedLabel::shown() const
{
    lay(width());
    return m_shown;
}

/// Its lines for this width, which are kept: measuring and painting shape the text once.
void WrappedLabel::lay(int width) const
{
    if (m_laidFor == width)
        return;
    m_laidFor = width;
    m_shown = m_text;
    const int room = m_roomOf.isEmpty() ? 0 : layText(m_roomOf, width);
    int high = layText(m_shown, width);
    if (const auto equals = m_text.lastIndexOf(u" = "_s); room > 0 && high > room && equals > 0) {
        m_shown = m_text.section(u" = "_s, 0, 0) + m_text.mid(equals);
        high = layText(m_shown, width);
    }
    for (auto end = m_shown.lastIndexOf(u' '); room > 0 && high > room && end > 0;
         end = m_shown.lastIndexOf(u' ', end - 1)) {
        m_shown = m_shown.first(end) + u'\u2026';
        high = layText(m_shown, width);
    }
    m_height = room > 0 ? room : high;
}

namespace {

/// Of a formula the spaces at which no line may end are no-break ones: within brackets deeper than `depth`, behind a
/// sign, and before what a function is of.
QString keptTogether(QString formula, int depth)
{
    static const QString signs = u"=+-\u2212/\u00b7*"_s;
    int in = 0;
    for (qsizetype i = 0; i < formula.size(); ++i) {
        in += formula[i] == u'(' ? 1 : formula[i] == u')' ? -1 : 0;
        if (formula[i] != u' ')
            continue;
        const QString before = formula.first(i).section(u' ', -1).section(u'(', -1).section(QChar::Nbsp, -1);
        const bool sign = before.size() == 1 && signs.contains(before.front());
        if (i == 1 || in > depth || sign || before == "E"_L1 || before == "ln"_L1 || before == "log"_L1)
            formula[i] = QChar::Nbsp;
    }
    return formula;
}

}  // namespace

QString wrappableFormula(const QString& formula, int width, const QFontMetrics& letters)
{
    constexpr int deepest = 4;
    for (int depth = 0; depth < deepest; ++depth) {
        const QString kept = keptTogether(formula, depth);
        const QStringList pieces = kept.split(u' ');
        if (std::ranges::all_of(pieces,
                                [&](const QString& piece) { return letters.horizontalAdvance(piece) <= width; }))
            return kept;
    }
    return formula;
}

/// How high it is.
int WrappedLabel::layText(QString text, int width) const
{
    text.replace(u'\n', QChar(QChar::LineSeparator));
    m_lines.setFormats(m_isFormula ? takeExponents(text) : QList<QTextLayout::FormatRange>());
    if (m_isFormula)
        text = wrappableFormula(text, width, fontMetrics());
    m_lines.setText(text);
    m_lines.setFont(font());
    m_lines.setCacheEnabled(true);
    QTextOption wraps;
    wraps.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_lines.setTextOption(wraps);
    const double leading = fontMetrics().leading();
    double height = 0;
    m_lines.beginLayout();
    for (QTextLine line = m_lines.createLine(); line.isValid(); line = m_lines.createLine()) {
        line.setLineWidth(std::max(1, width));
        line.setPosition({0, height});
        height += line.height() + leading;
    }
    m_lines.endLayout();
    return static_cast<int>(std::ceil(std::max(0.0, height - leading)));
}

bool WrappedLabel::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || shown() == m_text)
        return QLabel::event(event);
    showWhole(static_cast<QHelpEvent*>(event), this, m_text);
    return true;
}

void WrappedLabel::changeEvent(QEvent* event)
{
    m_laidFor = -1;  // the font may be another
    QLabel::changeEvent(event);
}

QSize WrappedLabel::sizeHint() const { return {200, heightForWidth(width())}; }

void WrappedLabel::paintEvent(QPaintEvent*)
{
    lay(width());
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    m_lines.draw(&painter, {});
}

ElidedList::ElidedList(QWidget* parent) : QComboBox(parent)
{
    constexpr int mostItems = 24;
    setMaxVisibleItems(mostItems);
    view()->setItemDelegate(new ListRow(this));  // which the style sheet speaks to
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

int ElidedList::textLeft() const
{
    QStyleOptionComboBox option;
    initStyleOption(&option);
    return style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).left() + 1;
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
