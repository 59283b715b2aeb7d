#pragma once
// A subcommand is one file with one function that declares its options on a CLI11 parser and says what to do with them:
// commandWith (options.h). One visible table (command_table.cpp) holds them all; the help, the dispatcher and the tests
// iterate it.
//
// Results go to `out`, progress and notes to `err`. Exit status: 0; 2 for wrong usage; 1 for anything else, with one
// line on `err` that says what is wrong and what to do.

#include "core/base/error.h"

#include <functional>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace attnscope {

struct Console {
    std::ostream& out;
    std::ostream& err;
    bool outIsTerminal = false;
    bool errIsTerminal = false;
};

using Action = std::function<Result<void>(const Console&)>;

struct Command {
    std::string name;
    std::string summary;                ///< one sentence
    std::vector<std::string> examples;  ///< without the program's name
    std::function<Action(CLI::App&)> declare;
};

std::span<const Command> commands();

/// Control characters become spaces: a name from a file may hold what a terminal would obey.
std::string oneLine(std::string text);

/// Do these arguments ask for the window: none at all, nothing but a file, or --scenario TEXT?
bool opensWindow(const std::vector<std::string>& arguments);

/// Could the subcommand be called so? Its options are read, and nothing is done. Errors: UnknownName, InvalidArgument.
Result<void> checkUsage(const std::vector<std::string>& arguments);

/// Runs the subcommand that the arguments name, or shows the help; returns the exit status. Never throws.
int runCommand(const std::vector<std::string>& arguments, const Console& console);

}  // namespace attnscope
