// lab: runs an experiment that trains something. The findings go to standard output, every table as CSV and the trained
// networks to --out; Ctrl-C stops it and leaves the checkpoint, from which --resume goes on.

#include "app/commands/command_table.h"
#include "app/commands/options.h"
#include "app/commands/progress.h"
#include "app/commands/stop_on_interrupt.h"
#include "core/base/replace_file.h"
#include "core/base/text.h"
#include "core/labs/lab_record.h"
#include "core/labs/lab_text.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>

namespace attnscope {

namespace {

struct LabSettings {
    std::string lab;
    std::vector<std::string> values;
    std::string folder;
    std::string table;
    bool resume = false;
    bool progress = false;
    std::optional<Format> format;
};

/// Part `which` of a text of several.
Result<void> setTextPart(std::string& text, const Lab& lab, std::ptrdiff_t which, const std::string& value)
{
    TRY(checkPart(lab, lab.textParts[static_cast<std::size_t>(which)], value));
    std::vector<std::string> parts = textPartsOf(lab, text.empty() ? lab.textByDefault : text);
    parts[static_cast<std::size_t>(which)] = value;
    text = joinedParts(lab, parts);
    return {};
}

/// Tables that no chart shows, of any lab.
constexpr std::array furtherTables{"training", "seeds",    "heads",      "means",   qualityTable,
                                   "networks", "distance", "polynomial", "summary", "lambda"};

/// Before anything is trained. Errors: UnknownName.
Result<void> checkTable(const std::string& table, const Lab& lab)
{
    std::vector<std::string> known{lab.main};
    const auto add = [&](const std::string& name) {
        if (std::ranges::find(known, name) == known.end())
            known.push_back(name);
    };
    for (const LabChart& chart : lab.charts)
        for (const LabLine& line : chart.lines)
            add(line.table);
    for (const char* name : furtherTables)
        add(name);
    if (table.empty() || std::ranges::find(known, table) != known.end())
        return {};
    return failure(ErrorKind::UnknownName, "--table: no lab has a table '{}'; of {} there may be {}", table, lab.id,
                   joined(known, ", "));
}

/// The lab with its parameters, from NAME and --set key=value.
Result<Choice> choiceOf(const LabSettings& settings)
{
    Choice choice = TRY(parseChoice(settings.lab, labs(), "lab"));
    const Lab& lab = **findRow(labs(), choice.id, "lab");
    TRY(eachKeyOnce("--set", settings.values));
    for (const std::string& text : settings.values) {
        const std::size_t equals = text.find('=');
        if (equals == text.npos)
            return failure(ErrorKind::InvalidArgument, "--set takes key=value, got '{}'", text);
        const std::string key = text.substr(0, equals), value = text.substr(equals + 1);
        if (const auto part = std::ranges::find(lab.textParts, key, &LabPart::name);
            part != lab.textParts.end() && lab.textParts.size() > 1) {
            TRY(setTextPart(choice.text, lab, part - lab.textParts.begin(), value));
            continue;
        }
        if (key == lab.textKey) {
            choice.text = value;
            continue;
        }
        const Parameter* parameter = parameterOf(lab, key);
        if (!parameter)
            return failure(ErrorKind::UnknownName, "{} has no parameter '{}'; attnscope labs --parameters lists them",
                           lab.id, key);
        const Result<double> number =
            readNumber(value, {parameter->minimum, parameter->maximum, parameter->kind != Parameter::Kind::Real});
        if (!number)
            return failure(number.error().kind, "--set " + key + ": " + number.error().message);
        choice.values[key] = *number;
    }
    return choice;
}

/// The rows of one table, which share their columns.
void writeTable(std::ostream& out, Format format, const std::vector<LabRow>& rows, const std::string& table)
{
    std::vector<Column> columns;
    for (const LabRow& row : rows)
        if (row.table == table && columns.empty())
            for (const auto& [name, value] : row.cells)
                columns.push_back({name, Shown::IfAny});
    ResultWriter writer(out, format, columns);
    for (const LabRow& row : rows)
        if (row.table == table) {
            std::vector<Cell> cells;
            for (const auto& [name, value] : row.cells)
                cells.push_back(value);
            writer.add(std::move(cells));
        }
    writer.finish();
}

Result<void> writeFolder(const LabSettings& settings, const LabResult& result, const Console& console)
{
    std::vector<std::string> texts;
    std::vector<FileText> tables;
    const std::vector<std::string> names = tablesOf(result.rows);
    texts.reserve(names.size());
    for (const std::string& table : names) {
        std::ostringstream text;
        writeTable(text, Format::Csv, result.rows, table);
        texts.push_back(std::move(text).str());
        tables.push_back({(std::filesystem::path(settings.folder) / (table + ".csv")).string(), texts.back()});
    }
    TRY(replaceFiles(tables));
    for (const LabFile& file : result.files)
        console.err << file.path << ": " << file.about << std::endl;
    return {};
}

Result<void> runLabCommand(const LabSettings& settings, const Console& console)
{
    if (settings.resume && settings.folder.empty())
        return failure(ErrorKind::InvalidArgument, "--resume needs --out, the folder of the checkpoint");
    if (const auto named = parseChoice(settings.lab, labs(), "lab"))
        TRY(checkTable(settings.table, **findRow(labs(), named->id, "lab")));
    const Choice choice = TRY(choiceOf(settings));
    const StopOnInterrupt interrupt;
    Result<LabResult> result;
    {
        Progress progress(console, choice.id, settings.progress);
        result = runLab({choice, settings.folder, settings.resume}, interrupt.token(),
                        [&](const LabUpdate& update) { progress.update(update.fraction, update.stage); });
    }
    if (!result && result.error().kind == ErrorKind::Cancelled)
        return failure(ErrorKind::Cancelled, settings.folder.empty()
                                                 ? std::string("stopped; with --out DIR it could be resumed")
                                                 : "stopped; go on with the same command and --resume");
    if (!result)
        return tl::unexpected(result.error());
    if (!settings.folder.empty())
        TRY(writeFolder(settings, *result, console));
    for (const std::string& note : result->notes)
        console.err << note << std::endl;
    const std::vector<std::string> tables = tablesOf(result->rows);
    const Lab& lab = **findRow(labs(), choice.id, "lab");
    const std::string table = settings.table.empty() ? lab.main : settings.table;
    const bool none = table != lab.main && std::ranges::find(tables, table) == tables.end();
    writeTable(console.out, formatFor(settings.format, console), result->rows, none ? lab.main : table);
    return none ? failure(ErrorKind::NotFound, "this run of {} made no table '{}', but {}; {} is shown", choice.id,
                          table, joined(tables, ", "), lab.main)
                : Result<void>();
}

}  // namespace

Result<void> checkLab(const std::string& name, const std::vector<std::string>& values)
{
    LabSettings settings;
    settings.lab = name;
    settings.values = values;
    const Choice choice = TRY(choiceOf(settings));
    return validate(**findRow(labs(), choice.id, "lab"), choice);
}

Command labCommand()
{
    return commandWith<LabSettings>(
        "lab", "Run an experiment that trains something",
        {"lab eie", "lab max-retrieval --set steps=5000 --out run1",
         "lab max-retrieval --set steps=5000 --out run1 --resume",
         "lab max-retrieval --set methods=\"vanilla; vanilla|adaptive; infoscale\" --format csv"},
        [](CLI::App& app, LabSettings& settings) {
            app.add_option("NAME", settings.lab, "A lab, as attnscope labs lists them")->required();
            app.add_option("--set", settings.values, "A parameter, key=value; attnscope labs --parameters lists them")
                ->type_name("KEY=VALUE");
            app.add_option("--out", settings.folder,
                           "A new or empty folder for the checkpoint, the trained networks and all tables as CSV")
                ->type_name("DIR");
            app.add_flag("--resume", settings.resume, "Go on with the run in --out, from its checkpoint");
            app.add_option("--table", settings.table,
                           "The table to show, in place of the main one: training, curve, ...")
                ->type_name("NAME");
            app.add_flag("--progress", settings.progress,
                         "Tell how far it is, where standard error is no terminal too");
            addFormat(app, settings.format);
        },
        runLabCommand);
}

}  // namespace attnscope
