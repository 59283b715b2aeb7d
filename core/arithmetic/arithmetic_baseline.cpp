// The loops for every machine.
#define Eigen eigen_arithmetic_baseline
#define ATTNSCOPE_TARGET arithmetic_baseline
#include "core/arithmetic/arithmetic.inc"

namespace attnscope {

const Arithmetic baselineArithmetic{"baseline",
                                    arithmetic_baseline::multiply,
                                    arithmetic_baseline::widen,
                                    arithmetic_baseline::silu,
                                    arithmetic_baseline::gelu,
                                    arithmetic_baseline::geluTanh,
                                    arithmetic_baseline::softCap,
                                    arithmetic_baseline::sumOfExponentials,
                                    arithmetic_baseline::maskedSoftmax};

}  // namespace attnscope
