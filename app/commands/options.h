#pragma once
// The options that subcommands share, each declared in one place so that it means the same everywhere. Values are read
// by the program's own grammars (LIST, METHOD, numbers) while the command line is parsed, so every wrong value is wrong
// usage with a message of ours.

#include "app/commands/command.h"
#include "app/commands/result_writer.h"
#include "core/base/choice.h"
#include "core/base/each.h"
#include "core/base/error.h"
#include "core/base/text.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attnscope {

/// A subcommand: `declare` puts its options on the parser, and `run` does what the settings that were read ask for.
template <class Settings>
Command commandWith(std::string name, std::string summary, std::vector<std::string> examples,
                    std::function<void(CLI::App&, Settings&)> declare,
                    std::function<Result<void>(const Settings&, const Console&)> run)
{
    return {std::move(name), std::move(summary), std::move(examples), [=](CLI::App& app) -> Action {
                const auto settings = std::make_shared<Settings>();
                declare(app, *settings);
                return [=](const Console& console) { return run(*settings, console); };
            }};
}

/// Of the rows of a registry.
template <class Rows>
std::vector<std::string> idsOf(const Rows& rows)
{
    return eachOnce(rows, [](const auto& row) { return row.id; });
}

/// An option whose text `read` understands: as a Result of what the target is or holds.
template <class T, class Read>
CLI::Option* addOption(CLI::App& app, const std::string& name, const std::string& typeName, T& target, Read read,
                       const std::string& help, const std::string& byDefault = {})
{
    return app
        .add_option_function<std::string>(
            name,
            [&target, read = std::move(read), name](const std::string& text) {
                auto value = read(text);
                if (!value)
                    throw CLI::ValidationError(name, value.error().message);
                target = *std::move(value);
            },
            help)
        ->type_name(typeName)
        ->default_str(byDefault);
}

/// An option of several words: `read(text, target)` adds what each says, or returns the error.
template <class T, class Read>
CLI::Option* addSeveral(CLI::App& app, const std::string& name, const std::string& typeName, std::vector<T>& target,
                        Read read, const std::string& help)
{
    return app
        .add_option_function<std::vector<std::string>>(
            name,
            [&target, read = std::move(read), name](const std::vector<std::string>& texts) {
                target.clear();
                for (const std::string& text : texts)
                    if (const Result<void> done = read(text, target); !done)
                        throw CLI::ValidationError(name, done.error().message);
            },
            help)
        ->type_name(typeName)
        ->expected(1, 1000);
}

struct NumberRange {
    double minimum = 0, maximum = 0;
    bool whole = false;
    bool aboveMinimum = false;  ///< the minimum itself is not allowed
};
Result<double> readNumber(const std::string& text, const NumberRange& range);

/// Errors: InvalidArgument, where one number of a list is there twice.
template <class Number>
Result<void> eachOnceIn(std::vector<Number> numbers)
{
    std::ranges::sort(numbers);
    if (const auto twice = std::ranges::adjacent_find(numbers); twice != numbers.end())
        return failure(ErrorKind::InvalidArgument, "{} is there twice; name each once",
                       formatNumber(static_cast<double>(*twice)));
    return {};
}

/// With commas between them, each once: one of them twice would be two equal rows.
template <class Number>
Result<std::vector<Number>> readNumbers(const std::string& text, const NumberRange& range)
{
    std::vector<Number> numbers;
    for (const std::string_view part : split(text, ','))
        numbers.push_back(static_cast<Number>(TRY(readNumber(std::string(part), range))));
    TRY(eachOnceIn(numbers));
    return numbers;
}

template <class T>
CLI::Option* addNumber(CLI::App& app, const std::string& name, T& target, const NumberRange& range,
                       const std::string& help)
{
    return addOption(
        app, name, range.whole ? "INTEGER" : "NUMBER", target,
        [range](const std::string& text) {
            return readNumber(text, range).map([](double v) { return static_cast<T>(v); });
        },
        help, formatNumber(static_cast<double>(target)));
}
/// None by default.
CLI::Option* addNumber(CLI::App& app, const std::string& name, std::optional<double>& target, const NumberRange& range,
                       const std::string& help);

/// One row of a registry, with parameters: `window:64`.
template <class Row>
CLI::Option* addChoice(CLI::App& app, const std::string& name, Choice& target, std::span<const Row> rows,
                       const std::string& what, const std::string& help)
{
    return addOption(
        app, name, "CHOICE", target, [rows, what](const std::string& text) { return parseChoice(text, rows, what); },
        help, formatChoice(target));
}
/// None by default.
template <class Row>
CLI::Option* addChoice(CLI::App& app, const std::string& name, std::optional<Choice>& target, std::span<const Row> rows,
                       const std::string& what, const std::string& help)
{
    return addOption(
        app, name, "CHOICE", target, [rows, what](const std::string& text) { return parseChoice(text, rows, what); },
        help);
}

/// Those of a command that change nothing beside others: see unused.
using Options = std::vector<const CLI::Option*>;

/// InvalidArgument with `why` if one of them was given where it would change nothing: no option is dropped in silence.
Result<void> unused(const Options& options, const std::string& why);

/// Of texts key=value. Errors: InvalidArgument, where a key is there twice: the last would win in silence.
Result<void> eachKeyOnce(const std::string& option, std::span<const std::string> texts);

/// What is wrong with a value within a file is a fault of the file, not of the command line.
Error faultOfFile(Error error);

/// One word of a few.
CLI::Option* addWord(CLI::App& app, const std::string& name, std::string& target, std::vector<std::string> words,
                     const std::string& help);

/// Errors: InvalidArgument; one of them twice would be two equal rows.
Result<void> eachNamedOnce(std::span<const Choice> choices);

/// --method METHOD...; `all` stands for every method with its defaults.
CLI::Option* addMethods(CLI::App& app, std::vector<Choice>& target);
CLI::Option* addLengths(CLI::App& app, std::vector<std::int64_t>& target);  ///< --n LIST
CLI::Option* addHeadSize(CLI::App& app, int& target);                       ///< --d
CLI::Option* addTrainLength(CLI::App& app, double& target);                 ///< --n-train
CLI::Option* addTrainLength(CLI::App& app, std::optional<double>& target);  ///< where a FILE is read, which may say it
CLI::Option* addTemperature(CLI::App& app, double& target, double minimum = 1e-6);
CLI::Option* addSeed(CLI::App& app, std::uint64_t& target);
CLI::Option* addDensity(CLI::App& app, Choice& target);  ///< --source, where only its law matters
CLI::Option* addEngine(CLI::App& app, std::string& target);
CLI::Option* addProgress(CLI::App& app, bool& target);  ///< --progress

/// --format; without it a table on a terminal and CSV elsewhere.
CLI::Option* addFormat(CLI::App& app, std::optional<Format>& target);
Format formatFor(const std::optional<Format>& asked, const Console& console);

/// -o FILE: results go there instead, as its ending says (.csv, .json, .npy), and the file is written whole or not at
/// all.
CLI::Option* addOutput(CLI::App& app, std::string& target);
/// As above, for a path from addOutput or (empty) standard output. Errors: InvalidArgument for another ending, or a
/// --format that contradicts it.
Result<Format> formatFor(const std::optional<Format>& asked, const std::string& output, const Console& console);

}  // namespace attnscope
