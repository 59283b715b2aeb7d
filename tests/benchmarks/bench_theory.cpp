// How long exact theory takes: d = 64, N = 512, lengths from 16 to 1e9. A slider may be dragged over any of these.

#include "core/base/parallel.h"
#include "core/scaling/scale_method.h"
#include "core/theory/entropy_scale.h"
#include "core/theory/expected_row.h"

#include <benchmark/benchmark.h>

#include <cmath>

using namespace attnscope;

namespace {

std::vector<double> lengths(int count)
{
    std::vector<double> n;
    for (int k = 0; k < count; ++k)
        n.push_back(std::round(16 * std::pow(1e9 / 16, k / (count - 1.0))));
    return n;
}

const Choice shannon{"shannon", {}, {}};

LogitDensity density(const char* text) { return *logitDensity(std::string_view(text), 64); }

void oneScaleManyLengths(benchmark::State& state, const char* law)
{
    const LogitDensity from = density(law);
    const std::vector<double> n = lengths(64);
    for (auto _ : state)
        benchmark::DoNotOptimize(expectedCurve(shannon, from, n, 0.125));
}

/// lambda = factor ln n / (ln 512 sqrt d): 1 is Softmax Plus, 6.24 the plain ln n.
void scaleOfEachLength(benchmark::State& state, const char* law, int count, double factor)
{
    const LogitDensity from = density(law);
    const std::vector<double> n = lengths(count);
    std::vector<double> lambda;
    for (const double length : n)
        lambda.push_back(factor * std::log(length) / std::log(512) / 8);
    for (auto _ : state)
        benchmark::DoNotOptimize(expectedCurve(shannon, from, n, lambda));
}

struct Pairs {
    std::vector<double> n, lambda;
    int methods = 0;
};

/// Every scale method of the program at 256 lengths, as the figure all_entropies asks.
Pairs allMethods()
{
    Pairs pairs;
    for (const ScaleMethod& method : scaleMethods()) {
        const auto scale = bindScale({method.id, {}, {}});
        const size_t before = pairs.n.size();
        for (const double length : lengths(256))
            if (const auto m = (*scale)(lastRowOf(length, 512, 64))) {
                pairs.n.push_back(length);
                pairs.lambda.push_back(*m / 8);
            }
        pairs.methods += pairs.n.size() > before;
    }
    return pairs;
}

void allMethodsTogether(benchmark::State& state, const char* law)
{
    const LogitDensity from = density(law);
    const Pairs pairs = allMethods();
    for (auto _ : state)
        benchmark::DoNotOptimize(expectedCurve(shannon, from, pairs.n, pairs.lambda));
    state.counters["methods"] = pairs.methods;
    state.counters["pairs"] = static_cast<double>(pairs.n.size());
}

/// What entropy_panels.h saves.
void allMethodsPairByPair(benchmark::State& state, const char* law)
{
    const LogitDensity from = density(law);
    const Pairs pairs = allMethods();
    for (auto _ : state)
        forEachInParallel(static_cast<std::int64_t>(pairs.n.size()), 1, [&](std::int64_t k) {
            benchmark::DoNotOptimize(
                expectedEntropy(from, pairs.n[static_cast<size_t>(k)], pairs.lambda[static_cast<size_t>(k)]));
        });
}

void invariantScales(benchmark::State& state, const char* law)
{
    const LogitDensity from = density(law);
    const std::vector<double> n = lengths(64);
    for (auto _ : state)
        benchmark::DoNotOptimize(entropyInvariantScales(from, n, 512));
}

void smoothScale(benchmark::State& state)
{
    const LogitDensity from = density("gaussian");
    for (auto _ : state)
        benchmark::DoNotOptimize(EntropyScale::make(from, 512, 131072));
}

void smoothScaleCall(benchmark::State& state)
{
    const auto scale = EntropyScale::make(density("gaussian"), 512, 131072);
    double n = 400;
    for (auto _ : state)
        benchmark::DoNotOptimize((*scale)(n = n < 131072 ? n + 1 : 400));
}

}  // namespace

BENCHMARK_CAPTURE(oneScaleManyLengths, gaussian_64, "gaussian")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK_CAPTURE(oneScaleManyLengths, sphere_64, "sphere")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK_CAPTURE(scaleOfEachLength, gaussian_64, "gaussian", 64, 1.0)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK_CAPTURE(scaleOfEachLength, gaussian_256, "gaussian", 256, 1.0)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK_CAPTURE(scaleOfEachLength, gaussian_64_plain_log, "gaussian", 64, 6.24)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK_CAPTURE(allMethodsTogether, gaussian_256, "gaussian")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK_CAPTURE(allMethodsTogether, sphere_256, "sphere")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK_CAPTURE(allMethodsPairByPair, gaussian_256, "gaussian")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK_CAPTURE(scaleOfEachLength, sphere_64, "sphere", 64, 1.0)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK_CAPTURE(invariantScales, gaussian_64, "gaussian")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK_CAPTURE(invariantScales, sphere_64, "sphere")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK(smoothScale)->Unit(benchmark::kMillisecond);
BENCHMARK(smoothScaleCall)->Unit(benchmark::kNanosecond);

BENCHMARK_MAIN();
