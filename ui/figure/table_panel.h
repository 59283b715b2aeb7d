#pragma once
// A table of published numbers: a rule above and below and one under the headings, the rows' names at the left, numbers
// aligned at their points, centred under their headings. Type keeps its size: what does not fit beside goes below.
// In a window groups of columns are cut for that too.

#include "ui/figure/figure_content.h"
#include "ui/plot/plot_style.h"

#include <QMarginsF>
#include <QRectF>

#include <utility>
#include <vector>

namespace attnscope {

QMarginsF tableMargins(const Panel&, const PlotStyle&);
/// At which type keeps its size, in a window: that of the widest column, or of what stands above it, beside the names.
double leastTableWidth(const TableContent&, const PlotStyle&);
double tableHeight(const TableContent&, const PlotStyle&, double width);
/// Of a cell with this value, in a table of colours.
QColor shadeColour(const TableContent&, const PlotStyle&, double shade);
void paintTable(QPainter&, const TableContent&, const PlotStyle&, const QRectF& frame);

/// Where the cells are that paintTable draws: by row, then column, the names' column too. Null where a row has nothing
/// in that part of the table and so does not stand there.
std::vector<std::vector<QRectF>> tableCells(const TableContent&, const PlotStyle&, const QRectF& frame);
/// A part of the table, below the others.
struct TablePart {
    QRectF headings;                                    ///< of its columns, as wide as the frame
    std::vector<std::pair<std::size_t, QRectF>> names;  ///< the rows that stand there, and where their names do
};
std::vector<TablePart> tableParts(const TableContent&, const PlotStyle&, const QRectF& frame);

}  // namespace attnscope
