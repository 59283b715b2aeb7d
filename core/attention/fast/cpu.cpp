#include "core/attention/fast/cpu.h"

namespace attnscope::fast {

#ifdef ATTNSCOPE_X86

std::string withoutAvx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? "" : "this processor has no AVX2 with FMA"; }

std::string withoutAvx512()
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")
               ? "" : "this processor has no AVX-512 (F, DQ, BW, VL)";
}

const TileKernels* kernelsOf(std::string_view engine)
{
    if (engine == "avx512")
        return &avx512Kernels;
    if (engine == "avx2")
        return &avx2Kernels;
    return engine == "baseline" ? &baselineKernels : nullptr;
}

const TileKernels& fastestKernels()
{
    return withoutAvx512().empty() ? avx512Kernels : withoutAvx2().empty() ? avx2Kernels : baselineKernels;
}

#else

std::string withoutAvx2() { return "this is no x86-64 processor"; }
std::string withoutAvx512() { return "this is no x86-64 processor"; }
const TileKernels* kernelsOf(std::string_view engine) { return engine == "baseline" ? &baselineKernels : nullptr; }
const TileKernels& fastestKernels() { return baselineKernels; }

#endif

}  // namespace attnscope::fast
