#pragma once
// The recipe of what the window shows: the kind "views".

#include "core/document/look.h"
#include "core/document/recipe.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {

struct Analysis;
struct FigureContent;

/// `views`: "heatmaps", "entropy", "dispersion", "heads". Everything of the look that is painted in one of them is in
/// the recipe.
Recipe viewsRecipe(const std::vector<std::string>& views, const Scenario& scenario, const Look& look);

/// The figure of such a recipe, of what is analysed already. Errors: those of buildFigure().
Result<FigureContent> figureOfViews(const Recipe& recipe, const Analysis& analysis, std::stop_token stop);

/// `now` as the recipe's views were painted: what viewsRecipe() took of a look. None of another kind.
std::optional<Look> lookOfViews(const Recipe& recipe, Look now);

}  // namespace attnscope
