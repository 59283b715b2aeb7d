#pragma once
// Gauss quadrature for the classical weights, normalised to total weight 1: the nodes are the eigenvalues of the Jacobi
// matrix of the orthogonal polynomials' three-term recurrence (Golub & Welsch 1969), the weights 1 / sum_k p_k(x)^2.

#include "core/theory/logit_density.h"

#include <vector>

namespace attnscope {

std::vector<Node> gaussHermite(int count);                   ///< standard normal
std::vector<Node> gaussGamma(int count, double shape);       ///< Gamma(shape), shape > 0: generalised Laguerre
std::vector<Node> gaussGegenbauer(int count, double power);  ///< (1 - x^2)^power on (-1, 1), power > -1; 0: Legendre

}  // namespace attnscope
