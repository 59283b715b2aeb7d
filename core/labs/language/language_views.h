#pragma once
// What can be looked at of a language model: its attention while it learns, and its heads afterwards.

#include "core/labs/lab.h"
#include "core/learn/llama.h"
#include "core/model/evaluation.h"

#include <span>
#include <stop_token>
#include <vector>

namespace attnscope {

/// Attention of every layer, the mean of its heads, over these tokens, in a pass as in training; multipliers of rows
/// from 0 on, or none.
std::vector<LabPicture> attentionPictures(learn::Llama& model, std::span<const int> ids, const learn::LlamaPass& pass);

/// Queries and keys of all layers over the window, written to `path`, with the scenario that looks at the middle
/// layer's. Errors: those of runWindow and HeadRecorder.
Result<LabFile> keepHeads(const Model& model, const Window& window, const std::string& path, std::stop_token stop);

}  // namespace attnscope
