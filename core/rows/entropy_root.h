#pragma once
// The multiplier m > 0 at which a measured mean entropy H(m) has a wanted value. Of softmax over m z it falls as m
// grows (dH/dm = -m Var), from the mean of ln(keys seen) near m = 0; others rise and fall (a sigmoid's offset, a bias
// of positions), give no weight at m = 0 (softpick, squared ReLU), or do not depend on m at all. So the root is looked
// for from m = 1 outwards, and the one nearest to it is taken. An evaluation is a pass of an engine: few are made.

#include "core/base/error.h"

#include <functional>
#include <optional>
#include <string>

namespace attnscope {

struct EntropyRoot {
    std::optional<double> multiplier;  ///< to a relative 1e-7; nothing where no m from 1e-6 to 1e6 gives the target
    double least = 0, most = 0;        ///< the entropies that were met on the way, nats

    /// Of no root, after "no multiplier ": "gives 2.9154 nats: they give 0.1 to 2.5".
    std::string why(double target) const;
};

/// `entropy` may be NaN where no row has weights. Errors: those of `entropy`.
Result<EntropyRoot> entropyRoot(double target, const std::function<Result<double>(double m)>& entropy);

}  // namespace attnscope
