#pragma once
// The loops that take a training step's time, one table of plain functions for each instruction set; the best one that
// this machine has is used. Each table lives in an object of its own in which Eigen is renamed, so that no function
// compiled for AVX-512 is ever linked into code for an older machine. All matrices are row-major.

#include <cstddef>

namespace attnscope::learn {

/// A (rows x columns) as it lies in memory, and whether it is used transposed.
struct Operand {
    const float* data = nullptr;
    std::ptrdiff_t stride = 0;  ///< floats from one row to the next
    bool transposed = false;
};

struct Kernels {
    const char* name;
    /// c (m x n, rows `stride` apart) = or += op(a) op(b), the sum over `inner` terms.
    void (*multiply)(Operand a, Operand b, std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t inner, float* c, std::ptrdiff_t stride,
                     bool accumulate);
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
