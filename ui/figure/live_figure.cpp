#include "ui/figure/figure.h"

#include "core/analysis/scenario_json.h"
#include "core/base/json_text.h"
#include "core/base/length_list.h"
#include "ui/figure/figure_kind.h"

#include <algorithm>

namespace attnscope {

namespace {

using nlohmann::json;

/// The lengths of the figure's curves; n where the curves are.
void takeLengths(Scenario& scenario, const json& parameters)
{
    const auto text = parameters.find("lengths");
    if (text == parameters.end() || !text->is_string())
        return;
    const auto lengths = parseLengths(text->get<std::string>());
    if (!lengths || lengths->empty())
        return;
    const auto [first, last] = std::minmax_element(lengths->begin(), lengths->end());
    scenario.view.curveFirst = *first;
    scenario.view.curveLast = std::clamp<std::int64_t>(*last, *first + 1, 1 << 17);
    scenario.n = std::clamp<std::int64_t>(scenario.n, *first, std::min<std::int64_t>(scenario.view.curveLast, 4096));
}

/// The first of the changes that the figure puts side by side.
void takeFirstChange(json& scenario, const json& parameters)
{
    const auto first = [&](const char* key) -> json {
        const auto list = parameters.find(key);
        return list != parameters.end() && list->is_array() && !list->empty() ? list->front() : json();
    };
    if (const json variant = first("variants"); variant.is_object() && variant.contains("scenario"))
        scenario.merge_patch(variant["scenario"]);
    if (const json alpha = first("alphas"); alpha.is_number())
        scenario["attention"]["kernel"] = "cosine:" + jsonText(alpha);
    if (const json source = first("sources"); source.is_string())
        scenario["source"] = source;
}

/// A figure computes no more than it draws; a window is asked for more.
void showAll(Scenario& scenario)
{
    const View usual;
    scenario.view.pixels = usual.pixels;
    scenario.view.curvePoints = std::max(scenario.view.curvePoints, usual.curvePoints);
    scenario.view.curveRows = std::max(scenario.view.curveRows, usual.curveRows);
    scenario.view.curveLast = std::max({scenario.view.curveLast, scenario.n, scenario.view.curveFirst + 1});
}

}  // namespace

std::optional<LiveFigure> liveFigure(const Recipe& recipe)
{
    const auto kind = findRow(figureKinds(), recipe.kind, "kind of figure");
    if (!kind || (*kind)->liveView.empty())
        return std::nullopt;
    Scenario scenario = recipe.scenario;
    takeLengths(scenario, recipe.parameters);
    json changed = toJson(scenario);
    takeFirstChange(changed, recipe.parameters);
    const auto read = scenarioFromJson(changed);
    if (!read)
        return std::nullopt;
    LiveFigure live{*read, (*kind)->liveView};
    showAll(live.scenario);
    return live;
}

}  // namespace attnscope
