#include "ui/figure/figure_grid.h"

#include "ui/figure/table_panel.h"
#include "ui/plot/typeset.h"

#include <algorithm>
#include <numeric>

namespace attnscope {

namespace {

void raise(double& target, double value) { target = std::max(target, value); }

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

bool sameAxis(const ChartAxis& a, const ChartAxis& b)
{
    const bool sameTicks = std::equal(a.ticks.begin(), a.ticks.end(), b.ticks.begin(), b.ticks.end(), [](const Tick& x, const Tick& y) { return x.text == y.text; });
    return a.title == b.title && a.range == b.range && a.log == b.log && sameTicks;
}

void hide(ChartAxis& axis)
{
    axis.hidden = true;
    axis.title.clear();
}

/// Labels stay at the left and lower edge of neighbours that share their axes.
void hideShared(std::vector<Panel>& panels)
{
    const std::vector<Panel> all = panels;
    for (Panel& panel : panels)
        for (const Panel& other : all) {
            if (!panel.sharesAxes || !other.sharesAxes)
                continue;
            if (other.row == panel.row && other.column == panel.column - 1 && sameAxis(other.chart.y, panel.chart.y))
                hide(panel.chart.y);
            if (other.row == panel.row + 1 && other.column == panel.column && sameAxis(other.chart.x, panel.chart.x))
                hide(panel.chart.x);
        }
}

void place(FigureGrid& grid, const FigureContent& content, int columns)
{
    grid.panels = content.panels;
    int natural = 1;
    for (const Panel& panel : grid.panels)
        natural = std::max(natural, panel.column + panel.columnSpan);
    if (columns < natural)
        for (size_t i = 0; i < grid.panels.size(); ++i) {
            grid.panels[i].row = static_cast<int>(i) / columns;
            grid.panels[i].column = static_cast<int>(i) % columns;
        }
    hideShared(grid.panels);
    grid.columns = columns;
    grid.rows = 1;
    for (const Panel& panel : grid.panels)
        grid.rows = std::max(grid.rows, panel.row + 1);
}

/// Frames in a column begin and end together, frames in a row too.
void shareMargins(FigureGrid& grid, const PlotStyle& style, double width)
{
    const auto columns = static_cast<size_t>(grid.columns), rows = static_cast<size_t>(grid.rows);
    grid.marginLeft.assign(columns, 0);
    grid.marginRight.assign(columns, 0);
    grid.marginTop.assign(rows, 0);
    grid.marginBottom.assign(rows, 0);
    for (const Panel& panel : grid.panels) {
        const double w = width * panel.columnSpan;
        const QMarginsF margins = panel.table ? tableMargins(panel, style) : chartMargins(panel.chart, style, QRectF(0, 0, w, w * panel.aspect));
        const auto row = static_cast<size_t>(panel.row), column = static_cast<size_t>(panel.column);
        raise(grid.marginLeft[column], margins.left());
        raise(grid.marginRight[column + static_cast<size_t>(panel.columnSpan) - 1], margins.right());
        raise(grid.marginTop[row], margins.top());
        raise(grid.marginBottom[row], margins.bottom());
    }
}

/// The frames, not the columns with their labels, have the widths that the weights ask for.
void shareWidth(FigureGrid& grid, const FigureContent& content, double from, double to, double gutter)
{
    std::vector<double> weights = content.columnWeights;
    weights.resize(static_cast<size_t>(grid.columns), 1);
    const double frames = to - from - gutter * (grid.columns - 1) - sum(grid.marginLeft) - sum(grid.marginRight);
    grid.left.clear();
    grid.width.clear();
    double x = from;
    for (size_t column = 0; column < weights.size(); ++column) {
        grid.left.push_back(x);
        grid.width.push_back(grid.marginLeft[column] + grid.marginRight[column] + frames * weights[column] / sum(weights));
        x += grid.width.back() + gutter;
    }
}

/// The width of frame in which a panel's words have room.
double neededWidth(const FigureGrid& grid, const Panel& panel, const PlotStyle& style)
{
    if (panel.table)
        return 0;
    const QFont font = style.font(style.text);
    const double beside = grid.marginRight[static_cast<size_t>(panel.column + panel.columnSpan - 1)];
    const double letter = std::max(0.0, Typeset(panel.chart.letter, style.font(style.label, true)).width() + 1.5 * style.gap - grid.marginLeft[static_cast<size_t>(panel.column)]);
    double needed = (panel.map ? 5 : panel.sharesAxes ? 6 : 11) * style.text;
    raise(needed, Typeset(panel.chart.title, font).width() + letter - beside);
    raise(needed, Typeset(panel.chart.x.title, font).width() * 0.9);
    for (const ChartNote& note : panel.chart.notes)
        raise(needed, Typeset(note.text, style.font(style.small)).width() * 1.1);
    return needed;
}

void chooseHeights(FigureGrid& grid, const PlotStyle& style)
{
    grid.frame.assign(static_cast<size_t>(grid.rows), 0);
    for (const Panel& panel : grid.panels) {
        const double shape = panel.map ? static_cast<double>(panel.map->rows) / panel.map->columns : panel.aspect;
        double height = panel.table ? tableHeight(*panel.table, style) : grid.frameWidth(panel) * shape;
        if (!panel.table && !panel.map)
            raise(height, Typeset(panel.chart.y.title, style.font(style.text)).width());
        raise(grid.frame[static_cast<size_t>(panel.row)], height);
    }
}

}  // namespace

double FigureGrid::panelWidth(const Panel& panel) const
{
    const auto last = static_cast<size_t>(panel.column + panel.columnSpan - 1);
    return left[last] + width[last] - left[static_cast<size_t>(panel.column)];
}

double FigureGrid::frameWidth(const Panel& panel) const
{
    return panelWidth(panel) - marginLeft[static_cast<size_t>(panel.column)] - marginRight[static_cast<size_t>(panel.column + panel.columnSpan - 1)];
}

double FigureGrid::framesHeight() const { return sum(frame); }

double FigureGrid::marginsHeight() const { return sum(marginTop) + sum(marginBottom); }

FigureGrid chooseGrid(const FigureContent& content, const PlotStyle& style, double from, double to, double gutter)
{
    int columns = 1;
    bool spans = false;
    for (const Panel& panel : content.panels) {
        columns = std::max(columns, panel.column + panel.columnSpan);
        spans = spans || panel.columnSpan > 1;
    }
    FigureGrid grid;
    for (;; --columns) {
        place(grid, content, columns);
        shareMargins(grid, style, (to - from - gutter * (columns - 1)) / columns);
        shareWidth(grid, content, from, to, gutter);
        const bool fits = std::all_of(grid.panels.begin(), grid.panels.end(), [&](const Panel& panel) { return grid.frameWidth(panel) >= neededWidth(grid, panel, style); });
        if (fits || columns == 1 || spans)
            break;
    }
    chooseHeights(grid, style);
    return grid;
}

}  // namespace attnscope
