#include "core/labs/routing_experiment.h"

#include "core/labs/policy_experiment.h"
#include "core/labs/routing_baselines.h"
#include "core/labs/routing_evaluation.h"
#include "core/labs/routing_instances.h"
#include "core/labs/routing_networks.h"
#include "core/labs/routing_trainer.h"

#include <map>

namespace attnscope {

namespace {

/// Tours of cities, or of vehicles with a capacity.
class RoutingTask {
public:
    using Instance = RoutingInstance;
    using Set = RoutingSet;
    using Solution = Tour;
    using Score = RoutingScore;
    using Model = AttentionModel;
    using Trainer = RoutingTrainer;
    using Shelf = RoutingShelf;
    using Panel = NamedTour;
    using Test = PolicyTest<RoutingSet>;

    static constexpr const char* form = "METHODS | WHERE | MODEL | INSTANCES";
    static constexpr const char* network = "Attention Model";
    static constexpr const char* unknownLength = "how many cities it was trained with; set length, 100 for the models published as tsp100 and cvrp100";
    static constexpr std::string_view choicesOfTests[] = {"sets", "most", "seed", "capacity", "whole_demands"};
    static constexpr std::string_view choicesOfShipped[] = {"length", "vehicles"};
    static std::vector<std::string> measures() { return {"length", "shortest"}; }
    static std::vector<std::string> seedKeys() { return {"task", "n", "n_over_train", "method", "where"}; }
    static std::vector<std::string> seedColumns() { return {"length", "gap_improved", "gap_nearest", "change", "entropy_encoder", "entropy_decoder"}; }

    RoutingTask(const Parameters& parameters, const std::vector<std::string>& files) : m_parameters(parameters), m_instances(files.back()), m_depot(parameters.on("vehicles")) {}

    Result<void> checkTraining() const
    {
        // what the choices of an instance's tours leave for the way back: a weight a head, choice and node
        const double nodes = static_cast<double>(learnedLength() + 1), choices = nodes * m_parameters["tours"] * (m_depot ? 2 : 1);
        if (const double bytes = sizeof(float) * choices * (nodes * (m_parameters["heads"] + 2) + 2 * m_parameters["width"]); bytes > mostBytesOfInstance)
            return failure(ErrorKind::InvalidArgument, "the tours of one instance would take " + formatNumber(bytes / 1e9, 3) + " GB of memory; set a smaller length, or fewer tours");
        return checkCapacity(learnedLength());
    }

    RoutingSettings settings(std::int64_t seed) const
    {
        const std::int64_t length = learnedLength();
        RoutingSettings settings{.shape = {.layers = whole("layers"), .width = whole("width"), .inner = whole("inner"), .heads = whole("heads"), .depot = m_depot}, .draw = drawOf(length, length),
                                 .learning = {.batch = whole("batch"), .solutions = whole("tours"), .steps = whole("steps"), .warmup = whole("warmup"), .rate = m_parameters["rate"], .clip = m_parameters["clip"]}};
        settings.draw.seed = static_cast<std::uint64_t>(seed);
        return settings;
    }
    static std::string name(const RoutingSettings& settings) { return (settings.shape.depot ? "cvrp" : "tsp") + std::to_string(settings.draw.size); }
    static std::vector<double> measured(const DrawnCosts& lengths) { return {lengths.mean, lengths.least}; }

    static Result<AttentionModel> open(const std::string& path) { return openAttentionModel(path); }
    Result<AttentionModel> shipped(std::int64_t) const { return shippedRouting(m_depot, learnedLength()); }

    Result<std::int64_t> prepare(const AttentionModel& model)
    {
        m_depot = model.hasDepot;
        if (m_instances.empty())
            return 0;
        return readInstances(m_instances, m_depot).map([&](std::map<std::int64_t, std::vector<RoutingInstance>> read) {
            m_read = std::move(read);
            return m_read.begin()->first;
        });
    }

    Result<std::vector<Test>> tests(std::int64_t trainLength) const
    {
        if (m_read.empty())
            return drawn(trainLength, whole("most"), whole("sets"));
        std::vector<Test> all;
        for (const auto& sized : m_read)
            all.push_back(testOf(sized.first, std::ssize(sized.second), [&instances = sized.second](std::int64_t number) { return instances[static_cast<std::size_t>(number)]; }));
        return all;
    }

    Result<std::vector<Test>> drawn(std::int64_t trainLength, std::int64_t most, std::int64_t sets) const
    {
        TRY(checkCapacity(trainLength));
        std::vector<Test> all;
        for (std::int64_t times = 1; times <= most; times *= 2)
            all.push_back(testOf(times * trainLength, instancesAt(times, sets), [draw = drawOf(times * trainLength, trainLength)](std::int64_t number) { return drawInstance(draw, number); }));
        return all;
    }

    static Result<std::optional<RoutingScore>> score(const AttentionModel& model, const RoutingSet& set, const ScalePolicy& policy, std::stop_token stop) { return scoreRouting(model, set, policy, std::move(stop)); }
    static std::vector<LabCells> summaries(const std::vector<LabRow>&, std::int64_t) { return {}; }

    RoutingInstance shown(const RoutingSettings& learning) const { return drawInstance(drawOf(learning.draw.size, learning.draw.size), 0); }
    static Result<Tour> solve(const AttentionModel& model, const RoutingInstance& instance, std::stop_token stop)
    {
        return runRouting(model, std::span(&instance, 1), {.policy = {}, .stop = std::move(stop)}).map([](const Solved<Tour>& run) { return run.solutions.front().front(); });
    }
    static NamedTour panel(const RoutingInstance& instance, const std::string& what, Tour tour) { return {what + ", " + formatNumber(lengthOf(instance, tour), 4), std::move(tour)}; }
    static NamedTour reference(const RoutingInstance& instance) { return panel(instance, "2-opt with Or-opt", improved(instance, nearestNeighbour(instance))); }
    static std::vector<NamedTour> opening(const RoutingInstance&) { return {}; }
    static void send(LabReporter& report, std::string id, std::string title, const RoutingInstance& instance, const std::vector<NamedTour>& panels)
    {
        report.tours(sideBySide(std::move(id), std::move(title), instance, panels));
    }

private:
    static constexpr std::int64_t usualLength = 20;
    static constexpr double mostBytesOfInstance = 4e9;

    std::int64_t whole(const char* id) const { return static_cast<std::int64_t>(m_parameters[id]); }
    std::int64_t learnedLength() const { return whole("length") > 0 ? whole("length") : usualLength; }
    double capacity(std::int64_t length) const { return m_parameters["capacity"] > 0 ? m_parameters["capacity"] : usualCapacity(length); }

    Result<void> checkCapacity(std::int64_t length) const
    {
        if (m_depot && capacity(length) < (m_parameters.on("whole_demands") ? 9 : 1))
            return failure(ErrorKind::InvalidArgument, "a vehicle must be able to carry the largest demand: set capacity to 9 or more for whole demands, to 1 or more for uniform ones");
        return {};
    }

    RoutingDraw drawOf(std::int64_t size, std::int64_t trainLength) const
    {
        return {.depot = m_depot, .size = size, .capacity = capacity(trainLength), .wholeDemands = m_parameters.on("whole_demands"), .seed = static_cast<std::uint64_t>(whole("seed"))};
    }

    static Test testOf(std::int64_t n, std::int64_t count, std::function<RoutingInstance(std::int64_t)> instance)
    {
        return {n, "n" + std::to_string(n), "n = " + std::to_string(n), static_cast<double>(n) * static_cast<double>(n + 200) * static_cast<double>(count), [count, instance = std::move(instance)](std::stop_token stop) {
                    std::vector<RoutingInstance> instances;
                    for (std::int64_t number = 0; number < count; ++number)
                        instances.push_back(instance(number));
                    return makeRoutingSet(std::move(instances), std::move(stop));
                }};
    }

    const Parameters& m_parameters;
    const std::string& m_instances;                                 ///< a file of them; empty: they are drawn
    bool m_depot;
    std::map<std::int64_t, std::vector<RoutingInstance>> m_read;    ///< by size
};

}  // namespace

Result<LabResult> runRoutingLab(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress)
{
    return runPolicyLab<RoutingTask>(run, lab, std::move(stop), progress);
}

}  // namespace attnscope
