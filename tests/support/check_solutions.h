#pragma once
// Are tours and packings what they should be?

#include "core/networks/packing_instance.h"
#include "core/networks/routing_instance.h"

#include <string>

namespace attnscope {

/// Every city or customer once, and no route over the load. Errors: InvalidArgument, naming the node or the route.
inline Result<void> checkTour(const RoutingInstance& instance, const Tour& tour)
{
    const int first = instance.hasDepot() ? 1 : 0;
    std::vector<int> visits(static_cast<std::size_t>(instance.nodes()), 0);
    double load = 0;
    int route = 1;
    for (const int node : tour) {
        if (node < 0 || node >= instance.nodes())
            return failure(ErrorKind::InvalidArgument, "the tour goes to node " + std::to_string(node) +
                                                           ", and there are " + std::to_string(instance.nodes()));
        ++visits[static_cast<std::size_t>(node)];
        if (!instance.hasDepot())
            continue;
        if (node == 0)
            ++route;
        load = node == 0 ? 0 : load + static_cast<double>(instance.demands[static_cast<std::size_t>(node)]);
        if (load > 1 + loadTolerance)
            return failure(ErrorKind::InvalidArgument,
                           "route " + std::to_string(route) + " carries more than a vehicle loads");
    }
    for (int node = first; node < instance.nodes(); ++node)
        if (const int count = visits[static_cast<std::size_t>(node)]; count != 1)
            return failure(ErrorKind::InvalidArgument, "the tour visits node " + std::to_string(node) + " " +
                                                           std::to_string(count) + " times, not once");
    return {};
}

/// Do they share more than a face along this axis?
inline bool overlapAlong(const PlacedBox& a, const PlacedBox& b, std::size_t axis)
{
    return a.at[axis] < b.at[axis] + b.sides[axis] && b.at[axis] < a.at[axis] + a.sides[axis];
}

/// Every box once and turned as it says, within the bin, none within another, and each on the floor or on a box put
/// before it. Errors: InvalidArgument, naming the box.
inline Result<void> checkPacking(const PackingInstance& instance, const Packing& packing)
{
    std::vector<int> times(instance.boxes.size(), 0);
    for (auto it = packing.begin(); it != packing.end(); ++it) {
        const PlacedBox& placed = *it;
        const auto wrong = [&](const std::string& what) {
            return failure(ErrorKind::InvalidArgument, "box " + std::to_string(placed.box) + " " + what);
        };
        if (placed.box < 0 || placed.box >= instance.size() || placed.turn < 0 || placed.turn >= std::ssize(boxTurns))
            return wrong("turned in the way " + std::to_string(placed.turn) + " is none of the instance's");
        ++times[static_cast<std::size_t>(placed.box)];
        if (placed.sides != turned(instance.boxes[static_cast<std::size_t>(placed.box)], placed.turn))
            return wrong("has other sides than the instance's, turned so");
        if (placed.at[0] < 0 || placed.at[1] < 0 || placed.at[2] < 0 ||
            placed.at[0] + placed.sides[0] > instance.bin.length || placed.at[1] + placed.sides[1] > instance.bin.width)
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
            return failure(ErrorKind::InvalidArgument, "box " + std::to_string(box) + " is packed " +
                                                           std::to_string(times[box]) + " times, not once");
    return {};
}

}  // namespace attnscope
