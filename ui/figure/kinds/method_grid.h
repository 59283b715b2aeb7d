#pragma once
// The figure of a heatmap a method, from an analysis that whoever asks has made: `attnscope heatmap` writes numbers,
// picture and figure from the same one.

#include "core/analysis/analysis.h"
#include "core/document/recipe.h"
#include "ui/figure/figure_content.h"

namespace attnscope {

/// The maps of every method on one colour scale, which is that of every panel. The recipe has the options and the
/// colours. Errors: those of the options, and Undefined where a method has no value.
Result<FigureContent> methodGridContent(const Analysis& analysis, const Recipe& recipe);

}  // namespace attnscope
