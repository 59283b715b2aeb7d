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

learn::RoutingBatch batchOf(std::span<const RoutingInstance> instances)
{
    learn::RoutingBatch batch{
        .instances = std::ssize(instances), .nodes = instances.front().nodes(), .places = {}, .demands = {}};
    batch.places.resize(batch.instances * batch.nodes, 2);
    for (Eigen::Index i = 0; i < batch.instances; ++i) {
        const RoutingInstance& instance = instances[static_cast<std::size_t>(i)];
        batch.places.middleRows(i * batch.nodes, batch.nodes) = instance.places;
        batch.demands.insert(batch.demands.end(), instance.demands.begin(), instance.demands.end());
    }
    return batch;
}

DrawnCosts RoutingTrainer::step()
{
    const std::int64_t count = m_settings.learning.batch, each = m_settings.learning.solutions, first = firstInstance();
    const RoutingDraw drawn = drawNow();
    std::vector<RoutingInstance> instances(static_cast<std::size_t>(count));
    forEachInParallel(count, 8,
                      [&](std::int64_t i) { instances[static_cast<std::size_t>(i)] = drawInstance(drawn, first + i); });

    std::vector<DrawnCosts> found(instances.size());
    const auto weigh = [&](learn::Index instance, std::span<const learn::Path> tours, std::span<float> weights) {
        const auto i = static_cast<std::size_t>(instance);
        std::vector<double> lengths;
        for (const Tour& tour : tours)
            lengths.push_back(lengthOf(instances[i], tour));
        found[i] = weighByCost(lengths, count, weights);
    };
    const learn::TourDraw draw{.tours = each,
                               .freeStarts = m_settings.shape.depot ? each : 1,
                               .seed = m_settings.draw.seed,
                               .step = static_cast<std::uint64_t>(adam().steps())};
    const learn::RoutingBatch batch = batchOf(instances);
    m_optimiser.step(
        [&](learn::Tape& tape) { return learn::tourLoss(tape, m_network(tape, batch), batch, draw, weigh).loss; });
    return meanOf(found);
}

}  // namespace attnscope
