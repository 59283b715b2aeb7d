#include "app/commands/options.h"

#include "core/attention/engines.h"
#include "core/base/length_list.h"
#include "core/base/text.h"
#include "core/scaling/scale_method.h"
#include "core/tensor/head_file.h"
#include "core/theory/logit_density.h"

#include <cmath>

namespace attnscope {

namespace {

constexpr NumberRange trainLengths{.minimum = 1, .maximum = longestLength, .whole = true};

}  // namespace

Result<void> eachNamedOnce(std::span<const Choice> choices)
{
    for (auto at = choices.begin(); at != choices.end(); ++at)
        if (std::find(choices.begin(), at, *at) != at)
            return failure(ErrorKind::InvalidArgument, "{} is there twice; name each once", formatChoice(*at));
    return {};
}

Result<double> readNumber(const std::string& text, const NumberRange& range)
{
    const auto value = typedNumber(text);
    const bool inRange =
        value && *value >= range.minimum && *value <= range.maximum && !(range.aboveMinimum && *value == range.minimum);
    if (!inRange || (range.whole && *value != std::floor(*value)))
        return failure(ErrorKind::InvalidArgument,
                       std::string("expected a ") + (range.whole ? "whole number" : "number") +
                           (range.aboveMinimum ? " above " : " from ") + formatNumber(range.minimum) +
                           (range.aboveMinimum ? " and at most " : " to ") + formatNumber(range.maximum) + ", got '" +
                           text + "'");
    return *value;
}

CLI::Option* addWord(CLI::App& app, const std::string& name, std::string& target, std::vector<std::string> words,
                     const std::string& help)
{
    const std::string list = joined(words, "|");
    const auto read = [words, list](const std::string& text) -> Result<std::string> {
        if (std::find(words.begin(), words.end(), text) == words.end())
            return failure(ErrorKind::UnknownName, "expected one of {}, got '{}'", list, text);
        return text;
    };
    return addOption(app, name, list, target, read, help, target);
}

CLI::Option* addMethods(CLI::App& app, std::vector<Choice>& target)
{
    const auto read = [](const std::string& text, std::vector<Choice>& methods) -> Result<void> {
        if (text.starts_with("-"))
            return failure(ErrorKind::InvalidArgument, "expected a METHOD, got the option '{}'", text);
        if (text == "all")
            for (const ScaleMethod& method : scaleMethods())
                methods.push_back({method.id, {}, {}});
        else
            methods.push_back(TRY(parseChoice(text, scaleMethods(), "scale method")));
        return eachNamedOnce(methods);
    };
    return addSeveral(app, "--method", "METHOD", target, read,
                      "Scale methods: ids of `attnscope methods`, with parameters as in softmax_plus:B=64 or "
                      "custom:\"log(n)/log(N)\"; all: every one");
}

CLI::Option* addLengths(CLI::App& app, std::vector<std::int64_t>& target)
{
    return addOption(
        app, "--n", "LIST", target,
        [](const std::string& text) -> Result<std::vector<std::int64_t>> {
            auto lengths = TRY(parseLengths(text));
            TRY(eachOnceIn(lengths));
            return lengths;
        },
        "Sequence lengths: 100,200,400 or 16:65536:x2 or 100:1600:+100 or 16:1e9:40 (40 points, even in log)");
}

CLI::Option* addHeadSize(CLI::App& app, int& target)
{
    return addNumber(app, "--d", target, {.minimum = 1, .maximum = largestHeadSize, .whole = true}, "Head size d");
}

CLI::Option* addNumber(CLI::App& app, const std::string& name, std::optional<double>& target, const NumberRange& range,
                       const std::string& help)
{
    return addOption(
        app, name, range.whole ? "INTEGER" : "NUMBER", target,
        [range](const std::string& text) { return readNumber(text, range); }, help);
}

CLI::Option* addTrainLength(CLI::App& app, double& target)
{
    return addNumber(app, "--n-train", target, trainLengths, "Reference (training) length N");
}

CLI::Option* addTrainLength(CLI::App& app, std::optional<double>& target)
{
    return addNumber(app, "--n-train", target, trainLengths,
                     "Reference (training) length N; without it what the file says, else " +
                         formatNumber(usualTrainLength) + ", or all of a file's keys where they are fewer");
}

CLI::Option* addTemperature(CLI::App& app, double& target, double minimum)
{
    return addNumber(app, "--temperature", target, {.minimum = minimum, .maximum = 1e6},
                     "Temperature tau: logits are divided by it");
}

CLI::Option* addSeed(CLI::App& app, std::uint64_t& target)
{
    return addNumber(app, "--seed", target, {.minimum = 0, .maximum = 9007199254740992.0, .whole = true},
                     "Seed of the random numbers");
}

CLI::Option* addDensity(CLI::App& app, Choice& target)
{
    return addChoice(app, "--source", target, logitDensities(), "source",
                     "Law of the logits: gaussian or sphere (q and k of size d), uniform:lo,hi, needle:gap, ...");
}

CLI::Option* addEngine(CLI::App& app, std::string& target)
{
    std::vector<std::string> words{automaticEngineId};
    for (const Engine& engine : engines())
        words.push_back(engine.id);
    return addWord(
        app, "--engine", target, std::move(words),
        "Engine that computes; auto: the processor's fastest, or a graphics device that a short trial finds faster");
}

CLI::Option* addProgress(CLI::App& app, bool& target)
{
    return app.add_flag("--progress", target, "Show progress even where standard error is no terminal");
}

Error faultOfFile(Error error)
{
    if (error.kind == ErrorKind::InvalidArgument || error.kind == ErrorKind::UnknownName)
        error.kind = ErrorKind::DataError;
    return error;
}

Result<void> unused(const Options& options, const std::string& why)
{
    for (const CLI::Option* option : options)
        if (option->count() > 0)
            return failure(ErrorKind::InvalidArgument, "{} changes nothing here: {}; leave it out", option->get_name(),
                           why);
    return {};
}

Result<void> eachKeyOnce(const std::string& option, std::span<const std::string> texts)
{
    std::vector<std::string> keys;
    for (const std::string& text : texts) {
        keys.push_back(text.substr(0, text.find('=')));
        if (std::ranges::count(keys, keys.back()) > 1)
            return failure(ErrorKind::InvalidArgument, "{}: '{}' is there twice; name each once", option, keys.back());
    }
    return {};
}

CLI::Option* addFormat(CLI::App& app, std::optional<Format>& target)
{
    const auto read = [](const std::string& text) -> Result<Format> {
        if (text == "table")
            return Format::Table;
        if (text == "csv")
            return Format::Csv;
        if (text == "json")
            return Format::Json;
        return failure(ErrorKind::UnknownName, "expected table, csv or json, got '{}'", text);
    };
    return addOption(app, "--format", "table|csv|json", target, read,
                     "How to write the results; without it a table on a terminal and CSV elsewhere");
}

Format formatFor(const std::optional<Format>& asked, const Console& console)
{
    return asked.value_or(console.outIsTerminal ? Format::Table : Format::Csv);
}

CLI::Option* addOutput(CLI::App& app, std::string& target)
{
    return app
        .add_option(
            "-o,--output", target,
            "Write the results to a file, as its ending says: .csv, .json, or .npy (a NumPy table with named columns)")
        ->type_name("FILE");
}

Result<Format> formatFor(const std::optional<Format>& asked, const std::string& output, const Console& console)
{
    if (output.empty())
        return formatFor(asked, console);
    const std::pair<const char*, Format> endings[] = {
        {".csv", Format::Csv}, {".json", Format::Json}, {".npy", Format::Npy}};
    for (const auto& [ending, format] : endings)
        if (output.ends_with(ending)) {
            if (asked && *asked != format)
                return failure(ErrorKind::InvalidArgument,
                               "--format contradicts the ending of '{}'; leave one of them out", output);
            return format;
        }
    return failure(ErrorKind::InvalidArgument, "--output: expected a path that ends in .csv, .json or .npy, got '{}'",
                   output);
}

}  // namespace attnscope
