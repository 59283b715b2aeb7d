#pragma once
// A quantity against the length n.

#include <limits>
#include <optional>
#include <vector>

namespace attnscope {

struct RowMean;

/// A value at a length.
struct CurvePoint {
    double n = 0;
    double value = 0;
    double low = std::numeric_limits<double>::quiet_NaN();   ///< of a mean over rows: RowMean::low, high; NaN: of none,
    double high = std::numeric_limits<double>::quiet_NaN();  ///< or of one
    double sampling = 0;  ///< by how much the mean of some of a sequence's rows may miss that of all: their deviation
                          ///< over the root of their number; 0 of all
};
/// `some`: it is of some of the rows that it speaks of.
CurvePoint pointOf(double n, const RowMean& mean, bool some = false);
using Curve = std::vector<CurvePoint>;

/// How far from N on a curve stays near a value.
struct Reach {
    double n = 0;         ///< the length at which it leaves
    bool beyond = false;  ///< it does not, up to this length, where the curve ends or is no longer sure
};

/// Where it comes to differ from `value` by more than `share` of it, linear in ln n between points. Points that do so
/// by less than twice their CurvePoint::sampling count if none after them comes back before one that surely does. It is
/// of these very rows: those of another draw may leave elsewhere. None where it differs so at N already, does not reach
/// N, or ends there.
std::optional<Reach> reachOf(const Curve& curve, double trained, double value, double share);

/// Does an exact expectation say anything of measured data? One sequence cannot tell how far the mean of another would
/// lie from this one's; it can tell whether the expectation is of a size that its rows have.
struct TheoryFit {
    double miss = 0;  ///< mean distance of the measured points from the exact curve
    int lengths = 0;  ///< at which there are rows to compare it with,
    int outside = 0;  ///< and at which it is not among the middle four fifths of them
    bool misses() const { return 2 * outside > lengths; }
};

/// Over the lengths that both curves reach; the exact one is interpolated linearly in ln n. None where there are none.
std::optional<TheoryFit> theoryFit(const Curve& measured, const Curve& exact);

}  // namespace attnscope
