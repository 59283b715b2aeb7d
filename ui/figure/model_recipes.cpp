#include "ui/figure/model_recipes.h"

#include "core/base/text.h"
#include "core/model/generated_text.h"
#include "core/model/text_tokens.h"
#include "core/tuning/tune_over.h"
#include "ui/plot/qt_text.h"

namespace attnscope {

ModelAsked askedOf(const ShownOfModel& shown)
{
    const ModelLook& look = shown.look.model;
    ModelAsked asked;
    asked.model = shown.folder;
    switch (look.text) {
    case ModelText::Generated:
        asked.text = generatedTextName;
        break;
    case ModelText::Repeated:
        asked.text = repeatedTokensName;
        break;
    case ModelText::Manual:
        asked.text = manualTextName;
        break;
    case ModelText::Typed:
        asked.typed = look.typed;
        break;
    case ModelText::File:
        asked.text = look.file;
        break;
    }
    return asked;
}

namespace {

/// `of`: "Quality against n"; the model and its text follow.
Recipe recipeOf(const ShownOfModel& shown, const std::string& kind, const std::string& of)
{
    const ModelAsked asked = askedOf(shown);
    Recipe recipe;
    recipe.name = recipe.kind = kind;
    recipe.title = of;
    recipe.source = "Attnscope: " + asked.inWords().toStdString();
    recipe.widthMm = 183;
    recipe.scenario.methods = shown.scenario.methods;
    recipe.scenario.engine = shown.scenario.engine;
    recipe.colours = shown.look.maps.colourMap;
    recipe.methodColours = shown.look.colours;
    recipe.parameters = {{"model", asked.model}, {"text", asked.text}};
    if (!asked.typed.empty())
        recipe.parameters["typed"] = asked.typed;
    return recipe;
}

std::string listOf(const std::vector<std::int64_t>& lengths)
{
    return joined(lengths, ",", [](std::int64_t n) { return std::to_string(n); });
}

void addRuns(Recipe& recipe, const ShownOfModel& shown)
{
    recipe.parameters["lengths"] = listOf(shown.lengths);
    recipe.parameters["windows"] = shown.look.model.windows;
    recipe.parameters["last"] = shown.look.model.last;
    recipe.parameters["captured"] = shown.look.model.captured;
    if (shown.madeTokens > 0)
        recipe.parameters["tokens"] = shown.madeTokens;
}

}  // namespace

Recipe qualityRecipe(const ShownOfModel& shown)
{
    Recipe recipe = recipeOf(shown, "model_quality", "Quality of a model against n");
    addRuns(recipe, shown);
    recipe.parameters["positions"] = shown.look.model.positions;
    recipe.parameters["quality"] = shown.look.model.perplexity ? "perplexity" : "nll";
    return recipe;
}

Recipe headsRecipe(const ShownOfModel& shown)
{
    const ModelLook& look = shown.look.model;
    Recipe recipe = recipeOf(shown, "model_heads", "Heads of a model");
    addRuns(recipe, shown);
    std::vector<Combination> sides{shown.a};
    if (shown.b)
        sides.push_back(*shown.b);
    recipe.scenario.methods.clear();
    std::vector<std::string> positions;
    for (const Combination& side : sides) {
        recipe.scenario.methods.push_back(shown.scenario.methods[static_cast<std::size_t>(side.method)]);
        positions.push_back(look.positions[static_cast<std::size_t>(side.position)]);
    }
    recipe.parameters["positions"] = positions;
    recipe.parameters["n"] = shown.n;
    recipe.parameters["layer"] = shown.layer;
    recipe.parameters["head"] = shown.head;
    recipe.parameters["measure"] = look.measure;
    recipe.parameters["log"] = shown.look.maps.log;
    return recipe;
}

Recipe probeRecipe(const ShownOfModel& shown)
{
    const ProbeLook& probe = shown.look.model.probe;
    const bool needle = probe.task == ProbeTask::Needle;
    Recipe recipe = recipeOf(shown, needle ? "needle_map" : "repeat_recall",
                             needle ? "Needles that a model finds" : "Repeated tokens that a model knows");
    recipe.parameters["models"] = {shown.folder};
    recipe.parameters["positions"] = shown.look.model.positions;
    recipe.parameters["lengths"] = listOf(shown.lengths);
    recipe.parameters["samples"] = probe.samples;
    recipe.parameters.erase("model");
    if (needle) {
        recipe.parameters["depths"] = probe.depths;
        recipe.parameters["keys"] = probe.keys;
        recipe.parameters["probability"] = probe.probability;
        recipe.parameters["difference"] = probe.difference;
    } else {
        recipe.parameters.erase("text");  // they are drawn
        recipe.parameters.erase("typed");
    }
    return recipe;
}

Recipe scaleRecipe(const ShownOfModel& shown)
{
    Recipe recipe = recipeOf(shown, "scale_search", "The scale that is best for a model");
    recipe.scenario.methods = Scenario{}.methods;  // it tries its own
    recipe.parameters["n"] = shown.n;
    recipe.parameters["over"] = tuneOverWords[static_cast<std::size_t>(shown.look.model.over)];
    return recipe;
}

}  // namespace attnscope
