#pragma once
// 64 query rows of a head, laid out for the tile kernels, and the tiles of keys that they see.

#include "core/attention/attention_head.h"
#include "core/attention/fast/tile_kernels.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace attnscope::fast {

/// One number for each row of a block.
struct alignas(64) Lanes {
    float at[blockRows];
};

/// (keys, rows): column c of a tile is key c.
using Tile = std::vector<Lanes>;

class QueryBlock {
public:
    /// Rows firstRow..firstRow + rowCount - 1, rowCount at most 64; what is missing is padded with zeros that nobody
    /// reads.
    QueryBlock(const AttentionHead& head, const TileKernels& kernels, std::int64_t firstRow, int rowCount);

    int rowCount() const { return m_rowCount; }
    std::int64_t firstRow() const { return m_firstRow; }

    /// Tiles over every stride-th key of [begin, end) that a row sees; none crosses one of the `cuts` (rising).
    std::vector<Keys> tiles(std::int64_t begin, std::int64_t end, std::span<const std::int64_t> cuts = {},
                            std::int64_t stride = 1) const;

    /// What products and exponentials of a tile cost at least (TileKernels::bound).
    void bound(Keys keys, float* z) const;
    /// z of a tile; what a row does not see still has a value.
    void products(Keys keys, float* z);
    bool allSee(Keys keys) const;
    /// Keys that a row sees among the first `prefix`.
    std::int64_t visibleCount(int row, std::int64_t prefix) const;
    void mask(Keys keys, float* z) const;
    /// As mask(), of all keys but those nearer to the query than `window`. Returns false where no row has one in this
    /// tile.
    bool maskBeyond(std::int64_t window, Keys keys, float* z) const;
    /// x = softCap(scale z) and the biases of positions (attention_head.h); largest[row] = max |scale z|.
    void transform(Keys keys, const float* z, const Lanes& scale, float* x, Lanes& largest) const;

    /// Position of each query relative to the tile's first key.
    Lanes placesFrom(std::int64_t firstKey) const;
    /// Rows with a query or finished logit that is not finite, or whose products may leave float32 on the way:
    /// arithmetic in tiles cannot tell what they are. Of finished logits known only of the tiles that were asked for.
    bool irregular(int row) const { return m_irregular[static_cast<size_t>(row)]; }
    bool someIrregular() const { return m_someIrregular; }

private:
    void pack(const SharedMatrix::View& queries, double largestKey, Tile& packed);
    void addBias(Keys keys, float* x) const;
    void farProducts(Keys keys, float* z);
    void copyFinished(Keys keys, float* z);

    const AttentionHead& m_head;
    const TileKernels& m_kernels;
    std::int64_t m_firstRow;
    int m_rowCount;
    Tile m_query, m_before, m_after;  ///< (d, 64)
    Tile m_scratch;
    std::array<VisibleKeys, blockRows> m_visible{};
    std::array<std::int64_t, blockRows> m_position{};
    std::array<bool, blockRows> m_irregular{};
    bool m_someIrregular = false;
};

}  // namespace attnscope::fast
