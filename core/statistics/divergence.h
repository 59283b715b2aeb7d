#pragma once
// How far distributions are from each other.

#include <span>

namespace attnscope {

/// Jensen-Shannon divergence of two distributions over the same cells, nats: (KL(p || m) + KL(q || m)) / 2 with m = (p
/// + q) / 2; 0 for equal ones, ln 2 for those that share no cell. Lin 1991. Sizes must agree; each sums to 1.
double jensenShannon(std::span<const double> p, std::span<const double> q);

/// That of numbers, in `bins` equal bins from -reach to reach and two tails, from the standard normal distribution. Of
/// k numbers that are normal it is about (bins + 1) / (8 k), not 0. NaN of values that are not finite.
double divergenceFromNormal(std::span<const float> values, int bins = 64, double reach = 4);

}  // namespace attnscope
