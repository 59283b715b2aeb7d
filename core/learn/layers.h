#pragma once
// Layers: weights with names as torch.nn gives them, their initialisation, and how they are applied.

#include "core/base/random.h"
#include "core/learn/operations.h"

#include <cstdint>
#include <string>

namespace attnscope::learn {

/// How a weight of `fanIn` inputs starts. Draws are a function of (seed, weight's number in the model, row, column).
enum class Start {
    LecunNormal,     ///< N(0, 1 / fanIn) cut at two standard deviations, variance restored: flax's Dense
    KaimingUniform,  ///< U(-1, 1) / sqrt(fanIn), biases too: torch.nn.Linear
};

/// Fills one weight matrix (out, in).
void initialise(Weight& weight, Start start, std::uint64_t seed, std::uint64_t number);

/// y = x W^T + b, torch.nn.Linear: NAME.weight (out, in), NAME.bias (out). Biases start at 0 but under KaimingUniform.
struct Linear {
    Weight weight, bias;

    Linear() = default;
    Linear(const std::string& name, Index in, Index out);
    void initialise(Start start, std::uint64_t seed, std::uint64_t number);
    Var operator()(Tape& tape, Var x) { return linear(tape, x, tape.weight(weight), tape.weight(bias)); }
    void collect(Weights& weights)
    {
        for (Weight* each : {&weight, &bias})
            weights.push_back(each);
    }
};

}  // namespace attnscope::learn
