#pragma once
// The way back through the normalisers, for heads that learn. With the weights w of a row of finite logits x and J =
// dw/dx, g = dL/dw becomes J^T g = dL/dx, all closed forms. Where a weight has a kink, 0 is the slope of what is not
// there.

#include "core/base/choice.h"

#include <span>

namespace attnscope {

using NormaliserGradient = void (*)(std::span<const double> logits, std::span<const double> weights,
                                    std::span<double> gradient, const Parameters&);

/// w = e^x / (c + sum e^x), whatever c: J = diag(w) - w w^T.
void softmaxGradient(std::span<const double> logits, std::span<const double> weights, std::span<double> gradient,
                     const Parameters&);

/// J = diag(s) - s s^T / sum s, s = w^(2 - alpha) on the support and 0 off it (Peters, Niculae & Martins 2019,
/// proposition 1); `alpha` is a parameter of entmax, 1.5 of entmax15 and 2 of sparsemax.
void entmaxGradient(std::span<const double> logits, std::span<const double> weights, std::span<double> gradient,
                    const Parameters&);
void entmax15Gradient(std::span<const double> logits, std::span<const double> weights, std::span<double> gradient,
                      const Parameters&);
void sparsemaxGradient(std::span<const double> logits, std::span<const double> weights, std::span<double> gradient,
                       const Parameters&);

/// Constant wherever it has a slope: 0.
void hardmaxGradient(std::span<const double> logits, std::span<const double> weights, std::span<double> gradient,
                     const Parameters&);

/// Weights that depend on their own logit alone.
void exponentialGradient(std::span<const double> logits, std::span<const double> weights, std::span<double> gradient,
                         const Parameters&);
void sigmoidGradient(std::span<const double> logits, std::span<const double> weights, std::span<double> gradient,
                     const Parameters&);
void squaredReluGradient(std::span<const double> logits, std::span<const double> weights, std::span<double> gradient,
                         const Parameters&);

/// w = relu(e^x - 1) / D, D = sum |e^x - 1| + eps: (J^T g)_j = e^x_j / D ([x_j > 0] g_j - sign(x_j) w.g). Parameter
/// eps.
void softpickGradient(std::span<const double> logits, std::span<const double> weights, std::span<double> gradient,
                      const Parameters&);

/// w = softmax(beta(H) x), H = -sum p ln(p + eps) of p = softmax(x). With u = w (g - w.g): beta u + beta'(H) (u.x)
/// dH/dx, dH/dx_j = p_j (h_j - p.h), h = -ln(p + eps) - p / (p + eps). `beta` and `slope` of H.
void adaptiveGradient(std::span<const double> logits, std::span<const double> weights, std::span<double> gradient,
                      double eps, double beta(double entropy, const Parameters&),
                      double slope(double entropy, const Parameters&), const Parameters&);

}  // namespace attnscope
