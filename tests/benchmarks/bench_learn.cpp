// How long a training step of the max-retrieval head takes: 128 sets of 5 to 16 items, width 128. max_retrieval_step.py times the
// same step in PyTorch, where python3-torch is installed.

#include "core/labs/max_retrieval_trainer.h"

#include <benchmark/benchmark.h>

using namespace attnscope;

namespace {

void step(benchmark::State& state, learn::Products products)
{
    MaxRetrievalTrainer trainer({.products = products});
    for (auto _ : state)
        benchmark::DoNotOptimize(trainer.step());
}

}  // namespace

BENCHMARK_CAPTURE(step, float32, learn::Products::Float32)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(step, bfloat16, learn::Products::Bfloat16)->Unit(benchmark::kMillisecond)->UseRealTime();

BENCHMARK_MAIN();
