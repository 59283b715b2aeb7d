#include "core/labs/language_trainer.h"

#include "core/base/choice.h"
#include "core/base/random.h"

#include <algorithm>
#include <utility>

namespace attnscope {

using namespace learn;

namespace {
constexpr int beginOrMask = 0;  // the one token of the vocabulary that no text has
}

std::map<std::string, std::string> LanguageSettings::metadata() const
{
    const auto whole = [](std::int64_t number) { return std::to_string(number); };
    std::map<std::string, std::string> facts{
        {"layers", whole(shape.layers)}, {"width", whole(shape.width)}, {"inner", whole(shape.inner)}, {"heads", whole(shape.heads)}, {"key_heads", whole(shape.keyHeads)},
        {"vocabulary", whole(shape.vocabulary)}, {"length", whole(length)}, {"batch", whole(batch)}, {"steps", whole(steps)}, {"warmup", whole(warmup)},
        {"rate", formatNumber(rate)}, {"decay", formatNumber(decay)}, {"clip", formatNumber(clip)}, {"seed", std::to_string(seed)}};
    if (!shape.causal) {
        facts["hidden"] = formatNumber(hidden);
        facts["alpha"] = formatNumber(shape.alpha);
        facts["base"] = formatNumber(shape.base);
    }
    return facts;
}

BatchSource windowsOf(const LanguageSettings& settings, const std::vector<int>& ids)
{
    return [n = settings.length, count = settings.batch, causal = settings.shape.causal, hiddenShare = settings.hidden, seed = settings.seed, &ids](std::uint64_t step) {
        const Random random(seed, Stream::Sampling), hides(seed, Stream::Structure);
        LanguageBatch batch{.inputs = {}, .targets = {}, .sequences = count};
        for (std::int64_t window = 0; window < count; ++window) {
            const double places = static_cast<double>(std::ssize(ids) - n + 1);
            const auto first = ids.begin() + static_cast<std::ptrdiff_t>(random.uniform(step, static_cast<std::uint64_t>(window)) * places);
            if (causal) {
                batch.inputs.push_back(beginOrMask);
                batch.inputs.insert(batch.inputs.end(), first, first + (n - 1));
                batch.targets.insert(batch.targets.end(), first, first + n);
                continue;
            }
            for (std::int64_t t = 0; t < n; ++t) {
                const bool hidden = hides.uniform(step, static_cast<std::uint64_t>(window * n + t)) < hiddenShare;
                batch.inputs.push_back(hidden ? beginOrMask : first[t]);
                batch.targets.push_back(hidden ? first[t] : -1);
            }
        }
        return batch;
    };
}

LanguageTrainer::LanguageTrainer(const LanguageSettings& settings, BatchSource source)
    : m_settings(settings), m_source(std::move(source)), m_model(settings.shape, settings.seed), m_weights(m_model.weights()),
      m_adam({.rate = settings.rate, .beta2 = 0.99, .decay = settings.decay, .everyWeight = false}), m_schedule(cosineRate(settings.steps, settings.warmup, 0.05))
{
}

LanguageTrainer::Step LanguageTrainer::step()
{
    auto [inputs, targets, positions, sequences] = batch(static_cast<std::uint64_t>(m_adam.steps()));
    std::vector<int> rows;  // of which logits are wanted: none for all
    if (std::ranges::any_of(targets, [](int target) { return target < 0; })) {
        for (std::size_t row = 0; row < targets.size(); ++row)
            if (targets[row] >= 0)
                rows.push_back(static_cast<int>(row));
        if (rows.empty())
            rows.push_back(0);  // which has no target and so counts for nothing
        std::vector<int> asked;
        for (const int row : rows)
            asked.push_back(targets[static_cast<std::size_t>(row)]);
        targets = std::move(asked);
    }
    const std::size_t n = inputs.size() / static_cast<std::size_t>(sequences);
    const std::span<const float> multipliers = std::span(m_settings.multipliers).first(std::min(n, m_settings.multipliers.size()));
    m_tape.clear();
    const TokenLoss loss = tokenLoss(m_tape, m_model(m_tape, inputs, sequences, {.multipliers = multipliers, .rows = rows, .positions = positions, .beta = m_settings.beta}), targets);
    m_tape.backward(loss.loss);
    clipGradients(m_weights, m_settings.clip);
    m_adam.step(m_weights, m_schedule(m_adam.steps()));
    return {static_cast<double>(m_tape.value(loss.loss)(0, 0)), loss.accuracy};
}

}  // namespace attnscope
