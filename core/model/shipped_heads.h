#pragma once
// The queries and keys of the model that comes with the program, as a file of tensors that needs no disk: what
// `attnscope model stories --n 1024 --windows 0 --save-qk FILE` writes, under the name of the model. A real model's heads, then,
// wherever a file of heads can be looked at.

#include "core/tensor/tensor_file.h"

#include <cstdint>

namespace attnscope {

/// Four times the length that it was trained at.
constexpr std::int64_t shippedHeadTokens = 1024;

/// Is it `shippedModel`, and no file or folder has that name?
bool namesShippedHeads(const std::string& path);

/// The model is run when they are first asked for, and its heads are kept (2 MB). Errors: none that its tests would pass.
Result<TensorFile> shippedHeads();

/// shippedHeads() for their name; else openHeadFile(path).
Result<TensorFile> openHeadSource(const std::string& path);

}  // namespace attnscope
