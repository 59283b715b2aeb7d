// A search for the scale of a model (core/tuning): what was tried, and what it gains by place in the window.

#include "core/tuning/tune_model.h"
#include "ui/figure/kinds/support.h"
#include "ui/figure/model_figures.h"
#include "ui/figure/model_text.h"

namespace attnscope {

Result<FigureContent> buildScaleSearch(const Recipe& recipe, std::stop_token stop)
{
    ModelAsked asked;
    TuneRequest request{.n = 1024};
    TuneWindows windows;
    windows.engine = recipe.scenario.engine;
    ObjectReader reader(recipe.parameters, "parameters");
    asked.read(reader);
    reader.number("n", request.n, 2, 1e9);
    reader.word("over", request.over, tuneOverWords);
    TRY(reader.finish());
    const Model model = TRY(openModel(asked.model));
    const std::vector<int> ids =
        TRY(tokensOf(model, asked, static_cast<double>(request.n + 1) * (windows.fitting + windows.verdict)));
    const TuneProblem problem = TRY(problemOf(model, ids, request, windows, stop));
    const TuneReport report = TRY(tune(problem, request, {.stop = stop}));
    return scaleFigure({report.at, model.architecture.headSize, report.tried, report.theory}, request.over, &report,
                       asked.inWords());
}

}  // namespace attnscope
