#pragma once
// Every key of the window on one sheet, laid over it: F1 shows it, any key or click hides it.

#include <QPointer>
#include <QWidget>

namespace attnscope {

class ShortcutsOverlay : public QWidget {
    Q_OBJECT
public:
    explicit ShortcutsOverlay(QWidget* window);
    /// Keys and what they do, as shown: from the window's actions, then those of the maps and the sliders.
    std::vector<std::pair<QString, QString>> keys() const;
    void toggle();

protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent*) override { hide(); }
    void keyPressEvent(QKeyEvent*) override { hide(); }
    void hideEvent(QHideEvent*) override;

private:
    QRect sheet() const;

    QPointer<QWidget> m_before;  ///< had the keyboard
};

}  // namespace attnscope
