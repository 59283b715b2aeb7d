#include "core/labs/packing_experiment.h"

#include "core/labs/packing_evaluation.h"
#include "core/labs/packing_networks.h"
#include "core/labs/packing_trainer.h"
#include "core/labs/policy_experiment.h"

namespace attnscope {

namespace {

/// Boxes into EIE's bins, or one of them.
class PackingTask {
public:
    using Instance = PackingInstance;
    using Set = PackingSet;
    using Solution = Packing;
    using Score = PackingScore;
    using Model = PackingModel;
    using Trainer = PackingTrainer;
    using Shelf = PackingShelf;
    using Panel = NamedPacking;
    using Test = PolicyTest<PackingSet>;

    static constexpr const char* form = "METHODS | WHERE | MODEL";
    static constexpr const char* network = "network that packs,";
    static constexpr const char* unknownLength = "how many boxes it was trained with; set length";
    static constexpr std::string_view choicesOfTests[] = {"sets", "most", "samples", "seed", "bin"};
    static constexpr std::string_view choicesOfShipped[] = {"networks"};
    static std::vector<std::string> measures() { return {"load_rate", "best"}; }
    static std::vector<std::string> seedKeys() { return {"bin", "n", "n_over_train", "method", "where"}; }
    static std::vector<std::string> seedColumns() { return {"load_rate", "above_volume", "above_random", "change", "entropy_encoder", "entropy_decoder"}; }

    PackingTask(const Parameters& parameters, const std::vector<std::string>&) : m_parameters(parameters) {}

    /// What the choices of an instance's packings leave for the way back: a weight a head, choice and box, and what scores the turns.
    Result<void> checkTraining() const
    {
        const double boxes = static_cast<double>(learnedLength()), choices = boxes * m_parameters["packings"];
        if (const double bytes = sizeof(float) * choices * (boxes * (m_parameters["heads"] + 4) + 2 * m_parameters["width"] + 1000); bytes > mostBytesOfPackings)
            return failure(ErrorKind::InvalidArgument, "the packings of one instance would take " + formatNumber(bytes / 1e9, 3) + " GB of memory; set a smaller length, or fewer packings");
        return {};
    }

    PackingSettings settings(std::int64_t seed) const
    {
        return {.shape = packingShape({.layers = whole("layers"), .width = whole("width"), .inner = whole("inner"), .heads = whole("heads")}), .draw = {.size = learnedLength(), .seed = static_cast<std::uint64_t>(seed)},
                .bins = bins(), .learning = {.batch = whole("batch"), .solutions = whole("packings"), .steps = whole("steps"), .warmup = whole("warmup"), .rate = m_parameters["rate"], .clip = m_parameters["clip"]}};
    }
    static std::string name(const PackingSettings& settings) { return "packing" + std::to_string(settings.draw.size); }
    static std::vector<double> measured(const DrawnCosts& costs) { return {100 / costs.mean, 100 / costs.least}; }

    static Result<PackingModel> open(const std::string& path) { return openPackingModel(path); }
    static Result<PackingModel> shipped(std::int64_t seed) { return shippedPacking(seed); }

    static Result<std::int64_t> prepare(const PackingModel&) { return 0; }
    Result<std::vector<Test>> tests(std::int64_t trainLength) const { return drawn(trainLength, whole("most"), whole("sets")); }
    Result<std::vector<Test>> drawn(std::int64_t trainLength, std::int64_t most, std::int64_t sets) const
    {
        std::vector<Test> all;
        for (std::int64_t times = 1; times <= most; times *= 2)
            for (const Bin& bin : bins()) {
                const PackingDraw draw{times * trainLength, seed()};
                const std::int64_t count = instancesAt(times, sets);
                const std::string n = std::to_string(draw.size);
                all.push_back({draw.size, "n" + n + "_" + std::to_string(bin.length), "n = " + n + ", " + labelOf(bin), static_cast<double>(times) * static_cast<double>(times + 10) * static_cast<double>(count),
                               [draw, bin, count](std::stop_token stop) { return makePackingSet(draw, bin, count, std::move(stop)); }});
            }
        return all;
    }

    Result<std::optional<PackingScore>> score(const PackingModel& model, const PackingSet& set, const ScalePolicy& policy, std::stop_token stop) const
    {
        return scorePacking(model, set, policy, {whole("samples"), seed()}, std::move(stop));
    }
    static std::vector<LabCells> summaries(const std::vector<LabRow>& rows, std::int64_t n) { return meansOverBins(rows, n); }

    PackingInstance shown(const PackingSettings& learning) const { return drawBoxes({learning.draw.size, seed()}, bins().front(), 0); }
    static Result<Packing> solve(const PackingModel& model, const PackingInstance& instance, std::stop_token stop)
    {
        return runPacking(model, std::span(&instance, 1), {.policy = {}, .stop = std::move(stop)}).map([](const Solved<Packing>& run) { return run.solutions.front().front(); });
    }
    static NamedPacking panel(const PackingInstance& instance, const std::string& what, Packing packing) { return {what + ", " + formatNumber(100 * loadRateOf(instance, packing), 3) + " %", std::move(packing)}; }
    static NamedPacking reference(const PackingInstance& instance) { return panel(instance, "in order of volume", packInOrder(instance, volumeOrder(instance))); }
    static std::vector<NamedPacking> opening(const PackingInstance& instance) { return {reference(instance)}; }
    static void send(LabReporter& report, std::string id, std::string title, const PackingInstance& instance, const std::vector<NamedPacking>& panels)
    {
        report.packings(inPanels(std::move(id), std::move(title), instance.bin, panels));
    }

private:
    static constexpr std::int64_t usualBoxes = 20;
    static constexpr double mostBytesOfPackings = 4e9;

    std::int64_t whole(const char* id) const { return static_cast<std::int64_t>(m_parameters[id]); }
    std::int64_t learnedLength() const { return whole("length") > 0 ? whole("length") : usualBoxes; }
    std::uint64_t seed() const { return static_cast<std::uint64_t>(whole("seed")); }
    std::vector<Bin> bins() const
    {
        const std::span<const Bin> all = paperBins();
        const std::int64_t bin = whole("bin");
        return bin == 0 ? std::vector<Bin>(all.begin(), all.end()) : std::vector<Bin>{all[static_cast<std::size_t>(bin - 1)]};
    }

    const Parameters& m_parameters;
};

}  // namespace

Result<LabResult> runPackingLab(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress)
{
    return runPolicyLab<PackingTask>(run, lab, std::move(stop), progress);
}

}  // namespace attnscope
