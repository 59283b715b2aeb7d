#pragma once
// Figures for whoever asks: the command line, the window's export and gallery, the tests. Every call needs a
// QGuiApplication; without a display one on the platform "offscreen" (QT_QPA_PLATFORM=offscreen) does.
//
//   attnscope figure NAME|FILE -o OUT.pdf|svg|png
//
// FILE is a recipe (.json) or a figure that carries one (.pdf, .svg, .png).

#include "core/base/error.h"
#include "core/document/recipe.h"

#include <QSizeF>

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {

struct FigureContent;

struct GalleryRow {
    std::string name, title, source;
    double seconds = 0;
};

/// The built-in recipes in the gallery's order.
std::vector<GalleryRow> gallery();

/// As readRecipe; also UnknownName for a kind of figure, a style or a colour map that there is not.
Result<Recipe> recipeFromJson(const nlohmann::json& json);
Result<Recipe> recipeFromText(std::string_view text, std::string_view what);

/// A built-in recipe by its name, else a file: a recipe, or a PDF, SVG or PNG that carries one. Errors: UnknownName,
/// those of files, and those of recipes.
Result<Recipe> loadRecipe(const std::string& nameOrPath);

/// A figure shown in Explore: its scenario as the window can show it, and the view to look at. Kinds whose content is
/// no scenario's, a published table or a formula, have none.
struct LiveFigure {
    Scenario scenario;
    std::string view;  ///< FigureKind::liveView
};
std::optional<LiveFigure> liveFigure(const Recipe& recipe);

struct FigureOptions {
    std::vector<std::string> settings;  ///< FIELD=VALUE, in order; over the recipe
    std::optional<double> widthMm;
    std::optional<std::string> style;
    std::string dataPath;  ///< not empty: also the CSV of every plotted number
};

/// The recipe with the options put in.
Result<Recipe> withOptions(const Recipe& recipe, const FigureOptions& options);

/// "89mm", "12cm", "3.5in", "120": millimetres. Errors: InvalidArgument.
Result<double> parseWidth(std::string_view text);

/// What a kind has built (figure_content.h) to a file, whose ending decides. Errors: UnknownFormat, NotWritable.
Result<void> saveFigure(const FigureContent& content, const Recipe& recipe, const std::string& path);

/// Does it fit a page of A4, upright or across? In millimetres.
bool fitsA4(const QSizeF& size);

/// Renders to `path`, whose ending decides: .pdf, .svg or .png; the result is its size in millimetres. Nothing is left
/// of a figure that failed. Errors: UnknownFormat, NotWritable, Cancelled, and those of recipes.
Result<QSizeF> renderFigure(const Recipe& recipe, const std::string& path, const std::string& dataPath,
                            std::stop_token stop);

/// loadRecipe, withOptions and renderFigure.
Result<QSizeF> renderFigure(const std::string& nameOrPath, const std::string& path, const FigureOptions& options,
                            std::stop_token stop);

/// Every built-in figure as PDF, SVG and PNG with its CSV, and index.html, in a folder that is made if need be.
/// Progress is called before each figure. Goes on after a figure that failed and gives the first error at the end.
Result<void> renderGallery(const std::string& folder, const FigureOptions& options,
                           const std::function<void(int done, int all, const std::string& name)>& progress,
                           std::stop_token stop);

}  // namespace attnscope
