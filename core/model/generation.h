#pragma once
// The continuation of a text, token by token, the likeliest or a draw, with the keys and values of what came before
// kept.

#include "core/model/sequence.h"

#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace attnscope {

struct Continuation {
    std::int64_t count = 0;  ///< tokens after the prompt
    double temperature = 0;  ///< each is drawn with probability softmax(logits / temperature); 0: the one of the
                             ///< largest logit, the first of equals
    std::uint64_t seed = 1;  ///< of the draws: the same on every machine whose logits are
};

/// The tokens after `prompt`, whose begin tokens are where documents start, if the policy's mask knows documents. The
/// policy is resolved once for the whole length, prompt.size() + count. Errors: those of resolve and Sequence::append;
/// InvalidArgument for an empty prompt and a temperature below 0.
Result<std::vector<int>> continueText(const Model& model, const Policy& policy, std::span<const int> prompt,
                                      const Continuation& continuation, const std::function<void(double)>& progress,
                                      const std::stop_token& stop);

}  // namespace attnscope
