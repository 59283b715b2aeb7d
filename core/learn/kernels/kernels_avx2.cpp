// The learning kernels for AVX2 with FMA.
#define Eigen eigen_learn_avx2
#define ATTNSCOPE_TARGET avx2
#include "core/learn/kernels/kernels.inc"

namespace attnscope::learn {

const Kernels avx2Kernels{"avx2",           avx2::gelu,        avx2::product, avx2::adam,        avx2::exponentials,
                          avx2::largest,    avx2::softmaxBack, avx2::rmsNorm, avx2::rmsNormBack, avx2::swiglu,
                          avx2::swigluBack, avx2::rotate};

}  // namespace attnscope::learn
