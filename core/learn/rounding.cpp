#include "core/learn/rounding.h"

#include "core/learn/parallel.h"

#include <bit>

namespace attnscope::learn {

namespace {

constexpr Index roundedAtOnce = 1 << 15;

ConstMatrixView rounded(ConstMatrixView from, MatrixView to)
{
    forChunks(from.size(), roundedAtOnce, [&](Index begin, Index end, Index) {
        for (Index i = begin; i < end; ++i)
            to.data()[i] = toBfloat16(from.data()[i]);
    });
    return {to.data(), from.rows(), from.cols()};
}

}  // namespace

float toBfloat16(float x)
{
    // the upper 16 bits of a float32; half of their last unit is added before the cut, less one where that makes ties
    // even
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
    return std::bit_cast<float>((bits + 0x7fffU + ((bits >> 16) & 1U)) & 0xffff0000U);
}

std::vector<std::uint16_t> bfloat16Of(std::span<const float> numbers)
{
    std::vector<std::uint16_t> halves;
    halves.reserve(numbers.size());
    for (const float number : numbers)
        halves.push_back(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(toBfloat16(number)) >> 16));
    return halves;
}

Factor::Factor(Products products, ConstMatrixView matrix)
    : m_view(products == Products::Float32 ? matrix : rounded(matrix, m_copy.shape(matrix.rows(), matrix.cols())))
{
}

}  // namespace attnscope::learn
