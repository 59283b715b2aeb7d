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

#include <vector>

namespace attnscope::learn {

template <class Path>
struct DrawnSolutions {
    Var loss;                                           ///< 1 x 1
    std::vector<std::vector<Path>> paths;               ///< instance, solution
    std::vector<std::vector<double>> logProbabilities;  ///< of the choices made, nats
};

}  // namespace attnscope::learn
