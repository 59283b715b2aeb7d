#pragma once
// Texts in little room: labels and a drop-down list that end in an ellipsis where they do not fit, and then say all of
// it in their tool tips. As wide as their text where there is room. A text that changes with every step of a slider
// must not lay out the window anew: where its place does not depend on it, these labels only paint it. Their text is
// their name for screen readers.

#include <QComboBox>
#include <QLabel>
#include <QStringList>
#include <QTextLayout>

class QTextDocument;

namespace attnscope {

/// One line.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    using QLabel::QLabel;
    /// Without a new layout where the width is not the text's (a policy of Ignored).
    void setText(const QString& text);
    QString text() const { return m_text; }
    /// What stands there where the whole text has no room.
    void setShortText(const QString& text) { setShortTexts(text.isEmpty() ? QStringList() : QStringList{text}); }
    /// The first of them that has room, else the last one with its ellipsis.
    void setShortTexts(const QStringList& texts);
    /// In smaller type: for all labels of a row, where one has no room for its whole text but so.
    void setSmall(bool small);
    bool needsSmall() const;
    /// In smaller type, the text that stands in place of the whole one; `index`: of setShortTexts().
    bool fitsShort(qsizetype index) const;
    /// Short whether it has room or not: likewise, where one has no room for its whole text at all.
    void setShort(bool isShort);
    /// As it is painted.
    QString shown() const;
    QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }
    bool isElided() const;
    /// Where the ellipsis stands; at the right by default.
    void setElideMode(Qt::TextElideMode mode) { m_mode = mode; }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QFont usedFont() const;
    bool fits(const QString& text, const QFont& in) const;
    QString m_text;
    QStringList m_short;
    bool m_small = false, m_isShort = false;
    mutable int m_advance = -1;  ///< of the text in its type; -1: to be measured
    Qt::TextElideMode m_mode = Qt::ElideRight;
};

/// Facts in as many lines as it is high, each fact a piece of HTML: as many as there is room for, and all of them in
/// the tool tip. Never lays out the window anew.
class FactLine : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    /// `spare`: this many at the beginning stand elsewhere too, and go first where there is little room.
    void setFacts(const QStringList& facts, qsizetype spare = 0);
    /// All of them.
    QString text() const;
    /// How many are shown.
    qsizetype shown() const;
    /// A line of its type, or two of the smaller one.
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    bool fitsOneLine(QTextDocument& lines) const;
    qsizetype fill(QTextDocument& lines) const;
    QStringList m_facts;
    qsizetype m_spare = 0;
    bool m_small = false;  ///< once some facts took two lines: what changes under the pointer keeps its place and size
};

/// Several lines; laid out anew only when their number changes.
/// With no-break spaces, so that lines end before a sign outside of brackets ("= 1.37", not within "(1 - 64)"), within
/// brackets where a piece would else be wider than a line.
QString wrappableFormula(const QString& formula, int width, const QFontMetrics& letters);

class WrappedLabel : public QLabel {
    Q_OBJECT
public:
    explicit WrappedLabel(QWidget* parent = nullptr);
    void setText(const QString& text);
    /// As text, but what stands behind a ^, and in brackets there, is raised and the ^ is not seen.
    void setFormula(const QString& formula);
    QString text() const { return m_text; }
    /// As high as this formula, whatever is shown: of what takes more lines the last side, "m = 1.11", and all of it in
    /// the tip.
    void setRoomOf(const QString& formula);
    /// As it is painted.
    QString shown() const;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {40, fontMetrics().height()}; }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void lay(int width) const;
    int layText(QString text, int width) const;
    QString m_text, m_roomOf;
    bool m_isFormula = false;
    mutable QString m_shown;
    mutable QTextLayout m_lines;
    mutable int m_laidFor = -1;  ///< the width of its lines; -1: they are not laid
    mutable int m_height = 0;    ///< of them together
};

/// As wide as the item that is chosen now, not as the widest of them.
class ElidedList : public QComboBox {
    Q_OBJECT
public:
    explicit ElidedList(QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool isElided() const;
    /// Where its text begins.
    int textLeft() const;
    /// As wide as its widest item.
    void showPopup() override;

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    int textRoom(int width) const;
    int around() const;  ///< frame, padding and arrow
    QString shownText() const;
    QString elidedText() const;
};

}  // namespace attnscope
