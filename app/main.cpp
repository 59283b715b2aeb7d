// attnscope: no subcommand opens the window, alone, with one file or with a scenario; a subcommand needs no display.

#include "app/commands/command.h"
#include "core/analysis/scenario_json.h"
#include "core/attention/engines.h"
#include "core/base/thrown.h"
#include "ui/window/window_app.h"

#include <QApplication>
#include <QHashSeed>

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <optional>

namespace {

bool hasDisplay()
{
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        if (const char* value = std::getenv(name); value && *value)
            return true;
    return false;
}

int openWindow(int argc, char** argv, const std::vector<std::string>& arguments)
{
    std::optional<attnscope::Scenario> scenario;
    if (arguments.size() == 2) {
        const auto given = attnscope::scenarioFromLine(arguments[1]);
        if (!given) {
            std::cerr << "attnscope: --scenario: " << attnscope::oneLine(given.error().message) << std::endl;
            return 2;
        }
        scenario = *given;
    }
    if (!hasDisplay()) {  // Qt would abort
        std::cerr << "attnscope: there is no display to open the window on; run it on a desktop, or use a command "
                     "(attnscope --help)"
                  << std::endl;
        return 1;
    }
    QApplication application(argc, argv);
    return attnscope::runWindow(
        application, arguments.size() == 1 ? QString::fromStdString(arguments.front()) : QString(), scenario);
}

/// Memory also ends where nothing can catch that: in a library's thread, on the way through a library that knows no
/// exceptions.
[[noreturn]] void leave() noexcept
{
    if (const char* why = std::current_exception() ? attnscope::exhaustion() : nullptr) {
        for (const char* part : {"attnscope: ", why, "\n"})
            if (::write(STDERR_FILENO, part, std::strlen(part)) < 0)
                break;
        ::_exit(1);
    }
    std::abort();
}

}  // namespace

int main(int argc, char** argv)
{
    std::set_terminate(leave);
    std::signal(SIGXFSZ, SIG_IGN);  // a file at its limit (ulimit -f) is an error of the write, as a full disk is
    attnscope::prepareForExhaustion();
    QHashSeed::setDeterministicGlobalSeed();  // Qt numbers the objects of a PDF by hash order: equal figures, equal
                                              // bytes
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (const char* engine = std::getenv("ATTNSCOPE_ENGINE"); engine && *engine)
        if (const auto set = attnscope::setAutomaticEngine(engine); !set) {
            std::cerr << "attnscope: ATTNSCOPE_ENGINE: " << set.error().message << std::endl;
            return 2;
        }
    if (attnscope::opensWindow(arguments))
        return openWindow(argc, argv, arguments);
    const attnscope::Console console{std::cout, std::cerr, isatty(STDOUT_FILENO) != 0, isatty(STDERR_FILENO) != 0};
    return attnscope::runCommand(arguments, console);
}
