#pragma once
// The decoder of a PackingModel on one instance, some packings at a time.

#include "core/model/packing_model.h"
#include "core/model/solver.h"

namespace attnscope {

/// `boxes`: the encoder's output of the instance, (n, w).
Decoded<Packing> decodePackings(const PackingModel& model, const PackingInstance& instance, const MatrixView& boxes, const DecodeRequest& request);

}  // namespace attnscope
