#include "ui/figure/explore_charts.h"

#include "core/statistics/measures.h"
#include "ui/figure/chart_look.h"
#include "ui/figure/counted_rows.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"

#include <algorithm>
#include <array>

namespace attnscope {

static bool showsHeads(const Analysis& analysis, const Look& look)
{
    return look.allHeads && analysis.heads.size() > 1;
}

/// What the points of a printed chart against n are, and the bands behind them.
static QString meanAndBand(const Analysis& analysis)
{
    return analysis.queryCount > 0
               ? u"Mean over %1; band: the middle 80 % of them"_s.arg(rowSetWords(analysis.scenario))
               : QString();
}

std::span<const ExploreChart> exploreCharts()
{
    static const std::array<ExploreChart, 2> all{{
        {.id = "entropy",
         .title = "M&easure against n",
         .help = "A curve a method; drag the markers at n and N, or use the arrow keys (with Alt for N), to move the "
                 "scenario",
         .name = [](const Scenario& scenario, const Look&) { return entropyChartName(scenario); },
         .chart =
             [](const Analysis& analysis, const Look& look) {
                 return showsHeads(analysis, look) ? headsChart(analysis)
                                                   : entropyChart(analysis, look.approximations, look.theory);
             },
         .showsMethods = [](const Analysis& analysis, const Look& look) { return !showsHeads(analysis, look); },
         .printed =
             [](const Analysis& analysis, const Look& look) {
                 return showsHeads(analysis, look) ? u"Mean over %1"_s.arg(rowSetWords(analysis.scenario))
                                                   : meanAndBand(analysis);
             },
         .titleNow =
             [](const Scenario& scenario) {
                 const auto measure = bindMeasure(scenario.view.measure);
                 return isShannon(scenario.view.measure) || !measure
                            ? u"Entropy against n"_s
                            : u"%1 against n"_s.arg(text(measure->measure->label));
             }},
        {.id = "dispersion",
         .title = "&Dispersion",
         .help = "A curve a method; drag the markers at n and N, or use the arrow keys, to move the scenario",
         .name = [](const Scenario&, const Look& look) { return dispersionChartName(look.dispersion); },
         .chart = [](const Analysis& analysis,
                     const Look& look) { return dispersionChart(analysis, text(look.dispersion)); },
         .printed =
             [](const Analysis& analysis, const Look& look) {
                 return look.dispersion == "sorted"
                            ? u"Weights of row %1"_s.arg(countText(double(analysis.scenario.view.row)))
                            : meanAndBand(analysis);
             }},
    }};
    return all;
}

const ExploreChart* findExploreChart(std::string_view id)
{
    const auto all = exploreCharts();
    const auto found = std::ranges::find(all, id, &ExploreChart::id);
    return found == all.end() ? nullptr : &*found;
}

QString ExploreChart::plainTitle() const { return QString::fromLatin1(title).remove(QLatin1Char('&')); }

Qt::Key ExploreChart::key() const
{
    return static_cast<Qt::Key>(QString::fromLatin1(title).section(QLatin1Char('&'), 1).front().toUpper().unicode());
}

ChartSpec ExploreChart::ofPin(const Analysis& pin, Look look) const
{
    look.allHeads = look.approximations = look.theory = false;
    return chart(pin, look);
}

}  // namespace attnscope
