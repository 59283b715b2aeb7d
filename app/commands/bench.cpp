// bench: how fast this machine computes all row statistics, beside what the arithmetic costs at least, by this
// program's tiles and by OpenBLAS, measured in the same run, and beside NumPy's direct way on a BLAS that is worth the
// comparison.

#include "app/commands/command.h"
#include "app/commands/command_table.h"
#include "app/commands/options.h"
#include "app/commands/progress.h"
#include "core/attention/benchmark.h"
#include "core/attention/engines.h"

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
    const Engine* engine = TRY(chooseEngine(settings.engine));
    ResultWriter writer(console.out, formatFor(settings.format, console),
                        {"case", neverInTable("n"), neverInTable("d"), neverInTable("causal"), "engine", "seconds",
                         "rows_per_second", "bound_seconds", "ratio", ifAny("blas_bound_seconds"), ifAny("blas_ratio"),
                         ifAny("numpy_seconds"), ifAny("times_numpy"), neverInTable("numpy_blas")});
    std::string blas, numpyBlas;
    bool numpyIsSlow = false, wantsNumpy = settings.against == "numpy";
    {
        Progress progress(console, "bench", settings.progress);
        const std::vector<BenchmarkCase> cases = benchmarkCases(settings.longest);
        double done = 0, all = 0;
        const auto cost = [](const BenchmarkCase& c) {
            return static_cast<double>(c.n) * static_cast<double>(c.n) * c.d;
        };
        for (const BenchmarkCase& one : cases)
            all += cost(one);
        for (const BenchmarkCase& one : cases) {
            const BenchmarkRow row = TRY(runBenchmark(one, engine->id, settings.repeats, wantsNumpy, {}));
            // Against the reference BLAS a ratio would say how slow that is: none is shown.
            const bool compared = row.numpy && !row.numpy->reference;
            const auto bound = row.blasBoundSeconds;
            blas = row.blas;
            if (row.numpy) {
                numpyBlas = row.numpy->blas;
                numpyIsSlow = row.numpy->reference;
                wantsNumpy = !numpyIsSlow;
            }
            writer.add({row.name, one.n, std::int64_t{one.d}, one.causal, engine->id, row.seconds, row.rowsPerSecond,
                        row.boundSeconds, row.ratio, cellOf(bound), bound ? Cell{row.seconds / *bound} : Cell{},
                        compared ? Cell{row.numpy->seconds} : Cell{},
                        compared ? Cell{row.numpy->seconds / row.seconds} : Cell{},
                        Cell{row.numpy ? row.numpy->blas : ""}});
            progress.update((done += cost(one)) / all);
        }
    }
    writer.finish();
    console.err << (blas.empty()
                        ? "There is no OpenBLAS to bound the products by; on Debian: apt install libopenblas0-pthread\n"
                        : "blas_bound: products by " + blas + ", and as many exponentials\n");
    if (numpyIsSlow)
        console.err << "NumPy is not compared with: it uses " << oneLine(numpyBlas)
                    << ", which is the reference BLAS or not known; on Debian: apt install libopenblas0-pthread\n";
    else if (!numpyBlas.empty())
        console.err << "NumPy's products: " << oneLine(numpyBlas) << '\n';
    else if (settings.against == "numpy")
        console.err << "NumPy was not found; on Debian: apt install python3-numpy libopenblas0-pthread\n";
    return {};
}

}  // namespace

Command benchCommand()
{
    return commandWith<BenchSettings>(
        "bench", "How fast the engines are on this machine, against bounds measured in the same run",
        {"bench", "bench --against numpy --longest 8192 --engine avx2"},
        [](CLI::App& app, BenchSettings& settings) {
            addNumber(app, "--longest", settings.longest, {.minimum = 1024, .maximum = 1 << 20, .whole = true},
                      "Largest n");
            addNumber(app, "--repeats", settings.repeats, {.minimum = 1, .maximum = 1000, .whole = true},
                      "Turns of engine, bounds and NumPy; medians are shown");
            addWord(app, "--against", settings.against, {"nothing", "numpy"},
                    "Also time NumPy's direct way, where python3 has NumPy and n is at most 16384");
            addEngine(app, settings.engine);
            addFormat(app, settings.format);
            addProgress(app, settings.progress);
        },
        runBench);
}

}  // namespace attnscope
