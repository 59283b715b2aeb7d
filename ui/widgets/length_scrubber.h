#pragma once
// A length in the hand: a logarithmic track over the whole width with marks at powers of two and at lengths that have
// a name. A drag stops at marks; with Shift it is ten times finer and stops nowhere. Arrow keys and the wheel step by
// a twelfth of a doubling, with Shift by one; Page Up and Down go from mark to mark. Where only its named lengths
// exist, a drag, a key and the wheel go from one of them to the next. finished() closes a gesture, so that a drag is
// one step of undo, as is a key while it is held, or a turn of the wheel.

#include "ui/plot/ticks.h"
#include "ui/widgets/number_scale.h"

#include <QTimer>
#include <QWidget>

#include <optional>
#include <vector>

namespace attnscope {

class LengthScrubber : public QWidget {
    Q_OBJECT
public:
    struct Mark {
        double at = 0;
        QString name;
        bool isPlain = false;  ///< a stop like others, without a mark below the track
        bool operator==(const Mark&) const = default;
    };

    LengthScrubber(const QString& name, const QString& sign, const QString& teaches, QWidget* parent = nullptr);

    double value() const { return m_value; }
    const NumberScale& scale() const { return m_scale; }
    /// Show; report nothing.
    void setValue(double value);
    void setScale(const NumberScale& scale);
    void setMarks(std::vector<Mark> marks);
    const std::vector<Mark>& marks() const { return m_marks; }
    /// There is nothing between the marks.
    void setNamedStopsOnly(bool only)
    {
        m_namedStopsOnly = only;
        m_ticks.reset();
    }
    /// As if it had been dragged there.
    void enter(double value);
    /// Where a length stands, in pixels from the left.
    double place(double value) const;
    /// As it is written on the handle.
    QString valueText() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void edited(double value);
    void finished();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    double at(double place) const;
    double magnetic(double place) const;
    std::vector<double> stops() const;
    double stepped(int steps, bool finely) const;
    QRectF track() const;
    QRectF handle() const;
    void take(double value);
    void endGesture();
    const Ticks& ticks() const;
    void drawMarks(QPainter& painter, const QRectF& exposed) const;
    void drawHandle(QPainter& painter) const;

    QString m_sign;
    NumberScale m_scale{2, 1 << 20, true, true};
    double m_value = 2;
    std::vector<Mark> m_marks;
    bool m_namedStopsOnly = false;
    mutable std::optional<Ticks> m_ticks;      ///< none: to be chosen
    mutable std::vector<double> m_tickWidths;  ///< of the texts of the major ones
    struct Drag {
        double pointer = 0;  ///< where it was last
        double place = 0;    ///< where the hand is, as it moved
    };
    std::optional<Drag> m_drag;
    int m_turned = 0;  ///< of a notch of the wheel
    QTimer m_wheelRests;
};

}  // namespace attnscope
