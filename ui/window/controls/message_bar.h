#pragma once
// One line across the window that says what is wrong and what to do, or what the reader should know. Never a box that must
// be clicked away.

#include <QFrame>

class QLabel;
class QToolButton;

namespace attnscope {

class MessageBar : public QFrame {
    Q_OBJECT
public:
    enum class Kind { Note, Error };

    explicit MessageBar(QWidget* parent = nullptr);
    void say(Kind kind, const QString& message);
    QString message() const;

private:
    QLabel* m_text;
};

}  // namespace attnscope
