// How long training steps take: of the max-retrieval head, 128 sets of 5 to 16 items, width 128 (max_retrieval_step.py times the
// same step in PyTorch, where python3-torch is installed); of the lab causal-lm's default Llama, 8 windows of 256 tokens; and of the lab
// routing's Attention Model, 20 tours of each of 64 instances of 20 cities.

#include "core/labs/language_trainer.h"
#include "core/labs/max_retrieval_trainer.h"
#include "core/labs/routing_trainer.h"

#include <benchmark/benchmark.h>

using namespace attnscope;

namespace {

void step(benchmark::State& state, learn::Products products)
{
    MaxRetrievalTrainer trainer({.products = products});
    for (auto _ : state)
        benchmark::DoNotOptimize(trainer.step());
}

void llamaStep(benchmark::State& state)
{
    std::vector<int> ids;
    for (int i = 0; i < 100000; ++i)
        ids.push_back((i * i + 7 * i) % 1024);
    LanguageTrainer trainer({}, windowsOf({}, ids));
    for (auto _ : state)
        benchmark::DoNotOptimize(trainer.step());
}

void routingStep(benchmark::State& state)
{
    RoutingSettings settings;
    settings.draw.size = 20;
    RoutingTrainer trainer(settings);
    for (auto _ : state)
        benchmark::DoNotOptimize(trainer.step());
}

}  // namespace

BENCHMARK(routingStep)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(llamaStep)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(step, float32, learn::Products::Float32)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(step, bfloat16, learn::Products::Bfloat16)->Unit(benchmark::kMillisecond)->UseRealTime();

BENCHMARK_MAIN();
