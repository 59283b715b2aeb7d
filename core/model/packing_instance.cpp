#include "core/model/packing_instance.h"

#include <algorithm>
#include <string>

namespace attnscope {

namespace {

std::int64_t volumeOf(const Sides& sides) { return static_cast<std::int64_t>(sides[0]) * sides[1] * sides[2]; }

/// Do they share more than a face along this axis?
bool overlapAlong(const PlacedBox& a, const PlacedBox& b, std::size_t axis)
{
    return a.at[axis] < b.at[axis] + b.sides[axis] && b.at[axis] < a.at[axis] + a.sides[axis];
}

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
    return height == 0 ? 0 : static_cast<double>(instance.volume()) / (static_cast<double>(instance.bin.area()) * height);
}

Result<void> checkPacking(const PackingInstance& instance, const Packing& packing)
{
    std::vector<int> times(instance.boxes.size(), 0);
    for (auto it = packing.begin(); it != packing.end(); ++it) {
        const PlacedBox& placed = *it;
        const auto wrong = [&](const std::string& what) { return failure(ErrorKind::InvalidArgument, "box " + std::to_string(placed.box) + " " + what); };
        if (placed.box < 0 || placed.box >= instance.size() || placed.turn < 0 || placed.turn >= std::ssize(boxTurns))
            return wrong("turned in the way " + std::to_string(placed.turn) + " is none of the instance's");
        ++times[static_cast<std::size_t>(placed.box)];
        if (placed.sides != turned(instance.boxes[static_cast<std::size_t>(placed.box)], placed.turn))
            return wrong("has other sides than the instance's, turned so");
        if (placed.at[0] < 0 || placed.at[1] < 0 || placed.at[2] < 0 || placed.at[0] + placed.sides[0] > instance.bin.length || placed.at[1] + placed.sides[1] > instance.bin.width)
            return wrong("stands out of the bin");
        bool supported = placed.at[2] == 0;
        for (auto other = packing.begin(); other != it; ++other) {
            const bool above = overlapAlong(placed, *other, 0) && overlapAlong(placed, *other, 1);
            if (above && overlapAlong(placed, *other, 2))
                return wrong("overlaps box " + std::to_string(other->box));
            supported = supported || (above && other->at[2] + other->sides[2] == placed.at[2]);
        }
        if (!supported)
            return wrong("rests on nothing");
    }
    for (std::size_t box = 0; box < times.size(); ++box)
        if (times[box] != 1)
            return failure(ErrorKind::InvalidArgument, "box " + std::to_string(box) + " is packed " + std::to_string(times[box]) + " times, not once");
    return {};
}

}  // namespace attnscope
