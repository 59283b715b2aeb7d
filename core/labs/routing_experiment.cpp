#include "core/labs/routing_experiment.h"

#include "core/labs/lab_rows.h"
#include "core/labs/routing_baselines.h"
#include "core/labs/routing_evaluation.h"
#include "core/labs/routing_instances.h"
#include "core/labs/routing_networks.h"
#include "core/labs/training_loop.h"

#include <algorithm>
#include <map>

namespace attnscope {

namespace {

using Now = std::chrono::steady_clock;

constexpr std::ptrdiff_t toursShown = 4;           // side by side
constexpr std::int64_t rowsOfTrainingCurve = 200, usualLength = 20;
constexpr double mostBytesOfInstance = 4e9;
constexpr double trainingPart = 0.8;               // of the run's progress
constexpr std::int64_t instancesOfGlance = 8, longestGlance = 4;  // while it learns; in training lengths
constexpr double glancesPart = 0.05;               // of the time, at most
constexpr std::string_view choicesOfRoutingTests[] = {"steps", "length", "networks", "vehicles", "sets", "most", "seed", "capacity", "whole_demands"};

class RoutingExperiment {
public:
    RoutingExperiment(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress)
        : m_run(run), m_lab(lab), m_parameters(lab, run.choice), m_stop(std::move(stop)), m_report(progress, "preparing")
    {
    }

    Result<LabResult> operator()()
    {
        auto text = parsePolicyText(m_parameters.text(), "METHODS | WHERE | MODEL | INSTANCES");
        if (!text)
            return tl::unexpected(text.error());
        m_text = std::move(*text);
        for (Result<void> (RoutingExperiment::*part)() : {&RoutingExperiment::check, &RoutingExperiment::obtain, &RoutingExperiment::obtainInstances, &RoutingExperiment::test})
            if (const Result<void> done = (this->*part)(); !done)
                return tl::unexpected(done.error());
        if (m_networks.size() > 1)
            for (LabCells& cells : seedCells(m_report.rows(), {"task", "n", "n_over_train", "method", "where"}, {"length", "gap_improved", "gap_nearest", "change", "entropy_encoder", "entropy_decoder"}))
                m_report.row("seeds", std::move(cells));
        m_report.send(1);
        return LabResult{inOrder(m_report.rows(), m_lab.main), m_files};
    }

private:
    struct Network {
        std::optional<std::int64_t> seed;  ///< none: of a file
        AttentionModel model;
    };

    std::int64_t whole(const char* id) const { return static_cast<std::int64_t>(m_parameters[id]); }
    bool opens() const { return !m_text.files[0].empty(); }
    bool trains() const { return !opens() && whole("steps") > 0; }
    std::int64_t learnedLength() const { return whole("length") > 0 ? whole("length") : usualLength; }
    double afterTraining() const { return trains() ? trainingPart : 0; }
    bool depot() const { return m_networks.empty() ? m_parameters.on("vehicles") : m_networks.front().model.hasDepot; }
    double capacity(std::int64_t length) const { return m_parameters["capacity"] > 0 ? m_parameters["capacity"] : usualCapacity(length); }

    Result<void> check()
    {
        if (whole("width") % whole("heads") != 0)
            return failure(ErrorKind::InvalidArgument, "heads must divide width");
        if (trains())
            return checkTraining();
        if (m_run.resume && holdsCheckpoint(m_run.folder))
            return failure(ErrorKind::InvalidArgument, m_run.folder + " holds a training, and there is none to resume with a model that is trained already; give the parameters of that run, or another folder");
        const auto needless = [&](const std::string& id) { return checkNeedless(m_lab, m_parameters, id); };  // a choice that would have no effect, and nobody be told
        for (const Parameter& parameter : m_lab.parameters)
            if (std::ranges::find(choicesOfRoutingTests, parameter.id) == std::end(choicesOfRoutingTests))
                if (const Result<void> good = needless(parameter.id); !good)
                    return good;
        for (const char* id : {"networks", "vehicles"})
            if (const Result<void> good = opens() ? needless(id) : Result<void>(); !good)
                return good;
        return opens() ? Result<void>() : needless("length");
    }

    Result<void> checkTraining() const
    {
        if (whole("length") == 1)
            return failure(ErrorKind::InvalidArgument, "set length to 2 or more: a tour of one has no choices to learn");
        // what the choices of an instance's tours leave for the way back: a weight a head, choice and node
        const double nodes = static_cast<double>(learnedLength() + 1), choices = nodes * m_parameters["tours"] * (m_parameters.on("vehicles") ? 2 : 1);
        if (const double bytes = sizeof(float) * choices * (nodes * (m_parameters["heads"] + 2) + 2 * m_parameters["width"]); bytes > mostBytesOfInstance)
            return failure(ErrorKind::InvalidArgument, "the tours of one instance would take " + formatNumber(bytes / 1e9, 3) + " GB of memory; set a smaller length, or fewer tours");
        return checkCapacity(m_parameters.on("vehicles"), learnedLength());
    }

    Result<void> checkCapacity(bool hasDepot, std::int64_t length) const
    {
        if (hasDepot && capacity(length) < (m_parameters.on("whole_demands") ? 9 : 1))
            return failure(ErrorKind::InvalidArgument, "a vehicle must be able to carry the largest demand: set capacity to 9 or more for whole demands, to 1 or more for uniform ones");
        return {};
    }

    Result<void> obtain()
    {
        if (opens())
            return openAttentionModel(m_text.files[0]).map([&](AttentionModel model) { m_networks.push_back({{}, std::move(model)}); });
        const std::int64_t networks = whole("networks");
        for (std::int64_t network = 0; network < networks; ++network) {
            if (!trains()) {
                auto model = shippedRouting(m_parameters.on("vehicles"), network + 1);
                if (!model)
                    return tl::unexpected(model.error());
                m_networks.push_back({network + 1, std::move(*model)});
                continue;
            }
            m_report.stage(networks == 1 ? "training" : "training network " + std::to_string(network + 1) + " of " + std::to_string(networks));
            const double share = trainingPart / static_cast<double>(networks);
            if (const Result<void> trained = train(whole("seed") + network, share * static_cast<double>(network), share); !trained)
                return trained;
        }
        return {};
    }

    RoutingDraw drawOf(bool hasDepot, std::int64_t size, std::int64_t trainLength) const
    {
        return {.depot = hasDepot, .size = size, .capacity = capacity(trainLength), .wholeDemands = m_parameters.on("whole_demands"), .seed = static_cast<std::uint64_t>(whole("seed"))};
    }

    RoutingSettings settingsOf(std::int64_t seed) const
    {
        const bool hasDepot = m_parameters.on("vehicles");
        const std::int64_t length = learnedLength();
        RoutingSettings settings{.shape = {.layers = whole("layers"), .width = whole("width"), .inner = whole("inner"), .heads = whole("heads"), .depot = hasDepot}, .draw = drawOf(hasDepot, length, length),
                                 .batch = whole("batch"), .tours = whole("tours"), .steps = whole("steps"), .warmup = whole("warmup"), .rate = m_parameters["rate"], .clip = m_parameters["clip"]};
        settings.draw.seed = static_cast<std::uint64_t>(seed);
        return settings;
    }

    Result<void> train(std::int64_t seed, double from, double share)
    {
        RoutingTrainer trainer(settingsOf(seed));
        const RoutingSettings& settings = trainer.settings();
        learn::Metadata facts = settings.metadata();
        facts["lab"] = m_lab.id;
        const Training training{
            .name = (settings.shape.depot ? "cvrp" : "tsp") + std::to_string(settings.draw.size) + "_seed" + std::to_string(seed), .facts = facts, .weights = trainer.weights(), .adam = &trainer.adam(),
            .unit = "step", .measures = {"length", "shortest"}, .labels = {{"seed", seed}}, .total = settings.steps, .unitsPerRow = std::max<std::int64_t>(1, settings.steps / rowsOfTrainingCurve),
            .advance = [&] {
                const DrawnCosts lengths = trainer.step();
                return std::vector{lengths.mean, lengths.least};
            },
            .show = [&] { return show(trainer, seed); }};
        if (const auto seconds = attnscope::train(training, m_run, m_stop, m_report, from, from + share); !seconds)
            return tl::unexpected(seconds.error());
        auto model = m_shelf.keep(trainer.network(), m_run.folder, training.name, facts);
        if (!model)
            return tl::unexpected(model.error());
        if (!m_run.folder.empty()) {
            const Result<std::string> path = pathInFolder(m_run.folder, training.name + ".safetensors");
            if (!path)
                return tl::unexpected(path.error());
            m_files.push_back({*path, "Attention Model trained with seed " + std::to_string(seed) + ", for attnscope lab routing --set model=FILE", {}});
        }
        m_networks.push_back({seed, std::move(*model)});
        return {};
    }

    /// The tour of one test instance as the network makes it now, beside a good one; and now and then how it does on a few.
    Result<void> show(RoutingTrainer& trainer, std::int64_t seed)
    {
        const RoutingDraw& learned = trainer.settings().draw;
        const auto model = [&] { return m_shelf.keep(trainer.network(), {}, "now", trainer.settings().metadata()); };
        if (m_report.picturesDue()) {
            const RoutingInstance instance = drawInstance(drawOf(learned.depot, learned.size, learned.size), 0);
            auto now = model();
            if (!now)
                return tl::unexpected(now.error());
            const auto run = runRouting(*now, std::span(&instance, 1), {.policy = {}, .stop = m_stop});
            if (!run)
                return run.error().kind == ErrorKind::Cancelled ? Result<void>() : tl::unexpected(run.error());
            const Tour good = improved(instance, nearestNeighbour(instance));
            const auto titled = [&](const std::string& what, const Tour& tour) { return NamedTour{what + ", " + formatNumber(lengthOf(instance, tour), 4), tour}; };
            m_report.tours(sideBySide("learning", "n = " + std::to_string(learned.size) + ", while it learns", instance,
                                      {titled("after " + std::to_string(trainer.adam().steps()) + " steps", run->tours.front().front()), titled("2-opt with Or-opt", good)}));
        }
        if (m_report.due() && trainer.adam().steps() > 0)
            if (const Result<void> glanced = glance(learned, seed, model); !glanced)
                return glanced;
        m_report.live(m_glances);
        return {};
    }

    /// A short test of the network as it is, at most a small share of the time: live rows of what the whole test will say.
    template <class Model>
    Result<void> glance(const RoutingDraw& learned, std::int64_t seed, const Model& model)
    {
        const auto started = Now::now();
        if (started < m_nextGlance)
            return {};
        const auto now = model();
        if (!now)
            return tl::unexpected(now.error());
        m_glances.clear();
        for (std::int64_t times = 1; times <= std::min(longestGlance, whole("most")); times *= 2) {
            std::vector<RoutingInstance> instances;
            for (std::int64_t number = 0; number < instancesOfGlance; ++number)
                instances.push_back(drawInstance(drawOf(learned.depot, times * learned.size, learned.size), number));
            const auto set = makeRoutingSet(std::move(instances), m_stop);
            const ScalePolicy vanilla{.trainLength = static_cast<double>(learned.size)};
            const auto score = set ? scoreRouting(*now, *set, vanilla, m_stop) : tl::unexpected(set.error());
            if (!score)
                return score.error().kind == ErrorKind::Cancelled ? Result<void>() : tl::unexpected(score.error());
            m_glances.push_back({m_lab.main, qualityCells(*set, vanilla, *score, nullptr, seedOf(seed))});
        }
        m_nextGlance = Now::now() + std::chrono::duration_cast<Now::duration>((Now::now() - started) / glancesPart);
        return {};
    }

    Result<void> obtainInstances()
    {
        const bool hasDepot = depot();
        m_trainLength = opens() && whole("length") > 0 ? whole("length") : m_networks.front().model.trainLength.value_or(0);
        if (!m_text.files[1].empty()) {
            auto read = readInstances(m_text.files[1], hasDepot);
            if (!read)
                return tl::unexpected(read.error());
            m_instances = std::move(*read);
            if (m_trainLength == 0)
                m_trainLength = m_instances.begin()->first;
            return {};
        }
        if (m_trainLength == 0)
            return failure(ErrorKind::InvalidArgument, m_text.files[0] + " does not say how many cities it was trained with; set length, 100 for the models published as tsp100 and cvrp100");
        if (const Result<void> good = checkCapacity(hasDepot, m_trainLength); !good)
            return good;
        for (std::int64_t times = 1; times <= whole("most"); times *= 2) {
            const RoutingDraw draw = drawOf(hasDepot, times * m_trainLength, m_trainLength);
            const std::int64_t count = std::max(std::min<std::int64_t>(8, whole("sets")), whole("sets") / times);
            for (std::int64_t number = 0; number < count; ++number)
                m_instances[draw.size].push_back(drawInstance(draw, number));
        }
        return {};
    }

    Result<void> test()
    {
        const std::vector<ScalePolicy> tested = policiesOf(m_text.methods, m_text.where, m_trainLength);
        double work = 0;
        for (const auto& [n, instances] : m_instances)
            work += costOf(n, instances) * static_cast<double>(tested.size() * m_networks.size() + 1);
        const auto fraction = [&] { return afterTraining() + (1 - afterTraining()) * m_done / work; };
        for (auto& [n, instances] : m_instances) {
            const double cost = costOf(n, instances);
            m_report.stage("n = " + std::to_string(n) + ", without a network");
            m_report.sendIfDue(fraction());
            const auto set = makeRoutingSet(std::move(instances), m_stop);
            if (!set)
                return tl::unexpected(set.error());
            m_done += cost;
            for (const Network& network : m_networks)
                if (const Result<void> done = testNetwork(network, n, *set, tested, [&] {
                        m_done += cost;
                        m_report.sendIfDue(fraction());
                    });
                    !done)
                    return done;
        }
        return {};
    }

    /// All policies on the instances of one size.
    template <class Tested>
    Result<void> testNetwork(const Network& network, std::int64_t n, const RoutingSet& set, const std::vector<ScalePolicy>& policies, const Tested& onePolicyDone)
    {
        std::optional<RoutingScore> vanilla;
        std::vector<NamedTour> tours;  // of the first instance
        const NetworkSeed seed = seedOf(network.seed);
        for (const ScalePolicy& policy : policies) {
            m_report.stage("n = " + std::to_string(n) + ", " + labelOf(policy, seed));
            auto score = scoreRouting(network.model, set, policy, m_stop);
            if (!score)
                return tl::unexpected(score.error());
            m_report.row(m_lab.main, qualityCells(set, policy, *score, vanilla ? &*vanilla : nullptr, seed));
            for (LabCells& cells : *score ? headCells(set, policy, **score, seed) : std::vector<LabCells>())
                m_report.row("heads", std::move(cells));
            if (*score && std::ssize(tours) < toursShown && &network == &m_networks.front()) {
                tours.push_back({labelOf(policy, seed) + ", " + formatNumber((*score)->lengths.front(), 4), (*score)->tours.front()});
                m_report.tours(sideBySide("n" + std::to_string(n), "n = " + std::to_string(n), set.instances.front(), tours));
            }
            if (policy.method.id == "vanilla")
                vanilla = std::move(*score);
            onePolicyDone();
        }
        return {};
    }

    NetworkSeed seedOf(std::optional<std::int64_t> seed) const { return {seed, whole("networks") > 1}; }
    static double costOf(std::int64_t n, const std::vector<RoutingInstance>& instances) { return static_cast<double>(n) * static_cast<double>(n + 200) * static_cast<double>(instances.size()); }

    const LabRun& m_run;
    const Lab& m_lab;
    Parameters m_parameters;
    std::stop_token m_stop;
    LabReporter m_report;
    PolicyText m_text;
    RoutingShelf m_shelf;
    std::vector<Network> m_networks;
    std::vector<LabFile> m_files;
    std::int64_t m_trainLength = 0;
    std::map<std::int64_t, std::vector<RoutingInstance>> m_instances;  ///< by size
    std::vector<LabRow> m_glances;
    Now::time_point m_nextGlance{};
    double m_done = 0;
};

}  // namespace

Result<LabResult> runRoutingLab(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress)
{
    return RoutingExperiment(run, lab, std::move(stop), progress)();
}

}  // namespace attnscope
