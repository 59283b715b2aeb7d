// The lab `routing`: trains an Attention Model, takes the one that comes with the program or opens another, and
// measures its greedy tours at up to 16 times the length trained at, under scale methods in its encoder, its decoder or
// both.

#include "core/base/parameter.h"
#include "core/labs/lab_charts.h"
#include "core/labs/lab_parameters.h"
#include "core/labs/policies/policy_experiment.h"
#include "core/labs/policies/policy_networks.h"
#include "core/labs/policies/policy_task.h"
#include "core/labs/routing/routing_baselines.h"
#include "core/labs/routing/routing_evaluation.h"
#include "core/labs/routing/routing_instances.h"
#include "core/labs/routing/routing_trainer.h"

#include <map>

namespace attnscope {

namespace {

/// Tours of cities, or of vehicles with a capacity.
class RoutingTask : PolicyTask {
public:
    using Instance = RoutingInstance;
    using Set = RoutingSet;
    using Solution = Tour;
    using Score = RoutingScore;
    using Model = AttentionModel;
    using Trainer = RoutingTrainer;
    using Store = RoutingStore;
    using Panel = NamedTour;
    using Test = PolicyTest<RoutingSet>;

    static constexpr const char* form = "METHODS | WHERE | MODEL | INSTANCES";
    static constexpr const char* network = "Attention Model";
    static constexpr const char* unknownLength =
        "how many cities it was trained with; set length, 100 for the models published as tsp100 and cvrp100";
    static constexpr std::string_view choicesOfTests[] = {"sets", "most", "seed", "capacity", "whole_demands"};
    static constexpr std::string_view choicesOfShipped[] = {"length", "vehicles"};
    static std::vector<std::string> measures() { return {"length", "shortest"}; }
    static std::vector<std::string> seedKeys() { return {"task", "n", "n_over_train", "method", "where"}; }
    static std::vector<std::string> seedColumns()
    {
        return {"length", "gap_improved", "gap_nearest", "change", "entropy_encoder", "entropy_decoder"};
    }

    RoutingTask(const Parameters& parameters, const std::vector<std::string>& files)
        : PolicyTask(parameters), m_instances(files.back()), m_depot(parameters.on("vehicles"))
    {
    }

    Result<void> checkTraining() const
    {
        TRY(checkGrowth());
        // what the choices of an instance's tours leave for the way back: a weight a head, choice and node
        const double nodes = static_cast<double>(learnedLength() + 1),
                     choices = nodes * m_parameters["tours"] * (m_depot ? 2 : 1);
        TRY(checkMemory(choices * (nodes * (m_parameters["heads"] + 2) + 2 * m_parameters["width"]), "tours"));
        return checkCapacity(learnedLength());
    }

    /// A network that learns does so on drawn instances.
    bool setByFile(std::string_view id, bool trains) const
    {
        return !m_instances.empty() &&
               (id == "sets" || (!trains && (id == "most" || id == "capacity" || id == "whole_demands")));
    }

    RoutingSettings settings(std::int64_t seed) const
    {
        const std::int64_t length = learnedLength();
        RoutingSettings settings{.shape = {.encoder = encoderShape(), .depot = m_depot},
                                 .draw = drawOf(length, length),
                                 .learning = learning("tours")};
        settings.draw.seed = static_cast<std::uint64_t>(seed);
        return settings;
    }
    static std::string name(const RoutingSettings& settings)
    {
        return (settings.shape.depot ? "cvrp" : "tsp") + std::to_string(settings.draw.size);
    }
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
            all.push_back(testOf(sized.second, std::ssize(sized.second)));
        return all;
    }

    /// On those of the file where it has any of N: at N the method is then the identity, however far apart they lie.
    Result<std::vector<Test>> measuredOn(std::int64_t trainLength, std::int64_t sets) const
    {
        const auto ofN = m_read.find(trainLength);
        if (ofN == m_read.end())
            return drawn(trainLength, 1, sets);
        return std::vector{testOf(ofN->second, std::min(std::ssize(ofN->second), sets))};
    }
    std::string measuredElsewhere(std::int64_t trainLength) const
    {
        return m_read.empty() || m_read.contains(trainLength)
                   ? std::string()
                   : fmt::format(
                         "{} has no instances of N = {}: entropy_measured holds the entropies of instances drawn "
                         "in the unit square",
                         m_instances, trainLength);
    }

    Result<std::vector<Test>> drawn(std::int64_t trainLength, std::int64_t most, std::int64_t sets) const
    {
        TRY(checkCapacity(trainLength));
        std::vector<Test> all;
        for (std::int64_t times = 1; times <= most; times *= 2)
            all.push_back(testOf(times * trainLength, instancesAt(times, sets),
                                 [draw = drawOf(times * trainLength, trainLength)](std::int64_t number) {
                                     return drawInstance(draw, number);
                                 }));
        return all;
    }

    static Result<std::optional<RoutingScore>> score(const AttentionModel& model, const RoutingSet& set,
                                                     const ScalePolicy& policy, std::stop_token stop)
    {
        return scoreRouting(model, set, policy, std::move(stop));
    }
    static std::vector<LabCells> summaries(const std::vector<LabRow>&, std::int64_t) { return {}; }

    RoutingInstance shown(const RoutingSettings& learning) const
    {
        return drawInstance(drawOf(learning.draw.size, learning.draw.size), 0);
    }
    static Result<Tour> solve(const AttentionModel& model, const RoutingInstance& instance, std::stop_token stop)
    {
        return runRouting(model, std::span(&instance, 1), {.policy = {}, .stop = std::move(stop)})
            .map([](const Solved<Tour>& run) { return run.solutions.front().front(); });
    }
    static NamedTour panel(const RoutingInstance& instance, const std::string& what, Tour tour)
    {
        return {what + ", " + tourLength(lengthOf(instance, tour)), std::move(tour)};
    }
    static NamedTour reference(const RoutingInstance& instance)
    {
        return panel(instance, "2-opt with Or-opt", improved(instance, nearestNeighbour(instance)));
    }
    static std::vector<NamedTour> opening(const RoutingInstance&) { return {}; }
    static void send(LabReporter& report, std::string id, std::string title, const RoutingInstance& instance,
                     const std::vector<NamedTour>& panels)
    {
        report.tours(sideBySide(std::move(id), std::move(title), instance, panels));
    }

private:
    double capacity(std::int64_t length) const
    {
        return m_parameters["capacity"] > 0 ? m_parameters["capacity"] : usualCapacity(length);
    }

    Result<void> checkCapacity(std::int64_t length) const
    {
        if (m_depot && capacity(length) < (m_parameters.on("whole_demands") ? 9 : 1))
            return failure(ErrorKind::InvalidArgument,
                           "a vehicle must be able to carry the largest demand: set capacity to 9 or more for whole "
                           "demands, to 1 or more for uniform ones");
        return {};
    }

    RoutingDraw drawOf(std::int64_t size, std::int64_t trainLength) const
    {
        return {.depot = m_depot,
                .size = size,
                .capacity = capacity(trainLength),
                .wholeDemands = m_parameters.on("whole_demands"),
                .seed = seed()};
    }

    static Test testOf(const std::vector<RoutingInstance>& instances, std::int64_t count)
    {
        return testOf(instances.front().size(), count,
                      [&instances](std::int64_t number) { return instances[static_cast<std::size_t>(number)]; });
    }

    static Test testOf(std::int64_t n, std::int64_t count, std::function<RoutingInstance(std::int64_t)> instance)
    {
        return {n, "n" + std::to_string(n), fmt::format("n = {}", n),
                static_cast<double>(n) * static_cast<double>(n + 200) * static_cast<double>(count),
                [count, instance = std::move(instance)](std::stop_token stop) {
                    std::vector<RoutingInstance> instances;
                    for (std::int64_t number = 0; number < count; ++number)
                        instances.push_back(instance(number));
                    return makeRoutingSet(std::move(instances), std::move(stop));
                }};
    }

    const std::string& m_instances;  ///< a file of them; empty: they are drawn
    bool m_depot;
    std::map<std::int64_t, std::vector<RoutingInstance>> m_read;  ///< by size
};

std::vector<Parameter> routingParameters()
{
    return policyParameters(
        {.first = {toggle("vehicles", "vehicles", false,
                          "Trains on vehicles with a capacity (CVRP), or takes the network for them that comes with "
                          "the program; off: tours of cities (TSP). A model's file says it itself."),
                   whole("steps", "training steps", 4000, 0, 1e7,
                         "Each of a batch of instances; some ten minutes on two cores. 0: no training but the networks "
                         "that come with the program."),
                   whole("length", "training length", 0, 0, 1e5,
                         "N, cities or customers; 0: 20 in training, and of a model what its file says, or where it "
                         "says nothing the smallest of the instances' file.")},
         .solutions = whole("tours", "tours of each", 20, 2, 1024,
                            "Drawn from the network; the baseline of REINFORCE is their mean length. Tours of cities "
                            "start at cities of their own."),
         .sets = whole("sets", "instances tested", 32, 1, 10000,
                       "Of N cities; half as many of 2 N and so on, at least 8. Every policy sees the same."),
         .last = {whole("seed", "seed", 1, 0, 1e12,
                        "Instances, the weights at the start and the tours drawn are functions of it."),
                  real("capacity", "capacity", 0, 0, 1e6,
                       "CVRP: what a vehicle carries. 0: as Kool et al. have it, 20 up to N = 10, 30 up to 20, 40 up "
                       "to 50, else 50."),
                  toggle("whole_demands", "whole demands", true,
                         "CVRP: customers demand 1 to 9, as Kool et al. draw them; off: uniform in 0 to 1, as in EIE, "
                         "whose capacities are 10, 15 and 20.")}});
}

std::vector<LabChart> routingCharts()
{
    const std::string nodes = "Cities or customers, $n$", longer = "Longer by (%)";
    std::vector<LabChart> charts{
        drawnInTraining("Tours drawn in training", "Length", "length", "shortest", "shortest of each instance"),
        againstLength("length", "Tours beside 2-opt with Or-opt", nodes, longer, "gap_improved")};
    addPolicyCharts(charts, nodes, longer, qualityTable);
    return charts;
}

}  // namespace

Lab routingLab()
{
    return {{"routing",
             "Routing",
             "n nodes \u2192 a tour",
             "Kool et al. 2019; EIE, tables 2 and 3",
             "An Attention Model learns by REINFORCE to route among N cities or customers and then makes greedy tours "
             "at up to 16 N, under any scale method in its encoder, its decoder's glimpse or both; beside the nearest "
             "neighbour and 2-opt with Or-opt. Trains one, takes one that comes with the program, or opens yours.",
             routingParameters(),
             {{"the shipped network", "routing:steps=0", "20 cities"},
              {"the shipped network of 50 cities", "routing:length=50,steps=0", "tested with 50 to 800"},
              {"train on 20 cities", "routing", "ten minutes on two cores"},
              {"train one quickly", "routing:steps=1200,width=64,inner=128,heads=4,rate=0.0005,sets=16,most=8",
               "a smaller network, a minute"},
              {"the shipped network for vehicles", "routing:vehicles=1,steps=0", "20 customers, capacity 30"},
              {"the shipped network of 50 customers", "routing:vehicles=1,length=50,steps=0", "capacity 40"},
              {"train on vehicles", "routing:vehicles=1,steps=2000", "five minutes on two cores"}},
             "METHODS | WHERE | MODEL | INSTANCES: scale methods, and where each acts (encoder, decoder, both, or one "
             "layer of the encoder, layer 1), with semicolons between them; an Attention Model's file, none to train; "
             "a file of instances in place of drawn ones",
             "vanilla; softmax_plus; infoscale; entropy_exact | encoder; decoder; both | |"},
            qualityTable,
            "methods",
            routingCharts(),
            runPolicyLab<RoutingTask>,
            {methodsPart(), wherePart(), {"model"}, {"instances"}},
            true};
}

}  // namespace attnscope
