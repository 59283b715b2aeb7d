#pragma once
// OpenBLAS, where the machine has it, loaded at run time: a matrix product that owes nothing to this program or to
// Eigen, for benchmarks to be held against.

#include <optional>
#include <string>

namespace attnscope {

/// The library as dlopen gives it. One that does not know the processor would take its slowest kernels: it is given
/// those for AVX-512 or AVX2, by the environment variable OPENBLAS_CORETYPE, unless that is set. Null where it is not
/// installed. It stays loaded, as its threads do. Not for several threads at once.
void* openBlasLibrary();

class OpenBlas {
public:
    /// None where the library is not installed.
    static std::optional<OpenBlas> load();

    /// c (m, n) = a (m, d) times the transpose of b (n, d), all row-major, on all of its threads.
    void product(int m, int n, int d, const float* a, const float* b, float* c, int strideOfC) const;

    /// As it describes itself: version, kernels, threads.
    const std::string& description() const { return m_description; }

private:
    using Sgemm = void (*)(int order, int transA, int transB, int m, int n, int k, float alpha, const float* a, int lda,
                           const float* b, int ldb, float beta, float* c, int ldc);
    Sgemm m_sgemm = nullptr;
    std::string m_description;
};

}  // namespace attnscope
