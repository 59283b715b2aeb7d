#include "core/analysis/scenario_json.h"

#include "core/analysis/source.h"
#include "core/attention/engine.h"
#include "core/attention/kernels.h"
#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/attention/positions.h"
#include "core/base/json_reader.h"
#include "core/base/json_text.h"
#include "core/base/json_writer.h"
#include "core/base/length_list.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/measures.h"

#include <array>

namespace attnscope {

namespace {

using nlohmann::json;

constexpr double largest = longestLength;  // of lengths and indices
constexpr std::array<std::string_view, 2> pools{"mean", "max"};
/// Of RowSet::Kind, and what sessions said before there was a choice: means over all rows.
constexpr std::array<std::string_view, 3> rowWords{"all", "about_n", "unsaid"};

template <class Fields, class Selection>
void selectionFields(Fields& fields, Selection& selection)
{
    fields.text("path", selection.path);
    fields.text("query", selection.query);
    fields.text("key", selection.key);
    fields.text("layout", selection.layout);
    fields.text("holds", selection.holds);
    fields.number("head", selection.head, 0, mostHeads);
    fields.numbers("mean", selection.mean, 0, mostHeads - 1, mostHeads);
    fields.number("batch", selection.batch, 0, largest);
    fields.number("head_count", selection.headCount, 0, mostHeads);
}

template <class Fields, class Spec>
void attentionFields(Fields& fields, Spec& spec)
{
    fields.choice("kernel", spec.kernel, kernels(), "kernel");
    fields.choice("position", spec.position, positions(), "position");
    fields.choice("mask", spec.mask, masks(), "mask");
    fields.choice("normaliser", spec.normaliser, normalisers(), "normaliser");
    fields.number("soft_cap", spec.softCap, 0, largestSoftCap);
}

template <class Fields, class Part>
void regionFields(Fields& fields, Part& region)
{
    fields.number("row_begin", region.rowBegin, 0, largest);
    fields.number("row_end", region.rowEnd, 0, largest);
    fields.number("column_begin", region.columnBegin, 0, largest);
    fields.number("column_end", region.columnEnd, 0, largest);
    fields.require("row_end", region.rowEnd >= region.rowBegin, "not be less than row_begin");
    fields.require("column_end", region.columnEnd >= region.columnBegin, "not be less than column_begin");
}

/// All but `table`, which is the caller's to ask for.
template <class Fields, class Shown>
void viewFields(Fields& fields, Shown& view)
{
    fields.number("row", view.row, -1, largest);
    fields.object("region", [&](auto& region) { regionFields(region, view.region); });
    fields.number("pixels", view.pixels, 1, 8192);
    fields.boolean("preview", view.preview);
    fields.word("pool", view.pool, pools);
    fields.word("rows", view.rows, rowWords);
    fields.choice("measure", view.measure, measures(), "measure");
    fields.number("curve_first", view.curveFirst, 1, largest);
    fields.number("curve_last", view.curveLast, 1, largest);
    fields.number("curve_points", view.curvePoints, 0, 100000);
    fields.number("curve_rows", view.curveRows, 1, 1000000);
}

template <class Fields, class Whole>
void fieldsOfThisVersion(Fields& fields, Whole& scenario)
{
    fields.choice("source", scenario.source, sourceEntries(), "source");
    fields.number("n", scenario.n, 1, largest);
    fields.number("d", scenario.d, 1, largestHeadSize);
    fields.number("n_train", scenario.nTrain, 1, largest);
    fields.number("temperature", scenario.temperature, 1e-6, 1e6);
    fields.number("seed", scenario.seed, 0, 18446744073709551615.0);
    fields.choices("methods", scenario.methods, scaleMethods(), "scale method");
    fields.text("engine", scenario.engine);
    fields.object("tensors", [&](auto& tensors) { selectionFields(tensors, scenario.tensors); });
    fields.object("attention", [&](auto& attention) { attentionFields(attention, scenario.attention); });
    fields.object("view", [&](auto& view) { viewFields(view, scenario.view); });
}

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

void scenarioFields(ObjectWriter& writer, const Scenario& scenario)
{
    writer.number("version", scenarioVersion, 1, scenarioVersion);
    fieldsOfThisVersion(writer, scenario);
}

void scenarioFields(ObjectReader& reader, Scenario& scenario)
{
    int version = scenarioVersion;
    reader.number("version", version, 1, 1e6);
    if (version > scenarioVersion)
        reader.fail({ErrorKind::UnknownFormat,
                     fmt::format("{} is {}: written by a newer Attnscope than this one, which reads version {}",
                                 reader.pathOf("version"), version, scenarioVersion)});
    fieldsOfThisVersion(reader, scenario);
    if (scenario.engine.empty())  // as sessions were once written
        scenario.engine = automaticEngineId;
    if (scenario.view.rows > RowSet::Kind::SeeingAboutN)
        scenario.view.rows = RowSet::Kind::All;
    if (version == 1) {
        for (Choice& method : scenario.methods)
            holdNumbers(method, scaleMethods());
        holdNumbers(scenario.attention.position, positions());
    }
}

json toJson(const Scenario& scenario)
{
    ObjectWriter writer;
    scenarioFields(writer, scenario);
    return std::move(writer).json();
}

Result<Scenario> scenarioFromJson(const json& object, const std::string& path)
{
    Scenario scenario;
    ObjectReader reader(object, path);
    scenarioFields(reader, scenario);
    return reader.finish().map([&] { return scenario; });
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

Result<Scenario> scenarioFromLine(std::string_view line)
{
    return parseJson(line, "the scenario").and_then([](const json& object) { return scenarioFromJson(object); });
}

}  // namespace attnscope
