// The learning kernels for AVX-512 (F, DQ, VL, BW).
#define Eigen eigen_learn_avx512
#define ATTNSCOPE_TARGET avx512
#include "core/learn/kernels/kernels.inc"

namespace attnscope::learn {

const Kernels avx512Kernels{
    "avx512",           avx512::gelu,        avx512::product, avx512::adam,        avx512::exponentials,
    avx512::largest,    avx512::softmaxBack, avx512::rmsNorm, avx512::rmsNormBack, avx512::swiglu,
    avx512::swigluBack, avx512::rotate};

}  // namespace attnscope::learn
