#pragma once
// What the numbers of a file are, and their decoding into float or double. Some formats keep numbers in blocks that
// share a scale: 32 of Q8_0 take 34 bytes. A number alone is a block of one.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace attnscope {

enum class Dtype {
    F64,
    F32,
    F16,
    BF16,
    I64,
    I32,
    I16,
    I8,
    U64,
    U32,
    U16,
    U8,
    Bool,
    F8_E4M3,
    F8_E5M2,
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
    MXFP4,
    F4_E2M1,
    Unknown,  ///< none of these: nothing can be made of its bytes
};

std::string_view dtypeName(Dtype dtype);  ///< as safetensors and GGUF write it: "BF16", "Q4_K"
std::size_t dtypeSize(Dtype dtype);       ///< bytes of a block
std::size_t numbersOfBlock(Dtype dtype);  ///< 1, 32 or 256
/// Bytes of whole blocks; a last block that is not full counts.
std::uint64_t bytesOf(Dtype dtype, std::uint64_t numbers);

/// "F32" as safetensors write it; empty if it is none that can be read, or one of blocks.
std::optional<Dtype> dtypeFromName(std::string_view name);

/// Are products of matrices computed from it? Floats, and blocks of them, of up to 32 bits.
bool isWeight(Dtype dtype);

/// out[i] = number i of `bytes`, which hold out.size() of them, whole blocks.
template <class Float>
void decode(Dtype dtype, bool bigEndian, std::span<const std::byte> bytes, std::span<Float> out);

/// The same to float32, little endian, from any address: the fast way.
void widen(Dtype dtype, const std::byte* bytes, std::size_t count, float* out);

/// The number of elements, or nothing if the bytes they would take do not fit in 63 bits (zero extents count as one
/// here, so that no order of the axes can hide an overflow), an extent is negative, or there are more than 32 axes.
std::optional<std::uint64_t> checkedCount(std::span<const std::int64_t> shape, std::size_t elementSize);

}  // namespace attnscope
