#include "core/networks/packing_instance.h"

#include <algorithm>

namespace attnscope {

namespace {

std::int64_t volumeOf(const Sides& sides) { return static_cast<std::int64_t>(sides[0]) * sides[1] * sides[2]; }

}  // namespace

Sides turned(const Sides& sides, int turn)
{
    const auto& order = boxTurns[static_cast<std::size_t>(turn)];
    return {sides[order[0]], sides[order[1]], sides[order[2]]};
}

std::int64_t PackingInstance::volume() const
{
    std::int64_t sum = 0;
    for (const Sides& sides : boxes)
        sum += volumeOf(sides);
    return sum;
}

int heightOf(const Packing& packing)
{
    int height = 0;
    for (const PlacedBox& placed : packing)
        height = std::max(height, placed.at[2] + placed.sides[2]);
    return height;
}

double loadRateOf(const PackingInstance& instance, const Packing& packing)
{
    const int height = heightOf(packing);
    return height == 0 ? 0
                       : static_cast<double>(instance.volume()) / (static_cast<double>(instance.bin.area()) * height);
}

}  // namespace attnscope
