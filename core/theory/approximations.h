#pragma once
// What the papers say E H is, by name, so that they can be drawn beside the exact curve. The logits are lambda q.k with
// |q| |k| = v d, v = 1 unless said otherwise; s = lambda sqrt d is their spread, t = lambda^2 v^2. Both papers derive
// all but the first for directions that are uniform on a sphere, so only that law's exact value says how good they are:
// Gaussian vectors, whose lengths vary, have another, and the two differ by as much as Laplace's method does.
//
//   mean field   Gaussian: ln n - s^2/2; sphere: ln n + ln M(a) - a M'(a)/M(a), a = lambda d, M(a) = E e^(a cos theta).
//                By the law of large numbers Z ~ n M: every sum over keys is replaced by its mean. Su 2021, eq. 8,
//                where the weighted mean of a Gaussian logit is s^2; InfoScale, eq. 9. Holds for s < sqrt(2 ln n):
//                beyond, the mean of e^y is carried by keys so large that a row of n has none, and the row freezes onto
//                its few largest.
//   Laplace      ln n + (d/2) ln((sqrt(4t+1) - 1)/(2t)) - (1/2) ln sqrt(4t+1): the sphere's M by Laplace's method
//                around the angle where most of it lies. InfoScale, A.4; eq. 10 drops the last term. Large d, and s as
//                above.
//   Taylor       ln n + (d/2) ln(1 - t): the square root to first order. InfoScale, eq. 12. t far below 1; -infinity
//                from t = 1.
//   0.24         ln n - 0.24 lambda d: a line through eq. 10 at lambda = 1. Su 2021. Near lambda = 1 alone.

#include "core/base/choice.h"
#include "core/theory/logit_density.h"

#include <optional>
#include <span>

namespace attnscope {

struct Approximation : Entry {
    std::string range;  ///< where it holds: "s < sqrt(2 ln n)"
    /// Nats; may be -infinity. Empty where the form says nothing about this density.
    std::optional<double> (*entropy)(const LogitDensity&, double n, double lambda);
    /// Of logits on a sphere whatever the density is, which only lends its spread: sphereLike(). Else of the density.
    bool ofSphere = false;
};

/// mean-field, laplace, laplace-short, taylor, su024: the ids of the command line's --estimator.
std::span<const Approximation> approximations();

/// The spread s beyond which a row of n independent normal logits freezes onto a few keys: sqrt(2 ln n), the random
/// energy model's transition (Derrida 1981). The mean field is wrong beyond it.
double freezingSpread(double n);

/// The lambda at which a row of this density freezes: freezingSpread over the standard deviation of q.k.
double freezingScale(const LogitDensity& density, double n);

}  // namespace attnscope
