#pragma once
// The scoreboard's table in the window: painted as in print, with the marker of each method before its name. Names and
// columns' titles stay in sight. A cell is pointed at with the mouse or with the arrow keys, and chosen with a click or
// Return.

#include "ui/figure/scoreboard_table.h"
#include "ui/figure/table_panel.h"

#include <QPixmap>
#include <QWidget>

#include <optional>

namespace attnscope {

class BoardView : public QWidget {
    Q_OBJECT
public:
    struct Spot {
        std::size_t row = 0, place = 0;  ///< of BoardTable::methods and places
        bool operator==(const Spot&) const = default;
    };

    explicit BoardView(QWidget* parent = nullptr);
    /// In words, in the table's place until there is one.
    void waitFor(const QString& what);
    /// The spot that is pointed at stays where its method and place are still there.
    void show(BoardTable table);
    const BoardTable& table() const { return m_table; }
    /// As from elsewhere: says nothing.
    void point(const std::string& method, const BoardTable::Place& place);
    const std::optional<Spot>& spot() const { return m_spot; }
    /// Scrolls until that cell is seen beside the headings.
    void bringIntoSight(const Spot& spot);
    /// The cell that is seen there; none under a heading that is in its place.
    std::optional<Spot> spotAt(QPointF position) const;
    /// Where a cell is drawn.
    QRectF cell(const Spot& spot) const;
    QSize sizeHint() const override;

signals:
    void pointed(const QString& method);  ///< at another cell: spot()
    void chosen();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void moveEvent(QMoveEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QRectF frame() const;
    void place();
    QPoint scrolledAway() const;
    double nameRoom() const;
    struct Headings {
        QRectF from, at;  ///< of the part that is looked at: in the picture, and where they are in sight
    };
    QRectF pinned(const TablePart& part) const;
    Headings headings() const;
    void drawPicture();
    void drawKey(QPainter& painter, const TablePart& part, const PlotStyle& style) const;
    void move(Spot to);
    Spot nextSpot(const Spot& from, int down, int across) const;

    BoardTable m_table;
    QString m_waitsFor;
    std::vector<int> m_styles;  ///< of the methods
    double m_natural = 0;       ///< height of the table at this width
    std::vector<std::vector<QRectF>> m_cells;
    std::vector<TablePart> m_parts;
    QPixmap m_picture;  ///< the table without what is pointed at; null: to be drawn
    std::optional<Spot> m_spot;
};

}  // namespace attnscope
