// scale: the multiplier m(n) of each method, and lambda = m / sqrt(d), the factor on q.k that the papers write.

#include "app/commands/command_table.h"
#include "app/commands/options.h"
#include "core/scaling/scale_method.h"

#include <cmath>

namespace attnscope {

namespace {

struct ScaleSettings {
    std::vector<Choice> methods;
    std::vector<std::int64_t> lengths;
    int d = 64;
    double nTrain = usualTrainLength;
    std::optional<Format> format;
};

Result<void> writeMethod(ResultWriter& writer, const Choice& method, const ScaleSettings& settings)
{
    const auto scale = TRY(bindScale(method));
    const Counts counts = TRY(countsOf(method));
    const Cell countsText = counts == Counts::Nothing ? Cell{} : Cell{counts == Counts::Keys ? "keys" : "row"};
    for (const std::int64_t n : settings.lengths) {
        const ScaleContext context = lastRowOf(static_cast<double>(n), settings.nTrain, settings.d);
        const Result<double> m = scale(context);
        const std::optional<double> nTrain = trainLengthOf(method, context);
        std::vector<Cell> cells{formatChoice(method), n, std::int64_t{settings.d},
                                nTrain ? Cell{static_cast<std::int64_t>(*nTrain)} : Cell{}};
        if (m) {
            const Result<std::string> worked = workedScale(method, context);
            cells.insert(cells.end(), {*m, *m / std::sqrt(settings.d), countsText, cellOf(worked), Cell{}});
        } else if (m.error().kind == ErrorKind::Undefined) {
            cells.insert(cells.end(), {Cell{}, Cell{}, countsText, Cell{}, m.error().message});
        } else {
            return tl::unexpected(m.error());
        }
        writer.add(std::move(cells));
    }
    return {};
}

Result<void> runScale(const ScaleSettings& settings, const Console& console)
{
    ResultWriter writer(
        console.out, formatFor(settings.format, console),
        {"method", "n", "d", "n_train", "multiplier", "lambda", "counts", neverInTable("worked"), ifAny("note")});
    for (const Choice& method : settings.methods)
        TRY(writeMethod(writer, method, settings));
    writer.finish();
    return {};
}

}  // namespace

Command scaleCommand()
{
    return commandWith<ScaleSettings>(
        "scale", "The multiplier of scale methods at given lengths",
        {"scale --method infoscale softmax_plus:B=64 --n 16:65536:x2",
         "scale --method all --n 512,1024 --d 128 --n-train 1024"},
        [](CLI::App& app, ScaleSettings& settings) {
            addMethods(app, settings.methods)->required();
            addLengths(app, settings.lengths)->required();
            addHeadSize(app, settings.d);
            addTrainLength(app, settings.nTrain);
            addFormat(app, settings.format);
        },
        runScale);
}

}  // namespace attnscope
