#pragma once
// A number for each layer and head of a model, from a file: the learned s of Scalable Softmax (with ssmax:s=1, so that
// m = s ln n), factors of one's own on whatever a method gives, or the logits of sinks.

#include "core/base/error.h"
#include "core/model/architecture.h"

#include <string>
#include <vector>

namespace attnscope {

/// The file's one tensor (.npy, .npz, .safetensors) of shape (layers, heads), or (heads) for all layers alike: finite
/// numbers. Errors: those of TensorFile, BadShape, InvalidArgument.
Result<std::vector<std::vector<double>>> readHeadTable(const std::string& path, const Architecture& architecture);

}  // namespace attnscope
