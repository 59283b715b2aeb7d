#pragma once
// Expected entropies at many pairs (n, lambda) of one density at once, as a chart of all scale methods needs them.
//
// At every n the expected entropy of a row of spread s is a smooth function h_n(s), and it changes over distances of
// the order of s or of the law's own width: 16 values at the Chebyshev nodes of a panel [a, sqrt2 a] interpolate it to
// about 1e-11. phi depends on s alone, so a node costs one table, whatever lengths and methods come to read there. A
// panel is used where that is less work than a table for each s, and trusted for a length only if its series has died
// down: the last two coefficients below 1e-9 of the smallest value. Elsewhere every s has a table of its own, as in
// ExpectedRow.

#include "core/theory/logit_density.h"

#include <span>
#include <stop_token>
#include <vector>

namespace attnscope {

/// E H, nats, at n[k] and lambda[k], which lie in ExpectedRow's ranges, of a density without a needle (whose logit
/// moves with lambda: no function of s). After a stop request: anything.
std::vector<double> expectedEntropies(const LogitDensity& density, std::span<const double> n,
                                      std::span<const double> lambda, std::stop_token stop = {});

/// Indices of equal numbers together.
std::vector<std::vector<std::size_t>> indicesOfEqual(std::span<const double> numbers);

}  // namespace attnscope
