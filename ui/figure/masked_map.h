#pragma once
// A method's map in which what is masked differs from what is zero.

#include "core/analysis/analysis.h"

#include <memory>

namespace attnscope {

/// Cells that no query of theirs can see are absent (NaN), so that a weight of 0, or one too small for a float, is not
/// taken for a mask. Draw it with a scale that paints zeros.
std::shared_ptr<const PooledMap> maskedMap(const Analysis& analysis, const MethodAnalysis& method);

/// Does the normaliser give visible keys a weight of exactly 0? No softmax does.
bool givesZeros(const Choice& normaliser);

}  // namespace attnscope
