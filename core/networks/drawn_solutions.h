#pragma once
// A decoder as one operation: of every instance of a batch solutions are drawn, or given, one choice after another, and
// with weights c_k that the caller finds for those of an instance the loss is
//
//     L = sum_instances sum_k c_k ln p(solution_k),        ln p = sum over its choices of ln p(choice)
//
// so that REINFORCE with a baseline b (Williams 1992) is c_k = (cost_k - b) / solutions, and supervision c_k = -1 /
// solutions. An instance is decoded once: the gradients of L are found with it, while what its choices computed is
// kept.

#include "core/learn/tape.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace attnscope::learn {

template <class Solution>
struct SolutionDraw {
    Index solutions = 1;  ///< of each instance
    std::uint64_t seed = 0,
                  step =
                      0;  ///< what is drawn is a function of them, the instance, the solution and the choice's number
    std::span<const std::vector<Solution>> given = {};  ///< of every instance: these in place of drawn ones
};

/// c_k of an instance's solutions. May be called for several instances at once.
template <class Solution>
using WeighSolutions = std::function<void(Index instance, std::span<const Solution>, std::span<float> weights)>;

template <class Solution>
struct DrawnSolutions {
    Var loss;                                           ///< 1 x 1
    std::vector<std::vector<Solution>> solutions;       ///< instance, solution
    std::vector<std::vector<double>> logProbabilities;  ///< of the choices made, nats
};

}  // namespace attnscope::learn
