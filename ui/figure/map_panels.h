#pragma once
// The maps of an analysis as panels of a figure, as the window shows them: one colour scale, and where two differ.

#include "core/analysis/analysis.h"
#include "core/document/look.h"
#include "core/document/recipe.h"
#include "ui/figure/figure_content.h"

#include <optional>
#include <utility>

namespace attnscope {

/// A map a method that has one, then that of the `difference` of two places in the list of methods, where they have a
/// map in common; and their bars. `decades` below the largest weight; 0: as many as the window shows. Errors: Undefined
/// (no method has a map), UnknownName (the recipe's colours).
Result<void> addMapPanels(FigureContent& content, const Analysis& analysis, const Look& look,
                          const std::optional<std::pair<int, int>>& difference, double decades, const Recipe& recipe);

}  // namespace attnscope
