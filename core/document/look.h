#pragma once
// How the window shows its scenario: one value, which the document holds beside the scenario. Views read it and ask the document
// to change it; sessions and figures take it whole. It is no part of what undo goes back through.

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

struct Look {
    MapLook maps;
    std::string dispersion = "sorted";                ///< which chart of dispersion (dispersionKinds() of the figures' floor)
    bool approximations = false;                      ///< in the entropy chart
    bool allHeads = false;                            ///< likewise, in place of the methods
    bool operator==(const Look&) const = default;
};

}  // namespace attnscope
