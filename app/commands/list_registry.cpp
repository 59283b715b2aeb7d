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
Command listing(std::string name, std::string summary, std::string example, std::span<const Row> (*rows)(),
                std::vector<Extra<Row>> extras = {})
{
    const auto list = [=](const std::optional<Format>& format, const Console& console) -> Result<void> {
        std::vector<Column> columns{"id", "label", "formula", "parameters"};
        for (const Extra<Row>& extra : extras)
            columns.push_back({extra.column});
        columns.insert(columns.end(),
                       {"source", neverInTable("ranges"), neverInTable("presets"), neverInTable("about")});
        ResultWriter writer(console.out, formatFor(format, console), columns);
        for (const Row& row : rows()) {
            std::vector<Cell> cells{row.id, row.label, symbolicFormula(row), parametersOf(row)};
            for (const Extra<Row>& extra : extras)
                cells.push_back(extra.value(row));
            for (const std::string& text : {row.source, rangesOf(row), presetsOf(row), row.about})
                cells.push_back(text);
            writer.add(std::move(cells));
        }
        writer.finish();
        return {};
    };
    return commandWith<std::optional<Format>>(std::move(name), std::move(summary), {std::move(example)}, addFormat,
                                              list);
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
    return listing<ScaleMethod>("methods",
                                "The scale methods: how m, the factor on the logits, depends on the length n",
                                "methods --format json", scaleMethods, {{"counts", countsText}});
}

Command normalisersCommand()
{
    return listing<Normaliser>("normalisers", "The normalisers: how a row of logits becomes weights", "normalisers",
                               normalisers,
                               {{"sums_to_one", [](const Normaliser& row) -> Cell { return row.sumsToOne; }}});
}

Command positionsCommand()
{
    return listing<Position>("positions", "The positions: how the place of a token enters its logits", "positions",
                             positions);
}

Command masksCommand()
{
    return listing<Mask>("masks", "The masks: which keys a query sees", "masks", masks,
                         {{"looks_ahead", [](const Mask& row) -> Cell {
                               return looksAhead({row.id, {}, {}});
                           }}});
}

Command kernelsCommand()
{
    return listing<Kernel>("kernels", "The kernels: how a query and a key become a number", "kernels", kernels);
}

Command measuresCommand()
{
    return listing<Measure>("measures", "The measures of a row of attention", "measures --format csv", measures,
                            {{"unit", [](const Measure& row) { return textCell(row.unit); }}});
}

Command sourcesCommand()
{
    return listing<Entry>("sources", "The sources of queries and keys", "sources", sourceEntries);
}

Command enginesCommand()
{
    return listing<Engine>("engines", "The engines, and whether this machine can run them", "engines", engines,
                           {{"available", availability},
                            {"runs_on", runsOn},
                            {"tolerance", [](const Engine& row) -> Cell { return row.tolerance; }}});
}

}  // namespace attnscope
