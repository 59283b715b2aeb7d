#pragma once
// The decoder of a PackingModel on one instance, some packings at a time.

#include "core/model/packing_model.h"

namespace attnscope {

struct PackingDecoderRequest {
    std::span<const float> scale;      ///< m where c boxes are left: scale[n - c]
    std::int64_t samples = 0;          ///< as PackingRequest
    std::uint64_t seed = 0;
    std::int64_t number = 0;           ///< of the instance, which its draws depend on
    std::stop_token stop = {};
};

struct DecodedPackings {
    std::vector<Packing> packings;
    std::vector<double> entropies;     ///< head: mean over steps and packings
    std::vector<double> logProbabilities;
};

/// `boxes`: the encoder's output of the instance, (n, w). A stopped run leaves packings unfinished.
DecodedPackings decodePackings(const PackingModel& model, const PackingInstance& instance, const MatrixView& boxes, const PackingDecoderRequest& request);

}  // namespace attnscope
