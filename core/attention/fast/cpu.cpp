#include "core/attention/fast/cpu.h"

#include "core/base/processor.h"

namespace attnscope::fast {

#ifdef ATTNSCOPE_X86

std::string withoutAvx2()
{
    return instructionsOfProcessor() >= Instructions::Avx2 ? "" : "this processor has no AVX2 with FMA";
}

std::string withoutAvx512()
{
    return instructionsOfProcessor() >= Instructions::Avx512 ? "" : "this processor has no AVX-512 (F, DQ, BW, VL)";
}

const TileKernels& fastestKernels()
{
    const Instructions use = instructionsInUse();
    return use == Instructions::Avx512 ? avx512Kernels : use == Instructions::Avx2 ? avx2Kernels : baselineKernels;
}

#else

std::string withoutAvx2() { return "this is no x86-64 processor"; }
std::string withoutAvx512() { return "this is no x86-64 processor"; }
const TileKernels& fastestKernels() { return baselineKernels; }

#endif

}  // namespace attnscope::fast
