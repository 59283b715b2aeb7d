#pragma once
// A row's weights from the largest on, thinned to what a chart with a logarithmic axis of ranks can tell apart.

#include <cstdint>
#include <vector>

namespace attnscope {

struct RankedWeight {
    std::int64_t rank = 0;  ///< from 1, the largest weight
    double weight = 0;
};

/// All of the first 512 ranks, then each about a hundredth farther than the one before, and the last.
std::vector<RankedWeight> rankedWeights(std::vector<double> weights);

}  // namespace attnscope
