// How long training steps take: of the max-retrieval head, 128 sets of 5 to 16 items, width 128 (max_retrieval_step.py
// times the same step in PyTorch, where python3-torch is installed); of Llamas of 4 layers on 8 windows of 256 tokens
// (language_step.py), beside OpenBLAS's sgemm doing their products alone; of the lab causal-lm's default Llama; and of
// the lab routing's Attention Model, 20 tours of each of 64 instances of 20 and of 50 cities (routing_step.py); and how
// long its tours take.

#include "core/labs/language/language_trainer.h"
#include "core/labs/retrieval/max_retrieval_trainer.h"
#include "core/labs/policies/policy_networks.h"
#include "core/labs/routing/routing_trainer.h"
#include "tests/benchmarks/bound.h"

#include <benchmark/benchmark.h>

#include <thread>

using namespace attnscope;

namespace {

void step(benchmark::State& state, learn::Products products)
{
    MaxRetrievalTrainer trainer({.products = products});
    for (auto _ : state)
        benchmark::DoNotOptimize(trainer.step());
}

std::vector<int> someText(int vocabulary)
{
    std::vector<int> ids;
    for (std::int64_t i = 0; i < 100000; ++i)
        ids.push_back(static_cast<int>((i * i + 7 * i) % vocabulary));
    return ids;
}

void llamaStep(benchmark::State& state)
{
    const std::vector<int> ids = someText(1024);
    LanguageTrainer trainer({}, windowsOf({}, ids));
    for (auto _ : state)
        benchmark::DoNotOptimize(trainer.step());
}

/// By width: 128 is that of the labs.
LanguageSettings languageModel(std::int64_t width)
{
    const bool wide = width == 256;
    return {.shape = {.layers = 4,
                      .width = width,
                      .inner = wide ? 688 : 344,
                      .heads = 8,
                      .keyHeads = wide ? 8 : 4,
                      .vocabulary = wide ? 512 : 1024},
            .multipliers = {}};
}

void languageStep(benchmark::State& state)
{
    const LanguageSettings settings = languageModel(state.range(0));
    const std::vector<int> ids = someText(static_cast<int>(settings.shape.vocabulary));
    LanguageTrainer trainer(settings, windowsOf(settings, ids));
    for (auto _ : state)
        benchmark::DoNotOptimize(trainer.step());
}

/// The products with weights of such a step, forward y = x W^T, and back dx = dy W and dW = dy^T x, by OpenBLAS on all
/// cores; attention's own are left out.
void openblasProducts(benchmark::State& state)
{
    static const Libraries libraries;
    if (!libraries.sgemm)
        return state.SkipWithError("no libopenblas.so.0: apt install libopenblas0-pthread");
    libraries.setThreads(static_cast<int>(std::thread::hardware_concurrency()));
    const LanguageSettings settings = languageModel(state.range(0));
    const learn::LlamaShape& shape = settings.shape;
    const int tokens = static_cast<int>(settings.batch * settings.length), w = static_cast<int>(shape.width),
              keys = static_cast<int>(shape.keyHeads * shape.headSize());
    struct Product {
        int inputs, outputs, times;
    };
    const int layers = static_cast<int>(shape.layers), inner = static_cast<int>(shape.inner);
    const Product products[] = {{w, w, 2 * layers},
                                {w, keys, 2 * layers},
                                {w, inner, 2 * layers},
                                {inner, w, layers},
                                {w, static_cast<int>(shape.vocabulary), 1}};
    std::vector<float> x(static_cast<std::size_t>(tokens) * 1024, 0.0f),
        y = x, weight(1024 * 1024, 0.0f);  // of any numbers it takes as long
    double operations = 0;
    for (auto _ : state)
        for (const Product& p : products)
            for (int i = 0; i < p.times; ++i) {
                libraries.sgemm(101, 111, 112, tokens, p.outputs, p.inputs, 1, x.data(), p.inputs, weight.data(),
                                p.inputs, 0, y.data(), p.outputs);
                libraries.sgemm(101, 111, 111, tokens, p.inputs, p.outputs, 1, y.data(), p.outputs, weight.data(),
                                p.inputs, 0, x.data(), p.inputs);
                libraries.sgemm(101, 112, 111, p.outputs, p.inputs, tokens, 1, y.data(), p.outputs, x.data(), p.inputs,
                                0, weight.data(), p.inputs);
                operations += 6.0 * tokens * p.inputs * p.outputs;
            }
    state.counters["GFLOP/s"] = benchmark::Counter(operations / 1e9, benchmark::Counter::kIsRate);
}

void routingStep(benchmark::State& state)
{
    RoutingSettings settings;
    settings.draw.size = state.range(0);
    RoutingTrainer trainer(settings);
    for (auto _ : state)
        benchmark::DoNotOptimize(trainer.step());
}

/// Greedy, by the network for 50 cities that comes with the program, which has the published ones' shape.
void tours(benchmark::State& state)
{
    const auto model = shippedRouting(false, 50);
    std::vector<RoutingInstance> instances;
    for (std::int64_t number = 0; number < state.range(1); ++number)
        instances.push_back(drawInstance({.size = state.range(0)}, number));
    for (auto _ : state)
        benchmark::DoNotOptimize(runRouting(*model, instances, {}));
}

}  // namespace

BENCHMARK(routingStep)->ArgName("cities")->Arg(20)->Arg(50)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(tours)
    ->ArgNames({"cities", "instances"})
    ->Args({800, 1})
    ->Args({800, 8})
    ->Args({200, 2})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(languageStep)->Arg(256)->Arg(128)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(openblasProducts)->Arg(256)->Arg(128)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(llamaStep)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(step, float32, learn::Products::Float32)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(step, bfloat16, learn::Products::Bfloat16)->Unit(benchmark::kMillisecond)->UseRealTime();

BENCHMARK_MAIN();
