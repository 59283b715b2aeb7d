#pragma once
// The norms of transformers, and their activations, on rows.

#include "core/model/architecture.h"
#include "core/model/stored_matrix.h"

#include <span>
#include <vector>

namespace attnscope {

/// Every row of x, or every group of weight.size() columns of it (the heads of a projection), is normed in place; or
/// every `group` columns, each by its part of the weights. An RMS norm has no bias.
void normalise(MutableView x, Norm norm, double epsilon, std::span<const float> weight, std::span<const float> bias,
               Index group = 0);

struct NormWeights {
    Norm norm = Norm::Rms;
    double epsilon = 1e-6;
    std::vector<float> weight, bias;  ///< biases of layer norms alone; no weight: there is no norm
    Index group = 0;                  ///< columns of one norm where each has weights of its own; 0: all weights

    bool none() const { return weight.empty(); }
    void apply(MutableView x) const
    {
        if (!none())
            normalise(x, norm, epsilon, weight, bias, group);
    }
};

/// In place; those that need no second number.
void activate(MutableView x, Activation activation);

/// gate <- act(gate) * up, as the activation has it.
void activateGated(MutableView gate, const MatrixView& up, Activation activation);

}  // namespace attnscope
