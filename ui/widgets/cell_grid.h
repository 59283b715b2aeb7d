#pragma once
// Cells coloured by numbers, rows from top to bottom: the base of what shows heads by layer, and needles by depth. The
// pointer reads a cell, a click picks it.

#include "ui/plot/colour_map.h"

#include <QWidget>

#include <optional>

namespace attnscope {

class CellGrid : public QWidget {
    Q_OBJECT
public:
    struct At {
        int row = -1, column = -1;
        bool operator==(const At&) const = default;
    };
    /// In widget coordinates.
    virtual QRectF cell(int row, int column) const = 0;

signals:
    void pointed(const QString& reading);  ///< empty: nothing is pointed at

protected:
    explicit CellGrid(QWidget* parent);

    virtual int rows() const = 0;
    virtual int columns() const = 0;
    virtual double value(At at) const = 0;  ///< not finite: there is none, and the cell is drawn empty
    virtual QString reading(At at) const = 0;
    /// Where that says more than the reading; empty: no tool tip lies over the cells.
    virtual QString tip(At) const { return {}; }
    virtual void pick(At at) = 0;  ///< it was clicked

    bool has(At at) const { return at.row >= 0 && at.row < rows() && at.column >= 0 && at.column < columns(); }
    At pointedAt() const { return m_pointed; }
    void pointAt(At at);
    /// Of an arrow key, a step by a row or a column; nothing of another key, or of a grid without cells.
    std::optional<At> steppedFrom(At at, const QKeyEvent& key) const;
    /// Cells and what stands around them; the painter has the small letters of charts, muted.
    virtual void paint(QPainter& painter) const = 0;
    void paintCells(QPainter& painter, const ColourScale& scale) const;
    void paintFrame(QPainter& painter, At at, const QColor& colour, double width) const;
    /// A screen reader hears it.
    void describe(const QString& words);

    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent*) override { pointAt({}); }

private:
    At at(QPointF position) const;

    At m_pointed;
};

}  // namespace attnscope
