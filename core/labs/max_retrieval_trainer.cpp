#include "core/labs/max_retrieval_trainer.h"

#include "core/base/choice.h"
#include "core/base/random.h"

namespace attnscope {

using namespace learn;

std::map<std::string, std::string> MaxRetrievalSettings::metadata() const
{
    return {{"lab", "max-retrieval"},
            {"width", std::to_string(width)},
            {"batch", std::to_string(batch)},
            {"items", std::to_string(itemsMin) + ".." + std::to_string(itemsMax)},
            {"rate", formatNumber(rate)},
            {"l2", formatNumber(l2)},
            {"decay", formatNumber(decay)},
            {"decayed", everyWeight ? "all" : "matrices"},
            {"products", products == Products::Bfloat16 ? "bfloat16" : "float32"},
            {"seed", std::to_string(seed)}};
}

MaxRetrievalTrainer::MaxRetrievalTrainer(const MaxRetrievalSettings& settings)
    : m_settings(settings), m_model(settings.width, settings.seed, settings.products), m_weights(m_model.weights()),
      m_adam({.rate = settings.rate, .l2 = settings.l2, .decay = settings.decay, .everyWeight = settings.everyWeight}),
      m_tape(settings.products)
{
}

MaxRetrievalTrainer::Batch MaxRetrievalTrainer::step()
{
    const std::uint64_t t = static_cast<std::uint64_t>(steps());
    const double choices = static_cast<double>(m_settings.itemsMax - m_settings.itemsMin + 1);
    const std::int64_t items = m_settings.itemsMin + static_cast<std::int64_t>(choices * Random(m_settings.seed, Stream::Structure).uniform(0, t));
    const MaxRetrievalBatch batch = maxRetrievalBatch(m_settings.seed, t * static_cast<std::uint64_t>(m_settings.batch), m_settings.batch, items);
    m_tape.clear();
    const Var classes = m_model(m_tape, batch);
    const Var loss = softmaxCrossEntropy(m_tape, classes, batch.labels);
    m_tape.backward(loss);
    m_adam.step(m_weights);
    std::int64_t right = 0;
    for (Index set = 0; set < batch.count; ++set) {
        Index best = 0;
        m_tape.value(classes).row(set).maxCoeff(&best);
        right += best == batch.labels[static_cast<std::size_t>(set)];
    }
    return {static_cast<double>(m_tape.value(loss)(0, 0)), static_cast<double>(right) / static_cast<double>(batch.count)};
}

}  // namespace attnscope
