#include "core/analysis/curve.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

std::optional<TheoryFit> theoryFit(const Curve& measured, const Curve& exact)
{
    TheoryFit fit;
    int count = 0;
    for (const CurvePoint& point : measured) {
        const auto above = std::ranges::lower_bound(exact, point.n, {}, &CurvePoint::n);
        if (above == exact.end() || (above == exact.begin() && above->n != point.n))
            continue;
        double expected = above->value;
        if (above->n != point.n) {
            const CurvePoint& below = *(above - 1);
            expected =
                below.value + (above->value - below.value) * std::log(point.n / below.n) / std::log(above->n / below.n);
        }
        if (!std::isfinite(expected) || !std::isfinite(point.value))
            continue;
        fit.miss += std::abs(point.value - expected);
        fit.spread += 2 * point.standardError;
        ++count;
    }
    if (count == 0)
        return {};
    fit.miss /= count;
    fit.spread /= count;
    return fit;
}

}  // namespace attnscope
