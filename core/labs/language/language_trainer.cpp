#include "core/labs/language/language_trainer.h"

#include "core/base/choice.h"
#include "core/base/random.h"

#include <algorithm>
#include <utility>

namespace attnscope {

namespace {
constexpr int beginOrMask = 0;  // the one token of the vocabulary that no text has
}

std::map<std::string, std::string> LanguageSettings::metadata() const
{
    const auto whole = [](std::int64_t number) { return std::to_string(number); };
    std::map<std::string, std::string> facts{{"layers", whole(shape.layers)},
                                             {"width", whole(shape.width)},
                                             {"inner", whole(shape.inner)},
                                             {"heads", whole(shape.heads)},
                                             {"key_heads", whole(shape.keyHeads)},
                                             {"vocabulary", whole(shape.vocabulary)},
                                             {"length", whole(length)},
                                             {"batch", whole(batch)},
                                             {"steps", whole(steps)},
                                             {"warmup", whole(warmup)},
                                             {"rate", formatNumber(rate)},
                                             {"decay", formatNumber(decay)},
                                             {"clip", formatNumber(clip)},
                                             {"seed", std::to_string(seed)}};
    if (dropout > 0)
        facts["dropout"] = formatNumber(dropout);
    if (parts > 1)
        facts["parts"] = whole(parts);
    if (!shape.causal) {
        facts["hidden"] = formatNumber(hidden);
        facts["base"] = formatNumber(shape.base);
    }
    if (!shape.causal || shape.alpha > 0)
        facts["alpha"] = formatNumber(shape.alpha);
    return facts;
}

BatchSource windowsOf(const LanguageSettings& settings, const std::vector<int>& ids)
{
    return [n = settings.length, count = settings.batch, causal = settings.shape.causal, hiddenShare = settings.hidden,
            seed = settings.seed, &ids](std::uint64_t step) {
        const Random random(seed, Stream::Sampling), hides(seed, Stream::Structure);
        LanguageBatch batch{.inputs = {}, .targets = {}, .sequences = count};
        for (std::int64_t window = 0; window < count; ++window) {
            const double places = static_cast<double>(std::ssize(ids) - n + 1);
            const auto first = ids.begin() + static_cast<std::ptrdiff_t>(
                                                 random.uniform(step, static_cast<std::uint64_t>(window)) * places);
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

namespace {

/// Sequences first .. end - 1 of a batch, n tokens each.
LanguageBatch sequencesOf(const LanguageBatch& batch, std::int64_t n, std::int64_t first, std::int64_t end)
{
    const auto slice = [&](const std::vector<int>& all) {
        return all.empty() ? all : std::vector<int>(all.begin() + first * n, all.begin() + end * n);
    };
    return {.inputs = slice(batch.inputs),
            .targets = slice(batch.targets),
            .positions = slice(batch.positions),
            .sequences = end - first};
}

}  // namespace

LanguageTrainer::LanguageTrainer(const LanguageSettings& settings, BatchSource source)
    : m_settings(settings), m_source(std::move(source)), m_model(settings.shape, settings.seed),
      m_weights(m_model.weights()),
      m_adam({.rate = settings.rate, .beta2 = 0.99, .decay = settings.decay, .everyWeight = false}),
      m_schedule(learn::cosineRate(settings.steps, settings.warmup, 0.05))
{
}

LanguageTrainer::Step LanguageTrainer::step()
{
    const LanguageBatch whole = batch(static_cast<std::uint64_t>(m_adam.steps()));
    const std::int64_t n = std::ssize(whole.inputs) / whole.sequences,
                       parts = std::min(m_settings.parts, whole.sequences);
    const std::int64_t asked =
        std::max<std::int64_t>(1, std::ranges::count_if(whole.targets, [](int target) { return target >= 0; }));
    PartFound sums;
    for (std::int64_t part = 0; part < parts; ++part) {
        const PartFound found = learnFrom(
            sequencesOf(whole, n, whole.sequences * part / parts, whole.sequences * (part + 1) / parts), asked, part);
        sums.loss += found.loss;
        sums.right += found.right;
    }
    learn::clipGradients(m_weights, m_settings.clip);
    m_adam.step(m_weights, m_schedule(m_adam.steps()));
    return {sums.loss / static_cast<double>(asked), sums.right / static_cast<double>(asked)};
}

std::span<const float> LanguageTrainer::multipliers(std::int64_t n)
{
    const std::span<const float> longest = m_settings.multipliers;
    if (!m_settings.multipliersOf || n >= std::ssize(longest))
        return longest.first(std::min(static_cast<std::size_t>(n), longest.size()));
    const auto [known, isNew] = m_multipliers.try_emplace(n);
    if (isNew)
        known->second = m_settings.multipliersOf(n);
    return known->second;
}

LanguageTrainer::PartFound LanguageTrainer::learnFrom(const LanguageBatch& part, std::int64_t targetsOfStep,
                                                      std::int64_t number)
{
    std::vector<int> rows, targets;  // of which logits are wanted
    for (std::size_t row = 0; row < part.targets.size(); ++row)
        if (part.targets[row] >= 0) {
            rows.push_back(static_cast<int>(row));
            targets.push_back(part.targets[row]);
        }
    const auto asked = static_cast<double>(rows.size());
    if (rows.empty()) {
        rows.push_back(0);
        targets.push_back(-1);  // counts for nothing
    }
    if (rows.size() == part.targets.size())
        rows.clear();  // all
    const std::size_t n = part.inputs.size() / static_cast<std::size_t>(part.sequences);
    const learn::Dropout dropout{m_settings.dropout, m_settings.seed,
                                 static_cast<std::uint64_t>(m_adam.steps() * m_settings.parts + number)};
    m_tape.clear();
    const learn::TokenLoss loss = learn::tokenLoss(m_tape,
                                                   m_model(m_tape, part.inputs, part.sequences,
                                                           {.multipliers = multipliers(static_cast<std::int64_t>(n)),
                                                            .rows = rows,
                                                            .positions = part.positions,
                                                            .beta = m_settings.beta,
                                                            .dropout = dropout}),
                                                   targets);
    m_tape.backward(loss.loss, static_cast<float>(asked / static_cast<double>(targetsOfStep)), number > 0);
    return {asked * static_cast<double>(m_tape.value(loss.loss)(0, 0)), asked * loss.accuracy};
}

}  // namespace attnscope
