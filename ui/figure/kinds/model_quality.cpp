// Quality of a model against length, with scale methods put inside its layers: a panel a position scheme, a line a
// method, standard errors over windows of a text.

#include "core/attention/positions.h"
#include "core/model/study.h"
#include "ui/figure/kinds/support.h"
#include "ui/figure/model_figures.h"
#include "ui/figure/model_text.h"

#include <algorithm>
#include <array>

namespace attnscope {

namespace {

constexpr std::array<std::string_view, 2> qualityWords{"perplexity", "nll"};

struct ModelQualityOptions {
    ModelAsked asked;
    std::vector<std::int64_t> lengths;
    std::vector<std::string> positions{std::string(ownPositions)};
    double windows = 4, last = 0;
    size_t quality = 0;
    bool captured = false;
};

Result<ModelQualityOptions> readModelQualityOptions(const Recipe& recipe)
{
    ModelQualityOptions options;
    ObjectReader reader(recipe.parameters, "parameters");
    options.asked.read(reader);
    readLengths(reader, "lengths", options.lengths, "512:4096:x2");
    reader.texts("positions", options.positions);
    reader.number("windows", options.windows, 1, 10000);
    reader.number("last", options.last, 0, 1e9);
    reader.word("quality", options.quality, qualityWords);
    reader.boolean("captured", options.captured);
    if (options.positions.empty())
        reader.fail("parameters.positions is empty; give \"own\" for the model's own, or ids of `attnscope positions`");
    return reader.finish().map([&] { return options; });
}

}  // namespace

Result<FigureContent> buildModelQuality(const Recipe& recipe, std::stop_token stop)
{
    const auto options = TRY(readModelQualityOptions(recipe));
    const FiguredPolicies of{recipe.scenario.methods, options.positions};
    if (of.methods.empty())
        return failure(ErrorKind::InvalidArgument, "scenario.methods is empty; name one scale method");
    const StudyRequest request{.lengths = options.lengths,
                               .policies = TRY(policiesOf(of)),
                               .captured = options.captured,
                               .windows = static_cast<int>(options.windows),
                               .last = static_cast<std::int64_t>(options.last),
                               .engine = recipe.scenario.engine};
    const auto model = TRY(openModel(options.asked.model));
    // Of a text that is made enough for windows of the longest length that share no token.
    const std::vector<int> ids = TRY(tokensOf(
        model, options.asked, options.windows * static_cast<double>(*std::ranges::max_element(options.lengths) + 1)));
    const auto study = TRY(runStudy(model, ids, request, {.stop = stop}));
    return qualityFigure(study, model.architecture, of, options.quality == 0, options.asked.inWords());
}

}  // namespace attnscope
