#include "core/attention/benchmark.h"

#include <cstdio>
#include <memory>

namespace attnscope {

namespace {

/// The shortest form that NumPy is fast in: one product, one exponential, sums without copies. Prints the BLAS library
/// that the process has loaded, then the median of the seconds.
std::string numpyScript(const BenchmarkCase& c, int repeats)
{
    return "import numpy as np, re, time\n"
           "n, d, causal, repeats = " +
           std::to_string(c.n) + ", " + std::to_string(c.d) + ", " + (c.causal ? "True" : "False") + ", " +
           std::to_string(repeats) +
           "\n"
           "r = np.random.default_rng(1)\n"
           "q = r.standard_normal((n, d), dtype=np.float32) / np.float32(d ** 0.5); k = r.standard_normal((n, d), "
           "dtype=np.float32)\n"
           "hidden = np.triu(np.ones((n, n), bool), 1) if causal else None\n"
           "times = []\n"
           "for turn in range(repeats):\n"
           "    t = time.perf_counter()\n"
           "    z = q @ k.T\n"
           "    if causal: z[hidden] = -1e4\n"
           "    z -= z.max(1, keepdims=True); e = np.exp(z); s = e.sum(1)\n"
           "    H = np.log(s) - np.einsum(\"ij,ij->i\", e, z) / s\n"
           "    squares = np.einsum(\"ij,ij->i\", e, e) / s ** 2; largest = 1 / s\n"
           "    times.append(time.perf_counter() - t)\n"
           "files = {line.split()[-1] for line in open(\"/proc/self/maps\")}\n"
           "blas = sorted(f for f in files if re.search(\"blas|mkl|blis|atlas\", f.rsplit(\"/\", 1)[-1]))\n"
           "blas.sort(key=lambda f: not f.rsplit(\"/\", 1)[-1].startswith(\"libblas\"))\n"  // LAPACK may bring another
                                                                                            // one along
           "print(blas[0] if blas else \"unknown\")\n"
           "print(sorted(times)[repeats // 2])\n";
}

bool isReference(const std::string& library)
{
    for (const char* fast : {"openblas", "mkl", "blis", "atlas"})
        if (library.find(fast) != std::string::npos)
            return false;
    return true;
}

}  // namespace

std::optional<NumpyTime> timeNumpy(const BenchmarkCase& c, int repeats)
{
    if (c.n > 16384 || c.methods > 1 || c.prefixes > 1)
        return std::nullopt;
    // The python3 on the path need not be the one that the system's python3-numpy belongs to.
    for (const std::string python : {"python3", "/usr/bin/python3"}) {
        const std::unique_ptr<FILE, int (*)(FILE*)> pipe(
            popen((python + " -c '" + numpyScript(c, repeats) + "' 2>/dev/null").c_str(), "r"), pclose);
        char library[4096];
        double seconds = 0;
        if (pipe && std::fscanf(pipe.get(), "%4095s %lf", library, &seconds) == 2)
            return NumpyTime{seconds, library, isReference(library)};
    }
    return std::nullopt;
}

}  // namespace attnscope
