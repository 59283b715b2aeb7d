#pragma once
// Mean over the rows of a causal matrix. Row i sees i keys, i = 1 .. n, so truncated to n tokens the mean of a quantity f is
//
//     (1/n) sum_{i=1..n} f(i):   exactly up to i = 32, then by Euler-Maclaurin as an integral over ln i,
//
// adaptively, with about a hundred evaluations of f whatever n is. f may have kinks; it is evaluated at real i.

#include "core/base/error.h"
#include "core/theory/logit_density.h"

#include <functional>

namespace attnscope {

struct CausalMean {
    double value = 0;
    double error = 0;  ///< estimate of |value - exact mean|
};

/// Errors: InvalidArgument (n not in 1 .. 1e12); the first error of f.
Result<CausalMean> meanOverCausalRows(double n, const std::function<Result<double>(double i)>& f, double tolerance = 1e-7);

/// Mean expected entropy over the rows of a causal matrix at one scale for all rows, nats.
Result<CausalMean> meanCausalEntropy(const LogitDensity& density, double n, double lambda, double tolerance = 1e-7);

/// With a scale for each number of visible keys.
Result<CausalMean> meanCausalEntropy(const LogitDensity& density, double n, const std::function<Result<double>(double visible)>& lambda,
                                     double tolerance = 1e-7);

}  // namespace attnscope
