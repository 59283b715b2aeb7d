// The loops for AVX2 with FMA and F16C.
#define Eigen eigen_arithmetic_avx2
#define ATTNSCOPE_TARGET arithmetic_avx2
#include "core/arithmetic/arithmetic.inc"

namespace attnscope {

const Arithmetic avx2Arithmetic{"avx2",
                                arithmetic_avx2::multiply,
                                arithmetic_avx2::widen,
                                arithmetic_avx2::silu,
                                arithmetic_avx2::gelu,
                                arithmetic_avx2::geluTanh,
                                arithmetic_avx2::softCap,
                                arithmetic_avx2::sumOfExponentials,
                                arithmetic_avx2::maskedSoftmax};

}  // namespace attnscope
