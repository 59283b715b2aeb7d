// The learning kernels for AVX2 with FMA.
#define Eigen eigen_learn_avx2
#define ATTNSCOPE_TARGET avx2
#include "core/learn/kernels/kernels.inc"

namespace attnscope::learn {

const Kernels avx2Kernels{"avx2", avx2::gelu, avx2::product, avx2::adam};

}  // namespace attnscope::learn
