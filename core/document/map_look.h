#pragma once
// How the maps are painted: part of a session, not of the scenario.

#include <optional>
#include <string>
#include <utility>

namespace attnscope {

struct MapLook {
    std::string colourMap = "viridis";
    bool log = true;
    std::optional<std::pair<double, double>> pinned;  ///< the range of the colours; empty: what the maps need
    bool difference = true;
    std::pair<int, int> sides{1, 0};                  ///< of the difference: places in the ticked list
    bool operator==(const MapLook&) const = default;
};

}  // namespace attnscope
