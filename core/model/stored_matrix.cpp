#include "core/model/stored_matrix.h"

#include "core/arithmetic/arithmetic.h"
#include "core/arithmetic/integer_products.h"
#include "core/base/parallel.h"
#include "core/model/products.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <optional>

namespace attnscope {

namespace {

constexpr Index rowsOfTile = 512, columnsOfTile = 256;

std::atomic<Products> products{Products::Exact};

/// What a thread widens weights into; kept, so that a forward pass allocates once.
std::vector<float>& roomOfThread()
{
    thread_local std::vector<float> room;
    return room;
}

/// The operand op(b) of columns [begin, end) of y, (inputs x (end - begin)) after `transposed`.
Operand weightsOf(const Linear& linear, Index begin, Index end, std::vector<float>& room)
{
    const StoredMatrix& w = linear.weight;
    if (!linear.inputFirst)
        return {w.floats(begin, end - begin, room), w.columns, true};
    return {w.floats(0, w.rows, room) + begin, w.columns, false};
}

/// Of weights that are multiplied as integers; else nothing.
std::optional<NumberFormat> formatOfIntegers(const Linear& linear)
{
    const StoredMatrix& w = linear.weight;
    if (products != Products::Integers || linear.inputFirst || w.scales || w.exponents ||
        w.columns % integerBlock != 0 || !integerProducts())
        return std::nullopt;
    return w.dtype == Dtype::Q8_0   ? std::optional(NumberFormat::Q8_0)
           : w.dtype == Dtype::Q4_0 ? std::optional(NumberFormat::Q4_0)
                                    : std::nullopt;
}

bool applyIntegers(const Linear& linear, NumberFormat format, const MatrixView& x, MutableView y, bool accumulate,
                   const std::stop_token& stop)
{
    const IntegerProducts& integers = *integerProducts();
    const Index inner = x.cols(), blocks = inner / integerBlock;
    std::vector<std::uint8_t> rounded(static_cast<size_t>(x.rows() * inner));
    std::vector<float> scales(static_cast<size_t>(x.rows() * blocks));
    forEachInParallel(x.rows(), 16, [&](Index row) {
        integers.round(x.data() + row * x.outerStride(), inner, rounded.data() + row * inner,
                       scales.data() + row * blocks);
    });
    const Index columnTiles = (y.cols() + columnsOfTile - 1) / columnsOfTile,
                rowTiles = (x.rows() + rowsOfTile - 1) / rowsOfTile;
    const auto tile = [&](Index index) {
        if (stop.stop_requested())
            return;
        thread_local std::vector<std::byte> room;
        room.resize(static_cast<size_t>(integerRoom(inner)));
        const Index begin = index % columnTiles * columnsOfTile, top = index / columnTiles * rowsOfTile;
        integers.multiply(format, linear.weight.rowsOf(begin, 0).data, std::min(columnsOfTile, y.cols() - begin), inner,
                          rounded.data() + top * inner, scales.data() + top * blocks,
                          std::min(rowsOfTile, x.rows() - top), y.data() + top * y.outerStride() + begin,
                          y.outerStride(), accumulate, room.data());
    };
    forEachInParallel(columnTiles * rowTiles, 1, tile);
    return !stop.stop_requested();
}

}  // namespace

Result<void> useProducts(Products wanted)
{
    if (wanted == Products::Integers && !integerProducts())
        return failure(ErrorKind::Unavailable, "this processor has no products of eight-bit integers (AVX-512 VNNI); "
                                               "leave --products away");
    products = wanted;
    return {};
}

const float* StoredMatrix::floats(Index first, Index count, std::vector<float>& room) const
{
    const std::byte* const from = rowsOf(first, count).data;
    if (dtype == Dtype::F32 && reinterpret_cast<std::uintptr_t>(from) % alignof(float) == 0)
        return reinterpret_cast<const float*>(from);
    room.resize(static_cast<size_t>(count * columns));
    widen(dtype, from, room.size(), room.data());
    for (Index row = 0; scales && row < count; ++row) {
        const float* const factors =
            scales->factors.data() + (firstRow + first + row) / scales->rows * scales->acrossColumns;
        for (Index at = 0, part = 0; at < columns; at += scales->columns, ++part)
            Eigen::Map<Eigen::ArrayXf>(room.data() + row * columns + at, std::min(scales->columns, columns - at)) *=
                factors[part];
    }
    constexpr Index group = 32;
    const Index groups = columns / group;
    for (Index at = 0; exponents && at < count * groups; ++at) {
        const auto e = static_cast<int>(exponents[(firstRow + first) * groups + at]);
        Eigen::Map<Eigen::ArrayXf>(room.data() + at * group, group) *= e == 255 ? NAN : std::ldexp(1.0f, e - 127);
    }
    return room.data();
}

StoredMatrix StoredMatrix::rowsOf(Index first, Index count) const
{
    StoredMatrix part = *this;
    part.data += bytesOf(dtype, static_cast<std::uint64_t>(first * columns));
    part.rows = count;
    part.firstRow += first;
    return part;
}

/// 0 times a number is 0; of NaN and infinity it is NaN, which no sum loses. Unlike a comparison it takes vectors.
bool isFinite(const Matrix& values) { return (values.array() * 0.0f).sum() == 0.0f; }

bool apply(const Linear& linear, const MatrixView& x, MutableView y, bool accumulate, const std::stop_token& stop)
{
    assert(x.cols() == linear.inputs() && y.cols() == linear.outputs() && x.rows() == y.rows());
    if (!linear.bias.empty()) {
        const Eigen::Map<const Eigen::RowVectorXf> bias(linear.bias.data(), static_cast<Index>(linear.bias.size()));
        if (accumulate)
            y.rowwise() += bias;
        else
            y.rowwise() = bias;
        accumulate = true;
    }
    for (Index part = 0; linear.parts > 1 && part < linear.parts; ++part) {
        const Linear one{.weight = linear.weight.rowsOf(part * x.cols(), x.cols()), .inputFirst = true, .bias = {}};
        if (!apply(one, x, y.middleCols(part * one.outputs(), one.outputs()), accumulate, stop))
            return false;
    }
    if (linear.parts > 1)
        return true;
    if (const auto format = formatOfIntegers(linear))
        return applyIntegers(linear, *format, x, y, accumulate, stop);
    // a column tile's weights are widened once for each row tile; stored with the inputs first they can only be widened
    // whole
    const bool whole = linear.inputFirst && linear.weight.dtype != Dtype::F32;
    const Index columnTiles = whole ? 1 : (y.cols() + columnsOfTile - 1) / columnsOfTile;
    const Index rowTiles = std::max<Index>(1, (x.rows() + rowsOfTile - 1) / rowsOfTile);
    const auto tile = [&](Index index) {
        if (stop.stop_requested())
            return;
        const Index begin = whole ? 0 : index % columnTiles * columnsOfTile,
                    end = whole ? y.cols() : std::min(y.cols(), begin + columnsOfTile);
        const Index top = index / columnTiles * rowsOfTile, rows = std::min(rowsOfTile, x.rows() - top);
        arithmetic().multiply({x.data() + top * x.outerStride(), x.outerStride(), false},
                              weightsOf(linear, begin, end, roomOfThread()), rows, end - begin, x.cols(),
                              y.data() + top * y.outerStride() + begin, y.outerStride(), accumulate);
    };
    if (columnTiles * rowTiles == 1)
        tile(0);
    else
        forEachInParallel(columnTiles * rowTiles, 1, tile);
    return !stop.stop_requested();
}

}  // namespace attnscope
