#pragma once
// The decoder of the Attention Model on one instance: some tours at a time, each step one product for all of them. What depends on
// the nodes alone is made once: keys, values and pointer keys, the last with the output projection and the clip's factor folded in,
// and what the first and the last node add to the query.

#include "core/model/attention_model.h"
#include "core/model/solver.h"

namespace attnscope {

/// `nodes`: the encoder's output of the instance, (nodes, w).
Decoded<Tour> decodeTours(const AttentionModel& model, const RoutingInstance& instance, const MatrixView& nodes, const DecodeRequest& request);

}  // namespace attnscope
