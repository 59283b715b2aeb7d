#include "core/learn/kernels/kernels.h"

namespace attnscope::learn {

const Kernels& kernels()
{
    static const Kernels& best = [] () -> const Kernels& {
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
            return avx512Kernels;
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? avx2Kernels : baselineKernels;
    }();
    return best;
}

}  // namespace attnscope::learn
