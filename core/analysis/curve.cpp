#include "core/analysis/curve.h"

#include "core/rows/rows.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

/// Linear in ln n.
double between(const CurvePoint& a, const CurvePoint& b, double n)
{
    return a.value + (b.value - a.value) * std::log(n / a.n) / std::log(b.n / a.n);
}

/// On the curve, within its lengths; NaN outside.
double valueAt(const Curve& curve, double n)
{
    const auto above = std::ranges::lower_bound(curve, n, {}, &CurvePoint::n);
    if (above == curve.end() || (above == curve.begin() && above->n != n))
        return std::nan("");
    return above->n == n ? above->value : between(*(above - 1), *above, n);
}

}  // namespace

CurvePoint pointOf(double n, const RowMean& mean, bool some)
{
    return {n, mean.mean, mean.low, mean.high,
            some ? mean.deviation.value_or(0) / std::sqrt(static_cast<double>(mean.count)) : 0};
}

std::optional<Reach> reachOf(const Curve& curve, double trained, double value, double share)
{
    const double room = share * std::abs(value);
    CurvePoint last{trained, valueAt(curve, trained)};
    if (!(std::abs(last.value - value) <= room))
        return {};
    double left = 0;  // since when it is outside; 0: it is inside
    bool surely = false;
    for (const CurvePoint& point : curve) {
        if (!(point.n > trained) || !std::isfinite(point.value))
            continue;
        const double off = point.value - value;
        if (std::abs(off) <= room) {
            left = 0;
            last = point;
            continue;
        }
        if (left == 0) {
            const double edge = value + std::copysign(room, off);
            left = last.n * std::pow(point.n / last.n, (edge - last.value) / (point.value - last.value));
        }
        surely = std::abs(off) - 2 * point.sampling > room;
        if (surely)
            break;
    }
    if (surely)
        return Reach{left, false};
    return last.n > trained ? std::optional(Reach{last.n, true}) : std::nullopt;
}

std::optional<TheoryFit> theoryFit(const Curve& measured, const Curve& exact)
{
    TheoryFit fit;
    int count = 0;
    for (const CurvePoint& point : measured) {
        const double expected = valueAt(exact, point.n);
        if (!std::isfinite(expected) || !std::isfinite(point.value))
            continue;
        fit.miss += std::abs(point.value - expected);
        ++count;
        if (std::isfinite(point.low)) {
            ++fit.lengths;
            fit.outside += expected < point.low || expected > point.high ? 1 : 0;
        }
    }
    if (count == 0)
        return {};
    fit.miss /= count;
    return fit;
}

}  // namespace attnscope
