#include "core/labs/reinforce.h"

#include "core/learn/transformer.h"

#include <algorithm>
#include <numeric>

namespace attnscope {

namespace {
constexpr double lastRate = 0.05;
}

DrawnCosts weighByCost(std::span<const double> costs, std::int64_t instances, std::span<float> weights)
{
    const double mean = std::accumulate(costs.begin(), costs.end(), 0.0) / static_cast<double>(costs.size());
    for (std::size_t i = 0; i < costs.size(); ++i)
        weights[i] = static_cast<float>((costs[i] - mean) / static_cast<double>(instances * std::ssize(costs)));
    return {mean, *std::ranges::min_element(costs)};
}

DrawnCosts meanOf(std::span<const DrawnCosts> all)
{
    DrawnCosts mean;
    for (const DrawnCosts& each : all) {
        mean.mean += each.mean / static_cast<double>(all.size());
        mean.least += each.least / static_cast<double>(all.size());
    }
    return mean;
}

PolicyOptimiser::PolicyOptimiser(learn::Weights all, double rate, double itsClip, std::int64_t steps, std::int64_t warmup)
    : weights(std::move(all)), adam({.rate = rate}), schedule(learn::cosineRate(steps, warmup, lastRate)), clip(itsClip)
{
}

void PolicyOptimiser::step(learn::Tape& tape, const std::function<learn::Var(learn::Tape&)>& loss)
{
    tape.clear();
    tape.backward(loss(tape));
    learn::clipGradients(weights, clip);
    adam.step(weights, schedule(adam.steps()));
}

}  // namespace attnscope
