#pragma once
// Where a true mean may lie.

#include "core/statistics/samples.h"

namespace attnscope {

/// Half of Student's interval around the mean, which covers the true one with that probability. Nothing of fewer than
/// two values.
std::optional<double> halfInterval(const SampleMean& mean, double probability = 0.95);

}  // namespace attnscope
