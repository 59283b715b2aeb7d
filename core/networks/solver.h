#pragma once
// How a network that builds solutions runs: embedding and encoder on all instances together, then the decoder on each.

#include "core/base/parallel.h"
#include "core/networks/solution.h"

namespace attnscope {

/// The decoder's part of a run: one instance.
struct DecodeRequest {
    const SolveRequest& run;
    std::span<const double> scale;  ///< m where c nodes are allowed: scale[nodes - c]
    std::int64_t number = 0;        ///< of the instance, which its draws depend on
};

/// A stopped run leaves solutions unfinished.
template <class Solution>
struct Decoded {
    std::vector<Solution> solutions;
    std::vector<double> entropies;         ///< head: mean over steps and solutions, nats
    std::vector<double> logProbabilities;  ///< of every sample: the sum of ln p of its choices, nats; greedy: none
    Matrix glimpses;                       ///< (choices, nodes), if wanted
};

/// What a decoder has just decoded.
template <class Solution, class Decoder>
Decoded<Solution> decodedBy(const Decoder& decoder, const DecodeRequest& request)
{
    return {.solutions = decoder.solutions(),
            .entropies = decoder.entropies(),
            .logProbabilities = request.run.samples > 0 ? decoder.logProbabilities() : std::vector<double>(),
            .glimpses = {}};
}

/// Instances of size n, each with `nodes` rows of the encoder. embed(h) fills h (instances nodes, w), false if stopped;
/// decode(instance, its rows of h, request) gives Decoded<Solution>, for several instances at once. Errors: Undefined
/// (the method has no value here), Cancelled, those of encodeNodes.
template <class Solution, class Embed, class Decode>
Result<Solved<Solution>> solve(const AttentionEncoder& model, Index instances, std::int64_t n, Index nodes,
                               const SolveRequest& request, const Embed& embed, const Decode& decode)
{
    Solved<Solution> run;
    if (instances == 0)
        return run;
    const ResolvedScale scale = TRY(resolveScale(request.policy, model.headSize(), n, nodes));
    Matrix h(instances * nodes, model.width);
    if (!embed(h))
        return stopped();
    run.encoder = TRY(encodeNodes(model, h, instances,
                                  {.scale = scale.encoder,
                                   .layer = request.policy.layer,
                                   .targets = request.policy.entropies,
                                   .multipliers = request.policy.multipliers,
                                   .entropies = request.entropies,
                                   .engine = request.engine,
                                   .stop = request.stop,
                                   .observe = request.observe}));
    std::vector<Decoded<Solution>> decoded(static_cast<std::size_t>(instances));
    forEachInParallel(instances, 1, [&](std::int64_t i) {
        decoded[static_cast<std::size_t>(i)] =
            decode(i, h.middleRows(i * nodes, nodes), DecodeRequest{request, scale.decoder, request.first + i});
    });
    TRY(unlessStopped(request.stop));
    run.decoderEntropies.assign(static_cast<std::size_t>(model.heads), 0.0);
    for (Decoded<Solution>& each : decoded) {
        run.solutions.push_back(std::move(each.solutions));
        run.logProbabilities.push_back(std::move(each.logProbabilities));
        if (request.glimpses)
            run.glimpses.push_back(std::move(each.glimpses));
        for (std::size_t head = 0; head < run.decoderEntropies.size(); ++head)
            run.decoderEntropies[head] += each.entropies[head] / static_cast<double>(instances);
    }
    return run;
}

}  // namespace attnscope
