#include "core/labs/packing_experiment.h"

#include "core/labs/lab_rows.h"
#include "core/labs/packing_evaluation.h"
#include "core/labs/packing_networks.h"
#include "core/labs/training_loop.h"

#include <algorithm>

namespace attnscope {

namespace {

constexpr std::ptrdiff_t packingsShown = 3;        // policies side by side, after the order by volume
constexpr std::int64_t rowsOfPackingCurve = 200, usualBoxes = 20;
constexpr double packingTrainingPart = 0.8;        // of the run's progress
constexpr double mostBytesOfPackings = 4e9;
constexpr std::string_view choicesOfPackingTests[] = {"steps", "networks", "sets", "most", "samples", "seed", "bin"};

class PackingExperiment {
public:
    PackingExperiment(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress)
        : m_run(run), m_lab(lab), m_parameters(lab, run.choice), m_stop(std::move(stop)), m_report(progress, "preparing")
    {
    }

    Result<LabResult> operator()()
    {
        auto text = parsePolicyText(m_parameters.text(), "METHODS | WHERE | MODEL");
        if (!text)
            return tl::unexpected(text.error());
        m_text = std::move(*text);
        for (Result<void> (PackingExperiment::*part)() : {&PackingExperiment::check, &PackingExperiment::obtain, &PackingExperiment::test})
            if (const Result<void> done = (this->*part)(); !done)
                return tl::unexpected(done.error());
        if (m_networks.size() > 1)
            for (LabCells& cells : seedCells(m_report.rows(), {"bin", "n", "n_over_train", "method", "where"}, {"load_rate", "above_volume", "above_random", "change", "entropy_encoder", "entropy_decoder"}))
                m_report.row("seeds", std::move(cells));
        m_report.send(1);
        return LabResult{inOrder(m_report.rows(), m_lab.main), m_files};
    }

private:
    struct Network {
        std::optional<std::int64_t> seed;  ///< none: of a file
        PackingModel model;
    };

    std::int64_t whole(const char* id) const { return static_cast<std::int64_t>(m_parameters[id]); }
    bool opens() const { return !m_text.files[0].empty(); }
    bool trains() const { return !opens() && whole("steps") > 0; }
    std::int64_t learnedLength() const { return whole("length") > 0 ? whole("length") : usualBoxes; }
    NetworkSeed seedOf(std::optional<std::int64_t> seed) const { return {seed, whole("networks") > 1}; }
    PackingSampling sampling() const { return {whole("samples"), static_cast<std::uint64_t>(whole("seed"))}; }
    std::vector<Bin> bins() const
    {
        const std::span<const Bin> all = paperBins();
        const std::int64_t bin = whole("bin");
        return bin == 0 ? std::vector<Bin>(all.begin(), all.end()) : std::vector<Bin>{all[static_cast<std::size_t>(bin - 1)]};
    }

    Result<void> check()
    {
        if (whole("width") % whole("heads") != 0)
            return failure(ErrorKind::InvalidArgument, "heads must divide width");
        if (trains())
            return checkTraining();
        if (m_run.resume && holdsCheckpoint(m_run.folder))
            return failure(ErrorKind::InvalidArgument, m_run.folder + " holds a training, and there is none to resume with a model that is trained already; give the parameters of that run, or another folder");
        for (const Parameter& parameter : m_lab.parameters)
            if (std::ranges::find(choicesOfPackingTests, parameter.id) == std::end(choicesOfPackingTests) && (parameter.id != "length" || !opens()))
                if (const Result<void> good = checkNeedless(m_lab, m_parameters, parameter.id); !good)
                    return good;
        return opens() ? checkNeedless(m_lab, m_parameters, "networks") : Result<void>();
    }

    /// What the choices of an instance's packings leave for the way back: a weight a head, choice and box, and what scores the turns.
    Result<void> checkTraining() const
    {
        if (whole("length") == 1)
            return failure(ErrorKind::InvalidArgument, "set length to 2 or more: with one box there is no order to learn");
        const double boxes = static_cast<double>(learnedLength()), choices = boxes * m_parameters["packings"];
        if (const double bytes = sizeof(float) * choices * (boxes * (m_parameters["heads"] + 4) + 2 * m_parameters["width"] + 1000); bytes > mostBytesOfPackings)
            return failure(ErrorKind::InvalidArgument, "the packings of one instance would take " + formatNumber(bytes / 1e9, 3) + " GB of memory; set a smaller length, or fewer packings");
        return {};
    }

    Result<void> obtain()
    {
        if (opens())
            return openPackingModel(m_text.files[0]).map([&](PackingModel model) { m_networks.push_back({{}, std::move(model)}); });
        const std::int64_t networks = whole("networks");
        for (std::int64_t network = 0; network < networks; ++network) {
            if (!trains()) {
                auto model = shippedPacking(network + 1);
                if (!model)
                    return tl::unexpected(model.error());
                m_networks.push_back({network + 1, std::move(*model)});
                continue;
            }
            m_report.stage(networks == 1 ? "training" : "training network " + std::to_string(network + 1) + " of " + std::to_string(networks));
            const double share = packingTrainingPart / static_cast<double>(networks);
            if (const Result<void> trained = train(whole("seed") + network, share * static_cast<double>(network), share); !trained)
                return trained;
        }
        return {};
    }

    PackingSettings settingsOf(std::int64_t seed) const
    {
        return {.shape = packingShape({.layers = whole("layers"), .width = whole("width"), .inner = whole("inner"), .heads = whole("heads")}), .draw = {.size = learnedLength(), .seed = static_cast<std::uint64_t>(seed)},
                .bins = bins(), .batch = whole("batch"), .packings = whole("packings"), .steps = whole("steps"), .warmup = whole("warmup"), .rate = m_parameters["rate"], .clip = m_parameters["clip"]};
    }

    Result<void> train(std::int64_t seed, double from, double share)
    {
        PackingTrainer trainer(settingsOf(seed));
        const PackingSettings& settings = trainer.settings();
        learn::Metadata facts = settings.metadata();
        facts["lab"] = m_lab.id;
        const Training training{
            .name = "packing" + std::to_string(settings.draw.size) + "_seed" + std::to_string(seed), .facts = facts, .weights = trainer.weights(), .adam = &trainer.adam(),
            .unit = "step", .measures = {"load_rate", "best"}, .labels = {{"seed", seed}}, .total = settings.steps, .unitsPerRow = std::max<std::int64_t>(1, settings.steps / rowsOfPackingCurve),
            .advance = [&] {
                const DrawnCosts costs = trainer.step();
                return std::vector{100 / costs.mean, 100 / costs.least};
            },
            .show = [&] { return show(trainer); }};
        if (const auto seconds = attnscope::train(training, m_run, m_stop, m_report, from, from + share); !seconds)
            return tl::unexpected(seconds.error());
        auto model = m_shelf.keep(trainer.network(), m_run.folder, training.name, facts);
        if (!model)
            return tl::unexpected(model.error());
        if (!m_run.folder.empty()) {
            const Result<std::string> path = pathInFolder(m_run.folder, training.name + ".safetensors");
            if (!path)
                return tl::unexpected(path.error());
            m_files.push_back({*path, "network that packs, trained with seed " + std::to_string(seed) + ", for attnscope lab packing --set model=FILE", {}});
        }
        m_networks.push_back({seed, std::move(*model)});
        return {};
    }

    static NamedPacking titled(const PackingInstance& instance, const std::string& what, Packing packing)
    {
        return {what + ", " + formatNumber(100 * loadRateOf(instance, packing), 3) + " %", std::move(packing)};
    }

    /// The packing of one test instance as the network makes it now, beside that in order of volume.
    Result<void> show(PackingTrainer& trainer)
    {
        if (!m_report.picturesDue())
            return {};
        const PackingInstance instance = drawBoxes({trainer.settings().draw.size, static_cast<std::uint64_t>(whole("seed"))}, bins().front(), 0);
        const auto now = m_shelf.keep(trainer.network(), {}, "now", trainer.settings().metadata());
        if (!now)
            return tl::unexpected(now.error());
        auto run = runPacking(*now, std::span(&instance, 1), {.policy = {}, .stop = m_stop});
        if (!run)
            return run.error().kind == ErrorKind::Cancelled ? Result<void>() : tl::unexpected(run.error());
        m_report.packings(inPanels("learning", "n = " + std::to_string(instance.size()) + ", while it learns", instance.bin,
                                   {titled(instance, "after " + std::to_string(trainer.adam().steps()) + " steps", std::move(run->packings.front().front())),
                                    titled(instance, "in order of volume", packInOrder(instance, volumeOrder(instance)))}));
        return {};
    }

    Result<void> test()
    {
        const std::int64_t learned = opens() && whole("length") > 0 ? whole("length") : m_networks.front().model.trainLength.value_or(0);
        if (learned == 0)
            return failure(ErrorKind::InvalidArgument, m_text.files[0] + " does not say how many boxes it was trained with; set length");
        const std::vector<ScalePolicy> tested = policiesOf(m_text.methods, m_text.where, learned);
        const auto countOf = [&](std::int64_t times) { return std::max(std::min<std::int64_t>(8, whole("sets")), whole("sets") / times); };
        const auto costOf = [&](std::int64_t times) { return static_cast<double>(times) * static_cast<double>(times + 10) * static_cast<double>(countOf(times)); };
        double work = 0, done = 0;
        for (std::int64_t times = 1; times <= whole("most"); times *= 2)
            work += costOf(times) * static_cast<double>(std::ssize(tested) * std::ssize(m_networks) * std::ssize(bins()));
        const double before = trains() ? packingTrainingPart : 0;
        for (std::int64_t times = 1; times <= whole("most"); times *= 2) {
            const std::int64_t n = times * learned;
            for (const Bin& bin : bins()) {
                m_report.stage("n = " + std::to_string(n) + ", without a network");
                m_report.sendIfDue(before + (1 - before) * done / work);
                const auto set = makePackingSet({n, static_cast<std::uint64_t>(whole("seed"))}, bin, countOf(times), m_stop);
                if (!set)
                    return tl::unexpected(set.error());
                for (const Network& network : m_networks)
                    if (const Result<void> all = testNetwork(network, *set, tested, [&] {
                            done += costOf(times);
                            m_report.sendIfDue(before + (1 - before) * done / work);
                        });
                        !all)
                        return all;
            }
            for (LabCells& cells : meansOverBins(m_report.rows(), n))
                m_report.row("means", std::move(cells));
        }
        return {};
    }

    /// All policies on the instances of one size and bin.
    template <class Tested>
    Result<void> testNetwork(const Network& network, const PackingSet& set, const std::vector<ScalePolicy>& policies, const Tested& onePolicyDone)
    {
        const PackingInstance& first = set.instances.front();
        const std::string where = "n = " + std::to_string(first.size()) + ", " + labelOf(first.bin);
        const NetworkSeed seed = seedOf(network.seed);
        std::optional<PackingScore> vanilla;
        std::vector<NamedPacking> shown{titled(first, "in order of volume", packInOrder(first, volumeOrder(first)))};
        for (const ScalePolicy& policy : policies) {
            m_report.stage(where + ", " + labelOf(policy, seed));
            auto score = scorePacking(network.model, set, policy, sampling(), m_stop);
            if (!score)
                return tl::unexpected(score.error());
            m_report.row(m_lab.main, qualityCells(set, policy, *score, vanilla ? &*vanilla : nullptr, seed));
            for (LabCells& cells : *score ? headCells(set, policy, **score, seed) : std::vector<LabCells>())
                m_report.row("heads", std::move(cells));
            if (*score && std::ssize(shown) <= packingsShown && &network == &m_networks.front()) {
                shown.push_back(titled(first, labelOf(policy, seed), (*score)->packings.front()));
                m_report.packings(inPanels("n" + std::to_string(first.size()) + "_" + std::to_string(first.bin.length), where, first.bin, shown));
            }
            if (policy.method.id == "vanilla")
                vanilla = std::move(*score);
            onePolicyDone();
        }
        return {};
    }

    const LabRun& m_run;
    const Lab& m_lab;
    Parameters m_parameters;
    std::stop_token m_stop;
    LabReporter m_report;
    PolicyText m_text;
    PackingShelf m_shelf;
    std::vector<Network> m_networks;
    std::vector<LabFile> m_files;
};

}  // namespace

Result<LabResult> runPackingLab(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress)
{
    return PackingExperiment(run, lab, std::move(stop), progress)();
}

}  // namespace attnscope
