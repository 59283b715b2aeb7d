#pragma once
// A run of a lab whose networks build a solution piece by piece (routing, packing): networks are trained, taken from
// the program or opened, and each is tested on instances of every length under every policy. What the lab is about is
// its Task, a class with
//
//   Instance, Set, Solution, Score   types: an instance; those of a test; what a network makes of one; how good it is
//   Model, Trainer, Store, Panel     the network as core/model runs it; as it learns; where it is kept; a picture's
//   form, network, unknownLength     how the lab's text is written, and words for messages
//   choicesOfTests                   ids of parameters that act without training,
//   choicesOfShipped                 and those of them that pick among shipped networks
//   measures, seedKeys, seedColumns  of tables: of a step of training; what rows agree in that are compared over seeds,
//                                    and what of them
//   Task(parameters, files)
//   checkTraining()                  what no network can learn
//   setByFile(id, trains)            a parameter that changes nothing, as a file of instances says it
//   settings(seed), name(settings), measured(costs)
//                                    of a training
//   open(path), shipped(seed)        networks
//   prepare(model)                   reads what depends on the network to be tested; the length trained at, if the
//                                    instances say it
//   tests(trainLength)               all tests (PolicyTest)
//   drawn(trainLength, most, sets)   those of drawn instances
//   measuredOn(trainLength, sets)    tests of N, whose entropies entropy_measured holds
//   measuredElsewhere(trainLength)   why those are not like the instances of the tests; empty: they are
//   score(model, set, policy, stop), policyCells(...), qualityCells(...), summaries(rows, n)
//                                    what a test finds
//   shown(settings), solve(model, instance, stop)
//                                    the instance that is shown while a network learns
//   panel(instance, what, solution), reference(instance), opening(instance), send(report, id, title, instance, panels)
//                                    pictures; those of tests begin with `opening`

#include "core/labs/experiment.h"
#include "core/labs/policies/scale_policies.h"
#include "core/scaling/scale_method.h"

#include <functional>

namespace attnscope {

/// Instances that every policy is tested on alike.
template <class Set>
struct PolicyTest {
    std::int64_t n = 0;
    std::string id, label;  ///< of its picture and stage: "n40_120", "n = 40, 120 x 100"
    double work = 0;        ///< of one policy, in any unit
    std::function<Result<Set>(std::stop_token)> make;
};

template <class Task>
class PolicyExperiment : Experiment {
public:
    PolicyExperiment(const LabRun& run, const Lab& lab, PolicyText text, std::stop_token stop,
                     const LabCallback& progress)
        : Experiment(run, lab, std::move(stop), progress), m_text(std::move(text)), m_task(m_parameters, m_text.files)
    {
    }

    Result<LabResult> operator()()
    {
        TRY(check());
        TRY(obtain());
        TRY(test());
        return finish(m_networks.size() > 1 ? seedCells(m_report.rows(), Task::seedKeys(), Task::seedColumns())
                                            : std::vector<LabCells>());
    }

private:
    using Test = PolicyTest<typename Task::Set>;
    struct Network {
        std::optional<std::int64_t> seed;  ///< none: of a file
        typename Task::Model model;
        std::vector<HeadValues> entropies =
            {};  ///< of the encoder's heads at N, in each test of one length; where a policy needs them
    };

    static constexpr double trainingPart = 0.8;  // of the run's progress
    static constexpr std::ptrdiff_t panelsShown = 4;
    static constexpr std::int64_t instancesOfPreview = 8, longestPreview = 4;  // while it learns; in training lengths

    const std::string& file() const { return m_text.files.front(); }
    bool opens() const { return !file().empty(); }
    bool trains() const { return !opens() && whole("steps") > 0; }
    NetworkSeed seedOf(std::optional<std::int64_t> seed) const { return {seed, whole("networks") > 1}; }

    Result<void> check()
    {
        TRY(checkDivides("heads", "width"));
        for (const Parameter& parameter : m_lab.parameters)
            if (m_parameters[parameter.id] != parameter.byDefault && m_task.setByFile(parameter.id, trains()))
                return failure(ErrorKind::InvalidArgument,
                               "{} is a choice of drawn instances, and those of {} are all tested as they are; leave "
                               "instances out, or {} to {}",
                               parameter.id, m_text.files.back(), parameter.id, formatNumber(parameter.byDefault));
        if (trains() && whole("length") == 1)
            return failure(ErrorKind::InvalidArgument,
                           "set length to 2 or more: of one alone there is no order to learn");
        if (trains())
            return m_task.checkTraining();
        const auto isAmong = [](const auto& ids, const std::string& id) {
            return std::ranges::find(ids, id) != std::end(ids);
        };
        return checkNoTraining({"the model", "leave model out and set steps above 0 to train",
                                "there is none to resume with a model that is trained already; give the parameters of "
                                "that run, or another folder"},
                               [&](const std::string& id) {
                                   return id == "steps" || (id == "length" && opens()) ||
                                          (isAmong(Task::choicesOfShipped, id) && !opens()) ||
                                          isAmong(Task::choicesOfTests, id);
                               });
    }

    Result<void> obtain()
    {
        if (opens())
            return Task::open(file()).map([&](typename Task::Model model) {
                m_networks.push_back({{}, std::move(model)});
            });
        if (trains())
            return trainEach(
                whole("networks"), trainingPart, "network",
                [&](std::int64_t network, double from, double to) { return learn(whole("seed") + network, from, to); });
        for (std::int64_t network = 1; network <= whole("networks"); ++network) {
            auto model = TRY(m_task.shipped(network));
            m_networks.push_back({network, std::move(model)});
        }
        return {};
    }

    Result<void> learn(std::int64_t seed, double from, double to)
    {
        typename Task::Trainer trainer(m_task.settings(seed));
        const auto& settings = trainer.settings();
        learn::Metadata facts = settings.metadata();
        facts["lab"] = m_lab.id;
        const Training training = stepsOf(trainer, {.name = Task::name(settings) + "_seed" + std::to_string(seed),
                                                    .facts = facts,
                                                    .measures = Task::measures(),
                                                    .labels = {{"seed", seed}},
                                                    .advance = [&] { return Task::measured(trainer.step()); },
                                                    .show = [&] { return show(trainer, seed); }});
        TRY(train(training, from, to));
        auto model = TRY(m_store.keep(trainer.network(), m_run.folder, training.name, facts));
        if (!m_run.folder.empty()) {
            const std::string path = TRY(pathInFolder(m_run.folder, training.name + ".safetensors"));
            addFile({path,
                     fmt::format("{} trained with seed {}, for attnscope lab {} --set model=FILE", Task::network, seed,
                                 m_lab.id),
                     {}});
        }
        m_networks.push_back({seed, std::move(model)});
        return {};
    }

    /// What the network makes of one instance now, beside a good solution; and now and then how it does on a few.
    Result<void> show(typename Task::Trainer& trainer, std::int64_t seed)
    {
        const bool pictures = m_report.picturesDue(), previews = previewDue(trainer.adam());
        if (pictures || previews) {
            const auto now = TRY(m_store.keep(trainer.network(), {}, "now", trainer.settings().metadata()));
            for (const Result<void>& done :
                 {pictures ? picture(now, trainer) : Result<void>(),
                  previews ? preview([&] { return testBriefly(now, seed); }) : Result<void>()})
                if (!done && done.error().kind != ErrorKind::Cancelled)
                    return done;
        }
        m_report.live(m_previews);
        return {};
    }

    Result<void> picture(const typename Task::Model& now, typename Task::Trainer& trainer)
    {
        const typename Task::Instance instance = m_task.shown(trainer.settings());
        return m_task.solve(now, instance, m_stop).map([&](typename Task::Solution solution) {
            Task::send(
                m_report, "learning", fmt::format("n = {}, while it learns", instance.size()), instance,
                {Task::panel(instance, fmt::format("after {} steps", trainer.adam().steps()), std::move(solution)),
                 Task::reference(instance)});
        });
    }

    Result<void> testBriefly(const typename Task::Model& now, std::int64_t seed)
    {
        const std::int64_t learned = *now.trainLength;
        const ScalePolicy vanilla{.trainLength = static_cast<double>(learned)};
        const auto tests = TRY(m_task.drawn(learned, std::min(longestPreview, whole("most")), instancesOfPreview));
        std::vector<LabRow> rows;
        for (const Test& test : tests) {
            const auto set = TRY(test.make(m_stop));
            const auto score = TRY(m_task.score(now, set, vanilla, m_stop));
            rows.push_back({m_lab.main, qualityCells(set, vanilla, score, nullptr, seedOf(seed))});
            if (&test == &tests.back() || (&test + 1)->n != test.n)
                for (LabCells& cells : Task::summaries(rows, test.n))
                    rows.push_back({"means", std::move(cells)});
        }
        m_previews = std::move(rows);
        return {};
    }

    Result<void> test()
    {
        const typename Task::Model& first = m_networks.front().model;
        const std::int64_t ofInstances = TRY(m_task.prepare(first));
        const std::int64_t learned =
            opens() && whole("length") > 0 ? whole("length") : first.trainLength.value_or(ofInstances);
        if (learned == 0)
            return failure(ErrorKind::InvalidArgument, file() + " does not say " + Task::unknownLength);
        const auto tests = TRY(m_task.tests(learned));
        const std::vector<ScalePolicy> policies = policiesOf(m_text.methods, m_text.where, learned);
        for (const ScalePolicy& policy : policies)
            if (policy.layer && *policy.layer >= std::ssize(first.layers))
                return failure(ErrorKind::InvalidArgument, "there is no {}: the encoder has {}", whereOf(policy),
                               first.layers.size());
        if (std::ranges::any_of(
                policies, [](const ScalePolicy& policy) { return policy.encoder && isMeasured(policy.method); })) {
            for (Network& network : m_networks)
                TRY(measure(network, learned));
            if (const std::string elsewhere = m_task.measuredElsewhere(learned); !elsewhere.empty())
                m_report.note(elsewhere);
        }
        double work = 0, done = 0;
        for (const Test& test : tests)
            work += test.work * static_cast<double>(policies.size() * m_networks.size() + 1);
        const double before = trains() ? trainingPart : 0;
        const auto report = [&](double more) {
            done += more;
            m_report.sendIfDue(before + (1 - before) * done / work);
        };
        std::size_t place = 0;  // among those of its length
        for (const Test& test : tests) {
            place = &test != &tests.front() && (&test - 1)->n == test.n ? place + 1 : 0;
            m_report.stage(test.label + ", without a network");
            report(0);
            const auto set = TRY(test.make(m_stop));
            report(test.work);
            for (const Network& network : m_networks)
                TRY(testNetwork(network, test, place, set, policies, [&] { report(test.work); }));
            if (&test == &tests.back() || (&test + 1)->n != test.n)
                for (LabCells& cells : Task::summaries(m_report.rows(), test.n))
                    m_report.row("means", std::move(cells));
        }
        return {};
    }

    /// The entropies that entropy_measured holds: of instances of N, without a scale.
    Result<void> measure(Network& network, std::int64_t learned)
    {
        const auto tests =
            TRY(m_task.measuredOn(learned, std::min(whole("sets"), static_cast<std::int64_t>(measuredInstances))));
        for (const Test& test : tests) {
            const auto set = TRY(test.make(m_stop));
            const auto score =
                TRY(m_task.score(network.model, set, {.trainLength = static_cast<double>(learned)}, m_stop));
            network.entropies.push_back(score->encoder.entropies);
        }
        return {};
    }

    /// All policies on the instances of one test, the `placeOfTest`-th of its length.
    Result<void> testNetwork(const Network& network, const Test& test, std::size_t placeOfTest,
                             const typename Task::Set& set, const std::vector<ScalePolicy>& policies,
                             const std::function<void()>& onePolicyDone)
    {
        const typename Task::Instance& first = set.instances.front();
        const NetworkSeed seed = seedOf(network.seed);
        std::optional<typename Task::Score> vanilla;
        std::vector<typename Task::Panel> panels = Task::opening(first);
        for (ScalePolicy policy : policies) {
            if (policy.encoder && isMeasured(policy.method))
                policy.entropies = network.entropies[std::min(placeOfTest, network.entropies.size() - 1)];
            m_report.stage(test.label + ", " + labelOf(policy, seed));
            auto score = TRY(m_task.score(network.model, set, policy, m_stop));
            m_report.row(m_lab.main, qualityCells(set, policy, score, vanilla ? &*vanilla : nullptr, seed));
            for (LabCells& cells :
                 score ? headCells(policyCells(set, policy, seed), score->encoder, score->decoderEntropies)
                       : std::vector<LabCells>())
                m_report.row("heads", std::move(cells));
            if (score && std::ssize(panels) < panelsShown && &network == &m_networks.front()) {
                panels.push_back(Task::panel(first, labelOf(policy, seed), score->solutions.front()));
                Task::send(m_report, test.id, test.label, first, panels);
            }
            if (isVanilla(policy.method))
                vanilla = std::move(score);
            onePolicyDone();
        }
        return {};
    }

    PolicyText m_text;
    Task m_task;
    typename Task::Store m_store;
    std::vector<Network> m_networks;
};

template <class Task>
Result<LabResult> runPolicyLab(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress)
{
    return parsePolicyText(Parameters(lab, run.choice).text(), Task::form).and_then([&](PolicyText text) {
        return PolicyExperiment<Task>(run, lab, std::move(text), std::move(stop), progress)();
    });
}

}  // namespace attnscope
