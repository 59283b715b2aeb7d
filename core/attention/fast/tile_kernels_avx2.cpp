// The tile kernels for AVX2 with FMA.
#define Eigen eigen_avx2
#define ATTNSCOPE_TARGET avx2
#include "core/attention/fast/tile_kernels.inc"

namespace attnscope::fast {

const TileKernels avx2Kernels{avx2::product, avx2::mask,   avx2::transform, avx2::rank, avx2::accumulate,
                              avx2::soften,  avx2::pixels, avx2::weigh,     avx2::mix,  avx2::bound};

}  // namespace attnscope::fast
