// The lab `packing`: trains a network that packs boxes, takes the one that comes with the program or opens another, and
// measures its packings at up to 16 times the length trained at, under scale methods in its encoder, its decoder or
// both.

#include "core/base/parameter.h"
#include "core/labs/lab_charts.h"
#include "core/labs/lab_parameters.h"
#include "core/labs/packing/packing_evaluation.h"
#include "core/labs/packing/packing_trainer.h"
#include "core/labs/policies/policy_experiment.h"
#include "core/labs/policies/policy_networks.h"
#include "core/labs/policies/policy_task.h"

namespace attnscope {

namespace {

/// Boxes into EIE's bins, or one of them.
class PackingTask : PolicyTask {
public:
    using Instance = PackingInstance;
    using Set = PackingSet;
    using Solution = Packing;
    using Score = PackingScore;
    using Model = PackingModel;
    using Trainer = PackingTrainer;
    using Store = PackingStore;
    using Panel = NamedPacking;
    using Test = PolicyTest<PackingSet>;

    static constexpr const char* form = "METHODS | WHERE | MODEL";
    static constexpr const char* network = "network that packs,";
    static constexpr const char* unknownLength = "how many boxes it was trained with; set length";
    static constexpr std::string_view choicesOfTests[] = {"sets", "most", "samples", "seed", "bin"};
    static constexpr std::string_view choicesOfShipped[] = {"length"};
    static std::vector<std::string> measures() { return {"load_rate", "best"}; }
    static std::vector<std::string> seedKeys() { return {"bin", "n", "n_over_train", "method", "where"}; }
    static std::vector<std::string> seedColumns()
    {
        return {"load_rate", "above_volume", "above_random", "change", "entropy_encoder", "entropy_decoder"};
    }

    PackingTask(const Parameters& parameters, const std::vector<std::string>&) : PolicyTask(parameters) {}

    /// What the choices of an instance's packings leave for the way back: a weight a head, choice and box, and what
    /// scores the turns.
    Result<void> checkTraining() const
    {
        TRY(checkGrowth());
        const double boxes = static_cast<double>(learnedLength()), choices = boxes * m_parameters["packings"];
        return checkMemory(choices * (boxes * (m_parameters["heads"] + 4) + 2 * m_parameters["width"] + 1000),
                           "packings");
    }

    PackingSettings settings(std::int64_t trainingSeed) const
    {
        return {.shape = {.encoder = encoderShape()},
                .draw = {.size = learnedLength(), .seed = static_cast<std::uint64_t>(trainingSeed)},
                .bins = bins(),
                .learning = learning("packings")};
    }
    static std::string name(const PackingSettings& settings) { return "packing" + std::to_string(settings.draw.size); }
    static std::vector<double> measured(const DrawnCosts& costs) { return {100 / costs.mean, 100 / costs.least}; }

    static Result<PackingModel> open(const std::string& path) { return openPackingModel(path); }
    Result<PackingModel> shipped(std::int64_t) const { return shippedPacking(learnedLength()); }

    static Result<std::int64_t> prepare(const PackingModel&) { return 0; }
    Result<std::vector<Test>> tests(std::int64_t trainLength) const
    {
        return drawn(trainLength, whole("most"), whole("sets"));
    }
    static bool setByFile(std::string_view, bool) { return false; }
    Result<std::vector<Test>> measuredOn(std::int64_t trainLength, std::int64_t sets) const
    {
        return drawn(trainLength, 1, sets);
    }
    static std::string measuredElsewhere(std::int64_t) { return {}; }
    Result<std::vector<Test>> drawn(std::int64_t trainLength, std::int64_t most, std::int64_t sets) const
    {
        std::vector<Test> all;
        for (std::int64_t times = 1; times <= most; times *= 2)
            for (const Bin& bin : bins()) {
                const PackingDraw draw{times * trainLength, seed()};
                const std::int64_t count = instancesAt(times, sets);
                const std::string n = std::to_string(draw.size);
                all.push_back(
                    {draw.size, "n" + n + "_" + std::to_string(bin.length), "n = " + n + ", " + labelOf(bin),
                     static_cast<double>(times) * static_cast<double>(times + 10) * static_cast<double>(count),
                     [draw, bin, count](std::stop_token stop) {
                         return makePackingSet(draw, bin, count, std::move(stop));
                     }});
            }
        return all;
    }

    Result<std::optional<PackingScore>> score(const PackingModel& model, const PackingSet& set,
                                              const ScalePolicy& policy, std::stop_token stop) const
    {
        return scorePacking(model, set, policy, {whole("samples"), seed()}, std::move(stop));
    }
    static std::vector<LabCells> summaries(const std::vector<LabRow>& rows, std::int64_t n)
    {
        return meansOverBins(rows, n);
    }

    PackingInstance shown(const PackingSettings& learning) const
    {
        return drawBoxes({learning.draw.size, seed()}, bins().front(), 0);
    }
    static Result<Packing> solve(const PackingModel& model, const PackingInstance& instance, std::stop_token stop)
    {
        return runPacking(model, std::span(&instance, 1), {.policy = {}, .stop = std::move(stop)})
            .map([](const Solved<Packing>& run) { return run.solutions.front().front(); });
    }
    static NamedPacking panel(const PackingInstance& instance, const std::string& what, Packing packing)
    {
        return {what + ", " + formatNumber(100 * loadRateOf(instance, packing), 3) + " %", std::move(packing)};
    }
    static NamedPacking reference(const PackingInstance& instance)
    {
        return panel(instance, "in order of volume", packInOrder(instance, volumeOrder(instance)));
    }
    static std::vector<NamedPacking> opening(const PackingInstance& instance) { return {reference(instance)}; }
    static void send(LabReporter& report, std::string id, std::string title, const PackingInstance& instance,
                     const std::vector<NamedPacking>& panels)
    {
        report.packings(inPanels(std::move(id), std::move(title), instance.bin, panels));
    }

private:
    std::vector<Bin> bins() const
    {
        const std::span<const Bin> all = paperBins();
        const std::int64_t bin = whole("bin");
        return bin == 0 ? std::vector<Bin>(all.begin(), all.end())
                        : std::vector<Bin>{all[static_cast<std::size_t>(bin - 1)]};
    }
};

std::vector<Parameter> packingParameters()
{
    return policyParameters(
        {.first = {whole("bin", "bin", 0, 0, 3,
                         "1, 2, 3: EIE's 120 x 100, 140 x 110, 160 x 120; 0: all three, one instance of each after "
                         "another in training."),
                   whole("steps", "training steps", 3000, 0, 1e7,
                         "Each of a batch of instances; some ten minutes on two cores. 0: no training but the network "
                         "that comes with the program."),
                   whole("length", "training length", 0, 0, 1e4,
                         "N, boxes; 0: 20 in training, and of a model what its file says.")},
         .solutions = whole("packings", "packings of each", 8, 2, 1024,
                            "Drawn from the network; the baseline of REINFORCE is their mean cost."),
         .sets =
             whole("sets", "instances tested", 32, 1, 10000,
                   "Of N boxes in each bin; half as many of 2 N and so on, at least 8. Every policy sees the same."),
         .rate = 5e-4,
         .last = {whole("samples", "packings drawn", 0, 0, 1024,
                        "In tests: 0: one greedy packing; else the best of so many that are drawn."),
                  whole("seed", "seed", 1, 0, 1e12,
                        "Instances, the weights at the start and the packings drawn are functions of it.")}});
}

std::vector<LabChart> packingCharts()
{
    const std::string boxes = "Boxes, $n$", load = "Load rate (%)", means = "means";
    std::vector<LabChart> charts{
        drawnInTraining("Packings drawn in training", load, "load_rate", "best", "best of each instance"),
        againstLength("load", "How full the bin is", boxes, load, "load_rate", means)};
    addReference(charts.back(), "volume_order", "in order of volume");
    addReference(charts.back(), "random_order", "in random order");
    addPolicyCharts(charts, boxes, "Load rate (points)", means);
    return charts;
}

}  // namespace

Lab packingLab()
{
    return {{"packing",
             "Packing",
             "n boxes \u2192 a bin as low as can be",
             "EIE, table 1; Zhang et al. 2021",
             "A network learns by REINFORCE in which order N boxes go into a bin and how each is turned, and then "
             "packs up to 16 N, under any scale method in its encoder, its decoder's glimpse or both; beside boxes in "
             "order of volume and in random order. Trains one, takes one that comes with the program, or opens yours.",
             packingParameters(),
             {{"the shipped network", "packing:steps=0", "20 boxes"},
              {"the shipped network for 50", "packing:steps=0,length=50", "50 boxes"},
              {"train on 20 boxes", "packing", "ten minutes on two cores"},
              {"train one quickly", "packing:steps=600,width=64,inner=128,heads=4,sets=16,most=8",
               "a smaller network, a minute"},
              {"train in one bin", "packing:bin=1", "120 x 100, ten minutes"}},
             "METHODS | WHERE | MODEL: scale methods, and where each acts (encoder, decoder, both, or one layer of the "
             "encoder, layer 1), with semicolons between them; a network's file, none to train",
             "vanilla; softmax_plus; infoscale; entropy_exact | encoder; decoder; both |"},
            qualityTable,
            "methods",
            packingCharts(),
            runPolicyLab<PackingTask>,
            {methodsPart(), wherePart(), {"model"}}};
}

}  // namespace attnscope
