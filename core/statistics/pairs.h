#pragma once
// Between two rows of weights on the same logits (two methods): KL(p | q) = sum p ln(p / q) in nats, infinite where q
// has no weight and p has; total variation = (1/2) sum |p - q|, from 0 to 1. Rows are renormalised first.

#include "core/attention/row_detail.h"

#include <optional>
#include <span>

namespace attnscope {

/// No value where a row is empty or has no mass, or the lengths differ.
std::optional<double> klDivergence(std::span<const double> weightsP, std::span<const double> weightsQ);
std::optional<double> totalVariation(std::span<const double> weightsP, std::span<const double> weightsQ);

struct RowDistance {
    double kl = 0;  ///< KL(p | q)
    double variation = 0;
};

/// Of two rows whose keys rise; a key that only one of them sees has no weight in the other. No value where either has
/// no mass.
std::optional<RowDistance> rowDistance(const RowDetail& p, const RowDetail& q);

}  // namespace attnscope
