#pragma once
// Element types and their decoding into float or double.

#include "core/tensor/tensor_file.h"

#include <optional>

namespace attnscope {

/// "F32" as safetensors write it; empty if it is none that can be read.
std::optional<Dtype> dtypeFromName(std::string_view name);

/// out[i] = element i of `bytes`, which holds out.size() elements.
template <class Float>
void decode(Dtype dtype, bool bigEndian, std::span<const std::byte> bytes, std::span<Float> out);

/// The number of elements, or nothing if the bytes they would take do not fit in 63 bits (zero extents count as one
/// here, so that no order of the axes can hide an overflow), an extent is negative, or there are more than 32 axes.
std::optional<std::uint64_t> checkedCount(std::span<const std::int64_t> shape, std::size_t elementSize);

}  // namespace attnscope
