
#include "ui/figure/chart_look.h"
#include "ui/figure/kinds/support.h"
#include "ui/figure/map_pictures.h"
#include "ui/plot/heatmap_paint.h"
#include "ui/plot/qt_text.h"

#include <algorithm>

namespace attnscope {

namespace {

/// A map in its frame, with what is known of it beside its cells.
Panel framedMap(Panel panel, std::vector<RowBand> absent, const Analysis& analysis, const Look& look,
                const std::string& name)
{
    panel.absent = std::move(absent);
    nameTokens(panel, analysis.tokens, analysis.queryTokens);
    panel.chart = withAnnotations(std::move(panel.chart), look, name, cellMiddle);
    return panel;
}

/// Where two methods differ, as the window shows it. None where they have no map in common.
std::optional<Panel> differencePanel(const Analysis& analysis, const Look& look, const MethodPair& sides)
{
    MapLook maps = look.maps;
    maps.sides = sides;
    const MapPicture picture = differencePicture(analysis, maps, false);  // on paper
    if (!hasCells(*picture.map))
        return std::nullopt;
    const auto [first, second] = sidesOf(analysis, maps);
    const auto name = [&](std::size_t side) { return symbolsIn(text(analysis.methods[side].label)); };
    return framedMap(weightsPanel(picture.map, picture.scale, name(first) + betweenSides(maps.log) + name(second)),
                     picture.absent, analysis, look, differenceMapName());
}

}  // namespace

Result<void> addMapPanels(FigureContent& content, const Analysis& analysis, const Look& look,
                          const std::optional<MethodPair>& difference, double decades, const Recipe& recipe)
{
    std::vector<std::shared_ptr<const PooledMap>> maps;
    for (const MethodAnalysis& method : analysis.methods)
        if (hasMap(method))
            maps.push_back(maskedMap(analysis, method));
    if (maps.empty())
        return failure(ErrorKind::Undefined, analysis.scenario.source.id == sourceOfTheory
                                                 ? "exact theory has no queries and keys, and so no maps; choose "
                                                   "another source, or a chart"
                                                 : "no method of this scenario has a value at this n, and so there "
                                                   "are no maps; choose another method, or a larger n");
    ColourScale scale = weightScaleOf(analysis, look.maps, decades);
    scale.map = TRY(findColourMap(recipe.colours));
    std::size_t next = 0;
    for (std::size_t i = 0; i < analysis.methods.size(); ++i)
        if (const MethodAnalysis& method = analysis.methods[i]; hasMap(method))
            content.panels.push_back(framedMap(weightsPanel(maps[next++], scale, symbolsIn(text(method.label))),
                                               rowsWithoutValue(method.rows, analysis.sampledRows, analysis.queryCount),
                                               analysis, look, mapName(analysis.scenario.methods, i)));
    const bool means = std::ranges::any_of(maps, [](const auto& map) { return showsMeans(*map); });
    content.bars.push_back({scale, weightsTitle(means)});
    if (!difference || analysis.methods.size() < 2)
        return {};
    if (auto panel = differencePanel(analysis, look, *difference)) {
        content.bars.push_back({panel->scale, differenceTitle(look.maps.log)});
        content.panels.push_back(std::move(*panel));
    }
    return {};
}

}  // namespace attnscope
