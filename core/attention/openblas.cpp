#include "core/attention/openblas.h"

#include <dlfcn.h>

#include <cstdlib>
#include <string_view>

namespace attnscope {

namespace {

constexpr int cblasRowMajor = 101, cblasNoTrans = 111, cblasTrans = 112;
constexpr const char* chosenKernels = "OPENBLAS_CORETYPE";

/// OpenBLAS's kernels for AVX-512 or AVX2, where this processor has their instructions.
const char* strongKernels()
{
    return __builtin_cpu_supports("avx512vl") ? "SkylakeX" : __builtin_cpu_supports("avx2") ? "Haswell" : nullptr;
}

/// A processor younger than the library gets the kernels of 2004.
bool unknownProcessor(void* library)
{
    const auto kernels = reinterpret_cast<const char* (*)()>(dlsym(library, "openblas_get_corename"));
    return kernels && std::string_view(kernels()) == "Prescott";
}

}  // namespace

void* openBlasLibrary()
{
    for (const char* name : {"libopenblas.so.0", "libopenblas.so"}) {
        void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        if (!library)
            continue;
        if (const char* kernels = strongKernels();
            kernels && !std::getenv(chosenKernels) && unknownProcessor(library)) {
            dlclose(library);  // it looks at the variable when it is loaded
            setenv(chosenKernels, kernels, 0);
            library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        }
        if (library && dlsym(library, "cblas_sgemm"))
            return library;
    }
    return nullptr;
}

std::optional<OpenBlas> OpenBlas::load()
{
    if (void* const library = openBlasLibrary()) {
        OpenBlas blas;
        blas.m_sgemm = reinterpret_cast<Sgemm>(dlsym(library, "cblas_sgemm"));
        const auto config = reinterpret_cast<const char* (*)()>(dlsym(library, "openblas_get_config"));
        const auto threads = reinterpret_cast<int (*)()>(dlsym(library, "openblas_get_num_threads"));
        blas.m_description =
            (config ? config() : std::string("OpenBLAS")) + (threads ? fmt::format(", {} threads", threads()) : "");
        if (blas.m_sgemm)
            return blas;
    }
    return std::nullopt;
}

void OpenBlas::product(int m, int n, int d, const float* a, const float* b, float* c, int strideOfC) const
{
    m_sgemm(cblasRowMajor, cblasNoTrans, cblasTrans, m, n, d, 1, a, d, b, d, 0, c, strideOfC);
}

}  // namespace attnscope
