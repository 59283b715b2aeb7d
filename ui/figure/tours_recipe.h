#pragma once
// The recipe of two tours side by side: the kind "tours".

#include "core/document/recipe.h"
#include "core/labs/routing/redecoding.h"

namespace attnscope {

/// `steps`: before which choices the tours are drawn, a column each; none: as they are in the end.
Recipe toursRecipe(const RedecodingRequest& request, const std::vector<std::int64_t>& steps);

}  // namespace attnscope
