#include "core/document/look_json.h"

#include "core/base/text.h"
#include "core/scaling/scale_method.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr double farthest = 1e300;  // of a coordinate

bool isColour(const std::string& text)
{
    return text.size() == 7 && text[0] == '#' && std::all_of(text.begin() + 1, text.end(), [](char c) {
               return std::isxdigit(static_cast<unsigned char>(c)) != 0;
           });
}

bool rises(double low, double high) { return std::isfinite(low) && std::isfinite(high) && low < high; }

template <class Fields, class Note>
void annotationFields(Fields& fields, Note& note)
{
    fields.text("chart", note.chart);
    fields.number("x", note.x, -farthest, farthest);
    fields.number("y", note.y, -farthest, farthest);
    fields.number("right", note.right, -Annotation::farthest, Annotation::farthest);
    fields.number("up", note.up, -Annotation::farthest, Annotation::farthest);
    fields.text("text", note.text);
    fields.require("text", !note.text.empty() && lettersOf(note.text) <= Annotation::mostLetters,
                   fmt::format("have 1 to {} characters", Annotation::mostLetters));
}

template <class Fields, class Notes>
void listOfAnnotations(Fields& fields, Notes& notes)
{
    fields.objects("annotations", notes, "annotations", Look::mostAnnotations,
                   [](auto& one, auto& note) { annotationFields(one, note); });
}

}  // namespace

void annotationsField(ObjectReader& reader, std::vector<Annotation>& annotations)
{
    listOfAnnotations(reader, annotations);
}
void annotationsField(ObjectWriter& writer, const std::vector<Annotation>& annotations)
{
    listOfAnnotations(writer, annotations);
}

void zoomsField(ObjectWriter& writer, const std::map<std::string, ChartZoom>& zooms)
{
    auto object = nlohmann::json::object();
    for (const auto& [chart, zoom] : zooms)
        object[chart] = {zoom.x.first, zoom.x.second, zoom.y.first, zoom.y.second};
    writer.put("zooms", std::move(object));
}

void zoomsField(ObjectReader& reader, std::map<std::string, ChartZoom>& zooms)
{
    const nlohmann::json* object = reader.field("zooms");
    if (!object)
        return;
    std::map<std::string, ChartZoom> read;
    bool good = object->is_object() && object->size() <= 100;
    for (auto it = object->begin(); good && it != object->end(); ++it) {
        good = it->is_array() && it->size() == 4 &&
               std::all_of(it->begin(), it->end(), [](const nlohmann::json& end) { return end.is_number(); });
        if (!good)
            break;
        const ChartZoom zoom{{(*it)[0].get<double>(), (*it)[1].get<double>()},
                             {(*it)[2].get<double>(), (*it)[3].get<double>()}};
        good = rises(zoom.x.first, zoom.x.second) && rises(zoom.y.first, zoom.y.second);
        read[it.key()] = zoom;
    }
    reader.require("zooms", good, "give charts four numbers each: x from, x to, y from, y to, rising");
    if (good)
        zooms = std::move(read);
}

void methodColoursField(ObjectWriter& writer, const MethodColours& colours) { writer.put("method_colours", colours); }

void methodColoursField(ObjectReader& reader, MethodColours& colours)
{
    const char* const name = "method_colours";
    const nlohmann::json* object = reader.field(name);
    if (!object)
        return;
    MethodColours read;
    if (!object->is_object())
        return reader.fail(
            {ErrorKind::InvalidArgument, reader.pathOf(name) + " must be an object of scale methods and colours"});
    for (auto it = object->begin(); it != object->end(); ++it) {
        if (const auto method = findRow(scaleMethods(), it.key(), "scale method"); !method)
            return reader.fail({ErrorKind::UnknownName, reader.pathOf(name) + ": " + method.error().message});
        if (!it->is_string() || !isColour(it->get<std::string>()))
            return reader.fail({ErrorKind::InvalidArgument,
                                reader.pathOf(name) + "." + it.key() + " must be a colour such as \"#8a3ffc\""});
        read[it.key()] = it->get<std::string>();
    }
    colours = std::move(read);
}

void sidesField(ObjectWriter& writer, std::string_view key, const std::optional<MethodPair>& sides,
                const std::vector<Choice>&)
{
    if (sides)
        writer.put(key, *sides);
}

void sidesField(ObjectReader& reader, std::string_view key, std::optional<MethodPair>& sides,
                const std::vector<Choice>& methods)
{
    const nlohmann::json* two = reader.field(key);
    if (!two)
        return;
    const auto isName = [](const nlohmann::json& one) {
        return one.is_string() && isMethodName(one.get<std::string>());
    };
    const auto isPlace = [](const nlohmann::json& one) { return one.is_number_unsigned(); };
    const bool pair = two->is_array() && two->size() == 2;
    if (pair && std::ranges::all_of(*two, isPlace)) {
        // as they were written before; beyond the list: the last
        const std::size_t last = methods.empty() ? 0 : methods.size() - 1;
        const std::size_t first = std::min((*two)[0].get<std::size_t>(), last),
                          second = std::min((*two)[1].get<std::size_t>(), last);
        if (first != second)
            sides = MethodPair(methodName(methods, first), methodName(methods, second));
    } else if (pair && std::ranges::all_of(*two, isName)) {
        sides = two->get<MethodPair>();
    } else {
        reader.require(key, false, "name two methods, such as [\"infoscale\", \"vanilla\"]");
    }
}

}  // namespace attnscope
