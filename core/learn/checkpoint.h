#pragma once
// Models and the state of their training in .safetensors. Weights stand under their own names, as in a PyTorch state
// dict, so a model goes to and from other programs; Adam's moments under "optimizer.exp_avg.NAME" and
// "optimizer.exp_avg_sq.NAME"; the number of steps and whatever the caller adds in the metadata. A file is replaced as
// a whole: an interrupted save leaves the old one. The state of a training carries a checksum of all numbers and all
// metadata: a training never goes on from a damaged one.

#include "core/base/error.h"
#include "core/learn/optimiser.h"
#include "core/tensor/tensor_file.h"
#include "core/tensor/tensor_writer.h"

#include <map>
#include <span>
#include <string>

namespace attnscope::learn {

using Metadata = std::map<std::string, std::string>;

/// Errors: NotWritable.
Result<void> saveModel(const std::string& path, const Weights& weights, const Metadata& metadata = {});
Result<void> saveTraining(const std::string& path, const Weights& weights, const Adam& adam, Metadata metadata = {});

/// Every weight of the model must be in the file in its shape; what else is there is not looked at.
/// Errors: UnknownName (a weight that the file lacks), BadShape, DataError (a number that is not finite), and those of
/// reading.
Result<void> loadModel(const TensorFile& file, const Weights& weights);

/// The metadata's key of the checksum, and what stands there for a file of these tensors and metadata, in any order.
inline constexpr const char* checksumKey = "optimizer.checksum";
std::string checksumOf(std::span<const TensorView> tensors, const Metadata& metadata);

/// The weights, the moments and the number of steps. Errors: as above, and DataError where the checksum is absent or
/// another.
Result<void> loadTraining(const TensorFile& file, const Weights& weights, Adam& adam);

}  // namespace attnscope::learn
