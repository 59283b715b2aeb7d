// The lab `max-retrieval`: trains the head (or takes the shipped one), refits the adaptive temperature, and tests it.

#include "core/base/embedded.h"
#include "core/labs/lab_rows.h"
#include "core/labs/lab_support.h"
#include "core/labs/max_retrieval_evaluation.h"
#include "core/labs/max_retrieval_trainer.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <sstream>

namespace attnscope {

Embedded maxRetrievalHead();  // made by attnscope_embed from resources/labs

namespace {

/// Table 1 of the paper, per cent.
struct Published {
    std::int64_t items;
    double baseline, adaptive;
};
constexpr Published published[] = {{16, 98.6, 98.6},   {32, 97.1, 97.1},   {64, 94.3, 94.5},   {128, 89.7, 89.9},  {256, 81.3, 82.1},  {512, 70.1, 72.5},
                                   {1024, 53.8, 57.7}, {2048, 35.7, 39.4}, {4096, 22.6, 24.9}, {8192, 15.7, 17.5}, {16384, 12.4, 14.0}};

constexpr std::int64_t testItems = 1 << 21;            // items a seed and size at most
constexpr std::uint64_t testSeed = 1'000'000'000'000;  // test sets of seed s: this + s; training never draws them
constexpr std::uint64_t fitSeed = 2'000'000'000'000;
constexpr std::int64_t pictureSets = 32, pictureItems = 16;
constexpr std::int64_t historyPoints = 200;
constexpr double trainingShare = 0.6, fitShare = 0.05;  // of the run's progress, where it trains

LabValue publishedAccuracy(const HeadVariant& variant, std::int64_t items)
{
    for (const Published& row : published)
        if (row.items == items) {
            if (variant.method == Choice{"vanilla", {}, {}} && variant.normaliser == Choice{"softmax", {}, {}})
                return row.baseline;
            if (variant.method == Choice{"vanilla", {}, {}} && variant.normaliser == Choice{"adaptive", {}, {}})
                return row.adaptive;
        }
    return {};
}

class Experiment {
public:
    Experiment(const LabRun& run, const Parameters& parameters, std::stop_token stop, const LabCallback& progress)
        : m_run(run), m_parameters(parameters), m_stop(std::move(stop)), m_report(progress, "preparing"),
          m_trainer({.width = whole("width"), .batch = whole("batch"), .itemsMin = whole("items_min"), .itemsMax = whole("items_max"), .rate = parameters["rate"],
                     .l2 = parameters["l2"], .decay = parameters["decay"], .seed = static_cast<std::uint64_t>(parameters["seed"])})
    {
        for (std::int64_t items = 16; items <= whole("most_items"); items *= 2)
            m_sizes.push_back(items);
    }

    Result<LabResult> operator()()
    {
        if (whole("items_min") > whole("items_max"))
            return failure(ErrorKind::InvalidArgument, "items_min must not be above items_max");
        // wrong names are told before the training
        if (const auto variants = parseVariants(m_parameters.text(), TemperatureFit{}.coefficients); !variants)
            return tl::unexpected(variants.error());
        for (Result<void> (Experiment::*part)() : {&Experiment::train, &Experiment::fit, &Experiment::evaluate, &Experiment::pictures})
            if (const Result<void> done = (this->*part)(); !done)
                return tl::unexpected(done.error());
        m_report.send(1);
        return LabResult{inOrder(m_report.rows(), "table1"), m_files};
    }

private:
    std::int64_t whole(const char* id) const { return static_cast<std::int64_t>(m_parameters[id]); }
    double afterTraining() const { return whole("steps") > 0 ? trainingShare : 0; }

    Result<void> loadShipped()
    {
        const Embedded resource = maxRetrievalHead();
        const Result<TensorFile> file = TensorFile::fromBytes({resource.bytes.begin(), resource.bytes.end()}, std::string(resource.name));
        if (!file)
            return tl::unexpected(file.error());
        if (whole("width") != 128)
            return failure(ErrorKind::InvalidArgument, "the shipped head has width 128; set steps to train another");
        return learn::loadModel(*file, m_trainer.model().weights());
    }

    Result<void> train()
    {
        const std::int64_t steps = whole("steps");
        if (steps == 0)
            return loadShipped();
        LabCheckpoint checkpoint(m_run, "max_retrieval", m_trainer.settings().metadata());
        const learn::Weights weights = m_trainer.model().weights();
        if (const Result<void> resumed = checkpoint.resume(weights, m_trainer.adam()); !resumed)
            return resumed;
        m_report.stage("training");
        const std::int64_t every = std::max<std::int64_t>(1, steps / historyPoints);
        double sum = 0;
        std::int64_t summed = 0;
        std::istringstream earlier(checkpoint.history);
        for (std::string step, loss; earlier >> step >> loss;)
            m_report.row("training", {{"step", std::int64_t{std::stoll(step)}}, {"loss", std::stod(loss)}});
        while (m_trainer.steps() < steps) {
            const bool stopped = m_stop.stop_requested();
            if (stopped || checkpoint.due())
                if (const Result<void> saved = checkpoint.save(weights, m_trainer.adam()); !saved)
                    return saved;
            if (stopped)
                return failure(ErrorKind::Cancelled, "stopped");
            sum += m_trainer.step();
            ++summed;
            if (m_trainer.steps() % every == 0) {
                m_report.row("training", {{"step", m_trainer.steps()}, {"loss", sum / static_cast<double>(summed)}});
                checkpoint.history += std::to_string(m_trainer.steps()) + ' ' + formatNumber(sum / static_cast<double>(summed)) + ' ';
                sum = 0;
                summed = 0;
            }
            if (m_report.due()) {
                if (const Result<void> drawn = livePictures(); !drawn)
                    return drawn;
                m_report.send(trainingShare * static_cast<double>(m_trainer.steps()) / static_cast<double>(steps));
            }
        }
        if (const Result<void> saved = checkpoint.save(weights, m_trainer.adam()); !saved)
            return saved;
        return keepModel(weights);
    }

    Result<void> keepModel(const learn::Weights& weights)
    {
        if (m_run.folder.empty())
            return {};
        const Result<std::string> path = pathInFolder(m_run.folder, "max_retrieval.safetensors");
        if (!path)
            return tl::unexpected(path.error());
        m_files.push_back(*path);
        learn::Metadata metadata = m_trainer.settings().metadata();
        metadata["steps"] = std::to_string(m_trainer.steps());
        return learn::saveModel(*path, weights, metadata);
    }

    /// The head as it is now, on sets of 16 and of 64 items.
    Result<void> livePictures()
    {
        Result<HeadEvaluation> evaluation = HeadEvaluation::make(m_trainer.model(), *parseVariants("vanilla", {}), static_cast<double>(whole("items_max")));
        if (!evaluation)
            return tl::unexpected(evaluation.error());
        for (const std::int64_t items : {16, 64})
            if (const Result<void> drawn = addPicture(*evaluation, 0, items, false); !drawn)
                return drawn;
        return {};
    }

    Result<void> addPicture(HeadEvaluation& evaluation, std::size_t variant, std::int64_t items, bool rows)
    {
        Result<Eigen::MatrixXf> image = evaluation.picture(variant, testSeed, pictureSets, items, pictureItems);
        if (!image)
            return image.error().kind == ErrorKind::Undefined ? Result<void>() : tl::unexpected(image.error());
        const std::string& label = evaluation.variants()[variant].label;
        for (Eigen::Index set = 0; rows && set < image->rows(); ++set)
            for (Eigen::Index rank = 0; rank < image->cols(); ++rank)
                m_report.row("heads", {{"method", label}, {"items", items}, {"set", std::int64_t{set}}, {"rank", std::int64_t{image->cols() - rank}},
                                       {"weight", static_cast<double>((*image)(set, rank))}});
        m_report.picture({label + "/" + std::to_string(items), label + ", " + std::to_string(items) + " items", "set", "the 16 largest items, the largest last", std::move(*image)});
        return {};
    }

    Result<void> fit()
    {
        m_report.stage("refitting the adaptive temperature");
        m_report.send(afterTraining());
        std::vector<std::int64_t> sizes;
        std::ranges::copy_if(m_sizes, std::back_inserter(sizes), [](std::int64_t items) { return items <= 4096; });
        Result<TemperatureFit> fitted = fitTemperature(m_trainer.model(), fitSeed, whole("sets"), sizes, m_stop);
        if (!fitted)
            return tl::unexpected(fitted.error());
        m_fit = std::move(*fitted);
        for (const TemperatureFit::Point& point : m_fit.points)
            m_report.row("temperatures", {{"items", point.items}, {"entropy", point.entropy}, {"theta", point.theta}});
        const TemperatureFit paper;
        for (std::size_t i = 0; i < 5; ++i)
            m_report.row("polynomial", {{"power", std::int64_t{4 - static_cast<std::int64_t>(i)}}, {"published", paper.coefficients[i]},
                                        {"refit", m_fit.fitted ? LabValue{m_fit.coefficients[i]} : LabValue{}}});
        return {};
    }

    Result<void> evaluate()
    {
        Result<std::vector<HeadVariant>> variants = parseVariants(m_parameters.text(), m_fit.coefficients);
        Result<HeadEvaluation> evaluation = variants ? HeadEvaluation::make(m_trainer.model(), *variants, static_cast<double>(whole("items_max"))) : tl::unexpected(variants.error());
        if (!evaluation)
            return tl::unexpected(evaluation.error());
        const double start = afterTraining() + fitShare;
        double work = 0, done = 0;
        for (const std::int64_t items : m_sizes)
            work += static_cast<double>(setsOf(items) * items);
        for (const std::int64_t items : m_sizes) {
            m_report.stage("testing " + std::to_string(items) + " items");
            std::vector<std::vector<HeadScore>> scores;  // [seed][variant]
            for (std::int64_t seed = 0; seed < whole("seeds"); ++seed) {
                Result<std::vector<HeadScore>> score = evaluation->score(testSeed + static_cast<std::uint64_t>(seed), setsOf(items), items, m_stop);
                if (!score)
                    return tl::unexpected(score.error());
                scores.push_back(std::move(*score));
                done += static_cast<double>(setsOf(items) * items) / static_cast<double>(whole("seeds"));
                m_report.sendIfDue(start + (1 - start) * done / work);
            }
            addScores(*variants, items, scores);
        }
        return {};
    }

    std::int64_t setsOf(std::int64_t items) const { return std::clamp<std::int64_t>(testItems / items, 1, whole("sets")); }

    void addScores(const std::vector<HeadVariant>& variants, std::int64_t items, const std::vector<std::vector<HeadScore>>& scores)
    {
        const double seeds = static_cast<double>(scores.size());
        const auto over = [&](std::size_t variant, double HeadScore::*field) {
            std::vector<double> values;
            for (const std::vector<HeadScore>& seed : scores)
                values.push_back(seed[variant].*field);
            return values;
        };
        const auto mean = [&](const std::vector<double>& values) {
            double sum = 0;
            for (const double value : values)
                sum += value;
            return sum / seeds;
        };
        const auto present = [](double value) { return std::isnan(value) ? LabValue{} : LabValue{value}; };
        const std::vector<double> first = over(0, &HeadScore::accuracy);
        for (std::size_t v = 0; v < variants.size(); ++v) {
            const std::vector<double> accuracy = over(v, &HeadScore::accuracy);
            double squares = 0;
            for (const double a : accuracy)
                squares += (a - mean(accuracy)) * (a - mean(accuracy));
            m_report.row("table1", {{"method", variants[v].label}, {"items", items}, {"accuracy", present(100 * mean(accuracy))}, {"stderr", present(100 * std::sqrt(squares / (seeds - 1) / seeds))},
                                    {"published", publishedAccuracy(variants[v], items)}, {"p_value", v == 0 || std::isnan(mean(accuracy)) ? LabValue{} : LabValue{pairedTTest(accuracy, first)}},
                                    {"multiplier", present(scores[0][v].multiplier)}, {"entropy", present(mean(over(v, &HeadScore::entropy)))},
                                    {"largest_weight", present(mean(over(v, &HeadScore::largestWeight)))}, {"ranked_first", present(100 * mean(over(v, &HeadScore::ranked)))}});
        }
    }

    /// Figures 2 and 6: baseline and adaptive temperature, 32 sets, size after size.
    Result<void> pictures()
    {
        Result<HeadEvaluation> evaluation = HeadEvaluation::make(m_trainer.model(), *parseVariants("vanilla; vanilla|adaptive; vanilla|refit", m_fit.coefficients),
                                                                 static_cast<double>(whole("items_max")));
        if (!evaluation)
            return tl::unexpected(evaluation.error());
        for (std::size_t variant = 0; variant < evaluation->variants().size(); ++variant)
            for (const std::int64_t items : m_sizes)
                if (const Result<void> drawn = addPicture(*evaluation, variant, items, true); !drawn)
                    return drawn;
        return {};
    }

    const LabRun& m_run;
    const Parameters& m_parameters;
    std::stop_token m_stop;
    LabReporter m_report;
    MaxRetrievalTrainer m_trainer;
    TemperatureFit m_fit;
    std::vector<std::int64_t> m_sizes;
    std::vector<std::string> m_files;
};

}  // namespace

Result<LabResult> runMaxRetrievalLab(const LabRun& run, std::stop_token stop, const LabCallback& progress)
{
    const Lab& row = **findRow(labs(), "max-retrieval", "lab");
    const Parameters parameters(row, run.choice);
    return Experiment(run, parameters, std::move(stop), progress)();
}

}  // namespace attnscope
