#pragma once
// What probes find (core/model/probes.h) as pictures. Of repeated tokens charts: how much of the second copy is known
// against n, a line a policy. Of needles what a map's colours are.

#include "core/model/probes.h"
#include "ui/plot/chart.h"
#include "ui/plot/colour_map.h"

#include <span>
#include <vector>

namespace attnscope {

/// What a policy of a probe is to a chart.
struct ProbeLine {
    QString label;     ///< markup
    int style = 0;     ///< of its method
    int position = 0;  ///< place among the position schemes: beyond the first their lines are dashed alike
};

/// What a cell of a map of needles is coloured by: per cent of its samples that are exact, or the probability of the
/// answer (e to the mean of ln p); or how that, in points, or ln p differs from what it is compared with, of which the
/// first of all is no different.
double needleValue(const ProbeCell& cell, const ProbeCell* against, bool probability, bool difference);
/// Of all such values; of no difference `map` has the colours.
ColourScale needleScale(std::span<const double> values, bool probability, bool difference, const ColourMap* map);
/// Markup: what they are.
QString needleTitle(bool probability, bool difference);

/// Per cent of the second copy's tokens that are right, with one standard error over samples either way. `vocabulary`:
/// the model's tokens, of which chance takes any, as a thin line says; 0: they are not known, or not the same of all.
ChartSpec recallChart(std::span<const ProbeCell> cells, const std::vector<ProbeLine>& lines, double trainLength,
                      std::int64_t vocabulary);

/// Their mean loss, and thin and grey that of the first copy, which nothing tells, under the first policy.
ChartSpec recallLossChart(std::span<const ProbeCell> cells, const std::vector<ProbeLine>& lines, double trainLength,
                          std::int64_t vocabulary);

}  // namespace attnscope
