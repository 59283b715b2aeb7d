#pragma once
// The loss of drawn solutions (drawn_solutions.h), whatever the decoder.

#include "core/learn/parallel.h"
#include "core/networks/drawn_solutions.h"

namespace attnscope::learn {

/// What the decoder reads: matrices that hold rows of every instance, one instance after another, and after them those
/// that all share.
struct DecoderInputs {
    std::vector<Var> all;
    std::size_t ofInstances = 0;  ///< so many are of instances
};

/// Where an instance's part of the gradient of an input goes, 0 before.
using GradientOf = std::function<MatrixView(std::size_t input)>;

/// A decoder, of which makeDecoder() makes one for each task, decodes one instance at a time: decode(instance),
/// solutions(), logProbabilities() and goBack(weights, GradientOf).
template <class Solution, class MakeDecoder>
DrawnSolutions<Solution> drawSolutions(Tape& tape, const DecoderInputs& inputs, Index instances, Index solutions,
                                       const WeighSolutions<Solution>& weigh, const MakeDecoder& makeDecoder)
{
    constexpr Index instancesPerTask = 4;
    std::vector<Var> gradients;  // of instances the input's shape, of a shared one that for each instance
    for (std::size_t i = 0; i < inputs.all.size(); ++i) {
        gradients.push_back(tape.constant(tape.rows(inputs.all[i]) * (i < inputs.ofInstances ? 1 : instances),
                                          tape.columns(inputs.all[i])));
        tape.fill(gradients.back()).setZero();
    }
    DrawnSolutions<Solution> drawn;
    drawn.loss = tape.node(1, 1, inputs.all, [=, out = tape.nextNode()](Tape& t) {
        const float outward = t.gradient(out)(0, 0);
        for (std::size_t i = 0; i < gradients.size(); ++i) {
            const ConstMatrixView each = t.value(gradients[i]);
            const Index rows = t.rows(inputs.all[i]);
            Matrix sum = each.topRows(rows);  // a shared input's, in the order of the instances
            for (Index below = rows; below < each.rows(); below += rows)
                sum += each.middleRows(below, rows);
            t.addGradient(inputs.all[i], outward * sum);
        }
    });
    drawn.solutions.resize(static_cast<std::size_t>(instances));
    drawn.logProbabilities.resize(static_cast<std::size_t>(instances));
    std::vector<double> losses(static_cast<std::size_t>(instances), 0.0);
    forChunks(instances, instancesPerTask, [&](Index begin, Index end, Index) {
        auto decoder = makeDecoder();
        std::vector<float> weights(static_cast<std::size_t>(solutions));
        for (Index instance = begin; instance < end; ++instance) {
            const auto i = static_cast<std::size_t>(instance);
            decoder.decode(instance);
            drawn.solutions[i] = decoder.solutions();
            drawn.logProbabilities[i] = decoder.logProbabilities();
            weigh(instance, drawn.solutions[i], weights);
            for (std::size_t k = 0; k < weights.size(); ++k)
                losses[i] += static_cast<double>(weights[k]) * drawn.logProbabilities[i][k];
            decoder.goBack(weights, [&](std::size_t input) {
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

/// The rows of one of `instances` instances.
inline ConstMatrixView rowsOfInstance(const Tape& tape, Var x, Index instance, Index instances)
{
    const Index rows = tape.rows(x) / instances, columns = tape.columns(x);
    return {tape.value(x).data() + instance * rows * columns, rows, columns};
}

}  // namespace attnscope::learn
