// sweep: the product of lists of options of a command that makes rows, over the cores of this machine, or over ranks
// under mpirun; one tidy table.

#include "app/commands/command_help.h"
#include "app/commands/command_table.h"
#include "app/commands/options.h"
#include "app/commands/progress.h"
#include "app/commands/stop_on_interrupt.h"
#include "core/sweep/sweep.h"
#include "core/tensor/byte_source.h"

#include <algorithm>
#include <ostream>

#include <sched.h>

namespace attnscope {

namespace {

constexpr const char* rowMakers[] = {"scale", "entropy", "solve", "stats", "model", "lab"};
/// These the sweep sets itself, or they make something else than rows.
constexpr const char* notSwept[] = {"--help",     "--format", "--output",  "--out",     "--resume",
                                    "--progress", "--set",    "--save-qk", "--generate"};
constexpr const char* thisProgram = "/proc/self/exe";

struct SweepSettings {
    std::string spec, folder;
    bool resume = false, progress = false;
    int jobs = 0;
};

std::vector<SweptCommand> sweptCommands()
{
    std::vector<SweptCommand> all;
    for (const Command& command : commands()) {
        if (std::ranges::find(rowMakers, command.name) == std::end(rowMakers))
            continue;
        SweptCommand swept{command.name, {}, false};
        for (const OptionHelp& option : optionsOf(command)) {
            const std::string& name = option.names.back();
            if (option.positional)
                swept.takesArgument = true;
            else if (std::ranges::find(notSwept, name) == std::end(notSwept))
                swept.options.push_back({name.substr(2), option.value.empty(), option.several});
        }
        all.push_back(std::move(swept));
    }
    return all;
}

int coresHere()
{
    cpu_set_t cores;
    return ::sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
}

Result<SweepSpec> readSpec(const SweepSettings& settings, std::string& text)
{
    text = TRY(readText(settings.spec, 64 << 20));
    return parseSweepSpec(text, settings.spec, sweptCommands()).map_error(faultOfFile);
}

/// Would the command take these arguments? What it says then of files that are not there is a matter of the task.
Result<void> checkTask(const std::vector<std::string>& arguments)
{
    TRY(checkUsage(arguments));
    if (arguments[0] != "lab" || arguments.size() < 2)
        return {};
    std::vector<std::string> values;
    for (std::size_t i = 1; i + 1 < arguments.size(); ++i)
        if (arguments[i] == "--set")
            values.push_back(arguments[i + 1]);
    return checkLab(arguments[1], values);
}

/// Where the fault is: in the axis of the option that the command's message names, else in the one that is looked at,
/// if it alone differs from what was fine before.
std::string faultIn(const SweepSpec& spec, const SweepAxis& looked, bool differs, const std::string& message)
{
    for (const SweepAxis& axis : spec.axes)
        if (axis.kind != SweepAxis::Kind::Argument &&
            message.starts_with((axis.kind == SweepAxis::Kind::Option ? "--" : "--set ") + axis.name + ": "))
            return "the sweep's " + axis.name + ": ";
    return differs ? "the sweep's " + looked.name + ": " : "the sweep: ";
}

/// Every value of every axis, beside the first of the others, before anything runs; of a long axis so many, evenly.
Result<void> checkAxes(const SweepSpec& spec, const SweepSettings& settings)
{
    constexpr std::int64_t mostOfAxis = 500;
    std::int64_t stride = spec.tasks();
    for (const SweepAxis& axis : spec.axes) {
        const std::int64_t count = std::ssize(axis.values), step = (count + mostOfAxis - 1) / mostOfAxis;
        stride /= count;
        for (std::int64_t value = 0; value < count; value += step)
            if (const auto fits = checkTask(spec.argumentsOf(value * stride)); !fits)
                return tl::unexpected(faultOfFile(
                    {fits.error().kind, settings.spec + ": " + faultIn(spec, axis, value > 0, fits.error().message) +
                                            fits.error().message}));
    }
    return {};
}

Result<void> lead(const SweepSettings& settings, WorkerPool& pool, const Console& console)
{
    std::string text;
    const SweepSpec spec = TRY(readSpec(settings, text));
    TRY(checkAxes(spec, settings));
    const StopOnInterrupt interrupt;
    Result<SweepResult> result;
    {
        Progress progress(console, "sweep", settings.progress);
        result = runSweep(
            spec, {text, settings.folder, settings.resume}, pool, interrupt.token(), [&](const SweepProgress& now) {
                progress.update(static_cast<double>(now.done + now.failed) / static_cast<double>(now.tasks),
                                fmt::format("{} of {} tasks{}", now.done, now.tasks,
                                            now.failed ? fmt::format(", {} failed", now.failed) : ""));
            });
    }
    if (!result && result.error().kind == ErrorKind::Cancelled)
        return failure(ErrorKind::Cancelled, "stopped; go on with the same command and --resume");
    if (!result)
        return tl::unexpected(result.error());
    console.err << settings.folder << "/rows.csv and rows.sqlite: " << result->progress.done << " of "
                << result->progress.tasks << " tasks" << std::endl;
    if (result->progress.failed > 0)
        return failure(ErrorKind::DataError,
                       "{} of {} tasks failed ({}); {}/tasks.csv says which and why, and --resume tries them again",
                       result->progress.failed, result->progress.tasks, result->firstError, settings.folder);
    return {};
}

Result<void> runSweepCommand(const SweepSettings& settings, const Console& console)
{
    if (!startedAsRanks()) {
        const auto pool = processPool(thisProgram, settings.jobs > 0 ? settings.jobs : coresHere());
        return lead(settings, *pool, console);
    }
    const auto transport = TRY(openTransport());
    if (transport->rank > 0) {
        serveTasks(*transport, thisProgram);
        return {};
    }
    const auto pool = rankPool(*transport, thisProgram);
    if (settings.jobs > 0)
        return failure(ErrorKind::InvalidArgument,
                       "--jobs is for one machine; under mpirun each rank does one task at a time");
    return lead(settings, *pool, console);
}

}  // namespace

Command sweepCommand()
{
    return commandWith<SweepSettings>(
        "sweep", "The product of lists of options of a command that makes rows: every combination, in one table",
        {"sweep seeds.json --out seeds", "sweep seeds.json --out seeds --resume --jobs 8"},
        [](CLI::App& app, SweepSettings& settings) {
            app.add_option("SPEC", settings.spec, "What to run, as JSON; the manual's page on sweeps shows it")
                ->type_name("FILE")
                ->required();
            app.add_option("--out", settings.folder,
                           "A new or empty folder for the results: rows.csv, rows.sqlite, tasks.csv, and runs of labs")
                ->type_name("DIR")
                ->required();
            app.add_flag("--resume", settings.resume,
                         "Go on with the sweep in --out: do what is missing, and what failed again");
            addNumber(app, "--jobs", settings.jobs, {.minimum = 0, .maximum = 4096, .whole = true},
                      "Tasks at a time on this machine; 0: one a core. mpirun -n K attnscope sweep ... has one a rank");
            app.add_flag("--progress", settings.progress,
                         "Tell how far it is, where standard error is no terminal too");
        },
        runSweepCommand);
}

}  // namespace attnscope
