#pragma once
// How to look at queries and keys as their model does, as far as their file says: what a file of any origin says
// (suggestedFor), and what those of this program's models say of each layer.

#include "core/attention/attention_head.h"
#include "core/tensor/head_file.h"

namespace attnscope {

/// Mask, positions, soft-cap; and for heads that have sinks of their own (HeadSet::sinks) softmax1, which stands for
/// them there (normaliserOf). What the file says and no registry has is left out.
AttentionSpec suggestedAttention(const HeadFacts& facts, const HeadSizes& sizes);

/// N: what the file says; else the usual one, or all of its keys where they are fewer.
double suggestedTrainLength(const HeadFacts& facts, const HeadSizes& sizes);

}  // namespace attnscope
