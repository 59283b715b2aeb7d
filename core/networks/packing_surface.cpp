#include "core/networks/packing_surface.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace attnscope {

namespace {

/// The lines with two more among them.
std::vector<int> withLines(const std::vector<int>& lines, int a, int b)
{
    std::vector<int> more = lines;
    for (const int line : {a, b})
        if (const auto at = std::ranges::lower_bound(more, line); *at != line)
            more.insert(at, line);
    return more;
}

}  // namespace

PackingSurface::PackingSurface(const Bin& bin) : m_bin(bin), m_xs{0, bin.length}, m_ys{0, bin.width}, m_tops{0} {}

std::array<int, 3> PackingSurface::lowest(int length, int width) const
{
    assert(length <= m_bin.length && width <= m_bin.width);
    const std::size_t cellsX = m_xs.size() - 1, cellsY = m_ys.size() - 1;
    std::array<int, 3> best{0, 0, std::numeric_limits<int>::max()};
    std::vector<int> highest(cellsY);  // of the columns' cells that the box would cover
    for (std::size_t i = 0; i < cellsX && m_xs[i] + length <= m_bin.length; ++i) {
        std::copy_n(m_tops.begin() + static_cast<std::ptrdiff_t>(i * cellsY), cellsY, highest.begin());
        for (std::size_t j = i + 1; j < cellsX && m_xs[j] < m_xs[i] + length; ++j)
            for (std::size_t k = 0; k < cellsY; ++k)
                highest[k] = std::max(highest[k], m_tops[j * cellsY + k]);
        for (std::size_t k = 0; k < cellsY && m_ys[k] + width <= m_bin.width; ++k) {
            int z = highest[k];
            for (std::size_t m = k + 1; z < best[2] && m < cellsY && m_ys[m] < m_ys[k] + width; ++m)
                z = std::max(z, highest[m]);
            if (z < best[2])
                best = {m_xs[i], m_ys[k], z};
        }
    }
    return best;
}

void PackingSurface::put(const std::array<int, 3>& at, const Sides& sides)
{
    const std::vector<int> xs = withLines(m_xs, at[0], at[0] + sides[0]), ys = withLines(m_ys, at[1], at[1] + sides[1]);
    const std::size_t cellsY = ys.size() - 1, cellsBefore = m_ys.size() - 1;
    std::vector<int> tops((xs.size() - 1) * cellsY);
    for (std::size_t i = 0, before = 0; i + 1 < xs.size(); ++i) {
        before += m_xs[before + 1] <= xs[i];
        for (std::size_t k = 0, beside = 0; k < cellsY; ++k) {
            beside += m_ys[beside + 1] <= ys[k];
            const bool covered =
                xs[i] >= at[0] && xs[i] < at[0] + sides[0] && ys[k] >= at[1] && ys[k] < at[1] + sides[1];
            tops[i * cellsY + k] = covered ? at[2] + sides[2] : m_tops[before * cellsBefore + beside];
        }
    }
    m_xs = xs;
    m_ys = ys;
    m_tops = std::move(tops);
    m_height = std::max(m_height, at[2] + sides[2]);
    merge();
}

/// Drops lines with equal tops on both sides.
void PackingSurface::merge()
{
    const std::size_t cellsX = m_xs.size() - 1, cellsY = m_ys.size() - 1;
    std::vector<std::size_t> keptX{0}, keptY{0};  // cells that a line to keep begins
    for (std::size_t i = 1; i < cellsX; ++i)
        if (!std::equal(m_tops.begin() + static_cast<std::ptrdiff_t>(i * cellsY),
                        m_tops.begin() + static_cast<std::ptrdiff_t>((i + 1) * cellsY),
                        m_tops.begin() + static_cast<std::ptrdiff_t>((i - 1) * cellsY)))
            keptX.push_back(i);
    for (std::size_t k = 1; k < cellsY; ++k) {
        bool equal = true;
        for (std::size_t i = 0; i < cellsX && equal; ++i)
            equal = m_tops[i * cellsY + k] == m_tops[i * cellsY + k - 1];
        if (!equal)
            keptY.push_back(k);
    }
    if (keptX.size() == cellsX && keptY.size() == cellsY)
        return;
    std::size_t next = 0;
    for (const std::size_t i : keptX)
        for (const std::size_t k : keptY)
            m_tops[next++] = m_tops[i * cellsY + k];  // never behind what is still to be read
    m_tops.resize(next);
    const auto keep = [](std::vector<int>& lines, const std::vector<std::size_t>& kept, int last) {
        for (std::size_t i = 0; i < kept.size(); ++i)
            lines[i] = lines[kept[i]];
        lines.resize(kept.size());
        lines.push_back(last);
    };
    keep(m_xs, keptX, m_bin.length);
    keep(m_ys, keptY, m_bin.width);
}

int PackingSurface::at(int x, int y) const
{
    const auto cell = [](const std::vector<int>& lines, int place) {
        return static_cast<std::size_t>(std::ranges::upper_bound(lines, place) - lines.begin()) - 1;
    };
    return m_tops[cell(m_xs, x) * (m_ys.size() - 1) + cell(m_ys, y)];
}

std::int64_t PackingSurface::emptyBeneath(const std::array<int, 3>& at, int length, int width) const
{
    std::int64_t empty = 0;
    forEachCell([&](int x, int y, int cellLength, int cellWidth, int top) {
        const std::int64_t alongX = std::min(x + cellLength, at[0] + length) - std::max(x, at[0]),
                           alongY = std::min(y + cellWidth, at[1] + width) - std::max(y, at[1]);
        if (alongX > 0 && alongY > 0)
            empty += alongX * alongY * (at[2] - top);
    });
    return empty;
}

Packing packInOrder(const PackingInstance& instance, const std::vector<int>& order)
{
    PackingSurface surface(instance.bin);
    Packing packing;
    for (const int box : order) {
        PlacedBox best;
        for (int turn = 0; turn < std::ssize(boxTurns); ++turn) {
            const Sides sides = turned(instance.boxes[static_cast<std::size_t>(box)], turn);
            if (sides[0] > instance.bin.length || sides[1] > instance.bin.width)
                continue;
            const std::array<int, 3> at = surface.lowest(sides[0], sides[1]);
            const auto rank = [](const PlacedBox& placed) {
                return std::pair(placed.at[2] + placed.sides[2], placed.at[2]);
            };
            if (const PlacedBox placed{box, turn, at, sides}; best.sides == Sides{} || rank(placed) < rank(best))
                best = placed;
        }
        assert(best.sides != Sides{});
        surface.put(best.at, best.sides);
        packing.push_back(best);
    }
    return packing;
}

}  // namespace attnscope
