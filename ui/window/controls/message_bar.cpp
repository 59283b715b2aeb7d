#include "ui/window/controls/message_bar.h"

#include "ui/window/icons.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QToolButton>

namespace attnscope {

MessageBar::MessageBar(QWidget* parent) : QFrame(parent), m_text(new QLabel)
{
    setObjectName(QStringLiteral("messageBar"));
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setAccessibleName(tr("Message"));
    auto* close = new QToolButton;
    close->setIcon(icon(QStringLiteral("close")));
    close->setIconSize({14, 14});
    close->setAutoRaise(true);
    close->setAccessibleName(tr("Hide the message"));
    close->setToolTip(tr("Hide the message"));
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 5, 6, 5);
    layout->addWidget(m_text, 1);
    layout->addWidget(close, 0, Qt::AlignTop);
    hide();
}

void MessageBar::say(Kind kind, const QString& message)
{
    setProperty("kind", kind == Kind::Error ? "error" : "note");
    style()->unpolish(this);
    style()->polish(this);
    m_text->setText(message);
    m_text->style()->unpolish(m_text);
    m_text->style()->polish(m_text);
    setVisible(!message.isEmpty());
}

QString MessageBar::message() const { return isHidden() ? QString() : m_text->text(); }

}  // namespace attnscope
