#pragma once
// What is seen of a sweep (core/sweep/sweep_view.h) as charts, one a facet, on the same axes; and in words what they
// average.

#include "core/sweep/sweep_view.h"
#include "ui/plot/chart.h"

#include <vector>

namespace attnscope {

/// Axes are log where that is asked for and every number is above 0. One facet has its legend below it, several have
/// none: the first of them all is the series of the first chart.
std::vector<ChartSpec> sweepCharts(const SweepView& view, const SweepChoice& choice, bool logX, bool logY);

/// A column's name as one reads it: "entropy_mean" is two words.
QString columnWords(const std::string& column);

/// Is x better drawn on a log axis: above 0, and a factor of 8 or more from end to end?
bool spansOctaves(const SweepView& view);

/// "Each point is the mean of `accuracy` over `seed` (5 values); bars: one standard error." What is left out is said
/// too.
QString sweepWords(const SweepView& view, const SweepChoice& choice);

}  // namespace attnscope
