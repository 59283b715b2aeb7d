#include "core/theory/approximations.h"

#include <cmath>
#include <limits>
#include <vector>

namespace attnscope {

namespace {

/// ln M(s) - s M'(s) / M(s), M(s) = E e^(s x), from the law's nodes; the largest exponent is taken out.
double annealed(const LogitLaw& law, double s)
{
    const double top = std::max(s * law.lower, s * law.upper);
    double moment = 0, derivative = 0;
    for (const Node& node : law.rule(s, 1)) {
        const double e = node.weight * std::exp(s * node.x - top);
        moment += e;
        derivative += e * (s * node.x - top);
    }
    return std::log(moment) - derivative / moment;
}

std::optional<double> meanField(const LogitDensity& density, double n, double lambda)
{
    if (density.needle)
        return std::nullopt;
    const double multiplier = lambda * std::sqrt(density.d);
    if (density.law.normal)
        return std::log(n) - multiplier * multiplier * density.variance() / 2;
    double entropy = std::log(n);
    for (const Node& row : density.rows(multiplier, 1, false))
        entropy += row.weight *
                   annealed(density.law, density.law.symmetric ? std::abs(multiplier * row.x) : multiplier * row.x);
    return entropy;
}

/// t = lambda^2 v^2 of InfoScale, |q| |k| = v d; empty where logits are no products of vectors in random directions.
std::optional<double> infoScaleT(const LogitDensity& density, double lambda)
{
    if (density.needle || !density.law.symmetric)
        return std::nullopt;
    return lambda * lambda * density.variance();
}

std::optional<double> laplaceShort(const LogitDensity& density, double n, double lambda)
{
    const std::optional<double> t = infoScaleT(density, lambda);
    if (!t)
        return std::nullopt;
    return std::log(n) +
           density.d / 2.0 * std::log(2 / (std::sqrt(4 * *t + 1) + 1));  // = ln((sqrt(4t+1) - 1) / 2t), at t = 0 too
}

std::optional<double> laplace(const LogitDensity& density, double n, double lambda)
{
    const std::optional<double> most = laplaceShort(density, n, lambda), t = infoScaleT(density, lambda);
    if (!most)
        return std::nullopt;
    return *most - std::log(4 * *t + 1) / 4;
}

std::optional<double> taylor(const LogitDensity& density, double n, double lambda)
{
    const std::optional<double> t = infoScaleT(density, lambda);
    if (!t)
        return std::nullopt;
    return *t < 1 ? std::log(n) + density.d / 2.0 * std::log1p(-*t) : -std::numeric_limits<double>::infinity();
}

std::optional<double> su024(const LogitDensity& density, double n, double lambda)
{
    if (density.needle || !density.law.symmetric)
        return std::nullopt;
    return std::log(n) - 0.24 * std::abs(lambda) * density.d;
}

}  // namespace

std::span<const Approximation> approximations()
{
    static const std::vector<Approximation> rows{
        {{.id = "mean-field",
          .label = "Mean field",
          .formula = "ln n + ln M(s) − s M′(s)/M(s); Gaussian: ln n − λ²d/2",
          .source = "Su 2021, eq. 8, where a Gaussian logit's weighted mean is s²; sphere: InfoScale, eq. 9",
          .about = "Every sum over keys is replaced by n times its mean, by the law of large numbers; M is the moment "
                   "generating function of a logit."},
         "s < √(2 ln n); beyond it the row freezes onto a few keys and the form turns negative",
         meanField},
        {{.id = "laplace",
          .label = "Laplace",
          .formula = "ln n + (d/2) ln((√(4t+1) − 1)/(2t)) − ½ ln √(4t+1), t = λ²",
          .source = "InfoScale, A.4",
          .about = "The mean field on the sphere, its integrals by Laplace's method."},
         "large d, s < √(2 ln n)",
         laplace,
         true},
        {{.id = "laplace-short",
          .label = "Laplace, last term dropped",
          .formula = "ln n + (d/2) ln((√(4t+1) − 1)/(2t)), t = λ²",
          .source = "InfoScale, eq. 10",
          .about = "The form that InfoScale goes on with, of the sphere."},
         "large d and small λ",
         laplaceShort,
         true},
        {{.id = "taylor",
          .label = "Taylor",
          .formula = "ln n + (d/2) ln(1 − t), t = λ²",
          .source = "InfoScale, eq. 12",
          .about = "The short Laplace form to first order in t, from which InfoScale's closed form follows."},
         "small λ; minus infinity from t = 1",
         taylor,
         true},
        {{.id = "su024",
          .label = "0.24 λd",
          .formula = "ln n − 0.24 λd",
          .source = "Su 2021, eq. 10",
          .about = "A straight line through the short Laplace form at λ = 1, where ½ ln((√5 − 1)/2) = −0.2406: of the "
                   "sphere, as Su derives it."},
         "near λ = 1 only",
         su024,
         true},
    };
    return rows;
}

double freezingSpread(double n) { return std::sqrt(2 * std::log(n)); }

double freezingScale(const LogitDensity& density, double n)
{
    return freezingSpread(n) / std::sqrt(density.variance() * density.d);
}

}  // namespace attnscope
