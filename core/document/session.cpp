#include "core/document/session.h"

#include "core/analysis/head_numbers.h"
#include "core/analysis/scenario_json.h"
#include "core/base/json_reader.h"
#include "core/base/json_text.h"
#include "core/base/version.h"
#include "core/document/look_json.h"
#include "core/document/schema.h"

#include <array>
#include <span>
#include <type_traits>

namespace attnscope {

namespace {

constexpr std::string_view sessionKind = "attnscope_session";
constexpr int sessionVersion = 6;
constexpr double largestNumber = 1e9;

/// One of the words, or an error.
void readWord(ObjectReader& reader, const char* name, std::string& target, std::span<const std::string_view> words)
{
    if (const auto index = reader.word(name, words))
        target = words[*index];
}

constexpr std::array<std::string_view, 5> workspaceWords{"explore", "model", "labs", "figures", "learn"};
constexpr std::array<std::string_view, 5> textWords{  // of ModelText
    "generated", "manual", "file", "typed", "repeated"};
static_assert(textWords.size() == std::size_t(ModelText::Repeated) + 1);

void readHeadMeasure(ObjectReader& reader, const char* name, std::string& target)
{
    std::vector<std::string_view> ids;
    for (const HeadMeasure& measure : headMeasures())
        ids.emplace_back(measure.id);
    readWord(reader, name, target, ids);
}

void readModelLook(ObjectReader& outer, ModelLook& model)
{
    const nlohmann::json* part = outer.field("model");
    if (!part)
        return;
    ObjectReader reader(*part, outer.pathOf("model"));
    reader.text("folder", model.folder);
    if (const auto word = reader.word("text", textWords))
        model.text = static_cast<ModelText>(*word);
    reader.text("file", model.file);
    reader.text("typed", model.typed);
    reader.numbers("lengths", model.lengths, 1, largestNumber, 100);
    reader.texts("positions", model.positions, 100);
    reader.boolean("captured", model.captured);
    reader.number("windows", model.windows, 1, 10000);
    reader.number("last", model.last, 0, largestNumber);
    reader.boolean("perplexity", model.perplexity);
    readHeadMeasure(reader, "measure", model.measure);
    reader.number("n", model.n, 0, largestNumber);
    reader.number("row", model.row, -1, largestNumber);
    for (const auto& [name, target] : std::initializer_list<std::pair<const char*, int*>>{{"position", &model.position}, {"method", &model.method}, {"layer", &model.layer}, {"head", &model.head}})
        reader.number(name, *target, 0, 100000);
    if (const auto done = reader.finish(); !done)
        outer.fail(done.error());
}

nlohmann::json toJson(const ModelLook& model)
{
    return {{"folder", model.folder}, {"text", textWords[static_cast<size_t>(model.text)]}, {"file", model.file}, {"typed", model.typed}, {"lengths", model.lengths}, {"positions", model.positions},
            {"captured", model.captured}, {"windows", model.windows}, {"last", model.last}, {"perplexity", model.perplexity}, {"measure", model.measure},
            {"n", model.n}, {"position", model.position}, {"method", model.method}, {"layer", model.layer}, {"head", model.head}, {"row", model.row}};
}

void readLook(ObjectReader& reader, Session& session)
{
    readAnnotations(reader, "annotations", session.look.annotations);
    readZooms(reader, "zooms", session.look.zooms);
    readMethodColours(reader, "method_colours", session.look.colours);
    readScenarios(reader, "pins", Look::mostPins, session.look.pins);
    readWord(reader, "workspace", session.look.workspace, workspaceWords);
    readModelLook(reader, session.look.model);
    MapLook& maps = session.look.maps;
    reader.text("colours", maps.colourMap);
    reader.boolean("log", maps.log);
    reader.boolean("difference", maps.difference);
    reader.text("dispersion", session.look.dispersion);
    reader.boolean("approximations", session.look.approximations);
    reader.boolean("all_heads", session.look.allHeads);
    readHeadMeasure(reader, "heads_by", session.look.headsBy);
    if (const auto range = reader.pair("pinned")) {
        if (!(range->first >= 0 && range->first < range->second))
            return reader.fail(reader.pathOf("pinned") + " must rise from 0 or above");
        maps.pinned = range;
    }
    if (const auto sides = reader.pair("sides")) {
        if (!(sides->first >= 0 && sides->first < 100 && sides->second >= 0 && sides->second < 100))
            return reader.fail(reader.pathOf("sides") + " must be places in the list of methods");
        maps.sides = {static_cast<int>(sides->first), static_cast<int>(sides->second)};
    }
}

void readLayout(ObjectReader& reader, Session& session)
{
    reader.text("geometry", session.geometry);
    reader.text("docks", session.docks);
}

}  // namespace

std::string writeSession(const Session& session)
{
    nlohmann::json json;
    json["schema"] = schemaText(sessionKind, sessionVersion);
    json["written_by"] = versionedName();
    json["scenario"] = toJson(session.scenario);
    const Look& look = session.look;
    json["look"] = {{"colours", look.maps.colourMap},
                    {"log", look.maps.log},
                    {"difference", look.maps.difference},
                    {"sides", {look.maps.sides.first, look.maps.sides.second}},
                    {"dispersion", look.dispersion},
                    {"approximations", look.approximations},
                    {"all_heads", look.allHeads},
                    {"heads_by", look.headsBy},
                    {"workspace", look.workspace},
                    {"annotations", toJson(look.annotations)},
                    {"zooms", toJson(look.zooms)},
                    {"method_colours", look.colours},
                    {"model", toJson(look.model)}};
    for (const Scenario& pin : look.pins)
        json["look"]["pins"].push_back(toJson(pin));
    if (look.maps.pinned)
        json["look"]["pinned"] = {look.maps.pinned->first, look.maps.pinned->second};
    json["layout"] = {{"geometry", session.geometry}, {"docks", session.docks}};
    if (!session.file.empty())
        json["file"] = session.file;
    return jsonText(json, 1) + '\n';  // a path may be no UTF-8
}

Result<Session> readSession(std::string_view text)
{
    const auto json = TRY(parseJson(text, "session"));
    TRY(checkSchema(json, sessionKind, sessionVersion, "session"));
    ObjectReader reader(json, "session");
    std::string ignored;
    reader.text("schema", ignored);
    reader.text("written_by", ignored);
    Session session;
    reader.text("file", session.file);
    if (const nlohmann::json* scenario = reader.field("scenario"))
        session.scenario = TRY(scenarioFromJson(*scenario, "session.scenario"));
    using Part = void (*)(ObjectReader&, Session&);
    for (const auto& [name, read] : std::initializer_list<std::pair<const char*, Part>>{{"look", readLook}, {"layout", readLayout}}) {
        const nlohmann::json* part = reader.field(name);
        if (!part)
            continue;
        ObjectReader inner(*part, std::string("session.") + name);
        read(inner, session);
        TRY(inner.finish());
    }
    TRY(reader.finish());
    return session;
}

}  // namespace attnscope
