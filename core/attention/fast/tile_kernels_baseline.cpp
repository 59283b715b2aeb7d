// The tile kernels for every x86-64 (SSE2), or whatever the compiler's default target is.
#define Eigen eigen_baseline
#define ATTNSCOPE_TARGET baseline
#include "core/attention/fast/tile_kernels.inc"

namespace attnscope::fast {

const TileKernels baselineKernels{baseline::product,    baseline::mask,   baseline::transform, baseline::rank,
                                  baseline::accumulate, baseline::soften, baseline::pixels,    baseline::weigh,
                                  baseline::mix,        baseline::bound};

}  // namespace attnscope::fast
