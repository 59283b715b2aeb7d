#include "core/model/generation.h"

#include "core/base/random.h"
#include "core/model/policy.h"
#include "core/model/prediction.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

/// A place drawn with probability softmax(logits / temperature): the first whose cumulative share passes u in [0, 1).
int drawnToken(std::span<const float> logits, double temperature, double u)
{
    const double largest = *std::max_element(logits.begin(), logits.end());
    std::vector<double> cumulative;
    double sum = 0;
    for (const float logit : logits)
        cumulative.push_back(sum += std::exp((logit - largest) / temperature));
    const auto found = std::upper_bound(cumulative.begin(), cumulative.end(), u * sum);
    return static_cast<int>(std::min(found, cumulative.end() - 1) - cumulative.begin());
}

}  // namespace

Result<std::vector<int>> continueText(const Model& model, const Policy& policy, std::span<const int> prompt,
                                      const Continuation& continuation, const std::function<void(double)>& progress,
                                      const std::stop_token& stop)
{
    if (!(continuation.temperature >= 0) || !std::isfinite(continuation.temperature))
        return failure(ErrorKind::InvalidArgument,
                       "the temperature of the draws must be 0 (the likeliest token) or more");
    if (!model.architecture.causal)
        return failure(
            ErrorKind::InvalidArgument,
            "an encoder sees what comes after, and writes no text; give a model that predicts the next token");
    if (prompt.empty())
        return failure(ErrorKind::InvalidArgument,
                       "there is nothing to continue: the model has no begin token; give a prompt");
    ResolvedPolicy resolved = TRY(resolve(withDocuments(policy, model.architecture, prompt), model.architecture,
                                          static_cast<std::int64_t>(prompt.size()) + continuation.count));
    const Random random(continuation.seed, Stream::Sampling);
    Sequence sequence(model, std::move(resolved), {.remember = true, .observe = {}, .progress = {}, .stop = stop});
    std::vector<int> tokens;
    Result<Matrix> stream = sequence.append(prompt);
    while (stream) {
        const std::vector<float> logits = TRY(logitsOf(model, stream->bottomRows(1), stop));
        tokens.push_back(continuation.temperature > 0
                             ? drawnToken(logits, continuation.temperature, random.uniform(tokens.size(), 0))
                             : static_cast<int>(std::max_element(logits.begin(), logits.end()) - logits.begin()));
        if (progress)
            progress(static_cast<double>(tokens.size()) / static_cast<double>(continuation.count));
        if (static_cast<std::int64_t>(tokens.size()) >= continuation.count)
            return tokens;
        stream = sequence.append(std::span(tokens).last(1));
    }
    return tl::unexpected(stream.error());
}

}  // namespace attnscope
