// What the lab `recall` does: small Llamas learn multi-query associative recall at N tokens, and those that really use
// all N of them are tested on up to 16 N, under scale methods and positions.

#include "core/labs/language/language_experiment.h"

#include "core/base/text.h"
#include "core/labs/language/llama_experiment.h"
#include "core/labs/recall/recall_evaluation.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr double shareOfRecallLearning = 0.6;  ///< of the run's progress
constexpr double farFrom = 0.75;               ///< in N: what is told so long before, or longer, is far
constexpr std::int64_t sequencesOfPreview = 16;

class RecallExperiment : LlamaExperiment {
public:
    RecallExperiment(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress)
        : LlamaExperiment("recall", shareOfRecallLearning, run, lab, std::move(stop), progress)
    {
    }

    Result<LabResult> operator()()
    {
        TRY(readText());
        TRY(check());
        TRY(learnAll());
        TRY(qualify());
        TRY(testAll(
            lengthsTested(trainLength()), [&](std::int64_t n) { return static_cast<double>(n * sequencesAt(n)); },
            [&](const Network& network, std::int64_t n, const Placement& placement, const Done& done) {
                return testPlacement(network, n, placement, done);
            }));
        return finishTested();
    }

private:
    std::int64_t trainLength() const { return whole("length"); }

    RecallSettings settings(std::uint64_t seed) const { return recallSettings(m_parameters, seed); }

    RecallTest testOf(const NetworkLabel& network, std::int64_t n, std::int64_t sequences) const
    {
        return {settings(recallTestSeed + static_cast<std::uint64_t>(network.seed)), n, sequences};
    }

    /// As many fewer as they are longer, but for 8.
    std::int64_t sequencesAt(std::int64_t n) const
    {
        return std::max(std::min<std::int64_t>(8, whole("sequences")), whole("sequences") * trainLength() / n);
    }

    Result<void> check() const
    {
        if (trainLength() % 2 != 0 || 4 * whole("pairs") > trainLength())
            return failure(ErrorKind::InvalidArgument,
                           "length must be even and at least four times pairs: a key, its value, and a place to ask "
                           "for it with a filler behind");
        if (whole("pairs") > whole("keys"))
            return failure(ErrorKind::InvalidArgument,
                           "keys must be at least as many as pairs: those of a sequence are distinct");
        return {};
    }

    Result<Learning> learningOf(const NetworkLabel& network) const override
    {
        const auto how = TRY(settingsOf(network, shapeOf(settings(0).words()), trainLength()));
        auto facts = factsOf(
            how, {"pairs", "keys", "values", "fillers", "power", "scattered", "copied", "skips", "reach", "growth"});
        facts["trained"] = formatChoice(network.trained);
        return Learning{how,
                        recallBatches(settings(static_cast<std::uint64_t>(network.seed)),
                                      whole("batch") * trainLength(), whole("steps"), m_parameters["growth"]),
                        {.trainLength = trainLength(),
                         .beginToken = {},
                         .maskToken = {},
                         .tokenizer = recallTokenizer(settings(0)),
                         .facts = std::move(facts),
                         .bfloat16 = false}};
    }

    /// The first sequence of the test at n tokens.
    Window firstWindow(const NetworkLabel& network, std::int64_t n) const
    {
        const RecallSettings tested = testOf(network, n, 1).settings;
        return windowOf(recallSequence(tested, testStage(tested, n), 0));
    }
    Window pictured(const NetworkLabel& network) const override { return firstWindow(network, trainLength()); }
    Result<Window> kept(const Network& network) const override
    {
        return firstWindow(network.label, whole("most") * trainLength());
    }

    Result<void> testBriefly(const Network& now) override
    {
        const Policy policy = attentionPolicy(now.label.trained);
        for (const std::int64_t n : lengthsTested(trainLength())) {
            const std::int64_t sequences = std::max<std::int64_t>(2, sequencesOfPreview * trainLength() / n);
            const auto scores = TRY(scoreRecall(now.model, policy, testOf(now.label, n, sequences), m_stop));
            const double window = TRY(shareOfWindow(now, n));
            m_previews.push_back({m_lab.main, cellsOf(now, policy, languageTest(n, {}), scores, nullptr, window)});
        }
        return {};
    }

    /// A network is tested that finds at N, as it was trained, the share asked for: of all that was told, and of what
    /// was told far before.
    Result<void> qualify()
    {
        const double wanted = m_parameters["qualified"];
        const auto far = static_cast<std::int64_t>(std::ceil(farFrom * static_cast<double>(trainLength())));
        std::vector<Network> qualified;
        for (Network& network : m_networks) {
            const auto scores = TRY(scoreRecall(network.model, attentionPolicy(network.label.trained),
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
                m_report.note(fmt::format("the network of seed {}, trained with {}, finds {} of what was told at N, "
                                          "and {} of what was told {} tokens before or earlier, where {} is asked for: "
                                          "it is not tested beyond N; set more steps, or another seed",
                                          network.label.seed, formatChoice(network.label.trained), percent(shares.all),
                                          percent(shares.far), far, percent(wanted)));
        }
        m_networks = std::move(qualified);
        return {};
    }

    static std::string percent(double share) { return formatNumber(share, 3) + " %"; }

    Result<void> testPlacement(const Network& network, std::int64_t n, const Placement& placement, const Done& done)
    {
        const auto score = [&](const Policy& policy) {
            return scoreRecall(network.model, policy, testOf(network.label, n, sequencesAt(n)), m_stop);
        };
        const double window = TRY(shareOfWindow(network, n));
        return scoreEach(
            policiesTested(network, placement, trainLength()), placement, score,
            [&](const Policy& policy, const std::optional<PolicyScores>& scores, const PolicyScores* vanilla) {
                const LanguageTest test = languageTest(n, placement);
                m_report.row(m_lab.main, cellsOf(network, policy, test, scores, vanilla, window));
                if (scores && n == lengthsTested(trainLength()).back())
                    for (LabCells& cells : recallCells(network.label, network.model, policy, test, *scores))
                        m_report.row("distance", std::move(cells));
            },
            done);
    }

    /// What a window of N keys would find there.
    Result<double> shareOfWindow(const Network& network, std::int64_t n) const
    {
        return windowShare(testOf(network.label, n, sequencesAt(n)), trainLength(), m_stop);
    }

    LanguageTest languageTest(std::int64_t n, const Placement& placement) const
    {
        return {.length = n, .windows = sequencesAt(n), .last = 0, .mask = placement.mask};
    }

    LabCells cellsOf(const Network& network, const Policy& policy, const LanguageTest& asked,
                     const std::optional<PolicyScores>& scores, const PolicyScores* vanilla, double window) const
    {
        LabCells cells = qualityCells(network.label, network.model, policy, asked, scores, vanilla);
        cells.emplace_back("percent", present(scores ? sharesOf(*scores, 0).all : NAN));
        cells.emplace_back("window", window);
        cells.emplace_back("guessed", 100 * guessedShare(settings(0), asked.length));
        return cells;
    }
};

}  // namespace

Result<LabResult> runRecall(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress)
{
    return runExperiment<RecallExperiment>(run, lab, stop, progress);
}

}  // namespace attnscope
