#pragma once
// The boxes in a bin seen from above, and where the next one comes to rest. A box let down over cells of the floor
// rests on the highest top among them; of all its places the lowest is taken, then the least x, then the least y
// (bottom, left, deepest). What is empty under a top stays empty.
//
// Tops are held as a grid of the fewest cells of equal height. The place found is the best of all whole-numbered ones:
// as the tops are constant between the grid's lines, a box whose left side is not at a line can move towards 0 without
// meeting a higher top.

#include "core/networks/packing_instance.h"

namespace attnscope {

class PackingSurface {
public:
    explicit PackingSurface(const Bin& bin);

    /// Where a box of this length and width, no larger than the bin's, comes to rest.
    std::array<int, 3> lowest(int length, int width) const;
    /// Puts a box there.
    void put(const std::array<int, 3>& at, const Sides& sides);

    int height() const { return m_height; }  ///< the highest top, H
    int at(int x, int y) const;              ///< top of a cell of the floor
    /// Empty volume between a box at rest there and the tops under it.
    std::int64_t emptyBeneath(const std::array<int, 3>& at, int length, int width) const;

    /// f(x, y, length, width, top) of every cell of the grid.
    template <class F>
    void forEachCell(const F& f) const
    {
        for (std::size_t i = 0; i + 1 < m_xs.size(); ++i)
            for (std::size_t k = 0; k + 1 < m_ys.size(); ++k)
                f(m_xs[i], m_ys[k], m_xs[i + 1] - m_xs[i], m_ys[k + 1] - m_ys[k], m_tops[i * (m_ys.size() - 1) + k]);
    }

private:
    void merge();

    Bin m_bin;
    int m_height = 0;
    std::vector<int> m_xs, m_ys;  ///< lines of the grid from 0 to L, from 0 to W
    std::vector<int> m_tops;      ///< of the cells, y fastest
};

/// The boxes one after another in this order, each turned so that its top is lowest; of equal tops the lowest rest,
/// then the first turn.
Packing packInOrder(const PackingInstance& instance, const std::vector<int>& order);

}  // namespace attnscope
