#pragma once
// The networks that the lab `packing` tests, as core/model opens them: from the program, and from what is being trained.

#include "core/labs/shelf.h"
#include "core/learn/packing_network.h"
#include "core/model/packing_model.h"

namespace attnscope {

/// Networks that come with the program, trained on N = 20 in all three bins with seeds 1, 2, ...
std::int64_t shippedPackingNetworks();
Result<PackingModel> shippedPacking(std::int64_t seed);

using PackingShelf = FileShelf<learn::savePacking, openPackingModel>;

}  // namespace attnscope
