// The lab `algorithms`: small Llamas learn five algorithms as text, from problems of 4 to 16 numbers, and are tested on
// up to 64, under scale methods and the adaptive temperature, which one of them is trained with: section 4.2 of
// "softmax is not enough" with our own generators.

#include "core/base/text.h"
#include "core/labs/algorithms/problem_evaluation.h"
#include "core/labs/experiment.h"
#include "core/labs/lab_charts.h"
#include "core/labs/lab_parameters.h"
#include "core/labs/language/language_network.h"
#include "core/labs/language/language_views.h"
#include "core/scaling/scale_method.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace attnscope {

namespace {

constexpr std::int64_t problemsOfPreview = 6;
constexpr double shareOfLearning = 0.75;  ///< of the run's progress

/// "vanilla; adaptive | vanilla; adaptive | minimum": what to test, what to train with, and the tasks.
struct AlgorithmsText {
    std::vector<Choice> methods, trained;
    std::vector<const AlgorithmTask*> tasks;
};

Result<AlgorithmsText> parseAlgorithmsText(const std::string& text)
{
    std::vector<std::string> parts = partsOf(text, '|');
    if (parts.size() > 3)
        return failure(ErrorKind::InvalidArgument, "'" + text +
                                                       "' has more than three parts; write METHODS | METHODS TO TRAIN "
                                                       "WITH | TASKS, with semicolons between the entries of a part");
    parts.resize(3);
    auto methods = TRY(parseAttentions(parts[0])), trained = TRY(parseAttentions(parts[1]));
    if (methods.empty())
        return failure(
            ErrorKind::InvalidArgument,
            "name at least one scale method or normaliser to test, like \"vanilla; adaptive | vanilla; adaptive\"");
    if (trained.empty())
        trained.push_back({"vanilla", {}, {}});
    AlgorithmsText read{std::move(methods), std::move(trained), {}};
    for (const std::string& part : partsOf(parts[2], ';')) {
        if (part.empty())
            continue;
        read.tasks.push_back(TRY(findRow(algorithmTasks(), part, "task")));
    }
    if (read.tasks.empty())
        for (const AlgorithmTask& task : algorithmTasks())
            read.tasks.push_back(&task);
    return read;
}

class AlgorithmsExperiment : Experiment {
public:
    using Experiment::Experiment;

    Result<LabResult> operator()()
    {
        TRY(check());
        const std::int64_t kinds = std::ssize(m_text.trained);
        TRY(trainEach(whole("networks") * kinds, shareOfLearning, "network",
                      [&](std::int64_t network, double from, double to) {
                          return learn({whole("seed") + network / kinds,
                                        m_text.trained[static_cast<std::size_t>(network % kinds)]},
                                       from, to);
                      }));
        TRY(test());
        return finish(whole("networks") > 1 ? seedCells(m_report.rows()) : std::vector<LabCells>());
    }

private:
    struct Network {
        NetworkLabel label;
        Model model;
    };

    double trainSize() const { return static_cast<double>(whole("largest")); }

    /// Sizes tested: N/4, N/2, 3N/4, N, and so on to the longest, those that are whole and not too small.
    std::vector<std::int64_t> sizesTested() const
    {
        std::vector<std::int64_t> sizes;
        for (double times = 0.25; times <= m_parameters["most"]; times *= 2)
            for (const double part : {1.0, 1.5})
                if (const double size = times * part * trainSize(); times * part <= m_parameters["most"] &&
                                                                    size >= static_cast<double>(smallestProblem) &&
                                                                    size == std::floor(size))
                    sizes.push_back(static_cast<std::int64_t>(size));
        return sizes;
    }

    ProblemSettings problems(std::uint64_t seed) const
    {
        return {.tasks = m_text.tasks,
                .smallest = whole("smallest"),
                .largest = whole("largest"),
                .positions = whole("positions"),
                .traces = m_parameters.on("traces"),
                .seed = seed};
    }

    Result<void> check()
    {
        m_text = TRY(parseAlgorithmsText(m_parameters.text()));
        TRY(checkDivides("heads", "width"));
        if (whole("width") / whole("heads") % 2 != 0)
            return failure(ErrorKind::InvalidArgument,
                           "width over heads must be even: rotary positions turn coordinates in pairs");
        if (whole("smallest") > whole("largest"))
            return failure(ErrorKind::InvalidArgument, "smallest must not be above largest");
        const double longest = trainSize() * m_parameters["most"];
        if (longest > static_cast<double>(largestProblem))
            return failure(ErrorKind::InvalidArgument, "problems have at most " + std::to_string(largestProblem) +
                                                           " numbers, and largest times most is " +
                                                           formatNumber(longest) + "; make one of them smaller");
        m_length = longestSequence(whole("largest"));
        if (const std::int64_t tokens = longestSequence(static_cast<std::int64_t>(longest));
            tokens > whole("positions"))
            return failure(ErrorKind::InvalidArgument,
                           "the longest problem tested has " + std::to_string(tokens) +
                               " tokens, more than there are positions; set positions to that or more");
        return {};
    }

    /// Tokens of a problem of that size, at most. A trace of the minimum may have as many as there are numbers, one of
    /// the search as there are halvings.
    std::int64_t longestSequence(std::int64_t size) const
    {
        return tokensAtMost(problems(0), size) + (m_parameters.on("traces") ? size : 0);
    }

    Result<LanguageSettings> settingsOf(const NetworkLabel& network) const
    {
        const learn::LlamaShape shape{.layers = whole("layers"),
                                      .width = whole("width"),
                                      .inner = whole("inner"),
                                      .heads = whole("heads"),
                                      .keyHeads = whole("heads"),
                                      .vocabulary = std::ssize(algorithmWords())};
        auto attention = TRY(trainingAttention(network.trained, shape, m_length));
        return LanguageSettings{.shape = shape,
                                .length = m_length,
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

    learn::Metadata metadataOf(const NetworkLabel& network, const LanguageSettings& settings) const
    {
        learn::Metadata facts = settings.metadata();
        facts["lab"] = m_lab.id;
        facts["tasks"] = joined(m_text.tasks, "; ", &AlgorithmTask::id);
        facts["trained"] = formatChoice(network.trained);
        for (const char* id : {"smallest", "largest", "positions", "traces"})
            facts[id] = formatNumber(m_parameters[id]);
        return facts;
    }

    Result<void> learn(const NetworkLabel& network, double from, double to)
    {
        const auto settings = TRY(settingsOf(network));
        LanguageTrainer trainer(settings,
                                problemBatches(problems(static_cast<std::uint64_t>(network.seed)), whole("batch")));
        const std::string name =
            "algorithms" + trainedSuffix(m_text.trained, network.trained) + "_seed" + std::to_string(network.seed);
        const learn::LlamaFolder about{.trainLength = m_length,
                                       .beginToken = {},
                                       .maskToken = {},
                                       .tokenizer = {},
                                       .facts = metadataOf(network, settings)};
        const Training training = stepsOf(trainer, {.name = name,
                                                    .facts = about.facts,
                                                    .labels = {{"seed", network.seed}, {"network", name}},
                                                    .show = [&] { return show(network, trainer, about); }});
        TRY(train(training, from, to));
        auto model = TRY(m_store.keep(trainer.model(), m_run.folder, name, about));
        m_networks.push_back({network, std::move(model)});
        return m_run.folder.empty() ? Result<void>() : keepFiles(m_networks.back());
    }

    /// Says what the network's folder is, and keeps the heads of the first at the longest problem of the first task.
    Result<void> keepFiles(const Network& network)
    {
        m_files.push_back({network.model.folder,
                           "network trained with " + formatChoice(network.label.trained) + " and seed " +
                               std::to_string(network.label.seed),
                           {}});
        if (m_networks.size() > 1)
            return {};
        const std::string path = TRY(pathInFolder(m_run.folder, "algorithms_qk.safetensors"));
        const ProblemSequence sequence =
            problemSequence(problems(problemTestSeed), *m_text.tasks.front(), sizesTested().back(), 0);
        return keepHeads(network.model, windowOf(sequence), path, m_stop).map([&](LabFile file) {
            m_files.push_back(std::move(file));
        });
    }

    /// Pictures of a problem, and now and then a short test at every size.
    Result<void> show(const NetworkLabel& network, LanguageTrainer& trainer, const learn::LlamaFolder& about)
    {
        if (m_report.picturesDue()) {
            const ProblemSequence sequence =
                problemSequence(problems(problemTestSeed), *m_text.tasks.front(), whole("largest"), 0);
            for (LabPicture& picture : attentionPictures(trainer.model(), sequence.inputs,
                                                         {.multipliers = trainer.settings().multipliers,
                                                         .positions = sequence.positions,
                                                         .beta = trainer.settings().beta}))
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
        std::erase_if(m_previews, [&](const LabRow& row) {
            return row.number("seed") == static_cast<double>(network.seed) &&
                   *row.find("trained") == LabValue(formatChoice(network.trained));
        });
        for (const std::int64_t size : sizesTested()) {
            std::vector<LabCells> quality;
            for (const AlgorithmTask* task : m_text.tasks) {
                const auto scores = TRY(score(now, network.trained, task, size, problemsOfPreview));
                quality.push_back(problemCells({network, network.trained, trainSize()},
                                               testOf(network, task, size, problemsOfPreview), scores, nullptr));
            }
            m_previews.push_back({"accuracy", accuracyCells(quality)});
        }
        return {};
    }

    ProblemTest testOf(const NetworkLabel& network, const AlgorithmTask* task, std::int64_t size,
                       std::int64_t count) const
    {
        return {problems(problemTestSeed + static_cast<std::uint64_t>(network.seed)), task, size, count};
    }

    Result<std::optional<PolicyScores>> score(const Network& network, const Choice& method, const AlgorithmTask* task,
                                              std::int64_t size, std::int64_t count) const
    {
        return scoreProblems(network.model, attentionPolicy(method), testOf(network.label, task, size, count), m_stop);
    }

    Result<void> test()
    {
        m_previews.clear();
        const std::vector<std::int64_t> sizes = sizesTested();
        double work = 0;
        for (const std::int64_t size : sizes)
            work += static_cast<double>(size * std::ssize(m_networks) * std::ssize(m_text.tasks) *
                                        std::ssize(m_text.methods));
        double done = 0;
        for (const std::int64_t size : sizes) {
            m_report.stage("testing n = " + std::to_string(size));
            std::map<std::pair<std::int64_t, const AlgorithmTask*>, PolicyScores>
                vanilla;  // what others are held against, by seed and task
            for (const Network& network : m_networks)
                for (const Choice& method : inOrderOfTests()) {
                    std::vector<LabCells> quality;
                    for (const AlgorithmTask* task : m_text.tasks) {
                        const auto scores = TRY(score(network, method, task, size, whole("problems")));
                        const auto reference = vanilla.find({network.label.seed, task});
                        quality.push_back(problemCells({network.label, method, trainSize()},
                                                       testOf(network.label, task, size, whole("problems")), scores,
                                                       reference == vanilla.end() ? nullptr : &reference->second));
                        if (isVanilla(method) && scores && reference == vanilla.end())
                            vanilla[{network.label.seed, task}] = *scores;
                        m_report.row(m_lab.main, quality.back());
                        done += static_cast<double>(size);
                        m_report.sendIfDue(shareOfLearning + (1 - shareOfLearning) * done / work);
                    }
                    m_report.row("accuracy", accuracyCells(quality));
                }
        }
        return {};
    }

    /// Vanilla first: the others are held against it.
    std::vector<Choice> inOrderOfTests() const
    {
        std::vector<Choice> methods = m_text.methods;
        std::stable_partition(methods.begin(), methods.end(), [](const Choice& method) { return isVanilla(method); });
        return methods;
    }

    AlgorithmsText m_text;
    std::int64_t m_length = 0;  ///< tokens of the longest problem trained with
    NetworkStore m_store;
    std::vector<Network> m_networks;
};

std::vector<Parameter> algorithmsParameters()
{
    return {whole("steps", "training steps", 6000, 1, 1e7,
                  "Of AdamW, a batch of problems each, all of one size drawn anew."),
            whole("networks", "networks", 1, 1, 100,
                  "For each choice to train with, one seed after another; several are compared over their seeds."),
            whole("seed", "seed", 1, 0, 1e12,
                  "The weights at the start, the problems and their positions are functions of it."),
            whole("batch", "problems a step", 40, 1, 1024, "The tasks in turn."),
            whole("layers", "layers", 4, 1, 64, "Of attention and feed-forward."),
            whole("width", "width", 128, 2, 4096, "Of the stream."),
            whole("inner", "inner width", 256, 1, 16384, "Of the feed-forward."),
            whole("heads", "heads", 8, 1, 256, "The head size is the width over these."),
            whole("smallest", "smallest problem", 4, smallestProblem, largestProblem,
                  "Numbers of a problem in training, at least."),
            whole("largest", "largest problem", 16, smallestProblem, largestProblem,
                  "N: numbers of a problem in training, at most."),
            whole("most", "longest test", 4, 1, 16, "In N; tested are N/4, 3N/8, N/2 and so on."),
            whole("positions", "positions", 160, 16, 4096,
                  "Tokens stand at a rising random choice of this many positions, in training and in tests, so that "
                  "long problems have none that is new."),
            toggle("traces", "traces", false,
                   "The steps of the minimum and of the binary search are said before their answers, and count."),
            learningRate(2e-3, "AdamW"),
            matrixDecay(),
            clipping(),
            warmup(),
            whole("problems", "test problems", 100, 1, 1e6, "Of each task and size; every method sees the same.")};
}

std::vector<LabChart> algorithmsCharts()
{
    std::vector<LabChart> charts{lossOfTraining("nats a word", "network")};
    for (const AlgorithmTask& task : algorithmTasks())
        charts.push_back({.id = task.id,
                          .title = task.label,
                          .xTitle = "Numbers, $n$",
                          .yTitle = "Exact answers (share)",
                          .lines = {{.table = "accuracy", .x = "n", .y = task.id}},
                          .logX = true,
                          .group = "policy"});
    charts.push_back({.id = "mean",
                      .title = "All tasks",
                      .xTitle = "Numbers, $n$",
                      .yTitle = "Exact answers (share)",
                      .lines = {{.table = "accuracy", .x = "n", .y = "mean"}},
                      .logX = true,
                      .group = "policy"});
    charts.push_back(entropyOfHeads("accuracy", "Numbers, $n$"));
    return charts;
}

}  // namespace

Lab algorithmsLab()
{
    std::vector<Entry> tasks;
    for (const AlgorithmTask& task : algorithmTasks())
        tasks.push_back(plainEntry(task.id, task.label, task.about));
    return {
        {"algorithms",
         "Algorithms as text",
         "minimum, sorting, search",
         "Veličković et al. 2024, section 4.2",
         "A small Llama learns five algorithms from problems of 4 to 16 numbers and solves problems of up to 64, with "
         "and without the adaptive temperature in training, and with any scale method or normaliser put in afterwards.",
         algorithmsParameters(),
         {{"with the defaults", "algorithms", "two networks, 4 layers, 128 wide"},
          {"small", "algorithms:steps=3000,layers=3,width=64,inner=128,heads=4,rate=0.004,problems=50",
           "two networks, 3 layers, 64 wide: five processor minutes"},
          {"small, three seeds",
           "algorithms:networks=3,steps=3000,layers=3,width=64,inner=128,heads=4,rate=0.004,problems=50",
           "what the figure figure7_here shows, with a test over the seeds in the table seeds"},
          {"with traces", "algorithms:traces=1", "the steps count too"}},
         "METHODS | METHODS TO TRAIN WITH | TASKS: scale methods and normalisers to test and to train with, with "
         "semicolons between them, a network for each of the latter, and tasks; none: all five",
         "vanilla; adaptive; softmax_plus | vanilla; adaptive |"},
        qualityTable,
        "methods",
        algorithmsCharts(),
        runExperiment<AlgorithmsExperiment>,
        {{"methods", attentionRows(false)}, {"train", attentionRows(true)}, {"tasks", tasks}}};
}

}  // namespace attnscope
