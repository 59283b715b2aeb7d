#pragma once
// The networks that the lab `routing` tests, as core/model opens them: from the program, and from what is being trained.

#include "core/labs/language_network.h"
#include "core/labs/routing_trainer.h"
#include "core/model/attention_model.h"

namespace attnscope {

/// Networks that come with the program, each trained on N = 20 with a seed of its own: seeds 1, 2, ... of one task.
std::int64_t shippedNetworks(bool depot);
Result<AttentionModel> shippedRouting(bool depot, std::int64_t seed);

/// Saves networks and opens them: tests are of what is kept.
class RoutingShelf {
public:
    /// As FOLDER/NAME.safetensors; without a folder in one that goes with the value. Errors: NotWritable, those of openAttentionModel.
    Result<AttentionModel> keep(const learn::RoutingNetwork& network, const std::string& folder, const std::string& name, const std::map<std::string, std::string>& facts);

private:
    ShelfFolder m_shelf;
};

}  // namespace attnscope
