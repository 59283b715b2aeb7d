#pragma once
// The weights of 64 rows whose normaliser has been solved: w = weight(x, state), tile by tile. Softmax and its kin are
// one exponential in the kernels; other normalisers, and rows that float32 cannot tell, go key by key in double
// precision.

#include "core/attention/engine.h"
#include "core/attention/fast/query_block.h"
#include "core/attention/normaliser.h"

#include <algorithm>
#include <array>
#include <span>

namespace attnscope::fast {

/// Columns of pixels hold 64 rows side by side: few of them at a time stay in the cache while rows are made of them.
inline constexpr int columnsAtATime = 16;

/// The first `rows` lanes of every column of pixels as rows of a map, the first of them at `to`: value(w, column).
template <class Value>
void turnOver(std::span<const Lanes> pixels, int rows, float* to, const Value& value)
{
    const int columns = static_cast<int>(pixels.size());
    for (int begin = 0; begin < columns; begin += columnsAtATime)
        for (int row = 0; row < rows; ++row)
            for (int column = begin; column < std::min(begin + columnsAtATime, columns); ++column)
                to[static_cast<std::ptrdiff_t>(row) * columns + column] =
                    value(pixels[static_cast<size_t>(column)].at[row], column);
}

class WeightBlock {
public:
    /// request.scale and request.states are those of head's rows.
    WeightBlock(const TileKernels& kernels, const AttentionHead& head, const Normaliser& normaliser,
                const PoolRequest& request, std::int64_t firstRow, int rowCount);

    std::vector<Keys> tiles(std::int64_t begin, std::int64_t end) const { return m_block.tiles(begin, end); }
    /// pixels[pixelOf[c]] gains, or becomes the largest of, the weights of key c. pixelOf rises.
    void addWeights(Keys keys, const int* pixelOf, std::span<Lanes> pixels);

private:
    void leaveToDefinition(int row);
    void addInDouble(Keys keys, const int* pixelOf, std::span<Lanes> pixels, int row) const;

    const TileKernels& m_kernels;
    const AttentionHead& m_head;
    const Normaliser& m_normaliser;
    const PoolRequest& m_request;
    const Parameters m_parameters;
    QueryBlock m_block;
    bool m_plain;     ///< x = scale z
    bool m_keyByKey;  ///< some row's weights, or all, are not the kernel's
    std::array<double, blockRows> m_scale{};
    Lanes m_factor{}, m_a{}, m_b{};         ///< the scale as near as float32 comes to it; of the kernel
    std::array<bool, blockRows> m_seen{};   ///< has a scale; else the row has no weights
    std::array<bool, blockRows> m_exact{};  ///< beyond float32
    Tile m_z, m_x;
};

}  // namespace attnscope::fast
