#pragma once
// The grid behind a figure: which panel stands where, how wide its frame is. A figure that is asked to be narrow puts
// its panels on fewer columns, until every title and axis has room.

#include "ui/figure/figure_content.h"

namespace attnscope {

struct FigureGrid {
    int rows = 1, columns = 1;
    std::vector<Panel> panels;        ///< where they stand on this grid, labels that neighbours share hidden
    std::vector<double> left, width;  ///< of the columns, width including margins
    std::vector<double> marginLeft, marginRight;  ///< of the columns
    std::vector<double> marginTop, marginBottom;  ///< of the rows
    std::vector<double> frame;                    ///< natural height of the rows' frames
    std::vector<QString> sides;                   ///< titles beside the rows, or none
    double barRoom = 0;                           ///< the strip for colour bars, right of ...
    int lastMapColumn = 0;                        ///< ... this column: charts may stand right of it

    double panelWidth(const Panel& panel) const;
    double frameWidth(const Panel& panel) const;
    QMarginsF margins(const Panel& panel) const;  ///< what stands around its frame
    QMarginsF margins(const Panel& panel,
                      const QRectF& outer) const;  ///< a map's cells are square: at the top, centred
    QRectF outer(const Panel& panel) const;        ///< all of it, as if its row began at 0
    double framesHeight() const;
    double marginsHeight() const;  ///< of all rows
};

/// The strip at the left that titles beside the rows take.
double sideStrip(const FigureContent& content, const PlotStyle& style);

/// On [from, to], print units, without that strip and the one for colour bars, `barRoom`.
FigureGrid chooseGrid(const FigureContent& content, const PlotStyle& style, double from, double to, double gutter,
                      double barRoom);

/// Ticks depend on the frames' heights and margins on the ticks: once more, when the heights have changed.
void refineMargins(FigureGrid& grid, const PlotStyle& style, double from, double to, double gutter);

}  // namespace attnscope
