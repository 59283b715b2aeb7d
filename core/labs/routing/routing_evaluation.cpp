#include "core/labs/routing/routing_evaluation.h"

#include "core/base/parallel.h"
#include "core/labs/lab_support.h"
#include "core/labs/routing/routing_baselines.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/samples.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/core.h>

namespace attnscope {

namespace {

constexpr std::int64_t nodesAtOnce = 8192;  // of a batch: what its products hold stays some tens of megabytes

/// How much longer than theirs, in per cent: the mean over the instances.
double gapTo(const std::vector<double>& lengths, const std::vector<double>& theirs)
{
    double sum = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i)
        sum += 100 * (lengths[i] / theirs[i] - 1);
    return sum / static_cast<double>(lengths.size());
}

std::vector<double> logarithms(std::vector<double> lengths)
{
    for (double& length : lengths)
        length = std::log(length);
    return lengths;
}

/// How much longer than theirs in per cent, 100 (e^x - 1) for the mean x of ln(ours / theirs) over the instances, and
/// the p of a paired t-test of that mean.
struct Change {
    std::optional<double> percent, p;
};
Change changeFrom(const std::vector<double>& lengths, const std::vector<double>& theirs)
{
    const std::vector<double> ours = logarithms(lengths), before = logarithms(theirs);
    return {100 * std::expm1(sampleMean(ours).mean - sampleMean(before).mean), pairedTTest(ours, before)};
}

/// The edges of the closed tour in the order travelled, the way back last.
std::vector<LabTours::Edge> edgesOf(const RoutingInstance& instance, const Tour& tour)
{
    std::vector<int> nodes = tour;
    if (instance.hasDepot())
        nodes.insert(nodes.begin(), 0);
    std::vector<LabTours::Edge> edges;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        edges.push_back({nodes[i], nodes[(i + 1) % nodes.size()]});
    return edges;
}

/// The same either way.
std::pair<int, int> ends(const LabTours::Edge& edge) { return std::minmax(edge.from, edge.to); }

}  // namespace

Result<RoutingSet> makeRoutingSet(std::vector<RoutingInstance> instances, std::stop_token stop)
{
    RoutingSet set{std::move(instances), {}, {}};
    const auto count = std::ssize(set.instances);
    set.nearest.resize(set.instances.size());
    set.improved.resize(set.instances.size());
    forEachInParallel(count, 1, [&](std::int64_t index) {
        if (stop.stop_requested())
            return;
        const auto i = static_cast<std::size_t>(index);
        const Tour tour = nearestNeighbour(set.instances[i]);
        set.nearest[i] = lengthOf(set.instances[i], tour);
        set.improved[i] = lengthOf(set.instances[i], improved(set.instances[i], tour, stop));
    });
    TRY(unlessStopped(stop));
    return set;
}

Result<std::optional<RoutingScore>> scoreRouting(const AttentionModel& model, const RoutingSet& set,
                                                 const ScalePolicy& policy, std::stop_token stop)
{
    return scoreInBatches<Tour, RoutingInstance>(
        set.instances, std::max<std::int64_t>(1, nodesAtOnce / set.instances.front().nodes()), policy,
        [&](std::span<const RoutingInstance> batch, std::size_t, const ScalePolicy& inForce) {
            return runRouting(model, batch, {.policy = inForce, .entropies = true, .stop = stop});
        },
        [](Solved<Tour>& run, std::size_t i, const RoutingInstance& instance) {
            return std::pair(run.solutions[i].front(), lengthOf(instance, run.solutions[i].front()));
        });
}

LabCells policyCells(const RoutingSet& set, const ScalePolicy& policy, const NetworkSeed& seed)
{
    const RoutingInstance& first = set.instances.front();
    return policyCells({"task", first.hasDepot() ? "cvrp" : "tsp"}, first.size(), policy, seed);
}

LabCells qualityCells(const RoutingSet& set, const ScalePolicy& policy, const std::optional<RoutingScore>& score,
                      const RoutingScore* vanilla, const NetworkSeed& seed)
{
    LabCells cells = policyCells(set, policy, seed);
    const auto add = [&](const char* column, std::optional<double> value) {
        cells.emplace_back(column, present(value));
    };
    const auto of = [&](const auto& value) { return score ? std::optional<double>(value(*score)) : std::nullopt; };
    const bool compared = score && vanilla && !isVanilla(policy.method);
    add("length", of([](const RoutingScore& s) { return sampleMean(s.values).mean; }));
    add("stderr", score ? sampleMean(score->values).standardError : std::nullopt);
    add("gap_improved", of([&](const RoutingScore& s) { return gapTo(s.values, set.improved); }));
    add("gap_nearest", of([&](const RoutingScore& s) { return gapTo(s.values, set.nearest); }));
    const Change change = compared ? changeFrom(score->values, vanilla->values) : Change{};
    add("change", change.percent);
    add("p", change.p);
    add("entropy_encoder", of([](const RoutingScore& s) { return meanOfLayers(s.encoder.entropies); }));
    add("entropy_decoder", of([](const RoutingScore& s) { return sampleMean(s.decoderEntropies).mean; }));
    cells.emplace_back("instances", static_cast<std::int64_t>(set.instances.size()));
    return cells;
}

std::string tourLength(double length) { return fmt::format("{:.3f}", length); }

LabTours sideBySide(std::string id, std::string title, const RoutingInstance& instance,
                    const std::vector<NamedTour>& tours)
{
    LabTours shown{std::move(id), std::move(title), {}, instance.hasDepot(), {}};
    const float low = std::min(0.0f, instance.places.minCoeff()), high = std::max(1.0f, instance.places.maxCoeff());
    for (Index node = 0; node < instance.nodes(); ++node)
        shown.places.push_back(
            {(instance.places(node, 0) - low) / (high - low), (instance.places(node, 1) - low) / (high - low)});
    std::set<std::pair<int, int>> first, others;
    for (std::size_t i = 0; i < tours.size(); ++i) {
        shown.panels.push_back({tours[i].title, edgesOf(instance, tours[i].tour)});
        for (const LabTours::Edge& edge : shown.panels[i].edges)
            (i == 0 ? first : others).insert(ends(edge));
    }
    for (std::size_t i = 0; tours.size() > 1 && i < tours.size(); ++i)
        for (LabTours::Edge& edge : shown.panels[i].edges)
            edge.differs = !(i == 0 ? others : first).contains(ends(edge));
    return shown;
}

}  // namespace attnscope
