#pragma once
// The least value of a function of one number, which is dear to ask: a few points first, on as few windows as will do,
// then golden sections with parabolic steps (Brent 1973) between the neighbours of the best.

#include "core/base/error.h"

#include <functional>

namespace attnscope {

struct Line {
    double from = 0, to = 1;  ///< the points looked at first
    int points = 7;
    double least = from, most = to;  ///< where the best point is at an end, it is looked for as far as this
    int bits = 7;                    ///< 2^-bits of the bracket is told apart
};

/// Cheap for the first points, exact for the others; a value may be infinite.
using LineFunction = std::function<Result<double>(double x, bool exact)>;

/// Where it is least of all that was asked for exactly. Errors: those of the function.
Result<double> minimise(const Line& line, const LineFunction& value);

}  // namespace attnscope
