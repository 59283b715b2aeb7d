#include "ui/figure/figure_content.h"

#include "ui/figure/table_panel.h"
#include "ui/figure/wrapped_text.h"
#include "ui/plot/legend.h"
#include "ui/plot/typeset.h"

#include <algorithm>

namespace attnscope {

namespace {

double largest(double& target, double value) { return target = std::max(target, value); }

double sum(const std::vector<double>& values)
{
    double total = 0;
    for (double value : values)
        total += value;
    return total;
}

struct Grid {
    int rows = 1, columns = 1;
    std::vector<double> left, width;             ///< of the columns, width including margins
    std::vector<double> marginLeft, marginRight; ///< of the columns
    std::vector<double> marginTop, marginBottom; ///< of the rows
    std::vector<double> frame;                   ///< height of the rows' frames

    double panelWidth(const Panel& panel) const
    {
        const auto last = static_cast<size_t>(panel.column + panel.columnSpan - 1);
        return left[last] + width[last] - left[static_cast<size_t>(panel.column)];
    }
};

Grid gridOf(const FigureContent& content, double from, double to, double gutter)
{
    Grid grid;
    for (const Panel& panel : content.panels) {
        grid.rows = std::max(grid.rows, panel.row + 1);
        grid.columns = std::max(grid.columns, panel.column + panel.columnSpan);
    }
    const auto columns = static_cast<size_t>(grid.columns), rows = static_cast<size_t>(grid.rows);
    grid.left.assign(columns, from);
    grid.width.assign(columns, (to - from - gutter * (grid.columns - 1)) / grid.columns);
    grid.marginLeft.resize(columns);
    grid.marginRight.resize(columns);
    grid.marginTop.resize(rows);
    grid.marginBottom.resize(rows);
    grid.frame.resize(rows);
    return grid;
}

/// Frames in a column begin and end together, frames in a row too.
void shareMargins(Grid& grid, const FigureContent& content, const PlotStyle& style)
{
    for (const Panel& panel : content.panels) {
        const double width = grid.panelWidth(panel);
        const QMarginsF margins = panel.table ? tableMargins(panel, style) : chartMargins(panel.chart, style, QRectF(0, 0, width, width * panel.aspect));
        const auto row = static_cast<size_t>(panel.row), column = static_cast<size_t>(panel.column);
        largest(grid.marginLeft[column], margins.left());
        largest(grid.marginRight[column + static_cast<size_t>(panel.columnSpan) - 1], margins.right());
        largest(grid.marginTop[row], margins.top());
        largest(grid.marginBottom[row], margins.bottom());
    }
}

/// The frames, not the columns with their labels, have the widths that the weights ask for.
void shareWidth(Grid& grid, const FigureContent& content, double from, double to, double gutter)
{
    std::vector<double> weights = content.columnWeights;
    weights.resize(grid.left.size(), 1);
    const double frames = to - from - gutter * (grid.columns - 1) - sum(grid.marginLeft) - sum(grid.marginRight);
    double x = from;
    for (size_t column = 0; column < weights.size(); ++column) {
        grid.left[column] = x;
        grid.width[column] = grid.marginLeft[column] + grid.marginRight[column] + frames * weights[column] / sum(weights);
        x += grid.width[column] + gutter;
    }
}

void chooseHeights(Grid& grid, const FigureContent& content, const PlotStyle& style)
{
    for (const Panel& panel : content.panels) {
        const double frame = grid.panelWidth(panel) - grid.marginLeft[static_cast<size_t>(panel.column)] - grid.marginRight[static_cast<size_t>(panel.column + panel.columnSpan - 1)];
        const double shape = panel.map ? static_cast<double>(panel.map->rows) / panel.map->columns : panel.aspect;
        largest(grid.frame[static_cast<size_t>(panel.row)], panel.table ? tableHeight(*panel.table, style) : frame * shape);
    }
}

/// Maps keep square cells: the largest such frame at the top of the row's, centred across.
QMarginsF fitted(const Panel& panel, QMarginsF margins, const QRectF& outer)
{
    if (!panel.map)
        return margins;
    const QRectF frame = outer.marginsRemoved(margins);
    const double scale = std::min(frame.width() / panel.map->columns, frame.height() / panel.map->rows);
    const double spareX = frame.width() - scale * panel.map->columns, spareY = frame.height() - scale * panel.map->rows;
    return margins + QMarginsF(spareX / 2, 0, spareX / 2, spareY);
}

}  // namespace

FigureLayout layoutFigure(const FigureContent& content, const PlotStyle& style, double widthMm, double heightMm)
{
    FigureLayout layout;
    const double width = widthMm * unitsPerMillimetre, edge = style.gap, gutter = 2 * style.gap;
    const double barWidth = content.bar ? 4.2 * style.small + 2 * style.gap : 0;
    const double from = edge, to = width - edge - barWidth;
    Grid grid = gridOf(content, from, to, gutter);
    shareMargins(grid, content, style);
    shareWidth(grid, content, from, to, gutter);
    chooseHeights(grid, content, style);

    const double text = to + barWidth - from;
    const double legend = content.legend.empty() ? 0 : flowLegend(nullptr, content.legend, style, {}, text) + style.gap;
    const double note = content.footnote.isEmpty() ? 0 : wrappedHeight(content.footnote, style.font(style.small), text) + style.gap;
    const double fixed = 2 * edge + sum(grid.marginTop) + sum(grid.marginBottom) + gutter * (grid.rows - 1) + legend + note;
    if (heightMm > 0) {
        const double room = std::max(heightMm * unitsPerMillimetre - fixed, style.text * grid.rows);
        const double factor = room / std::max(1.0, sum(grid.frame));
        for (double& frame : grid.frame)
            frame *= factor;
    }
    layout.size = QSizeF(width, heightMm > 0 ? heightMm * unitsPerMillimetre : fixed + sum(grid.frame));

    std::vector<double> tops;
    double y = edge;
    for (size_t row = 0; row < static_cast<size_t>(grid.rows); ++row) {
        tops.push_back(y);
        y += grid.marginTop[row] + grid.frame[row] + grid.marginBottom[row] + gutter;
    }
    y -= gutter;
    for (const Panel& panel : content.panels) {
        const auto row = static_cast<size_t>(panel.row), column = static_cast<size_t>(panel.column);
        const QRectF outer(grid.left[column], tops[row], grid.panelWidth(panel), grid.marginTop[row] + grid.frame[row] + grid.marginBottom[row]);
        const QMarginsF shared(grid.marginLeft[column], grid.marginTop[row], grid.marginRight[column + static_cast<size_t>(panel.columnSpan) - 1], grid.marginBottom[row]);
        layout.charts.push_back(layoutChart(panel.chart, style, outer, fitted(panel, shared, outer)));
    }
    if (content.bar && !layout.charts.empty()) {
        double top = layout.charts.front().frame.top(), bottom = layout.charts.front().frame.bottom();
        for (const ChartLayout& chart : layout.charts)
            bottom = std::max(bottom, chart.frame.bottom());
        layout.bar = QRectF(to + 2 * style.gap, top, 0.7 * style.small, std::min(bottom - top, 45 * unitsPerMillimetre));
    }
    if (!content.legend.empty())
        layout.legend = QRectF(from, y + style.gap, text, legend - style.gap);
    if (!content.footnote.isEmpty())
        layout.footnote = QRectF(from, y + legend + style.gap, text, note - style.gap);
    return layout;
}

}  // namespace attnscope
