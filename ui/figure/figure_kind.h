#pragma once
// The kinds of figures: one visible table. A kind turns a recipe into panels; everything that it computes it asks of
// core. Adding one is a file in kinds/ and a row here in figure_kinds.cpp.

#include "core/base/choice.h"
#include "core/base/error.h"
#include "ui/figure/figure_content.h"
#include "core/document/recipe.h"

#include <span>
#include <stop_token>

namespace attnscope {

struct Analysis;

struct FigureKind : Entry {
    /// Errors: Cancelled, and everything that the recipe can get wrong.
    Result<FigureContent> (*build)(const Recipe&, std::stop_token);
    std::string liveView =
        {};  ///< the window's view of the same scenario: "heatmaps", "entropy", "dispersion", "heads"; empty: none
    std::string basis = {};  ///< what its numbers are, where no view shows them: "formula", "as published", "measured"
};

std::span<const FigureKind> figureKinds();

/// The kind's content with the recipe's own texts and ranges.
Result<FigureContent> buildFigure(const Recipe& recipe, std::stop_token stop);

/// The kind "method_grid" from an analysis that whoever asks has made: the maps of every method on one colour scale,
/// which is that of every panel. The recipe has the options and the colours. Errors: those of the options, and
/// Undefined where a method has no value.
Result<FigureContent> methodGridContent(const Analysis& analysis, const Recipe& recipe);

}  // namespace attnscope
