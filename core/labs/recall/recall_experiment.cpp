// What the lab `recall` does: small Llamas learn multi-query associative recall at N tokens, and those that really use
// all N of them are tested on up to 16 N, under scale methods and positions.

#include "core/labs/language/language_experiment.h"

#include "core/attention/positions.h"
#include "core/base/text.h"
#include "core/labs/experiment.h"
#include "core/labs/lab_parameters.h"
#include "core/labs/language/language_network.h"
#include "core/labs/language/language_views.h"
#include "core/labs/recall/recall_evaluation.h"
#include "core/scaling/scale_method.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr double shareOfRecallLearning = 0.6;  ///< of the run's progress
constexpr double farFrom = 0.75;               ///< in N: what is told so long before, or longer, is far
constexpr std::int64_t sequencesOfPreview = 16;

/// "vanilla; infoscale | rope; rerope | vanilla": methods and positions to test, and methods to train with.
struct RecallText {
    std::vector<Choice> methods, positions, trained;
};

Result<RecallText> parseRecallText(const std::string& text)
{
    std::vector<std::string> parts = partsOf(text, '|');
    if (parts.size() > 3)
        return failure(ErrorKind::InvalidArgument,
                       "'" + text +
                           "' has more than three parts; write METHODS | POSITIONS | "
                           "METHODS TO TRAIN WITH, with semicolons between the entries of a "
                           "part");
    parts.resize(3);
    auto methods = TRY(choicesOf(parts[0], scaleMethods(), "scale method"));
    auto tested = TRY(choicesOf(parts[1], positions(), "position"));
    auto trained = TRY(choicesOf(parts[2], scaleMethods(), "scale method"));
    if (methods.empty())
        return failure(ErrorKind::InvalidArgument,
                       "name at least one scale method to test, like \"vanilla; softmax_plus | rope; rerope\"");
    if (trained.empty())
        trained.push_back({std::string(vanillaId), {}, {}});
    return RecallText{std::move(methods), std::move(tested), std::move(trained)};
}

class RecallExperiment : Experiment {
public:
    using Experiment::Experiment;

    Result<LabResult> operator()()
    {
        TRY(check());
        const std::int64_t kinds = std::ssize(m_text.trained);
        TRY(trainEach(whole("networks") * kinds, shareOfRecallLearning, "network",
                      [&](std::int64_t network, double from, double to) {
                          return learn({whole("seed") + network / kinds,
                                        m_text.trained[static_cast<std::size_t>(network % kinds)]},
                                       from, to);
                      }));
        TRY(qualify());
        TRY(test());
        return finish(m_networks.size() > 1 ? seedCells(m_report.rows()) : std::vector<LabCells>());
    }

private:
    struct Network {
        NetworkLabel label;
        Model model;
    };

    std::int64_t trainLength() const { return whole("length"); }

    RecallSettings settings(std::uint64_t seed) const
    {
        return {.length = trainLength(),
                .pairs = whole("pairs"),
                .keys = whole("keys"),
                .values = whole("values"),
                .fillers = whole("fillers"),
                .power = m_parameters["power"],
                .scattered = m_parameters["scattered"],
                .copied = m_parameters["copied"],
                .skips = whole("skips"),
                .reach = m_parameters["reach"],
                .seed = seed};
    }

    RecallTest testOf(const NetworkLabel& network, std::int64_t n, std::int64_t sequences) const
    {
        return {settings(recallTestSeed + static_cast<std::uint64_t>(network.seed)), n, sequences};
    }

    /// As many fewer as they are longer, but for 8.
    std::int64_t sequencesAt(std::int64_t n) const
    {
        return std::max(std::min<std::int64_t>(8, whole("sequences")), whole("sequences") * trainLength() / n);
    }

    Result<void> check()
    {
        m_text = TRY(parseRecallText(m_parameters.text()));
        TRY(checkDivides("heads", "width"));
        if (whole("width") / whole("heads") % 2 != 0)
            return failure(ErrorKind::InvalidArgument,
                           "width over heads must be even: rotary positions turn coordinates in pairs");
        if (trainLength() % 2 != 0 || 4 * whole("pairs") > trainLength())
            return failure(ErrorKind::InvalidArgument,
                           "length must be even and at least four times pairs: a key, its value, and a place to ask "
                           "for it with a filler behind");
        if (whole("pairs") > whole("keys"))
            return failure(ErrorKind::InvalidArgument,
                           "keys must be at least as many as pairs: those of a sequence are distinct");
        return {};
    }

    Result<LanguageSettings> settingsOf(const NetworkLabel& network) const
    {
        const learn::LlamaShape shape{.layers = whole("layers"),
                                      .width = whole("width"),
                                      .inner = whole("inner"),
                                      .heads = whole("heads"),
                                      .keyHeads = whole("heads"),
                                      .vocabulary = settings(0).words()};
        auto attention = TRY(trainingAttention(network.trained, shape, trainLength()));
        return LanguageSettings{.shape = shape,
                                .length = trainLength(),
                                .batch = whole("batch"),
                                .steps = whole("steps"),
                                .warmup = whole("warmup"),
                                .rate = m_parameters["rate"],
                                .decay = m_parameters["decay"],
                                .clip = m_parameters["clip"],
                                .multipliers = std::move(attention.multipliers),
                                .beta = std::move(attention.beta),
                                .seed = static_cast<std::uint64_t>(network.seed)};
    }

    learn::LlamaFolder aboutOf(const NetworkLabel& network, const LanguageSettings& settings) const
    {
        learn::Metadata facts = settings.metadata();
        facts["lab"] = m_lab.id;
        facts["trained"] = formatChoice(network.trained);
        for (const char* id :
             {"pairs", "keys", "values", "fillers", "power", "scattered", "copied", "skips", "reach", "growth"})
            facts[id] = formatNumber(m_parameters[id]);
        return {.trainLength = trainLength(),
                .beginToken = {},
                .maskToken = {},
                .tokenizer = recallTokenizer(this->settings(0)),
                .facts = std::move(facts),
                .bfloat16 = false};
    }

    Result<void> learn(const NetworkLabel& network, double from, double to)
    {
        const auto how = TRY(settingsOf(network));
        LanguageTrainer trainer(how,
                                recallBatches(settings(static_cast<std::uint64_t>(network.seed)),
                                              whole("batch") * trainLength(), whole("steps"), m_parameters["growth"]));
        const std::string name =
            "recall" + trainedSuffix(m_text.trained, network.trained) + "_seed" + std::to_string(network.seed);
        const learn::LlamaFolder about = aboutOf(network, how);
        const Training training = stepsOf(trainer, {.name = name,
                                                    .facts = about.facts,
                                                    .labels = {{"seed", network.seed}, {"network", name}},
                                                    .show = [&] { return show(network, trainer, about); }});
        TRY(train(training, from, to));
        auto model = TRY(m_store.keep(trainer.model(), m_run.folder, name, about));
        m_networks.push_back({network, std::move(model)});
        return m_run.folder.empty() ? Result<void>() : keepFiles(m_networks.back());
    }

    /// Says what the network's folder is, and keeps the heads of the first at the longest test.
    Result<void> keepFiles(const Network& network)
    {
        m_files.push_back({network.model.folder,
                           "network trained with " + formatChoice(network.label.trained) + " and seed " +
                               std::to_string(network.label.seed),
                           {}});
        if (m_networks.size() > 1)
            return {};
        const RecallTest test = testOf(network.label, whole("most") * trainLength(), 1);
        const RecallSequence sequence = recallSequence(test.settings, testStage(test.settings, test.length), 0);
        m_files.push_back(TRY(keepHeads(network.model, windowOf(sequence),
                                        TRY(pathInFolder(m_run.folder, "recall_qk.safetensors")), m_stop)));
        return {};
    }

    /// Pictures of a sequence of N tokens, and now and then a short test at every length.
    Result<void> show(const NetworkLabel& network, LanguageTrainer& trainer, const learn::LlamaFolder& about)
    {
        if (m_report.picturesDue()) {
            const RecallSettings tested = testOf(network, trainLength(), 1).settings;
            const RecallSequence sequence = recallSequence(tested, testStage(tested, trainLength()), 0);
            for (LabPicture& picture :
                 attentionPictures(trainer.model(), sequence.inputs,
                                   {.multipliers = trainer.settings().multipliers, .beta = trainer.settings().beta}))
                m_report.picture(std::move(picture));
        }
        if (previewDue(trainer.adam()))
            TRY(preview([&] { return testBriefly(network, trainer, about); }));
        m_report.live(m_previews);
        return {};
    }

    Result<void> testBriefly(const NetworkLabel& network, LanguageTrainer& trainer, const learn::LlamaFolder& about)
    {
        auto model = TRY(m_store.keep(trainer.model(), {}, "now", about));
        const Network now{network, std::move(model)};
        m_previews.clear();
        for (std::int64_t times = 1; times <= whole("most"); times *= 2) {
            const std::int64_t n = times * trainLength();
            const std::int64_t sequences = std::max<std::int64_t>(2, sequencesOfPreview / times);
            const Policy policy = policyOf(network.trained, {});
            const auto scores = TRY(scoreRecall(now.model, policy, testOf(network, n, sequences), m_stop));
            m_previews.push_back({m_lab.main, cellsOf(now, policy, n, scores, nullptr)});
        }
        return {};
    }

    static Policy policyOf(const Choice& method, const std::optional<Choice>& position)
    {
        Policy policy;
        policy.method = method;
        policy.position = position;
        return policy;
    }

    /// A network is tested that finds at N, as it was trained, the share asked for: of all that was told, and of what
    /// was told far before.
    Result<void> qualify()
    {
        const double wanted = m_parameters["qualified"];
        const auto far = static_cast<std::int64_t>(std::ceil(farFrom * static_cast<double>(trainLength())));
        std::vector<Network> qualified;
        for (Network& network : m_networks) {
            const auto scores = TRY(scoreRecall(network.model, policyOf(network.label.trained, {}),
                                                testOf(network.label, trainLength(), whole("sequences")), m_stop));
            const RecallShares shares = scores ? sharesOf(*scores, far) : RecallShares{NAN, NAN};
            const bool passes = shares.all >= wanted && (shares.far >= wanted || std::isnan(shares.far));
            m_report.row("networks", {{"seed", network.label.seed},
                                      {"trained", formatChoice(network.label.trained)},
                                      {"n", trainLength()},
                                      {"accuracy", present(shares.all)},
                                      {"far_from", far},
                                      {"far_accuracy", present(shares.far)},
                                      {"qualified", passes}});
            if (passes)
                qualified.push_back(std::move(network));
            else
                m_report.note("the network of seed " + std::to_string(network.label.seed) + ", trained with " +
                              formatChoice(network.label.trained) + ", finds " + percent(shares.all) +
                              " of what was told at N, and " + percent(shares.far) + " of what was told " +
                              std::to_string(far) + " tokens before or earlier, where " + percent(wanted) +
                              " is asked for: it is not tested beyond N; set more steps, or another seed");
        }
        m_networks = std::move(qualified);
        return {};
    }

    static std::string percent(double share) { return formatNumber(share, 3) + " %"; }

    std::vector<std::optional<Choice>> positionsTested() const
    {
        std::vector<std::optional<Choice>> tested(m_text.positions.begin(), m_text.positions.end());
        if (tested.empty())
            tested.push_back(std::nullopt);
        return tested;
    }

    Result<void> test()
    {
        double work = 0;
        for (std::int64_t times = 1; times <= whole("most"); times *= 2)
            work += effort(times * trainLength()) * static_cast<double>(m_networks.size());
        double done = 0;
        for (std::int64_t times = 1; times <= whole("most"); times *= 2)
            for (const Network& network : m_networks) {
                const std::int64_t n = times * trainLength();
                m_report.stage("testing n = " + std::to_string(n));
                for (const std::optional<Choice>& position : positionsTested()) {
                    TRY(testPositions(network, n, position));
                    done += effort(n) / static_cast<double>(positionsTested().size());
                    m_report.sendIfDue(shareOfRecallLearning + (1 - shareOfRecallLearning) * done / work);
                }
            }
        return {};
    }

    double effort(std::int64_t n) const { return static_cast<double>(n * sequencesAt(n)); }

    /// All methods, vanilla first, and a plain window of N tokens, which costs nothing and stands beside.
    Result<void> testPositions(const Network& network, std::int64_t n, const std::optional<Choice>& position)
    {
        std::vector<Policy> policies;
        for (const Choice& method : m_text.methods)
            policies.push_back(policyOf(method, position));
        std::stable_partition(policies.begin(), policies.end(),
                              [](const Policy& policy) { return isVanilla(policy.method); });
        policies.push_back(policyOf({std::string(vanillaId), {}, {}}, position));
        policies.back().mask = Choice{"window", {{"w", static_cast<double>(trainLength())}}, {}};
        std::optional<PolicyScores> vanilla;
        for (const Policy& policy : policies) {
            const auto scores =
                TRY(scoreRecall(network.model, policy, testOf(network.label, n, sequencesAt(n)), m_stop));
            if (isVanilla(policy.method) && !policy.mask)
                vanilla = scores;
            m_report.row(m_lab.main, cellsOf(network, policy, n, scores, vanilla ? &*vanilla : nullptr));
            if (scores && n == whole("most") * trainLength())
                for (LabCells& cells : recallCells(network.label, network.model, policy, languageTest(n), *scores))
                    m_report.row("distance", std::move(cells));
        }
        return {};
    }

    LanguageTest languageTest(std::int64_t n) const { return {.length = n, .windows = sequencesAt(n), .last = 0}; }

    LabCells cellsOf(const Network& network, const Policy& policy, std::int64_t n,
                     const std::optional<PolicyScores>& scores, const PolicyScores* vanilla) const
    {
        LabCells cells = qualityCells(network.label, network.model, policy, languageTest(n), scores, vanilla);
        const RecallTest test = testOf(network.label, n, sequencesAt(n));
        cells.emplace_back("percent", present(scores ? sharesOf(*scores, 0).all : NAN));
        cells.emplace_back("window", windowShare(test, trainLength()));
        cells.emplace_back("guessed", 100 * guessedShare(test.settings));
        return cells;
    }

    RecallText m_text;
    NetworkStore m_store;
    std::vector<Network> m_networks;  ///< those that qualify, once that is known
};

}  // namespace

Result<LabResult> runRecall(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress)
{
    return runExperiment<RecallExperiment>(run, lab, stop, progress);
}

}  // namespace attnscope
