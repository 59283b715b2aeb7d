#pragma once
// The multiplier m at which a measured mean entropy H(m) has a wanted value. H falls as m grows (dH/dm = -m Var for
// softmax), from the mean of ln(keys seen) at m = 0, so m is a bracketed root. An evaluation is a pass of an engine:
// few are made.

#include "core/base/error.h"

#include <functional>
#include <optional>

namespace attnscope {

struct EntropyRoot {
    std::optional<double> multiplier;  ///< nothing where no m >= 0 gives the target
    double nearest = 0;                ///< the entropy that comes nearest to it then, nats
};

/// To a relative tolerance. Errors: those of `entropy`.
Result<EntropyRoot> entropyRoot(double target, const std::function<Result<double>(double m)>& entropy,
                                double tolerance);

}  // namespace attnscope
