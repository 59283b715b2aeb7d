#include "core/labs/causal_lm_trainer.h"

#include "core/base/choice.h"
#include "core/base/random.h"

#include <cmath>

namespace attnscope {

using namespace learn;

std::map<std::string, std::string> CausalLmSettings::metadata() const
{
    const auto whole = [](std::int64_t number) { return std::to_string(number); };
    return {{"lab", "causal-lm"}, {"layers", whole(shape.layers)}, {"width", whole(shape.width)}, {"inner", whole(shape.inner)}, {"heads", whole(shape.heads)},
            {"key_heads", whole(shape.keyHeads)}, {"vocabulary", whole(shape.vocabulary)}, {"length", whole(length)}, {"batch", whole(batch)}, {"steps", whole(steps)},
            {"warmup", whole(warmup)}, {"rate", formatNumber(rate)}, {"decay", formatNumber(decay)}, {"clip", formatNumber(clip)}, {"log_n", logN ? "1" : "0"}, {"seed", std::to_string(seed)}};
}

CausalLmTrainer::CausalLmTrainer(const CausalLmSettings& settings, const std::vector<int>& ids)
    : m_settings(settings), m_ids(ids), m_model(settings.shape, settings.seed), m_weights(m_model.weights()),
      m_adam({.rate = settings.rate, .beta2 = 0.99, .decay = settings.decay, .everyWeight = false}), m_schedule(cosineRate(settings.steps, settings.warmup, 0.05))
{
    if (settings.logN)
        for (std::int64_t i = 0; i < settings.length; ++i)
            m_multipliers.push_back(static_cast<float>(std::log(static_cast<double>(i + 1)) / std::log(static_cast<double>(settings.length))));
}

CausalLmTrainer::Step CausalLmTrainer::step()
{
    const Random random(m_settings.seed, Stream::Sampling);
    const auto t = static_cast<std::uint64_t>(m_adam.steps());
    std::vector<int> inputs, targets;
    for (std::int64_t window = 0; window < m_settings.batch; ++window) {
        const double places = static_cast<double>(std::ssize(m_ids) - m_settings.length + 1);
        const auto first = m_ids.begin() + static_cast<std::ptrdiff_t>(random.uniform(t, static_cast<std::uint64_t>(window)) * places);
        inputs.push_back(0);  // the begin token
        inputs.insert(inputs.end(), first, first + (m_settings.length - 1));
        targets.insert(targets.end(), first, first + m_settings.length);
    }
    m_tape.clear();
    const TokenLoss loss = tokenLoss(m_tape, m_model(m_tape, inputs, m_settings.batch, m_multipliers), targets);
    m_tape.backward(loss.loss);
    clipGradients(m_weights, m_settings.clip);
    m_adam.step(m_weights, m_schedule(m_adam.steps()));
    return {static_cast<double>(m_tape.value(loss.loss)(0, 0)), loss.accuracy};
}

}  // namespace attnscope
