// The engines under Google Benchmark: all row statistics, pooled heatmaps, previews, the mean row. `attnscope bench`
// gives users the ratio to the bound; this program is for those who change the kernels.

#include "core/attention/engines.h"
#include "core/attention/row_detail.h"
#include "core/base/random.h"

#include <benchmark/benchmark.h>

using namespace attnscope;

namespace {

AttentionHead makeHead(std::int64_t n, int d, const char* mask)
{
    AttentionHead head;
    Matrix query(n, d);
    Matrix key(n, d);
    for (std::int64_t row = 0; row < n; ++row) {
        Random(1, Stream::Queries)
            .normals(static_cast<std::uint64_t>(row), std::span(query.row(row).data(), static_cast<size_t>(d)));
        Random(1, Stream::Keys)
            .normals(static_cast<std::uint64_t>(row), std::span(key.row(row).data(), static_cast<size_t>(d)));
    }
    query /= std::sqrt(static_cast<float>(d));
    head.query = std::move(query);
    head.key = std::move(key);
    head.keyCount = n;
    head.mask.id = mask;
    return head;
}

SummaryRequest onePass(std::int64_t n, int methods)
{
    SummaryRequest request;
    for (int method = 0; method < methods; ++method)
        request.passes.push_back(
            {n, 0, n, std::vector<double>(static_cast<size_t>(n), 1.0 + 0.25 * static_cast<double>(method))});
    return request;
}

void summarise(benchmark::State& state, const Engine& engine, const char* mask)
{
    const AttentionHead head = makeHead(state.range(0), static_cast<int>(state.range(1)), mask);
    const SummaryRequest request = onePass(state.range(0), static_cast<int>(state.range(2)));
    for (auto _ : state)
        benchmark::DoNotOptimize(engine.summarise(head, request, {}));
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

void heatmap(benchmark::State& state, const Engine& engine, bool preview)
{
    const std::int64_t n = state.range(0);
    const AttentionHead head = makeHead(n, 64, "causal");
    const std::vector<double> scale(static_cast<size_t>(n), 1.0f);
    const std::vector<NormaliserState> states(static_cast<size_t>(n), {1, 10});
    const int pixels = static_cast<int>(std::min<std::int64_t>(n, 1024));
    PoolRequest request{
        {"softmax", {}, {}}, scale, states, {0, n, 0, n}, pixels, pixels, Pool::Mean, preview, true, {}};
    if (preview)
        request.states = {};
    for (auto _ : state)
        benchmark::DoNotOptimize(engine.pool(head, request, {}));
}

/// What a step of a slider costs the engine: all statistics and the heatmaps of three methods.
void step(benchmark::State& state, const Engine& engine)
{
    const std::int64_t n = state.range(0);
    const AttentionHead head = makeHead(n, 64, "full");
    const SummaryRequest request = onePass(n, 3);
    const int pixels = static_cast<int>(std::min<std::int64_t>(n, 1024));
    for (auto _ : state) {
        const auto rows = engine.summarise(head, request, {});
        for (size_t method = 0; method < request.passes.size(); ++method) {
            std::vector<NormaliserState> states;
            for (const RowSummary& row : (*rows)[method])
                states.push_back(row.state);
            benchmark::DoNotOptimize(engine.pool(head,
                                                 {request.normaliser,
                                                  request.passes[method].scale,
                                                  states,
                                                  {0, n, 0, n},
                                                  pixels,
                                                  pixels,
                                                  Pool::Mean,
                                                  false,
                                                  true,
                                                  {}},
                                                 {}));
        }
    }
}

void meanRows(benchmark::State& state)
{
    const std::int64_t n = state.range(0);
    const AttentionHead head = makeHead(n, 64, "causal");
    const SummaryRequest request = onePass(n, 1);
    const auto rows = processorEngine().summarise(head, request, {});
    for (auto _ : state)
        benchmark::DoNotOptimize(meanRow(head, {"softmax", {}, {}}, request.passes[0].scale, (*rows)[0], {}));
}

}  // namespace

int main(int argc, char** argv)
{
    for (const Engine& engine : engines()) {
        if (!engine.unavailable().empty() || engine.id == "reference")
            continue;
        for (const char* mask : {"full", "causal"})
            benchmark::RegisterBenchmark(("summarise/" + engine.id + "/" + mask).c_str(), summarise, engine, mask)
                ->Args({1024, 64, 1})
                ->Args({1024, 64, 3})
                ->Args({8192, 64, 1})
                ->Args({8192, 64, 5})
                ->Args({8192, 128, 1})
                ->UseRealTime()
                ->Unit(benchmark::kMillisecond);
        benchmark::RegisterBenchmark(("heatmap/" + engine.id).c_str(), heatmap, engine, false)
            ->Arg(1024)
            ->Arg(8192)
            ->UseRealTime()
            ->Unit(benchmark::kMillisecond);
        benchmark::RegisterBenchmark(("step/" + engine.id).c_str(), step, engine)
            ->Arg(1024)
            ->UseRealTime()
            ->Unit(benchmark::kMillisecond);
        benchmark::RegisterBenchmark(("preview/" + engine.id).c_str(), heatmap, engine, true)
            ->Arg(1024)
            ->Arg(131072)
            ->UseRealTime()
            ->Unit(benchmark::kMillisecond);
    }
    benchmark::RegisterBenchmark("mean_row", meanRows)
        ->Arg(1024)
        ->Arg(8192)
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
