#include "core/labs/retrieval/max_retrieval_trainer.h"

#include "core/attention/normaliser.h"
#include "core/base/random.h"
#include "core/scaling/scale_method.h"

namespace attnscope {

using namespace learn;

std::map<std::string, std::string> MaxRetrievalSettings::metadata(const std::string& lab) const
{
    std::map<std::string, std::string> facts{{"lab", lab},
                                             {"width", std::to_string(width)},
                                             {"batch", std::to_string(batch)},
                                             {"items", std::to_string(itemsMin) + ".." + std::to_string(itemsMax)},
                                             {"rate", formatNumber(rate)},
                                             {"l2", formatNumber(l2)},
                                             {"decay", formatNumber(decay)},
                                             {"decayed", everyWeight ? "all" : "matrices"},
                                             {"products", products == Products::Bfloat16 ? "bfloat16" : "float32"},
                                             {"seed", std::to_string(seed)}};
    if (learning != HeadLearning()) {
        facts["method"] = formatChoice(learning.method);
        facts["normaliser"] = formatChoice(learning.normaliser);
        facts["constraint"] = formatNumber(learning.constraint);
        facts["target"] = formatNumber(learning.target);
    }
    return facts;
}

MaxRetrievalTrainer::MaxRetrievalTrainer(const MaxRetrievalSettings& settings, HeadRule rule)
    : m_settings(settings), m_model(settings.width, settings.seed, settings.products), m_weights(m_model.weights()),
      m_adam({.rate = settings.rate, .l2 = settings.l2, .decay = settings.decay, .everyWeight = settings.everyWeight}),
      m_tape(settings.products), m_rule(std::move(rule))
{
}

Result<RowFunction> trainedRows(const Choice& normaliser)
{
    const auto row = TRY(findRow(normalisers(), normaliser.id, "normaliser"));
    TRY(validate(*row, normaliser));
    return RowFunction{[row, normaliser](std::span<const double> z, std::span<double> y) {
                           const Parameters parameters(*row, normaliser);
                           const NormaliserState state = row->solve(z, parameters);
                           for (std::size_t j = 0; j < z.size(); ++j)
                               y[j] = row->weight(z[j], state, parameters);
                       },
                       [row, normaliser](std::span<const double> z, std::span<const double> y, std::span<double> g) {
                           row->gradient(z, y, g, Parameters(*row, normaliser));
                       }};
}

Result<HeadRule> headRule(const MaxRetrievalSettings& settings)
{
    HeadRule rule;
    if (settings.learning == HeadLearning())
        return rule;
    rule.rows = TRY(trainedRows(settings.learning.normaliser));
    const auto method = TRY(bindScale(settings.learning.method));
    for (std::int64_t items = settings.itemsMin; items <= settings.itemsMax; ++items)
        rule.multipliers.push_back(TRY(method(lastRowOf(
            static_cast<double>(items), static_cast<double>(settings.itemsMax), static_cast<int>(settings.width)))));
    return rule;
}

MaxRetrievalTrainer::Outcome MaxRetrievalTrainer::run(const MaxRetrievalBatch& batch)
{
    if (!m_rule.rows.value) {
        const Var classes = m_model(m_tape, batch);
        return {classes, softmaxCrossEntropy(m_tape, classes, batch.labels)};
    }
    const auto [classes, weights] = m_model.weighed(
        m_tape, batch, m_rule.rows, m_rule.multipliers[static_cast<std::size_t>(batch.items - m_settings.itemsMin)]);
    const Var loss = softmaxCrossEntropy(m_tape, classes, batch.labels);
    const HeadLearning& learning = m_settings.learning;
    if (learning.constraint == 0)
        return {classes, loss};
    const Var away = add(m_tape, rowEntropies(m_tape, weights),
                         m_tape.constant(Matrix::Constant(1, 1, static_cast<float>(-learning.target))));
    return {classes, add(m_tape, loss,
                         scale(m_tape, mean(m_tape, square(m_tape, away)), static_cast<float>(learning.constraint)))};
}

MaxRetrievalTrainer::Batch MaxRetrievalTrainer::step()
{
    const std::uint64_t t = static_cast<std::uint64_t>(steps());
    const double choices = static_cast<double>(m_settings.itemsMax - m_settings.itemsMin + 1);
    const std::int64_t items =
        m_settings.itemsMin +
        static_cast<std::int64_t>(choices * Random(m_settings.seed, Stream::Structure).uniform(0, t));
    const MaxRetrievalBatch batch =
        maxRetrievalBatch(m_settings.seed, t * static_cast<std::uint64_t>(m_settings.batch), m_settings.batch, items);
    m_tape.clear();
    const auto [classes, loss] = run(batch);
    m_tape.backward(loss);
    m_adam.step(m_weights);
    std::int64_t right = 0;
    for (Index set = 0; set < batch.count; ++set) {
        Index best = 0;
        m_tape.value(classes).row(set).maxCoeff(&best);
        right += best == batch.labels[static_cast<std::size_t>(set)];
    }
    return {static_cast<double>(m_tape.value(loss)(0, 0)),
            static_cast<double>(right) / static_cast<double>(batch.count)};
}

}  // namespace attnscope
