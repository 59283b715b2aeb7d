#pragma once
// What the chosen row of a scenario counts, from its mask alone: enough to put numbers into a formula before, or
// without, any queries and keys.

#include "core/analysis/scenario.h"
#include "core/scaling/scale_method.h"

namespace attnscope {

/// Of view.row; -1: the last. Rows are the positions 0 .. n - 1.
ScaleContext scaleContextOf(const Scenario& scenario);

}  // namespace attnscope
