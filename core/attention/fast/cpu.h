#pragma once
// Which kernels this processor can run.

#include "core/attention/fast/tile_kernels.h"

#include <string>
#include <string_view>

namespace attnscope::fast {

/// Empty if the processor can run the kernels of that engine's id, else one line that says what it lacks.
std::string withoutAvx2();
std::string withoutAvx512();

/// The kernels behind an engine's id, or null.
const TileKernels* kernelsOf(std::string_view engine);

/// The kernels for the widest instructions in use (core/base/processor.h).
const TileKernels& fastestKernels();

}  // namespace attnscope::fast
