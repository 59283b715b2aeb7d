#include "core/tensor/dtype.h"

#include "core/arithmetic/arithmetic.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <vector>

#include <Eigen/Core>

namespace attnscope {

namespace {

struct DtypeRow {
    Dtype dtype;
    std::string_view name;
    std::size_t size, numbers = 1;
    std::optional<NumberFormat> format = std::nullopt;
};

constexpr std::array<DtypeRow, 29> table{{
    {Dtype::F64, "F64", 8},
    {Dtype::F32, "F32", 4},
    {Dtype::F16, "F16", 2, 1, NumberFormat::Half},
    {Dtype::BF16, "BF16", 2, 1, NumberFormat::Bfloat16},
    {Dtype::I64, "I64", 8},
    {Dtype::I32, "I32", 4},
    {Dtype::I16, "I16", 2},
    {Dtype::I8, "I8", 1},
    {Dtype::U64, "U64", 8},
    {Dtype::U32, "U32", 4},
    {Dtype::U16, "U16", 2},
    {Dtype::U8, "U8", 1},
    {Dtype::Bool, "BOOL", 1},
    {Dtype::F8_E4M3, "F8_E4M3", 1, 1, NumberFormat::F8E4M3},
    {Dtype::F8_E5M2, "F8_E5M2", 1, 1, NumberFormat::F8E5M2},
    {Dtype::Q8_0, "Q8_0", 34, 32, NumberFormat::Q8_0},
    {Dtype::Q4_0, "Q4_0", 18, 32, NumberFormat::Q4_0},
    {Dtype::Q4_1, "Q4_1", 20, 32, NumberFormat::Q4_1},
    {Dtype::Q5_0, "Q5_0", 22, 32, NumberFormat::Q5_0},
    {Dtype::Q5_1, "Q5_1", 24, 32, NumberFormat::Q5_1},
    {Dtype::Q2_K, "Q2_K", 84, 256, NumberFormat::Q2_K},
    {Dtype::Q3_K, "Q3_K", 110, 256, NumberFormat::Q3_K},
    {Dtype::Q4_K, "Q4_K", 144, 256, NumberFormat::Q4_K},
    {Dtype::Q5_K, "Q5_K", 176, 256, NumberFormat::Q5_K},
    {Dtype::Q6_K, "Q6_K", 210, 256, NumberFormat::Q6_K},
    {Dtype::IQ4_NL, "IQ4_NL", 18, 32, NumberFormat::IQ4_NL},
    {Dtype::MXFP4, "MXFP4", 17, 32, NumberFormat::Mxfp4},
    {Dtype::F4_E2M1, "F4", 1, 2, NumberFormat::F4E2M1},
    {Dtype::Unknown, "unknown", 0},
}};

constexpr bool inOrder()
{
    for (std::size_t i = 0; i < table.size(); ++i)
        if (table[i].dtype != static_cast<Dtype>(i))
            return false;
    return true;
}
static_assert(inOrder());

const DtypeRow& rowOf(Dtype dtype) { return table[static_cast<std::size_t>(dtype)]; }

struct Half {
    std::uint16_t bits;
    explicit operator float() const { return static_cast<float>(Eigen::numext::bit_cast<Eigen::half>(bits)); }
};
struct BFloat16 {
    std::uint16_t bits;
    explicit operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
};

template <class Element, class Float>
void decodeAs(bool swap, std::span<const std::byte> bytes, std::span<Float> out)
{
    for (std::size_t i = 0; i < out.size(); ++i) {
        std::array<std::byte, sizeof(Element)> raw;
        std::memcpy(raw.data(), bytes.data() + i * sizeof(Element), sizeof(Element));
        if (swap)
            std::reverse(raw.begin(), raw.end());
        const Element element = std::bit_cast<Element>(raw);
        if constexpr (std::is_class_v<Element>)
            out[i] = static_cast<Float>(static_cast<float>(element));
        else
            out[i] = static_cast<Float>(element);
    }
}

}  // namespace

std::string_view dtypeName(Dtype dtype) { return rowOf(dtype).name; }
std::size_t dtypeSize(Dtype dtype) { return rowOf(dtype).size; }
std::size_t numbersOfBlock(Dtype dtype) { return rowOf(dtype).numbers; }

std::uint64_t bytesOf(Dtype dtype, std::uint64_t numbers)
{
    const DtypeRow& row = rowOf(dtype);
    return (numbers / row.numbers + (numbers % row.numbers != 0)) * row.size;
}

bool isWeight(Dtype dtype) { return dtype == Dtype::F32 || rowOf(dtype).format; }

void widen(Dtype dtype, const std::byte* bytes, std::size_t count, float* out)
{
    assert(isWeight(dtype) && count % numbersOfBlock(dtype) == 0);
    if (dtype == Dtype::F32)
        std::memcpy(out, bytes, count * sizeof(float));
    else
        arithmetic().widen(*rowOf(dtype).format, bytes, static_cast<std::ptrdiff_t>(count), out);
}

std::optional<Dtype> dtypeFromName(std::string_view name)
{
    for (const DtypeRow& row : table)
        if (row.name == name && row.numbers == 1 && row.size > 0)
            return row.dtype;
    return std::nullopt;
}

template <class Float>
void decode(Dtype dtype, bool bigEndian, std::span<const std::byte> bytes, std::span<Float> out)
{
    const bool swap = bigEndian != (std::endian::native == std::endian::big);
    switch (dtype) {
    case Dtype::F64:
        return decodeAs<double>(swap, bytes, out);
    case Dtype::F32:
        return decodeAs<float>(swap, bytes, out);
    case Dtype::F16:
        return decodeAs<Half>(swap, bytes, out);
    case Dtype::BF16:
        return decodeAs<BFloat16>(swap, bytes, out);
    case Dtype::I64:
        return decodeAs<std::int64_t>(swap, bytes, out);
    case Dtype::I32:
        return decodeAs<std::int32_t>(swap, bytes, out);
    case Dtype::I16:
        return decodeAs<std::int16_t>(swap, bytes, out);
    case Dtype::I8:
        return decodeAs<std::int8_t>(swap, bytes, out);
    case Dtype::U64:
        return decodeAs<std::uint64_t>(swap, bytes, out);
    case Dtype::U32:
        return decodeAs<std::uint32_t>(swap, bytes, out);
    case Dtype::U16:
        return decodeAs<std::uint16_t>(swap, bytes, out);
    case Dtype::U8:
        return decodeAs<std::uint8_t>(swap, bytes, out);
    case Dtype::Bool:
        return decodeAs<std::uint8_t>(swap, bytes, out);
    case Dtype::Unknown:
        assert(false);
        return;
    default:
        break;
    }
    if constexpr (std::is_same_v<Float, float>) {
        widen(dtype, bytes.data(), out.size(), out.data());
    } else {
        std::vector<float> narrow(out.size());
        widen(dtype, bytes.data(), narrow.size(), narrow.data());
        std::copy(narrow.begin(), narrow.end(), out.begin());
    }
}

template void decode<float>(Dtype, bool, std::span<const std::byte>, std::span<float>);
template void decode<double>(Dtype, bool, std::span<const std::byte>, std::span<double>);

std::optional<std::uint64_t> checkedCount(std::span<const std::int64_t> shape, std::size_t elementSize)
{
    if (shape.size() > 32)
        return std::nullopt;
    bool empty = false;
    std::int64_t bytes = static_cast<std::int64_t>(elementSize);
    for (const std::int64_t extent : shape) {
        empty = empty || extent == 0;
        if (extent < 0 || __builtin_mul_overflow(bytes, std::max<std::int64_t>(extent, 1), &bytes))
            return std::nullopt;
    }
    return empty ? 0 : static_cast<std::uint64_t>(bytes) / elementSize;
}

}  // namespace attnscope
