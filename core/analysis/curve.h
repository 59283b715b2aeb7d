#pragma once
// A quantity against the length n.

#include <vector>

namespace attnscope {

/// A value at a length. The standard error is 0 where the value is exact for what the curve says it shows, and where it
/// is of one row, which does not say.
struct CurvePoint {
    double n = 0;
    double value = 0;
    double standardError = 0;
};
using Curve = std::vector<CurvePoint>;

}  // namespace attnscope
