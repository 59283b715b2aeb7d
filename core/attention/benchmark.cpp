#include "core/attention/benchmark.h"

#include "core/attention/engine_support.h"
#include "core/attention/fast/cpu.h"
#include "core/attention/fast/query_block.h"
#include "core/base/random.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

namespace attnscope {

namespace {

double secondsOf(const auto& work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values)
{
    const auto middle = values.begin() + std::ssize(values) / 2;
    std::ranges::nth_element(values, middle);
    return *middle;
}

AttentionHead makeHead(const BenchmarkCase& c)
{
    AttentionHead head;
    head.query.resize(c.n, c.d);
    Matrix key(c.n, c.d);
    for (std::int64_t row = 0; row < c.n; ++row) {
        Random(1, Stream::Queries).normals(static_cast<std::uint64_t>(row), std::span(head.query.row(row).data(), static_cast<size_t>(c.d)));
        Random(1, Stream::Keys).normals(static_cast<std::uint64_t>(row), std::span(key.row(row).data(), static_cast<size_t>(c.d)));
    }
    head.query /= std::sqrt(static_cast<float>(c.d));
    head.key = std::move(key);
    head.keyCount = c.n;
    head.mask.id = c.causal ? "causal" : "full";
    return head;
}

SummaryRequest makeRequest(const BenchmarkCase& c)
{
    SummaryRequest request;
    for (int method = 0; method < c.methods; ++method)
        for (int p = 1; p <= c.prefixes; ++p) {
            const std::int64_t prefix = c.n * p / c.prefixes;
            request.passes.push_back({prefix, 0, prefix, std::vector<float>(static_cast<size_t>(prefix), 1.0f + 0.25f * static_cast<float>(method))});
        }
    return request;
}

void runBound(const fast::TileKernels& kernels, const AttentionHead& head, std::stop_token stop)
{
    forEachBlock((head.queryCount() + fast::blockRows - 1) / fast::blockRows, true, stop, [&](std::int64_t index) {
        const std::int64_t first = index * fast::blockRows;
        const int count = static_cast<int>(std::min<std::int64_t>(fast::blockRows, head.queryCount() - first));
        const fast::QueryBlock block(head, kernels, first, count);
        fast::Tile z(fast::tileKeys);
        for (const fast::Keys keys : block.tiles(0, head.keyCount))
            block.bound(keys, z.data()->at);
    });
}

/// The whole matrix at once, as one would write it: softmax, entropy, largest, sum of squares, 16 largest.
std::optional<double> numpySeconds(const BenchmarkCase& c)
{
    if (c.n > 16384 || c.methods > 1 || c.prefixes > 1)
        return std::nullopt;
    const std::string script = "import numpy as np, time\n"
                               "n, d, causal = " + std::to_string(c.n) + ", " + std::to_string(c.d) + ", " + (c.causal ? "True" : "False") + "\n"
                               "r = np.random.default_rng(1)\n"
                               "q = r.standard_normal((n, d), dtype=np.float32) / np.float32(d ** 0.5); k = r.standard_normal((n, d), dtype=np.float32)\n"
                               "times = []\n"
                               "for turn in range(3):\n"
                               "    t = time.perf_counter()\n"
                               "    z = q @ k.T\n"
                               "    if causal: z[np.triu_indices(n, 1)] = -np.inf\n"
                               "    m = z.max(1, keepdims=True); e = np.exp(z - m); s = e.sum(1, keepdims=True); p = e / s\n"
                               "    H = np.log(s[:, 0]) - np.where(p > 0, p * (z - m), 0).sum(1)\n"
                               "    squares = (p * p).sum(1); largest = p.max(1)\n"
                               "    times.append(time.perf_counter() - t)\n"
                               "print(sorted(times)[1])\n";
    // The python3 on the path need not be the one that the system's python3-numpy belongs to.
    for (const std::string python : {"python3", "/usr/bin/python3"}) {
        const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen((python + " -c '" + script + "' 2>/dev/null").c_str(), "r"), pclose);
        double seconds = 0;
        if (pipe && std::fscanf(pipe.get(), "%lf", &seconds) == 1)
            return seconds;
    }
    return std::nullopt;
}

std::string nameOf(const BenchmarkCase& c)
{
    std::string name = "n " + std::to_string(c.n) + ", d " + std::to_string(c.d) + (c.causal ? ", causal" : "");
    if (c.methods > 1)
        name += ", " + std::to_string(c.methods) + " methods";
    return c.prefixes > 1 ? name + ", " + std::to_string(c.prefixes) + " lengths" : name;
}

}  // namespace

std::vector<BenchmarkCase> benchmarkCases(std::int64_t longest)
{
    std::vector<BenchmarkCase> cases;
    for (std::int64_t n = 1024; n <= longest; n *= n < 16384 ? 2 : 4)
        for (const int d : {64, 128})
            for (const bool causal : {false, true})
                cases.push_back({n, d, causal, 1, 1});
    if (longest >= 8192) {
        cases.push_back({8192, 64, false, 5, 1});
        cases.push_back({8192, 64, false, 1, 10});
    }
    return cases;
}

Result<BenchmarkRow> runBenchmark(const BenchmarkCase& benchmark, std::string_view engine, int repeats, bool numpy, std::stop_token stop)
{
    const auto chosen = chooseEngine(engine);
    if (!chosen)
        return tl::unexpected(chosen.error());
    if (const std::string reason = (*chosen)->unavailable(); !reason.empty())
        return failure(ErrorKind::Unavailable, "the engine '" + (*chosen)->id + "' cannot be measured here: " + reason);
    if ((*chosen)->id == "reference")
        return failure(ErrorKind::Unavailable, "the engine 'reference' has no tiles, so it has no bound to be measured against");
    const fast::TileKernels* const own = fast::kernelsOf((*chosen)->id);
    const fast::TileKernels& kernels = own ? *own : fast::fastestKernels();

    const AttentionHead head = makeHead(benchmark);
    const SummaryRequest request = makeRequest(benchmark);
    std::vector<double> seconds, bounds, ratios;
    for (int turn = 0; turn < std::max(repeats, 1); ++turn) {
        bool done = false;
        seconds.push_back(secondsOf([&] { done = (*chosen)->summarise(head, request, stop).has_value(); }));
        bounds.push_back(secondsOf([&] { runBound(kernels, head, stop); }));
        ratios.push_back(seconds.back() / bounds.back());
        if (!done || stop.stop_requested())
            return cancelled();
    }
    const double took = median(seconds);
    return BenchmarkRow{nameOf(benchmark), took, static_cast<double>(benchmark.n) / took, median(bounds), median(ratios),
                        numpy ? numpySeconds(benchmark) : std::nullopt};
}

}  // namespace attnscope
