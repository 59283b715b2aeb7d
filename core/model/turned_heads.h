#pragma once
// Tokens with positions of their own (randomised ones, Ruoss et al. 2023): queries and keys are turned to them here,
// and what follows sees vectors without positions.

#include "core/attention/attention_head.h"
#include "core/tensor/head_set.h"

#include <span>

namespace attnscope {

/// Turns the keys to `places`, one each, and the queries to the last of them, by the rotary scheme of `spec`, which has
/// none afterwards. Errors: UnknownName, InvalidArgument (a scheme or a mask that counts distances from token to
/// token).
Result<void> turnTo(std::span<const std::int64_t> places, HeadSet& heads, AttentionSpec& spec);

}  // namespace attnscope
