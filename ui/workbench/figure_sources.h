#pragma once
// What of Explore and of Model a figure can be made of.

#include "core/document/recipe.h"
#include "ui/figure/figure_content.h"

#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attnscope {

struct Workbench;

/// Something that the window shows and a figure can be made of: which workspace shows it, its recipe as it is now, and
/// what was computed of it already.
struct FigureSource {
    QString workspace, label;
    std::function<std::optional<Recipe>()> recipe;  ///< nothing: there is nothing to show yet
    std::function<bool()> isLookedAt;               ///< among what its workspace shows
    /// What the recipe would compute, where it was run already; null: it was not. Empty: never.
    std::function<std::shared_ptr<const FigureContent>()> content = {};
};

/// `views`: those that Explore shows now, as the kind "views" names them. The bench outlives what is returned.
std::vector<FigureSource> figureSources(Workbench& bench, const std::function<std::vector<std::string>()>& views);

}  // namespace attnscope
