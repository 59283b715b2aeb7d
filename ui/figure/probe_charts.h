#pragma once
// Repeated tokens (core/model/probes.h) as charts: how much of the second copy is known against n, a line a policy.

#include "core/model/probes.h"
#include "ui/plot/chart.h"

#include <span>
#include <vector>

namespace attnscope {

/// What a policy of a probe is to a chart.
struct ProbeLine {
    QString label;     ///< markup
    int style = 0;     ///< of its method
    int position = 0;  ///< place among the position schemes: beyond the first their lines are dashed alike
};

/// Per cent of the second copy's tokens that are right, with one standard error over samples either way.
ChartSpec recallChart(std::span<const ProbeCell> cells, const std::vector<ProbeLine>& lines, double trainLength);

/// Their mean loss, and thin and grey that of the first copy, which nothing tells, under the first policy.
ChartSpec recallLossChart(std::span<const ProbeCell> cells, const std::vector<ProbeLine>& lines, double trainLength);

}  // namespace attnscope
