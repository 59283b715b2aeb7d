#include "core/labs/policies/reinforce.h"

#include "core/base/choice.h"
#include "core/learn/transformer.h"

#include <algorithm>
#include <numeric>

namespace attnscope {

namespace {
constexpr double lastRate = 0.05;
}

std::int64_t ReinforceSettings::sizeAt(std::int64_t step, std::int64_t size) const
{
    return from == 0 || 2 * step >= steps ? size : from + (size - from) * 2 * step / steps;
}

learn::Metadata ReinforceSettings::metadata(const learn::EncoderShape& shape, const char* solutionsName,
                                            std::uint64_t seed) const
{
    const auto whole = [](std::int64_t number) { return std::to_string(number); };
    learn::Metadata facts{
        {"layers", whole(shape.layers)}, {"width", whole(shape.width)}, {"inner", whole(shape.inner)},
        {"heads", whole(shape.heads)},   {"batch", whole(batch)},       {solutionsName, whole(solutions)},
        {"steps", whole(steps)},         {"warmup", whole(warmup)},     {"rate", formatNumber(rate)},
        {"clip", formatNumber(clip)},    {"seed", std::to_string(seed)}};
    if (from > 0)
        facts["from"] = whole(from);
    return facts;
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

PolicyOptimiser::PolicyOptimiser(learn::Weights weights, const ReinforceSettings& settings)
    : m_weights(std::move(weights)), m_adam({.rate = settings.rate}),
      m_schedule(learn::cosineRate(settings.steps, settings.warmup, lastRate)), m_clip(settings.clip)
{
}

void PolicyOptimiser::step(const std::function<learn::Var(learn::Tape&)>& loss)
{
    m_tape.clear();
    m_tape.backward(loss(m_tape));
    learn::clipGradients(m_weights, m_clip);
    m_adam.step(m_weights, m_schedule(m_adam.steps()));
}

}  // namespace attnscope
