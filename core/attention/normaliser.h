#pragma once
// A normaliser turns the logits x of a row's visible keys into weights w. Each is a row of one table: `solve` looks at the
// whole row once and keeps two numbers (a factor on the logits and a shift: softmax's ln Z, sparsemax's threshold, ...);
// after that the weight of a key depends on its own logit alone, so pictures of huge matrices stream.

#include "core/attention/row_summary.h"
#include "core/base/choice.h"

#include <span>

namespace attnscope {

struct Normaliser : Entry {
    bool sumsToOne = true;
    /// `logits`: of the visible keys, at least one; may hold -inf and +inf.
    NormaliserState (*solve)(std::span<const double> logits, const Parameters&);
    /// The weight of one key.
    double (*weight)(double logit, const NormaliserState&, const Parameters&);
};

std::span<const Normaliser> normalisers();

}  // namespace attnscope
