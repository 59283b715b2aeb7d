#pragma once
// The gradient of a window's loss with respect to ln m of every head, all heads at once, by one pass back through the
// network: for models whose layers are those of learn::Llama, which our own networks are, and so are Llama, Mistral and
// Qwen 3. With z_ij = m_i q_i.k_j / sqrt(d) of a head, m_i = m times what its row has,
//
//     dL / d ln m = sum over rows i and keys j of dL/dz_ij z_ij = sum over rows i of m_i dL/dm_i.

#include "core/model/evaluation.h"
#include "core/model/head_values.h"

#include <functional>

namespace attnscope {

struct WindowSlopes {
    double loss = 0;       ///< mean over the predictions that count, nats
    HeadValues gradients;  ///< layer, head: nats
};

/// Of one window under a policy in force, of whose predictions the last `last` count, as countedOf() has it. Not for
/// use by two threads at once. Errors: Unavailable (what of the policy the tape has not), those of resolve.
using HeadBackward = std::function<Result<WindowSlopes>(const Policy& policy, const Window& window, std::int64_t last)>;

/// Takes the model's weights as float32. Errors: Unavailable, with what of the model the tape has not.
Result<HeadBackward> headBackward(const Model& model);

}  // namespace attnscope
