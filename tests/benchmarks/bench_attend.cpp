// Outputs and statistics beside a bound made of other people's libraries in the same run: OpenBLAS's products and the C
// library's vector exponentials, for the same numbers of each.
//
//   bench_attend [n ...]      all cores and the wall's clock, then one thread and its processor time (which neighbours disturb less)
//
// Each round times everything once; medians over the rounds are shown, and medians of the ratios within a round.

#include "core/attention/engine.h"
#include "core/base/parallel.h"
#include "core/base/random.h"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

using namespace attnscope;

namespace {

using Sgemm = void (*)(int order, int transposeA, int transposeB, int m, int n, int k, float alpha, const float* a, int lda, const float* b, int ldb,
                       float beta, float* c, int ldc);
using SetThreads = void (*)(int);

struct Libraries {
    Sgemm sgemm = nullptr;
    SetThreads setThreads = nullptr;
    void* exponentials = nullptr;   ///< of 16 floats, or of 8
    bool wide = false;

    Libraries()
    {
        if (void* blas = dlopen("libopenblas.so.0", RTLD_NOW)) {
            sgemm = reinterpret_cast<Sgemm>(dlsym(blas, "cblas_sgemm"));
            setThreads = reinterpret_cast<SetThreads>(dlsym(blas, "openblas_set_num_threads"));
        }
        if (void* vectors = dlopen("libmvec.so.1", RTLD_NOW)) {
            wide = __builtin_cpu_supports("avx512f");
            exponentials = dlsym(vectors, wide ? "_ZGVeN16v_expf" : "_ZGVdN8v_expf");
        }
    }
    bool complete() const { return sgemm && setThreads && exponentials; }
};

[[gnu::target("avx512f")]] void exponentialsOf16(void* function, const float* z, float* e, std::int64_t count)
{
    using V = float __attribute__((vector_size(64)));
    using Unaligned = float __attribute__((vector_size(64), aligned(4), may_alias));
    const auto exp = reinterpret_cast<V (*)(V)>(function);
    for (std::int64_t i = 0; i + 16 <= count; i += 16)
        *reinterpret_cast<Unaligned*>(e + i) = exp(*reinterpret_cast<const Unaligned*>(z + i));
}

[[gnu::target("avx2")]] void exponentialsOf8(void* function, const float* z, float* e, std::int64_t count)
{
    using V = float __attribute__((vector_size(32)));
    using Unaligned = float __attribute__((vector_size(32), aligned(4), may_alias));
    const auto exp = reinterpret_cast<V (*)(V)>(function);
    for (std::int64_t i = 0; i + 8 <= count; i += 8)
        *reinterpret_cast<Unaligned*>(e + i) = exp(*reinterpret_cast<const Unaligned*>(z + i));
}

struct Setting {
    std::int64_t n;
    int d;
    bool causal, parallel;
};

/// Q K^T, e^z, and P V for a band of rows after another, so that the logits never leave the caches further than they must.
class Bound {
public:
    Bound(const Libraries& libraries, const AttentionHead& head, const Matrix& values, const Setting& setting)
        : m_libraries(libraries), m_head(head), m_values(values), m_setting(setting), m_z(band, setting.n), m_output(band, values.cols())
    {
    }

    void products(bool withValues)
    {
        const int d = m_setting.d;
        for (std::int64_t row = 0; row < m_setting.n; row += band) {
            const int keys = static_cast<int>(m_setting.causal ? row + band : m_setting.n), n = static_cast<int>(m_setting.n);
            m_libraries.sgemm(101, 111, 112, band, keys, d, 1, m_head.query.row(row).data(), d, m_head.key->data(), d, 0, m_z.data(), n);
            if (withValues)
                m_libraries.sgemm(101, 111, 111, band, d, keys, 1, m_z.data(), n, m_values.data(), d, 0, m_output.data(), d);
        }
    }
    void exponentials()
    {
        for (std::int64_t row = 0; row < m_setting.n; row += band) {
            const std::int64_t keys = m_setting.causal ? row + band : m_setting.n;
            const auto one = [&](std::int64_t r) {
                float e[1024];
                for (std::int64_t key = 0; key < keys; key += std::ssize(e))
                    (m_libraries.wide ? exponentialsOf16 : exponentialsOf8)(m_libraries.exponentials, m_z.row(r).data() + key, e, std::min(keys - key, std::ssize(e)));
                m_kept[r] = e[0];
            };
            if (m_setting.parallel)
                forEachInParallel(band, 16, one);
            else
                for (std::int64_t r = 0; r < band; ++r)
                    one(r);
        }
    }

private:
    static constexpr int band = 256;
    const Libraries& m_libraries;
    const AttentionHead& m_head;
    const Matrix& m_values;
    Setting m_setting;
    Matrix m_z, m_output;
    float m_kept[band] = {};   ///< so that no compiler leaves the exponentials out
};

Matrix normals(std::uint64_t seed, std::int64_t rows, int columns)
{
    Matrix all(rows, columns);
    for (std::int64_t row = 0; row < rows; ++row)
        Random(seed, Stream::Other).normals(static_cast<std::uint64_t>(row), std::span(all.row(row).data(), static_cast<size_t>(columns)));
    return all;
}

AttentionHead makeHead(const Setting& setting)
{
    AttentionHead head;
    head.query = normals(1, setting.n, setting.d) / std::sqrt(static_cast<float>(setting.d));
    head.key = normals(2, setting.n, setting.d);
    head.keyCount = setting.n;
    head.mask.id = setting.causal ? "causal" : "full";
    return head;
}

template <class Work>
double milliseconds(bool wall, const Work& work)
{
    const auto now = [&] {
        if (wall)
            return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
        timespec time{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
    };
    const double begin = now();
    work();
    return now() - begin;
}

double median(std::vector<double> values)
{
    std::ranges::nth_element(values, values.begin() + std::ssize(values) / 2);
    return values[values.size() / 2];
}

void measure(const Libraries& libraries, const Engine& engine, const Setting& setting)
{
    const AttentionHead head = makeHead(setting);
    const Matrix values = normals(3, setting.n, setting.d);
    Matrix output(setting.n, setting.d);
    const std::vector<float> scale(static_cast<size_t>(setting.n), 1.0f);
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
    const double flops = 4e-6 * static_cast<double>(setting.n) * static_cast<double>(setting.n) * setting.d / (setting.causal ? 2 : 1);
    std::printf("%-9s n %6lld %-6s %-10s  OpenBLAS QK' PV %7.1f ms (%5.1f GFLOP/s), QK' %6.1f, exp %5.1f | attend %7.1f ms (%5.1f GFLOP/s) %.2f | statistics %7.1f ms %.2f\n",
                engine.id.c_str(), static_cast<long long>(setting.n), setting.causal ? "causal" : "full", setting.parallel ? "all cores" : "one thread",
                median(both), flops / median(both), median(first), median(exponentials), median(attend), flops / median(attend), median(attendRatio),
                median(summarise), median(summariseRatio));
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
        if (engine.automatic && engine.id != "reference" && engine.id != "baseline" && engine.unavailable().empty())
            for (const std::int64_t n : lengths)
                for (const bool causal : {false, true})
                    for (const bool parallel : {true, false})
                        measure(libraries, engine, {n / 256 * 256, 64, causal, parallel});
}
