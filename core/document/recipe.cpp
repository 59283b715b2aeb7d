#include "core/document/recipe.h"

#include "core/base/json_reader.h"
#include "core/analysis/scenario_json.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/document/look_json.h"
#include "core/document/schema.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

using nlohmann::json;

constexpr std::string_view recipeKind = "attnscope_figure";
constexpr int recipeVersion = 2;
constexpr std::ptrdiff_t deepestField = 16;
constexpr std::size_t mostPanels = 1000;
constexpr double narrowestRange = 1e-9, largestEnd = 1e300;  // what an axis can show

void readRange(ObjectReader& reader, std::string_view key, std::optional<std::pair<double, double>>& target)
{
    const json* value = reader.field(key);
    if (!value)
        return;
    if (!value->is_array() || value->size() != 2 || !(*value)[0].is_number() || !(*value)[1].is_number() || !((*value)[0].get<double>() < (*value)[1].get<double>()))
        return reader.fail(reader.pathOf(key) + " must be [low, high] with low < high");
    const double low = (*value)[0].get<double>(), high = (*value)[1].get<double>(), size = std::max(std::abs(low), std::abs(high));
    if (!(size >= 1 / largestEnd && size <= largestEnd) || !(high - low > narrowestRange * size))
        return reader.fail(reader.pathOf(key) + " is too narrow or too large to draw; its ends must be within 1e300 and differ by more than a billionth of the larger");
    target = {low, high};
}

Result<PanelLabels> panelFromJson(const json& object, const std::string& path)
{
    PanelLabels panel;
    ObjectReader reader(object, path);
    const auto text = [&](std::string_view key, std::optional<std::string>& target) {
        std::string value;
        reader.text(key, value);
        if (object.is_object() && object.contains(key))
            target = value;
    };
    text("title", panel.title);
    text("x_title", panel.xTitle);
    text("y_title", panel.yTitle);
    readRange(reader, "x_range", panel.xRange);
    readRange(reader, "y_range", panel.yRange);
    TRY(reader.finish());
    return panel;
}

json toJson(const PanelLabels& panel)
{
    json out = json::object();
    const auto put = [&](const char* key, const auto& value) {
        if (value)
            out[key] = *value;
    };
    put("title", panel.title);
    put("x_title", panel.xTitle);
    put("y_title", panel.yTitle);
    put("x_range", panel.xRange);
    put("y_range", panel.yRange);
    return out;
}

}  // namespace

json toJson(const Recipe& recipe)
{
    json panels = json::array();
    for (const PanelLabels& panel : recipe.panels)
        panels.push_back(toJson(panel));
    json out{{"schema", schemaText(recipeKind, recipeVersion)}, {"written_by", versionedName()}, {"name", recipe.name}, {"kind", recipe.kind}, {"title", recipe.title}, {"source", recipe.source},
            {"caption", recipe.caption}, {"seconds", recipe.seconds}, {"width_mm", recipe.widthMm}, {"height_mm", recipe.heightMm},
            {"style", recipe.style}, {"colours", recipe.colours}, {"dpi", recipe.dpi}, {"scenario", toJson(recipe.scenario)},
            {"parameters", recipe.parameters}, {"panels", panels}};
    if (!recipe.methodColours.empty())
        out["method_colours"] = recipe.methodColours;
    return out;
}

std::string writeRecipe(const Recipe& recipe) { return jsonText(toJson(recipe), 1) + '\n'; }

Result<Recipe> readRecipe(const json& object)
{
    TRY(checkSchema(object, recipeKind, recipeVersion, "recipe of a figure"));
    Recipe recipe;
    std::string ignored;
    ObjectReader reader(object, "recipe");
    reader.text("schema", ignored);
    reader.text("written_by", ignored);
    reader.text("name", recipe.name);
    reader.text("kind", recipe.kind);
    reader.text("title", recipe.title);
    reader.text("source", recipe.source);
    reader.text("caption", recipe.caption);
    reader.number("seconds", recipe.seconds, 0, 1e6);
    reader.number("width_mm", recipe.widthMm, 20, 2000);
    reader.number("height_mm", recipe.heightMm, 0, 2000);
    reader.text("style", recipe.style);
    reader.text("colours", recipe.colours);
    readMethodColours(reader, "method_colours", recipe.methodColours);
    reader.number("dpi", recipe.dpi, 20, 2400);
    if (const json* scenario = reader.field("scenario")) {
        if (auto read = scenarioFromJson(*scenario, "scenario"))
            recipe.scenario = *read;
        else
            reader.fail(read.error());
    }
    if (const json* parameters = reader.field("parameters")) {
        if (parameters->is_object())
            recipe.parameters = *parameters;
        else
            reader.fail("recipe.parameters must be an object { ... }");
    }
    if (const json* panels = reader.field("panels")) {
        if (!panels->is_array())
            reader.fail("recipe.panels must be a list");
        if (panels->size() > mostPanels)
            reader.fail("recipe.panels names " + std::to_string(panels->size()) + " panels; a figure has at most " + std::to_string(mostPanels));
        for (size_t i = 0; panels->is_array() && i < std::min(panels->size(), mostPanels); ++i) {
            if (auto read = panelFromJson((*panels)[i], "recipe.panels[" + std::to_string(i) + "]"))
                recipe.panels.push_back(*read);
            else
                reader.fail(read.error());
        }
    }
    TRY(reader.finish());
    return recipe;
}

Result<void> setField(json& recipe, std::string_view assignment)
{
    const size_t equals = assignment.find('=');
    const auto refuse = [&](const std::string& why) {
        return failure(ErrorKind::InvalidArgument, "--set " + std::string(assignment) + ": " + why + "; write FIELD=VALUE, such as scenario.n=256");
    };
    if (equals == assignment.npos || equals == 0)
        return refuse("there is no field before '='");
    if (std::count(assignment.begin(), assignment.begin() + static_cast<std::ptrdiff_t>(equals), '.') > deepestField)
        return refuse("no field lies so deep");
    const std::string_view text = assignment.substr(equals + 1);
    json value = parseJson(text, "").value_or(json(text));
    json* at = &recipe;
    const auto keys = split(assignment.substr(0, equals), '.');
    for (const std::string_view& part : keys) {
        const std::string key(part);
        if (at->is_array()) {
            const auto index = numberFrom<size_t>(key);
            if (!index || *index >= at->size())
                return refuse("'" + key + "' is no place in a list of " + std::to_string(at->size()));
            at = &(*at)[*index];
        } else if (at->is_object()) {
            at = &(*at)[key];
            if (at->is_null() && &part != &keys.back())
                *at = json::object();
        } else {
            return refuse("'" + key + "' has nothing beneath it");
        }
    }
    *at = std::move(value);
    return {};
}

}  // namespace attnscope
