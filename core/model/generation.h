#pragma once
// The likeliest continuation, token by token, with the keys and values of what came before kept.

#include "core/model/sequence.h"

#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace attnscope {

/// `count` tokens after `prompt`, each the one of the largest logit (the first of equals). The policy is resolved once for the
/// whole length, prompt.size() + count. Errors: those of resolve and Sequence::append; InvalidArgument for an empty prompt.
Result<std::vector<int>> continueGreedily(const Model& model, const Policy& policy, std::span<const int> prompt, std::int64_t count,
                                          const std::function<void(double)>& progress, const std::stop_token& stop);

}  // namespace attnscope
