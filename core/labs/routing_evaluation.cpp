#include "core/labs/routing_evaluation.h"

#include "core/base/parallel.h"
#include "core/labs/lab_support.h"
#include "core/labs/routing_baselines.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/samples.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

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

LabCells commonCells(const RoutingSet& set, const RoutingPolicy& policy, const RoutingSeed& seed)
{
    const RoutingInstance& first = set.instances.front();
    return {{"seed", seed.number ? LabValue(*seed.number) : LabValue()}, {"task", std::string(first.hasDepot() ? "cvrp" : "tsp")}, {"n", static_cast<std::int64_t>(first.size())}, {"n_over_train", static_cast<double>(first.size()) / policy.trainLength},
            {"method", formatChoice(policy.method)}, {"where", policy.method.id == "vanilla" ? LabValue() : LabValue(whereOf(policy))}, {"policy", labelOf(policy, seed)}};
}

/// The edges of the closed tour, each from its smaller node to its larger.
std::vector<std::pair<int, int>> edgesOf(const RoutingInstance& instance, const Tour& tour)
{
    std::vector<std::pair<int, int>> edges;
    int last = tour.empty() || instance.hasDepot() ? 0 : tour.back();
    for (const int node : tour) {
        edges.emplace_back(std::minmax(last, node));
        last = node;
    }
    if (instance.hasDepot())
        edges.emplace_back(0, last);
    return edges;
}

}  // namespace

Result<RoutingText> parseRoutingText(const std::string& text)
{
    std::vector<std::string> parts = partsOf(text, '|');
    if (parts.size() > 4)
        return failure(ErrorKind::InvalidArgument, "'" + text + "' has more than four parts; write METHODS | WHERE | MODEL | INSTANCES");
    parts.resize(4);
    auto methods = choicesOf(parts[0], scaleMethods(), "scale method");
    if (!methods)
        return tl::unexpected(methods.error());
    RoutingText read{std::move(*methods), {}, parts[2], parts[3]};
    for (const std::string& where : partsOf(parts[1], ';')) {
        if (where.empty())
            continue;
        if (where != "encoder" && where != "decoder" && where != "both")
            return failure(ErrorKind::UnknownName, "a scale acts in 'encoder', 'decoder' or 'both', not in '" + where + "'");
        read.where.push_back(where);
    }
    if (read.where.empty())
        read.where = {"both"};
    if (read.methods.empty())
        return failure(ErrorKind::InvalidArgument, "name at least one scale method to test, like \"vanilla; infoscale | encoder; both\"");
    return read;
}

std::string whereOf(const RoutingPolicy& policy) { return !policy.decoder ? "encoder" : policy.encoder ? "both" : "decoder"; }

double meanOfLayers(const std::vector<std::vector<double>>& entropies)
{
    double sum = 0;
    for (const std::vector<double>& layer : entropies)
        sum += sampleMean(layer).mean;
    return sum / static_cast<double>(entropies.size());
}

std::string labelOf(const RoutingPolicy& policy, const RoutingSeed& seed)
{
    return formatChoice(policy.method) + (policy.method.id == "vanilla" ? "" : ", " + whereOf(policy)) + (seed.ofSeveral ? ", seed " + std::to_string(seed.number.value_or(0)) : "");
}

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
        set.improved[i] = lengthOf(set.instances[i], improved(set.instances[i], tour));
    });
    if (stop.stop_requested())
        return failure(ErrorKind::Cancelled, "stopped");
    return set;
}

Result<std::optional<RoutingScore>> scoreRouting(const AttentionModel& model, const RoutingSet& set, const RoutingPolicy& policy, std::stop_token stop)
{
    RoutingScore score;
    const std::span<const RoutingInstance> all = set.instances;
    const auto atOnce = static_cast<std::size_t>(std::max<std::int64_t>(1, nodesAtOnce / all.front().nodes()));
    const auto add = [&](std::vector<double>& sum, const std::vector<double>& part, double share) {
        sum.resize(part.size(), 0.0);
        for (std::size_t i = 0; i < part.size(); ++i)
            sum[i] += share * part[i];
    };
    for (std::size_t first = 0; first < all.size(); first += atOnce) {
        const auto batch = all.subspan(first, std::min(atOnce, all.size() - first));
        const auto run = runRouting(model, batch, {.policy = policy, .entropies = true, .stop = stop});
        if (!run && run.error().kind == ErrorKind::Undefined)
            return std::optional<RoutingScore>();
        if (!run)
            return tl::unexpected(run.error());
        const double share = static_cast<double>(batch.size()) / static_cast<double>(all.size());
        score.encoderEntropies.resize(run->encoderEntropies.size());
        for (std::size_t layer = 0; layer < score.encoderEntropies.size(); ++layer)
            add(score.encoderEntropies[layer], run->encoderEntropies[layer], share);
        add(score.decoderEntropies, run->decoderEntropies, share);
        for (std::size_t i = 0; i < batch.size(); ++i) {
            score.tours.push_back(run->tours[i].front());
            score.lengths.push_back(lengthOf(batch[i], score.tours.back()));
        }
    }
    return std::optional(std::move(score));
}

LabCells qualityCells(const RoutingSet& set, const RoutingPolicy& policy, const std::optional<RoutingScore>& score, const RoutingScore* vanilla, const RoutingSeed& seed)
{
    LabCells cells = commonCells(set, policy, seed);
    const auto add = [&](const char* column, std::optional<double> value) { cells.emplace_back(column, present(value)); };
    const auto of = [&](const auto& value) { return score ? std::optional<double>(value(*score)) : std::nullopt; };
    const bool compared = score && vanilla && policy.method.id != "vanilla";
    add("length", of([](const RoutingScore& s) { return sampleMean(s.lengths).mean; }));
    add("stderr", score ? sampleMean(score->lengths).standardError : std::nullopt);
    add("gap_improved", of([&](const RoutingScore& s) { return gapTo(s.lengths, set.improved); }));
    add("gap_nearest", of([&](const RoutingScore& s) { return gapTo(s.lengths, set.nearest); }));
    add("change", compared ? std::optional(gapTo(score->lengths, vanilla->lengths)) : std::nullopt);
    add("p", compared ? pairedTTest(score->lengths, vanilla->lengths) : std::nullopt);
    add("entropy_encoder", of([](const RoutingScore& s) { return meanOfLayers(s.encoderEntropies); }));
    add("entropy_decoder", of([](const RoutingScore& s) { return sampleMean(s.decoderEntropies).mean; }));
    cells.emplace_back("instances", static_cast<std::int64_t>(set.instances.size()));
    return cells;
}

std::vector<LabCells> headCells(const RoutingSet& set, const RoutingPolicy& policy, const RoutingScore& score, const RoutingSeed& seed)
{
    std::vector<LabCells> rows;
    const auto add = [&](const std::string& layer, const std::vector<double>& entropies) {
        for (std::size_t head = 0; head < entropies.size(); ++head) {
            LabCells cells = commonCells(set, policy, seed);
            cells.emplace_back("layer", layer);
            cells.emplace_back("head", static_cast<std::int64_t>(head));
            cells.emplace_back("entropy", entropies[head]);
            rows.push_back(std::move(cells));
        }
    };
    for (std::size_t layer = 0; layer < score.encoderEntropies.size(); ++layer)
        add("encoder " + std::to_string(layer), score.encoderEntropies[layer]);
    add("decoder", score.decoderEntropies);
    return rows;
}

std::vector<LabCells> routingSeedCells(const std::vector<LabRow>& rows)
{
    struct Across {
        const LabRow* first;
        std::map<std::string, std::vector<double>> numbers;
    };
    constexpr const char* kept[] = {"task", "n", "n_over_train", "method", "where"};
    std::vector<Across> all;
    for (const LabRow& row : rows) {
        if (row.table != "quality" || std::isnan(row.number("length")))
            continue;
        auto found = std::ranges::find_if(all, [&](const Across& a) { return std::ranges::all_of(kept, [&](const char* column) { return *a.first->find(column) == *row.find(column); }); });
        if (found == all.end())
            found = all.insert(all.end(), {&row, {}});
        for (const char* column : {"length", "gap_improved", "gap_nearest", "change", "entropy_encoder", "entropy_decoder"})
            found->numbers[column].push_back(row.number(column));
    }
    std::vector<LabCells> means;
    for (const Across& each : all) {
        LabCells cells;
        for (const char* column : kept)
            cells.emplace_back(column, *each.first->find(column));
        const std::vector<double>& changes = each.numbers.at("change");
        cells.emplace_back("networks", std::ssize(changes));
        for (const auto& [column, numbers] : each.numbers)
            cells.emplace_back(column, present(sampleMean(numbers).mean));
        const bool compared = !std::isnan(changes.front());
        cells.emplace_back("stderr", present(sampleMean(each.numbers.at("length")).standardError));
        cells.emplace_back("p", present(compared ? pairedTTest(changes, std::vector<double>(changes.size(), 0.0)) : std::nullopt));
        means.push_back(std::move(cells));
    }
    return means;
}

LabTours sideBySide(std::string id, std::string title, const RoutingInstance& instance, const std::vector<NamedTour>& tours)
{
    LabTours shown{std::move(id), std::move(title), {}, instance.hasDepot(), {}};
    const float low = std::min(0.0f, instance.places.minCoeff()), high = std::max(1.0f, instance.places.maxCoeff());
    for (Index node = 0; node < instance.nodes(); ++node)
        shown.places.push_back({(instance.places(node, 0) - low) / (high - low), (instance.places(node, 1) - low) / (high - low)});
    std::vector<std::vector<std::pair<int, int>>> edges;
    std::set<std::pair<int, int>> first, others;
    for (std::size_t i = 0; i < tours.size(); ++i) {
        edges.push_back(edgesOf(instance, tours[i].tour));
        (i == 0 ? first : others).insert(edges.back().begin(), edges.back().end());
    }
    for (std::size_t i = 0; i < tours.size(); ++i) {
        shown.panels.push_back({tours[i].title, {}});
        for (const auto& edge : edges[i])
            shown.panels.back().edges.push_back({edge.first, edge.second, tours.size() > 1 && !(i == 0 ? others : first).contains(edge)});
    }
    return shown;
}

}  // namespace attnscope
