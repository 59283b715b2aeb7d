#pragma once
// Tests whose p is counted, not taken from a law of large numbers.

#include "core/statistics/samples.h"

#include <cstdint>
#include <optional>

namespace attnscope {

/// P(at least `found` of `tries`), each right with the probability `chance` whatever the others are: the one-sided
/// binomial test that something is right more often than chance. 1 where nothing was found or tried.
double binomialTail(std::int64_t found, std::int64_t tries, double chance);

/// Two-sided p of the sign (permutation) test of differences that are all the same and not zero: of the 2^count ways to
/// give them signs two are as far from zero, so 2^(1 - count).
double signTestOfEqual(std::int64_t count);

/// The standard error of a share of ones among zeros; nothing where none is one or all are: a share of 0 of 3 is not
/// known to within 0.
std::optional<double> errorOfShare(const SampleMean& share);

}  // namespace attnscope
