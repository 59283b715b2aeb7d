#pragma once
// The sparse normalisers, w_j = [(a - 1) x_j - t]_+ ^ (1 / (a - 1)) with the threshold t that makes the row sum to 1
// (Peters, Niculae & Martins 2019, eq. 9): sparsemax is a = 2, and a -> 1 is softmax. NormaliserState holds a - 1 as
// the factor on the logits, the largest logit as their origin and t, counted from it, as the shift, so one weight
// function serves them all and t keeps its digits however large the logits are.

#include "core/attention/row_summary.h"

#include <span>

namespace attnscope {

/// Exact, by sorting. `logits` are finite or -inf, with at least one finite.
NormaliserState solveSparsemax(std::span<const double> logits);
NormaliserState solveEntmax15(std::span<const double> logits);

/// By bisection, to the last bit of t. alpha > 1.
NormaliserState solveEntmax(std::span<const double> logits, double alpha);

double entmaxWeight(double logit, const NormaliserState& state);

}  // namespace attnscope
