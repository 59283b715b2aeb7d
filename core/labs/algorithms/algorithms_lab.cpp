// The lab `algorithms`: small Llamas learn five algorithms as text, from problems of 4 to 16 numbers, and are tested on
// up to 64, under scale methods and the adaptive temperature, which one of them is trained with: section 4.2 of
// "softmax is not enough" with our own generators.

#include "core/base/text.h"
#include "core/labs/algorithms/problem_evaluation.h"
#include "core/labs/lab_charts.h"
#include "core/labs/lab_parameters.h"
#include "core/labs/language/llama_experiment.h"
#include "core/scaling/scale_method.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace attnscope {

namespace {

constexpr std::int64_t problemsOfPreview = 6;
constexpr double shareOfLearning = 0.75;  ///< of the run's progress

/// Those that the text names; none: all.
Result<std::vector<const AlgorithmTask*>> parseTasks(const std::string& text)
{
    std::vector<const AlgorithmTask*> tasks;
    for (const std::string& part : partsOf(text, ';'))
        if (!part.empty())
            tasks.push_back(TRY(findRow(algorithmTasks(), part, "task")));
    if (tasks.empty())
        for (const AlgorithmTask& task : algorithmTasks())
            tasks.push_back(&task);
    return tasks;
}

class AlgorithmsExperiment : LlamaExperiment {
public:
    AlgorithmsExperiment(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress)
        : LlamaExperiment("algorithms", shareOfLearning, run, lab, std::move(stop), progress)
    {
    }

    Result<LabResult> operator()()
    {
        TRY(readText());
        m_tasks = TRY(parseTasks(m_text.others["tasks"]));
        TRY(check());
        TRY(learnAll());
        std::ranges::stable_sort(m_networks, {}, [](const Network& network) {  // what others are held against first
            return std::pair(network.label.seed, !isVanilla(network.label.trained));
        });
        TRY(testAll(
            sizesTested(), [](std::int64_t size) { return static_cast<double>(size); },
            [&](const Network& network, std::int64_t size, const auto&, const Done& done) {
                return testMethods(network, size, done);
            }));
        return finishTested();
    }

private:
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
        return {.tasks = m_tasks,
                .smallest = whole("smallest"),
                .largest = whole("largest"),
                .positions = whole("positions"),
                .traces = m_parameters.on("traces"),
                .seed = seed};
    }

    Result<void> check()
    {
        if (whole("smallest") > whole("largest"))
            return failure(ErrorKind::InvalidArgument, "smallest must not be above largest");
        const double longest = trainSize() * m_parameters["most"];
        if (longest > static_cast<double>(largestProblem))
            return failure(ErrorKind::InvalidArgument,
                           "problems have at most {} numbers, and largest times most is {}; make one of them smaller",
                           largestProblem, formatNumber(longest));
        m_length = longestSequence(whole("largest"));
        if (const std::int64_t tokens = longestSequence(static_cast<std::int64_t>(longest));
            tokens > whole("positions"))
            return failure(ErrorKind::InvalidArgument,
                           "the longest problem tested has {} tokens, more than there are positions; set positions to "
                           "that or more",
                           tokens);
        return {};
    }

    /// Tokens of a problem of that size, at most. A trace of the minimum may have as many as there are numbers, one of
    /// the search as there are halvings.
    std::int64_t longestSequence(std::int64_t size) const
    {
        return tokensAtMost(problems(0), size) + (m_parameters.on("traces") ? size : 0);
    }

    Result<Learning> learningOf(const NetworkLabel& network) const override
    {
        const auto settings = TRY(settingsOf(network, shapeOf(std::ssize(algorithmWords())), m_length));
        auto facts = factsOf(settings, {"smallest", "largest", "positions", "traces"});
        facts["tasks"] = joined(m_tasks, "; ", &AlgorithmTask::id);
        facts["trained"] = formatChoice(network.trained);
        return Learning{
            settings,
            problemBatches(problems(static_cast<std::uint64_t>(network.seed)), whole("batch")),
            {.trainLength = m_length, .beginToken = {}, .maskToken = {}, .tokenizer = {}, .facts = std::move(facts)}};
    }

    /// The first problem of that size of the first task.
    Window firstWindow(std::int64_t size) const
    {
        return windowOf(problemSequence(problems(problemTestSeed), *m_tasks.front(), size, 0));
    }
    Window pictured(const NetworkLabel&) const override { return firstWindow(whole("largest")); }
    Result<Window> kept(const Network&) const override { return firstWindow(sizesTested().back()); }

    Result<void> testBriefly(const Network& now) override
    {
        for (const std::int64_t size : sizesTested()) {
            std::vector<LabCells> quality;
            for (const AlgorithmTask* task : m_tasks) {
                const auto scores = TRY(score(now, now.label.trained, task, size, problemsOfPreview));
                quality.push_back(problemCells({now.label, now.label.trained, trainSize()},
                                               testOf(now.label, task, size, problemsOfPreview), scores, nullptr));
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

    Result<void> testMethods(const Network& network, std::int64_t size, const Done& done)
    {
        for (const Choice& method : inOrderOfTests()) {
            std::vector<LabCells> quality;
            for (const AlgorithmTask* task : m_tasks) {
                const auto scores = TRY(score(network, method, task, size, whole("problems")));
                const auto vanilla = m_vanilla.find({network.label.seed, size, task});
                quality.push_back(problemCells({network.label, method, trainSize()},
                                               testOf(network.label, task, size, whole("problems")), scores,
                                               vanilla == m_vanilla.end() ? nullptr : &vanilla->second));
                if (isVanilla(method) && isVanilla(network.label.trained) && scores)
                    m_vanilla.try_emplace({network.label.seed, size, task}, *scores);
                m_report.row(m_lab.main, quality.back());
                done(1 / static_cast<double>(m_text.methods.size() * m_tasks.size()));
            }
            m_report.row("accuracy", accuracyCells(quality));
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

    std::vector<const AlgorithmTask*> m_tasks;
    std::int64_t m_length = 0;  ///< tokens of the longest problem trained with
    /// What others are held against, by seed, size and task: the network trained with vanilla, tested so.
    std::map<std::tuple<std::int64_t, std::int64_t, const AlgorithmTask*>, PolicyScores> m_vanilla;
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
    const std::string numbers = "Numbers, $n$", exact = "Exact (%)", table = "accuracy";
    std::vector<LabChart> charts{lossOfTraining("nats a word", "network")};
    for (const AlgorithmTask& task : algorithmTasks())
        charts.push_back(againstLength(task.id, task.label, numbers, exact, task.id, table));
    charts.push_back(againstLength("mean", "All tasks", numbers, exact, "mean", table));
    charts.push_back(entropyOfHeads(table, numbers));
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
