#pragma once
// The rows of the registry of positions that add a bias: their g, r and f (position_bias.h) from closed forms or from
// learned files.

#include "core/attention/position_bias.h"
#include "core/base/choice.h"

#include <cstdint>
#include <memory>
#include <string>

namespace attnscope {

/// One head's bias for positions and keys below `reach`. Heads count from 0. Errors: those of the file that the choice
/// names.
using BiasScheme = Result<std::shared_ptr<const PositionBias>>(int head, std::int64_t reach, const Parameters&);

BiasScheme kerpleLog, kerplePower, t5Bias, fireBias;

/// Where the buckets of distances 0, 1, 2, ... begin: half of them are one distance each, the others as wide as
/// logarithms are, and the last takes in everything from about `longest` on. `count` of them.
std::vector<std::int64_t> bucketStarts(int count, double longest);

/// The text that stands for no file.
inline constexpr const char* closedForm = "closed form";

/// The file of learned numbers that the choice names, or empty.
std::string learnedBiasFile(const Parameters&);

}  // namespace attnscope
