#pragma once
// How the factors of products are held. A TPU multiplies float32 matrices in bfloat16 unless told otherwise (JAX's
// default precision there): 8 significant bits a factor, the sum in float32. Networks trained and tested so see no more
// of an input than those 8 bits: above 1/2, priorities less than 1/256 apart may be one number to them.

#include "core/learn/matrix.h"

#include <cstdint>
#include <span>
#include <vector>

namespace attnscope::learn {

enum class Products { Float32, Bfloat16 };

/// The nearest bfloat16, ties to even; not for NaN.
float toBfloat16(float x);

/// The upper halves of the rounded numbers: what a file of them holds.
std::vector<std::uint16_t> bfloat16Of(std::span<const float> numbers);

/// A factor as the product reads it: the matrix itself, or a rounded copy.
class Factor {
public:
    Factor(Products products, ConstMatrixView matrix);
    ConstMatrixView view() const { return m_view; }

private:
    Buffer m_copy;
    ConstMatrixView m_view;
};

}  // namespace attnscope::learn
