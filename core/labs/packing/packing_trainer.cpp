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

DrawnCosts PackingTrainer::step()
{
    const std::int64_t count = m_settings.learning.batch, first = firstInstance();
    const PackingDraw drawn = drawNow();
    std::vector<PackingInstance> instances;
    for (std::int64_t i = 0; i < count; ++i)
        instances.push_back(drawBoxes(
            drawn, m_settings.bins[static_cast<std::size_t>((first + i) % std::ssize(m_settings.bins))], first + i));

    std::vector<DrawnCosts> found(instances.size());
    const auto weigh = [&](learn::Index instance, std::span<const Packing> packings, std::span<float> weights) {
        const auto i = static_cast<std::size_t>(instance);
        std::vector<double> costs;
        for (const Packing& packing : packings)
            costs.push_back(1 / loadRateOf(instances[i], packing));
        found[i] = weighByCost(costs, count, weights);
    };
    const learn::SolutionDraw<Packing> draw{.solutions = m_settings.learning.solutions,
                                            .seed = m_settings.draw.seed,
                                            .step = static_cast<std::uint64_t>(adam().steps())};
    m_optimiser.step([&](learn::Tape& tape) {
        return learn::packingLoss(tape, m_network(tape, instances), instances, draw, weigh).loss;
    });
    return meanOf(found);
}

}  // namespace attnscope
