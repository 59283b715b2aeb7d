#include "core/arithmetic/arithmetic.h"

#include "core/arithmetic/integer_products.h"
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

#ifdef __x86_64__
const IntegerProducts* integerProducts()
{
    const bool can = instructionsInUse() == Instructions::Avx512 && __builtin_cpu_supports("avx512vnni");
    return can ? &avx512IntegerProducts : nullptr;
}
#else
const IntegerProducts* integerProducts() { return nullptr; }
#endif

}  // namespace attnscope
