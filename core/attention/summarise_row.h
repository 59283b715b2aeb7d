#pragma once
// From the logits of a row to its RowSummary, in double precision: the definition of every field. The reference engine,
// Monte Carlo and the tests use it; the fast engines are held against it.
//
//   w_j = weight(x_j),  mass = sum w,  p_j = w_j / mass,  H = -sum p ln p,  ...
//
// Rules for the edges. A logit of -inf (or one that is not a number) is a masked key: it is not counted as visible.
// Logits of +inf share all of the mass equally, under every normaliser but the sigmoid. Where no key is visible,
// `visible` is 0; where no key got any weight (relu2, softpick on negative logits) or all of them together less than
// RowSummary::leastMass, `mass` is 0: everything that is a function of p is then absent. Where every key has some
// weight by its formula (softmax, sigmoid), those that underflow still count in `support` and in sum p^order.

#include "core/attention/attention_head.h"
#include "core/attention/normaliser.h"
#include "core/attention/row_summary.h"

#include <cstdint>
#include <span>

namespace attnscope {

/// `logits` of the visible keys in order; `position` of the query; an order of infinity: the largest
/// p. O(n) after the normaliser's solve. For a row on its own: VisibleKeys{0, 0, n}, position n - 1.
RowSummary summariseRow(std::span<const double> logits, const VisibleKeys& visible, std::int64_t position,
                        const Normaliser& normaliser, const Parameters& parameters, const SummaryExtras& extras = {});

/// What p that sum to 1 over n visible keys must be, whatever rounding says: each p at most 1, 0 <= H <= ln n, and sum
/// p^a between 1, its value for one key, and n^(1 - a), for n equal ones.
void keepWithinBounds(RowSummary& row, double order);

}  // namespace attnscope
