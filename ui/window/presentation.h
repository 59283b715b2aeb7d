#pragma once
// The stage: one view alone on the whole screen, in large type, for a room to see. In Explore one chooses which with a
// letter, and steps through an open lesson or through the pins with Space and Shift+Space, or Page Down and Page Up,
// which a presenter's clicker sends; the other workspaces come as they are, without what stands around them. Leaving it
// puts everything back.

#include <QObject>
#include <QString>

#include <vector>

class QKeyEvent;
class QWidget;

namespace attnscope {

class MainWindow;

class Presentation : public QObject {
    Q_OBJECT
public:
    static constexpr double textScale = 1.5;

    explicit Presentation(MainWindow& window);
    bool isOn() const { return m_on; }
    void setOn(bool on);
    /// One of exploreViews().
    void show(const QString& view);
    const QString& view() const { return m_view; }
    /// To the next (1) or the one before (-1): step of the lesson that is open, or pin.
    void step(int by);
    /// True where the key was meant for the stage.
    bool takes(const QKeyEvent& key);

signals:
    void turned(bool on);

private:
    void enter();
    void leave();
    void dress(bool onStage);
    QString focusedView() const;
    bool hasLesson() const;

    MainWindow& m_window;
    bool m_on = false;
    QString m_view;
    Qt::WindowStates m_state;        ///< likewise
    std::vector<QWidget*> m_hidden;  ///< bars, to be shown again
};

}  // namespace attnscope
