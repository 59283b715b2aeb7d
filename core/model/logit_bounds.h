#pragma once
// Proposition 3.1 of "softmax is not enough" for a model's own weights: how far apart the logits of a row can lie,
// whatever the text. What comes out of a norm lies within G u + c, |u| <= sqrt(width), so that
//
//   |q| <= sigma(W_Q G) sqrt(width) + |W_Q c + b|,   or, where queries are normed themselves, max |g| sqrt(d) + |b|,
//
// likewise |k|, and max z - min z <= 2 s |q| |k|, s what multiplies q.k. Turning changes no length, but for the factor
// that some stretches have; a soft-cap c bounds the logits by itself: 2 c. With such a bound delta no weight is above
// 1/2 where there are more than 1 + e^delta keys (lemma 2.1): the head can no longer be sharp.

#include "core/model/model.h"
#include "core/model/policy.h"

#include <stop_token>
#include <vector>

namespace attnscope {

/// [layer][head] the longest that queries, and [layer][key head] keys can be; infinite where nothing bounds the layer's
/// input. Of the weights alone.
struct LongestVectors {
    std::vector<std::vector<double>> queries, keys;
};
/// Errors: Cancelled.
Result<LongestVectors> longestVectors(const Model& model, const std::stop_token& stop);

/// [layer][head]: the bound in nats, at the policy's length; infinite where positions add a bias that grows with the
/// distance. Errors: InvalidArgument (another kernel than the dot product).
Result<std::vector<std::vector<double>>> logitGapBounds(const Architecture& architecture, const LongestVectors& longest,
                                                        const ResolvedPolicy& policy);

}  // namespace attnscope
