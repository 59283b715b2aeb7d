#pragma once
// The networks that the lab `packing` tests, as core/model opens them: from the program, and from what is being trained.

#include "core/labs/lab_record.h"
#include "core/labs/language_network.h"
#include "core/labs/packing_trainer.h"
#include "core/model/packing_model.h"

namespace attnscope {

/// Networks that come with the program, trained on N = 20 in all three bins with seeds 1, 2, ...
std::int64_t shippedPackingNetworks();
Result<PackingModel> shippedPacking(std::int64_t seed);
/// A test of it under the scales of EIE's table 1, which the program's figure shows.
Result<LabRecord> recordedPacking();

/// Saves networks and opens them: tests are of what is kept.
class PackingShelf {
public:
    /// As FOLDER/NAME.safetensors; without a folder in one that goes with the value. Errors: NotWritable, those of openPackingModel.
    Result<PackingModel> keep(const learn::PackingNetwork& network, const std::string& folder, const std::string& name, const std::map<std::string, std::string>& facts);

private:
    ShelfFolder m_shelf;
};

}  // namespace attnscope
