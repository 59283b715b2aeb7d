#include "core/arithmetic/arithmetic.h"

namespace attnscope {

const Arithmetic& arithmetic()
{
    static const Arithmetic& best = []() -> const Arithmetic& {
        const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
        if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
            return avx512Arithmetic;
        return avx2 ? avx2Arithmetic : baselineArithmetic;
    }();
    return best;
}

}  // namespace attnscope
