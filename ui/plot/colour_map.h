#pragma once
// Perceptually uniform colour maps, read from resources/colour_maps/ID.txt (256 lines of hexadecimal RGB): viridis,
// magma (van der Walt and Smith 2015), cividis (Nunez et al. 2018), and two of our own that diverge, for light and for
// dark ground.

#include "core/base/error.h"

#include <QColor>

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace attnscope {

struct ColourMap {
    std::string id;
    std::string about;
    bool diverging = false;
    std::array<QRgb, 256> colours{};
    /// t in [0, 1], clamped.
    QRgb at(double t) const;
};

std::span<const ColourMap> colourMaps();
Result<const ColourMap*> findColourMap(std::string_view id);

/// From a value to a place on a colour map. Log ranges need 0 < low < high; others may fall from low to high.
struct ColourScale {
    double low = 0, high = 1;
    bool log = false;
    const ColourMap* map = nullptr;    ///< null: viridis
    bool zeroIsBlank = true;           ///< exactly 0 (masked) is not painted; NaN never is
    double place(double value) const;  ///< in [0, 1]
    QRgb colour(double value) const;
    bool operator==(const ColourScale&) const = default;
};

/// Of numbers whose sign tells something: `most` either way of 0, red above it and blue below.
ColourScale aroundZero(double most);
/// Of what is better or worse, wherever that is coloured: blue above 0, which is better, red below.
ColourScale gainScale(double most);

/// The same values on this ground: a map that diverges has a centre near the ground, so that what stands out is what
/// differs. Maps for paper and for the window are told apart here alone.
ColourScale onGround(ColourScale scale, bool dark);

}  // namespace attnscope
