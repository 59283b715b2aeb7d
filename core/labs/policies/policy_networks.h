#pragma once
// The networks that the labs `routing` and `packing` test, as core/model opens them: from the program, and from what is
// being trained.

#include "core/base/embedded.h"
#include "core/labs/checkpoint_store.h"
#include "core/networks/packing_network.h"
#include "core/networks/routing_network.h"
#include "core/networks/attention_model.h"
#include "core/networks/packing_model.h"

namespace attnscope {

/// A network that comes with the program: whether it drives vehicles, and among how many cities or customers it
/// learned.
struct ShippedRouting {
    bool depot = false;
    std::int64_t length = 20;
    Embedded (*file)() = nullptr;
};
std::span<const ShippedRouting> shippedRoutings();
/// Errors: InvalidArgument where none learned at that length.
Result<AttentionModel> shippedRouting(bool depot, std::int64_t length = 20);

/// The network trained on so many boxes, in all three bins. Errors: InvalidArgument where none comes with the program.
Result<PackingModel> shippedPacking(std::int64_t length = 20);

using RoutingStore = CheckpointStore<learn::saveRouting, openAttentionModel>;
using PackingStore = CheckpointStore<learn::savePacking, openPackingModel>;

}  // namespace attnscope
