#include "ui/figure/figure_recipe.h"

#include "core/base/json_reader.h"
#include "ui/figure/figure_kind.h"
#include "ui/plot/colour_map.h"
#include "ui/plot/plot_style.h"

namespace attnscope {

Result<Recipe> recipeFromJson(const nlohmann::json& json)
{
    auto recipe = TRY(readRecipe(json));
    const auto known = [](const char* field, const auto& found) -> Result<void> {
        return found ? Result<void>{}
                     : failure(found.error().kind, std::string("recipe.") + field + ": " + found.error().message);
    };
    for (const Result<void>& sound :
         {known("style", printStyle(recipe.style)), known("colours", findColourMap(recipe.colours)),
          known("kind", findRow(figureKinds(), recipe.kind, "kind of figure"))})
        if (!sound)
            return tl::unexpected<Error>(sound.error());
    return recipe;
}

Result<Recipe> recipeFromText(std::string_view text, std::string_view what)
{
    return parseJson(text, what).and_then([&](const nlohmann::json& json) {
        return recipeFromJson(json).map_error([&](Error error) {
            error = withLine(text, std::move(error));
            error.message = std::string(what) + ": " + error.message;
            return error;
        });
    });
}

}  // namespace attnscope
