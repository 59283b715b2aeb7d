#include "core/base/processor.h"

#include <algorithm>
#include <atomic>

namespace attnscope {

namespace {

std::atomic<Instructions> mostToUse{Instructions::Avx512};

}  // namespace

Instructions instructionsOfProcessor()
{
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return Instructions::Baseline;
    const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    return wide ? Instructions::Avx512 : Instructions::Avx2;
#else
    return Instructions::Baseline;
#endif
}

Instructions instructionsInUse() { return std::min(instructionsOfProcessor(), mostToUse.load()); }

void useAtMost(Instructions most) { mostToUse = most; }

}  // namespace attnscope
