#pragma once
// Where a true mean may lie, and where the mean of others, measured again.

#include "core/statistics/samples.h"

namespace attnscope {

/// Half of Student's interval around the mean, which covers the true one with that probability. Nothing of fewer than
/// two values.
std::optional<double> halfInterval(const SampleMean& mean, double probability = 0.95);

/// Half of the interval around the mean of k normal values in which, with that probability, the mean of m others drawn
/// like them will lie: t s sqrt(1/k + 1/m), with Student's t of k - 1 degrees of freedom and s the values' standard
/// deviation. It is wider than the one for the true mean, which m others of themselves miss too: by sqrt(2) where m is
/// k. (Hahn & Meeker, Statistical Intervals, 1991)
std::optional<double> halfIntervalOfOthers(const SampleMean& mean, std::int64_t others, double probability = 0.95);

}  // namespace attnscope
