#include "core/tensor/dtype.h"

#include <Eigen/Core>

#include <array>
#include <bit>
#include <cstring>

namespace attnscope {

namespace {

struct DtypeRow {
    Dtype dtype;
    std::string_view name;
    std::size_t size;
};

constexpr std::array<DtypeRow, 13> table{{
    {Dtype::F64, "F64", 8},
    {Dtype::F32, "F32", 4},
    {Dtype::F16, "F16", 2},
    {Dtype::BF16, "BF16", 2},
    {Dtype::I64, "I64", 8},
    {Dtype::I32, "I32", 4},
    {Dtype::I16, "I16", 2},
    {Dtype::I8, "I8", 1},
    {Dtype::U64, "U64", 8},
    {Dtype::U32, "U32", 4},
    {Dtype::U16, "U16", 2},
    {Dtype::U8, "U8", 1},
    {Dtype::Bool, "BOOL", 1},
}};

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

std::optional<Dtype> dtypeFromName(std::string_view name)
{
    for (const DtypeRow& row : table)
        if (row.name == name)
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
