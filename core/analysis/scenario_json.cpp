#include "core/analysis/scenario_json.h"

#include "core/base/json_reader.h"
#include "core/analysis/source.h"
#include "core/attention/engine.h"
#include "core/attention/kernels.h"
#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/attention/positions.h"
#include "core/base/json_text.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/measures.h"

#include <algorithm>
#include <array>

namespace attnscope {

namespace {

using nlohmann::json;

constexpr double largest = 1e12;  // of lengths and indices
constexpr int mostHeads = 16384;
constexpr std::array<std::string_view, 2> pools{"mean", "max"};

json texts(const std::vector<Choice>& choices)
{
    json list = json::array();
    for (const Choice& choice : choices)
        list.push_back(formatChoice(choice));
    return list;
}

void readHeads(ObjectReader& reader, std::string_view key, std::vector<int>& heads)
{
    const json* list = reader.field(key);
    if (!list)
        return;
    const auto isHead = [](const json& one) { return one.is_number_integer() && one >= 0 && one < mostHeads; };
    if (!list->is_array() || list->size() > mostHeads || !std::all_of(list->begin(), list->end(), isHead))
        return reader.fail(reader.pathOf(key) + " must be a list of heads such as [0, 3]");
    heads = list->get<std::vector<int>>();
}

Result<void> read(const json& object, const std::string& path, TensorSelection& selection)
{
    ObjectReader reader(object, path);
    reader.text("path", selection.path);
    reader.text("query", selection.query);
    reader.text("key", selection.key);
    reader.text("layout", selection.layout);
    reader.text("holds", selection.holds);
    reader.number("head", selection.head, 0, mostHeads);
    readHeads(reader, "mean", selection.mean);
    reader.number("batch", selection.batch, 0, largest);
    return reader.finish();
}

Result<void> read(const json& object, const std::string& path, AttentionSpec& spec)
{
    ObjectReader reader(object, path);
    reader.choice("kernel", spec.kernel, kernels(), "kernel");
    reader.choice("position", spec.position, positions(), "position");
    reader.choice("mask", spec.mask, masks(), "mask");
    reader.choice("normaliser", spec.normaliser, normalisers(), "normaliser");
    reader.number("soft_cap", spec.softCap, 0, 1e6);
    return reader.finish();
}

Result<void> read(const json& object, const std::string& path, Region& region)
{
    ObjectReader reader(object, path);
    reader.number("row_begin", region.rowBegin, 0, largest);
    reader.number("row_end", region.rowEnd, 0, largest);
    reader.number("column_begin", region.columnBegin, 0, largest);
    reader.number("column_end", region.columnEnd, 0, largest);
    if (region.rowEnd < region.rowBegin || region.columnEnd < region.columnBegin)
        reader.fail(path + " must not end before it begins");
    return reader.finish();
}

Result<void> read(const json& object, const std::string& path, View& view)
{
    ObjectReader reader(object, path);
    reader.number("row", view.row, -1, largest);
    if (const json* region = reader.field("region"))
        if (auto done = read(*region, reader.pathOf("region"), view.region); !done)
            reader.fail(done.error());
    reader.number("pixels", view.pixels, 1, 8192);
    reader.boolean("preview", view.preview);
    if (const auto pool = reader.word("pool", pools))
        view.pool = static_cast<Pool>(*pool);
    reader.choice("measure", view.measure, measures(), "measure");
    reader.number("curve_first", view.curveFirst, 1, largest);
    reader.number("curve_last", view.curveLast, 1, largest);
    reader.number("curve_points", view.curvePoints, 0, 100000);
    reader.number("curve_rows", view.curveRows, 1, 1000000);
    return reader.finish();
}

}  // namespace

namespace {

/// As version 1 meant it: the numbers that now follow N, written out.
template <class Row>
void holdNumbers(Choice& choice, std::span<const Row> rows)
{
    const auto row = findRow(rows, choice.id, "row");
    if (!row)
        return;
    for (const Parameter& parameter : (*row)->parameters)
        if (parameter.followsN)
            choice.values.emplace(parameter.id, parameter.byDefault);
}

}  // namespace

json toJson(const Scenario& s)
{
    const TensorSelection& t = s.tensors;
    const Region& r = s.view.region;
    return {
        {"version", scenarioVersion},
        {"source", formatChoice(s.source)},
        {"tensors", {{"path", t.path}, {"query", t.query}, {"key", t.key}, {"layout", t.layout}, {"holds", t.holds}, {"head", t.head}, {"mean", t.mean}, {"batch", t.batch}}},
        {"n", s.n},
        {"d", s.d},
        {"n_train", s.nTrain},
        {"temperature", s.temperature},
        {"seed", s.seed},
        {"attention",
         {{"kernel", formatChoice(s.attention.kernel)}, {"position", formatChoice(s.attention.position)}, {"mask", formatChoice(s.attention.mask)},
          {"normaliser", formatChoice(s.attention.normaliser)}, {"soft_cap", s.attention.softCap}}},
        {"methods", texts(s.methods)},
        {"engine", s.engine},
        {"view",
         {{"row", s.view.row},
          {"region", {{"row_begin", r.rowBegin}, {"row_end", r.rowEnd}, {"column_begin", r.columnBegin}, {"column_end", r.columnEnd}}},
          {"pixels", s.view.pixels}, {"preview", s.view.preview}, {"pool", pools[static_cast<size_t>(s.view.pool)]},
          {"measure", formatChoice(s.view.measure)}, {"curve_first", s.view.curveFirst}, {"curve_last", s.view.curveLast},
          {"curve_points", s.view.curvePoints}, {"curve_rows", s.view.curveRows}}},
    };
}

Result<Scenario> scenarioFromJson(const json& object, const std::string& path)
{
    Scenario s;
    ObjectReader reader(object, path);
    int version = scenarioVersion;
    reader.number("version", version, 1, 1e6);
    if (version > scenarioVersion)
        return failure(ErrorKind::UnknownFormat, path + ".version is " + std::to_string(version) + ": written by a newer Attnscope than this one, which reads version " + std::to_string(scenarioVersion));
    reader.choice("source", s.source, sourceEntries(), "source");
    reader.number("n", s.n, 1, largest);
    reader.number("d", s.d, 1, 4096);
    reader.number("n_train", s.nTrain, 1, largest);
    reader.number("temperature", s.temperature, 1e-6, 1e6);
    reader.number("seed", s.seed, 0, 18446744073709551615.0);
    reader.choices("methods", s.methods, scaleMethods(), "scale method");
    reader.text("engine", s.engine);
    const auto part = [&](std::string_view key, auto& target) {
        if (const json* field = reader.field(key))
            if (auto done = read(*field, reader.pathOf(key), target); !done)
                reader.fail(done.error());
    };
    part("tensors", s.tensors);
    part("attention", s.attention);
    part("view", s.view);
    TRY(reader.finish());
    if (version == 1) {
        for (Choice& method : s.methods)
            holdNumbers(method, scaleMethods());
        holdNumbers(s.attention.position, positions());
    }
    return s;
}

namespace {

/// Of `object`, what is not the same in `usual`; objects field by field, anything else whole.
json differences(const json& object, const json& usual)
{
    json out = json::object();
    for (const auto& [key, value] : object.items())
        if (value != usual.at(key))
            out[key] = value.is_object() ? differences(value, usual.at(key)) : value;
    return out;
}

}  // namespace

std::string scenarioLine(const Scenario& scenario)
{
    json line = differences(toJson(scenario), toJson(Scenario{}));
    line["version"] = scenarioVersion;
    return jsonText(line);
}

void readScenarios(ObjectReader& reader, const char* field, std::size_t most, std::vector<Scenario>& target)
{
    const json* list = reader.field(field);
    if (!list)
        return;
    if (!list->is_array() || list->size() > most)
        return reader.fail(reader.pathOf(field) + " must be a list of at most " + std::to_string(most) + " scenarios");
    for (std::size_t i = 0; i < list->size(); ++i) {
        auto scenario = scenarioFromJson((*list)[i], reader.pathOf(field) + "[" + std::to_string(i) + "]");
        if (!scenario)
            return reader.fail(scenario.error());
        target.push_back(std::move(*scenario));
    }
}

Result<Scenario> scenarioFromLine(std::string_view line)
{
    return parseJson(line, "the scenario").and_then([](const json& object) { return scenarioFromJson(object); });
}

}  // namespace attnscope
