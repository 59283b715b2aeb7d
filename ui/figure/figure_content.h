#pragma once
// What a figure shows, before it has a size: panels on a grid. A kind of figure makes one from a recipe; the window
// makes one from its views. paintFigure draws it, dataTable writes its numbers.

#include "core/attention/engine.h"
#include "core/labs/lab.h"
#include "ui/figure/tour_paint.h"
#include "ui/plot/chart.h"
#include "ui/plot/absent_rows.h"
#include "ui/plot/colour_map.h"

#include <limits>
#include <memory>
#include <string>
#include <vector>

class QPainter;

namespace attnscope {

/// Published or computed cells with headings. A table that is wider than its place is cut between groups of columns,
/// and the parts stand below one another, each with the rows' names.
struct TableContent {
    struct Group {
        QString title;  ///< above its columns
        int columns = 1;
        QString subtitle = {};  ///< quiet, between the two
    };
    std::vector<QString> columns;            ///< markup
    std::vector<Group> groups;               ///< of all columns but the first; empty: each is its own, without a title
    std::vector<std::vector<QString>> rows;  ///< the first cell is the row's name
    std::vector<bool> ruleAbove;             ///< of each row; may be shorter
    struct Mark {
        double shade = std::numeric_limits<double>::quiet_NaN();   ///< NaN: none
        double number = std::numeric_limits<double>::quiet_NaN();  ///< what it rounds; NaN: the shade, if that
        bool bare = false;                                         ///< though it has a value, it shows no colour
        bool bold = false;
        int dots = 0;  ///< up to three, at the number
    };
    std::vector<std::vector<Mark>> marks;  ///< not empty: a field of colours, one a cell
    Mark markOf(std::size_t row, std::size_t column) const { return marks.empty() ? Mark{} : marks[row][column]; }
    bool dotted = false;  ///< in a window there is room for dots
    ColourScale scale;
    double half = 0;  ///< above 0: `scale` is of x / (|x| + half), which has half of its colour there and never all
};

struct Panel {
    int row = 0, column = 0;
    int columnSpan = 1;
    ChartSpec chart = {};                       ///< axes and titles also of maps
    std::shared_ptr<const PooledMap> map = {};  ///< not null: a heatmap in the chart's frame
    std::vector<RowBand> absent = {};           ///< rows of the map that have no value
    ColourScale scale = {};
    std::shared_ptr<const TableContent> table = {};    ///< not null: a table instead
    std::shared_ptr<const LabPackings> packings = {};  ///< not null: one packing of these in isometry instead
    std::size_t packing = 0;                           ///< which
    std::shared_ptr<const TourPicture> tour = {};      ///< not null: a tour instead
    bool sharesAxes = false;     ///< labels only at the left and lower edge of panels with the same axes
    double aspect = 0.72;        ///< natural height of the frame over its width; maps have their own
    double left = 0, right = 0;  ///< more room beside the frame than its columns keep, print units: of the grid
};

struct FigureBar {
    ColourScale scale;
    QString title;
};

struct FigureContent {
    std::vector<Panel> panels;
    /// Of a grid whose columns and rows mean something: above the columns, beside the rows. Where the columns do not
    /// fit, some of them go below the others, all rows together, and keep their titles.
    std::vector<QString> columnTitles, rowTitles;
    std::vector<ChartSeries> legend;  ///< one legend below all panels: labels and styles
    std::vector<FigureBar> bars;      ///< at the right of all panels, one below the other
    QString footnote;                 ///< quiet, below everything: where published numbers come from
};

/// One that could not be made has none: there is nothing to draw then, nor a shape to draw it in.
inline bool hasCells(const PooledMap& map) { return map.rows > 0 && map.columns > 0; }

/// A panel whose frame is a map: key index to the right, query index down.
Panel mapPanel(std::shared_ptr<const PooledMap> map, const ColourScale& scale, const QString& title);

/// The same of attention, whose axes say so.
Panel weightsPanel(std::shared_ptr<const PooledMap> map, const ColourScale& scale, const QString& title);

/// A panel that is no chart, for a table or a picture.
Panel panelWithoutAxes(const QString& title = {});

Panel tablePanel(std::shared_ptr<const TableContent> table, const QString& title = {});

/// A panel whose frame is the square of the places.
Panel tourPanel(TourPicture picture);

/// Where everything goes, in print units.
struct FigureLayout {
    QSizeF size;
    std::vector<Panel> panels;        ///< the content's, on as many columns as fit, shared labels hidden
    std::vector<ChartLayout> charts;  ///< one a panel
    struct Side {
        QString title;  ///< reads upwards
        QPointF centre;
    };
    std::vector<Side> sides;   ///< beside the rows
    std::vector<QRectF> bars;  ///< one a bar of the content
    QRectF legend, footnote;
};
/// heightMm 0: natural.
FigureLayout layoutFigure(const FigureContent&, const PlotStyle&, double widthMm, double heightMm);
void paintFigure(QPainter&, const FigureContent&, const PlotStyle&, const FigureLayout&);

/// Every plotted number, as CSV: panel,series,x_name,x,y_name,y,low,high,value (RFC 4180, full precision).
std::string dataTable(const FigureContent&);

}  // namespace attnscope
