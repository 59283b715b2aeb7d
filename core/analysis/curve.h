#pragma once
// A quantity against the length n.

#include <optional>
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

/// How far from N on a curve stays near a value.
struct Reach {
    double n = 0;         ///< the length at which it leaves
    bool beyond = false;  ///< it does not, up to this length, where the curve ends
};

/// Where it comes to differ from `value` by more than `share` of it, linear in ln n between points. Points that do so
/// by less than two standard errors count if none after them comes back before one that surely does, or at all. None
/// where it differs so at N already, does not reach N, or ends there.
std::optional<Reach> reachOf(const Curve& curve, double trained, double value, double share);

/// Does an exact expectation say anything of measured data? Its distance from them beside their spread.
struct TheoryFit {
    double miss = 0;    ///< mean distance of the measured points from the exact curve
    double spread = 0;  ///< mean of two standard errors of the same points
    bool misses() const { return miss > spread; }
};

/// Over the lengths that both curves reach; the exact one is interpolated linearly in ln n. None where there are none.
std::optional<TheoryFit> theoryFit(const Curve& measured, const Curve& exact);

}  // namespace attnscope
