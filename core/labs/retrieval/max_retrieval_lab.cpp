// The lab `max-retrieval`: trains heads (or takes the shipped one), refits the adaptive temperature, and tests them.

#include "core/labs/experiment.h"
#include "core/labs/lab_charts.h"
#include "core/labs/lab_parameters.h"
#include "core/labs/retrieval/max_retrieval_evaluation.h"
#include "core/labs/retrieval/max_retrieval_head.h"
#include "core/labs/retrieval/max_retrieval_trainer.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/samples.h"

#include <algorithm>
#include <iterator>

namespace attnscope {

namespace {

constexpr std::uint64_t testSeed = 1'000'000'000'000;  // test sets of seed s: this + s; training never draws them
constexpr std::int64_t pictureSets = 32, pictureItems = 16;
constexpr std::string_view ofTraining[] = {"heads", "seed",  "batch", "items_min", "width",
                                           "rate",  "decay", "l2",    "biases",    "bfloat16"};
constexpr double trainingShare = 0.6, fitShare = 0.05;  // of the run's progress, where it trains

/// Table 1 of the paper, per cent. Of its p-values 0.4, 0.4 and 0.002 at 16, 32 and 64 items and 0.02 at 4096 can be
/// read.
struct PublishedRow {
    std::int64_t items;
    double baseline, adaptive;
};
constexpr PublishedRow publishedTable1[] = {{16, 98.6, 98.6},   {32, 97.1, 97.1},   {64, 94.3, 94.5},
                                            {128, 89.7, 89.9},  {256, 81.3, 82.1},  {512, 70.1, 72.5},
                                            {1024, 53.8, 57.7}, {2048, 35.7, 39.4}, {4096, 22.6, 24.9},
                                            {8192, 15.7, 17.5}, {16384, 12.4, 14.0}};

LabValue publishedAccuracy(const HeadVariant& variant, std::int64_t items)
{
    if (!isVanilla(formatChoice(variant.method)))
        return {};
    for (const PublishedRow& row : publishedTable1)
        if (row.items == items) {
            const std::string normaliser = formatChoice(variant.normaliser);
            return normaliser == "softmax"    ? LabValue(row.baseline)
                   : normaliser == "adaptive" ? LabValue(row.adaptive)
                                              : LabValue();
        }
    return {};
}

/// Rows of `table1` beside what the paper printed, of scores [seed][variant], seed s having tested head s mod heads.
/// The first variant is what the others are compared with, by a paired t-test over the heads, each with the mean of
/// its seeds; where one head was tested, over the seeds.
std::vector<LabRow> table1Rows(const std::vector<HeadVariant>& variants, std::int64_t items,
                               const std::vector<std::vector<HeadScore>>& scores, std::size_t heads)
{
    const std::size_t units = heads > 1 ? std::min(heads, scores.size()) : scores.size();
    const auto over = [&](std::size_t variant, double HeadScore::*field) {
        std::vector<std::vector<double>> values(units);
        for (std::size_t seed = 0; seed < scores.size(); ++seed)
            values[seed % units].push_back(scores[seed][variant].*field);
        std::vector<double> means;
        for (const std::vector<double>& unit : values)
            means.push_back(sampleMean(unit).mean);
        return means;
    };
    std::vector<LabRow> rows;
    const std::vector<double> first = over(0, &HeadScore::accuracy);
    for (std::size_t v = 0; v < variants.size(); ++v) {
        const std::vector<double> accuracy = over(v, &HeadScore::accuracy);
        const SampleMean found = sampleMean(accuracy);
        const auto mean = [&](double HeadScore::*field) { return sampleMean(over(v, field)).mean; };
        std::optional<double> pValue;
        if (v > 0 && !std::isnan(found.mean))
            pValue = pairedTTest(accuracy, first);
        rows.push_back({"table1",
                        {{"method", variants[v].label},
                         {"items", items},
                         {"accuracy", present(100 * found.mean)},
                         {"stderr", found.standardError ? present(100 * *found.standardError) : LabValue{}},
                         {"published", publishedAccuracy(variants[v], items)},
                         {"p_value", present(pValue)},
                         {"multiplier", present(mean(&HeadScore::multiplier))},
                         {"entropy", present(mean(&HeadScore::entropy))},
                         {"largest_weight", present(mean(&HeadScore::largestWeight))},
                         {"ranked_first", present(100 * mean(&HeadScore::ranked))},
                         {"resolvable", present(100 * mean(&HeadScore::resolvable))}}});
    }
    return rows;
}

/// Likewise of each head by itself, which is one of seed `firstSeed` + its place: its p-values are over its own test
/// seeds.
std::vector<LabRow> rowsOfHeads(const std::vector<HeadVariant>& variants, std::int64_t items,
                                const std::vector<std::vector<HeadScore>>& scores, std::size_t heads,
                                std::int64_t firstSeed)
{
    std::vector<LabRow> all;
    for (std::size_t head = 0; head < std::min(heads, scores.size()); ++head) {
        std::vector<std::vector<HeadScore>> own;
        for (std::size_t seed = head; seed < scores.size(); seed += heads)
            own.push_back(scores[seed]);
        for (LabRow& row : table1Rows(variants, items, own, 1)) {
            row.table = qualityTable;
            std::erase_if(row.cells, [](const auto& cell) { return cell.first == "published"; });
            row.cells.insert(row.cells.begin(), {"seed", firstSeed + static_cast<std::int64_t>(head)});
            row.cells.emplace_back("seeds", std::ssize(own));
            all.push_back(std::move(row));
        }
    }
    return all;
}

class MaxRetrievalExperiment : Experiment {
public:
    MaxRetrievalExperiment(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress)
        : Experiment(run, lab, std::move(stop), progress), m_refit(publishedTemperature)
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
        TRY(obtain());
        TRY(fit());
        TRY(evaluate());
        TRY(pictures());
        return finish();
    }

private:
    double nTrain() const { return static_cast<double>(whole("items_max")); }
    double afterTraining() const { return whole("steps") > 0 ? trainingShare : 0; }

    Result<void> obtain()
    {
        if (whole("steps") > 0)
            return trainEach(whole("heads"), trainingShare, "head", [&](std::int64_t head, double from, double to) {
                return learn(whole("seed") + head, from, to);
            });
        TRY(checkNoTraining(
            {"the head that comes with the program", "set steps above 0 to train heads"},
            [](const std::string& id) { return std::ranges::find(ofTraining, id) == std::end(ofTraining); }));
        m_heads.push_back(TRY(loadHead("shipped")));
        return keepTensors();
    }

    Result<void> learn(std::int64_t seed, double from, double to)
    {
        MaxRetrievalTrainer trainer(
            {.width = whole("width"),
             .batch = whole("batch"),
             .itemsMin = whole("items_min"),
             .itemsMax = whole("items_max"),
             .rate = m_parameters["rate"],
             .l2 = m_parameters["l2"],
             .decay = m_parameters["decay"],
             .everyWeight = m_parameters.on("biases"),
             .products = m_parameters.on("bfloat16") ? learn::Products::Bfloat16 : learn::Products::Float32,
             .seed = static_cast<std::uint64_t>(seed)});
        const Training training = stepsOf(
            trainer, {.name = "max_retrieval_seed" + std::to_string(seed),
                      .facts = trainer.settings().metadata("max-retrieval"),
                      .labels = {{"seed", seed}},
                      .show = [&] { return m_report.picturesDue() ? livePictures(trainer.model()) : Result<void>(); }});
        TRY(train(training, from, to));
        m_heads.push_back(trainer.model());
        TRY(keep(training, fmt::format("head trained with seed {}", seed)));
        return m_heads.size() > 1 ? Result<void>() : keepTensors();
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
                m_report.row("heads", {{"method", label},
                                       {"items", items},
                                       {"set", std::int64_t{set}},
                                       {"rank", std::int64_t{image->cols() - rank}},
                                       {"weight", static_cast<double>((*image)(set, rank))}});
        m_report.picture({label + "/" + std::to_string(items), fmt::format("{}, {} items", label, items), "set",
                          "the 16 largest items, the largest last", std::move(*image)});
        return {};
    }

    /// The first head's queries and keys, for the window.
    Result<void> keepTensors()
    {
        if (m_run.folder.empty())
            return {};
        const auto path = TRY(pathInFolder(m_run.folder, "max_retrieval_qk.safetensors"));
        const Scenario scenario = TRY(writeHeadTensors(path, m_heads.front(), nTrain()));
        addFile({path, "queries and keys of 4 sets of 2048 items", scenario});
        return {};
    }

    Result<void> fit()
    {
        m_report.stage("refitting the adaptive temperature");
        m_report.phase({afterTraining() + fitShare, "tests"});
        m_report.send(afterTraining());
        std::vector<MisrankedSet> points;
        for (std::size_t head = 0; head < m_heads.size(); ++head) {
            const std::int64_t sets = std::max<std::int64_t>(1, whole("sets") / std::ssize(m_heads));
            const std::vector<MisrankedSet> found =
                TRY(misrankedSets(m_heads[head], misrankedSeed + head, sets, mostTestItems, m_sizes, m_stop));
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
            m_report.row("polynomial", {{"power", std::int64_t{4} - static_cast<std::int64_t>(i)},
                                        {"published", publishedTemperature[i]},
                                        {"refit", fitted ? LabValue{m_refit[i]} : LabValue{}}});
        for (int i = 0; fitted && i <= 60; ++i) {
            const double entropy = 0.5 + (largest - 0.5) * i / 60;
            const auto theta = [&](const std::array<double, 5>& c) {
                return 1 / std::max(1.0, polynomialAt(c, entropy));
            };
            m_report.row("fit",
                         {{"entropy", entropy}, {"published", theta(publishedTemperature)}, {"refit", theta(m_refit)}});
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
        m_report.phase({});
        double work = 0, done = 0;
        for (const std::int64_t items : m_sizes)
            work += static_cast<double>(setsOf(items) * items * whole("seeds"));
        for (const std::int64_t items : m_sizes) {
            m_report.stage(fmt::format("testing {} items", items));
            std::vector<std::vector<HeadScore>> scores;  // [seed][variant]
            for (std::int64_t seed = 0; seed < whole("seeds"); ++seed) {
                HeadEvaluation& evaluation = evaluations[static_cast<std::size_t>(seed) % evaluations.size()];
                scores.push_back(
                    TRY(evaluation.score(testSeed + static_cast<std::uint64_t>(seed), setsOf(items), items, m_stop)));
                done += static_cast<double>(setsOf(items) * items);
                m_report.sendIfDue(start + (1 - start) * done / work);
            }
            std::vector<LabRow> rows = table1Rows(variants, items, scores, m_heads.size());
            if (m_heads.size() > 1)
                std::ranges::move(rowsOfHeads(variants, items, scores, m_heads.size(), whole("seed")),
                                  std::back_inserter(rows));
            for (LabRow& row : rows)
                m_report.row(std::move(row.table), std::move(row.cells));
        }
        return {};
    }

    std::int64_t setsOf(std::int64_t items) const
    {
        return std::clamp<std::int64_t>(mostTestItems / items, 1, whole("sets"));
    }

    /// Figures 2 and 6: baseline and adaptive temperature, 32 sets, size after size.
    Result<void> pictures()
    {
        HeadEvaluation evaluation = TRY(HeadEvaluation::make(
            m_heads.front(), TRY(parseVariants("vanilla; vanilla|adaptive; vanilla|refit", m_refit)), nTrain()));
        for (std::size_t variant = 0; variant < evaluation.variants().size(); ++variant)
            for (const std::int64_t items : m_sizes)
                TRY(addPicture(evaluation, variant, items, true));
        return {};
    }

    std::vector<MaxRetrievalModel> m_heads;
    std::array<double, 5> m_refit;
    std::vector<std::int64_t> m_sizes;
};

std::vector<Parameter> maxRetrievalParameters()
{
    return {
        whole("steps", "training steps", 0, 0, 1e7,
              "0 takes the head that comes with the program, trained for the paper's 100000 steps."),
        whole("heads", "heads", 1, 1, 100,
              "Heads trained, with one seed after another; seed s of the test takes head s, from the first again when "
              "they run out. The paper averages over ten."),
        whole("seed", "seed", 1, 0, 999'999'999'900,  // with a hundred heads below testSeed
              "The weights at the start and the training sets are functions of it."),
        whole("batch", "sets a step", 128, 1, 4096, "128 in the paper."),
        fewestItems(),
        mostItems(),
        headWidth(),
        real("rate", "learning rate", 1e-3, 1e-7, 1, "Adam's step."),
        real("decay", "decay", 1e-3, 0, 10,
             "Decoupled weight decay (AdamW): the reading of the paper's \"L2 regularisation\" that gives its table."),
        real("l2", "L2", 0, 0, 10, "Weight of a penalty |w|² / 2 in the loss, another reading."),
        toggle("biases", "decay of biases", true,
               "Off: decay and L2 hold for the matrices alone; the paper does not say."),
        toggle("bfloat16", "factors in bfloat16", true,
               "Products round their factors to 8 significant bits, as JAX does on a TPU unless told otherwise, in "
               "training and in tests; off: float32."),
        whole("seeds", "test seeds", 10, 2, 100,
              "Test sets are drawn anew for each; the paired t-test is over them, or over the heads where several are "
              "trained."),
        whole("sets", "sets", 512, 1, 65536,
              "Test sets a seed and size; fewer where they would hold more than four million items."),
        whole("most_items", "most items tested", 16384, 16, 65536, "Sizes double from 16 up to this.")};
}

std::vector<LabChart> maxRetrievalCharts()
{
    using enum LabLine::Look;
    return {{.id = "loss",
             .title = "Loss",
             .xTitle = "Step",
             .yTitle = "Cross-entropy (nats)",
             .lines = {{.table = "training", .x = "step", .y = "loss"}},
             .logY = true,
             .group = "seed"},
            accuracyInTraining("seed"),
            {.id = "accuracy",
             .title = "Accuracy on larger sets",
             .xTitle = "Items, $n$",
             .yTitle = "Accuracy (%)",
             .lines =
                 {{.table = "table1", .x = "items", .y = "accuracy"},
                  {.table = "table1", .x = "items", .y = "published", .label = "as published", .look = ReferencePoints},
                  {.table = "table1",
                   .x = "items",
                   .y = "resolvable",
                   .label = "at most, by the factors' bits",
                   .look = Reference,
                   .ofEveryGroup = false}},
             .logX = true,
             .group = "method"},
            {.id = "entropy",
             .title = "Entropy of the head",
             .xTitle = "Items, $n$",
             .yTitle = "Row entropy (nats)",
             .lines = {{.table = "table1", .x = "items", .y = "entropy"}},
             .logX = true,
             .group = "method"},
            {.id = "fit",
             .title = "Adaptive temperature",
             .xTitle = "Row entropy $H$ (nats)",
             .yTitle = "Temperature $\\theta$",
             .lines = {{.table = "temperatures",
                        .x = "entropy",
                        .y = "theta",
                        .label = "best for a misranked set",
                        .look = Points},
                       {.table = "fit", .x = "entropy", .y = "published", .label = "published", .look = Reference},
                       {.table = "fit", .x = "entropy", .y = "refit", .label = "refit"}}}};
}

}  // namespace

Lab maxRetrievalLab()
{
    return {{"max-retrieval",
             "Finding the largest",
             "class of argmax p",
             "Veličković et al. 2024, section 4.1 and appendix A",
             "A single attention head learns to find the largest of up to 16 items; with more items its attention "
             "disperses. Tests it on ever larger sets under any scale method and normaliser.",
             maxRetrievalParameters(),
             {{"train one quickly", "max-retrieval:steps=5000", "a minute on two cores"},
              {"test the head that comes with the program", "max-retrieval",
               "it trained for 100000 steps; nothing is trained"},
              {"ten heads, as in the paper", "max-retrieval:steps=100000,heads=10", "Veličković et al. 2024, table 1"}},
             "METHOD or METHOD|NORMALISER, separated by semicolons; refit is the refitted adaptive temperature",
             "vanilla; vanilla|adaptive; vanilla|refit; infoscale; softmax_plus:B=16; log_n; ssmax; "
             "entropy_mean_field; entropy_exact; entropy_measured"},
            "table1",
            "methods",
            maxRetrievalCharts(),
            runExperiment<MaxRetrievalExperiment>,
            {{"methods", variantRows()}}};
}

}  // namespace attnscope
