#pragma once
// Recipes of what the Model workspace shows: each makes again what its tab has found.

#include "core/document/look.h"
#include "core/document/recipe.h"
#include "ui/figure/model_text.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attnscope {

/// What the recipes say of it.
struct ShownOfModel {
    Scenario scenario;
    Look look;
    std::string folder;  ///< of the model, or the name of one that ships
    std::vector<std::int64_t> lengths;
    std::int64_t n = 0;  ///< that is looked at
    Combination a;
    std::optional<Combination> b = {};  ///< beside it
    int layer = 0, head = 0;
    std::int64_t madeTokens = 0;  ///< of its text, where that is made
};

/// Of the look's text.
ModelAsked askedOf(const ShownOfModel& shown);

Recipe qualityRecipe(const ShownOfModel& shown);
Recipe headsRecipe(const ShownOfModel& shown);
/// Of the task that the look names, at those of the lengths that were asked.
Recipe probeRecipe(const ShownOfModel& shown);
/// Of a search at n.
Recipe scaleRecipe(const ShownOfModel& shown);

}  // namespace attnscope
