#pragma once
// The loops of a training step that are no products of matrices (those are core/arithmetic's), one table of plain
// functions for each instruction set; the best one that this machine has is used. Each table lives in an object of its
// own in which Eigen is renamed, so that no function compiled for AVX-512 is ever linked into code for an older
// machine.

#include <cstddef>

namespace attnscope::learn {

struct Kernels {
    const char* name;
    /// y = x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) and dy/dx.
    void (*gelu)(const float* x, std::ptrdiff_t count, float* y, float* slope);
    /// y = a b, or y += a b, element by element.
    void (*product)(const float* a, const float* b, std::ptrdiff_t count, float* y, bool accumulate);
    /// Adam's moments and step: m and v are updated, w -= rate m / (sqrt v + eps) + decay w. `gradient` gets l2 w added
    /// first.
    void (*adam)(float* w, const float* gradient, float* m, float* v, std::ptrdiff_t count, const struct AdamStep&);
    /// p = e^(z - shift); their sum. z and p may be one.
    float (*exponentials)(const float* z, std::ptrdiff_t count, float shift, float* p);
    /// The largest of z; its place in `at` where that is wanted.
    float (*largest)(const float* z, std::ptrdiff_t count, std::ptrdiff_t* at);
    /// out = p (g - inner), what softmax makes of a gradient g of its weights. g and out may be one.
    void (*softmaxBack)(const float* p, const float* g, std::ptrdiff_t count, float inner, float* out);
    /// y = x r gain with r = 1 / sqrt(mean x^2 + eps) of every row of x (rows, columns); r goes to `inverse` (rows).
    void (*rmsNorm)(const float* x, const float* gain, std::ptrdiff_t rows, std::ptrdiff_t columns, float eps, float* y,
                    float* inverse);
    /// dx = or += r (g - x r mean(g x r)) with g = dy gain; dgain += dy x r over the rows.
    void (*rmsNormBack)(const float* x, const float* gain, const float* inverse, const float* dy, std::ptrdiff_t rows,
                        std::ptrdiff_t columns, float* dx, bool accumulate, float* dgain);
    /// y = silu(a) b, silu(a) = a / (1 + e^-a).
    void (*swiglu)(const float* a, const float* b, std::ptrdiff_t count, float* y);
    /// da = or += dy b silu'(a), db = or += dy silu(a).
    void (*swigluBack)(const float* a, const float* b, const float* dy, std::ptrdiff_t count, float* da,
                       bool accumulateA, float* db, bool accumulateB);
    /// (a_j, b_j) <- (a_j cos_j - b_j sin_j, b_j cos_j + a_j sin_j) into y: x is a_0.., b_0.. of `half` each; sign -1
    /// turns back.
    void (*rotate)(const float* x, const float* cosines, const float* sines, std::ptrdiff_t half, float sign, float* y,
                   bool accumulate);
};

/// The bias corrections are in `rate` and `eps`.
struct AdamStep {
    float rate = 0, beta1 = 0, beta2 = 0, eps = 0, decay = 0, l2 = 0;
};

extern const Kernels baselineKernels, avx2Kernels, avx512Kernels;

/// Those for the widest instructions in use (core/base/processor.h).
const Kernels& kernels();

}  // namespace attnscope::learn
