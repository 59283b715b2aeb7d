#pragma once
// The decoder of the Attention Model on one instance: some tours at a time, each step one product for all of them. What depends on
// the nodes alone is made once: keys, values and pointer keys, the last with the output projection and the clip's factor folded in,
// and what the first and the last node add to the query.

#include "core/model/attention_model.h"

namespace attnscope {

struct DecoderRequest {
    std::span<const float> scale;      ///< m where c nodes are allowed: scale[nodes - c]
    std::int64_t samples = 0;          ///< as RoutingRequest
    std::uint64_t seed = 0;
    std::int64_t number = 0;           ///< of the instance, which its draws depend on
    bool everyStart = false;
    std::stop_token stop = {};
};

struct DecodedTours {
    std::vector<Tour> tours;
    std::vector<double> entropies;     ///< head: mean over steps and tours
    std::vector<double> logProbabilities;  ///< of every sample: the sum of ln p of its choices, nats; greedy: none
};

/// `nodes`: the encoder's output of the instance, (nodes, w). A stopped run leaves tours unfinished.
DecodedTours decodeTours(const AttentionModel& model, const RoutingInstance& instance, const MatrixView& nodes, const DecoderRequest& request);

}  // namespace attnscope
