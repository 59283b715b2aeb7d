// solve: the entropy-invariant scale, the lambda for which a row over n keys has the expected entropy of N keys at the usual
// scale 1 / (tau sqrt d).

#include "app/commands/command_table.h"
#include "app/commands/options.h"
#include "core/theory/entropy_scale.h"
#include "core/theory/expected_row.h"

#include <cmath>
#include <memory>

namespace attnscope {

namespace {

struct SolveSettings {
    std::vector<std::int64_t> lengths;
    int d = 64;
    double nTrain = 512;
    double temperature = 1;
    Choice source{"gaussian", {}, {}};
    std::optional<Format> format;
};

Result<void> runSolve(const SolveSettings& settings, const Console& console)
{
    const LogitDensity density = TRY(logitDensity(settings.source, settings.d));
    const double usual = 1 / (settings.temperature * std::sqrt(settings.d));
    const double target = expectedEntropy(density, settings.nTrain, usual);
    const std::vector<double> lengths(settings.lengths.begin(), settings.lengths.end());
    const std::vector<Result<double>> scales = entropyInvariantScales(density, lengths, settings.nTrain, settings.temperature);

    ResultWriter writer(console.out, formatFor(settings.format, console),
                        {{"n"}, {"d"}, {"n_train"}, {"lambda"}, {"multiplier"}, {"entropy"}, {"target"}, {"note", Shown::IfAny}});
    for (size_t i = 0; i < scales.size(); ++i) {
        const Result<double>& lambda = scales[i];
        if (!lambda && lambda.error().kind != ErrorKind::Undefined)
            return tl::unexpected(lambda.error());
        std::vector<Cell> cells{settings.lengths[i], std::int64_t{settings.d}, static_cast<std::int64_t>(settings.nTrain)};
        if (lambda)
            cells.insert(cells.end(), {*lambda, *lambda / usual, expectedEntropy(density, lengths[i], *lambda), target, Cell{}});
        else
            cells.insert(cells.end(), {Cell{}, Cell{}, Cell{}, target, lambda.error().message});
        writer.add(std::move(cells));
    }
    writer.finish();
    return {};
}

}  // namespace

Command solveCommand()
{
    return {"solve",
            "The scale that keeps the expected entropy of the training length",
            {"solve --n 200,400,800,1600 --d 16 --n-train 100"},
            [](CLI::App& app) -> Action {
                const auto settings = std::make_shared<SolveSettings>();
                addLengths(app, settings->lengths)->required();
                addHeadSize(app, settings->d)->required()->default_str("");
                addTrainLength(app, settings->nTrain)->required()->default_str("");
                addDensity(app, settings->source);
                addTemperature(app, settings->temperature);
                addFormat(app, settings->format);
                return [settings](const Console& console) { return runSolve(*settings, console); };
            }};
}

}  // namespace attnscope
