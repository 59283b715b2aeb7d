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
            {"seed", std::to_string(seed)}};
}

MaxRetrievalTrainer::MaxRetrievalTrainer(const MaxRetrievalSettings& settings)
    : m_settings(settings), m_model(settings.width, settings.seed), m_weights(m_model.weights()),
      m_adam({.rate = settings.rate, .l2 = settings.l2, .decay = settings.decay})
{
}

double MaxRetrievalTrainer::step()
{
    const std::uint64_t t = static_cast<std::uint64_t>(steps());
    const double choices = static_cast<double>(m_settings.itemsMax - m_settings.itemsMin + 1);
    const std::int64_t items = m_settings.itemsMin + static_cast<std::int64_t>(choices * Random(m_settings.seed, Stream::Structure).uniform(0, t));
    const MaxRetrievalBatch batch = maxRetrievalBatch(m_settings.seed, t * static_cast<std::uint64_t>(m_settings.batch), m_settings.batch, items);
    m_tape.clear();
    const Var loss = softmaxCrossEntropy(m_tape, m_model(m_tape, batch), batch.labels);
    m_tape.backward(loss);
    m_adam.step(m_weights);
    return static_cast<double>(m_tape.value(loss)(0, 0));
}

}  // namespace attnscope
