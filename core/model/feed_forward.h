#pragma once
// What a layer does beside attention: y = down(act(gate x) * up x), down(act(up x)), or that of a few of many experts.

#include "core/model/architecture.h"
#include "core/model/layer_weights.h"

#include <stop_token>

namespace attnscope {

/// y (T, width) of x (T, width). False if stopped, y then half done.
bool feedForward(const LayerSpec& spec, const LayerWeights& weights, const MatrixView& x, MutableView y,
                 const std::stop_token& stop);

/// Which experts a token takes and how much of each, from the router's numbers (experts). In order of the experts.
std::vector<std::pair<int, float>> chosenExperts(const Experts& experts, std::span<const float> routed,
                                                 std::span<const float> correction);

}  // namespace attnscope
