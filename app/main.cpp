// attnscope: no subcommand opens the window, alone or with one file; a subcommand needs no display.

#include "app/commands/command.h"

#include <unistd.h>

#include <iostream>

int main(int argc, char** argv)
{
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const attnscope::Console console{std::cout, std::cerr, isatty(STDOUT_FILENO) != 0, isatty(STDERR_FILENO) != 0};
    return attnscope::runCommand(arguments, console);
}
