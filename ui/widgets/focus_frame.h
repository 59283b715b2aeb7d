#pragma once
// Who has the keyboard. A view that paints itself shows a frame once a key has brought the keyboard to it; what a click
// has chosen is under the pointer and needs none. And the way that Tab goes through a window.

#include <QObject>

class QPainter;
class QRectF;
class QWidget;

namespace attnscope {

class FocusFrame : public QObject {
public:
    /// A part of the view, which paints it.
    explicit FocusFrame(QWidget& view);
    bool isShown() const { return m_shown; }
    /// Around `inside`; on the screen, not in pictures of the view.
    void paint(QPainter& painter, const QRectF& inside) const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget& m_view;
    bool m_shown = false;
};

/// Painted into a picture, not onto the screen.
bool isGrabbed(const QWidget& view, const QPainter& painter);

/// To the next control in sight of the window, or the one before. Not to a widget that hands the keyboard to a part of
/// its own: from there Tab would go round between the two for ever. Nor to a panel behind others in tabs.
bool focusNextIn(QWidget& window, bool next);

}  // namespace attnscope
