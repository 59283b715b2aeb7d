#pragma once
// Products of weights in blocks of 32 integers that share a scale (Q8_0, Q4_0) with rows that are rounded to such
// blocks too, x ~ scale (q - 128): sums of integers are exact, and one float32 product a block puts the scales on.
// Several times as fast as widening the weights, and each number of a row is off by up to 1/254 of its block's largest.

#include "core/arithmetic/arithmetic.h"

#include <cstddef>
#include <cstdint>

namespace attnscope {

constexpr std::ptrdiff_t integerBlock = 32;

struct IntegerProducts {
    /// `count` numbers, whole blocks, and a scale for each block.
    void (*round)(const float* x, std::ptrdiff_t count, std::uint8_t* to, float* scales);
    /// c (m x n, rows `stride` apart) = or += rows (m x inner) times the transposed weights, n rows of `inner` numbers,
    /// whole blocks. `room`: integerRoom(inner) bytes.
    void (*multiply)(NumberFormat format, const std::byte* weights, std::ptrdiff_t n, std::ptrdiff_t inner,
                     const std::uint8_t* rounded, const float* scales, std::ptrdiff_t m, float* c,
                     std::ptrdiff_t stride, bool accumulate, std::byte* room);
};

constexpr std::ptrdiff_t integerRoom(std::ptrdiff_t inner) { return inner * 16 + inner / integerBlock * 16 * 8; }

#ifdef __x86_64__
extern const IntegerProducts avx512IntegerProducts;
#endif

/// Null where the processor has no such instructions (AVX-512 VNNI), or may not use them (useAtMost).
const IntegerProducts* integerProducts();

}  // namespace attnscope
