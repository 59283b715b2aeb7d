#pragma once
// Boxes drawn in isometry, seen from far along (-1, -1, -1): x goes to the right and down, y to the left and down, z
// up, all three equally long. A point is at (right, up) = ((x - y) cos 30, z - (x + y) / 2). Of a box three faces are
// seen.

#include "core/labs/lab.h"

#include <span>

namespace attnscope {

std::array<double, 2> isometric(double x, double y, double z);

struct IsometricFace {
    enum class Side { Top, Right, Left };  ///< towards z, x and y
    Side side = Side::Top;
    std::size_t step = 0;                            ///< of the box: its place in the order put
    std::array<std::array<double, 2>, 4> corners{};  ///< right, up
    std::array<bool, 4> edges{};  ///< from each corner to the next: is it one of the box, and not where it was cut?
};

/// The faces, those behind before those in front of them: drawn in this order they hide what the boxes hide. Boxes that
/// hide one another in a circle come in slices. No two boxes may overlap.
std::vector<IsometricFace> isometricFaces(std::span<const LabPackings::Box> boxes);

}  // namespace attnscope
