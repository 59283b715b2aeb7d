// The lab `recall`: small Llamas learn multi-query associative recall, a task that no window of N tokens solves, and
// those that really use all N of them are tested on up to 16 N, under scale methods and positions.

#include "core/base/text.h"
#include "core/labs/lab_charts.h"
#include "core/labs/lab_parameters.h"
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

std::vector<Parameter> recallParameters()
{
    return {
        whole("steps", "training steps", 6000, 1, 1e7, "Of AdamW, each on a batch of sequences."),
        whole("networks", "networks", 1, 1, 100,
              "For each method to train with, one seed after another; several are compared over their seeds."),
        whole("seed", "seed", 1, 0, 1e12, "The weights at the start and the sequences are functions of it."),
        whole("length", "training length", 64, 8, 4096, "N: tokens of a sequence, at most, in training."),
        whole("batch", "sequences a step", 16, 1, 1024, "Of N tokens; of shorter ones as many more."),
        whole("layers", "layers", 2, 1, 64,
              "Of attention and feed-forward. Two are needed: one carries keys to their values, one finds them."),
        whole("width", "width", 64, 2, 4096, "Of the stream."),
        whole("inner", "inner width", 128, 1, 16384, "Of the feed-forward."),
        whole("heads", "heads", 1, 1, 256, "The head size is the width over these."),
        cosineFactor(),
        whole("pairs", "pairs", 4, 1, 1024, "D: keys told with their values, and asked for, in a sequence."),
        whole("keys", "keys", 16, 1, 16384, "Words that keys are chosen from."),
        whole("values", "values", 16, 2, 16384, "Words that values are chosen from."),
        whole("fillers", "fillers", 16, 1, 16384, "Words that stand everywhere else."),
        real("power", "power of the gaps", 1, 0.01, 1,
             "a: how far behind the pairs a key is asked for has the density a u^(a - 1); 1: all places alike."),
        real("scattered", "scattered", 0, 0, 1,
             "Share of the sequences, of training and of tests, whose pairs stand anywhere, each before its key is "
             "asked "
             "for; 0: all pairs come first."),
        real("copied", "copied", 0, 0, 1,
             "Share of the sequences that are copies: words drawn at random, then the same ones again, each of which "
             "asks for the next."),
        whole("skips", "skips", 0, 0, 64,
              "Places in training sequences where positions jump ahead, so that none is new in longer tests; 0: "
              "they stand at 0, 1, 2 and so on."),
        real("reach", "reach of skips", 16, 1, 1024, "To which they do, in N."),
        real("growth", "growth", 0.5, 0, 1,
             "Share of the steps in which sequences grow from 16 tokens to N, and values ask for the key before them."),
        learningRate(1e-3, "AdamW"),
        real("decay", "decay", 0, 0, 10, "Decoupled weight decay of the matrices."),
        clipping(),
        whole("warmup", "warm-up", 200, 1, 1e6, "Steps in which the rate rises."),
        whole("sequences", "test sequences", 256, 2, 1e6,
              "At N, as many fewer as they are longer, but 8 at least; every method sees the same."),
        whole("most", "longest test", 16, 1, 1024, "In N; tested are N, 2 N, 4 N and so on."),
        real("qualified", "qualified from", 95, 0, 100,
             "Per cent of what was told that a network must find at N, and of what was told three quarters of N "
             "before or earlier, to be tested beyond.")};
}

std::vector<LabChart> recallCharts()
{
    LabChart recall = againstLength("recall", "Recall in longer sequences", inTokens, "Found (%)", "percent");
    addReference(recall, "window", "who sees $N$ tokens");
    addReference(recall, "guessed", "guessed");
    return {lossOfTraining("nats an answer", "network"), accuracyInTraining("network"), recall,
            recallOverDistance("Recall against distance, in the longest sequences", "distance"), entropyOfHeads()};
}

}  // namespace

Lab recallLab()
{
    return {{"recall",
             "Recall of far pairs",
             "values of keys",
             "Arora et al. 2023 (Zoology)",
             "A small Llama learns which value each key was told with, at N tokens, and is asked at up to 16 N, among "
             "ever more fillers, under any scale method and positions. A network that does not find what was told N "
             "tokens before is not tested.",
             recallParameters(),
             {{"with the defaults", "recall", "about a minute of one core"},
              {"three seeds", "recall:networks=3", "compared over networks"},
              {"positions that jump", "recall:skips=2", "so that far ones are not new"},
              {"cosine", "recall:alpha=16", "Li et al. 2025, CosScale"},
              {"windows", "recall:\"vanilla; infoscale | rope; window:w=64; sink_window:w=64; lambda:w=64 |\"",
               "as a scheme beside positions, without a scale and with one"},
              {"needles", "recall:scattered=1", "pairs anywhere among the fillers"},
              {"copies", "recall:copied=1,fillers=992", "words, and the same ones again"}},
             "METHODS | POSITIONS | METHODS TO TRAIN WITH: scale methods or normalisers and positions or windows to "
             "test, with semicolons between them, and those in force in training, a network for each",
             "vanilla; softmax_plus; infoscale | rope; ntk; rerope:w=64 |"},
            qualityTable,
            "methods",
            recallCharts(),
            runExperiment<RecallExperiment>,
            {{"methods", attentionRows(false)}, positionsPart(true), {"train", attentionRows(true)}}};
}

}  // namespace attnscope
