#pragma once
// The charts and heatmaps of labs' runs: what the window shows while they train and what a figure of them prints. Which
// there are the lab says (LabChart); here they become charts, of one run or of several side by side.

#include "core/attention/engine.h"
#include "core/labs/lab_record.h"
#include "ui/plot/chart.h"

#include <memory>
#include <set>
#include <span>
#include <vector>

namespace attnscope {

/// A run and what it is called beside others.
struct ShownRun {
    QString name;
    const LabRecord* record = nullptr;
};

/// The charts that have something to show, in the lab's order. All runs are of this lab. Above a `smoothing` of 0 each
/// training curve is its exponential moving average, with the curve itself pale beneath it.
std::vector<ChartSpec> labCharts(const Lab& lab, std::span<const ShownRun> runs, double smoothing = 0);

/// Has a run a training curve?
bool haveTrainingCurves(const Lab& lab, std::span<const ShownRun> runs);

/// The exponential moving average of the points so far: weights of 1, w, w^2, ... from the last back to the first,
/// divided by their sum, so that it begins at the first point itself. What is not finite stays and counts nothing.
std::vector<ChartPoint> movingAverage(std::vector<ChartPoint> points, double w);

/// How many lines of methods can hardly be told from one of them: at every abscissa that both have they lie within a
/// fiftieth of what the ordinates span. At least 1, where there is one.
int coincidingLines(const ChartSpec& chart);

/// Of a crowd of lines of methods the styles of the first, which stand out; empty: there are so few that all do.
std::set<int> firstInFront(std::span<const ChartSpec> charts);
/// All lines of methods but those and the one that is pointed at are behind them; none, where no line stands out.
void putBehind(std::vector<ChartSeries>& lines, const std::set<int>& inFront, int pointed = ChartSeries::reference);

/// One legend for the charts that name the same lines, which then have none of their own: those at least half of whose
/// names another chart has too. Empty, and every chart keeps its own: there are no two, or a name looks unlike in two.
std::vector<ChartSeries> takeCommonLegend(std::vector<ChartSpec>& charts);

/// A picture's values as a map: one cell a value.
std::shared_ptr<const PooledMap> pictureMap(const LabPicture& picture);

}  // namespace attnscope
