#include "ui/figure/difference_map.h"
#include "ui/figure/figure_content.h"
#include "ui/figure/packing_paint.h"
#include "ui/figure/table_panel.h"
#include "ui/plot/heatmap_paint.h"
#include "ui/plot/legend.h"
#include "ui/plot/ticks.h"
#include "ui/plot/typeset.h"

#include <QPainter>

namespace attnscope {

Panel mapPanel(std::shared_ptr<const PooledMap> map, const ColourScale& scale, const QString& title)
{
    Panel panel;
    const Region& region = map->region;
    panel.chart.title = title;
    panel.chart.legend = Legend::None;
    const auto axis = [](std::int64_t begin, std::int64_t end, bool reversed) {
        ChartAxis made;
        made.range = reversed ? std::pair(static_cast<double>(end), static_cast<double>(begin))
                              : std::pair(static_cast<double>(begin), static_cast<double>(end));
        for (std::int64_t at : {begin, (begin + end) / 2, end})
            made.ticks.push_back({static_cast<double>(at), countText(static_cast<double>(at))});
        return made;
    };
    panel.chart.x = axis(region.columnBegin, region.columnEnd, false);
    panel.chart.y = axis(region.rowBegin, region.rowEnd, true);
    panel.map = std::move(map);
    panel.scale = scale;
    return panel;
}

Panel weightsPanel(std::shared_ptr<const PooledMap> map, const ColourScale& scale, const QString& title)
{
    Panel panel = mapPanel(std::move(map), scale, title);
    panel.sharesAxes = true;
    panel.chart.x.title = u"Key $j$"_s;
    panel.chart.y.title = u"Query $i$"_s;
    return panel;
}

Panel panelWithoutAxes(const QString& title)
{
    Panel panel;
    panel.chart.title = title;
    panel.chart.x.hidden = panel.chart.y.hidden = true;
    panel.chart.legend = Legend::None;
    return panel;
}

Panel tablePanel(std::shared_ptr<const TableContent> table, const QString& title)
{
    Panel panel = panelWithoutAxes(title);
    panel.table = std::move(table);
    return panel;
}

Panel tourPanel(TourPicture picture)
{
    Panel panel = panelWithoutAxes();
    panel.tour = std::make_shared<const TourPicture>(std::move(picture));
    panel.aspect = 1;
    return panel;
}

void paintFigure(QPainter& painter, const FigureContent& content, const PlotStyle& style, const FigureLayout& layout)
{
    if (style.background != QColor(Qt::white))
        painter.fillRect(QRectF({0, 0}, layout.size), style.background);
    TourNumbers numbers;  // of tours that stand side by side
    for (size_t i = 0; i < layout.panels.size(); ++i) {
        const Panel& panel = layout.panels[i];
        const ChartLayout& chart = layout.charts[i];
        if (panel.map) {
            paintHeatmap(painter, chart.frame, *panel.map, onGround(panel.scale, style.dark));
            paintRowBands(painter, chart.frame, panel.map->region, panel.absent, style.background, style.quiet);
        }
        if (panel.table)
            paintTable(painter, *panel.table, style, chart.frame);
        if (panel.packings)
            paintPacking(painter, style, *panel.packings, panel.packing,
                         panel.packings->panels[panel.packing].boxes.size(), highestTop(*panel.packings), chart.frame);
        if (panel.tour)
            paintTour(painter, style, numbers, panel.tour->tours, panel.tour->panel,
                      panel.tour->step ? &*panel.tour->step : nullptr, chart.frame);
        paintChart(painter, panel.chart, style, chart);
    }
    painter.setPen(style.ink);
    for (const FigureLayout::Side& side : layout.sides)
        Typeset(side.title, style.font(style.small)).drawUpwards(painter, side.centre);
    for (size_t i = 0; i < layout.bars.size(); ++i) {
        const ColourScale& scale = content.bars[i].scale;
        Beyond beyond;
        for (const Panel& panel : layout.panels)
            if (panel.map && panel.scale == scale) {
                const PooledMap* maps[] = {panel.map.get()};
                const Beyond of = scale.map && scale.map->diverging ? differencesBeyond(*panel.map, scale)
                                                                    : valuesBeyond(maps, scale);
                beyond.low |= of.low;
                beyond.high |= of.high;
            }
        paintColourBar(painter, layout.bars[i], scale, content.bars[i].title, style, beyond);
    }
    if (!content.legend.empty())
        flowLegend(&painter, content.legend, style, layout.legend.topLeft(), layout.legend.width());
    painter.setPen(style.quiet);
    paintWrapped(painter, content.footnote, style.font(style.small), layout.footnote);
}

}  // namespace attnscope
