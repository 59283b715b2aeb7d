// solve: the entropy-invariant scale, the lambda for which a row over n keys has the expected entropy of N keys at the
// usual scale 1 / (tau sqrt d); or another measure whose expectation is exact.

#include "app/commands/command_table.h"
#include "app/commands/options.h"
#include "core/theory/entropy_scale.h"
#include "core/statistics/measures.h"
#include "core/theory/expected_row.h"

#include <cmath>

namespace attnscope {

namespace {

struct SolveSettings {
    std::vector<std::int64_t> lengths;
    int d = 64;
    double nTrain = usualTrainLength;
    double temperature = 1;
    Choice measure{"shannon", {}, {}};
    Choice source{"gaussian", {}, {}};
    std::optional<Format> format;
};

Result<void> runSolve(const SolveSettings& settings, const Console& console)
{
    const LogitDensity density = TRY(logitDensity(settings.source, settings.d));
    const double usual = 1 / (settings.temperature * std::sqrt(settings.d));
    const std::vector<double> lengths(settings.lengths.begin(), settings.lengths.end());
    const KeptMeasure kept =
        TRY(scalesKeeping(settings.measure, density, lengths, settings.nTrain, settings.temperature));

    const bool entropy = isShannon(settings.measure);
    ResultWriter writer(console.out, formatFor(settings.format, console),
                        {"n", "d", "n_train", "lambda", "multiplier",
                         entropy ? "entropy" : formatChoice(settings.measure), "target", ifAny("note")});
    for (size_t i = 0; i < kept.scales.size(); ++i) {
        const Result<double>& lambda = kept.scales[i];
        if (!lambda && lambda.error().kind != ErrorKind::Undefined)
            return tl::unexpected(lambda.error());
        std::vector<Cell> cells{settings.lengths[i], std::int64_t{settings.d},
                                static_cast<std::int64_t>(settings.nTrain)};
        if (lambda)
            cells.insert(cells.end(), {*lambda, *lambda / usual, *kept.values[i], kept.target, Cell{}});
        else
            cells.insert(cells.end(), {Cell{}, Cell{}, Cell{}, kept.target, lambda.error().message});
        writer.add(std::move(cells));
    }
    writer.finish();
    return {};
}

}  // namespace

Command solveCommand()
{
    return commandWith<SolveSettings>(
        "solve", "The scale that keeps the expected entropy of the training length",
        {"solve --n 200,400,800,1600 --d 16 --n-train 100",
         "solve --n 200,400,800,1600 --d 16 --n-train 100 --measure renyi:2"},
        [](CLI::App& app, SolveSettings& settings) {
            addLengths(app, settings.lengths)->required();
            addHeadSize(app, settings.d)->required()->default_str("");
            addTrainLength(app, settings.nTrain)->required()->default_str("");
            addDensity(app, settings.source);
            addTemperature(app, settings.temperature, 1 / largestMultiplier);
            addChoice(app, "--measure", settings.measure, expectedMeasures(), "measure",
                      "What is kept: shannon, renyi:2, tsallis:1.5, collision, gradient, ...");
            addFormat(app, settings.format);
        },
        runSolve);
}

}  // namespace attnscope
