// bench: how fast this machine computes all row statistics, beside what the arithmetic costs at least, measured in the same
// run, and beside NumPy's direct way.

#include "app/commands/command_table.h"
#include "app/commands/options.h"
#include "app/commands/progress.h"
#include "core/attention/benchmark.h"

#include <memory>

namespace attnscope {

namespace {

struct BenchSettings {
    std::int64_t longest = 16384;
    int repeats = 5;
    std::string against = "nothing";
    std::string engine = "auto";
    bool progress = false;
    std::optional<Format> format;
};

Result<void> runBench(const BenchSettings& settings, const Console& console)
{
    const Result<const Engine*> engine = chooseEngine(settings.engine);
    if (!engine)
        return tl::unexpected(engine.error());
    ResultWriter writer(console.out, formatFor(settings.format, console),
                        {{"case"}, {"n", Shown::Never}, {"d", Shown::Never}, {"causal", Shown::Never}, {"engine"}, {"seconds"}, {"rows_per_second"}, {"bound_seconds"},
                         {"ratio"}, {"numpy_seconds", Shown::IfAny}, {"times_numpy", Shown::IfAny}});
    {
        Progress progress(console, "bench", settings.progress);
        const std::vector<BenchmarkCase> cases = benchmarkCases(settings.longest);
        double done = 0, all = 0;
        const auto cost = [](const BenchmarkCase& c) { return static_cast<double>(c.n) * static_cast<double>(c.n) * c.d; };
        for (const BenchmarkCase& one : cases)
            all += cost(one);
        for (const BenchmarkCase& one : cases) {
            const Result<BenchmarkRow> row = runBenchmark(one, (*engine)->id, settings.repeats, settings.against == "numpy", {});
            if (!row)
                return tl::unexpected(row.error());
            const auto numpy = row->numpySeconds;
            writer.add({row->name, one.n, std::int64_t{one.d}, one.causal, (*engine)->id, row->seconds, row->rowsPerSecond, row->boundSeconds, row->ratio,
                        numpy ? Cell{*numpy} : Cell{}, numpy ? Cell{*numpy / row->seconds} : Cell{}});
            progress.update((done += cost(one)) / all);
        }
    }
    writer.finish();
    return {};
}

}  // namespace

Command benchCommand()
{
    return {"bench",
            "How fast the engines are on this machine, against a bound measured in the same run",
            {"bench", "bench --against numpy --longest 8192 --engine avx2"},
            [](CLI::App& app) -> Action {
                const auto settings = std::make_shared<BenchSettings>();
                addNumber(app, "--longest", settings->longest, {.minimum = 1024, .maximum = 1 << 20, .whole = true}, "Largest n");
                addNumber(app, "--repeats", settings->repeats, {.minimum = 1, .maximum = 1000, .whole = true}, "Turns of engine and bound; medians are shown");
                addWord(app, "--against", settings->against, {"nothing", "numpy"}, "Also time NumPy's direct way, where python3 has NumPy and n is at most 16384");
                addEngine(app, settings->engine);
                addFormat(app, settings->format);
                app.add_flag("--progress", settings->progress, "Show progress even where standard error is no terminal");
                return [settings](const Console& console) { return runBench(*settings, console); };
            }};
}

}  // namespace attnscope
