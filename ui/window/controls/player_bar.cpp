#include "ui/window/controls/player_bar.h"

#include "ui/window/controls/elided.h"
#include "ui/window/controls/player.h"
#include "ui/window/document.h"

#include <QHBoxLayout>

namespace attnscope {

PlayerBar::PlayerBar(Document& document, Player& player, QWidget* parent)
    : QWidget(parent), m_document(document), m_player(player), m_numbers(new ElidedList), m_speeds(new ElidedList)
{
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(2, 0, 6, 0);
    line->setSpacing(6);
    m_numbers->setAccessibleName(tr("Number to play"));
    m_numbers->setToolTip(tr("The number that Play moves up and down: a size, or any parameter of what is picked now"));
    m_numbers->setMaximumWidth(200);
    m_speeds->setAccessibleName(tr("Speed"));
    m_speeds->setToolTip(tr("How fast Play goes; \u00D7 1 takes about eight seconds from one end to the other"));
    for (const double speed : {0.25, 0.5, 1.0, 2.0, 4.0})
        m_speeds->addItem(tr("\u00D7 %1").arg(speed), speed);
    line->addWidget(m_numbers);
    line->addWidget(m_speeds);
    connect(m_numbers, &QComboBox::activated, this, [this] { m_player.setPlayable(m_numbers->currentData().toString()); });
    connect(m_speeds, &QComboBox::activated, this, [this] { m_player.setSpeed(m_speeds->currentData().toDouble()); });
    connect(&document, &Document::changed, this, &PlayerBar::refresh);
    connect(&player, &Player::chosen, this, &PlayerBar::refresh);
    connect(&player, &Player::playingChanged, this, &PlayerBar::refresh);
    refresh();
}

void PlayerBar::refresh()
{
    const std::vector<Playable> all = playables(m_document.scenario());
    bool same = m_numbers->count() == static_cast<int>(all.size());
    for (int i = 0; same && i < m_numbers->count(); ++i)
        same = m_numbers->itemData(i).toString() == all[static_cast<size_t>(i)].id;
    if (!same) {
        m_numbers->clear();
        for (const Playable& one : all)
            m_numbers->addItem(one.label, one.id);
    }
    m_numbers->setCurrentIndex(std::max(0, m_numbers->findData(m_player.playable())));
    m_speeds->setCurrentIndex(m_speeds->findData(m_player.speed()));
}

}  // namespace attnscope

#include "moc_player_bar.cpp"
