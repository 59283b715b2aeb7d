#pragma once
// The loss of drawn solutions (drawn_solutions.h), whatever the decoder.

#include "core/learn/drawn_solutions.h"
#include "core/learn/parallel.h"

#include <functional>

namespace attnscope::learn {

/// The place at which the sum of the shares passes `left`, of those that are allowed.
template <class Share, class Allowed>
int drawnPlace(double left, Index count, const Share& share, const Allowed& allowed)
{
    int last = -1;
    for (Index i = 0; i < count && (last < 0 || left >= 0); ++i)
        if (allowed(i)) {
            last = static_cast<int>(i);
            left -= static_cast<double>(share(i));
        }
    return last;
}

/// What the decoder reads: matrices that hold rows of every instance, one instance after another, and after them those
/// that all share.
struct DecoderInputs {
    std::vector<Var> all;
    std::size_t ofInstances = 0;  ///< so many are of instances
    /// Of the instances' gradients of a shared input, one below the other, the sum: its order is part of a training's
    /// bits.
    Matrix (*sum)(ConstMatrixView each, Index instances) = nullptr;
};

/// Where an instance's part of the gradient of an input goes, 0 before.
using GradientOf = std::function<MatrixView(std::size_t input)>;

/// A decoder, of which makeDecoder() makes one for each task, decodes one instance at a time: decode(instance, paths,
/// logProbabilities), weigh(instance, paths, weights) and goBack(paths, weights, GradientOf).
template <class Path, class MakeDecoder>
DrawnSolutions<Path> decodingLoss(Tape& tape, const DecoderInputs& inputs, Index instances, Index solutions,
                                  const MakeDecoder& makeDecoder)
{
    constexpr Index instancesPerTask = 4;
    std::vector<Var> gradients;  // of instances the input's shape, of a shared one that for each instance
    for (std::size_t i = 0; i < inputs.all.size(); ++i) {
        gradients.push_back(tape.constant(tape.rows(inputs.all[i]) * (i < inputs.ofInstances ? 1 : instances),
                                          tape.columns(inputs.all[i])));
        tape.fill(gradients.back()).setZero();
    }
    DrawnSolutions<Path> drawn;
    drawn.loss = tape.node(1, 1, inputs.all, [=, out = tape.nextNode()](Tape& t) {
        const float outward = t.gradient(out)(0, 0);
        for (std::size_t i = 0; i < gradients.size(); ++i)
            if (i < inputs.ofInstances)
                t.addGradient(inputs.all[i], outward * t.value(gradients[i]));
            else
                t.addGradient(inputs.all[i], outward * inputs.sum(t.value(gradients[i]), instances));
    });
    drawn.paths.resize(static_cast<std::size_t>(instances));
    drawn.logProbabilities.assign(static_cast<std::size_t>(instances),
                                  std::vector<double>(static_cast<std::size_t>(solutions), 0.0));
    std::vector<double> losses(static_cast<std::size_t>(instances), 0.0);
    forChunks(instances, instancesPerTask, [&](Index begin, Index end, Index) {
        auto decoder = makeDecoder();
        std::vector<float> weights(static_cast<std::size_t>(solutions));
        for (Index instance = begin; instance < end; ++instance) {
            const auto i = static_cast<std::size_t>(instance);
            decoder.decode(instance, drawn.paths[i], drawn.logProbabilities[i]);
            decoder.weigh(instance, drawn.paths[i], weights);
            for (std::size_t k = 0; k < weights.size(); ++k)
                losses[i] += static_cast<double>(weights[k]) * drawn.logProbabilities[i][k];
            decoder.goBack(drawn.paths[i], weights, [&](std::size_t input) {
                const Index rows = tape.rows(gradients[input]) / instances, columns = tape.columns(gradients[input]);
                return MatrixView(tape.fill(gradients[input]).data() + instance * rows * columns, rows, columns);
            });
        }
    });
    double sum = 0;
    for (const double loss : losses)
        sum += loss;
    tape.fill(drawn.loss)(0, 0) = static_cast<float>(sum);
    return drawn;
}

}  // namespace attnscope::learn
