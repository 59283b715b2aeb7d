#pragma once
// A run of one policy over instances of one size, by a network that builds solutions (tours, packings) one choice after
// another: what it is asked for and what it gives.

#include "core/networks/attention_encoder.h"

namespace attnscope {

struct SolveRequest {
    ScalePolicy policy;
    bool entropies = false;  ///< wanted
    std::string engine = "auto";
    /// Solutions of an instance: one, greedy; or this many, each choice drawn from the softmax, a function of the seed
    /// and the instance's number.
    std::int64_t samples = 0;
    std::uint64_t seed = 0;
    std::int64_t first = 0;   ///< the number of the first instance
    bool everyStart = false;  ///< tours: of sample r the first city (customer) is r mod n, not drawn
    bool glimpses = false;    ///< tours, greedy: wanted
    std::stop_token stop = {};
    EncoderObserver observe = {};
};

template <class Solution>
struct Solved {
    std::vector<std::vector<Solution>> solutions;       ///< of every instance: its samples, or the greedy one
    HeadRun encoder;                                    ///< over all instances
    std::vector<double> decoderEntropies;               ///< head: of the glimpse, over steps, samples and instances
    std::vector<std::vector<double>> logProbabilities;  ///< of every instance: its samples' ln p, nats; greedy: none
    /// Of every instance, if wanted: (choices, nodes), the weights of the decoder's glimpse before each choice, mean
    /// over its heads.
    std::vector<Matrix> glimpses;
};

}  // namespace attnscope
