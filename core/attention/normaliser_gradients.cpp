#include "core/attention/normaliser_gradients.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

using Row = Eigen::Map<const Eigen::ArrayXd>;
using Gradient = Eigen::Map<Eigen::ArrayXd>;

Row rowOf(std::span<const double> values) { return {values.data(), std::ssize(values)}; }
Gradient gradientOf(std::span<double> values) { return {values.data(), std::ssize(values)}; }

/// s (g - s.g / sum s): a mean taken away, so that a row's weights keep their sum.
void aroundTheMean(const Eigen::ArrayXd& s, double sum, Gradient g)
{
    g = s * (g - (sum > 0 ? (s * g).sum() / sum : 0));
}

void entmaxGradientAt(double alpha, std::span<const double> weights, std::span<double> gradient)
{
    const Row w = rowOf(weights);
    const Eigen::ArrayXd s = (w > 0).select(w.pow(2 - alpha), 0);
    aroundTheMean(s, s.sum(), gradientOf(gradient));
}

}  // namespace

void softmaxGradient(std::span<const double>, std::span<const double> weights, std::span<double> gradient,
                     const Parameters&)
{
    aroundTheMean(rowOf(weights), 1, gradientOf(gradient));
}

void entmaxGradient(std::span<const double>, std::span<const double> weights, std::span<double> gradient,
                    const Parameters& parameters)
{
    entmaxGradientAt(parameters["alpha"], weights, gradient);
}

void entmax15Gradient(std::span<const double>, std::span<const double> weights, std::span<double> gradient,
                      const Parameters&)
{
    entmaxGradientAt(1.5, weights, gradient);
}

void sparsemaxGradient(std::span<const double>, std::span<const double> weights, std::span<double> gradient,
                       const Parameters&)
{
    entmaxGradientAt(2, weights, gradient);
}

void hardmaxGradient(std::span<const double>, std::span<const double>, std::span<double> gradient, const Parameters&)
{
    std::ranges::fill(gradient, 0.0);
}

void exponentialGradient(std::span<const double>, std::span<const double> weights, std::span<double> gradient,
                         const Parameters&)
{
    gradientOf(gradient) *= rowOf(weights);
}

void sigmoidGradient(std::span<const double>, std::span<const double> weights, std::span<double> gradient,
                     const Parameters&)
{
    gradientOf(gradient) *= rowOf(weights) * (1 - rowOf(weights));
}

void squaredReluGradient(std::span<const double> logits, std::span<const double>, std::span<double> gradient,
                         const Parameters&)
{
    gradientOf(gradient) *= 2 / static_cast<double>(logits.size()) * rowOf(logits).max(0);
}

void softpickGradient(std::span<const double> logits, std::span<const double> weights, std::span<double> gradient,
                      const Parameters& parameters)
{
    const Row x = rowOf(logits), w = rowOf(weights);
    Gradient g = gradientOf(gradient);
    const double m = std::max(x.maxCoeff(), 0.0);
    const double below = ((x - m).exp() - std::exp(-m)).abs().sum() + parameters["eps"] * std::exp(-m);  // D e^-m
    if (!(below > 0)) {  // all logits 0 and no eps: no weights
        g = 0;
        return;
    }
    const double shared = (w * g).sum();
    g = (x - m).exp() / below * ((x > 0).select(g, 0) - x.sign() * shared);
}

void adaptiveGradient(std::span<const double> logits, std::span<const double> weights, std::span<double> gradient,
                      double eps, double beta(double entropy, const Parameters&),
                      double slope(double entropy, const Parameters&), const Parameters& parameters)
{
    const Row x = rowOf(logits), w = rowOf(weights);
    Gradient g = gradientOf(gradient);
    Eigen::ArrayXd p = (x - x.maxCoeff()).exp();
    p /= p.sum();
    const Eigen::ArrayXd logP = (p > 0).select((p + eps).log(), 0);
    const double entropy = -(p * logP).sum();
    const Eigen::ArrayXd h = -logP - (p > 0).select(p / (p + eps), 1);
    const Eigen::ArrayXd u = w * (g - (w * g).sum());
    g = beta(entropy, parameters) * u + slope(entropy, parameters) * (u * x).sum() * p * (h - (p * h).sum());
}

}  // namespace attnscope
