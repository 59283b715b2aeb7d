#pragma once
// The norms of transformers, and their activations, on rows.

#include "core/model/architecture.h"
#include "core/model/stored_matrix.h"

#include <span>

namespace attnscope {

/// Every row of x, or every group of weight.size() columns of it (the heads of a projection), is normed in place. An
/// RMS norm has no bias.
void normalise(MutableView x, Norm norm, double epsilon, std::span<const float> weight, std::span<const float> bias);

/// In place.
void activate(MutableView x, Activation activation);

}  // namespace attnscope
