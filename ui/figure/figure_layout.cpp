#include "ui/figure/figure_content.h"

#include "ui/figure/figure_grid.h"
#include "ui/plot/heatmap_paint.h"
#include "ui/plot/typeset.h"
#include "ui/plot/legend.h"

#include <algorithm>
#include <map>
#include <set>

namespace attnscope {

namespace {

/// Of a colour bar.
double rampWidth(const PlotStyle& style) { return 0.7 * style.small; }

/// The charts row by row from `top` on; returns where the last row ends.
double placeCharts(FigureLayout& layout, const FigureGrid& grid, const PlotStyle& style, double top, double gutter)
{
    std::vector<double> tops;
    double y = top;
    for (size_t row = 0; row < static_cast<size_t>(grid.rows); ++row) {
        tops.push_back(y);
        y += grid.marginTop[row] + grid.frame[row] + grid.marginBottom[row] + gutter;
    }
    for (const Panel& panel : grid.panels) {
        const QRectF outer = grid.outer(panel).translated(0, tops[static_cast<size_t>(panel.row)]);
        layout.charts.push_back(layoutChart(panel.chart, style, outer, grid.margins(panel, outer)));
    }
    return y - gutter;
}

/// Each beside the first row of maps that has its colours, as high as that row's frames, or more rows where they are
/// low. Nothing where there are fewer rows than bars.
bool placeBarsBesideRows(FigureLayout& layout, const std::vector<FigureBar>& bars, const PlotStyle& style, double left)
{
    constexpr double least = 20 * unitsPerMillimetre;
    struct Row {
        double top, bottom;
    };
    std::map<int, Row> rows;
    std::map<size_t, int> firsts;
    for (size_t i = 0; i < layout.charts.size(); ++i) {
        const Panel& panel = layout.panels[i];
        if (!panel.map)
            continue;
        const QRectF& frame = layout.charts[i].frame;
        const auto row = rows.try_emplace(panel.row, Row{frame.top(), frame.bottom()}).first;
        row->second.bottom = std::max(row->second.bottom, frame.bottom());
        for (size_t bar = 0; bar < bars.size(); ++bar)
            if (bars[bar].scale == panel.scale)
                firsts.try_emplace(bar, panel.row);
    }
    if (rows.size() < bars.size())
        return false;
    std::vector<std::map<int, Row>::const_iterator> starts;
    for (size_t bar = 0; bar < bars.size(); ++bar) {
        auto from = starts.empty() ? rows.cbegin() : std::next(starts.back());
        const auto last = std::prev(rows.cend(), static_cast<std::ptrdiff_t>(bars.size() - bar));
        while (from != last && firsts.contains(bar) && from->first < firsts[bar])
            ++from;
        starts.push_back(from);
    }
    for (size_t bar = 0; bar < bars.size(); ++bar) {
        auto to = starts[bar];
        const auto end = bar + 1 < bars.size() ? starts[bar + 1] : rows.cend();
        while (to->second.bottom - starts[bar]->second.top < least && std::next(to) != end)
            ++to;
        const double top = starts[bar]->second.top;
        layout.bars.emplace_back(left, top, rampWidth(style), to->second.bottom - top);
    }
    return true;
}

/// Beside the maps, from their top on; titles stand above.
void placeBars(FigureLayout& layout, size_t count, const PlotStyle& style, double left)
{
    double top = layout.charts.front().frame.top(), bottom = top;
    for (size_t i = 0; i < layout.charts.size(); ++i)
        if (layout.panels[i].map)
            bottom = std::max(bottom, layout.charts[i].frame.bottom());
    for (size_t i = layout.charts.size(); i-- > 0;)
        if (layout.panels[i].map)
            top = layout.charts[i].frame.top();
    const double between = 2.8 * style.small + 2.4 * style.gap;  // half a number, the title, and room
    const auto share = [&](double end) {
        return (end - top - between * (static_cast<double>(count) - 1)) / static_cast<double>(count);
    };
    double end = bottom;  // where that is too little, beside what stands below the maps
    for (const ChartLayout& chart : layout.charts)
        if (chart.frame.right() < left)
            end = std::max(end, chart.frame.bottom());
    const double height =
        std::min(std::max(share(bottom), std::min(share(end), 9 * unitsPerMillimetre)), 45 * unitsPerMillimetre);
    for (size_t i = 0; i < count; ++i)
        layout.bars.emplace_back(left, top + static_cast<double>(i) * (height + between), rampWidth(style), height);
}

/// Rows of charts below the bars end where these do: they share `room`, which stands beside the maps for the bars.
void widenBelowBars(FigureLayout& layout, const FigureGrid& grid, const PlotStyle& style, double room)
{
    double bottom = 0;
    for (const QRectF& bar : layout.bars)
        bottom = std::max(bottom, bar.bottom() + style.small);  // and half a number
    if (layout.bars.empty() || grid.lastMapColumn + 1 != grid.columns)
        return;
    std::set<int> kept;  // rows
    for (size_t i = 0; i < layout.charts.size(); ++i)
        if (layout.panels[i].map || layout.panels[i].table || layout.charts[i].outer.top() < bottom)
            kept.insert(layout.panels[i].row);
    for (size_t i = 0; i < layout.charts.size(); ++i) {
        const Panel& panel = layout.panels[i];
        if (kept.contains(panel.row))
            continue;
        QRectF outer = layout.charts[i].outer;
        outer.translate(room * panel.column / grid.columns, 0);
        outer.setWidth(outer.width() + room * panel.columnSpan / grid.columns);
        layout.charts[i] = layoutChart(panel.chart, style, outer, grid.margins(panel));
    }
}

}  // namespace

FigureLayout layoutFigure(const FigureContent& content, const PlotStyle& style, double widthMm, double heightMm)
{
    FigureLayout layout;
    const double width = widthMm * unitsPerMillimetre, edge = style.gap, gutter = 2 * style.gap;
    double barWidth = 0;
    for (const FigureBar& bar : content.bars)
        barWidth = std::max(barWidth, widthOfBar(rampWidth(style), bar.scale, bar.title, style) + 2 * style.gap);
    const double from = edge + sideStrip(content, style), to = width - edge - barWidth, text = width - 2 * edge;
    FigureGrid grid = chooseGrid(content, style, from, to, gutter, barWidth);

    const double legend = content.legend.empty() ? 0 : flowLegend(nullptr, content.legend, style, {}, text) + style.gap;
    const double note =
        content.footnote.isEmpty() ? 0 : wrappedHeight(content.footnote, style.font(style.small), text) + style.gap;
    const auto fixed = [&] { return 2 * edge + grid.marginsHeight() + gutter * (grid.rows - 1) + legend + note; };
    for (int round = 0; heightMm > 0 && round < 2; ++round) {  // other frames, other margins
        const double room = std::max(heightMm * unitsPerMillimetre - fixed(), style.text * grid.rows);
        const double factor = room / std::max(1.0, grid.framesHeight());
        for (double& frame : grid.frame)
            frame *= factor;
        refineMargins(grid, style, from, to, gutter);
    }
    layout.size = QSizeF(width, heightMm > 0 ? heightMm * unitsPerMillimetre : fixed() + grid.framesHeight());
    const double below = placeCharts(layout, grid, style, edge, gutter);
    double y = edge;
    for (size_t row = 0; row < static_cast<size_t>(grid.rows); ++row) {
        if (row < grid.sides.size())
            layout.sides.push_back(
                {grid.sides[row], {edge + 0.5 * style.text, y + grid.marginTop[row] + grid.frame[row] / 2}});
        y += grid.marginTop[row] + grid.frame[row] + grid.marginBottom[row] + gutter;
    }
    layout.panels = std::move(grid.panels);

    if (!layout.charts.empty()) {
        const auto beside = static_cast<size_t>(grid.lastMapColumn);
        const double left = grid.left[beside] + grid.width[beside] + 2 * style.gap;
        if (!placeBarsBesideRows(layout, content.bars, style, left))
            placeBars(layout, content.bars.size(), style, left);
        widenBelowBars(layout, grid, style, barWidth);
    }
    if (!content.legend.empty())
        layout.legend = QRectF(edge, below + style.gap, text, legend - style.gap);
    if (!content.footnote.isEmpty())
        layout.footnote = QRectF(edge, below + legend + style.gap, text, note - style.gap);
    return layout;
}

}  // namespace attnscope
