#pragma once
// The loops of a training step that are no products of matrices (those are core/arithmetic's), one table of plain functions
// for each instruction set; the best one that this machine has is used. Each table lives in an object of its own in which
// Eigen is renamed, so that no function compiled for AVX-512 is ever linked into code for an older machine.

#include <cstddef>

namespace attnscope::learn {

struct Kernels {
    const char* name;
    /// y = x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) and dy/dx.
    void (*gelu)(const float* x, std::ptrdiff_t count, float* y, float* slope);
    /// y = a b, or y += a b, element by element.
    void (*product)(const float* a, const float* b, std::ptrdiff_t count, float* y, bool accumulate);
    /// Adam's moments and step: m and v are updated, w -= rate m / (sqrt v + eps) + decay w. `gradient` gets l2 w added first.
    void (*adam)(float* w, const float* gradient, float* m, float* v, std::ptrdiff_t count, const struct AdamStep&);
};

/// The bias corrections are in `rate` and `eps`.
struct AdamStep {
    float rate = 0, beta1 = 0, beta2 = 0, eps = 0, decay = 0, l2 = 0;
};

extern const Kernels baselineKernels, avx2Kernels, avx512Kernels;

/// Those for the widest instructions in use (core/base/processor.h).
const Kernels& kernels();

}  // namespace attnscope::learn
