#include "ui/window/controls/message_bar.h"

#include "ui/window/controls/building.h"

#include <QAccessible>

namespace attnscope {

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent), m_text(paragraph(nullptr))  // plain: names of files are in it, and may look like markup
{
    setObjectName(QStringLiteral("messageBar"));
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QToolButton* close = iconButton(QStringLiteral("close"), tr("Hide the message"), tr("Hide the message"), 14);
    close->setAutoRaise(true);
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    m_line = inRow(this, {{m_text, 1}, {close, 0, Qt::AlignTop}}, 8, {12, 5, 6, 5});
    hide();
}

void MessageBar::addButton(const Action& action)
{
    QPushButton* button =
        pushButton(action.text, action.teaches, QString(action.text).remove(QStringLiteral("\u2026")));
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
    setState(*this, "kind", kind == Kind::Error ? "error" : "note");
    styleAnew(*m_text);
    m_text->setText(message);
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
