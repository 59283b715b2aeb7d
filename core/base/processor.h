#pragma once
// Which of the kernels that are compiled for several instruction sets this process runs.

namespace attnscope {

/// Each holds those before it. Avx2: with FMA; Avx512: F, DQ, BW and VL.
enum class Instructions { Baseline, Avx2, Avx512 };

/// The widest that this processor has.
Instructions instructionsOfProcessor();

/// The widest that this process takes by itself: the processor's, or fewer after useAtMost().
Instructions instructionsInUse();

/// For main() and the tests, before anything is computed: what a narrower processor would do can then be seen on this
/// one.
void useAtMost(Instructions most);

}  // namespace attnscope
