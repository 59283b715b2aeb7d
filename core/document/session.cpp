#include "core/document/session.h"

#include "core/base/json_reader.h"
#include "core/analysis/scenario_json.h"
#include "core/base/version.h"
#include "core/document/schema.h"

namespace attnscope {

namespace {

constexpr std::string_view sessionKind = "attnscope_session";
constexpr int sessionVersion = 3;

/// Two numbers in a list; false where the field is absent or wrong.
bool readPair(ObjectReader& reader, const char* name, double& first, double& second)
{
    const nlohmann::json* pair = reader.field(name);
    if (!pair)
        return false;
    if (!pair->is_array() || pair->size() != 2 || !(*pair)[0].is_number() || !(*pair)[1].is_number()) {
        reader.fail({ErrorKind::InvalidArgument, reader.pathOf(name) + " must be a list of two numbers"});
        return false;
    }
    first = (*pair)[0].get<double>();
    second = (*pair)[1].get<double>();
    return true;
}

void readLook(ObjectReader& reader, Session& session)
{
    MapLook& maps = session.look.maps;
    reader.text("colours", maps.colourMap);
    reader.boolean("log", maps.log);
    reader.boolean("difference", maps.difference);
    reader.text("dispersion", session.look.dispersion);
    reader.boolean("approximations", session.look.approximations);
    reader.boolean("all_heads", session.look.allHeads);
    double first = 0, second = 0;
    if (readPair(reader, "pinned", first, second)) {
        if (!(first >= 0 && first < second))
            return reader.fail({ErrorKind::InvalidArgument, reader.pathOf("pinned") + " must rise from 0 or above"});
        maps.pinned = {first, second};
    }
    if (readPair(reader, "sides", first, second)) {
        if (!(first >= 0 && first < 100 && second >= 0 && second < 100))
            return reader.fail({ErrorKind::InvalidArgument, reader.pathOf("sides") + " must be places in the list of methods"});
        maps.sides = {static_cast<int>(first), static_cast<int>(second)};
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
                    {"all_heads", look.allHeads}};
    if (look.maps.pinned)
        json["look"]["pinned"] = {look.maps.pinned->first, look.maps.pinned->second};
    json["layout"] = {{"geometry", session.geometry}, {"docks", session.docks}};
    if (!session.file.empty())
        json["file"] = session.file;
    return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';  // a path may be no UTF-8
}

Result<Session> readSession(std::string_view text)
{
    const auto json = parseJson(text, "session");
    if (!json)
        return tl::unexpected<Error>(json.error());
    if (const auto known = checkSchema(*json, sessionKind, sessionVersion, "session"); !known)
        return tl::unexpected<Error>(known.error());
    ObjectReader reader(*json, "session");
    std::string ignored;
    reader.text("schema", ignored);
    reader.text("written_by", ignored);
    Session session;
    reader.text("file", session.file);
    if (const nlohmann::json* scenario = reader.field("scenario")) {
        auto read = scenarioFromJson(*scenario, "session.scenario");
        if (!read)
            return tl::unexpected<Error>(read.error());
        session.scenario = std::move(*read);
    }
    using Part = void (*)(ObjectReader&, Session&);
    for (const auto& [name, read] : std::initializer_list<std::pair<const char*, Part>>{{"look", readLook}, {"layout", readLayout}}) {
        const nlohmann::json* part = reader.field(name);
        if (!part)
            continue;
        ObjectReader inner(*part, std::string("session.") + name);
        read(inner, session);
        if (const auto done = inner.finish(); !done)
            return tl::unexpected<Error>(done.error());
    }
    if (const auto done = reader.finish(); !done)
        return tl::unexpected<Error>(done.error());
    return session;
}

}  // namespace attnscope
