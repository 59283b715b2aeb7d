#pragma once
// A page that one looks at: in the middle of its room, or larger than that and moved by hand. With Ctrl the wheel asks
// for another size.

#include <QImage>
#include <QPoint>
#include <QScrollArea>

class QLabel;

namespace attnscope {

class PageView : public QScrollArea {
    Q_OBJECT
public:
    explicit PageView(QWidget* parent = nullptr);
    /// Of which `ratio` pixels are one of the screen's coordinates.
    void show(const QImage& image, double ratio);
    /// In the page's place.
    void say(const QString& text);
    /// For a page that is to be seen whole, in the screen's coordinates.
    QSize room() const;

signals:
    void zoomAsked(int steps);  ///< above 0: larger
    void roomChanged();

protected:
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QLabel* m_page;
    QPoint m_held;  ///< where the pointer was last
};

}  // namespace attnscope
