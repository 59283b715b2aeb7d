#include "core/labs/packing/packing_trainer.h"

#include "core/base/text.h"

namespace attnscope {

learn::Metadata PackingSettings::metadata() const
{
    learn::Metadata facts = learning.metadata(shape.encoder, "packings", draw.seed);
    facts["task"] = "packing";
    facts["length"] = std::to_string(draw.size);
    facts["bins"] = joined(bins, ", ", [](const Bin& bin) { return labelOf(bin); });
    return facts;
}

learn::PackingShape packingShape(const learn::EncoderShape& encoder)
{
    return {
        .encoder = encoder, .boxFeatures = boxFeatures, .stateFeatures = stateFeatures, .turnFeatures = turnFeatures};
}

DrawnCosts PackingTrainer::step()
{
    const std::int64_t count = m_settings.learning.batch, first = firstInstance();
    const PackingDraw drawn = drawNow();
    std::vector<PackingInstance> instances;
    for (std::int64_t i = 0; i < count; ++i)
        instances.push_back(drawBoxes(
            drawn, m_settings.bins[static_cast<std::size_t>((first + i) % std::ssize(m_settings.bins))], first + i));

    std::vector<DrawnCosts> found(instances.size());
    const auto play = [&](learn::Index instance) {
        return std::make_unique<StatefulGame>(instances[static_cast<std::size_t>(instance)]);
    };
    const auto weigh = [&](learn::Index instance, const learn::Games& games, std::span<float> weights) {
        const auto i = static_cast<std::size_t>(instance);
        std::vector<double> costs;
        for (const auto& game : games)
            costs.push_back(1 / loadRateOf(instances[i], static_cast<const StatefulGame&>(*game).packing()));
        found[i] = weighByCost(costs, count, weights);
    };
    const learn::PackingDraw draw{.instances = count,
                                  .boxes = drawn.size,
                                  .packings = m_settings.learning.solutions,
                                  .turns = std::ssize(boxTurns),
                                  .seed = m_settings.draw.seed,
                                  .step = static_cast<std::uint64_t>(adam().steps())};
    const Matrix boxes = describeAll(instances);
    m_optimiser.step([&](learn::Tape& tape) {
        return learn::packingLoss(tape, m_network(tape, boxes, count), draw, play, weigh).loss;
    });
    return meanOf(found);
}

Matrix describeAll(std::span<const PackingInstance> instances)
{
    const Eigen::Index n = instances.front().size();
    Matrix all(std::ssize(instances) * n, boxFeatures);
    for (Eigen::Index i = 0; i < std::ssize(instances); ++i)
        all.middleRows(i * n, n) = describeBoxes(instances[static_cast<std::size_t>(i)]);
    return all;
}

}  // namespace attnscope
