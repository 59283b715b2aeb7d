// The learning kernels for AVX-512 (F, DQ, VL, BW).
#define Eigen eigen_learn_avx512
#define ATTNSCOPE_TARGET avx512
#include "core/learn/kernels/kernels.inc"

namespace attnscope::learn {

const Kernels avx512Kernels{"avx512", avx512::gelu, avx512::product, avx512::adam};

}  // namespace attnscope::learn
