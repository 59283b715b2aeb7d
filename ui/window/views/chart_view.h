#pragma once
// A ChartSpec in the window: draws it through QCustomPlot, tells what is hovered and clicked, lets strong reference lines (the
// markers at n and N) be dragged or moved with the arrow keys, and marks what is pointed at elsewhere. While a line is dragged the
// axis below it stays, whatever is shown: the pointer means the same from press to release. Knows nothing of attention.

#include "ui/plot/chart.h"
#include "ui/window/views/chart_mark.h"

#include <qcustomplot.h>

#include <optional>

namespace attnscope {

class ChartMarkLayer;

class ChartView : public QCustomPlot {
    Q_OBJECT
public:
    explicit ChartView(QWidget* parent = nullptr);
    void show(ChartSpec spec);
    const ChartSpec& spec() const { return m_spec; }
    /// Stays until another one is set, over new data too. Drawing it does not draw the chart again.
    void setMark(ChartMark mark);
    const ChartMark& mark() const;
    /// Series of this style stand out, the others step back; -1: all alike.
    void setEmphasis(int style);
    int emphasis() const { return m_emphasis; }
    QSize sizeHint() const override { return {380, 280}; }
    QSize minimumSizeHint() const override { return {220, 150}; }

signals:
    void hovered(QPointF value, std::optional<attnscope::ChartHit> hit);
    void left();
    void clicked(QPointF value, std::optional<attnscope::ChartHit> hit);
    void lineDragged(int line, double value);
    void lineReleased(int line);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    int strongLineAt(QPointF position) const;
    void redraw();
    void endDrag();

    ChartSpec m_spec;
    ChartMarkLayer* m_mark;
    int m_emphasis = -1;
    int m_draggedLine = -1;
    int m_steppedLine = -1;  ///< by a key that is held
    std::optional<std::pair<double, double>> m_heldRange;  ///< of the abscissa, while a line is dragged
};

}  // namespace attnscope
