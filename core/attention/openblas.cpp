#include "core/attention/openblas.h"

#include <dlfcn.h>

namespace attnscope {

namespace {

constexpr int cblasRowMajor = 101, cblasNoTrans = 111, cblasTrans = 112;

}  // namespace

std::optional<OpenBlas> OpenBlas::load()
{
    for (const char* name : {"libopenblas.so.0", "libopenblas.so"}) {
        void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);  // stays: its threads do
        if (!library)
            continue;
        OpenBlas blas;
        blas.m_sgemm = reinterpret_cast<Sgemm>(dlsym(library, "cblas_sgemm"));
        const auto config = reinterpret_cast<const char* (*)()>(dlsym(library, "openblas_get_config"));
        const auto threads = reinterpret_cast<int (*)()>(dlsym(library, "openblas_get_num_threads"));
        if (!blas.m_sgemm)
            continue;
        blas.m_description = (config ? config() : "OpenBLAS") + (threads ? ", " + std::to_string(threads()) + " threads" : "");
        return blas;
    }
    return std::nullopt;
}

void OpenBlas::product(int m, int n, int d, const float* a, const float* b, float* c, int strideOfC) const
{
    m_sgemm(cblasRowMajor, cblasNoTrans, cblasTrans, m, n, d, 1, a, d, b, d, 0, c, strideOfC);
}

}  // namespace attnscope
