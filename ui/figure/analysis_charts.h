#pragma once
// Charts of an analysis as plain values. What a view shows can be tested, copied and exported without a widget.

#include "core/analysis/analysis.h"
#include "core/analysis/curve.h"
#include "ui/plot/chart.h"

#include <QString>

#include <span>
#include <vector>

namespace attnscope {

/// Have these two methods the same lines in the chart? One of them is drawn over the other then, so that both are seen.
bool sameLines(const ChartSpec& chart, int style, int other);

/// With `error` to each side; NaN: it is not known.
ChartPoint pointWithError(double x, double y, double error);

/// With the middle four fifths of the rows behind it, where it is a mean over rows.
std::vector<ChartPoint> pointsOf(const Curve& curve);

/// The axis of every chart against n: logarithmic, titled, with lengths at its ticks.
ChartAxis lengthAxis();
/// Where few lengths were measured, and they are no powers of two, they are the axis' numbers.
void numberMeasuredLengths(ChartSpec& chart);

/// A measure against n: a line for the exact expectation, points with a band (pointsOf) for what was measured, ln n
/// above, and strong lines at n (index lineAtN) and N (index lineAtTrained).
/// With `approximations`: the papers' forms of E H under the first method, broad where they are close to the exact
/// value of the law that each is of.
/// Of a file the data are the lines, and theory is thin and grey beside them; where it lies outside of what their rows
/// have (TheoryFit::misses), with `theory` alone.
ChartSpec entropyChart(const Analysis& analysis, bool approximations = false, bool theory = false);
/// The first method's, of a file for which there is one.
std::optional<TheoryFit> theoryOfFile(const Analysis& analysis);
inline constexpr int lineAtN = 0, lineAtTrained = 1;

/// How the charts draw the method at a place of the list; -1 where there is none.
int styleOf(const Analysis& analysis, int place);

/// A chart against length of `then`, while that of `now` is computed: dimmed, with the lines of `now`, of the methods
/// that are still ticked, each where it stands in the list now.
ChartSpec chartFromBefore(ChartSpec chart, const Analysis& then, const Analysis& now);

/// The methods' lines of another scenario's chart behind this one's: thin and faint, numbered at their ends, with a
/// line at its n.
void addGhost(ChartSpec& chart, const ChartSpec& then, int number);
/// What of `then` lies beside the curves of `chart`: of another source it may go on to lengths that this one has not.
ChartSpec besideCurvesOf(const ChartSpec& chart, ChartSpec then);

/// What the dispersion view can show.
struct DispersionKind {
    QString id, label, teaches;
};
std::span<const DispersionKind> dispersionKinds();

/// "sorted": the chosen row's weights from the largest, log-log, with Lemma 2.1's bounds e^(-delta)/n and e^delta/n;
/// "largest", "top4", "top16", "needle": that weight against n.
ChartSpec dispersionChart(const Analysis& analysis, const QString& kind);

/// The key at a place (from 0) of a method's "sorted" chart; -1 where there is none.
std::int64_t keyAtRank(const Analysis& analysis, std::size_t method, int rank);

/// Entropy of every head of a layer against n, the chosen one strong, with ln n above and the exact curve where there
/// is one.
ChartSpec headsChart(const Analysis& analysis);

}  // namespace attnscope
