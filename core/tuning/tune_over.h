#pragma once
// What a search changes: the multiplier alone, the positions alone, both, or a multiplier a layer or a head.

#include <array>
#include <string_view>

namespace attnscope {

enum class TuneOver { Scale, Positions, Both, Layers, Heads };
inline constexpr std::array<std::string_view, 5> tuneOverWords{"scale", "positions", "both", "layers", "heads"};
inline bool searchesPositions(TuneOver over) { return over == TuneOver::Positions || over == TuneOver::Both; }

}  // namespace attnscope
