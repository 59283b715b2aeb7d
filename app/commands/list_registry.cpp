// methods, normalisers, positions, masks, kernels, measures, sources, engines: the program's registries, one row an
// entry.

#include "app/commands/command_table.h"
#include "app/commands/options.h"
#include "core/analysis/source.h"
#include "core/attention/engines.h"
#include "core/attention/kernels.h"
#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/attention/positions.h"
#include "core/base/text.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/measures.h"

#include <memory>

namespace attnscope {

namespace {

std::string parametersOf(const Entry& entry)
{
    std::string list = entry.textLabel.empty() ? "" : "\"" + entry.textByDefault + "\"";
    for (const Parameter& parameter : entry.parameters)
        list += (list.empty() ? "" : ", ") + parameter.id + "=" +
                (parameter.followsN ? "N" : formatNumber(parameter.byDefault));
    return list;
}

std::string rangesOf(const Entry& entry)
{
    std::string list = entry.textLabel;
    for (const Parameter& parameter : entry.parameters)
        list += (list.empty() ? "" : "; ") + parameter.id + " from " + formatNumber(parameter.minimum) + " to " +
                formatNumber(parameter.maximum) + (parameter.help.empty() ? "" : ": " + parameter.help);
    return list;
}

std::string presetsOf(const Entry& entry)
{
    return joined(entry.presets, "; ", [](const Preset& preset) {
        return preset.label + ": " + preset.text + (preset.source.empty() ? "" : " (" + preset.source + ")");
    });
}

/// What one registry says beyond what every entry has.
template <class Row>
struct Extra {
    std::string column;
    Cell (*value)(const Row&);
};

template <class Row>
void writeRegistry(ResultWriter& writer, std::span<const Row> rows, const std::vector<Extra<Row>>& extras)
{
    for (const Row& row : rows) {
        std::vector<Cell> cells{row.id, row.label, symbolicFormula(row), parametersOf(row)};
        for (const Extra<Row>& extra : extras)
            cells.push_back(extra.value(row));
        for (const std::string& text : {row.source, rangesOf(row), presetsOf(row), row.about})
            cells.push_back(text);
        writer.add(std::move(cells));
    }
}

template <class Row>
Action listAction(CLI::App& app, std::span<const Row> (*rows)(), std::vector<Extra<Row>> extras)
{
    const auto format = std::make_shared<std::optional<Format>>();
    addFormat(app, *format);
    return [=](const Console& console) -> Result<void> {
        std::vector<Column> columns{"id", "label", "formula", "parameters"};
        for (const Extra<Row>& extra : extras)
            columns.push_back({extra.column});
        columns.insert(columns.end(),
                       {"source", neverInTable("ranges"), neverInTable("presets"), neverInTable("about")});
        ResultWriter writer(console.out, formatFor(*format, console), columns);
        writeRegistry(writer, rows(), extras);
        writer.finish();
        return {};
    };
}

Cell countsText(const ScaleMethod& method)
{
    switch (method.counts) {
    case Counts::Keys:
        return "keys";
    case Counts::Row:
        return "row";
    case Counts::Nothing:
        return {};
    }
    return {};
}

Cell availability(const Engine& engine)
{
    const std::string why = engine.unavailable();
    return why.empty() ? "yes" : why;
}

Cell runsOn(const Engine& engine) { return engine.runsOn ? engine.runsOn() : "processor"; }

}  // namespace

Command methodsCommand()
{
    return {"methods",
            "The scale methods: how m, the factor on the logits, depends on the length n",
            {"methods --format json"},
            [](CLI::App& app) {
                return listAction<ScaleMethod>(app, scaleMethods, {{"counts", countsText}});
            }};
}

Command normalisersCommand()
{
    return {"normalisers", "The normalisers: how a row of logits becomes weights", {"normalisers"}, [](CLI::App& app) {
                return listAction<Normaliser>(
                    app, normalisers, {{"sums_to_one", [](const Normaliser& row) -> Cell { return row.sumsToOne; }}});
            }};
}

Command positionsCommand()
{
    return {"positions", "The positions: how the place of a token enters its logits", {"positions"}, [](CLI::App& app) {
                return listAction<Position>(app, positions, {});
            }};
}

Command masksCommand()
{
    return {"masks", "The masks: which keys a query sees", {"masks"}, [](CLI::App& app) {
                return listAction<Mask>(app, masks, {{"looks_ahead", [](const Mask& row) -> Cell {
                                                          return looksAhead({row.id, {}, {}});
                                                      }}});
            }};
}

Command kernelsCommand()
{
    return {"kernels", "The kernels: how a query and a key become a number", {"kernels"}, [](CLI::App& app) {
                return listAction<Kernel>(app, kernels, {});
            }};
}

Command measuresCommand()
{
    return {"measures", "The measures of a row of attention", {"measures --format csv"}, [](CLI::App& app) {
                return listAction<Measure>(app, measures, {{"unit", [](const Measure& row) -> Cell {
                                                                return row.unit.empty() ? Cell{} : row.unit;
                                                            }}});
            }};
}

Command sourcesCommand()
{
    return {"sources", "The sources of queries and keys", {"sources"}, [](CLI::App& app) {
                return listAction<Entry>(app, sourceEntries, {});
            }};
}

Command enginesCommand()
{
    return {"engines", "The engines, and whether this machine can run them", {"engines"}, [](CLI::App& app) {
                return listAction<Engine>(app, engines,
                                          {{"available", availability},
                                           {"runs_on", runsOn},
                                           {"tolerance", [](const Engine& row) -> Cell { return row.tolerance; }}});
            }};
}

}  // namespace attnscope
