#pragma once
// The laws of x from which logit_density.h makes densities.

#include "core/theory/logit_density.h"

namespace attnscope {

LogitLaw normalLaw();                         ///< standard normal
LogitLaw cosineLaw(int d);                    ///< cosine of a uniform direction in R^d, d >= 1
LogitLaw uniformLaw(double lo, double hi);    ///< on (lo, hi), lo < hi
LogitLaw finiteLaw(std::vector<Node> atoms);  ///< weights above 0, of any sum

}  // namespace attnscope
