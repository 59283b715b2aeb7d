#include "core/document/look_json.h"

#include "core/scaling/scale_method.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace attnscope {

namespace {

constexpr double farthest = 1e300;        // of a coordinate
constexpr double mostOffset = 100;        // heights of the text
constexpr std::size_t longestText = 500;  // characters

bool isColour(const std::string& text)
{
    return text.size() == 7 && text[0] == '#' && std::all_of(text.begin() + 1, text.end(), [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; });
}

bool rises(double low, double high) { return std::isfinite(low) && std::isfinite(high) && low < high; }

}  // namespace

nlohmann::json toJson(const std::vector<Annotation>& annotations)
{
    nlohmann::json list = nlohmann::json::array();
    for (const Annotation& note : annotations)
        list.push_back({{"chart", note.chart}, {"x", note.x}, {"y", note.y}, {"right", note.right}, {"up", note.up}, {"text", note.text}});
    return list;
}

nlohmann::json toJson(const std::map<std::string, ChartZoom>& zooms)
{
    nlohmann::json object = nlohmann::json::object();
    for (const auto& [chart, zoom] : zooms)
        object[chart] = {zoom.x.first, zoom.x.second, zoom.y.first, zoom.y.second};
    return object;
}

void readAnnotations(ObjectReader& reader, const char* name, std::vector<Annotation>& target)
{
    const nlohmann::json* list = reader.field(name);
    if (!list)
        return;
    if (!list->is_array() || list->size() > Look::mostAnnotations)
        return reader.fail({ErrorKind::InvalidArgument, reader.pathOf(name) + " must be a list of at most " + std::to_string(Look::mostAnnotations) + " annotations"});
    std::vector<Annotation> read;
    for (std::size_t i = 0; i < list->size(); ++i) {
        ObjectReader one((*list)[i], reader.pathOf(name) + "[" + std::to_string(i) + "]");
        Annotation& note = read.emplace_back();
        one.text("chart", note.chart);
        one.number("x", note.x, -farthest, farthest);
        one.number("y", note.y, -farthest, farthest);
        one.number("right", note.right, -mostOffset, mostOffset);
        one.number("up", note.up, -mostOffset, mostOffset);
        one.text("text", note.text);
        if (note.text.empty() || note.text.size() > longestText)
            one.fail({ErrorKind::InvalidArgument, one.pathOf("text") + " must have 1 to " + std::to_string(longestText) + " characters"});
        if (const auto done = one.finish(); !done)
            return reader.fail(done.error());
    }
    target = std::move(read);
}

void readZooms(ObjectReader& reader, const char* name, std::map<std::string, ChartZoom>& target)
{
    const nlohmann::json* object = reader.field(name);
    if (!object)
        return;
    std::map<std::string, ChartZoom> read;
    bool good = object->is_object() && object->size() <= 100;
    for (auto it = object->begin(); good && it != object->end(); ++it) {
        good = it->is_array() && it->size() == 4 && std::all_of(it->begin(), it->end(), [](const nlohmann::json& end) { return end.is_number(); });
        if (!good)
            break;
        const ChartZoom zoom{{(*it)[0].get<double>(), (*it)[1].get<double>()}, {(*it)[2].get<double>(), (*it)[3].get<double>()}};
        good = rises(zoom.x.first, zoom.x.second) && rises(zoom.y.first, zoom.y.second);
        read[it.key()] = zoom;
    }
    if (!good)
        return reader.fail({ErrorKind::InvalidArgument, reader.pathOf(name) + " must give charts four numbers each: x from, x to, y from, y to, rising"});
    target = std::move(read);
}

void readMethodColours(ObjectReader& reader, const char* name, MethodColours& target)
{
    const nlohmann::json* object = reader.field(name);
    if (!object)
        return;
    MethodColours read;
    if (!object->is_object())
        return reader.fail({ErrorKind::InvalidArgument, reader.pathOf(name) + " must be an object of scale methods and colours"});
    for (auto it = object->begin(); it != object->end(); ++it) {
        if (const auto method = findRow(scaleMethods(), it.key(), "scale method"); !method)
            return reader.fail({ErrorKind::UnknownName, reader.pathOf(name) + ": " + method.error().message});
        if (!it->is_string() || !isColour(it->get<std::string>()))
            return reader.fail({ErrorKind::InvalidArgument, reader.pathOf(name) + "." + it.key() + " must be a colour such as \"#8a3ffc\""});
        read[it.key()] = it->get<std::string>();
    }
    target = std::move(read);
}

}  // namespace attnscope
