// Outputs and statistics beside a bound made of other people's libraries in the same run: OpenBLAS's products and the C
// library's vector exponentials, for the same numbers of each.
//
//   bench_attend [n ...]      all cores and the wall's clock, then one thread and its processor time (which neighbours
//                             disturb less)
//
// Each round times everything once; medians over the rounds are shown, and medians of the ratios within a round.

#include "tests/benchmarks/bound.h"

#include "core/attention/engines.h"

#include <cstdio>
#include <string>
#include <thread>

using namespace attnscope;

namespace {

AttentionHead makeHead(const Setting& setting)
{
    AttentionHead head;
    head.query = Matrix(normals(1, setting.n, setting.d) / std::sqrt(static_cast<float>(setting.d)));
    head.key = normals(2, setting.n, setting.d);
    head.keyCount = setting.n;
    head.mask.id = setting.causal ? "causal" : "full";
    return head;
}

void measure(const Libraries& libraries, const Engine& engine, const Setting& setting)
{
    const AttentionHead head = makeHead(setting);
    const Matrix values = normals(3, setting.n, setting.d);
    Matrix output(setting.n, setting.d);
    const std::vector<double> scale(static_cast<size_t>(setting.n), 1.0f);
    const AttendRequest outputs{.scale = scale, .values = values, .output = output, .parallel = setting.parallel};
    const SummaryRequest statistics{.passes = {{setting.n, 0, setting.n, scale}}, .parallel = setting.parallel};
    libraries.setThreads(setting.parallel ? static_cast<int>(std::thread::hardware_concurrency()) : 1);
    Bound bound(libraries, head, values, setting);

    std::vector<double> both, first, exponentials, attend, summarise, attendRatio, summariseRatio;
    const int rounds = setting.n > 4096 ? 5 : 15;
    for (int round = 0; round < rounds; ++round) {
        const auto time = [&](auto& into, const auto& work) { into.push_back(milliseconds(setting.parallel, work)); };
        time(both, [&] { bound.products(true); });
        time(attend, [&] { (void)engine.attend(head, outputs, {}); });
        time(first, [&] { bound.products(false); });
        time(summarise, [&] { (void)engine.summarise(head, statistics, {}); });
        time(exponentials, [&] { bound.exponentials(); });
        attendRatio.push_back(attend.back() / (both.back() + exponentials.back()));
        summariseRatio.push_back(summarise.back() / (first.back() + exponentials.back()));
    }
    const double flops =
        4e-6 * static_cast<double>(setting.n) * static_cast<double>(setting.n) * setting.d / (setting.causal ? 2 : 1);
    std::printf("%-9s n %6lld %-6s %-10s  OpenBLAS QK' PV %7.1f ms (%5.1f GFLOP/s), QK' %6.1f, exp %5.1f | attend "
                "%7.1f ms (%5.1f GFLOP/s) %.2f | statistics %7.1f ms %.2f\n",
                engine.id.c_str(), static_cast<long long>(setting.n), setting.causal ? "causal" : "full",
                setting.parallel ? "all cores" : "one thread", median(both), flops / median(both), median(first),
                median(exponentials), median(attend), flops / median(attend), median(attendRatio), median(summarise),
                median(summariseRatio));
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv)
{
    const Libraries libraries;
    if (!libraries.complete()) {
        std::puts("The bound needs libopenblas.so.0 and the C library's libmvec.so.1 (package libopenblas0-pthread).");
        return 1;
    }
    std::vector<std::int64_t> lengths;
    for (int i = 1; i < argc; ++i)
        lengths.push_back(std::stoll(argv[i]));
    if (lengths.empty())
        lengths = {2048, 8192};
    for (const Engine& engine : engines())
        if (!engine.runsOn && engine.id != "reference" && engine.id != "baseline" && engine.unavailable().empty())
            for (const std::int64_t n : lengths)
                for (const bool causal : {false, true})
                    for (const bool parallel : {true, false})
                        measure(libraries, engine, {n / 256 * 256, 64, causal, parallel});
}
