#include "ui/figure/figure_grid.h"

#include "ui/figure/table_panel.h"
#include "ui/plot/chart_title.h"
#include "ui/plot/heatmap_paint.h"
#include "ui/plot/legend.h"
#include "ui/plot/typeset.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace attnscope {

namespace {

void raise(double& target, double value) { target = std::max(target, value); }

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

bool sameAxis(const ChartAxis& a, const ChartAxis& b)
{
    const auto same = [](const std::vector<Tick>& one, const std::vector<Tick>& other) {
        return std::ranges::equal(one, other, {}, &Tick::text, &Tick::text);
    };
    return a.title == b.title && a.range == b.range && a.log == b.log && same(a.ticks, b.ticks) &&
           same(a.words, b.words);
}

void hide(ChartAxis& axis)
{
    axis.hidden = true;
    axis.title.clear();
}

bool isBelow(const Panel& panel, const Panel& other)
{
    return other.row == panel.row + 1 && other.column == panel.column;
}

/// A chart with axes of its own, as against a map or one of a grid of alike charts.
bool standsAlone(const Panel& panel) { return !panel.map && !panel.table && !panel.sharesAxes; }

/// A chart below maps, over several of their columns: its axis has room of its own, which the maps' columns do not keep
/// free.
bool spansMaps(const FigureGrid& grid, const Panel& panel)
{
    return standsAlone(panel) && panel.columnSpan > 1 &&
           std::ranges::any_of(grid.panels, [](const Panel& other) { return other.map != nullptr; }) &&
           std::ranges::none_of(grid.panels, [&](const Panel& other) { return other.map && other.row == panel.row; });
}

/// Labels stay at the left edge of neighbours that share their axes, and at the lower edge: below a whole row, or
/// nowhere in it.
void hideShared(std::vector<Panel>& panels)
{
    const std::vector<Panel> all = panels;
    const auto continued = [&](const Panel& panel) {
        return std::any_of(all.begin(), all.end(), [&](const Panel& other) {
            return other.sharesAxes && isBelow(panel, other) && sameAxis(other.chart.x, panel.chart.x);
        });
    };
    for (Panel& panel : panels) {
        if (!panel.sharesAxes)
            continue;
        for (const Panel& other : all)
            if (other.sharesAxes && other.row == panel.row && other.column == panel.column - 1 &&
                sameAxis(other.chart.y, panel.chart.y))
                hide(panel.chart.y);
        if (std::all_of(all.begin(), all.end(), [&](const Panel& other) {
                return other.row != panel.row || !other.sharesAxes || continued(other);
            }))
            hide(panel.chart.x);
    }
}

int columnsOf(const std::vector<Panel>& panels)
{
    int columns = 1;
    for (const Panel& panel : panels)
        columns = std::max(columns, panel.column + panel.columnSpan);
    return columns;
}

int rowsOf(const std::vector<Panel>& panels)
{
    int rows = 1;
    for (const Panel& panel : panels)
        rows = std::max(rows, panel.row + 1);
    return rows;
}

/// Charts that had a row among themselves have one again, side by side, or one each where they are `wide`.
void shareRow(std::span<Panel> charts, int columns, bool wide)
{
    const int count = wide ? 1 : std::min(static_cast<int>(charts.size()), columns);
    for (int i = 0; Panel & chart : charts) {
        chart.columnSpan = columns / count + (i++ % count < columns % count ? 1 : 0);
        chart.aspect = chart.columnSpan > 1 || columns == 1 ? 0.5 : 0.85;
    }
}

/// One after the other, row by row; below maps, charts of a row of their own begin a row. A panel that had its
/// neighbour's legend gets its own.
void flow(std::vector<Panel>& panels, int columns, bool wide)
{
    const bool hasMaps = std::ranges::any_of(panels, [](const Panel& panel) { return panel.map != nullptr; });
    int row = 0, column = 0, before = -1;
    for (size_t i = 0; i < panels.size(); ++i) {
        Panel& panel = panels[i];
        if (const int own = panel.row; own != std::exchange(before, own) && hasMaps) {
            const auto end = std::find_if(panels.begin() + static_cast<std::ptrdiff_t>(i), panels.end(),
                                          [&](const Panel& other) { return other.row != own; });
            const std::span<Panel> ofRow(panels.begin() + static_cast<std::ptrdiff_t>(i), end);
            if (std::ranges::all_of(ofRow, standsAlone)) {
                shareRow(ofRow, columns, wide);
                row += column > 0 ? 1 : 0;
                column = 0;
            }
        }
        if (i + 1 < panels.size() && panels[i + 1].row == panel.row && panel.chart.legend == Legend::None &&
            panels[i + 1].chart.legend == Legend::Right)
            panel.chart.legend = Legend::Right;
        panel.columnSpan = std::min(panel.columnSpan, columns);
        if (column + panel.columnSpan > columns) {
            ++row;
            column = 0;
        }
        panel.row = row;
        panel.column = column;
        column += panel.columnSpan;
    }
}

/// Columns past the last one go below, `rows` rows further down.
void fold(FigureGrid& grid, const FigureContent& content, int columns, int rows)
{
    for (Panel& panel : grid.panels) {
        const auto row = static_cast<size_t>(panel.row), column = static_cast<size_t>(panel.column);
        if (row == 0 && column < content.columnTitles.size() && panel.chart.title.isEmpty())
            panel.chart.title = content.columnTitles[column];
        panel.row += panel.column / columns * rows;
        panel.column %= columns;
    }
    for (int row = 0; row < rowsOf(grid.panels) && !content.rowTitles.empty(); ++row)
        grid.sides.push_back(content.rowTitles[static_cast<size_t>(row % rows) % content.rowTitles.size()]);
}

/// A legend beside a chart that would take half of its width goes below.
void keepLegendsNarrow(std::vector<Panel>& panels, const PlotStyle& style, double columnWidth)
{
    for (Panel& panel : panels)
        if (panel.chart.legend != Legend::Below &&
            legendSpace(panel.chart, style, columnWidth).width() > 0.42 * columnWidth * panel.columnSpan)
            panel.chart.legend = Legend::Below;
}

/// `wide`: charts that stand alone take a whole row.
void place(FigureGrid& grid, const FigureContent& content, int columns, bool wide)
{
    grid.panels = content.panels;
    if (wide)
        for (Panel& panel : grid.panels)
            if (standsAlone(panel))
                panel.columnSpan = columns;
    grid.sides.clear();
    if (!content.columnTitles.empty())
        fold(grid, content, columns, rowsOf(content.panels));
    else if (columns < columnsOf(content.panels))
        flow(grid.panels, columns, wide);
    hideShared(grid.panels);
    grid.lastMapColumn = columns - 1;
    for (int lastOfMaps = -1; const Panel& panel : grid.panels)
        if (panel.map)
            grid.lastMapColumn = lastOfMaps = std::max(lastOfMaps, panel.column + panel.columnSpan - 1);
    grid.columns = columns;
    grid.rows = rowsOf(grid.panels);
}

/// What a panel needs at its sides: of its columns at the figure's edges and of every map, else its own.
void raiseSides(FigureGrid& grid, Panel& panel, const QMarginsF& margins)
{
    const int first = panel.column, last = panel.column + panel.columnSpan - 1;
    const bool free = spansMaps(grid, panel);
    raise(free && first > 0 ? panel.left : grid.marginLeft[static_cast<size_t>(first)], margins.left());
    raise(free && last + 1 < grid.columns ? panel.right : grid.marginRight[static_cast<size_t>(last)], margins.right());
}

/// Frames in a column begin and end together, frames in a row too.
void shareMargins(FigureGrid& grid, const PlotStyle& style, double width)
{
    const auto columns = static_cast<size_t>(grid.columns), rows = static_cast<size_t>(grid.rows);
    grid.marginLeft.assign(columns, 0);
    grid.marginRight.assign(columns, 0);
    grid.marginTop.assign(rows, 0);
    grid.marginBottom.assign(rows, 0);
    for (Panel& panel : grid.panels) {
        const double w = width * panel.columnSpan;
        const QMarginsF margins = panel.table ? tableMargins(panel, style)
                                              : chartMargins(panel.chart, style, QRectF(0, 0, w, w * panel.aspect));
        const auto row = static_cast<size_t>(panel.row);
        raiseSides(grid, panel, margins);
        raise(grid.marginTop[row], margins.top());
        raise(grid.marginBottom[row], margins.bottom());
    }
}

/// What stands between two columns of maps is as wide as between any others.
void shareGaps(FigureGrid& grid)
{
    if (grid.columns < 3 || std::ranges::none_of(grid.panels, [](const Panel& panel) { return panel.map != nullptr; }))
        return;
    const double left = std::ranges::max(std::span(grid.marginLeft).subspan(1)),
                 right = std::ranges::max(std::span(grid.marginRight).first(grid.marginRight.size() - 1));
    std::fill(grid.marginLeft.begin() + 1, grid.marginLeft.end(), left);
    std::fill(grid.marginRight.begin(), grid.marginRight.end() - 1, right);
}

/// The frames, not the columns with their labels, are equally wide.
void shareWidth(FigureGrid& grid, double from, double to, double gutter)
{
    shareGaps(grid);
    const double frames = to - from - gutter * (grid.columns - 1) - sum(grid.marginLeft) - sum(grid.marginRight);
    grid.left.clear();
    grid.width.clear();
    double x = from;
    for (size_t column = 0; column < static_cast<size_t>(grid.columns); ++column) {
        grid.left.push_back(x);
        grid.width.push_back(grid.marginLeft[column] + grid.marginRight[column] + frames / grid.columns);
        x += grid.width.back() + gutter + (static_cast<int>(column) == grid.lastMapColumn ? grid.barRoom : 0);
    }
}

/// Titles may need more lines than they seemed to before the columns had their widths: as many as beside the margins
/// that the columns share.
void makeRoomForTitles(FigureGrid& grid, const PlotStyle& style)
{
    for (const Panel& panel : grid.panels) {
        if (panel.table)
            continue;
        const QRectF outer = grid.outer(panel);
        const ChartLayout layout = layoutChart(panel.chart, style, outer, grid.margins(panel, outer));
        raise(grid.marginTop[static_cast<size_t>(panel.row)], roomAbove(panel.chart, style, layout));
    }
}

/// From the middle of the first label to that of the last, with room between.
double labelsWidth(const std::vector<Tick>& ticks, const PlotStyle& style)
{
    double width = 0;
    for (size_t i = 0; i < ticks.size(); ++i)
        width += Typeset(ticks[i].text, style.font(style.small)).width() * (i == 0 || i + 1 == ticks.size() ? 0.5 : 1) +
                 (i > 0 ? 0.6 * style.small : 0);
    return width;
}

/// The width of frame in which a panel's words have room.
double neededWidth(const FigureGrid& grid, const Panel& panel, const PlotStyle& style, double leastMap)
{
    if (panel.table)
        return 0;
    const QFont font = style.font(style.text);
    const double beside = grid.marginRight[static_cast<size_t>(panel.column + panel.columnSpan - 1)];
    const double letter = std::max(0.0, Typeset(panel.chart.letter, style.font(style.label, true)).width() +
                                            1.5 * style.gap - grid.marginLeft[static_cast<size_t>(panel.column)]);
    const double forTitle = grid.frameWidth(panel) + beside - letter;
    double needed = (panel.map ? 4 : panel.sharesAxes ? 6 : 14) * style.text;
    if (panel.map) {
        raise(needed, leastMap);
        raise(needed, labelsWidth(panel.chart.x.ticks, style));
        for (const QString& side : grid.sides)
            raise(needed, 0.85 * Typeset(side, style.font(style.small)).width() * panel.map->columns / panel.map->rows);
    }
    if (const auto lines = wrapped(panel.chart.title, font, forTitle);
        lines.size() > 3 ||
        std::any_of(lines.begin(), lines.end(), [&](const Typeset& line) { return line.width() > forTitle; }))
        return grid.frameWidth(panel) + 1;  // three lines are not enough
    raise(needed, Typeset(panel.chart.x.title, font).width() * 0.9);
    for (const ChartNote& note : panel.chart.notes)
        raise(needed, Typeset(note.text, style.font(style.small)).width() *
                          (panel.map ? 1.35 : 1.1));  // in the empty half of a causal map
    return needed;
}

void chooseHeights(FigureGrid& grid, const PlotStyle& style)
{
    grid.frame.assign(static_cast<size_t>(grid.rows), 0);
    for (const Panel& panel : grid.panels) {
        const double shape = panel.map && hasCells(*panel.map)
                                 ? static_cast<double>(panel.map->rows) / panel.map->columns
                                 : panel.aspect;
        double height =
            panel.table ? tableHeight(*panel.table, style, grid.frameWidth(panel)) : grid.frameWidth(panel) * shape;
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
    const QMarginsF shared = margins(panel);
    return panelWidth(panel) - shared.left() - shared.right();
}

QMarginsF FigureGrid::margins(const Panel& panel) const
{
    const auto row = static_cast<size_t>(panel.row);
    return {std::max(panel.left, marginLeft[static_cast<size_t>(panel.column)]), marginTop[row],
            std::max(panel.right, marginRight[static_cast<size_t>(panel.column + panel.columnSpan - 1)]),
            marginBottom[row]};
}

QMarginsF FigureGrid::margins(const Panel& panel, const QRectF& outer) const
{
    const QMarginsF shared = margins(panel);
    if (!panel.map || !hasCells(*panel.map))
        return shared;
    const QRectF inner = outer.marginsRemoved(shared);
    const double scale = std::min(inner.width() / panel.map->columns, inner.height() / panel.map->rows);
    const double spareX = inner.width() - scale * panel.map->columns, spareY = inner.height() - scale * panel.map->rows;
    return shared + QMarginsF(spareX / 2, 0, spareX / 2, spareY);
}

QRectF FigureGrid::outer(const Panel& panel) const
{
    const auto row = static_cast<size_t>(panel.row);
    return {left[static_cast<size_t>(panel.column)], 0, panelWidth(panel),
            marginTop[row] + frame[row] + marginBottom[row]};
}

double FigureGrid::framesHeight() const { return sum(frame); }

double FigureGrid::marginsHeight() const { return sum(marginTop) + sum(marginBottom); }

void refineMargins(FigureGrid& grid, const PlotStyle& style, double from, double to, double gutter)
{
    for (Panel& panel : grid.panels)
        if (!panel.table)
            raiseSides(grid, panel, chartMargins(panel.chart, style, grid.outer(panel)));
    shareWidth(grid, from, to, gutter);
    for (const Panel& panel : grid.panels) {
        if (panel.table)
            continue;
        const QRectF outer = grid.outer(panel);
        const QMarginsF margins = chartMargins(panel.chart, style, outer);
        // A legend below flows in the frame that the panel has among its neighbours, not in the one it would have
        // alone.
        const double alone = outer.width() - margins.left() - margins.right();
        const double more = legendSpace(panel.chart, style, grid.frameWidth(panel)).height() -
                            legendSpace(panel.chart, style, alone).height();
        raise(grid.marginBottom[static_cast<size_t>(panel.row)], margins.bottom() + more);
    }
    makeRoomForTitles(grid, style);
}

double sideStrip(const FigureContent& content, const PlotStyle& style)
{
    return content.rowTitles.empty() ? 0 : 1.2 * style.text;
}

namespace {

/// On as many columns as have room for every word, and for maps of this width.
FigureGrid gridFor(const FigureContent& content, const PlotStyle& style, double from, double to, double gutter,
                   double barRoom, double leastMap)
{
    const int natural = columnsOf(content.panels);
    FigureGrid grid;
    grid.barRoom = barRoom;
    const auto fits = [&](int columns, bool wide) {
        place(grid, content, columns, wide);
        keepLegendsNarrow(grid.panels, style, (to - from - gutter * (columns - 1)) / columns);
        shareMargins(grid, style, (to - from - gutter * (columns - 1)) / columns);
        shareWidth(grid, from, to, gutter);
        return columns == 1 || std::ranges::all_of(grid.panels, [&](const Panel& panel) {
                   return grid.frameWidth(panel) >= neededWidth(grid, panel, style, leastMap);
               });
    };
    const bool maps = content.columnTitles.empty() &&
                      std::ranges::any_of(content.panels, [](const Panel& panel) { return panel.map != nullptr; });
    const int cells = maps ? static_cast<int>(std::ranges::count_if(
                                 content.panels, [](const Panel& panel) { return panel.map != nullptr; }))
                           : natural;
    for (int columns = natural;; --columns) {
        if ((maps ? columns < natural && columns < cells : !content.columnTitles.empty()) && columns > 1 &&
            (cells + columns - 1) / columns == (cells + columns - 2) / (columns - 1))
            continue;  // one column less takes no more rows
        if (fits(columns, false) || (maps && columns < natural && fits(columns, true)))
            break;
    }
    chooseHeights(grid, style);
    refineMargins(grid, style, from, to, gutter);
    chooseHeights(grid, style);
    return grid;
}

double heightOf(const FigureGrid& grid, double gutter)
{
    return grid.framesHeight() + grid.marginsHeight() + gutter * (grid.rows - 1);
}

}  // namespace

FigureGrid chooseGrid(const FigureContent& content, const PlotStyle& style, double from, double to, double gutter,
                      double barRoom)
{
    constexpr double page = 257 * unitsPerMillimetre;  // of A4, less margins of 20 mm
    const bool keepsColumns = !content.columnTitles.empty();
    FigureGrid grid;
    for (const double leastMap : {25.0, 17.0, 0.0}) {
        FigureGrid next =
            gridFor(content, style, from, to, gutter, barRoom, keepsColumns ? 0 : leastMap * unitsPerMillimetre);
        if (grid.panels.empty() || heightOf(next, gutter) < heightOf(grid, gutter))
            grid = std::move(next);
        const bool isStrip = grid.columns == 1 && heightOf(grid, gutter) > 1.5 * (to - from);
        if (heightOf(grid, gutter) <= page && (!isStrip || leastMap < 25))
            break;
    }
    return grid;
}

}  // namespace attnscope
