#pragma once
// What the papers say E H is, by name, so that they can be drawn beside the exact curve. Each is a closed form (or one short
// quadrature) in n, d and lambda, made for Gaussian or spherical q and k; the row states its source, equation and range.

#include "core/base/choice.h"
#include "core/theory/logit_density.h"

#include <optional>
#include <span>

namespace attnscope {

struct Approximation : Entry {
    std::string range;  ///< where it holds: "s < sqrt(2 ln n)"
    /// Nats; may be -infinity. Empty where the form says nothing about this density.
    std::optional<double> (*entropy)(const LogitDensity&, double n, double lambda);
};

/// mean-field, laplace, laplace-short, taylor, su024: the ids of the command line's --estimator.
std::span<const Approximation> approximations();

/// The spread s beyond which a row of n independent normal logits freezes onto a few keys: sqrt(2 ln n), the random energy
/// model's transition (Derrida 1981). The mean field is wrong beyond it.
double freezingSpread(double n);

/// The lambda at which a row of this density freezes: freezingSpread over the standard deviation of q.k.
double freezingScale(const LogitDensity& density, double n);

}  // namespace attnscope
