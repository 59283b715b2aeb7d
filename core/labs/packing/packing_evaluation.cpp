#include "core/labs/packing/packing_evaluation.h"

#include "core/base/parallel.h"
#include "core/labs/lab_support.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/samples.h"

#include <algorithm>

namespace attnscope {

namespace {

constexpr std::int64_t boxesAtOnce = 8192;  // of a batch: what its products hold stays some tens of megabytes

std::vector<double> inPercent(std::vector<double> shares)
{
    for (double& share : shares)
        share *= 100;
    return shares;
}

/// The mean of ours - theirs, in points of per cent.
double pointsAbove(const std::vector<double>& ours, const std::vector<double>& theirs)
{
    return 100 * (sampleMean(ours).mean - sampleMean(theirs).mean);
}

}  // namespace

Result<PackingSet> makePackingSet(const PackingDraw& draw, const Bin& bin, std::int64_t count, std::stop_token stop)
{
    const auto size = static_cast<std::size_t>(count);
    PackingSet set{std::vector<PackingInstance>(size), std::vector<double>(size), std::vector<double>(size)};
    forEachInParallel(count, 1, [&](std::int64_t number) {
        if (stop.stop_requested())
            return;
        const auto i = static_cast<std::size_t>(number);
        const PackingInstance& instance = set.instances[i] = drawBoxes(draw, bin, number);
        set.byVolume[i] = loadRateOf(instance, packInOrder(instance, volumeOrder(instance)));
        set.random[i] = loadRateOf(instance, packInOrder(instance, randomOrder(instance, draw.seed, number)));
    });
    TRY(unlessStopped(stop));
    return set;
}

Result<std::optional<PackingScore>> scorePacking(const PackingModel& model, const PackingSet& set,
                                                 const ScalePolicy& policy, const PackingSampling& sampling,
                                                 std::stop_token stop)
{
    return scoreInBatches<Packing, PackingInstance>(
        set.instances, std::max<std::int64_t>(1, boxesAtOnce / set.instances.front().size()), policy,
        [&](std::span<const PackingInstance> batch, std::size_t first, const ScalePolicy& inForce) {
            return runPacking(model, batch,
                              {.policy = inForce,
                               .entropies = true,
                               .samples = sampling.samples,
                               .seed = sampling.seed,
                               .first = static_cast<std::int64_t>(first),
                               .stop = stop});
        },
        [](Solved<Packing>& run, std::size_t i, const PackingInstance& instance) {
            Packing& best = *std::ranges::min_element(run.solutions[i], {}, heightOf);
            const double load = loadRateOf(instance, best);
            return std::pair(std::move(best), load);
        });
}

LabCells policyCells(const PackingSet& set, const ScalePolicy& policy, const NetworkSeed& seed)
{
    const PackingInstance& first = set.instances.front();
    return policyCells({"bin", labelOf(first.bin)}, first.size(), policy, seed);
}

LabCells qualityCells(const PackingSet& set, const ScalePolicy& policy, const std::optional<PackingScore>& score,
                      const PackingScore* vanilla, const NetworkSeed& seed)
{
    LabCells cells = policyCells(set, policy, seed);
    const auto add = [&](const char* column, std::optional<double> value) {
        cells.emplace_back(column, present(value));
    };
    const auto of = [&](const auto& value) { return score ? std::optional<double>(value(*score)) : std::nullopt; };
    const bool compared = score && vanilla && !isVanilla(policy.method);
    add("load_rate", of([](const PackingScore& s) { return 100 * sampleMean(s.values).mean; }));
    add("stderr", score ? sampleMean(inPercent(score->values)).standardError : std::nullopt);
    add("volume_order", 100 * sampleMean(set.byVolume).mean);
    add("random_order", 100 * sampleMean(set.random).mean);
    add("above_volume", of([&](const PackingScore& s) { return pointsAbove(s.values, set.byVolume); }));
    add("p_volume", score ? pairedTTest(score->values, set.byVolume) : std::nullopt);
    add("above_random", of([&](const PackingScore& s) { return pointsAbove(s.values, set.random); }));
    add("p_random", score ? pairedTTest(score->values, set.random) : std::nullopt);
    add("change", compared ? std::optional(pointsAbove(score->values, vanilla->values)) : std::nullopt);
    add("p", compared ? pairedTTest(score->values, vanilla->values) : std::nullopt);
    add("entropy_encoder", of([](const PackingScore& s) { return meanOfLayers(s.encoder.entropies); }));
    add("entropy_decoder", of([](const PackingScore& s) { return sampleMean(s.decoderEntropies).mean; }));
    cells.emplace_back("instances", static_cast<std::int64_t>(set.instances.size()));
    return cells;
}

std::vector<LabCells> meansOverBins(const std::vector<LabRow>& rows, std::int64_t n)
{
    std::vector<std::vector<const LabRow*>> policies;  // in the order in which they were tested
    for (const LabRow& row : rows) {
        if (row.table != qualityTable || row.number("n") != static_cast<double>(n))
            continue;
        const auto found = std::ranges::find_if(
            policies, [&](const auto& bins) { return *bins.front()->find("policy") == *row.find("policy"); });
        (found == policies.end() ? policies.emplace_back() : *found).push_back(&row);
    }
    std::vector<LabCells> means;
    for (const auto& bins : policies) {
        LabCells cells;
        for (const char* column : {"seed", "n", "n_over_train", "method", "where", "policy"})
            cells.emplace_back(column, *bins.front()->find(column));
        cells.emplace_back("bins", std::ssize(bins));
        for (const char* column : {"load_rate", "volume_order", "random_order", "above_volume", "above_random",
                                   "change", "entropy_encoder", "entropy_decoder"}) {
            double sum = 0;
            for (const LabRow* row : bins)
                sum += row->number(column);
            cells.emplace_back(column, present(sum / static_cast<double>(bins.size())));
        }
        means.push_back(std::move(cells));
    }
    return means;
}

LabPackings inPanels(std::string id, std::string title, const Bin& bin, const std::vector<NamedPacking>& packings)
{
    LabPackings shown{std::move(id), std::move(title), bin.length, bin.width, {}};
    for (const NamedPacking& one : packings) {
        shown.panels.push_back({one.title, {}});
        for (const PlacedBox& placed : one.packing)
            shown.panels.back().boxes.push_back({placed.box, placed.at, placed.sides});
    }
    return shown;
}

}  // namespace attnscope
