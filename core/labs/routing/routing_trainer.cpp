#include "core/labs/routing/routing_trainer.h"

#include "core/base/choice.h"
#include "core/base/parallel.h"

namespace attnscope {

learn::Metadata RoutingSettings::metadata() const
{
    learn::Metadata facts = learning.metadata(shape.encoder, "tours", draw.seed);
    facts["task"] = shape.depot ? "cvrp" : "tsp";
    facts["length"] = std::to_string(draw.size);
    if (shape.depot) {
        facts["capacity"] = formatNumber(draw.capacity);
        facts["whole_demands"] = draw.wholeDemands ? "1" : "0";
    }
    return facts;
}

DrawnCosts RoutingTrainer::step()
{
    const std::int64_t count = m_settings.learning.batch, each = m_settings.learning.solutions, first = firstInstance();
    const RoutingDraw drawn = drawNow();
    std::vector<RoutingInstance> instances(static_cast<std::size_t>(count));
    forEachInParallel(count, 8,
                      [&](std::int64_t i) { instances[static_cast<std::size_t>(i)] = drawInstance(drawn, first + i); });

    std::vector<DrawnCosts> found(instances.size());
    const auto weigh = [&](learn::Index instance, std::span<const Tour> tours, std::span<float> weights) {
        const auto i = static_cast<std::size_t>(instance);
        std::vector<double> lengths;
        for (const Tour& tour : tours)
            lengths.push_back(lengthOf(instances[i], tour));
        found[i] = weighByCost(lengths, count, weights);
    };
    const learn::SolutionDraw<Tour> draw{
        .solutions = each, .seed = m_settings.draw.seed, .step = static_cast<std::uint64_t>(adam().steps())};
    m_optimiser.step([&](learn::Tape& tape) {
        return learn::tourLoss(tape, m_network(tape, instances), instances, draw, m_settings.shape.depot ? each : 1,
                               weigh)
            .loss;
    });
    return meanOf(found);
}

}  // namespace attnscope
