#pragma once
// A sheet laid over the window, which steps back behind a veil: a click beside it closes it, the keyboard then goes
// back to where it was. While it is open the keyboard is its own: no shortcut reaches the window behind it.

#include <QFrame>
#include <QPointer>
#include <QWidget>

namespace attnscope {

class Sheet : public QWidget {
    Q_OBJECT
public:
    /// `veil`: opacity of what dims the window.
    Sheet(QWidget* window, float veil);

protected:
    /// Shows the sheet and gives it the keyboard.
    void openAt(QWidget* focus);
    /// Where the frame stands in the window, whose size is this widget's.
    virtual QRect sheetGeometry() const = 0;
    QFrame* frame() const { return m_frame; }
    /// For when sheetGeometry() says another place.
    void placeFrame() { m_frame->setGeometry(sheetGeometry()); }

    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent*) override { hide(); }
    void showEvent(QShowEvent*) override;
    void hideEvent(QHideEvent*) override;

private:
    void place();

    QFrame* m_frame;
    float m_veil;
    QPointer<QWidget> m_before;  ///< had the keyboard
};

}  // namespace attnscope
