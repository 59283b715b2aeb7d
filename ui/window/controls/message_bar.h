#pragma once
// One line across the window that says what is wrong and what to do, or what the reader should know, with buttons that
// do it. Never a box that must be clicked away.

#include <QFrame>

#include <functional>
#include <vector>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace attnscope {

class MessageBar : public QFrame {
    Q_OBJECT
public:
    enum class Kind { Note, Error };
    struct Action {
        QString text, teaches;
        std::function<void()> run;
    };

    explicit MessageBar(QWidget* parent = nullptr);
    /// The bar hides when one of the actions is taken.
    void say(Kind kind, const QString& message, std::vector<Action> actions = {});
    QString message() const;
    bool showsError() const;
    const std::vector<QPushButton*>& buttons() const { return m_buttons; }

private:
    void addButton(const Action& action);

    Kind m_kind = Kind::Note;
    QLabel* m_text;
    QHBoxLayout* m_line;
    std::vector<QPushButton*> m_buttons;
};

}  // namespace attnscope
