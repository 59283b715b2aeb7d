#include "core/learn/kernels/kernels.h"

#include "core/base/processor.h"

namespace attnscope::learn {

const Kernels& kernels()
{
    const Instructions use = instructionsInUse();
    return use == Instructions::Avx512 ? avx512Kernels : use == Instructions::Avx2 ? avx2Kernels : baselineKernels;
}

}  // namespace attnscope::learn
