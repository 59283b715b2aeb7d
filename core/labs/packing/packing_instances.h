#pragma once
// Boxes to pack, drawn, and the orders that packings by a network are measured against.

#include "core/networks/packing_surface.h"

#include <span>
#include <string>

namespace attnscope {

/// EIE's, table 1: 120 x 100, 140 x 110, 160 x 120.
std::span<const Bin> paperBins();
std::string labelOf(const Bin& bin);  ///< "120 x 100"

/// Sides are whole numbers from 10 to 50, all equally likely (EIE, section 5.1).
struct PackingDraw {
    std::int64_t size = 100;  ///< boxes
    std::uint64_t seed = 1;
    bool operator==(const PackingDraw&) const = default;
};
/// Instance `number` of them: the boxes are a function of the draw and the number alone, whatever the bin.
PackingInstance drawBoxes(const PackingDraw& draw, const Bin& bin, std::int64_t number);

/// The boxes from the largest volume to the smallest; equal ones as they come.
std::vector<int> volumeOrder(const PackingInstance& instance);
/// A random order, a function of the seed and the number.
std::vector<int> randomOrder(const PackingInstance& instance, std::uint64_t seed, std::int64_t number);

}  // namespace attnscope
