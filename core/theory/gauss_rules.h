#pragma once
// Gauss quadrature for the classical weights, normalised to total weight 1: the nodes are the eigenvalues of the Jacobi
// matrix of the orthogonal polynomials' three-term recurrence (Golub & Welsch 1969), the weights 1 / sum_k p_k(x)^2.

#include "core/theory/logit_density.h"

#include <functional>
#include <initializer_list>
#include <vector>

namespace attnscope {

std::vector<Node> gaussHermite(int count);                   ///< standard normal
std::vector<Node> gaussGamma(int count, double shape);       ///< Gamma(shape), shape > 0: generalised Laguerre
std::vector<Node> gaussGegenbauer(int count, double power);  ///< (1 - x^2)^power on (-1, 1), power > -1; 0: Legendre

/// x p_k = sqrt(square_{k+1}) p_{k+1} + diagonal_k p_k + sqrt(square_k) p_{k-1}, p_0 = 1: any weight whose recurrence
/// is known.
std::vector<Node> gaussOf(const std::vector<double>& diagonal, const std::vector<double>& square);

/// 16-point Legendre rules on `pieces` equal parts of (lo, hi), times a density.
std::vector<Node> gaussPanels(double lo, double hi, int pieces, const std::function<double(double x)>& density);

/// Rules of several sizes, made once: the smallest that has `count` nodes, or none.
using RuleOfSize = std::function<std::vector<Node>(double count)>;
RuleOfSize rulesOfSizes(std::initializer_list<int> sizes, const std::function<std::vector<Node>(int size)>& make);

}  // namespace attnscope
