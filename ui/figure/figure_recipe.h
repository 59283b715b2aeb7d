#pragma once
// A recipe (core/document/recipe.h) whose kind, style and colours are known to the figures.

#include "core/document/recipe.h"

namespace attnscope {

/// As readRecipe; also UnknownName for a kind of figure, a style or a colour map that there is not.
Result<Recipe> recipeFromJson(const nlohmann::json& json);
Result<Recipe> recipeFromText(std::string_view text, std::string_view what);

}  // namespace attnscope
