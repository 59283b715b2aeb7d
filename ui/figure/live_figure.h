#pragma once
// A figure shown in Explore: its scenario as the window can show it, and the view to look at. Kinds whose content is no
// scenario's, a published table or a formula, have none.

#include "core/analysis/scenario.h"
#include "ui/figure/figure_recipe.h"

#include <optional>
#include <string>

namespace attnscope {

struct LiveFigure {
    Scenario scenario;
    std::string view;  ///< FigureKind::liveView
};

std::optional<LiveFigure> liveFigure(const Recipe& recipe);

}  // namespace attnscope
