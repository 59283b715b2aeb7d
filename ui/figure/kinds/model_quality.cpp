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

}  // namespace

Result<FigureContent> buildModelQuality(const Recipe& recipe, std::stop_token stop)
{
    ModelAsked asked;
    std::vector<std::int64_t> lengths;
    std::vector<std::string> positions{std::string(ownPositions)};
    double windows = 4, last = 0;
    size_t quality = 0;
    bool captured = false;
    ObjectReader reader(recipe.parameters, "parameters");
    asked.read(reader);
    readLengths(reader, "lengths", lengths, "512:4096:x2");
    reader.texts("positions", positions);
    reader.number("windows", windows, 1, 10000);
    reader.number("last", last, 0, 1e9);
    reader.word("quality", quality, qualityWords);
    reader.boolean("captured", captured);
    if (positions.empty())
        reader.fail("parameters.positions is empty; give \"own\" for the model's own, or ids of `attnscope positions`");
    TRY(reader.finish());
    const FiguredPolicies of{recipe.scenario.methods, positions};
    if (of.methods.empty())
        return failure(ErrorKind::InvalidArgument, "scenario.methods is empty; name one scale method");
    const StudyRequest request{.lengths = lengths,
                               .policies = TRY(policiesOf(of)),
                               .captured = captured,
                               .windows = static_cast<int>(windows),
                               .last = static_cast<std::int64_t>(last),
                               .engine = recipe.scenario.engine};
    const auto model = TRY(openModel(asked.model));
    // Of a text that is made enough for windows of the longest length that share no token.
    const std::vector<int> ids =
        TRY(tokensOf(model, asked, windows * static_cast<double>(*std::ranges::max_element(lengths) + 1)));
    const auto study = TRY(runStudy(model, ids, request, {.stop = stop}));
    return qualityFigure(study, model.architecture, of, quality == 0, asked.inWords());
}

}  // namespace attnscope
