#pragma once
// Between two rows of weights on the same logits (two methods): KL(p | q) = sum p ln(p / q) in nats, infinite where q
// has no weight and p has; total variation = (1/2) sum |p - q|, from 0 to 1. Rows are renormalised first. And how far
// other distributions are from each other.

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

/// Jensen-Shannon divergence of two distributions over the same cells, nats: (KL(p || m) + KL(q || m)) / 2 with m = (p
/// + q) / 2; 0 for equal ones, ln 2 for those that share no cell. Lin 1991. Sizes must agree; each sums to 1.
double jensenShannon(std::span<const double> p, std::span<const double> q);

/// That of numbers, in `bins` equal bins from -reach to reach and two tails, from the standard normal distribution. Of
/// k numbers that are normal it is about (bins + 1) / (8 k), not 0. NaN of values that are not finite.
double divergenceFromNormal(std::span<const float> values, int bins = 64, double reach = 4);

}  // namespace attnscope
