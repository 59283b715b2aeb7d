#include "core/labs/language/language_experiment.h"

#include "core/labs/language/llama_experiment.h"
#include "core/statistics/samples.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr std::int64_t tokensOfPicture = 48;
constexpr std::int64_t mostTestBytes = 1 << 28;
constexpr double shareOfTraining = 0.7;
constexpr std::int64_t tokensOfPreview = 2048;  ///< of each length, while it learns
constexpr std::string_view choicesOfTesting[] = {"steps", "windows", "tokens", "last", "most"};

class LanguageExperiment : LlamaExperiment {
public:
    /// A model that is not causal is masked.
    LanguageExperiment(bool causal, const LabRun& run, const Lab& lab, std::stop_token stop,
                       const LabCallback& progress)
        : LlamaExperiment(causal ? "causal_lm" : "masked_lm", shareOfTraining, run, lab, std::move(stop), progress),
          m_causal(causal)
    {
    }

    Result<LabResult> operator()()
    {
        TRY(readText(m_causal));
        if (m_causal && trains() && m_parameters.on("log_n"))
            m_text.trained = {{"row_log", {}, {}}};
        if (m_causal)
            TRY(checkDivides("key_heads", "heads"));
        TRY(trains() ? makeText() : openShipped());
        const std::int64_t trainLength = trains() ? whole("length") : m_networks.front().model.architecture.trainLength;
        TRY(testAll(
            lengthsTested(trainLength), [&](std::int64_t n) { return static_cast<double>(n * windows(n)); },
            [&](const Network& network, std::int64_t n, const Placement& placement, const Done& done) {
                return testPlacement(
                    network, testOf(n), placement,
                    [&](const std::string& table, LabCells cells) { m_report.row(table, std::move(cells)); }, done);
            }));
        return finishTested();
    }

private:
    /// What a test finds goes there, a row of a table.
    using Sink = std::function<void(const std::string& table, LabCells)>;

    bool trains() const { return whole("steps") > 0; }
    std::int64_t longest(std::int64_t trainLength) const { return lengthsTested(trainLength).back(); }
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

    Result<void> checkShipped()
    {
        TRY(checkNoTraining({"the model that comes with the program", "set steps above 0 to train"},
                            [](const std::string& id) {
                                return std::ranges::find(choicesOfTesting, id) != std::end(choicesOfTesting);
                            }));
        if (!m_text.others["text"].empty())
            return failure(ErrorKind::InvalidArgument, "the model that comes with the program is tested on generated "
                                                       "text; attnscope model stories --text FILE tries it on another");
        return {};
    }

    /// Reads the text or makes it, and trains.
    Result<void> makeText()
    {
        m_report.stage("reading the text");
        m_report.send(0);
        m_corpus = TRY(makeCorpus({.file = m_text.others["text"],
                                   .bytes = static_cast<std::int64_t>(m_parameters["megabytes"] * 1e6),
                                   .testBytes = testBytes(longest(whole("length"))),
                                   .vocabulary = static_cast<int>(whole("vocabulary")),
                                   .seed = static_cast<std::uint64_t>(whole("seed"))},
                                  m_stop));
        const std::int64_t needed = longest(whole("length")) + 1;
        if (std::ssize(m_corpus.train) < whole("length") + 1 || std::ssize(m_corpus.test) < needed)
            return failure(ErrorKind::InvalidArgument,
                           "the text is too short: {} tokens to train on and {} to test on, and a window of {} is "
                           "wanted; give a longer text, or smaller length or most",
                           m_corpus.train.size(), m_corpus.test.size(), needed);
        return learnAll();
    }

    Result<void> openShipped()
    {
        TRY(checkShipped());
        auto model = TRY(openModel(shippedModel));
        const GeneratedText text =
            generatedText(testTextSeed, testBytes(longest(model.architecture.trainLength)), m_stop);
        if (m_stop.stop_requested())  // it may be shorter than asked for
            return stopped();
        m_corpus.test = TRY(encodeLines(*model.tokenizer, text.text, m_stop));
        m_corpus.recalls = recallsAmong(*model.tokenizer, m_corpus.test, text);
        m_networks.push_back({{}, std::move(model)});
        return {};
    }

    Result<Learning> learningOf(const NetworkLabel& network) const override
    {
        learn::LlamaShape shape = shapeOf(m_corpus.vocabulary);
        shape.causal = m_causal;
        if (m_causal) {
            shape.keyHeads = whole("key_heads");
        } else {
            shape.base = m_parameters["base"];
        }
        auto settings = TRY(settingsOf(network, shape, whole("length")));
        settings.parts = whole("parts");
        settings.dropout = m_parameters["dropout"];
        settings.hidden = m_causal ? 0 : m_parameters["hidden"];
        learn::Metadata facts = factsOf(settings, {});
        facts["text"] = m_corpus.origin;
        if (m_causal)
            facts["log_n"] = m_parameters.on("log_n") ? "1" : "0";
        else
            facts["trained"] = formatChoice(network.trained);
        learn::LlamaFolder about{.trainLength = whole("length"),
                                 .beginToken = 0,
                                 .tokenizer = m_corpus.tokenizerJson,
                                 .facts = std::move(facts)};
        if (!m_causal)
            std::swap(about.beginToken, about.maskToken);
        BatchSource batches = windowsOf(settings, m_corpus.train);
        return Learning{std::move(settings), std::move(batches), std::move(about)};
    }

    /// A network that predicts no better than the frequencies of the text's tokens, -sum p ln p nats, has learned
    /// nothing of what stands beside what. A batch's loss is of few tokens: asked is the mean over the last quarter of
    /// the training's rows.
    void learned(const std::string& name) override
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

    Result<Window> kept(const Network& network) const override
    {
        const Architecture& a = network.model.architecture;
        return windowOf(a, m_corpus.test, 0, std::min<std::int64_t>(4, whole("most")) * a.trainLength);
    }

    /// A sentence of the test text.
    Window pictured(const NetworkLabel&) const override
    {
        const auto n = std::min<std::ptrdiff_t>(tokensOfPicture, std::ssize(m_corpus.test));
        const auto first =
            m_corpus.test.begin() + std::min<std::ptrdiff_t>(whole("sentence"), std::ssize(m_corpus.test) - n);
        std::vector<int> ids(first, first + n);
        if (m_causal) {
            ids.insert(ids.begin(), 0);
            ids.pop_back();
        }
        return {std::move(ids), {}, {}};
    }

    /// A causal one's windows are long: it is not tested before it has learned.
    bool showsTests() const override { return !m_causal; }

    Result<void> testBriefly(const Network& now) override
    {
        for (const std::int64_t n : lengthsTested(whole("length")))
            TRY(testPlacement(
                now, {.length = n, .windows = std::max<std::int64_t>(2, tokensOfPreview / n), .last = 0},
                m_text.positions.front(),
                [&](const std::string& table, LabCells cells) {
                    m_previews.push_back({table, std::move(cells)});
                },
                [](double) {}));
        return {};
    }

    /// All methods with one choice of positions, and a window of a quarter of N.
    Result<void> testPlacement(const Network& network, LanguageTest test, const Placement& placement, const Sink& found,
                               const Done& done)
    {
        test.mask = placement.mask;
        const std::int64_t trainLength = network.model.architecture.trainLength;
        return scoreEach(
            policiesTested(network, placement, std::max<std::int64_t>(1, trainLength / 4)), placement,
            [&](const Policy& policy) { return scorePolicy(network.model, policy, m_corpus, test, m_stop); },
            [&](const Policy& policy, const std::optional<PolicyScores>& scores, const PolicyScores* vanilla) {
                found(m_lab.main, qualityCells(network.label, network.model, policy, test, scores, vanilla));
                if (scores && test.length == longest(trainLength) && !policy.mask)
                    for (LabCells& cells : recallCells(network.label, network.model, policy, test, *scores))
                        found("recall", std::move(cells));
            },
            done);
    }

    bool m_causal;
    LanguageCorpus m_corpus;
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
