#pragma once
// The networks that the lab `routing` tests, as core/model opens them: from the program, and from what is being trained.

#include "core/labs/shelf.h"
#include "core/learn/routing_network.h"
#include "core/model/attention_model.h"

namespace attnscope {

/// Networks that come with the program, each trained on N = 20 with a seed of its own: seeds 1, 2, ... of one task.
std::int64_t shippedNetworks(bool depot);
Result<AttentionModel> shippedRouting(bool depot, std::int64_t seed);

using RoutingShelf = FileShelf<learn::saveRouting, openAttentionModel>;

}  // namespace attnscope
