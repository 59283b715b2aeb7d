#include "app/commands/command.h"

#include "app/commands/command_help.h"
#include "core/base/replace_file.h"
#include "core/base/thrown.h"
#include "core/base/version.h"
#include "core/model/shipped_heads.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <ostream>

namespace attnscope {

namespace {

constexpr int wrongUsage = 2;
constexpr int failed = 1;

const Command* findCommand(const std::string& name)
{
    const auto all = commands();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Command& command) { return command.name == name; });
    return found == all.end() ? nullptr : &*found;
}

/// One line on `err`, whatever the message holds.
int complain(const Console& console, const std::string& command, const std::string& message, int status)
{
    console.err << "attnscope" << (command.empty() ? "" : " " + command) << ": " << oneLine(message);
    if (status == wrongUsage)
        console.err << "; see attnscope " << (command.empty() ? "" : command + " ") << "--help";
    console.err << std::endl;
    return status;
}

/// Once everything is written: 0, or what is said where it was not.
int finished(const Console& console, const std::string& command)
{
    console.out.flush();
    return console.out ? 0 : complain(console, command, "the results could not be written to standard output", failed);
}

int statusOf(ErrorKind kind)
{
    return kind == ErrorKind::InvalidArgument || kind == ErrorKind::UnknownName ? wrongUsage : failed;
}

std::string examplesOf(const Command& command)
{
    std::string text = command.examples.size() > 1 ? "Examples:" : "Example:";
    for (const std::string& example : command.examples)
        text += "\n  attnscope " + example;
    return text;
}

int showHelp(const Console& console)
{
    const auto row = [&](const std::string& name, size_t width, const std::string& about) {
        console.out << "  " << name << std::string(name.size() < width ? width - name.size() : 1, ' ') << about << '\n';
    };
    console.out << "attnscope: an oscilloscope for attention\n\n";
    for (const Usage& usage : usages())
        row(usage.call, 31, usage.about);
    console.out << "\nCommands:\n";
    for (const Command& command : commands())
        row(command.name, 14, command.summary);
    console.out << "\nExit status: " << exitStatusText << '\n';
    return finished(console, {});
}

/// An option for a file or folder that got an empty name, as from a variable of the shell that is not set: what was
/// asked to be kept would be lost.
std::string namelessFile(const CLI::App& app)
{
    for (const CLI::Option* option : app.get_options())
        if ((option->get_type_name() == "FILE" || option->get_type_name() == "DIR") &&
            std::ranges::find(option->results(), std::string()) != option->results().end())
            return option->get_name();
    return {};
}

/// Before anything is computed: results for a place that cannot be written to are lost.
Result<void> checkTargets(const CLI::App& app)
{
    for (const char* name : {"--output", "--out", "--all", "--data", "--save-qk"})
        if (const CLI::Option* option = app.get_option_no_throw(name); option && option->count() > 0)
            TRY(checkWritable(option->results().front()));
    return {};
}

/// A required option is missing where its name is mistyped: that comes first.
std::string whatIsWrong(const CLI::App& app, const CLI::ParseError& error)
{
    const bool missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
    const std::vector<std::string> rest = missing ? app.remaining() : std::vector<std::string>();
    const auto unknown = std::ranges::find_if(rest, [](const std::string& one) { return one.starts_with('-'); });
    return unknown == rest.end() ? error.what() : fmt::format("unknown option {}; {}", *unknown, error.what());
}

int run(const Command& command, std::vector<std::string> arguments, const Console& console)
{
    CLI::App app{command.summary, "attnscope " + command.name};
    app.get_formatter()->column_width(36);
    app.footer(examplesOf(command));
    const Action action = command.declare(app);
    try {
        std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
        app.parse(arguments);
    } catch (const CLI::CallForHelp&) {
        console.out << app.help();
        return finished(console, command.name);
    } catch (const CLI::ParseError& error) {
        return complain(console, command.name, whatIsWrong(app, error), wrongUsage);
    }
    if (const std::string option = namelessFile(app); !option.empty())
        return complain(console, command.name, option + " needs a name; an empty one was given", wrongUsage);
    if (const Result<void> done = checkTargets(app).and_then([&] { return action(console); }); !done)
        return complain(console, command.name, done.error().message, statusOf(done.error().kind));
    return finished(console, command.name);
}

bool looksLikeFile(const std::string& argument)
{
    std::error_code ignored;
    return argument.find_first_of("./\\") != std::string::npos || std::filesystem::exists(argument, ignored) ||
           namesShippedHeads(argument);
}

}  // namespace

std::string oneLine(std::string text)
{
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
    return text;
}

bool opensWindow(const std::vector<std::string>& arguments)
{
    return arguments.empty() || (arguments.size() == 2 && arguments[0] == "--scenario") ||
           (arguments.size() == 1 && !arguments[0].starts_with('-') && !findCommand(arguments[0]) &&
            looksLikeFile(arguments[0]));
}

Result<void> checkUsage(const std::vector<std::string>& arguments)
{
    const Command* command = arguments.empty() ? nullptr : findCommand(arguments[0]);
    if (!command)
        return failure(ErrorKind::UnknownName, "there is no such command");
    CLI::App app{command->summary, command->name};
    const Action unused = command->declare(app);
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend() - 1));
    } catch (const CLI::ParseError& error) {
        return failure(ErrorKind::InvalidArgument, whatIsWrong(app, error));
    }
    return {};
}

int runCommand(const std::vector<std::string>& arguments, const Console& console)
try {
    const std::string first = arguments.empty() ? "--help" : arguments[0];
    const std::vector<std::string> rest(arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end());
    if (first == "help" && !rest.empty() && findCommand(rest[0]))
        return run(*findCommand(rest[0]), {"--help"}, console);
    if (first == "--help" || first == "-h" || first == "help")
        return showHelp(console);
    if (first == "--version") {
        console.out << versionedName() << '\n';
        return finished(console, {});
    }
    if (const Command* command = findCommand(first))
        return run(*command, rest, console);
    if (looksLikeFile(first))
        return complain(console, {}, "the window takes one file and no options, and '" + first + "' is no command",
                        wrongUsage);
    return complain(console, {}, "unknown command '" + first + "'", wrongUsage);
} catch (...) {
    return complain(console, {}, thrownError().message, failed);
}

}  // namespace attnscope
