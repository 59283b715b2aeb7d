#pragma once
// Beside the play button: which number is played, and how fast.

#include <QWidget>

class QComboBox;

namespace attnscope {

class Document;
class Player;

class PlayerBar : public QWidget {
    Q_OBJECT
public:
    PlayerBar(Document& document, Player& player, QWidget* parent = nullptr);
    QComboBox* numbers() const { return m_numbers; }
    QComboBox* speeds() const { return m_speeds; }

private:
    void refresh();

    Document& m_document;
    Player& m_player;
    QComboBox* m_numbers;
    QComboBox* m_speeds;
};

}  // namespace attnscope
