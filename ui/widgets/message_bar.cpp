#include "ui/widgets/message_bar.h"

#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"

#include "ui/widgets/theme.h"

#include <QAccessible>
#include <QApplication>
#include <QRegularExpression>
#include <QStatusBar>

#include <algorithm>
#include <utility>

namespace attnscope {

namespace {

constexpr int readMilliseconds = 6000, noteMilliseconds = 20'000;  // a note may have to be thought about
constexpr int messageAir = 24;                                     // pixels, at its sides
constexpr int lineAir = 2;    // above and below it in the status line: it touches neither a card nor the window's edge
constexpr int overWords = 8;  // at its sides where it lies over the words of the status line
constexpr int floatsAbove = 10;  // of the status line or of the window's lower edge, where it has several lines

constexpr const char* kindWords[] = {"done", "note", "error"};  // of Kind, for the style sheet

/// What the command line writes between backticks stands between quotation marks here.
QString inWords(QString message)
{
    static const QRegularExpression quoted(u"`([^`]*)`"_s);
    return message.replace(quoted, u"\u201C\\1\u201D"_s);
}

}  // namespace

MessageBar::MessageBar(QWidget* over)
    : QFrame(over), m_text(selectableParagraph(nullptr))  // plain: names of files are in it, and may look like markup
{
    setObjectName(u"messageBar"_s);
    QToolButton* close = iconButton(u"close"_s, u"Hide the message"_s, u"Hide the message"_s, 14);
    close->setAutoRaise(true);
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    close->setFixedHeight(fontMetrics().height());  // the status line is no higher
    m_line = inRow(this, {{m_text, 1}, {close, 0, Qt::AlignVCenter}}, 8, {16, 0, 8, 0});
    m_goes.setSingleShot(true);
    connect(&m_goes, &QTimer::timeout, this, [this] {
        isAncestorOf(QApplication::focusWidget()) ? goLater() : hide();  // nothing goes under a key that is pressed
    });
    if (over)
        over->installEventFilter(this);
    hide();
}

/// Where the words of the status line end, and a gap further.
int MessageBar::besideWords(const QStatusBar& line) const
{
    int end = 0;
    for (const QLabel* words : line.findChildren<QLabel*>())
        if (const QString said = words->accessibleName(); words->isVisible() && !said.isEmpty())
            end = std::max(end, words->mapTo(parentWidget(), QPoint()).x() +
                                    std::min(words->width(), words->fontMetrics().horizontalAdvance(said)));
    return end + messageAir;
}

/// As wide as its text in one line, if there is room, above everything else. In the status line where it is one line:
/// beside the words there, or over all of them, which say less than what is above the line.
void MessageBar::place()
{
    if (!parentWidget())
        return;
    const int window = parentWidget()->width(), around = m_line->sizeHint().width() - m_text->sizeHint().width(),
              line = around + m_text->fontMetrics().horizontalAdvance(m_text->text()) + 4;
    const auto* statusLine = parentWidget()->findChild<QStatusBar*>(QString(), Qt::FindDirectChildrenOnly);
    const bool hasStatus = statusLine && !statusLine->isHidden(),
               oneLine = line <= window - 2 * messageAir && !m_text->text().contains(QLatin1Char('\n')),
               floats = !hasStatus || !oneLine,
               overlies = !floats && besideWords(*statusLine) + line + messageAir > window;
    const int wide = overlies ? window - 2 * overWords : std::min(line, window - 2 * messageAir);
    const int air = floats ? 4 : 0, border = height() - contentsRect().height();
    m_line->setContentsMargins(16, air, 8, air);
    const int inLine = hasStatus ? statusLine->height() - 2 * lineAir : 0;
    for (QAbstractButton* button : findChildren<QAbstractButton*>())  // else it lies on what is marked above it
        button->setMaximumHeight(floats ? QWIDGETSIZE_MAX : inLine - border);
    const int aboveText = floats ? 3 : 0;  // of several lines: a button beside one is higher
    m_text->setContentsMargins(0, aboveText, 0, aboveText);
    const int needs =
        (m_line->hasHeightForWidth() ? m_line->heightForWidth(wide - border) : m_line->sizeHint().height()) + border;
    const int high = floats ? needs : inLine, last = window - (overlies ? overWords : messageAir) - wide,
              left = floats || overlies ? 0 : besideWords(*statusLine);
    const int foot = !floats     ? parentWidget()->height() - lineAir
                     : hasStatus ? statusLine->y() - withText(floatsAbove)
                                 : parentWidget()->height() - withText(floatsAbove);
    setGeometry(std::clamp((window - wide) / 2, std::min(left, last), last), foot - high, wide, high);
    raise();
    emit covers(parentWidget()->height() - y());
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && isVisible())
        place();
    return QFrame::eventFilter(watched, event);
}

void MessageBar::showEvent(QShowEvent* event)
{
    place();
    QFrame::showEvent(event);
}

void MessageBar::hideEvent(QHideEvent* event)
{
    emit covers(0);
    QFrame::hideEvent(event);
}

/// It stays while the pointer is on it.
void MessageBar::enterEvent(QEnterEvent* event)
{
    m_goes.stop();
    QFrame::enterEvent(event);
}

void MessageBar::leaveEvent(QEvent* event)
{
    goLater();
    QFrame::leaveEvent(event);
}

void MessageBar::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if ((event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) && isVisible())
        place();
}

void MessageBar::addButton(const Action& action)
{
    QPushButton* button = pushButton(action.text, action.teaches, QString(action.text).remove(u"\u2026"_s));
    connect(button, &QPushButton::clicked, this, [this, run = action.run] {
        hide();
        run();
    });
    m_line->insertWidget(m_line->count() - 1, button, 0, Qt::AlignVCenter);
    m_buttons.push_back(button);
    button->show();  // else place() does not count with it
}

void MessageBar::say(Kind kind, const QString& message, std::vector<Action> actions)
{
    for (QPushButton* button : m_buttons) {
        button->hide();
        button->deleteLater();  // it may be the one that was just pressed
    }
    m_buttons.clear();
    for (const Action& action : actions)
        addButton(action);
    m_kind = kind;
    m_ofFile = false;
    setState(*this, "kind", kindWords[static_cast<int>(kind)]);
    styleAnew(*m_text);
    m_text->setText(inWords(message));
    setAccessibleName(m_text->text());
    setVisible(!message.isEmpty());
    if (isVisible())
        place();
    m_stays = kind == Kind::Error || (kind == Kind::Note && !actions.empty());  // an offer waits for its answer
    goLater();
    if (showsError()) {
        QAccessibleEvent alert(this, QAccessible::Alert);
        QAccessible::updateAccessibility(&alert);
    }
}

void MessageBar::goLater()
{
    m_stays ? m_goes.stop() : m_goes.start(m_kind == Kind::Done ? readMilliseconds : noteMilliseconds);
}

void MessageBar::stay()
{
    m_stays = true;
    goLater();
}

void MessageBar::sayAlso(Kind kind, const QString& message, std::vector<Action> actions)
{
    if (!showsError())
        return say(kind, message, std::move(actions));
    for (const Action& action : actions)
        addButton(action);
    m_ofFile = false;
    m_text->setText(m_text->text() + QLatin1Char('\n') + inWords(message));
    setAccessibleName(m_text->text());
    place();
}

void MessageBar::sayOfFile(Kind kind, const QString& message, std::vector<Action> actions)
{
    say(kind, message, std::move(actions));
    m_ofFile = true;
}

void MessageBar::forgetFile()
{
    if (std::exchange(m_ofFile, false))
        hide();
}

bool MessageBar::showsError() const { return m_kind == Kind::Error && !isHidden(); }

QString MessageBar::message() const { return isHidden() ? QString() : m_text->text(); }

}  // namespace attnscope

#include "moc_message_bar.cpp"
