#pragma once
// Does an exact expectation say anything of measured data? Its distance from them beside their spread.

#include "core/analysis/curve.h"

#include <optional>

namespace attnscope {

struct TheoryFit {
    double miss = 0;    ///< mean distance of the measured points from the exact curve
    double spread = 0;  ///< mean of two standard errors of the same points
    bool misses() const { return miss > spread; }
};

/// Over the lengths that both curves reach; the exact one is interpolated linearly in ln n. None where there are none.
std::optional<TheoryFit> theoryFit(const Curve& measured, const Curve& exact);

}  // namespace attnscope
