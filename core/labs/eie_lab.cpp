// The lab `eie`: trains the learned scale of EIE and puts learned, published and exact side by side.

#include "core/base/length_list.h"
#include "core/base/parameter.h"
#include "core/labs/eie_trainer.h"
#include "core/labs/lab_rows.h"
#include "core/labs/lab_support.h"
#include "core/theory/entropy_scale.h"
#include "core/theory/expected_row.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

namespace attnscope {

namespace {

/// Tables 5 and 7 of the paper.
struct Published {
    int d;
    double n, lambda;
};
constexpr Published published[] = {{16, 100, 0.250}, {16, 200, 0.374}, {16, 400, 0.512}, {16, 800, 0.618}, {16, 1600, 0.702},
                                   {32, 120, 0.177}, {32, 240, 0.227}, {32, 480, 0.306}, {32, 960, 0.422}, {32, 1920, 0.504}};

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
        if (!(parts >> one.d >> colon1 >> one.nTrain >> colon2 >> one.nMax) || parts >> rest || colon1 != ':' || colon2 != ':' || one.d < 1 || one.d > 4096 ||
            !(one.nTrain >= 2) || !(one.nMax > one.nTrain) || !(one.nMax <= 1e9))
            return failure(ErrorKind::InvalidArgument, "'" + word + "' is no d:N:LARGEST like 16:100:1600, with 2 <= N < LARGEST");
        all.push_back(one);
    }
    if (all.empty())
        return failure(ErrorKind::InvalidArgument, "name what to train for, as d:N:LARGEST: \"16:100:1600 32:120:1920\"");
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
    for (const Result<double>& scale : entropyInvariantScales(curve.density, curve.n, c.nTrain)) {
        if (!scale)
            return tl::unexpected(scale.error());
        curve.lambda.push_back(*scale);
    }
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
    for (const Published& row : published)
        if (row.d == d && row.n == n)
            return row.lambda;
    return {};
}

class Experiment {
public:
    Experiment(const LabRun& run, const Parameters& parameters, std::stop_token stop, const LabCallback& progress)
        : m_run(run), m_parameters(parameters), m_stop(std::move(stop)), m_report(progress, "preparing")
    {
    }

    Result<LabResult> operator()()
    {
        const Result<std::vector<Configuration>> configurations = parseConfigurations(m_parameters.text());
        if (!configurations)
            return tl::unexpected(configurations.error());
        LabResult result;
        for (std::size_t i = 0; i < configurations->size(); ++i)
            if (const Result<void> done = train((*configurations)[i], i, configurations->size(), result); !done)
                return tl::unexpected(done.error());
        result.rows = inOrder(m_report.rows(), "lambda");
        return result;
    }

private:
    EieSettings settings(const Configuration& c) const
    {
        const auto whole = [&](const char* id) { return static_cast<int>(m_parameters[id]); };
        return {.d = c.d, .nTrain = c.nTrain, .nMax = c.nMax, .blocks = whole("blocks"), .width = whole("width"), .epsilon = m_parameters["epsilon"],
                .variable = m_parameters.on("log_length") ? EieNetwork::Variable::Log : EieNetwork::Variable::Length, .monteCarlo = m_parameters.on("monte_carlo"),
                .rows = whole("rows"), .batch = whole("batch"), .steps = whole("steps"), .rate = m_parameters["rate"], .decay = m_parameters["decay"],
                .seed = static_cast<std::uint64_t>(m_parameters["seed"])};
    }

    /// Everything that training depends on but the number of epochs.
    learn::Metadata facts(const EieSettings& s, const EieTrainer& trainer) const
    {
        learn::Metadata all = trainer.metadata();
        all.insert({{"lab", "eie"}, {"gradient", s.monteCarlo ? "monte-carlo" : "exact"}, {"batch", std::to_string(s.batch)}, {"steps_an_epoch", std::to_string(s.steps)},
                    {"rate", formatNumber(s.rate)}, {"decay", formatNumber(s.decay)}, {"seed", std::to_string(s.seed)}, {"rows", std::to_string(s.rows)},
                    {"width", std::to_string(s.width)}, {"blocks", std::to_string(s.blocks)}});
        return all;
    }

    Result<void> train(const Configuration& c, std::size_t index, std::size_t count, LabResult& result)
    {
        const EieSettings s = settings(c);
        const Result<ExactCurve> exact = exactCurve(c);
        Result<EieTrainer> trainer = exact ? EieTrainer::make(s) : tl::unexpected(exact.error());
        if (!trainer)
            return tl::unexpected(trainer.error());
        const std::string name = "eie_d" + std::to_string(c.d);
        LabCheckpoint checkpoint(m_run, name, facts(s, *trainer));
        if (const Result<void> resumed = checkpoint.resume(trainer->weights(), trainer->adam()); !resumed)
            return resumed;

        const std::int64_t epochs = static_cast<std::int64_t>(m_parameters["epochs"]);
        m_report.stage("training d = " + std::to_string(c.d));
        const auto started = std::chrono::steady_clock::now();
        std::ostringstream history;
        history << checkpoint.history;
        while (trainer->epochs() < epochs) {
            if (m_stop.stop_requested()) {
                checkpoint.history = history.str();
                const Result<void> saved = checkpoint.save(trainer->weights(), trainer->adam());
                return saved ? Result<void>(failure(ErrorKind::Cancelled, "stopped")) : saved;
            }
            const double loss = trainer->epoch();
            history << trainer->epochs() << ' ' << formatNumber(loss) << ' ' << formatNumber(worstError(trainer->lambda(exact->n), exact->lambda)) << ' ';
            const double fraction = (static_cast<double>(index) + static_cast<double>(trainer->epochs()) / static_cast<double>(epochs)) / static_cast<double>(count);
            if (m_report.due()) {
                m_report.live(curve(c, *exact, *trainer));
                m_report.send(fraction);
            }
            if (checkpoint.due()) {
                checkpoint.history = history.str();
                if (const Result<void> saved = checkpoint.save(trainer->weights(), trainer->adam()); !saved)
                    return saved;
            }
        }
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
        checkpoint.history = history.str();
        if (const Result<void> saved = checkpoint.save(trainer->weights(), trainer->adam()); !saved)
            return saved;
        return conclude(c, *exact, *trainer, history.str(), seconds, name, static_cast<double>(index + 1) / static_cast<double>(count), result);
    }

    Result<void> conclude(const Configuration& c, const ExactCurve& exact, EieTrainer& trainer, const std::string& history, double seconds, const std::string& name,
                          double fraction, LabResult& result)
    {
        std::istringstream words(history);
        std::int64_t epoch = 0;
        for (std::string loss, worst; words >> epoch >> loss >> worst;)
            m_report.row("training", {{"d", std::int64_t{c.d}}, {"epoch", epoch}, {"loss", std::stod(loss)}, {"worst_error", std::stod(worst)}});
        const std::vector<double> learned = trainer.lambda(exact.n);
        for (LabRow& row : curve(c, exact, trainer))
            m_report.row(std::move(row.table), std::move(row.cells));
        m_report.row("summary", {{"d", std::int64_t{c.d}}, {"n_train", c.nTrain}, {"n_max", c.nMax}, {"gradient", std::string(trainer.settings().monteCarlo ? "monte-carlo" : "exact")},
                                 {"worst_error", worstError(learned, exact.lambda)}, {"seconds", seconds}});
        std::vector<double> lengths;
        for (double n = c.nTrain; n < c.nMax * 0.999; n *= 2)
            lengths.push_back(n);
        lengths.push_back(c.nMax);
        for (const double n : lengths)
            if (const Result<void> added = addLength(c, exact, trainer.lambda({n})[0], n); !added)
                return added;
        if (!m_run.folder.empty()) {
            const Result<std::string> path = pathInFolder(m_run.folder, name + ".safetensors");
            if (!path)
                return tl::unexpected(path.error());
            if (const Result<void> saved = learn::saveModel(*path, trainer.weights(), facts(trainer.settings(), trainer)); !saved)
                return saved;
            result.files.push_back(*path);
        }
        m_report.send(fraction);
        return {};
    }

    /// A line of tables 5 and 7: learned, published and exact, and the entropy that each really gives.
    Result<void> addLength(const Configuration& c, const ExactCurve& exact, double learned, double n)
    {
        const Result<double> best = entropyInvariantScale(exact.density, n, c.nTrain);
        if (!best)
            return tl::unexpected(best.error());
        const LabValue paper = publishedLambda(c.d, n);
        const double* printed = std::get_if<double>(&paper);
        m_report.row("lambda", {{"d", std::int64_t{c.d}}, {"n", n}, {"learned", learned}, {"published", paper}, {"exact", *best}, {"error", learned / *best - 1},
                                {"entropy_learned", exact.entropy(n, learned)}, {"entropy_published", printed ? LabValue{exact.entropy(n, *printed)} : LabValue{}},
                                {"entropy_target", exact.target}});
        return {};
    }

    static std::vector<LabRow> curve(const Configuration& c, const ExactCurve& exact, EieTrainer& trainer)
    {
        const std::vector<double> learned = trainer.lambda(exact.n);
        const Eigen::Index count = static_cast<Eigen::Index>(learned.size());
        const Eigen::ArrayXd entropy = trainer.surface().at(Eigen::Map<const Eigen::ArrayXd>(exact.n.data(), count), Eigen::Map<const Eigen::ArrayXd>(learned.data(), count)).entropy;
        std::vector<LabRow> rows;
        for (std::size_t i = 0; i < exact.n.size(); ++i)
            rows.push_back({"curve", {{"d", std::int64_t{c.d}}, {"n", exact.n[i]}, {"learned", learned[i]}, {"exact", exact.lambda[i]},
                                      {"entropy_learned", entropy[static_cast<Eigen::Index>(i)]}, {"entropy_target", exact.target}}});
        return rows;
    }

    const LabRun& m_run;
    const Parameters& m_parameters;
    std::stop_token m_stop;
    LabReporter m_report;
};

}  // namespace

Result<LabResult> runEieLab(const LabRun& run, std::stop_token stop, const LabCallback& progress)
{
    const Lab& row = **findRow(labs(), "eie", "lab");
    const Parameters parameters(row, run.choice);
    return Experiment(run, parameters, std::move(stop), progress)();
}

}  // namespace attnscope
