#pragma once
// The loops over float32 that products of matrices and layers of networks spend their time in, one table of plain
// functions for each instruction set; the best one that this machine has is used. Each table lives in an object of its
// own in which Eigen is renamed, so that no function compiled for AVX-512 is ever linked into code for an older
// machine. All matrices are row-major.

#include <cstddef>
#include <cstdint>

namespace attnscope {

/// A (rows x columns) as it lies in memory, and whether it is used transposed.
struct Operand {
    const float* data = nullptr;
    std::ptrdiff_t stride = 0;  ///< floats from one row to the next
    bool transposed = false;
};

/// Numbers as files hold them, little endian: one by one, or in blocks that share a scale (core/arithmetic/widen.inc).
enum class NumberFormat {
    Bfloat16,
    Half,
    F8E4M3,
    F8E5M2,
    Q8_0,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q2_K,
    Q3_K,
    Q4_K,
    Q5_K,
    Q6_K,
    IQ4_NL,
    Mxfp4,
    F4E2M1,  ///< two in a byte, the first in its lower half: those of Mxfp4 without their scale
};

struct Arithmetic {
    const char* name;
    /// c (m x n, rows `stride` apart) = or += op(a) op(b), the sum over `inner` terms.
    void (*multiply)(Operand a, Operand b, std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t inner, float* c,
                     std::ptrdiff_t stride, bool accumulate);
    /// `count` numbers, whole blocks, to float32, from any address.
    void (*widen)(NumberFormat format, const std::byte* from, std::ptrdiff_t count, float* to);
    /// x <- x / (1 + e^-x) (SiLU, Elfwing et al. 2018).
    void (*silu)(float* x, std::ptrdiff_t count);
    /// x <- x/2 (1 + erf(x / sqrt 2)) (GELU, Hendrycks & Gimpel 2016).
    void (*gelu)(float* x, std::ptrdiff_t count);
    /// x <- x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), its approximation.
    void (*geluTanh)(float* x, std::ptrdiff_t count);
    /// x <- c tanh(x / c).
    void (*softCap)(float* x, std::ptrdiff_t count, float c);
    /// sum e^(x - shift).
    double (*sumOfExponentials)(const float* x, std::ptrdiff_t count, float shift);
    /// x <- softmax of x + mask, whose elements are 0 or -infinity: there the weight is 0, as it is everywhere under a
    /// mask without zeros. The entropy, nats.
    double (*maskedSoftmax)(float* x, const float* mask, std::ptrdiff_t count);
};

extern const Arithmetic baselineArithmetic, avx2Arithmetic, avx512Arithmetic;

/// The fastest that this machine can run.
const Arithmetic& arithmetic();

}  // namespace attnscope
