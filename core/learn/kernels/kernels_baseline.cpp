// The learning kernels for every machine.
#define Eigen eigen_learn_baseline
#define ATTNSCOPE_TARGET baseline
#include "core/learn/kernels/kernels.inc"

namespace attnscope::learn {

const Kernels baselineKernels{
    "baseline",           baseline::gelu,        baseline::product, baseline::adam,        baseline::exponentials,
    baseline::largest,    baseline::softmaxBack, baseline::rmsNorm, baseline::rmsNormBack, baseline::swiglu,
    baseline::swigluBack, baseline::rotate};

}  // namespace attnscope::learn
