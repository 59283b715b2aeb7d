#pragma once
// What follows the last layer: logits = cap tanh(factor head(norm h) / cap), and how well they predict. The vocabulary
// is walked in tiles with a running log-sum-exp, so that nothing of size tokens times vocabulary exists.

#include "core/model/model.h"

#include <span>
#include <stop_token>
#include <vector>

namespace attnscope {

struct Prediction {
    double loss = 0;    ///< -ln p(target), nats
    double right = 0;   ///< 1 where no token is likelier than the target; of k that are as likely, 1/k, as chance gives
    bool asked = true;  ///< there was a target
};

/// How well row t of `stream` (T, width) predicts targets[t], if that is not below 0. Errors: Cancelled,
/// DataError (a target beyond the vocabulary, or logits that are not finite: what makes them, or where the file that is
/// looked at has changed).
Result<std::vector<Prediction>> predict(const Model& model, const MatrixView& stream, std::span<const int> targets,
                                        const std::stop_token& stop);

/// The logits (vocabulary) of one row of the stream. Errors: Cancelled, DataError.
Result<std::vector<float>> logitsOf(const Model& model, const MatrixView& row, const std::stop_token& stop);

}  // namespace attnscope
