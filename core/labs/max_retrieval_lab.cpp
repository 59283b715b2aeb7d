// The lab `max-retrieval`: trains heads (or takes the shipped one), refits the adaptive temperature, and tests them.

#include "core/base/parameter.h"
#include "core/labs/lab_rows.h"
#include "core/labs/max_retrieval_evaluation.h"
#include "core/labs/max_retrieval_head.h"
#include "core/labs/max_retrieval_report.h"
#include "core/labs/max_retrieval_trainer.h"
#include "core/labs/training_loop.h"

#include <algorithm>

namespace attnscope {

namespace {

constexpr std::uint64_t testSeed = 1'000'000'000'000;  // test sets of seed s: this + s; training never draws them
constexpr std::int64_t pictureSets = 32, pictureItems = 16;
constexpr std::int64_t historyPoints = 200;
constexpr std::string_view ofTraining[] = {"heads", "seed", "batch", "items_min", "width", "rate", "decay", "l2", "biases", "bfloat16"};
constexpr double trainingShare = 0.6, fitShare = 0.05;  // of the run's progress, where it trains

class MaxRetrievalExperiment {
public:
    MaxRetrievalExperiment(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress)
        : m_run(run), m_lab(lab), m_parameters(lab, run.choice), m_stop(std::move(stop)), m_report(progress, "preparing"), m_refit(publishedTemperature)
    {
        for (std::int64_t items = 16; items <= whole("most_items"); items *= 2)
            m_sizes.push_back(items);
    }

    Result<LabResult> operator()()
    {
        if (whole("items_min") > whole("items_max"))
            return failure(ErrorKind::InvalidArgument, "items_min must not be above items_max");
        // wrong names are told before the training
        TRY(parseVariants(m_parameters.text(), m_refit));
        for (Result<void> (MaxRetrievalExperiment::*part)() : {&MaxRetrievalExperiment::obtain, &MaxRetrievalExperiment::keepTensors, &MaxRetrievalExperiment::fit, &MaxRetrievalExperiment::evaluate, &MaxRetrievalExperiment::pictures})
            TRY((this->*part)());
        m_report.send(1);
        return LabResult{inOrder(m_report.rows(), "table1"), m_files};
    }

private:
    std::int64_t whole(const char* id) const { return static_cast<std::int64_t>(m_parameters[id]); }
    double nTrain() const { return static_cast<double>(whole("items_max")); }
    double afterTraining() const { return whole("steps") > 0 ? trainingShare : 0; }

    Result<void> obtain()
    {
        if (whole("steps") > 0) {
            for (std::int64_t head = 0; head < whole("heads"); ++head)
                TRY(train(head));
            return {};
        }
        if (m_run.resume && holdsCheckpoint(m_run.folder))
            return failure(ErrorKind::InvalidArgument, m_run.folder + " holds a training, and with steps = 0 there is none to resume; set steps as in that run, or give another folder");
        for (const Parameter& parameter : m_lab.parameters)  // else they would have no effect, and nobody be told
            if (std::ranges::find(ofTraining, parameter.id) != std::end(ofTraining) && m_parameters[parameter.id] != parameter.byDefault)
                return failure(ErrorKind::InvalidArgument, parameter.id + " is a choice of training, and the head that comes with the program is trained already; "
                                                           "set steps above 0 to train heads, or " + parameter.id + " to " + formatNumber(parameter.byDefault));
        m_heads.push_back(TRY(loadHead("shipped")));
        return {};
    }

    Result<void> train(std::int64_t number)
    {
        const std::int64_t seed = whole("seed") + number, steps = whole("steps");
        MaxRetrievalTrainer trainer({.width = whole("width"), .batch = whole("batch"), .itemsMin = whole("items_min"), .itemsMax = whole("items_max"),
                                     .rate = m_parameters["rate"], .l2 = m_parameters["l2"], .decay = m_parameters["decay"],
                                     .everyWeight = m_parameters.on("biases"),
                                     .products = m_parameters.on("bfloat16") ? learn::Products::Bfloat16 : learn::Products::Float32, .seed = static_cast<std::uint64_t>(seed)});
        m_report.stage(whole("heads") == 1 ? "training" : "training head " + std::to_string(number + 1) + " of " + std::to_string(whole("heads")));
        const Training training{
            .name = "max_retrieval_seed" + std::to_string(seed), .facts = trainer.settings().metadata("max-retrieval"), .weights = trainer.model().weights(), .adam = &trainer.adam(),
            .unit = "step", .measures = {"loss", "accuracy"}, .labels = {{"seed", seed}}, .total = steps, .unitsPerRow = std::max<std::int64_t>(1, steps / historyPoints),
            .advance = [&] {
                const MaxRetrievalTrainer::Batch batch = trainer.step();
                return std::vector{batch.loss, 100 * batch.accuracy};
            },
            .show = [&] { return m_report.picturesDue() ? livePictures(trainer.model()) : Result<void>(); }};
        const double share = trainingShare / static_cast<double>(whole("heads")), from = share * static_cast<double>(number);
        TRY(attnscope::train(training, m_run, m_stop, m_report, from, from + share));
        m_heads.push_back(trainer.model());
        if (m_run.folder.empty())
            return {};
        const std::string path = TRY(keepModel(training, m_run));
        m_files.push_back({path, "head trained with seed " + std::to_string(seed), {}});
        return {};
    }

    /// The head as it is now, on sets of several sizes.
    Result<void> livePictures(MaxRetrievalModel& model)
    {
        HeadEvaluation evaluation = TRY(HeadEvaluation::make(model, *parseVariants("vanilla", m_refit), nTrain()));
        for (const std::int64_t items : {16, 64, 256})
            TRY(addPicture(evaluation, 0, items, false));
        return {};
    }

    Result<void> addPicture(HeadEvaluation& evaluation, std::size_t variant, std::int64_t items, bool rows)
    {
        auto image = TRY(ifDefined(evaluation.picture(variant, testSeed, pictureSets, items, pictureItems)));
        if (!image)
            return {};
        const std::string& label = evaluation.variants()[variant].label;
        for (Eigen::Index set = 0; rows && set < image->rows(); ++set)
            for (Eigen::Index rank = 0; rank < image->cols(); ++rank)
                m_report.row("heads", {{"method", label}, {"items", items}, {"set", std::int64_t{set}}, {"rank", std::int64_t{image->cols() - rank}},
                                       {"weight", static_cast<double>((*image)(set, rank))}});
        m_report.picture({label + "/" + std::to_string(items), label + ", " + std::to_string(items) + " items", "set", "the 16 largest items, the largest last", std::move(*image)});
        return {};
    }

    /// The first head's queries and keys, for the window.
    Result<void> keepTensors()
    {
        if (m_run.folder.empty())
            return {};
        const auto path = TRY(pathInFolder(m_run.folder, "max_retrieval_qk.safetensors"));
        const Scenario scenario = TRY(writeHeadTensors(path, m_heads.front(), nTrain()));
        m_files.push_back({path, "queries and keys of 4 sets of 2048 items", scenario});
        return {};
    }

    Result<void> fit()
    {
        m_report.stage("refitting the adaptive temperature");
        m_report.send(afterTraining());
        std::vector<MisrankedSet> points;
        for (std::size_t head = 0; head < m_heads.size(); ++head) {
            const std::int64_t sets = std::max<std::int64_t>(1, whole("sets") / std::ssize(m_heads));
            const std::vector<MisrankedSet> found = TRY(misrankedSets(m_heads[head], misrankedSeed + head, sets, mostTestItems, m_sizes, m_stop));
            points.insert(points.end(), found.begin(), found.end());
        }
        const std::optional<std::array<double, 5>> fitted = fitTemperature(points);
        m_refit = fitted.value_or(publishedTemperature);
        double largest = 0;
        for (const MisrankedSet& point : points) {
            m_report.row("temperatures", {{"items", point.items}, {"entropy", point.entropy}, {"theta", point.theta}});
            largest = std::max(largest, point.entropy);
        }
        for (std::size_t i = 0; i < 5; ++i)
            m_report.row("polynomial", {{"power", std::int64_t{4} - static_cast<std::int64_t>(i)}, {"published", publishedTemperature[i]},
                                        {"refit", fitted ? LabValue{m_refit[i]} : LabValue{}}});
        for (int i = 0; fitted && i <= 60; ++i) {
            const double entropy = 0.5 + (largest - 0.5) * i / 60;
            const auto theta = [&](const std::array<double, 5>& c) { return 1 / std::max(1.0, polynomialAt(c, entropy)); };
            m_report.row("fit", {{"entropy", entropy}, {"published", theta(publishedTemperature)}, {"refit", theta(m_refit)}});
        }
        return {};
    }

    /// Seed s tests head s mod heads; every variant sees the same sets.
    Result<void> evaluate()
    {
        const auto variants = TRY(parseVariants(m_parameters.text(), m_refit));
        std::vector<HeadEvaluation> evaluations;
        for (MaxRetrievalModel& head : m_heads)
            evaluations.push_back(TRY(HeadEvaluation::make(head, variants, nTrain())));
        const double start = afterTraining() + fitShare;
        double work = 0, done = 0;
        for (const std::int64_t items : m_sizes)
            work += static_cast<double>(setsOf(items) * items * whole("seeds"));
        for (const std::int64_t items : m_sizes) {
            m_report.stage("testing " + std::to_string(items) + " items");
            std::vector<std::vector<HeadScore>> scores;  // [seed][variant]
            for (std::int64_t seed = 0; seed < whole("seeds"); ++seed) {
                HeadEvaluation& evaluation = evaluations[static_cast<std::size_t>(seed) % evaluations.size()];
                scores.push_back(TRY(evaluation.score(testSeed + static_cast<std::uint64_t>(seed), setsOf(items), items, m_stop)));
                done += static_cast<double>(setsOf(items) * items);
                m_report.sendIfDue(start + (1 - start) * done / work);
            }
            for (LabRow& row : table1Rows(variants, items, scores))
                m_report.row(std::move(row.table), std::move(row.cells));
        }
        return {};
    }

    std::int64_t setsOf(std::int64_t items) const { return std::clamp<std::int64_t>(mostTestItems / items, 1, whole("sets")); }

    /// Figures 2 and 6: baseline and adaptive temperature, 32 sets, size after size.
    Result<void> pictures()
    {
        HeadEvaluation evaluation = TRY(HeadEvaluation::make(m_heads.front(), TRY(parseVariants("vanilla; vanilla|adaptive; vanilla|refit", m_refit)), nTrain()));
        for (std::size_t variant = 0; variant < evaluation.variants().size(); ++variant)
            for (const std::int64_t items : m_sizes)
                TRY(addPicture(evaluation, variant, items, true));
        return {};
    }

    const LabRun& m_run;
    const Lab& m_lab;
    Parameters m_parameters;
    std::stop_token m_stop;
    LabReporter m_report;
    std::vector<MaxRetrievalModel> m_heads;
    std::array<double, 5> m_refit;
    std::vector<std::int64_t> m_sizes;
    std::vector<LabFile> m_files;
};

Result<LabResult> runMaxRetrieval(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress)
{
    return MaxRetrievalExperiment(run, lab, std::move(stop), progress)();
}

std::vector<Parameter> maxRetrievalParameters()
{
    return {whole("steps", "training steps", 0, 0, 1e7, "0 takes the head that comes with the program, trained for the paper's 100000 steps."),
            whole("heads", "heads", 1, 1, 100, "Heads trained, with one seed after another; seed s of the test takes head s, from the first again when they run out. The paper averages over ten."),
            whole("seed", "seed", 1, 0, 1e15, "The weights at the start and the training sets are functions of it."),
            whole("batch", "sets a step", 128, 1, 4096, "128 in the paper."),
            whole("items_min", "fewest items", 5, 1, 4096, "Sets of a step all have one size, drawn from here"),
            whole("items_max", "most items", 16, 1, 4096, "to here; also the N of the scale methods."),
            whole("width", "width", 128, 1, 1024, "Of every layer, and the head's d."),
            real("rate", "learning rate", 1e-3, 1e-7, 1, "Adam's step."),
            real("decay", "decay", 1e-3, 0, 10, "Decoupled weight decay (AdamW): the reading of the paper's \"L2 regularisation\" that gives its table."),
            real("l2", "L2", 0, 0, 10, "Weight of a penalty |w|² / 2 in the loss, another reading."),
            toggle("biases", "decay of biases", true, "Off: decay and L2 hold for the matrices alone; the paper does not say."),
            toggle("bfloat16", "factors in bfloat16", true, "Products round their factors to 8 significant bits, as JAX does on a TPU unless told otherwise, in training and in tests; off: float32."),
            whole("seeds", "test seeds", 10, 2, 100, "Test sets are drawn anew for each; the paired t-test is over them."),
            whole("sets", "sets", 512, 1, 65536, "Test sets a seed and size; fewer where they would hold more than four million items."),
            whole("most_items", "most items tested", 16384, 16, 65536, "Sizes double from 16 up to this.")};
}

std::vector<LabChart> maxRetrievalCharts()
{
    using enum LabLine::Look;
    return {{"loss", "Loss", "Step", "Cross-entropy (nats)", {{"training", "step", "loss", ""}}, false, true, "seed"},
            {"training", "Accuracy in training", "Step", "Accuracy (%)", {{"training", "step", "accuracy", ""}}, false, false, "seed"},
            {"accuracy", "Accuracy on larger sets", "Items, $n$", "Accuracy (%)",
             {{"table1", "items", "accuracy", ""}, {"table1", "items", "published", "as published", ReferencePoints}, {"table1", "items", "resolvable", "at most, by the factors' bits", Reference, false}}, true, false, "method"},
            {"entropy", "Entropy of the head", "Items, $n$", "Row entropy (nats)", {{"table1", "items", "entropy", ""}}, true, false, "method"},
            {"fit", "Adaptive temperature", "Row entropy $H$ (nats)", "Temperature $\\theta$",
             {{"temperatures", "entropy", "theta", "best for a misranked set", Points}, {"fit", "entropy", "published", "published", Reference},
              {"fit", "entropy", "refit", "refit"}},
             false, false, ""}};
}

}  // namespace

Lab maxRetrievalLab()
{
    return {{"max-retrieval", "Finding the largest", "class of argmax p", "Veličković et al. 2024, section 4.1 and appendix A",
             "A single attention head learns to find the largest of up to 16 items; with more items its attention disperses. Tests it up to 16384 items under any scale method and normaliser.",
             maxRetrievalParameters(),
             {{"the shipped head", "max-retrieval", "100000 steps"}, {"train one quickly", "max-retrieval:steps=5000", "a minute on two cores"},
              {"ten heads, as in the paper", "max-retrieval:steps=100000,heads=10", "Veličković et al. 2024, table 1"}},
             "METHOD or METHOD|NORMALISER, separated by semicolons; refit is the refitted adaptive temperature",
             "vanilla; vanilla|adaptive; vanilla|refit; infoscale; softmax_plus:B=16; log_n; ssmax; entropy_mean_field; entropy_exact; entropy_measured"},
            "table1", "methods", maxRetrievalCharts(), runMaxRetrieval};
}

}  // namespace attnscope
