#pragma once
// The queries and keys of the models that come with the program, each as a file of tensors that needs no disk: what
// `attnscope model stories --n 1024 --windows 0 --save-qk FILE` writes, under the name of the model; of networks of the
// lab recall those of a needle. Real models'
// heads, then, wherever a file of heads can be looked at.

#include "core/model/shipped_models.h"
#include "core/tensor/tensor_file.h"

#include <string>

namespace attnscope {

/// Is it the id of such a model, and no file or folder has that name?
bool namesShippedHeads(const std::string& path);

/// The model is run when they are first asked for, and its heads are kept (2 MB). Errors: none that its tests would
/// pass.
Result<TensorFile> shippedHeads(const ShippedModel& model);

/// shippedHeads for their name; else openHeadFile(path).
Result<TensorFile> openHeadSource(const std::string& path);

}  // namespace attnscope
