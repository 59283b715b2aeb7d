#include "ui/figure/figure_kind.h"

#include "ui/figure/kinds/kinds.h"

namespace attnscope {

std::span<const FigureKind> figureKinds()
{
    static const std::vector<FigureKind> rows{viewsKind(), methodGridKind(), scaleCurvesKind(), dispersionKind(), entropyCurvesKind(), approximationsKind(),
                                              powerSeriesKind(), adaptiveFitKind(), headSizeKind(), publishedCurvesKind(), publishedTablesKind(), scenarioGridKind(),
                                              cosinePeakKind(), cosineAnglesKind(), headEntropyKind(), entropySourcesKind(),
                                              maxRetrievalHeadsKind(), maxRetrievalTableKind(), figure7HereKind(), eieTablesKind(), languageHereKind(), labRunKind(), modelQualityKind(), scoreboardKind(), scoreboardEntropyKind()};
    return rows;
}

Result<FigureContent> buildFigure(const Recipe& recipe, std::stop_token stop)
{
    const auto kind = TRY(findRow(figureKinds(), recipe.kind, "kind of figure"));
    auto content = TRY(kind->build(recipe, stop));
    if (recipe.panels.size() > content.panels.size())
        return failure(ErrorKind::InvalidArgument, "recipe.panels names " + std::to_string(recipe.panels.size()) + " panels; this figure has " + std::to_string(content.panels.size()));
    for (size_t i = 0; i < recipe.panels.size(); ++i) {
        const PanelLabels& wanted = recipe.panels[i];
        ChartSpec& chart = content.panels[i].chart;
        if (wanted.title)
            chart.title = QString::fromStdString(*wanted.title);
        if (wanted.xTitle)
            chart.x.title = QString::fromStdString(*wanted.xTitle);
        if (wanted.yTitle)
            chart.y.title = QString::fromStdString(*wanted.yTitle);
        if (wanted.xRange)
            chart.x.range = wanted.xRange;
        if (wanted.yRange)
            chart.y.range = wanted.yRange;
        if ((chart.x.log && chart.x.range && chart.x.range->first <= 0) || (chart.y.log && chart.y.range && chart.y.range->first <= 0))
            return failure(ErrorKind::InvalidArgument, "recipe.panels[" + std::to_string(i) + "]: a range of a logarithmic axis must be above 0");
    }
    return content;
}

}  // namespace attnscope
