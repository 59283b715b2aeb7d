#pragma once
// Which kernels this processor can run.

#include "core/attention/fast/tile_kernels.h"

#include <string>

namespace attnscope::fast {

/// Empty if the processor can run those kernels, else one line that says what it lacks.
std::string withoutAvx2();
std::string withoutAvx512();

/// The kernels for the widest instructions in use (core/base/processor.h).
const TileKernels& fastestKernels();

}  // namespace attnscope::fast
