#include "core/model/generation.h"

#include "core/model/prediction.h"

#include <algorithm>

namespace attnscope {

Result<std::vector<int>> continueGreedily(const Model& model, const Policy& policy, std::span<const int> prompt, std::int64_t count,
                                          const std::function<void(double)>& progress, const std::stop_token& stop)
{
    if (!model.architecture.causal)
        return failure(ErrorKind::InvalidArgument, "an encoder sees what comes after, and writes no text; give a model that predicts the next token");
    if (prompt.empty())
        return failure(ErrorKind::InvalidArgument, "there is nothing to continue: the model has no begin token; give a prompt");
    Result<ResolvedPolicy> resolved = resolve(policy, model.architecture, static_cast<std::int64_t>(prompt.size()) + count);
    if (!resolved)
        return tl::unexpected(resolved.error());
    Sequence sequence(model, std::move(*resolved), {.remember = true, .observe = {}, .progress = {}, .stop = stop});
    std::vector<int> tokens;
    Result<Matrix> stream = sequence.append(prompt);
    while (stream) {
        const Result<std::vector<float>> logits = logitsOf(model, stream->bottomRows(1), stop);
        if (!logits)
            return tl::unexpected(logits.error());
        tokens.push_back(static_cast<int>(std::max_element(logits->begin(), logits->end()) - logits->begin()));
        if (progress)
            progress(static_cast<double>(tokens.size()) / static_cast<double>(count));
        if (static_cast<std::int64_t>(tokens.size()) >= count)
            return tokens;
        stream = sequence.append(std::span(tokens).last(1));
    }
    return tl::unexpected(stream.error());
}

}  // namespace attnscope
