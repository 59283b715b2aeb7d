#include "ui/window/controls/message_bar.h"

#include "ui/window/icons.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>

namespace attnscope {

MessageBar::MessageBar(QWidget* parent) : QFrame(parent), m_text(new QLabel)
{
    setObjectName(QStringLiteral("messageBar"));
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setTextFormat(Qt::PlainText);  // names of files are in it, and may look like markup
    auto* close = new QToolButton;
    close->setIcon(icon(QStringLiteral("close")));
    close->setIconSize({14, 14});
    close->setAutoRaise(true);
    close->setAccessibleName(tr("Hide the message"));
    close->setToolTip(tr("Hide the message"));
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    m_line = new QHBoxLayout(this);
    m_line->setContentsMargins(12, 5, 6, 5);
    m_line->setSpacing(8);
    m_line->addWidget(m_text, 1);
    m_line->addWidget(close, 0, Qt::AlignTop);
    hide();
}

void MessageBar::addButton(const Action& action)
{
    auto* button = new QPushButton(action.text);
    button->setToolTip(action.teaches);
    button->setAccessibleName(QString(action.text).remove(QStringLiteral("\u2026")));
    connect(button, &QPushButton::clicked, this, [this, run = action.run] {
        hide();
        run();
    });
    m_line->insertWidget(m_line->count() - 1, button, 0, Qt::AlignTop);
    m_buttons.push_back(button);
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
    setProperty("kind", kind == Kind::Error ? "error" : "note");
    style()->unpolish(this);
    style()->polish(this);
    m_text->setText(message);
    m_text->style()->unpolish(m_text);
    m_text->style()->polish(m_text);
    setAccessibleName(message);
    setVisible(!message.isEmpty());
    if (showsError()) {
        QAccessibleEvent alert(this, QAccessible::Alert);
        QAccessible::updateAccessibility(&alert);
    }
}

bool MessageBar::showsError() const { return m_kind == Kind::Error && !isHidden(); }

QString MessageBar::message() const { return isHidden() ? QString() : m_text->text(); }

}  // namespace attnscope

#include "moc_message_bar.cpp"
