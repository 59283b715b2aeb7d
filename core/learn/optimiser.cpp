#include "core/learn/optimiser.h"

#include "core/learn/kernels/kernels.h"

#include <cassert>
#include <cmath>
#include <numbers>

namespace attnscope::learn {

void Adam::step(const Weights& weights, double factor)
{
    if (m_moments.empty())
        for (const Weight* weight : weights)
            m_moments.push_back({Matrix::Zero(weight->value.rows(), weight->value.cols()),
                                 Matrix::Zero(weight->value.rows(), weight->value.cols())});
    assert(m_moments.size() == weights.size());
    ++m_steps;

    // m/c1 / (sqrt(v/c2) + eps) = (sqrt c2 / c1) m / (sqrt v + eps sqrt c2)
    const double c1 = -std::expm1(static_cast<double>(m_steps) * std::log(m_options.beta1));
    const double c2 = -std::expm1(static_cast<double>(m_steps) * std::log(m_options.beta2));
    const double rate = m_options.rate * factor;
    const AdamStep step{
        static_cast<float>(rate * std::sqrt(c2) / c1), static_cast<float>(m_options.beta1),
        static_cast<float>(m_options.beta2),           static_cast<float>(m_options.eps * std::sqrt(c2)),
        static_cast<float>(rate * m_options.decay),    static_cast<float>(m_options.l2)};
    AdamStep still = step;  // without shrinking
    still.decay = still.l2 = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        Weight& weight = *weights[i];
        const bool shrinks = m_options.everyWeight || !weight.vector;
        if (weight.trained)
            kernels().adam(weight.value.data(), weight.gradient.data(), m_moments[i].first.data(),
                           m_moments[i].second.data(), weight.value.size(), shrinks ? step : still);
    }
}

Schedule cosineRate(std::int64_t steps, std::int64_t warmup, double last)
{
    return [=](std::int64_t step) {
        if (step < warmup)
            return static_cast<double>(step + 1) / static_cast<double>(warmup);
        const double past =
            static_cast<double>(step - warmup) / static_cast<double>(std::max<std::int64_t>(1, steps - warmup));
        return last + (1 - last) * (1 + std::cos(std::numbers::pi * std::min(past, 1.0))) / 2;
    };
}

}  // namespace attnscope::learn
