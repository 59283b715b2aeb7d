#include "core/document/recipe.h"

#include "core/analysis/scenario_json.h"
#include "core/base/json_reader.h"
#include "core/base/json_text.h"
#include "core/base/json_writer.h"
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
constexpr int recipeVersion = 3;
constexpr std::ptrdiff_t deepestField = 16;
constexpr std::size_t mostPanels = 1000;
constexpr double narrowestRange = 1e-9, largestEnd = 1e300;  // what an axis can show

using Range = std::optional<std::pair<double, double>>;

/// Is it wide enough, and not too large?
bool drawable(const Range& range)
{
    if (!range)
        return true;
    const auto [low, high] = *range;
    const double size = std::max(std::abs(low), std::abs(high));
    return size >= 1 / largestEnd && high - low > narrowestRange * size;
}

template <class Fields, class Panel>
void panelFields(Fields& fields, Panel& panel)
{
    fields.text("title", panel.title);
    fields.text("x_title", panel.xTitle);
    fields.text("y_title", panel.yTitle);
    for (const auto& [name, range] : {std::pair("x_range", &panel.xRange), std::pair("y_range", &panel.yRange)}) {
        fields.pair(name, *range, -largestEnd, largestEnd);
        fields.require(name, !*range || (*range)->first < (*range)->second, "be [low, high] with low < high");
        fields.require(name, drawable(*range),
                       "be wide enough to draw: its ends must differ by more than a billionth of the larger");
    }
}

template <class Fields, class Whole>
void recipeFields(Fields& fields, Whole& recipe)
{
    fields.text("name", recipe.name);
    fields.text("kind", recipe.kind);
    fields.text("title", recipe.title);
    fields.text("source", recipe.source);
    fields.text("caption", recipe.caption);
    fields.number("seconds", recipe.seconds, 0, 1e6);
    fields.number("width_mm", recipe.widthMm, 20, 2000);
    fields.number("height_mm", recipe.heightMm, 0, 2000);
    fields.text("style", recipe.style);
    fields.text("colours", recipe.colours);
    methodColoursField(fields, recipe.methodColours);
    fields.number("dpi", recipe.dpi, 20, 2400);
    fields.object("scenario", [&](auto& scenario) { scenarioFields(scenario, recipe.scenario); });
    fields.any("parameters", recipe.parameters);
    fields.require("parameters", recipe.parameters.is_object(), "be an object { ... }");
    fields.objects("panels", recipe.panels, "panels", mostPanels,
                   [](auto& one, auto& panel) { panelFields(one, panel); });
}

}  // namespace

json toJson(const Recipe& recipe)
{
    ObjectWriter writer;
    writer.put("schema", schemaText(recipeKind, recipeVersion));
    writer.put("written_by", versionedName());
    recipeFields(writer, recipe);
    return std::move(writer).json();
}

std::string writeRecipe(const Recipe& recipe) { return jsonText(toJson(recipe), 1) + '\n'; }

Result<Recipe> readRecipe(const json& object)
{
    TRY(checkSchema(object, recipeKind, recipeVersion, "recipe of a figure"));
    Recipe recipe;
    ObjectReader reader(object, "recipe");
    reader.field("schema");
    reader.field("written_by");
    recipeFields(reader, recipe);
    return reader.finish().map([&] { return recipe; });
}

Result<void> setField(json& recipe, std::string_view assignment)
{
    const size_t equals = assignment.find('=');
    const auto refuse = [&](const std::string& why) {
        return failure(ErrorKind::InvalidArgument, "--set {}: {}; write FIELD=VALUE, such as scenario.n=256",
                       assignment, why);
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
                return refuse(fmt::format("'{}' is no place in a list of {}", key, at->size()));
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
