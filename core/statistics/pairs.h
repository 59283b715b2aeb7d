#pragma once
// Between two rows over the same keys (two methods on the same logits): KL(p | q) = sum p ln(p / q) in nats, infinite
// where q has no weight and p has; total variation = (1/2) sum |p - q|, from 0 to 1. Rows are renormalised first.

#include <optional>
#include <span>

namespace attnscope {

/// No value where a row is empty or has no mass, or the lengths differ.
std::optional<double> klDivergence(std::span<const double> weightsP, std::span<const double> weightsQ);
std::optional<double> totalVariation(std::span<const double> weightsP, std::span<const double> weightsQ);

}  // namespace attnscope
