// The tile kernels for AVX-512 (F, DQ, VL, BW).
#define Eigen eigen_avx512
#define ATTNSCOPE_TARGET avx512
#include "core/attention/fast/tile_kernels.inc"

namespace attnscope::fast {

const TileKernels avx512Kernels{avx512::product, avx512::mask,   avx512::transform, avx512::rank, avx512::accumulate,
                                avx512::soften,  avx512::pixels, avx512::weigh,     avx512::mix,  avx512::bound};

}  // namespace attnscope::fast
