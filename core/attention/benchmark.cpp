#include "core/attention/benchmark.h"

#include "core/attention/engine_support.h"
#include "core/attention/engines.h"
#include "core/attention/fast/cpu.h"
#include "core/attention/fast/query_block.h"
#include "core/attention/masks.h"
#include "core/attention/openblas.h"
#include "core/base/random.h"

#include <algorithm>
#include <chrono>

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
    Matrix query(c.n, c.d);
    Matrix key(c.n, c.d);
    for (std::int64_t row = 0; row < c.n; ++row) {
        Random(1, Stream::Queries)
            .normals(static_cast<std::uint64_t>(row), std::span(query.row(row).data(), static_cast<size_t>(c.d)));
        Random(1, Stream::Keys)
            .normals(static_cast<std::uint64_t>(row), std::span(key.row(row).data(), static_cast<size_t>(c.d)));
    }
    query /= std::sqrt(static_cast<float>(c.d));
    head.query = std::move(query);
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
            request.passes.push_back(
                {prefix, 0, prefix,
                 std::vector<double>(static_cast<size_t>(prefix), 1.0 + 0.25 * static_cast<double>(method))});
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

/// OpenBLAS's products of all the visible panels, and as many exponentials by Eigen (of tiles with d = 1, whose
/// products cost little).
double blasBoundSeconds(const OpenBlas& blas, const fast::TileKernels& kernels, const AttentionHead& head,
                        const AttentionHead& thin)
{
    constexpr std::int64_t rows = 1024, columns = 4096;  // a panel of 16 MiB
    const std::int64_t n = head.queryCount(), d = head.query.cols();
    const bool causal = !seesAllKeys(head.mask);
    const SharedMatrix::View keys = *head.key;
    std::vector<float> panel(static_cast<size_t>(rows * columns));
    return secondsOf([&] {
               for (std::int64_t i = 0; i < n; i += rows)
                   for (std::int64_t j = 0, end = causal ? std::min(n, i + rows) : n; j < end; j += columns) {
                       const std::int64_t width = std::min(columns, end - j);
                       blas.product(static_cast<int>(std::min(rows, n - i)), static_cast<int>(width),
                                    static_cast<int>(d), (*head.query).row(i).data(), keys.data() + j * d, panel.data(),
                                    static_cast<int>(columns));
                   }
           }) +
           secondsOf([&] { runBound(kernels, thin, {}); });
}

std::string nameOf(const BenchmarkCase& c)
{
    std::string name = fmt::format("n {}, d {}{}", c.n, c.d, c.causal ? ", causal" : "");
    if (c.methods > 1)
        name += fmt::format(", {} methods", c.methods);
    return c.prefixes > 1 ? fmt::format("{}, {} lengths", name, c.prefixes) : name;
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

Result<BenchmarkRow> runBenchmark(const BenchmarkCase& benchmark, std::string_view engine, int repeats, bool numpy,
                                  std::stop_token stop)
{
    const auto chosen = TRY(chooseEngine(engine));
    if (const std::string reason = chosen->unavailable(); !reason.empty())
        return failure(ErrorKind::Unavailable,
                       "the engine '{}' cannot be measured here: {}; choose another of `attnscope engines`", chosen->id,
                       reason);
    if (!chosen->tiles && !chosen->runsOn)
        return failure(ErrorKind::Unavailable,
                       "the engine '{}' has no tiles, so it has no bound to be measured against; choose another of "
                       "`attnscope engines`",
                       chosen->id);
    const fast::TileKernels& kernels = chosen->tiles ? *chosen->tiles : fast::fastestKernels();

    const AttentionHead head = makeHead(benchmark);
    const SummaryRequest request = makeRequest(benchmark);
    const std::optional<OpenBlas> blas = OpenBlas::load();
    const AttentionHead thin = makeHead({benchmark.n, 1, benchmark.causal, 1, 1});
    std::vector<double> seconds, bounds, ratios, blasBounds;
    for (int turn = 0; turn < std::max(repeats, 1); ++turn) {
        bool done = false;
        seconds.push_back(secondsOf([&] { done = chosen->summarise(head, request, stop).has_value(); }));
        bounds.push_back(secondsOf([&] { runBound(kernels, head, stop); }));
        ratios.push_back(seconds.back() / bounds.back());
        if (blas)
            blasBounds.push_back(blasBoundSeconds(*blas, kernels, head, thin));
        if (!done || stop.stop_requested())
            return cancelled();
    }
    const double took = median(seconds);
    return BenchmarkRow{nameOf(benchmark),
                        took,
                        static_cast<double>(benchmark.n) / took,
                        median(bounds),
                        median(ratios),
                        blas ? std::optional(median(blasBounds)) : std::nullopt,
                        blas ? blas->description() : "",
                        numpy ? timeNumpy(benchmark, repeats) : std::nullopt};
}

}  // namespace attnscope
