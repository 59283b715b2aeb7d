#pragma once
// Beside the pointer over a map: the cells around the one that is pointed at, one weight a cell however the map is
// pooled, with their numbers; and which query, key, weight and logit that one is. It stands beside the cell, never over
// it, over its own map where there is room and inside the window in any case.

#include "core/attention/row_detail.h"
#include "ui/plot/colour_map.h"
#include "ui/workbench/pointer.h"

#include <QRect>
#include <QString>
#include <QWidget>

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attnscope {

class HeatmapPlot;

/// So many cells a side are in sight, the one that is pointed at in their middle.
inline constexpr int loupeCells = 5;

/// `margin` cells more on each side than are in sight, as far as the matrix goes.
Region loupeRegion(const Pointed& at, std::int64_t queries, std::int64_t keys, int margin = 0);

/// Where a sheet of this size stands beside the cell, `gap` from the pointer and outside the cell: below and right of
/// it, or wherever else in `room` there is place; empty where there is none.
QRect loupePlace(QSize size, QPoint pointer, const QRect& cell, const QRect& room, int gap);

/// What a loupe says of one map.
struct LoupeReading {
    Pointed at;
    PooledMap cells;  ///< a weight a cell, 0: masked; none of them before they are known
    ColourScale scale;
    std::vector<std::pair<QString, QString>> facts;  ///< a name and a value a line
    QString of = {};                                 ///< whose map it is; empty: there is but one
};

/// "query 417 'she'", "key 12 'Lily'", "weight 0.0312", "logit 2.31" of a cell in a row whose weights are known;
/// without them the first two. `tokens` may be empty.
std::vector<std::pair<QString, QString>> loupeFacts(const Pointed& at, std::span<const std::string> tokens,
                                                    const RowDetail* row);

class MapLoupe : public QWidget {
    Q_OBJECT
public:
    explicit MapLoupe(QWidget* parent = nullptr);
    /// Beside the pointer's last place over the plot, in the plot's window.
    void show(const HeatmapPlot& plot, LoupeReading reading);
    const LoupeReading& reading() const { return m_reading; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent*) override;

private:
    int cellSide() const;
    LoupeReading m_reading;
};

}  // namespace attnscope
