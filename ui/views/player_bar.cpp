#include "ui/views/player_bar.h"

#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/views/player.h"
#include "ui/workbench/document.h"

namespace attnscope {

PlayerBar::PlayerBar(Document& document, Player& player, QWidget* parent)
    : QWidget(parent), m_document(document), m_player(player),
      m_numbers(described(new ElidedList, u"Number to play"_s,
                          u"The number that Play moves up and down: a size, or any parameter of what is picked now"_s)),
      m_speeds(described(new ElidedList, u"Speed"_s,
                         u"How fast Play goes; \u00D7 1 takes about eight seconds from one end to the other"_s))
{
    inRow(this, {m_numbers, m_speeds}, 6, {2, 0, 6, 0});
    m_numbers->setMaximumWidth(200);
    for (const double speed : {0.25, 0.5, 1.0, 2.0, 4.0})
        m_speeds->addItem(u"\u00D7 %1"_s.arg(speed), speed);
    connect(m_numbers, &QComboBox::activated, this,
            [this] { m_player.setPlayable(m_numbers->currentData().toString()); });
    connect(m_speeds, &QComboBox::activated, this, [this] { m_player.setSpeed(m_speeds->currentData().toDouble()); });
    connect(&document, &Document::changed, this, &PlayerBar::refresh);
    connect(&player, &Player::chosen, this, &PlayerBar::refresh);
    connect(&player, &Player::playingChanged, this, &PlayerBar::refresh);
    refresh();
}

void PlayerBar::refresh()
{
    ListItems numbers;
    for (const Playable& one : m_player.playablesNow())
        numbers.emplace_back(one.label, one.id);
    refill(*m_numbers, numbers);
    m_numbers->setCurrentIndex(std::max(0, m_numbers->findData(m_player.playable())));
    m_speeds->setCurrentIndex(m_speeds->findData(m_player.speed()));
}

}  // namespace attnscope

#include "moc_player_bar.cpp"
