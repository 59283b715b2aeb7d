#pragma once
// What is wrong and what to do, what the reader should know, or what is done, with buttons that do more. It stands in
// the status line or floats over the lower edge of the window and moves nothing; what needs no answer goes by itself,
// and above those that float the page ends. Never a box to be clicked away.

#include <QFrame>
#include <QTimer>

#include <functional>
#include <vector>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QStatusBar;

namespace attnscope {

class MessageBar : public QFrame {
    Q_OBJECT
public:
    enum class Kind { Done, Note, Error };
    struct Action {
        QString text, teaches;
        std::function<void()> run;
    };

    /// `over`: where it floats.
    explicit MessageBar(QWidget* over = nullptr);
    /// The bar hides when one of the actions is taken.
    void say(Kind kind, const QString& message, std::vector<Action> actions = {});
    /// The same, below an error that stands there, and with its actions beside those of that.
    void sayAlso(Kind kind, const QString& message, std::vector<Action> actions);
    /// What was said last stays until something else is said.
    void stay();
    /// What was said last is of a file, and of no use once another one is opened.
    void sayOfFile(Kind kind, const QString& message, std::vector<Action> actions = {});
    /// Another file is opened: what was said of the one before goes.
    void forgetFile();
    QString message() const;
    bool showsError() const;
    const std::vector<QPushButton*>& buttons() const { return m_buttons; }

signals:
    /// How high the foot of the window is that it covers; 0: it is hidden.
    void covers(int pixels);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void addButton(const Action& action);
    void place();
    int besideWords(const QStatusBar& line) const;
    void goLater();

    Kind m_kind = Kind::Note;
    bool m_stays = false;
    bool m_ofFile = false;
    QLabel* m_text;
    QHBoxLayout* m_line;
    std::vector<QPushButton*> m_buttons;
    QTimer m_goes{this};  ///< what is no error, when it has been read
};

}  // namespace attnscope
