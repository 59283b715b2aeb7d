// The labs of language models. `causal-lm` trains small Llamas (or takes the one that comes with the program) and tests
// how they predict at up to 16 times the length trained at, under scale methods and positions; `masked-lm` trains small
// encoders to find hidden tokens in windows of N and tests them at up to 16 N: the experiment of Su 2021, and of Li et
// al. 2025 with the cosine. Tests are of what is kept of a network, at up to many times the length trained at.

#include "core/labs/lab_charts.h"
#include "core/labs/lab_parameters.h"
#include "core/labs/language/llama_experiment.h"
#include "core/statistics/samples.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr std::string_view causalId = "causal-lm";
constexpr std::int64_t tokensOfPicture = 48;
constexpr std::int64_t mostTestBytes = 1 << 28;
constexpr double shareOfTraining = 0.7;
constexpr std::int64_t tokensOfPreview = 2048;  ///< of each length, while it learns
constexpr std::string_view choicesOfTesting[] = {"steps", "windows", "tokens", "last", "most"};

class LanguageExperiment : LlamaExperiment {
public:
    /// A model that is not causal is masked.
    LanguageExperiment(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress)
        : LlamaExperiment(lab.id == causalId ? "causal_lm" : "masked_lm", shareOfTraining, run, lab, std::move(stop),
                          progress),
          m_causal(lab.id == causalId)
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

/// What is a lab's own default of the parameters that both have.
struct LanguageDefaults {
    double steps, leastSteps, length, batch, layers, width, inner, heads, vocabulary, megabytes, rate;
};
std::vector<Parameter> languageParameters(const LanguageDefaults& d, const std::string& helpOnSteps,
                                          std::vector<Parameter> own)
{
    std::vector<Parameter> all{
        whole("steps", "training steps", d.steps, d.leastSteps, 1e7, helpOnSteps),
        whole("networks", "networks", 1, 1, 100,
              "Trained with one seed after another; each is tested, and several are compared over their seeds."),
        whole("seed", "seed", 1, 0, 999'999'999'900,  // with a hundred networks below testTextSeed
              "The weights at the start, the windows and the generated text are functions of it."),
        whole("length", "training length", d.length, 8, 16384, "N: tokens of a window in training."),
        whole("batch", "windows a step", d.batch, 1, 1024, "Each of N tokens."),
        whole("parts", "parts of a step", 1, 1, 1024,
              "In which its windows go through the network, one after another: the same step, to within rounding, in "
              "less memory; with dropout other draws."),
        whole("layers", "layers", d.layers, 1, 64, "Of attention and feed-forward."),
        whole("width", "width", d.width, 2, 4096, "Of the stream."),
        whole("inner", "inner width", d.inner, 1, 16384, "Of the feed-forward."),
        whole("heads", "heads", d.heads, 1, 256, "Query heads; the head size is the width over these."),
        whole("vocabulary", "vocabulary", d.vocabulary, 257, 65536,
              "Byte-level pieces, learned from the text; fewer where it has no more. The generated one has 843."),
        real("megabytes", "megabytes of text", d.megabytes, 0.01, 200,
             "Generated to train on; of a text of your own nine tenths are."),
        learningRate(d.rate, "AdamW"),
        matrixDecay(),
        real("dropout", "dropout", 0, 0, 0.9,
             "Of what layers write to the stream, in training: for texts that are short."),
        clipping(),
        warmup(),
        whole("sentence", "pictured from", 0, 0, 1e9,
              "Token of the test text at which the passage begins whose attention is shown while the network learns."),
        whole("most", "longest test", 16, 1, 1024, "In training lengths; tested are N, 2 N, 4 N and so on.")};
    std::ranges::move(own, std::back_inserter(all));
    return all;
}

std::vector<Parameter> causalLmParameters()
{
    return languageParameters({.steps = 1500,
                               .leastSteps = 0,
                               .length = 256,
                               .batch = 8,
                               .layers = 3,
                               .width = 96,
                               .inner = 256,
                               .heads = 6,
                               .vocabulary = 1024,
                               .megabytes = 4,
                               .rate = 3e-3},
                              "0 takes the model that comes with the program.",
                              {whole("key_heads", "key heads", 3, 1, 256, "Shared by the query heads."),
                               toggle("log_n", "train with log n", false,
                                      "Logits of a row are multiplied by ln n / ln N in training, n the keys that it "
                                      "sees: Su's and Scalable-Softmax's recipe. Test with softmax_plus:row=1."),
                               whole("windows", "test windows", 8, 1, 1000,
                                     "Of each length, as far apart as the text allows; every policy sees the same."),
                               whole("last", "predictions", 128, 0, 1e6,
                                     "The last ones of a window, which count, at most half of it; 0: all.")});
}

std::vector<LabChart> causalLmCharts()
{
    return {lossOfTraining("nats a token", "seed"),
            accuracyInTraining("seed"),
            perplexityOf("Perplexity on longer texts"),
            againstLength("recall", "Facts recalled", inTokens, "Recalled (%)", "recall"),
            recallOverDistance("Recall against distance, in the longest texts", "recall"),
            entropyOfHeads()};
}

std::vector<Parameter> maskedLmParameters()
{
    return languageParameters(
        {.steps = 1000,
         .leastSteps = 1,
         .length = 64,
         .batch = 32,
         .layers = 2,
         .width = 64,
         .inner = 128,
         .heads = 4,
         .vocabulary = 512,
         .megabytes = 3,
         .rate = 4e-3},
        "Of AdamW, a batch of windows each.",
        {cosineFactor(),
         real("base", "base of the positions", 10, 1.01, 1e9,
              "Rotary pair j turns by base^(-2j/d) a place. With 10 and d = 16 every pair goes round within N = 64, so "
              "that no angle beyond N is new; with the usual 10000 new angles spoil more than dispersion does."),
         real("hidden", "hidden share", 0.15, 0.01, 0.9, "Of the tokens of a window in training; in tests 15 % are."),
         whole("tokens", "test tokens", 16384, 64, 1e8,
               "Of each length, in as many windows as hold so many, two at least; every policy sees the same.")});
}

std::vector<LabChart> maskedLmCharts()
{
    return {lossOfTraining("nats a hidden token", "seed"),
            againstLength("accuracy", "Hidden tokens found in longer texts", inTokens, "Found (%)", "accuracy"),
            perplexityOf("Perplexity of hidden tokens"), entropyOfHeads(), accuracyInTraining("seed")};
}

}  // namespace

Lab causalLmLab()
{
    return {{std::string(causalId),
             "A language model",
             "next token",
             "Su 2021; Li et al. 2025 (InfoScale), tables 1 to 3",
             "A small Llama learns a text, generated stories or yours, at N tokens, and predicts it at up to 16 N "
             "under any scale method and positions; the generated stories ask for facts told long before.",
             causalLmParameters(),
             {{"with the defaults", "causal-lm", "makes the shipped model again"},
              {"small",
               "causal-lm:steps=1200,length=128,layers=2,width=64,inner=176,heads=4,key_heads=2,vocabulary=768,"
               "megabytes=3,rate=0.004",
               "the quickest that recalls"},
              {"larger", "causal-lm:steps=3000,layers=4,width=128,inner=344,heads=8,key_heads=4,megabytes=6",
               "4 layers, 128 wide"},
              {"the shipped model", "causal-lm:steps=0", "no training"},
              {"trained with log n", "causal-lm:log_n=1", "Su 2021; Scalable-Softmax 2025"}},
             "METHODS | POSITIONS | FILE: scale methods or normalisers and positions or windows to test, with "
             "semicolons between them, and a text of your own in place of the generated one",
             "vanilla; softmax_plus:row=1; infoscale:row=1 | rope; ntk; yarn_rope; rerope |"},
            qualityTable,
            "methods",
            causalLmCharts(),
            runExperiment<LanguageExperiment>,
            {{"methods", attentionRows(false)}, positionsPart(true), {"text"}}};
}

Lab maskedLmLab()
{
    return {
        {"masked-lm",
         "A masked language model",
         "find what is hidden",
         "Su 2021; Li et al. 2025 (InfoScale), tables 9 and 10",
         "A small encoder learns to find hidden tokens in windows of N, and does so at up to 16 N under any scale "
         "method and positions: vanilla attention disperses over ever more keys, and one that grows with ln n less.",
         maskedLmParameters(),
         {{"with the defaults", "masked-lm", "two minutes on two cores"},
          {"three seeds", "masked-lm:networks=3", "with a test over the seeds, in the table seeds"},
          {"Su's table", "masked-lm:networks=3,\"vanilla; softmax_plus:B=512 | rope | | vanilla; softmax_plus:B=512\"",
           "Su 2021: trained and tested with 1 and with ln n / ln 512"},
          {"cosine", "masked-lm:alpha=16", "Li et al. 2025, CosScale"},
          {"the usual base", "masked-lm:base=10000,\"vanilla; softmax_plus; infoscale | rope; ntk; rerope | |\"",
           "positions decide first"},
          {"larger", "masked-lm:steps=4000,layers=4,width=128,inner=344,heads=8,megabytes=6,rate=0.002",
           "4 layers, 128 wide, as labs of this kind are"}},
         "METHODS | POSITIONS | FILE | METHODS TO TRAIN WITH: scale methods or normalisers and positions or windows to "
         "test, with semicolons between them, a text of your own in place of the generated one, and those in force in "
         "training, a network for each",
         "vanilla; softmax_plus; infoscale | rope | |"},
        qualityTable,
        "methods",
        maskedLmCharts(),
        runExperiment<LanguageExperiment>,
        {{"methods", attentionRows(false)}, positionsPart(false), {"text"}, {"train", attentionRows(true)}}};
}

}  // namespace attnscope
