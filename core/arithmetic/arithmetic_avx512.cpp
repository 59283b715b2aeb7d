// The loops for AVX-512 (F, DQ, VL, BW).
#define Eigen eigen_arithmetic_avx512
#define ATTNSCOPE_TARGET arithmetic_avx512
#include "core/arithmetic/arithmetic.inc"

namespace attnscope {

const Arithmetic avx512Arithmetic{"avx512",
                                  arithmetic_avx512::multiply,
                                  arithmetic_avx512::widen,
                                  arithmetic_avx512::silu,
                                  arithmetic_avx512::gelu,
                                  arithmetic_avx512::geluTanh,
                                  arithmetic_avx512::softCap,
                                  arithmetic_avx512::sumOfExponentials,
                                  arithmetic_avx512::maskedSoftmax};

}  // namespace attnscope
