#include "core/arithmetic/arithmetic.h"

#include "core/base/processor.h"

namespace attnscope {

const Arithmetic& arithmetic()
{
    switch (instructionsInUse()) {
    case Instructions::Avx512:
        return avx512Arithmetic;
    case Instructions::Avx2:
        return avx2Arithmetic;  // whose processors all have F16C too
    case Instructions::Baseline:
        break;
    }
    return baselineArithmetic;
}

}  // namespace attnscope
