#include "core/document/session.h"

#include "core/analysis/head_numbers.h"
#include "core/analysis/scenario_json.h"
#include "core/base/json_reader.h"
#include "core/base/json_text.h"
#include "core/base/json_writer.h"
#include "core/base/length_list.h"
#include "core/base/version.h"
#include "core/document/look_json.h"
#include "core/document/schema.h"
#include "core/model/policy.h"
#include "core/model/probes.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace attnscope {

namespace {

constexpr std::string_view sessionKind = "attnscope_session";
constexpr int sessionVersion = 11;
constexpr double mostPlaces = 100000;

constexpr std::array<std::string_view, 5> textWords{// of ModelText
                                                    "generated", "manual", "file", "typed", "repeated"};
static_assert(textWords.size() == std::size_t(ModelText::Repeated) + 1);

std::vector<std::string_view> wordsOf(std::span<const HeadMeasure> measures)
{
    std::vector<std::string_view> ids;
    for (const HeadMeasure& measure : measures)
        ids.emplace_back(measure.id);
    return ids;
}

template <class Fields, class Probe>
void probeFields(Fields& fields, Probe& probe)
{
    fields.word("task", probe.task, probeTaskWords);
    fields.number("samples", probe.samples, 2, ProbeLook::mostSamples);
    fields.number("keys", probe.keys, 1, mostNeedleKeys);
    fields.numbers("depths", probe.depths, 0, 1, ProbeLook::mostDepths);
    fields.require("depths", !probe.depths.empty(), "hold one or more numbers from 0 to 1");
    if constexpr (!std::is_const_v<Probe>)
        probe.probability = true;  // of a session that does not say it
    fields.boolean("probability", probe.probability);
    fields.boolean("difference", probe.difference);
}

template <class Fields, class Model>
void modelFields(Fields& fields, Model& model)
{
    fields.text("folder", model.folder);
    fields.word("text", model.text, textWords);
    fields.text("file", model.file);
    fields.text("typed", model.typed);
    fields.numbers("lengths", model.lengths, 1, longestLength, ModelLook::mostLengths);
    fields.texts("positions", model.positions, 100);
    fields.require(
        "positions",
        std::ranges::all_of(model.positions, [](const std::string& text) { return parsePositions(text).has_value(); }),
        "hold own or ids of `attnscope positions`");
    fields.boolean("captured", model.captured);
    fields.number("windows", model.windows, 1, ModelLook::mostCounted);
    fields.number("last", model.last, 0, longestLength);
    fields.boolean("perplexity", model.perplexity);
    fields.word("measure", model.measure, wordsOf(modelHeadMeasures()));
    fields.number("n", model.n, 0, longestLength);
    fields.number("row", model.row, -1, longestLength);
    fields.number("position", model.position, 0, mostPlaces);
    fields.number("method", model.method, 0, mostPlaces);
    fields.object("beside", model.beside, [](auto& one, auto& combination) {
        one.number("position", combination.position, 0, mostPlaces);
        one.number("method", combination.method, 0, mostPlaces);
    });
    fields.number("layer", model.layer, 0, mostPlaces);
    fields.number("head", model.head, 0, mostPlaces);
    fields.boolean("finding", model.finding);
    fields.word("over", model.over, tuneOverWords);
    fields.number("tuned_at", model.tunedAt, 0, longestLength);
    fields.boolean("probing", model.probing);
    fields.object("probe", [&](auto& probe) { probeFields(probe, model.probe); });
}

template <class Fields, class Shown>
void lookFields(Fields& fields, Shown& look, const std::vector<Choice>& methods)
{
    annotationsField(fields, look.annotations);
    zoomsField(fields, look.zooms);
    methodColoursField(fields, look.colours);
    fields.objects("pins", look.pins, "scenarios", Look::mostPins,
                   [](auto& one, auto& pin) { scenarioFields(one, pin); });
    fields.word("workspace", look.workspace, workspaceIds);
    fields.object("model", [&](auto& model) { modelFields(model, look.model); });
    fields.object("labs", [&](auto& labs) {
        labs.word("page", look.labs.page, labPageIds);
        labs.text("lab", look.labs.lab);
        labs.object("tours", [&](auto& tours) { redecodingFields(tours, look.labs.tours); });
    });
    fields.text("colours", look.maps.colourMap);
    fields.boolean("log", look.maps.log);
    fields.boolean("difference", look.maps.difference);
    fields.pair("pinned", look.maps.pinned, 0, 1e300);
    fields.require("pinned", !look.maps.pinned || look.maps.pinned->first < look.maps.pinned->second, "rise");
    fields.pair("pinned_difference", look.maps.pinnedDifference, -1e300, 1e300);
    fields.require(
        "pinned_difference",
        !look.maps.pinnedDifference || look.maps.pinnedDifference->first < look.maps.pinnedDifference->second, "rise");
    sidesField(fields, "sides", look.maps.sides, methods);
    fields.text("large", look.maps.large);
    fields.boolean("loupe", look.maps.loupe);
    fields.text("dispersion", look.dispersion);
    fields.boolean("approximations", look.approximations);
    fields.boolean("all_heads", look.allHeads);
    fields.boolean("theory", look.theory);
    fields.word("heads_by", look.headsBy, wordsOf(headMeasures()));
}

template <class Fields, class Whole>
void sessionFields(Fields& fields, Whole& session)
{
    fields.object("scenario", [&](auto& scenario) { scenarioFields(scenario, session.scenario); });
    fields.object("look", [&](auto& look) { lookFields(look, session.look, session.scenario.methods); });
    fields.object("layout", [&](auto& layout) {
        layout.text("geometry", session.geometry);
        layout.text("docks", session.docks);
    });
    fields.text("file", session.file);
    fields.boolean("unchanged", session.unchanged);
}

}  // namespace

std::string writeSession(const Session& session)
{
    ObjectWriter writer;
    writer.put("schema", schemaText(sessionKind, sessionVersion));
    writer.put("written_by", versionedName());
    sessionFields(writer, session);
    return jsonText(std::move(writer).json(), 1) + '\n';  // a path may be no UTF-8
}

Result<Session> readSession(std::string_view text)
{
    const auto json = TRY(parseJson(text, "session"));
    TRY(checkSchema(json, sessionKind, sessionVersion, "session"));
    ObjectReader reader(json, "session");
    reader.field("schema");
    reader.field("written_by");
    Session session;
    sessionFields(reader, session);
    return reader.finish().map([&] { return session; });
}

}  // namespace attnscope
