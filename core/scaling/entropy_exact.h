#pragma once
// The scale method entropy_exact: m = lambda*(n) tau sqrt(d), lambda* the entropy-invariant scale of core/theory.
// Solved once for each (d, N, tau) and range of lengths, then read from a series, which the program remembers; length
// by length where the law has no scale at some length of the range.

#include "core/scaling/scale_method.h"

namespace attnscope {

/// `source`: a logit density in text form, "gaussian" or "sphere". Errors: those of logitDensity.
Result<Multiplier> entropyExact(const std::string& source);

}  // namespace attnscope
