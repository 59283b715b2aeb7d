// The lab `eie`: trains the learned scale of EIE and puts learned, published and exact side by side.

#include "core/analysis/monte_carlo.h"
#include "core/base/parameter.h"
#include "core/labs/eie/eie_trainer.h"
#include "core/labs/experiment.h"
#include "core/labs/lab_charts.h"
#include "core/theory/entropy_scale.h"
#include "core/theory/expected_row.h"

#include <cmath>
#include <filesystem>
#include <set>
#include <sstream>

namespace attnscope {

namespace {

/// Tables 5 and 7 of the paper.
struct PublishedLambda {
    int d;
    double n, lambda;
};
constexpr PublishedLambda publishedLambdas[] = {{16, 100, 0.250},  {16, 200, 0.374}, {16, 400, 0.512}, {16, 800, 0.618},
                                                {16, 1600, 0.702}, {32, 120, 0.177}, {32, 240, 0.227}, {32, 480, 0.306},
                                                {32, 960, 0.422},  {32, 1920, 0.504}};

constexpr int curvePoints = 65;

struct Configuration {
    int d = 16;
    double nTrain = 100, nMax = 1600;
};

Result<std::vector<Configuration>> parseConfigurations(const std::string& text)
{
    std::vector<Configuration> all;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        Configuration one;
        char colon1 = 0, colon2 = 0, rest = 0;
        std::istringstream parts(word);
        if (!(parts >> one.d >> colon1 >> one.nTrain >> colon2 >> one.nMax) || parts >> rest || colon1 != ':' ||
            colon2 != ':' || one.d < 1 || one.d > 4096 || !(one.nTrain >= 2) || !(one.nMax > one.nTrain) ||
            !(one.nMax <= 1e9))
            return failure(ErrorKind::InvalidArgument, "'{}' is no d:N:LARGEST like 16:100:1600, with 2 <= N < LARGEST",
                           word);
        all.push_back(one);
    }
    if (all.empty())
        return failure(ErrorKind::InvalidArgument,
                       "name what to train for, as d:N:LARGEST: \"16:100:1600 32:120:1920\"");
    return all;
}

/// The exact side of one configuration: lengths, lambda*, and entropies of any lambda.
struct ExactCurve {
    LogitDensity density;
    std::vector<double> n, lambda;
    double target = 0;

    double entropy(double length, double scale) const { return expectedEntropy(density, length, scale); }
};

Result<ExactCurve> exactCurve(const Configuration& c)
{
    ExactCurve curve{*logitDensity("gaussian", c.d), {}, {}, 0};
    for (int i = 0; i < curvePoints; ++i)
        curve.n.push_back(c.nTrain * std::pow(c.nMax / c.nTrain, i / (curvePoints - 1.0)));
    curve.n.front() = c.nTrain;
    curve.n.back() = c.nMax;
    for (const Result<double>& scale : entropyInvariantScales(curve.density, curve.n, c.nTrain))
        curve.lambda.push_back(TRY(scale));
    curve.target = curve.entropy(c.nTrain, 1 / std::sqrt(c.d));
    return curve;
}

double worstError(const std::vector<double>& learned, const std::vector<double>& exact)
{
    double worst = 0;
    for (std::size_t i = 0; i < exact.size(); ++i)
        worst = std::max(worst, std::abs(learned[i] / exact[i] - 1));
    return worst;
}

LabValue publishedLambda(int d, double n)
{
    for (const PublishedLambda& row : publishedLambdas)
        if (row.d == d && std::abs(row.n / n - 1) < 1e-9)
            return row.lambda;
    return {};
}

class EieExperiment : Experiment {
public:
    using Experiment::Experiment;

    Result<LabResult> operator()()
    {
        const std::vector<Configuration> configurations = TRY(parseConfigurations(m_parameters.text()));
        TRY(checkFiles(configurations));
        TRY(checkDrawn(configurations));
        for (std::size_t i = 0; i < configurations.size(); ++i) {
            const double share = 1 / static_cast<double>(configurations.size()), from = static_cast<double>(i) * share;
            TRY(learn(configurations[i], from, from + share));
        }
        return finish();
    }

private:
    /// The files of a training are named by its d.
    Result<void> checkFiles(const std::vector<Configuration>& all) const
    {
        std::set<int> seen;
        for (const Configuration& one : all)
            if (!m_run.folder.empty() && !seen.insert(one.d).second)
                return failure(ErrorKind::InvalidArgument,
                               "two trainings of d = {} would overwrite each other's files; run them in two folders",
                               one.d);
        return {};
    }

    /// Monte Carlo draws whole rows.
    Result<void> checkDrawn(const std::vector<Configuration>& all) const
    {
        for (const Configuration& one : all)
            if (m_parameters.on("monte_carlo") && one.nMax > static_cast<double>(longestSampled))
                return failure(ErrorKind::InvalidArgument,
                               "Monte Carlo draws every key: with monte_carlo = 1 the largest length must be at most "
                               "{}, not {}",
                               longestSampled, formatNumber(one.nMax));
        return {};
    }

    EieSettings settings(const Configuration& c) const
    {
        const auto number = [&](const char* id) { return static_cast<int>(whole(id)); };
        return {.d = c.d,
                .nTrain = c.nTrain,
                .nMax = c.nMax,
                .blocks = number("blocks"),
                .width = number("width"),
                .epsilon = m_parameters["epsilon"],
                .variable = m_parameters.on("log_length") ? EieNetwork::Variable::Log : EieNetwork::Variable::Length,
                .monteCarlo = m_parameters.on("monte_carlo"),
                .rows = number("rows"),
                .batch = number("batch"),
                .steps = number("steps"),
                .rate = m_parameters["rate"],
                .decay = m_parameters["decay"],
                .seed = static_cast<std::uint64_t>(m_parameters["seed"])};
    }

    /// Everything that training depends on but the number of epochs.
    learn::Metadata facts(const EieSettings& s, const EieTrainer& trainer) const
    {
        learn::Metadata all = trainer.metadata();
        all.insert({{"lab", "eie"},
                    {"gradient", s.monteCarlo ? "monte-carlo" : "exact"},
                    {"batch", std::to_string(s.batch)},
                    {"steps_an_epoch", std::to_string(s.steps)},
                    {"rate", formatNumber(s.rate)},
                    {"decay", formatNumber(s.decay)},
                    {"seed", std::to_string(s.seed)},
                    {"rows", std::to_string(s.rows)},
                    {"width", std::to_string(s.width)},
                    {"blocks", std::to_string(s.blocks)}});
        return all;
    }

    Result<void> learn(const Configuration& c, double from, double to)
    {
        const EieSettings s = settings(c);
        const auto exact = TRY(exactCurve(c));
        m_report.stage(fmt::format("training d = {}", c.d));
        EieTrainer trainer = TRY(EieTrainer::make(s, m_stop));
        const Training training{.name = "eie_d" + std::to_string(c.d),
                                .facts = facts(s, trainer),
                                .weights = trainer.weights(),
                                .adam = &trainer.adam(),
                                .unit = "epoch",
                                .measures = {"loss", "worst_error"},
                                .labels = {{"d", std::int64_t{c.d}}},
                                .stepsPerUnit = s.steps,
                                .total = whole("epochs"),
                                .advance =
                                    [&] {
                                        return trainer.epoch(m_stop).map([&](double loss) {
                                            return std::vector{loss, worstError(trainer.lambda(exact.n), exact.lambda)};
                                        });
                                    },
                                .show = [&]() -> Result<void> {
                                    m_report.live(curve(c, exact, trainer));
                                    return {};
                                }};
        const double seconds = TRY(train(training, from, to));
        TRY(conclude(c, exact, trainer, seconds));
        if (!m_run.folder.empty()) {
            const std::string path = TRY(keepModel(training, m_run));
            addFile({path, fmt::format("scale learned for d = {}", c.d), scenarioWith(c, path)});
        }
        m_report.send(to);
        return {};
    }

    /// The window with the learned scale among the methods.
    static Scenario scenarioWith(const Configuration& c, const std::string& path)
    {
        Scenario scenario;
        scenario.source = {"gaussian", {}, {}};
        scenario.n = static_cast<std::int64_t>(std::min(c.nMax, 4096.0));
        scenario.d = c.d;
        scenario.nTrain = c.nTrain;
        scenario.methods = {
            {"vanilla", {}, {}}, {"eie", {}, std::filesystem::absolute(path).string()}, {"entropy_exact", {}, {}}};
        scenario.attention.mask = {"full", {}, {}};
        scenario.view.curveFirst = static_cast<std::int64_t>(c.nTrain);
        scenario.view.curveLast = static_cast<std::int64_t>(c.nMax);
        return scenario;
    }

    Result<void> conclude(const Configuration& c, const ExactCurve& exact, EieTrainer& trainer, double seconds)
    {
        for (LabRow& row : curve(c, exact, trainer))
            m_report.row(std::move(row.table), std::move(row.cells));
        m_report.row("summary", {{"d", std::int64_t{c.d}},
                                 {"n_train", c.nTrain},
                                 {"n_max", c.nMax},
                                 {"gradient", std::string(trainer.settings().monteCarlo ? "monte-carlo" : "exact")},
                                 {"worst_error", worstError(trainer.lambda(exact.n), exact.lambda)},
                                 {"seconds", seconds}});
        std::vector<double> lengths;
        for (double n = c.nTrain; n < c.nMax * 0.999; n *= 2)
            lengths.push_back(n);
        lengths.push_back(c.nMax);
        for (const double n : lengths)
            TRY(addLength(c, exact, trainer.lambda({n})[0], n));
        return {};
    }

    /// A line of tables 5 and 7: learned, published and exact, and the entropy that each really gives.
    Result<void> addLength(const Configuration& c, const ExactCurve& exact, double learned, double n)
    {
        const double best = TRY(entropyInvariantScale(exact.density, n, c.nTrain));
        const LabValue paper = publishedLambda(c.d, n);
        const double* printed = std::get_if<double>(&paper);
        m_report.row("lambda", {{"d", std::int64_t{c.d}},
                                {"n", n},
                                {"learned", learned},
                                {"published", paper},
                                {"exact", best},
                                {"error", learned / best - 1},
                                {"entropy_learned", exact.entropy(n, learned)},
                                {"entropy_published", printed ? LabValue{exact.entropy(n, *printed)} : LabValue{}},
                                {"entropy_target", exact.target}});
        return {};
    }

    static std::vector<LabRow> curve(const Configuration& c, const ExactCurve& exact, EieTrainer& trainer)
    {
        const std::vector<double> learned = trainer.lambda(exact.n);
        const Eigen::Index count = static_cast<Eigen::Index>(learned.size());
        const Eigen::ArrayXd entropy = trainer.surface()
                                           .at(Eigen::Map<const Eigen::ArrayXd>(exact.n.data(), count),
                                               Eigen::Map<const Eigen::ArrayXd>(learned.data(), count))
                                           .entropy;
        std::vector<LabRow> rows;
        for (std::size_t i = 0; i < exact.n.size(); ++i)
            rows.push_back({"curve",
                            {{"d", std::int64_t{c.d}},
                             {"n", exact.n[i]},
                             {"learned", learned[i]},
                             {"exact", exact.lambda[i]},
                             {"published", publishedLambda(c.d, exact.n[i])},
                             {"entropy_learned", entropy[static_cast<Eigen::Index>(i)]},
                             {"entropy_target", exact.target}}});
        return rows;
    }
};

std::vector<Parameter> eieParameters()
{
    return {
        whole("epochs", "epochs", 500, 1, 100000,
              "How many times the learning rate falls by its factor; 500 in the paper."),
        whole("steps", "steps an epoch", 40, 1, 10000,
              "Batches between two falls of the learning rate. The paper's Algorithm 2 has one, which is too few to "
              "converge."),
        whole("batch", "lengths a batch", 256, 1, 65536, "Lengths drawn from N + 1 up to the largest, for each step."),
        real("rate", "learning rate", 3e-3, 1e-7, 1, "Adam's step at the start; 0.001 in the paper."),
        real("decay", "fall", 0.99, 0.5, 1, "The factor on the learning rate after each epoch."),
        whole("blocks", "residual blocks", 3, 0, 16, "N_r of the paper."),
        whole("width", "width", 10, 1, 256, "d' of the paper: units a layer."),
        real("epsilon", "ε", 1e-4, 0, 1, "Added to the network's output, so that lambda rises strictly."),
        toggle("log_length", "work in ln n", true,
               "On: the network reads ln(n/N)/ln(n_max/N) and gives the slope in it, which is nearly constant. Off: it "
               "reads n itself and gives the slope in n, as printed in the paper; its squares then leave nothing of "
               "the gradient, and it learns nothing."),
        toggle("monte_carlo", "Monte Carlo", false,
               "Off: the gradient goes through the exact expected entropy. On: through drawn rows, as in the paper."),
        whole("rows", "rows a length", 1, 1, 4096,
              "Rows of attention drawn for each length of a batch, with Monte Carlo."),
        whole("seed", "seed", 1, 0, 1e15, "The weights at the start and all that is drawn are functions of it.")};
}

std::vector<LabChart> eieCharts()
{
    using enum LabLine::Look;
    const std::string keys = "Keys, $n$";
    return {
        overLengths("scale", "Scale", keys, "$\\lambda(n)$",
                    {{.table = "curve", .x = "n", .y = "learned", .label = "learned"},
                     {.table = "curve", .x = "n", .y = "exact", .label = "exact", .look = Reference},
                     {.table = "curve", .x = "n", .y = "published", .label = "published", .look = ReferencePoints}},
                    "d"),
        overLengths(
            "entropy", "Entropy that it gives", keys, "Expected entropy (nats)",
            {{.table = "curve", .x = "n", .y = "entropy_learned", .label = "learned"},
             {.table = "curve", .x = "n", .y = "entropy_target", .label = "wanted", .look = Reference},
             {.table = "lambda", .x = "n", .y = "entropy_published", .label = "published", .look = ReferencePoints}},
            "d"),
        {.id = "loss",
         .title = "Loss",
         .xTitle = "Epoch",
         .yTitle = "Loss (nats²)",
         .lines = {{.table = "training", .x = "epoch", .y = "loss"}},
         .logY = true,
         .group = "d"},
        {.id = "error",
         .title = "Worst relative error",
         .xTitle = "Epoch",
         .yTitle = "Largest error of $\\lambda$, relative",
         .lines = {{.table = "training", .x = "epoch", .y = "worst_error"}},
         .logY = true,
         .group = "d"}};
}

}  // namespace

Lab eieLab()
{
    return {{"eie",
             "Entropy-invariant scale, learned",
             "λ(n) = 1/√d + ∫ f(x; θ) dx from N to n",
             "\"Train short, test long in combinatorial optimization\" (EIE), section 4",
             "Trains a small network to hold the expected entropy of attention as sequences grow, and puts what it "
             "learned beside the exact solution and the published tables.",
             eieParameters(),
             {{"to the letter of the paper: learns nothing, λ = 1/√d + ε (n − N)",
               "eie:steps=1,rate=0.001,log_length=0,monte_carlo=1", "EIE, section 4.2 and Algorithm 2"},
              {"exact gradient, the paper's step count", "eie:steps=1,rate=0.001", "EIE's hyperparameters in ln n"}},
             "d:N:LARGEST, one or more",
             "16:100:1600 32:120:1920"},
            "lambda",
            "configurations",
            eieCharts(),
            runExperiment<EieExperiment>};
}

}  // namespace attnscope
