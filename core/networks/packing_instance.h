#pragma once
// Offline packing of boxes (EIE, section 5.1): all boxes go, their edges along the axes, into a bin of length L and
// width W that is open above, so that they reach as low as they can. Sides and places are whole numbers: x along the
// length, y along the width, z upwards.

#include "core/base/error.h"

#include <array>
#include <cstdint>
#include <vector>

namespace attnscope {

using Sides = std::array<int, 3>;  ///< along x, y, z

/// The ways to turn a box: side o[k] of it goes along axis k.
constexpr std::array<std::array<std::size_t, 3>, 6> boxTurns{
    {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {2, 0, 1}, {1, 2, 0}, {2, 1, 0}}};
Sides turned(const Sides& sides, int turn);

struct Bin {
    int length = 120, width = 100;
    bool operator==(const Bin&) const = default;
    std::int64_t area() const { return static_cast<std::int64_t>(length) * width; }
};

struct PackingInstance {
    Bin bin;
    std::vector<Sides> boxes;

    std::int64_t size() const { return std::ssize(boxes); }  ///< n
    std::int64_t volume() const;                             ///< of all boxes
};

struct PlacedBox {
    int box = 0, turn = 0;    ///< of boxTurns
    std::array<int, 3> at{};  ///< the corner nearest to the origin
    Sides sides{};            ///< as turned
    bool operator==(const PlacedBox&) const = default;
};

/// In the order in which they were put.
using Packing = std::vector<PlacedBox>;

/// The highest top, H.
int heightOf(const Packing& packing);

/// sum of volumes / (L W H), of 1: how full the bin is up to H. A packing of nothing has none: 0.
double loadRateOf(const PackingInstance& instance, const Packing& packing);

}  // namespace attnscope
