#include "core/labs/language/language_experiment.h"

#include "core/labs/experiment.h"
#include "core/labs/language/language_evaluation.h"
#include "core/labs/language/language_network.h"
#include "core/labs/language/language_trainer.h"
#include "core/labs/language/language_views.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/samples.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace attnscope {

namespace {

constexpr std::int64_t tokensOfPicture = 48;
constexpr std::int64_t mostTestBytes = 1 << 28;
constexpr double shareOfTraining = 0.7;
constexpr std::int64_t tokensOfPreview = 2048;  ///< of each length, while it learns
constexpr std::string_view choicesOfTesting[] = {"steps", "windows", "tokens", "last", "most"};

class LanguageExperiment : Experiment {
public:
    /// A model that is not causal is masked.
    LanguageExperiment(bool causal, const LabRun& run, const Lab& lab, std::stop_token stop,
                       const LabCallback& progress)
        : Experiment(run, lab, std::move(stop), progress), m_causal(causal)
    {
    }

    Result<LabResult> operator()()
    {
        m_text = TRY(parseLanguageText(m_parameters.text(), m_lab.textParts.size()));
        if (m_causal && trains() && m_parameters.on("log_n"))
            m_text.trained = {{"row_log", {}, {}}};
        TRY(check());
        TRY(obtain());
        TRY(test());
        return finish(whole("networks") > 1 ? seedCells(m_report.rows()) : std::vector<LabCells>());
    }

private:
    struct Network {
        NetworkLabel label;
        Model model;
    };
    /// What a test finds goes there, a row of a table.
    using Sink = std::function<void(const std::string& table, LabCells)>;

    std::string files() const { return m_causal ? "causal_lm" : "masked_lm"; }  ///< how their names begin
    bool trains() const { return whole("steps") > 0; }
    double afterTraining() const { return trains() ? shareOfTraining : 0; }
    std::int64_t longest(std::int64_t trainLength) const { return whole("most") * trainLength; }
    /// Windows of the test at n. A masked model's many short ones hide as many tokens as few long ones.
    std::int64_t windows(std::int64_t n) const
    {
        return m_causal ? whole("windows") : std::max<std::int64_t>(2, whole("tokens") / n);
    }
    LanguageTest testOf(std::int64_t n) const
    {
        return {.length = n, .windows = windows(n), .last = m_causal ? whole("last") : 0};
    }
    /// Bytes of generated text that hold all windows of the longest test apart from each other; a token is five bytes
    /// at most on average.
    std::int64_t testBytes(std::int64_t n) const
    {
        return std::min<std::int64_t>(6 * n * (windows(n) + 1), mostTestBytes);
    }

    Result<void> check()
    {
        TRY(checkDivides("heads", "width"));
        if (m_causal)
            TRY(checkDivides("key_heads", "heads"));
        if (whole("width") / whole("heads") % 2 != 0)
            return failure(ErrorKind::InvalidArgument,
                           "width over heads must be even: rotary positions turn coordinates in pairs");
        return trains() ? Result<void>() : checkShipped();
    }

    Result<void> checkShipped() const
    {
        TRY(checkNoTraining({"the model that comes with the program", "set steps above 0 to train"},
                            [](const std::string& id) {
                                return std::ranges::find(choicesOfTesting, id) != std::end(choicesOfTesting);
                            }));
        if (!m_text.file.empty())
            return failure(ErrorKind::InvalidArgument, "the model that comes with the program is tested on generated "
                                                       "text; attnscope model stories --text FILE tries it on another");
        return {};
    }

    Result<void> obtain()
    {
        if (!trains())
            return openShipped();
        m_report.stage("reading the text");
        m_report.send(0);
        m_corpus = TRY(makeCorpus({.file = m_text.file,
                                   .bytes = static_cast<std::int64_t>(m_parameters["megabytes"] * 1e6),
                                   .testBytes = testBytes(longest(whole("length"))),
                                   .vocabulary = static_cast<int>(whole("vocabulary")),
                                   .seed = static_cast<std::uint64_t>(whole("seed"))}));
        const std::int64_t needed = longest(whole("length")) + 1;
        if (std::ssize(m_corpus.train) < whole("length") + 1 || std::ssize(m_corpus.test) < needed)
            return failure(ErrorKind::InvalidArgument,
                           "the text is too short: " + std::to_string(m_corpus.train.size()) +
                               " tokens to train on and " + std::to_string(m_corpus.test.size()) +
                               " to test on, and a window of " + std::to_string(needed) +
                               " is wanted; give a longer text, or smaller length or most");
        const std::int64_t methods = std::ssize(m_text.trained);
        return trainEach(whole("networks") * methods, shareOfTraining, "network",
                         [&](std::int64_t network, double from, double to) {
                             return learn({whole("seed") + network / methods,
                                           m_text.trained[static_cast<std::size_t>(network % methods)]},
                                          from, to);
                         });
    }

    Result<void> openShipped()
    {
        auto model = TRY(openModel(shippedModel));
        const GeneratedText text = generatedText(testTextSeed, testBytes(longest(model.architecture.trainLength)));
        m_corpus.test = TRY(encodeLines(*model.tokenizer, text.text));
        m_corpus.recalls = recallsAmong(*model.tokenizer, m_corpus.test, text);
        m_networks.push_back({{}, std::move(model)});
        return {};
    }

    Result<LanguageSettings> settingsOf(const NetworkLabel& network) const
    {
        const learn::LlamaShape shape{.layers = whole("layers"),
                                      .width = whole("width"),
                                      .inner = whole("inner"),
                                      .heads = whole("heads"),
                                      .keyHeads = whole(m_causal ? "key_heads" : "heads"),
                                      .vocabulary = m_corpus.vocabulary,
                                      .base = m_causal ? learn::LlamaShape().base : m_parameters["base"],
                                      .causal = m_causal,
                                      .alpha = m_causal ? 0 : m_parameters["alpha"]};
        auto attention = TRY(trainingAttention(network.trained, shape, whole("length")));
        return LanguageSettings{.shape = shape,
                                .length = whole("length"),
                                .batch = whole("batch"),
                                .parts = whole("parts"),
                                .steps = whole("steps"),
                                .warmup = whole("warmup"),
                                .rate = m_parameters["rate"],
                                .decay = m_parameters["decay"],
                                .clip = m_parameters["clip"],
                                .dropout = m_parameters["dropout"],
                                .hidden = m_causal ? 0 : m_parameters["hidden"],
                                .multipliers = std::move(attention.multipliers),
                                .seed = static_cast<std::uint64_t>(network.seed)};
    }

    learn::Metadata metadataOf(const NetworkLabel& network, const LanguageSettings& settings) const
    {
        learn::Metadata facts = settings.metadata();
        facts["lab"] = m_lab.id;
        facts["text"] = m_corpus.origin;
        if (m_causal)
            facts["log_n"] = m_parameters.on("log_n") ? "1" : "0";
        else
            facts["trained"] = formatChoice(network.trained);
        return facts;
    }

    /// "masked_lm_seed1", "masked_lm_softmax_plus_seed1", where two have one id "masked_lm_softmax_plus_2_seed1".
    std::string nameOf(const NetworkLabel& network) const
    {
        return files() + (m_causal ? "" : trainedSuffix(m_text.trained, network.trained)) + "_seed" +
               std::to_string(network.seed);
    }

    Result<void> learn(const NetworkLabel& network, double from, double to)
    {
        const auto settings = TRY(settingsOf(network));
        LanguageTrainer trainer(settings, windowsOf(settings, m_corpus.train));
        LabCells labels{{"seed", network.seed}};
        if (m_text.trained.size() > 1)
            labels.emplace_back("network", nameOf(network));
        const Training training = stepsOf(
            trainer, {.name = nameOf(network), .facts = metadataOf(network, settings), .labels = labels, .show = [&] {
                          return show(network, trainer);
                      }});
        TRY(train(training, from, to));
        noteIfNothingWasLearned(training.name);
        auto model = TRY(keep(trainer.model(), training.name, training.facts, m_run.folder));
        m_networks.push_back({network, std::move(model)});
        return m_run.folder.empty() ? Result<void>() : keepFiles(m_networks.back());
    }

    /// A network that predicts no better than the frequencies of the text's tokens, -sum p ln p nats, has learned
    /// nothing of what stands beside what. A batch's loss is of few tokens: asked is the mean over the last quarter of
    /// the training's rows.
    void noteIfNothingWasLearned(const std::string& name)
    {
        std::vector<double> losses;  // from the last on; steps fall until another network's training
        double step = INFINITY;
        for (auto row = m_report.rows().rbegin(); row != m_report.rows().rend(); ++row)
            if (row->table == "training") {
                if (!(row->number("step") < step))
                    break;
                step = row->number("step");
                losses.push_back(row->number("loss"));
            }
        losses.resize((losses.size() + 3) / 4);
        const double ended = sampleMean(losses).mean, entropy = lossOfFrequencies(m_corpus.train);
        if (!losses.empty() && !(ended < entropy))
            m_report.note(name + ": the training did not learn, its loss ended at " + formatNumber(ended, 3) +
                          ", and how often each token comes gives " + formatNumber(entropy, 3) +
                          " alone; set a lower rate, or more steps");
    }

    Result<Model> keep(learn::Llama& model, const std::string& name, const learn::Metadata& facts,
                       const std::string& folder)
    {
        learn::LlamaFolder about{.trainLength = whole("length"),
                                 .beginToken = 0,
                                 .maskToken = {},
                                 .tokenizer = m_corpus.tokenizerJson,
                                 .facts = facts};
        if (!m_causal)
            std::swap(about.beginToken, about.maskToken);
        return m_store.keep(model, folder, name, about);
    }

    /// Says what the network's folder is, and keeps the heads of the first.
    Result<void> keepFiles(const Network& network)
    {
        m_files.push_back({network.model.folder,
                           "language model trained with " +
                               (isVanilla(network.label.trained) ? "" : formatChoice(network.label.trained) + " and ") +
                               "seed " + std::to_string(network.label.seed) + ", for attnscope model",
                           {}});
        if (m_networks.size() > 1)
            return {};
        const Architecture& a = network.model.architecture;
        const auto window =
            TRY(windowOf(a, m_corpus.test, 0, std::min<std::int64_t>(4, whole("most")) * a.trainLength));
        m_files.push_back(TRY(
            keepHeads(network.model, window, TRY(pathInFolder(m_run.folder, files() + "_qk.safetensors")), m_stop)));
        return {};
    }

    /// Pictures of a sentence of the test text; and of a masked model how it does at every length so far.
    Result<void> show(const NetworkLabel& network, LanguageTrainer& trainer)
    {
        if (m_report.picturesDue()) {
            const auto n = std::min<std::ptrdiff_t>(tokensOfPicture, std::ssize(m_corpus.test));
            const auto first =
                m_corpus.test.begin() + std::min<std::ptrdiff_t>(whole("sentence"), std::ssize(m_corpus.test) - n);
            std::vector<int> ids(first, first + n);
            if (m_causal) {
                ids.insert(ids.begin(), 0);
                ids.pop_back();
            }
            for (LabPicture& picture :
                 attentionPictures(trainer.model(), ids, {.multipliers = trainer.settings().multipliers}))
                m_report.picture(std::move(picture));
        }
        if (!m_causal && previewDue(trainer.adam()))
            TRY(preview([&] { return testBriefly(network, trainer); }));
        m_report.live(m_previews);
        return {};
    }

    Result<void> testBriefly(const NetworkLabel& network, LanguageTrainer& trainer)
    {
        auto model = TRY(keep(trainer.model(), "now", {}, {}));
        const Network now{network, std::move(model)};
        std::erase_if(m_previews, [&](const LabRow& row) {
            return row.number("seed") == static_cast<double>(network.seed) &&
                   *row.find("trained") == LabValue(formatChoice(network.trained));
        });
        for (std::int64_t times = 1; times <= whole("most"); times *= 2) {
            const std::int64_t n = times * whole("length");
            const LanguageTest test{.length = n, .windows = std::max<std::int64_t>(2, tokensOfPreview / n), .last = 0};
            TRY(testPositions(now, test, positionsTested().front(), [&](const std::string& table, LabCells cells) {
                m_previews.push_back({table, std::move(cells)});
            }));
        }
        return {};
    }

    std::vector<std::optional<Choice>> positionsTested() const
    {
        std::vector<std::optional<Choice>> tested(m_text.positions.begin(), m_text.positions.end());
        if (tested.empty())
            tested.push_back(std::nullopt);
        return tested;
    }

    Result<void> test()
    {
        const std::vector<std::optional<Choice>> positions = positionsTested();
        const auto effort = [&](std::int64_t n) { return static_cast<double>(n * windows(n)); };
        double work = 0, done = 0;
        for (std::int64_t times = 1; times <= whole("most"); times *= 2)
            for (const Network& network : m_networks)
                work += effort(times * network.model.architecture.trainLength);
        for (std::int64_t times = 1; times <= whole("most"); times *= 2)
            for (const Network& network : m_networks) {
                const LanguageTest test = testOf(times * network.model.architecture.trainLength);
                m_report.stage("testing n = " + std::to_string(test.length));
                for (const std::optional<Choice>& position : positions)
                    TRY(testPositions(network, test, position, [&](const std::string& table, LabCells cells) {
                        m_report.row(table, std::move(cells));
                        if (table != m_lab.main)
                            return;
                        done +=
                            effort(test.length) / static_cast<double>(positions.size() * (m_text.methods.size() + 1));
                        m_report.sendIfDue(afterTraining() + (1 - afterTraining()) * done / work);
                    }));
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

    /// All methods with one choice of positions.
    Result<void> testPositions(const Network& network, const LanguageTest& test, const std::optional<Choice>& position,
                               const Sink& found)
    {
        const auto score = [&](const Choice& method) {
            return scorePolicy(network.model, policyOf(method, position), m_corpus, test, m_stop);
        };
        std::optional<PolicyScores> vanilla;
        const auto asked = std::ranges::find_if(m_text.methods, [](const Choice& method) { return isVanilla(method); });
        if (asked != m_text.methods.end())
            vanilla = TRY(score(*asked));
        for (const Choice& method : m_text.methods) {
            const auto scores = TRY(isVanilla(method) ? Result<std::optional<PolicyScores>>(vanilla) : score(method));
            const Policy policy = policyOf(method, position);
            found(m_lab.main,
                  qualityCells(network.label, network.model, policy, test, scores, vanilla ? &*vanilla : nullptr));
            if (scores && test.length == longest(network.model.architecture.trainLength))
                for (LabCells& cells : recallCells(network.label, network.model, policy, test, *scores))
                    found("recall", std::move(cells));
        }
        return testWindow(network, test, position, vanilla, found);
    }

    /// What costs nothing and stands beside every scale: vanilla attention that sees a quarter of N alone.
    Result<void> testWindow(const Network& network, const LanguageTest& test, const std::optional<Choice>& position,
                            const std::optional<PolicyScores>& vanilla, const Sink& found)
    {
        const double width = static_cast<double>(std::max<std::int64_t>(1, network.model.architecture.trainLength / 4));
        Policy policy = policyOf({std::string(vanillaId), {}, {}}, position);
        policy.mask = Choice{"window", {{"w", width}}, {}};
        if (!m_causal)
            policy.mask->values["causal"] = 0;
        const auto scores = TRY(scorePolicy(network.model, policy, m_corpus, test, m_stop));
        found(m_lab.main,
              qualityCells(network.label, network.model, policy, test, scores, vanilla ? &*vanilla : nullptr));
        return {};
    }

    bool m_causal;
    LanguageText m_text;
    LanguageCorpus m_corpus;
    NetworkStore m_store;
    std::vector<Network> m_networks;
};

}  // namespace

Result<LabResult> runCausalLm(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress)
{
    return LanguageExperiment(true, run, lab, std::move(stop), progress)();
}

Result<LabResult> runMaskedLm(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress)
{
    return LanguageExperiment(false, run, lab, std::move(stop), progress)();
}

}  // namespace attnscope
