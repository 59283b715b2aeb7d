#pragma once
// A bound for benchmarks, made of other people's libraries: OpenBLAS's products and the C library's vector
// exponentials, for the same numbers of each; and the timing of both.

#include "core/attention/engine.h"
#include "core/attention/openblas.h"
#include "core/base/parallel.h"
#include "core/base/random.h"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <span>
#include <vector>

namespace attnscope {

using Sgemm = void (*)(int order, int transposeA, int transposeB, int m, int n, int k, float alpha, const float* a,
                       int lda, const float* b, int ldb, float beta, float* c, int ldc);
using SetThreads = void (*)(int);

struct Libraries {
    Sgemm sgemm = nullptr;
    SetThreads setThreads = nullptr;
    void* exponentials = nullptr;  ///< of 16 floats, or of 8
    bool wide = false;

    Libraries()
    {
        if (void* blas = openBlasLibrary()) {
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

[[gnu::target("avx512f")]] inline void exponentialsOf16(void* function, const float* z, float* e, std::int64_t count)
{
    using V = float __attribute__((vector_size(64)));
    using Unaligned = float __attribute__((vector_size(64), aligned(4), may_alias));
    const auto exp = reinterpret_cast<V (*)(V)>(function);
    for (std::int64_t i = 0; i + 16 <= count; i += 16)
        *reinterpret_cast<Unaligned*>(e + i) = exp(*reinterpret_cast<const Unaligned*>(z + i));
}

[[gnu::target("avx2")]] inline void exponentialsOf8(void* function, const float* z, float* e, std::int64_t count)
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

/// Q K^T, e^z, and P V for a band of rows after another, so that the logits never leave the caches further than they
/// must.
class Bound {
public:
    Bound(const Libraries& libraries, const AttentionHead& head, const Matrix& values, const Setting& setting)
        : m_libraries(libraries), m_head(head), m_values(values), m_setting(setting), m_z(band, setting.n),
          m_output(band, values.cols())
    {
    }

    void products(bool withValues)
    {
        const int d = m_setting.d;
        for (std::int64_t row = 0; row < m_setting.n; row += band) {
            const int keys = static_cast<int>(m_setting.causal ? row + band : m_setting.n),
                      n = static_cast<int>(m_setting.n);
            m_libraries.sgemm(101, 111, 112, band, keys, d, 1, (*m_head.query).row(row).data(), d, (*m_head.key).data(),
                              d, 0, m_z.data(), n);
            if (withValues)
                m_libraries.sgemm(101, 111, 111, band, d, keys, 1, m_z.data(), n, m_values.data(), d, 0,
                                  m_output.data(), d);
        }
    }
    void exponentials()
    {
        for (std::int64_t row = 0; row < m_setting.n; row += band) {
            const std::int64_t keys = m_setting.causal ? row + band : m_setting.n;
            const auto one = [&](std::int64_t r) {
                float e[1024];
                for (std::int64_t key = 0; key < keys; key += std::ssize(e))
                    (m_libraries.wide ? exponentialsOf16 : exponentialsOf8)(
                        m_libraries.exponentials, m_z.row(r).data() + key, e, std::min(keys - key, std::ssize(e)));
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
    float m_kept[band] = {};  ///< so that no compiler leaves the exponentials out
};

inline Matrix normals(std::uint64_t seed, std::int64_t rows, int columns)
{
    Matrix all(rows, columns);
    for (std::int64_t row = 0; row < rows; ++row)
        Random(seed, Stream::Other)
            .normals(static_cast<std::uint64_t>(row), std::span(all.row(row).data(), static_cast<size_t>(columns)));
    return all;
}

template <class Work>
double milliseconds(bool wall, const Work& work)
{
    const auto now = [&] {
        if (wall)
            return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
                .count();
        timespec time{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
    };
    const double begin = now();
    work();
    return now() - begin;
}

inline double median(std::vector<double> values)
{
    std::ranges::nth_element(values, values.begin() + std::ssize(values) / 2);
    return values[values.size() / 2];
}

}  // namespace attnscope
