#pragma once
// A recipe says everything about a figure: what kind it is, the scenario behind it, its size and style. It is a JSON
// file (resources/figures/NAME.json), every exported figure carries its own, and rendering is a function of it alone.
//
//   {"schema": "attnscope_figure/3", "written_by": "attnscope VERSION", "name": "...", "kind": "entropy_curves",
//    "title": "...", "source": "...", "caption": "...", "seconds": 1, "width_mm": 120, "height_mm": 0,
//    "style": "paper", "colours": "viridis", "method_colours": {}, "dpi": 300,
//    "scenario": {...}, "parameters": {what the kind takes},
//    "panels": [{"title", "x_title", "y_title", "x_range", "y_range"}]}
//
// height_mm 0: what the kind finds natural. Version 2 added what wrote it, version 3 names for the sides
// of a difference. `panels` changes the texts and ranges of the panels in order.

#include "core/analysis/scenario.h"
#include "core/document/look.h"
#include "core/base/error.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnscope {

/// Empty texts and ranges leave what the kind chose.
struct PanelLabels {
    std::optional<std::string> title, xTitle, yTitle;
    std::optional<std::pair<double, double>> xRange, yRange;
    bool operator==(const PanelLabels&) const = default;
};

struct Recipe {
    std::string name, kind, title, source, caption;
    double seconds = 1;  ///< about how long it takes on two cores
    double widthMm = 120, heightMm = 0;
    std::string style = "paper";
    std::string colours = "viridis";
    MethodColours methodColours;  ///< in place of those of the methods' rows
    int dpi = 300;                ///< of PNG
    Scenario scenario;
    nlohmann::json parameters = nlohmann::json::object();
    std::vector<PanelLabels> panels;
    bool operator==(const Recipe&) const = default;
};

nlohmann::json toJson(const Recipe& recipe);

/// As text; what is no UTF-8 (in a path) is replaced.
std::string writeRecipe(const Recipe& recipe);

/// Names of kinds, styles and colours are those of the figures' floor, which checks them (ui/figure/figure_recipe.h).
/// Errors name the field: UnknownFormat (no recipe, or of a later version), UnknownName, InvalidArgument.
Result<Recipe> readRecipe(const nlohmann::json& json);

/// The message with the line of the text in which the field stands that it names: "line 7: scenario.n must be ...".
Error withLine(std::string_view text, Error error);

/// "scenario.n=256", "style=dark", "scenario.methods=[\"vanilla\"]": VALUE is JSON, or a text if it is none. Unknown
/// fields are found by readRecipe. Errors: InvalidArgument.
Result<void> setField(nlohmann::json& recipe, std::string_view assignment);

}  // namespace attnscope
