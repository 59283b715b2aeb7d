// The lab `causal-lm`: trains small Llamas (or takes the one that comes with the program) and tests how they predict at up to 16 times
// the length trained at, under scale methods and positions.

#include "core/base/parameter.h"
#include "core/labs/causal_lm_evaluation.h"
#include "core/labs/causal_lm_trainer.h"
#include "core/labs/lab_rows.h"
#include "core/labs/training_loop.h"
#include "core/learn/llama_folder.h"
#include "core/model/head_recorder.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include <unistd.h>

namespace attnscope {

namespace {

constexpr std::int64_t rowsOfCurve = 200, tokensOfPicture = 48;
constexpr std::int64_t mostTestBytes = 1 << 28;
constexpr double shareOfTraining = 0.7;
constexpr std::string_view choicesOfTraining[] = {"networks", "seed", "length", "batch", "layers", "width", "inner", "heads", "key_heads", "vocabulary", "megabytes", "rate", "decay", "clip", "warmup", "log_n"};

/// A folder that goes with the value.
class TemporaryFolder {
public:
    TemporaryFolder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "attnscope-XXXXXX").string();
        if (::mkdtemp(name.data()))
            m_path = name;
    }
    ~TemporaryFolder()
    {
        std::error_code ignored;
        if (!m_path.empty())
            std::filesystem::remove_all(m_path, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::string& path() const { return m_path; }

private:
    std::string m_path;
};

class CausalLmExperiment {
public:
    CausalLmExperiment(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress)
        : m_run(run), m_lab(lab), m_parameters(lab, run.choice), m_stop(std::move(stop)), m_report(progress, "preparing")
    {
    }

    Result<LabResult> operator()()
    {
        auto text = parseCausalLmText(m_parameters.text());
        if (!text)
            return tl::unexpected(text.error());
        m_text = std::move(*text);
        for (Result<void> (CausalLmExperiment::*part)() : {&CausalLmExperiment::check, &CausalLmExperiment::obtain, &CausalLmExperiment::test})
            if (const Result<void> done = (this->*part)(); !done)
                return tl::unexpected(done.error());
        m_report.send(1);
        return LabResult{inOrder(m_report.rows(), m_lab.main), m_files};
    }

private:
    std::int64_t whole(const char* id) const { return static_cast<std::int64_t>(m_parameters[id]); }
    bool trains() const { return whole("steps") > 0; }
    double afterTraining() const { return trains() ? shareOfTraining : 0; }
    /// Bytes of generated text that hold all windows of the longest test apart from each other; a token is five bytes at most on average.
    std::int64_t testBytes(std::int64_t longest) const { return std::min<std::int64_t>(6 * longest * (whole("windows") + 1), mostTestBytes); }

    Result<void> check()
    {
        const auto divides = [&](const char* part, const char* of) -> Result<void> {
            return whole(of) % whole(part) == 0 ? Result<void>() : failure(ErrorKind::InvalidArgument, std::string(part) + " must divide " + of);
        };
        for (const Result<void>& good : {divides("heads", "width"), divides("key_heads", "heads")})
            if (!good)
                return good;
        if (whole("width") / whole("heads") % 2 != 0)
            return failure(ErrorKind::InvalidArgument, "width over heads must be even: rotary positions turn coordinates in pairs");
        if (trains())
            return {};
        if (m_run.resume && holdsCheckpoint(m_run.folder))
            return failure(ErrorKind::InvalidArgument, m_run.folder + " holds a training, and with steps = 0 there is none to resume; set steps as in that run, or give another folder");
        for (const Parameter& parameter : m_lab.parameters)  // else they would have no effect, and nobody be told
            if (std::ranges::find(choicesOfTraining, parameter.id) != std::end(choicesOfTraining) && m_parameters[parameter.id] != parameter.byDefault)
                return failure(ErrorKind::InvalidArgument, parameter.id + " is a choice of training, and the model that comes with the program is trained already; "
                                                           "set steps above 0 to train, or " + parameter.id + " to " + formatNumber(parameter.byDefault));
        if (!m_text.file.empty())
            return failure(ErrorKind::InvalidArgument, "the model that comes with the program is tested on generated text; attnscope model stories --text FILE tries it on another");
        return {};
    }

    Result<void> obtain()
    {
        if (!trains()) {
            auto model = openModel(shippedModel);
            if (!model)
                return tl::unexpected(model.error());
            const GeneratedText text = generatedText(testTextSeed, testBytes(whole("most") * model->architecture.trainLength));
            auto ids = encodeLines(*model->tokenizer, text.text);
            if (!ids)
                return tl::unexpected(ids.error());
            m_corpus.test = std::move(*ids);
            m_corpus.recalls = recallsAmong(*model->tokenizer, m_corpus.test, text);
            m_models.push_back({1, std::move(*model)});
            return {};
        }
        m_report.stage("reading the text");
        m_report.send(0);
        auto corpus = makeCorpus({.file = m_text.file, .bytes = static_cast<std::int64_t>(m_parameters["megabytes"] * 1e6), .testBytes = testBytes(whole("most") * whole("length")),
                                  .vocabulary = static_cast<int>(whole("vocabulary")), .seed = static_cast<std::uint64_t>(whole("seed"))});
        if (!corpus)
            return tl::unexpected(corpus.error());
        m_corpus = std::move(*corpus);
        const std::int64_t needed = whole("length") * whole("most") + 1;
        if (std::ssize(m_corpus.train) < whole("length") + 1 || std::ssize(m_corpus.test) < needed)
            return failure(ErrorKind::InvalidArgument, "the text is too short: " + std::to_string(m_corpus.train.size()) + " tokens to train on and " + std::to_string(m_corpus.test.size()) +
                                                           " to test on, and a window of " + std::to_string(needed) + " is wanted; give a longer text, or smaller length or most");
        for (std::int64_t network = 0; network < whole("networks"); ++network)
            if (const Result<void> trained = train(network); !trained)
                return trained;
        return {};
    }

    CausalLmSettings settings(std::int64_t network) const
    {
        return {.shape = {.layers = whole("layers"), .width = whole("width"), .inner = whole("inner"), .heads = whole("heads"), .keyHeads = whole("key_heads"), .vocabulary = m_corpus.vocabulary},
                .length = whole("length"), .batch = whole("batch"), .steps = whole("steps"), .warmup = whole("warmup"), .rate = m_parameters["rate"], .decay = m_parameters["decay"],
                .clip = m_parameters["clip"], .logN = m_parameters.on("log_n"), .seed = static_cast<std::uint64_t>(whole("seed") + network)};
    }

    Result<void> train(std::int64_t network)
    {
        CausalLmTrainer trainer(settings(network), m_corpus.train);
        const std::int64_t seed = whole("seed") + network, steps = whole("steps");
        m_report.stage(whole("networks") == 1 ? "training" : "training network " + std::to_string(network + 1) + " of " + std::to_string(whole("networks")));
        learn::Metadata facts = trainer.settings().metadata();
        facts["text"] = m_corpus.origin;
        const Training training{
            .name = "causal_lm_seed" + std::to_string(seed), .facts = facts, .weights = trainer.weights(), .adam = &trainer.adam(), .unit = "step", .measures = {"loss", "accuracy"},
            .labels = {{"seed", seed}}, .total = steps, .unitsPerRow = std::max<std::int64_t>(1, steps / rowsOfCurve),
            .advance = [&] {
                const CausalLmTrainer::Step step = trainer.step();
                return std::vector{step.loss, 100 * step.accuracy};
            },
            .show = [&]() -> Result<void> {
                if (m_report.picturesDue())
                    addPictures(trainer.model());
                return {};
            }};
        const double share = shareOfTraining / static_cast<double>(whole("networks")), from = share * static_cast<double>(network);
        if (const auto seconds = attnscope::train(training, m_run, m_stop, m_report, from, from + share); !seconds)
            return tl::unexpected(seconds.error());
        if (m_run.folder.empty() && m_temporary.emplace().path().empty())
            return failure(ErrorKind::NotWritable, "no folder can be made in " + std::filesystem::temp_directory_path().string() + " to keep the network in; give one with --out");
        const Result<std::string> folder = pathInFolder(m_run.folder.empty() ? m_temporary->path() : m_run.folder, training.name);
        if (!folder)
            return tl::unexpected(folder.error());
        if (const auto saved = learn::saveLlama(*folder, trainer.model(), {.trainLength = whole("length"), .beginToken = 0, .tokenizer = m_corpus.tokenizerJson, .facts = facts}); !saved)
            return saved;
        auto model = openModel(*folder);  // the tests are of what is kept
        if (!model)
            return tl::unexpected(model.error());
        m_models.push_back({seed, std::move(*model)});
        if (m_run.folder.empty())
            return {};
        m_files.push_back({*folder, "language model trained with seed " + std::to_string(seed) + ", for attnscope model", {}});
        return network == 0 ? keepHeads(m_models.back().model) : Result<void>();
    }

    /// Attention of every layer, the mean of its heads, over the beginning of the test text.
    void addPictures(learn::Llama& model)
    {
        const std::int64_t n = std::min<std::int64_t>(tokensOfPicture, std::ssize(m_corpus.test));
        std::vector<int> ids{0};
        ids.insert(ids.end(), m_corpus.test.begin(), m_corpus.test.begin() + (n - 1));
        learn::Tape tape;
        model(tape, ids, 1);
        const learn::LlamaShape& shape = model.shape();
        const Eigen::Index d = shape.headSize();
        for (std::size_t layer = 0; layer < model.turned().size(); ++layer) {
            const auto q = tape.value(model.turned()[layer].queries), k = tape.value(model.turned()[layer].keys);
            Eigen::MatrixXf mean = Eigen::MatrixXf::Zero(n, n);
            for (Eigen::Index head = 0; head < shape.heads; ++head)
                for (Eigen::Index row = 0; row < n; ++row) {
                    Eigen::VectorXf z = k.middleCols(head * shape.keyHeads / shape.heads * d, d).topRows(row + 1) * q.row(row).segment(head * d, d).transpose() / std::sqrt(static_cast<float>(d));
                    z = (z.array() - z.maxCoeff()).exp();
                    mean.row(row).head(row + 1) += z.transpose() / z.sum() / static_cast<float>(shape.heads);
                }
            m_report.picture({"layer" + std::to_string(layer), "layer " + std::to_string(layer) + ", mean of its heads", "query", "key", std::move(mean)});
        }
    }

    /// Queries and keys of all layers, for the window.
    Result<void> keepHeads(const Model& model)
    {
        const Result<std::string> path = pathInFolder(m_run.folder, "causal_lm_qk.safetensors");
        if (!path)
            return tl::unexpected(path.error());
        const Architecture& a = model.architecture;
        const std::int64_t n = std::min<std::int64_t>(4, whole("most")) * a.trainLength;
        const auto window = windowOf(a, m_corpus.test, 0, n);
        if (!window)
            return tl::unexpected(window.error());
        HeadRecorder recorder(model);
        const auto ran = runWindow(model, *window, {.policy = {}, .pictures = {}, .last = 1, .engine = "auto", .observe = [&](const LayerHeads& layer) { return recorder.take(layer); }, .progress = {}, .stop = m_stop});
        if (!ran)
            return tl::unexpected(ran.error());
        if (const Result<void> saved = recorder.save(*path, window->inputs); !saved)
            return saved;
        Scenario scenario;
        const std::string layer = "layer" + std::to_string(a.layers / 2);
        scenario.source = {"tensors", {}, {}};
        scenario.tensors = {std::filesystem::absolute(*path).string(), layer + ".q_pre_rope", layer + ".k_pre_rope", "heads_tokens_dim", {}};
        scenario.n = n;
        scenario.d = a.headSize;
        scenario.nTrain = static_cast<double>(a.trainLength);
        scenario.attention.mask = {"causal", {}, {}};
        scenario.attention.position = a.position;
        scenario.methods = {{"vanilla", {}, {}}, {"softmax_plus", {}, {}}, {"infoscale", {}, {}}};
        scenario.view.curveFirst = a.trainLength;
        scenario.view.curveLast = n;
        m_files.push_back({*path, "queries and keys of its heads on " + std::to_string(n) + " tokens", scenario});
        return {};
    }

    Result<void> test()
    {
        std::vector<std::optional<Choice>> positionsTested(m_text.positions.begin(), m_text.positions.end());
        if (positionsTested.empty())
            positionsTested.push_back(std::nullopt);
        double work = 0, done = 0;
        for (std::int64_t times = 1; times <= whole("most"); times *= 2)
            work += static_cast<double>(times * std::ssize(m_models));
        for (std::int64_t times = 1; times <= whole("most"); times *= 2)
            for (const Trained& trained : m_models) {
                const CausalLmTest test{.length = times * trained.model.architecture.trainLength, .windows = whole("windows"), .last = whole("last")};
                m_report.stage("testing n = " + std::to_string(test.length));
                double part = 0;
                for (const std::optional<Choice>& position : positionsTested)
                    if (const Result<void> tested = testPositions(trained, test, position, [&] {
                            part += static_cast<double>(times) / static_cast<double>(positionsTested.size() * m_text.methods.size());
                            m_report.sendIfDue(afterTraining() + (1 - afterTraining()) * (done + part) / work);
                        });
                        !tested)
                        return tested;
                done += static_cast<double>(times);
            }
        return {};
    }

    struct Trained {
        std::int64_t seed;
        Model model;
    };

    static Policy policyOf(const Choice& method, const std::optional<Choice>& position)
    {
        Policy policy;
        policy.method = method;
        policy.position = position;
        return policy;
    }

    /// All methods with one choice of positions; `tell` after each.
    Result<void> testPositions(const Trained& trained, const CausalLmTest& test, const std::optional<Choice>& position, const std::function<void()>& tell)
    {
        std::optional<std::vector<PolicyScore>> vanilla;
        for (const Choice& method : m_text.methods)
            if (method.id == "vanilla" && !vanilla) {
                const Policy policy = policyOf(method, position);
                auto scores = scorePolicy(trained.model, policy, m_corpus, test, m_stop);
                if (!scores)
                    return tl::unexpected(scores.error());
                vanilla = std::move(*scores);
            }
        for (const Choice& method : m_text.methods) {
            const Policy policy = policyOf(method, position);
            auto scores = method.id == "vanilla" ? Result<std::optional<std::vector<PolicyScore>>>(vanilla) : scorePolicy(trained.model, policy, m_corpus, test, m_stop);
            if (!scores)
                return tl::unexpected(scores.error());
            m_report.row(m_lab.main, qualityCells(trained.seed, trained.model, policy, test, *scores, vanilla ? &*vanilla : nullptr));
            tell();
        }
        return {};
    }

    const LabRun& m_run;
    const Lab& m_lab;
    Parameters m_parameters;
    std::stop_token m_stop;
    LabReporter m_report;
    CausalLmText m_text;
    LanguageCorpus m_corpus;
    std::optional<TemporaryFolder> m_temporary;
    std::vector<Trained> m_models;
    std::vector<LabFile> m_files;
};

Result<LabResult> runCausalLm(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress)
{
    return CausalLmExperiment(run, lab, std::move(stop), progress)();
}

std::vector<Parameter> causalLmParameters()
{
    return {whole("steps", "training steps", 1500, 0, 1e7, "0 takes the model that comes with the program."),
            whole("networks", "networks", 1, 1, 100, "Trained with one seed after another; each is tested."),
            whole("seed", "seed", 1, 0, 1e12, "The weights at the start, the windows and the generated text are functions of it."),
            whole("length", "training length", 256, 8, 16384, "N: tokens of a window in training."),
            whole("batch", "windows a step", 8, 1, 1024, "Each of N tokens."),
            whole("layers", "layers", 3, 1, 64, "Of attention and feed-forward."),
            whole("width", "width", 96, 2, 4096, "Of the stream."),
            whole("inner", "inner width", 256, 1, 16384, "Of the feed-forward."),
            whole("heads", "heads", 6, 1, 256, "Query heads; the head size is the width over these."),
            whole("key_heads", "key heads", 3, 1, 256, "Shared by the query heads."),
            whole("vocabulary", "vocabulary", 1024, 257, 65536, "Byte-level pieces, learned from the text; fewer where it has no more. The generated one has 843."),
            real("megabytes", "megabytes of text", 4, 0.01, 200, "Generated to train on; of a text of your own nine tenths are."),
            real("rate", "learning rate", 3e-3, 1e-7, 1, "AdamW's step after the warm-up; it falls along a cosine to a twentieth."),
            real("decay", "decay", 0.1, 0, 10, "Decoupled weight decay of the matrices."),
            real("clip", "clipping", 1, 1e-3, 1e9, "The largest norm of all gradients together."),
            whole("warmup", "warm-up", 100, 1, 1e6, "Steps in which the rate rises."),
            toggle("log_n", "train with log n", false, "Logits of a row are multiplied by ln n / ln N in training, n the keys that it sees: Su's and Scalable-Softmax's recipe. Test with softmax_plus:row=1."),
            whole("windows", "test windows", 8, 1, 1000, "Of each length, as far apart as the text allows; every policy sees the same."),
            whole("last", "predictions", 128, 0, 1e6, "The last ones of a window, which count, at most half of it; 0: all."),
            whole("most", "longest test", 16, 1, 1024, "In training lengths; tested are N, 2 N, 4 N and so on.")};
}

std::vector<LabChart> causalLmCharts()
{
    return {{"loss", "Loss", "Step", "Cross-entropy (nats a token)", {{"training", "step", "loss", ""}}, false, false, "seed"},
            {"training", "Accuracy in training", "Step", "Accuracy (%)", {{"training", "step", "accuracy", ""}}, false, false, "seed"},
            {"perplexity", "Perplexity on longer texts", "Tokens, $n$", "Perplexity", {{"quality", "n", "perplexity", ""}}, true, true, "policy"},
            {"recall", "Facts recalled", "Tokens, $n$", "Share of the answers", {{"quality", "n", "recall", ""}}, true, false, "policy"},
            {"entropy", "Entropy of the heads", "Tokens, $n$", "Row entropy (nats)", {{"quality", "n", "entropy_mean", ""}}, true, false, "policy"}};
}

}  // namespace

Lab causalLmLab()
{
    return {{"causal-lm", "A language model", "next token", "Su 2021; Li et al. 2025 (InfoScale), tables 1 to 3",
             "A small Llama learns a text, generated stories or yours, at N tokens, and predicts it at up to 16 N under any scale method and positions; the generated stories ask for facts told long before.",
             causalLmParameters(),
             {{"as it stands", "causal-lm", "makes the shipped model again"},
              {"small", "causal-lm:steps=1200,length=128,layers=2,width=64,inner=176,heads=4,key_heads=2,vocabulary=768,megabytes=3,rate=0.004", "the quickest that recalls"},
              {"larger", "causal-lm:steps=3000,layers=4,width=128,inner=344,heads=8,key_heads=4,megabytes=6", "4 layers, 128 wide"},
              {"the shipped model", "causal-lm:steps=0", "no training"},
              {"trained with log n", "causal-lm:log_n=1", "Su 2021; Scalable-Softmax 2025"}},
             "METHODS | POSITIONS | FILE: methods and positions to test, with semicolons between them, and a text of your own in place of the generated one",
             "vanilla; softmax_plus:row=1; infoscale:row=1 | rope; ntk; yarn_rope; rerope |"},
            "quality", "methods", causalLmCharts(), runCausalLm, {"methods", "positions", "text"}};
}

}  // namespace attnscope
